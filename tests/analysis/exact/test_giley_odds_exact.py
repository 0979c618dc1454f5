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


def test_gy_4_2_the_best_points_are_the_own_or_those_of_others(players: int) -> None:
    best = counted("best", players, "dealer")
    mano = counted("odds-four", players, "split").ways["mano"]
    up_to = counts("four", Rules()).ways["hand"].cumsum()
    # Nobody passes a class: the own hand does not, and is not beaten or is beaten within it.
    assert int(mano[:, :2].sum() + mano[:, 2].sum()) == best.total
    alone_or_tied = mano[:, :2].sum(axis=1)
    assert (alone_or_tied <= best.ways["points"]).all()
    assert alone_or_tied[-1] == best.total // HANDS * 40  # a 41 is never beaten
    assert up_to[-1] == HANDS


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
    ("KO CO KC CC", "AO 7O AE KE CE SE 3E AB", 3),
    ("KE 7O SC 2B", "AO AC AE AB 7C 7E 7B KO", 3),
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
        assert best == best_by_hand(hand, {cards: value[aim] for cards, value in values.items()}, values)


def submasks(cards: int) -> list[int]:
    return [chosen for chosen in range(cards + 1) if chosen & ~cards == 0] if cards < 16 else [
        sum(1 << bit for place, bit in enumerate(bits_of(cards)) if number >> place & 1)
        for number in range(1 << cards.bit_count())
    ]


def bits_of(cards: int) -> list[int]:
    return [bit for bit in range(28) if cards >> bit & 1]


def best_by_hand(
    hand: int, values: dict[int, Fraction], means: dict[int, tuple[Fraction, Fraction]]
) -> int:
    """The best value; then the most points; then the fewest cards; then the first cards kept."""
    printed = GILEY.cards(hand)

    def order(thrown: int) -> tuple[Any, ...]:
        kept = [card not in GILEY.cards(thrown) for card in printed]
        return values[thrown], means[thrown][0], -thrown.bit_count(), kept

    return max(values, key=order)
