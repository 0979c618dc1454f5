"""Odds and draws of Giley by second ways of counting, and by what different counts share.

The class tables of two players are counted over all 217 567 350 pairs of hands in numpy. Tables of
more players are held against those of whole deals, and against each other: by own hands one by one,
and by all hands at once. Draws are enumerated, in plain numpy, where few cards are unseen; where
many are, both draws are simulated by the kernel that `tests/sims/test_giley_draw.py` checks.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations
from math import comb
from typing import Any, get_args

import numpy as np
import pytest
from numpy.typing import NDArray
from reference import giley as referee
from reference import giley_arrays as arrays

from analysis.exact import giley_draw, giley_duel, giley_odds
from analysis.exact.counting import Counts, deals
from analysis.exact.giley import counts
from analysis.exact.giley_points import Tie, seats_before
from sims.cards import GILEY
from sims.giley.draw import Known, shown_after_draws
from sims.giley.figures import POINTS
from sims.giley.rules import SEATS, Rules
from sims.jit import COMPILED

TIES: tuple[Tie, ...] = get_args(Tie)
PLAYERS = (2, 3, 4, 5) if COMPILED else (2, 3)
HANDS = comb(28, 4)
POINTS_OF = np.array(POINTS)

Ways = NDArray[Any]


@cache
def counted(figure: str, players: int, tie: Tie) -> Counts:
    return counts(figure, Rules(players=players, tie=tie))  # type: ignore[arg-type]


def mask(text: str) -> int:
    """Some cards as the program has them."""
    return GILEY.read(text)


def theirs(cards: int) -> int:
    """The same cards as `reference.giley_arrays` has them."""
    return arrays.mask(referee.card(card) for card in GILEY.cards(cards))


def ours(cards: int) -> int:
    return GILEY.mask_of("".join(card) for card in arrays.cards_of(cards))


@pytest.fixture(params=PLAYERS)
def players(request: pytest.FixtureRequest) -> int:
    found: int = request.param
    return found


# Class tables ------------------------------------------------------------------------------------


@pytest.mark.parametrize("tie", TIES)
def test_gy_4_2_class_tables_add_up_to_those_of_whole_deals(players: int, tie: Tie) -> None:
    best, two, four = (
        counted(figure, players, tie) for figure in ("best", "odds-two", "odds-four")
    )
    assert four.total == best.total == deals(28, (4,) * players)
    assert two.total == 6 * four.total < 2**63
    rest = four.total // HANDS
    winner = best.ways["winner"].tolist()
    for seat, name in enumerate(SEATS[players]):
        of_two, of_four = two.ways[name], four.ways[name]
        assert of_two.dtype == of_four.dtype == np.int64
        assert (of_two >= 0).all()
        assert (of_four >= 0).all()
        # By own points: the tables of one hand. By outcome: who wins, and how many are tied.
        hands = counts("four", Rules()).ways["hand"]
        assert (of_four.sum(axis=1) == hands * rest).all()
        firsts = counts("two", Rules()).ways["hand"]
        assert (of_two.sum(axis=1) == firsts * comb(26, 2) * rest).all()
        assert (of_two.sum(axis=0) == 6 * of_four.sum(axis=0)).all()
        won = int(of_four.sum(axis=0)[: 1 if tie == "split" else 2].sum())
        assert won == winner[seat]
    alone = sum(int(ways[:, 0].sum()) for ways in four.ways.values())
    assert alone == best.ways["tie"][0]


@pytest.mark.parametrize("tie", TIES)
def test_gy_4_2_own_hands_one_by_one_are_all_hands_at_once(players: int, tie: Tie) -> None:
    """Two ways to the table of four cards, which share no more than the polynomials."""
    hands, times = giley_odds.hands_by_points(4)
    assert times.shape == (15, len(hands))
    assert times.sum() == HANDS
    for seat, name in enumerate(SEATS[players]):
        by_hand = giley_odds.outcome_ways(hands, 0, players, seat, tie)
        assert (times @ by_hand == counted("odds-four", players, tie).ways[name]).all()


def test_gy_4_1_a_41_is_never_beaten_and_nothing_loses_to_four_sevens(players: int) -> None:
    best = counted("best", players, "dealer")
    for ways in counted("odds-four", players, "dealer").ways.values():
        unbeaten = ways[:, :3].sum(axis=1)
        assert unbeaten[-1] == best.total // HANDS * 40
        assert unbeaten[0] == 0
        assert (unbeaten <= best.ways["points"]).all()


def test_gy_4_2_sharing_is_that_of_whole_deals(players: int) -> None:
    hands, times = giley_odds.hands_by_points(4)
    shared = times.sum(axis=0) @ giley_odds.sharing_ways(hands, 0, players)
    tie = counted("best", players, "split").ways["tie"].tolist()
    # Each of k hands that share the pot is the own one in as many deals.
    assert [int(ways) * players for ways in shared[1:]] == [
        tied * number for number, tied in enumerate(tie, 1)
    ]
    assert shared.sum() == deals(28, (4,) * players)


def test_gy_4_2_seats_alike_have_equal_odds(players: int) -> None:
    dealer, mano = (counted("odds-two", players, tie) for tie in ("dealer", "mano_first"))
    seats = SEATS[players]
    for seat, name in enumerate(seats):
        # Under `dealer` everybody moves back one place, and the dealer goes first.
        alike = seats[seats_before(seat, players, "dealer")]
        assert (dealer.ways[name] == mano.ways[alike]).all()
    split = counted("odds-two", players, "split")
    assert len({ways.tobytes() for ways in split.ways.values()}) == 1
    # The last in order wins nothing but what he has alone.
    assert not mano.ways["dealer"][:, 1].any()
    assert not mano.ways["mano"][:, 2].any()


@pytest.fixture(scope="module")
def pairs() -> tuple[Ways, Ways, Ways, Ways]:
    """All hands with their points and counted suit; disjoint others by points and counted suit.

    The last has shape (20475, 60): for each hand how many hands without a card of it have each of
    the 15 points and 4 suits.
    """
    hands = arrays.all_hands().astype(np.uint32)
    points = np.searchsorted(POINTS_OF, arrays.points(arrays.all_hands()))
    suits = arrays.counted_suits(arrays.all_hands())
    codes = 4 * points + suits
    order = np.argsort(codes, kind="stable")
    ordered, present = hands[order], np.unique(codes)
    starts = np.searchsorted(codes[order], present)
    disjoint = np.zeros((HANDS, 60), np.int64)
    for start in range(0, HANDS, 256):
        free = (hands[start : start + 256, None] & ordered) == 0
        disjoint[start : start + 256, present] = np.add.reduceat(
            free, starts, axis=1, dtype=np.int16
        )
    assert disjoint.sum() == 217_567_350
    return hands, points, suits, disjoint


@pytest.mark.parametrize("tie", TIES)
def test_gy_4_2_class_tables_of_two_players_by_all_pairs(
    pairs: tuple[Ways, Ways, Ways, Ways], tie: Tie
) -> None:
    hands, points, suits, disjoint = pairs
    by_points = disjoint.reshape(HANDS, 15, 4)
    rows = np.arange(HANDS)
    tied = by_points[rows, points]
    alone = by_points.sum(axis=2).cumsum(axis=1)[rows, points] - tied.sum(axis=1)
    higher = np.where(np.arange(4) < suits[:, None], tied, 0).sum(axis=1)
    same = tied[rows, suits]
    tied = tied.sum(axis=1)
    lost = comb(24, 4) - alone - tied
    for seat, name in enumerate(SEATS[2]):
        first = seat == 0
        lost_ties = {
            "dealer": tied if first else 0 * tied,
            "mano_first": 0 * tied if first else tied,
            "suit_rank": higher + (0 if first else same),
        }
        if tie == "split":
            outcomes = np.column_stack([alone, tied, lost])
        else:
            outcomes = np.column_stack([alone, tied - lost_ties[tie], lost_ties[tie], lost])
        four = np.zeros((15, outcomes.shape[1]), np.int64)
        np.add.at(four, points, outcomes)
        assert (counted("odds-four", 2, tie).ways[name] == four).all()
        two = np.zeros((7, outcomes.shape[1]), np.int64)
        for classes in first_two(hands):
            np.add.at(two, classes, outcomes)
        assert (counted("odds-two", 2, tie).ways[name] == two).all()


@cache
def points_of_two() -> dict[int, int]:
    return {
        int(two): POINTS.index(referee.points(arrays.cards_of(int(two))))
        for two in arrays.choices((1 << 28) - 1, 2)
    }


def first_two(hands: Ways) -> list[Ways]:
    """The classes of the first two cards in each of the six ways to take them."""
    cards = np.array([[1 << b for b in range(28) if hand >> b & 1] for hand in hands.tolist()])
    worth = points_of_two()
    return [
        np.array([worth[two] for two in (cards[:, a] | cards[:, b]).tolist()])
        for a in range(4)
        for b in range(a)
    ]


# One hand against hands dealt out ----------------------------------------------------------------

# A hand, the cards gone, the players: few enough are unseen to deal out all others' hands.
POSITIONS = [
    ("KO CO 7C 2B", "", 2),
    ("AO KO CO 2B", "7C 3C AE", 2),
    ("AO KC 7E 2B", "KO CO SO 3O AC CC SC 3C 7C", 2),
    ("KO CO KC CC", "AO 7O AE KE CE SE 3E AB KB 2C", 3),
    ("KE 7O SC 2B", "AO AC AE AB 7C 7E 7B KO CO CC", 3),
    ("KE CE 7O 2B", "AO KO CO SO AC KC CC SC 2C 3C 7C AE", 4),
    ("7O 7C 7E 7B", "AO AC AE AB KO KC KE KB CO CC CE CB", 4),
]


def others_dealt(hand: str, gone: str, players: int) -> Ways:
    """All hands of the others, in deals one after the other: shape (players - 1, deals)."""
    unseen = theirs(GILEY.mask & ~(mask(hand) | mask(gone)))
    dealt = np.zeros((1, 0), np.int64)
    for _ in range(players - 1):
        rows = [
            np.column_stack([np.tile(row, (len(hands), 1)), hands])
            for row in dealt
            for hands in [arrays.choices(unseen & ~int(row.sum()), 4)]
        ]
        dealt = np.concatenate(rows)
    return dealt.T


@pytest.mark.parametrize(("hand", "gone", "players"), POSITIONS)
def test_gy_4_2_a_hand_against_all_hands_of_the_others(hand: str, gone: str, players: int) -> None:
    others = others_dealt(hand, gone, players)
    held, away = np.array([mask(hand)], np.uint32), mask(gone)
    total = giley_odds.deals_of_others(away, players - 1)
    assert others.shape[1] == total
    own = np.full((1, total), theirs(mask(hand)))
    for seat in range(players):
        table = np.concatenate([others[:seat], own, others[seat:]])
        for tie in TIES:
            outcomes = arrays.outcomes(table, seat, tie)
            (ways,) = giley_odds.outcome_ways(held, away, players, seat, tie)
            assert ways.tolist() == np.bincount(outcomes, minlength=len(ways)).tolist()
    (shared,) = giley_odds.sharing_ways(held, away, players)
    expected = np.bincount(arrays.sharing(table, players - 1), minlength=players + 1)
    assert shared.tolist() == expected.tolist()
    best = np.searchsorted(POINTS_OF, arrays.points(others).max(axis=0))
    found = giley_odds.best_of_others(int(held[0]) | away, players - 1)
    assert found.tolist() == np.bincount(best, minlength=15).tolist()


# The draw ----------------------------------------------------------------------------------------

DRAWN = ["AO KO 7C 2B", "AO KO CO 2B", "KO CO KC CC", "7O 7C 7E 7B", "AO KO CO SO", "7O SO 3C AB"]


def drawn(hand: int, thrown: int, gone: int) -> Ways:
    """The points of all hands after a discard, by enumeration."""
    unseen = theirs(GILEY.mask & ~(hand | gone))
    return arrays.points(theirs(hand & ~thrown) | arrays.choices(unseen, thrown.bit_count()))


@pytest.mark.parametrize("gone", ["", "AC KC SE 3E 2E KB CB 7O"])
@pytest.mark.parametrize("text", DRAWN)
def test_gy_2_3_draws_by_enumeration(text: str, gone: str) -> None:
    hand, away = mask(text), mask(gone) & ~mask(text)
    found = giley_draw.draws(np.array([hand], np.uint32), away)
    assert sorted(found.thrown[0].tolist()) == sorted(set(submasks(hand)))
    values: dict[int, tuple[Fraction, Fraction]] = {}
    for number, thrown in enumerate(found.thrown[0].tolist()):
        points = drawn(hand, thrown, away)
        classes = np.searchsorted(POINTS_OF, points)
        assert found.ways[0, number].tolist() == np.bincount(classes, minlength=15).tolist()
        assert found.totals[number] == len(points)
        mean = Fraction(int(points.sum()), len(points))
        values[thrown] = mean, Fraction(int((points > 30).sum()), len(points))
        assert (found.of_total[0, number] @ POINTS_OF) == mean * found.total
    for worth, aim in ((POINTS_OF, 0), ((POINTS_OF > 30).astype(np.int64), 1)):
        best = int(found.thrown[0, found.best(worth)[0]])
        assert best == best_by_hand(
            hand, {cards: value[aim] for cards, value in values.items()}, values
        )


def submasks(cards: int) -> list[int]:
    bits = [1 << bit for bit in range(28) if cards >> bit & 1]
    return [sum(chosen) for size in range(len(bits) + 1) for chosen in combinations(bits, size)]


def best_by_hand(
    hand: int, values: dict[int, Fraction], means: dict[int, tuple[Fraction, Fraction]]
) -> int:
    """The best value; then the most points; then the fewest cards; then the first cards kept."""
    printed = GILEY.cards(hand)

    def order(thrown: int) -> tuple[Any, ...]:
        kept = [card not in GILEY.cards(thrown) for card in printed]
        return values[thrown], means[thrown][0], -thrown.bit_count(), kept

    return max(values, key=order)


def test_gy_2_3_draws_by_closed_forms() -> None:
    """Ace and two tens of oros and a stranger: three more tens and the seven are unseen."""
    found = giley_draw.draws(np.array([mask("AO KO CO 2B")], np.uint32))
    (thrown,) = np.flatnonzero(found.thrown[0] == mask("2B"))
    ways = dict(zip(POINTS, found.ways[0, thrown].tolist(), strict=True))
    assert {points: way for points, way in ways.items() if way} == {41: 3, 38: 1, 31: 20}
    assert found.totals[thrown] == 24
    (nothing,) = np.flatnonzero(found.thrown[0] == 0)
    assert found.ways[0, nothing].tolist() == [int(points == 31) for points in POINTS]


def test_gy_2_3_other_tens_and_other_suits_bring_the_same() -> None:
    texts = ["AO KO 7C 2B", "AO 2O 7C SB", "AE SE 7B 3O", "KC AC 7E 2O"]
    found = giley_draw.draws(np.array([mask(text) for text in texts], np.uint32))
    assert len({tuple(sorted(map(tuple, ways))) for ways in found.ways.tolist()}) == 1


# Rules to draw by --------------------------------------------------------------------------------


def test_gy_2_3_best_suit_keeps_the_suit_that_counts() -> None:
    thrown = giley_draw.thrown_by("best-suit").tolist()
    for hand, discard in list(zip(giley_draw.all_hands().tolist(), thrown, strict=True))[::5]:
        cards = arrays.cards_of(theirs(hand))
        suit = referee.counted_suit(cards)
        assert theirs(discard) == arrays.mask(card for card in cards if card.suit != suit)


def test_gy_2_3_most_points_differs_from_best_suit_for_four_sevens_only() -> None:
    hands, thrown = giley_draw.all_hands(), giley_draw.thrown_by("most-points")
    different = thrown != giley_draw.thrown_by("best-suit")
    assert hands[different].tolist() == thrown[different].tolist() == [mask("7O 7C 7E 7B")]


def test_gy_2_3_cards_gone_change_the_best_discard() -> None:
    """With the rest of oros gone, 20 in oros cannot grow; 20 in copas can."""
    hand = np.array([mask("KO CO KC CC")], np.uint32)
    assert giley_draw.thrown_for(POINTS_OF, hand).tolist() == [mask("KC CC")]
    gone = mask("AO 7O SO 3O 2O")
    assert giley_draw.thrown_for(POINTS_OF, hand, gone).tolist() == [mask("KO CO")]


# Two players who both draw -----------------------------------------------------------------------


def thrown_of(hand: int, rule: giley_draw.Rule) -> int:
    number = np.searchsorted(giley_draw.all_hands(), hand)
    return int(giley_draw.thrown_by(rule)[number])


def duel(
    hands: Sequence[int],
    thrown: Sequence[int],
    gone: int,
    rule: giley_draw.Rule,
    seat: int,
    tie: Tie,
) -> Counts:
    masks = np.array(hands, np.uint32), np.array(thrown, np.uint32)
    return giley_duel.duel_counts(*masks, gone, rule, seat, tie)


def chances(found: Counts, part: str) -> list[Fraction]:
    return [Fraction(int(way), found.total) for way in found.ways[part]]


# A hand, what is thrown of it, what is gone: so little is left that both draws can be dealt out.
DUELS = [
    ("KO 7C AE 2B", "7C 2B", "CO SO 3O 2O AC KC CC SC KE CE SE AB"),
    ("AO KO CO 2B", "2B", "7C 3C AE KC CC SC 2C 7E 3E KB CB SB"),
    ("KO CO KC CC", "KO KC CC", "AO 7O AC AE KE CE SE 3E 2E AB KB CB"),
    ("7O 7C 7E 7B", "7O 7C 7E 7B", "AO KO CO SO AC KC CC AE KE CE AB KB"),
    ("AO KO 7C 3C", "", "CO SO 3O KC CC SC KE CE SE AB KB CB"),
]


def both_draw(hand: int, thrown: int, gone: int, rule: giley_draw.Rule) -> list[tuple[Ways, Ways]]:
    """For every hand of the other all pairs of hands after both draws, as the referee has them."""
    kept = theirs(hand & ~thrown)
    unseen = theirs(GILEY.mask & ~(hand | gone))
    ends = []
    for other in arrays.choices(unseen, 4).tolist():
        discard = theirs(thrown_of(ours(other), rule))
        first = arrays.choices(unseen & ~other, thrown.bit_count())
        second = arrays.choices(unseen & ~other, discard.bit_count())
        mine, his = np.nonzero((first[:, None] & second) == 0)
        ends.append((kept | first[mine], (other & ~discard) | second[his]))
    return ends


@pytest.mark.parametrize("rule", giley_draw.RULES)
@pytest.mark.parametrize(("text", "thrown", "gone"), DUELS)
def test_gy_2_3_both_draws_dealt_out(
    text: str, thrown: str, gone: str, rule: giley_draw.Rule
) -> None:
    hand, discard, away = mask(text), mask(thrown), mask(gone)
    ends = both_draw(hand, discard, away, rule)
    assert len(ends) == comb(12, 4)
    others = [Fraction(0)] * 15
    for _, his in ends:
        classes = np.bincount(np.searchsorted(POINTS_OF, arrays.points(his)), minlength=15)
        others = [
            chance + Fraction(int(way), len(his) * len(ends))
            for chance, way in zip(others, classes, strict=True)
        ]
    for seat in (0, 1):
        for tie in TIES:
            expected = [Fraction(0)] * (3 if tie == "split" else 4)
            for mine, his in ends:
                table = np.stack([mine, his] if seat == 0 else [his, mine])
                found = np.bincount(arrays.outcomes(table, seat, tie), minlength=len(expected))
                expected = [
                    chance + Fraction(int(way), len(his) * len(ends))
                    for chance, way in zip(expected, found, strict=True)
                ]
            counted_ways = duel([hand], [discard], away, rule, seat, tie)
            assert chances(counted_ways, "outcome") == expected
            assert chances(counted_ways, "others") == others


def test_gy_2_3_several_hands_are_averaged() -> None:
    gone = mask("7C 3C AE KC CC SC 2C 7E 3E KB CB SB")
    hands = [mask(text) for text in ("AO KO CO 2B", "AO KO SO 2B", "AO KO 7O 2B", "AO KO AB 2B")]
    thrown = [thrown_of(hand, "best-suit") for hand in hands]
    for tie in TIES:
        each = [
            duel([h], [t], gone, "best-suit", 0, tie) for h, t in zip(hands, thrown, strict=True)
        ]
        together = duel(hands, thrown, gone, "best-suit", 0, tie)
        for part in ("outcome", "others"):
            rows = [chances(one, part) for one in each]
            means = [sum(column, Fraction(0)) / len(rows) for column in zip(*rows, strict=True)]
            assert chances(together, part) == means


def test_gy_2_4_a_stock_that_may_run_out_is_refused() -> None:
    gone = mask("7C 3C AE KC CC SC 2C 7E 3E KB CB SB AC")
    with pytest.raises(ValueError, match="a stock of 7 cards may run out"):
        duel([mask("AO KO CO 2B")], [0], gone, "best-suit", 0, "split")


SIMULATED = 1_000_000
#: Seat, tie, hand.
BOTH = [
    (0, "dealer", "AO KO 7C 2B"),
    (1, "dealer", "KO CO KC CC"),
    (0, "suit_rank", "KC CC SE 3E"),
    (1, "suit_rank", "AE 7C SO 2B"),
    (1, "mano_first", "AE KE CE 2B"),
    (0, "split", "7O 7C 7E 7B"),
]


def far_off(counts: Ways, ways: Ways, total: int) -> float:
    """The largest deviation of simulated counts in standard deviations."""
    chance = np.array([int(way) / total for way in ways])
    spread = np.sqrt(np.maximum(SIMULATED * chance * (1 - chance), 1))
    return float(np.abs((counts - SIMULATED * chance) / spread).max())


def simulated(seat: int, tie: Tie, text: str, rule: giley_draw.Rule, others: Ways) -> Any:
    rules, known = Rules(players=2, tie=tie), Known(seat, mask(text))
    return shown_after_draws(rules, known, giley_draw.thrown_by(rule), others, 5, 0, SIMULATED)


@pytest.mark.compiled
@pytest.mark.parametrize("rule", giley_draw.RULES)
@pytest.mark.parametrize(("seat", "tie", "text"), BOTH)
def test_gy_2_3_both_draws_simulated(seat: int, tie: Tie, text: str, rule: giley_draw.Rule) -> None:
    """Some 200 counts within five sigma: a false alarm about once in 8 000 choices of the seed."""
    hand = mask(text)
    exact = duel([hand], [thrown_of(hand, rule)], 0, rule, seat, tie)
    shown = simulated(seat, tie, text, rule, giley_draw.thrown_by(rule))
    assert far_off(shown.outcome, exact.ways["outcome"], exact.total) < 5
    assert far_off(shown.others, exact.ways["others"], exact.total) < 5
    drawn_points = giley_draw.draws(np.array([hand], np.uint32))
    (number,) = np.flatnonzero(drawn_points.thrown[0] == thrown_of(hand, rule))
    own = drawn_points.ways[0, number]
    assert far_off(shown.points, own, int(drawn_points.totals[number])) < 5


@pytest.mark.compiled
def test_gy_2_3_others_who_stand_pat_are_caught() -> None:
    """The control: the same comparison, of others who do not draw."""
    text = "AO KO 7C 2B"
    hand = mask(text)
    exact = duel([hand], [thrown_of(hand, "best-suit")], 0, "best-suit", 0, "dealer")
    shown = simulated(0, "dealer", text, "best-suit", np.zeros(HANDS, np.uint32))
    assert far_off(shown.outcome, exact.ways["outcome"], exact.total) > 50
    assert far_off(shown.others, exact.ways["others"], exact.total) > 50
