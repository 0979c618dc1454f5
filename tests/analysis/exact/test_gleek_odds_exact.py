"""What becomes of a ruff, what the stock brings: exact counts against complete deals, as integers.

Small packs are dealt out completely and judged by the referee's points. With the full pack that is
done where few cards are unseen: 24 of which a hand gets 12, or 31 of which the stock has 7.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import combinations
from math import comb

import numpy as np
import pytest
from numpy.typing import NDArray
from reference import gleek as referee

from analysis.exact import gleek
from analysis.exact.counting import Counts, subsets
from analysis.exact.gleek_ruff import (
    GLEEK,
    Dimensions,
    Within,
    odds_counts,
    outcomes,
    own_ruffs,
    with_all_aces,
)
from analysis.exact.gleek_stock import (
    best_ruff_ways,
    income_ways,
    layouts,
    rank_mask,
    set_counts,
)
from analysis.exact.positions import Position
from sims.cards import GLEEK as PACK
from sims.cards import Pack
from sims.gleek.figures import FIGURES, INCOME, OUTCOME, RUFF, SEATS, TOTALS
from sims.gleek.rules import Rules

Masks = NDArray[np.int64]
APART, COUNTED_IN = Rules(), Rules(turnup_in_ruff=True)
BOTH = pytest.mark.parametrize("rules", [APART, COUNTED_IN], ids=["", "turn-up counts"])


@cache
def of(figure: str, rules: Rules) -> Counts:
    return gleek.counts(figure, rules)


# The class table ---------------------------------------------------------------------------------


@BOTH
def test_gk_3_4_classes_summed_out_give_the_winner_by_seat(rules: Rules) -> None:
    odds, best = of("odds-ruff", rules), of("best-ruff", rules)
    assert odds.total == best.total
    won = [ways[:, :2].sum() for ways in odds.ways.values()]
    assert won == best.ways["winner"].tolist()
    # Alone at the best: over all seats, the deals without a tie.
    assert sum(ways[:, 0].sum() for ways in odds.ways.values()) == best.ways["tie"][0]


@BOTH
def test_gk_3_1_wins_summed_over_the_seats_give_the_best_ruffs(rules: Rules) -> None:
    odds, best = of("odds-ruff", rules), of("best-ruff", rules)
    won = sum(ways[:, :2].sum(axis=1) for ways in odds.ways.values())
    assert won.tolist() == best.ways["points"].tolist()


@BOTH
def test_gk_3_1_outcomes_summed_out_give_the_own_ruffs(rules: Rules) -> None:
    odds, ruffs = of("odds-ruff", rules), of("ruff", rules)
    for seat in SEATS[: 2 if rules.turnup_in_ruff else 3]:
        scale, rest = divmod(odds.total, ruffs.total)
        assert rest == 0
        own = odds.ways[seat].sum(axis=1)
        assert own.tolist() == [int(way) * scale for way in ruffs.ways["hand"]]
    if rules.turnup_in_ruff:
        # Thirteen cards hold four of a suit: 4 + 5 + 6 + 7 is the least.
        own = odds.ways["dealer"].sum(axis=1)
        least = RUFF.labels.index((22,))
        assert not own[:least].any()
        assert own[least:].all()


def test_gk_3_4_seats_differ_by_their_ties_alone() -> None:
    eldest, second, dealer = of("odds-ruff", APART).ways.values()
    for column in (0, 3):
        assert eldest[:, column].tolist() == second[:, column].tolist()
        assert eldest[:, column].tolist() == dealer[:, column].tolist()
    assert not eldest[:, 2].any()
    assert not dealer[:, 1].any()
    assert eldest[:, 1].tolist() == dealer[:, 2].tolist()
    # A tie of three is lost by the second seat, one of two is won as often as lost.
    assert (second[:, 1] <= second[:, 2]).all()


@BOTH
def test_gk_3_1_four_aces_are_alone_and_ninety_loses_to_nothing_else(rules: Rules) -> None:
    for ways in of("odds-ruff", rules).ways.values():
        assert ways[-1, 0] > 0
        assert not ways[-1, 1:].any()
    # A whole suit leaves nobody four aces, and ties with another whole suit only.
    eldest = of("odds-ruff", rules).ways["eldest"][RUFF.labels.index((90,))]
    assert eldest[3] == 0
    assert 0 < eldest[1] < eldest[0]


def test_the_part_of_a_seat_is_what_its_figure_declares() -> None:
    declared = {part.name: part for part in FIGURES["odds-ruff"].parts}
    assert list(declared) == list(of("odds-ruff", APART).ways) == list(SEATS)
    for part in declared.values():
        assert part.given == 1
        assert part.shape == (len(TOTALS) + 1, len(OUTCOME))


# Small packs, dealt out completely ---------------------------------------------------------------

#: Four suits: all aces are four, as they are in the full pack.
RUFFS = Pack(("6", "9", "K", "A"), tuple("SHDC"), tuple("SHDC"))
COURTS = Pack(("J", "Q", "K", "A"), tuple("SHDC"), tuple("SHDC"))


def points_of(pack: Pack) -> tuple[int, ...]:
    return tuple(referee.card_points(referee.Card(rank, "S")) for rank in pack.ranks)


def dealt(position: Position) -> list[Masks]:
    """The cards of each hand in every deal that fits."""
    free = [1 << card for card in range(position.pack.size) if position.unseen >> card & 1]
    hands: list[Masks] = []
    for wanted in position.wanted:
        new = np.array([sum(cards) for cards in combinations(free, wanted)], np.int64)
        taken = np.bitwise_or.reduce(hands, axis=0) if hands else np.zeros(1, np.int64)
        before, following = np.nonzero((taken[:, None] & new) == 0)
        hands = [*(hand[before] for hand in hands), new[following]]
    return [hand | held for hand, held in zip(hands, position.held, strict=True)]


def ruffs(hands: Masks, pack: Pack) -> Masks:
    """The best total of each hand, and one more than any for all aces."""
    ranks = len(pack.ranks)
    cards = np.array([*points_of(pack)])
    held = hands[:, None] >> np.arange(pack.size) & 1
    best: Masks = (held.reshape(-1, len(pack.suits), ranks) * cards).sum(axis=2).max(axis=1)
    all_aces = rank_mask(pack, "A")
    best[(hands & all_aces) == all_aces] = cards.sum() + 1
    return best


def judged(own: Sequence[Masks], seat: int) -> Masks:
    """The outcome of a seat's ruff in each deal, in words of its own."""
    others = np.delete(own, seat, axis=0)
    mine = own[seat]
    lost = (others > mine).any(axis=0)
    tied = (others == mine).any(axis=0)
    earlier = np.zeros_like(tied)
    for before in own[:seat]:
        earlier |= before == mine
    return np.select([lost, earlier, tied], [3, 2, 1], 0)


def table(own: Sequence[Masks], seat: int, rows: int) -> list[list[int]]:
    counted = np.zeros((rows, len(OUTCOME)), np.int64)
    np.add.at(counted, (own[seat], judged(own, seat)), 1)
    return counted.tolist()


def test_gk_3_4_the_judges_are_the_referee() -> None:
    rng = np.random.default_rng(3)
    for _ in range(300):
        order = rng.permutation(44)
        masks = [sum(1 << int(card) for card in order[n : n + 12]) for n in (0, 12, 24)]
        hands = [[referee.card(text) for text in PACK.cards(mask)] for mask in masks]
        own = [ruffs(np.array([mask]), PACK) for mask in masks]
        winner, (four_aces, total), tied = referee.best_ruff(hands)
        assert max(own) == [91 if four_aces else total]
        for seat in range(3):
            outcome = int(judged(own, seat)[0])
            assert (outcome < 2) == (seat == winner)
            assert (outcome == 0) == (seat == winner and tied == 1)
            assert (outcome == 3) == (int(own[seat][0]) < int(max(own)[0]))


@pytest.mark.parametrize(
    ("dimensions", "sizes"),
    [
        (Dimensions(2, (4, 5, 10, 10, 11), hand=3, players=3), (3, 3, 3)),
        (Dimensions(3, (6, 9, 10, 11), hand=3, players=3), (3, 3, 3)),
        (Dimensions(4, (10, 10, 11), hand=3, players=3), (3, 3, 4)),  # all aces for the last alone
    ],
    ids=str,
)
def test_gk_3_4_odds_of_small_packs_dealt_out(
    dimensions: Dimensions, sizes: tuple[int, ...]
) -> None:
    names = {4: "4", 5: "5", 6: "6", 9: "9", 11: "A"}
    tens = iter("QK")
    ranks = tuple(names.get(points) or next(tens) for points in dimensions.points)
    suits = tuple("SHDC"[: dimensions.suits])
    pack = Pack(ranks, suits, suits)
    own = [ruffs(hand, pack) for hand in dealt(Position(pack, (0, 0, 0), sizes))]
    found = odds_counts(sizes, dimensions)
    for seat, name in enumerate(SEATS):
        assert found.ways[name].tolist() == table(own, seat, sum(dimensions.points) + 2)


POSITIONS = {
    "a whole hand": Position(RUFFS, (0xB, 0, 0), (0, 3, 3), 1 << 15),
    "part of the last hand": Position(RUFFS, (0, 0, 0x81), (3, 3, 1), 1 << 14),
    "cards gone": Position(RUFFS, (0, 0x22, 0), (2, 1, 3), 0x700),
    "the last holds the turn-up": Position(RUFFS, (0x421, 0, 0x8), (0, 3, 3), 0),
    "aces together": Position(RUFFS, (0x8880, 0, 0), (0, 4, 4), 0x1000),
    "all aces in a hand": Position(RUFFS, (0, 0x8888, 0), (3, 0, 3), 0x10),
    "two aces in hands": Position(RUFFS, (0x8, 0x80, 0), (2, 3, 3), 0x1),
    "every card dealt": Position(RUFFS, (0x3, 0, 0), (2, 4, 4), 0x7000),
    "every card dealt, the middle hand known": Position(RUFFS, (0, 0x421, 0), (4, 0, 5), 0x7000),
    "nobody has anything": Position(RUFFS, (0, 0, 0), (3, 3, 3), 0xF00),
}


@pytest.mark.parametrize("position", POSITIONS.values(), ids=list(POSITIONS))
def test_gk_3_1_and_3_4_what_becomes_of_a_ruff_in_a_position(position: Position) -> None:
    own = [ruffs(hand, RUFFS) for hand in dealt(position)]
    assert len(own[0]) == position.total
    points = points_of(RUFFS)
    rows = sum(points) + 2
    within = Within(position, points)
    assert within.best().tolist() == np.bincount(np.max(own, axis=0), minlength=rows).tolist()
    for seat in range(3):
        assert outcomes(within, seat).tolist() == table(own, seat, rows)
        alone = own_ruffs(within, seat).tolist()
        assert alone == np.bincount(own[seat], minlength=rows).tolist()


@pytest.mark.parametrize("seat", range(3))
def test_gk_3_1_hands_that_can_have_all_aces(seat: int) -> None:
    """Not if one lies elsewhere, nor if there is no room for them."""
    aces = rank_mask(RUFFS, "A")
    free = Position(RUFFS, (0, 0, 0), (4, 4, 4))
    given = with_all_aces(free, seat)
    assert given is not None
    assert given.held[seat] == aces
    assert given.wanted[seat] == 0
    for gone in (0x8, 0x8000):
        assert with_all_aces(Position(RUFFS, (0, 0, 0), (4, 4, 4), gone), seat) is None
    assert with_all_aces(Position(RUFFS, (0, 0, 0), (3, 3, 3)), seat) is None
    held = [0, 0, 0]
    held[seat - 1] = 0x8
    assert with_all_aces(Position(RUFFS, tuple(held), (4, 4, 4)), seat) is None


# Sets and lay-outs of small packs ----------------------------------------------------------------


@pytest.mark.parametrize(
    "position",
    [
        Position(COURTS, (0,), (6,)),
        Position(COURTS, (0x8880,), (4,)),
        Position(COURTS, (0x0131,), (5,), 0x4002),
        Position(COURTS, (0x7777,), (0,), 0x8000),
    ],
    ids=["nothing known", "three aces", "some gone", "a whole hand"],
)
def test_gk_4_1_sets_of_a_hand_in_a_position(position: Position) -> None:
    found = set_counts(position)
    expected = {part: np.zeros_like(ways) for part, ways in found.ways.items()}
    chips = 0
    for mask in dealt(position)[0].tolist():
        hand = [referee.card(text) for text in COURTS.cards(mask)]
        sets = {rank: name for name, rank in referee.sets(hand)}
        for rank in "AKQJ":
            expected[rank][("none", "gleek", "mournival").index(sets.get(rank, "none"))] += 1
        expected["number"][len(sets)] += 1
        expected["income"][INCOME.labels.index((referee.sets_income(hand),))] += 1
        chips += referee.sets_income(hand)
    assert found.total == position.total
    for part, ways in found.ways.items():
        assert ways.tolist() == expected[part].tolist()
    assert income_ways(position) == chips


def test_gk_4_1_sets_of_a_hand_of_which_nothing_is_known_are_the_figures() -> None:
    found = set_counts(Position(PACK, (0,), (12,)))
    figure = gleek.counts("sets", Rules())
    assert {part: ways.tolist() for part, ways in found.ways.items()} == {
        part: ways.tolist() for part, ways in figure.ways.items()
    }


def test_gk_2_4_layouts_leave_the_barred_cards() -> None:
    hand, barred = 0b1011_0111, 0b1000_0100
    found = layouts(hand, barred, 3)
    assert sorted(found) == sorted(
        sum(1 << bit for bit in bits) for bits in combinations((0, 1, 4, 5), 3)
    )
    assert len(layouts((1 << 12) - 1, 0)) == comb(12, 7)
    assert len(layouts((1 << 12) - 1, 0b1111)) == comb(8, 7)


#: The hand, what is gone besides, what the others hold, and what the buyer counts besides.
BUYERS = {
    "an ace": (0x0318, 0x2000, (0, 0), 0),
    "no ace": (0x0317, 0x2000, (0, 0), 0),
    "three aces": (0x8881, 0x2000, (0, 0), 0),
    "an ace turned up": (0x0317, 0x8000, (0, 0), 0),
    "the turn-up counts for him": (0x0318, 0, (0, 0), 0x8000),
    "the turn-up counts for another": (0x0317, 0, (0, 0x8000), 0),
}


@pytest.mark.parametrize("before", range(3))
@pytest.mark.parametrize("case", BUYERS)
def test_gk_2_3_best_ruff_after_every_lay_out(case: str, before: int) -> None:
    """Three of his cards laid out for the stock of what the two others leave."""
    hand, gone, held, counted = BUYERS[case]
    others = Position(RUFFS, held, (4, 3), hand | gone | counted)
    choices = layouts(hand, 0, 3)
    kept = [hand & ~laid_out | counted for laid_out in choices]
    found = best_ruff_ways(others, before, kept, points_of(RUFFS))
    hands = dealt(others)
    stock = others.unseen & ~hands[0] & ~hands[1]
    theirs = [ruffs(cards, RUFFS) for cards in hands]
    for number, cards in enumerate(kept):
        own = [*theirs[:before], ruffs(stock | cards, RUFFS), *theirs[before:]]
        assert found[number] == (judged(own, before) < 2).sum()


def test_gk_2_3_too_many_deals_are_refused() -> None:
    with pytest.raises(OverflowError, match="may pass"):
        best_ruff_ways(Position(PACK, (0, 0), (12, 12)), 0, [0], GLEEK.points)


# The full pack, dealt out completely -------------------------------------------------------------


def spread(masks: NDArray[np.uint32], unseen: int) -> NDArray[np.int64]:
    """From sets of the first so many cards to sets of the unseen ones."""
    cards = [1 << card for card in range(44) if unseen >> card & 1]
    found = np.zeros(masks.size, np.int64)
    for number, card in enumerate(cards):
        found |= np.where(masks >> np.uint32(number) & np.uint32(1), card, 0)
    return found


SUIT_POINTS = np.array(
    [
        sum(points for bit, points in enumerate(points_of(PACK)) if held >> bit & 1)
        for held in range(1 << 11)
    ]
)


def quick_ruffs(hands: Masks) -> Masks:
    """As `ruffs`, with one look-up a suit."""
    suits = [SUIT_POINTS[hands >> 11 * suit & 2047] for suit in range(4)]
    best: Masks = np.maximum.reduce(suits)
    aces = rank_mask(PACK, "A")
    return np.where((hands & aces) == aces, 91, best)


HAND = PACK.read("AS KS QS JS 9S AH KH 9H KD 8D 6C 4C")


def test_gk_2_3_every_deal_of_two_hands_after_the_purchase() -> None:
    """24 unseen cards, 2 704 156 deals: the player is second, and the dealer counts the turn-up."""
    turnup, laid_out = PACK.read("JC"), PACK.read("7S 8S 6S 5S 4S 4H 5H")
    position = Position(PACK, (0, HAND, turnup), (12, 0, 12), laid_out)
    eldest = spread(subsets(24, 12), position.unseen)
    dealer = position.unseen & ~eldest | turnup
    own = [quick_ruffs(eldest), quick_ruffs(np.array([HAND])).repeat(eldest.size)]
    own.append(quick_ruffs(dealer))
    assert quick_ruffs(eldest[:50]).tolist() == ruffs(eldest[:50], PACK).tolist()
    found = outcomes(Within(position, GLEEK.points), 1).sum(axis=0)
    assert found.tolist() == np.bincount(judged(own, 1), minlength=4).tolist()
    others = Position(PACK, (0, turnup), (12, 12), HAND | laid_out)
    best = np.bincount(np.maximum(own[0], own[2]), minlength=92)
    assert Within(others, GLEEK.points).best().tolist() == best.tolist()


def test_gk_2_3_every_stock_of_a_lay_out() -> None:
    """31 unseen cards, 2 629 575 stocks."""
    turnup, laid_out = PACK.read("JC"), PACK.read("9S 9H KD 8D 6C 4C KH")
    position = Position(PACK, (HAND & ~laid_out,), (7,), laid_out | turnup)
    hands = spread(subsets(31, 7), position.unseen) | position.held[0]
    after = np.bincount(quick_ruffs(hands), minlength=92)
    assert own_ruffs(Within(position, GLEEK.points), 0).tolist() == after.tolist()
    found = set_counts(position)
    chips = np.zeros(hands.size, np.int64)
    for rank, pay in zip("AKQJ", (4, 3, 2, 1), strict=True):
        sets = (np.bitwise_count(hands & rank_mask(PACK, rank)).astype(np.int64) - 2).clip(0)
        assert found.ways[rank].tolist() == np.bincount(sets, minlength=3).tolist()
        chips += pay * sets
    assert income_ways(position) == chips.sum()
    expected = np.bincount(chips, minlength=19)
    assert found.ways["income"].tolist() == expected[[*range(17), 18]].tolist()
