"""Exact counts of Gleek against the clauses, closed forms, second ways of counting and the kernel.

The second ways share no code with the counts: small packs are dealt out completely and judged by
the referee; for the full pack, python-flint multiplies polynomials built by pairs of holdings.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations
from math import comb

import flint
import numpy as np
import pytest
from numpy.typing import NDArray
from reference import gleek as referee
from scipy.stats import binom

from analysis.exact import gleek
from analysis.exact.conditions import projected
from analysis.exact.counting import Counts, deals, differences
from analysis.exact.gleek import counts
from analysis.exact.gleek_ruff import GLEEK, Dimensions, Within, best_ruff_counts
from sims.figures import Figure, Part
from sims.gleek import HAND, tally_block
from sims.gleek.figures import FIGURES, HONOUR_SETS, HONOURS, INCOME, RUFF, RUFFS, TOTALS, TURNUP
from sims.gleek.rules import Rules
from sims.predicates import compiled

HANDS = comb(44, 12)
APART, COUNTED_IN = Rules(), Rules(turnup_in_ruff=True)
BOTH = pytest.mark.parametrize("rules", [APART, COUNTED_IN], ids=["", "turn-up counts"])
SIZES = {APART: (12, 12, 12), COUNTED_IN: (12, 12, 13)}
RANKS = ("4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")


@cache
def of(figure: str, rules: Rules = APART) -> Counts:
    return counts(figure, rules)


def _within(sizes: tuple[int, ...]) -> Within:
    return Within(GLEEK.whole_deals(sizes), GLEEK.points)


# One hand ----------------------------------------------------------------------------------------


def test_gk_3_1_points_of_all_ranks_are_the_referees() -> None:
    expected = tuple(referee.card_points(referee.Card(rank, "S")) for rank in RANKS)
    assert GLEEK.points == expected
    assert (GLEEK.cards, GLEEK.stock) == (44, 7)


def test_gk_3_1_least_and_best_ruffs() -> None:
    ways = of("ruff").ways["hand"]
    assert of("ruff").total == HANDS
    assert ways[0] == 1  # 4, 5, 6 of every suit
    assert ways[RUFF.labels.index((90,))] == 4 * 33  # a whole suit and any other card
    assert ways[-1] == comb(40, 8)  # four aces
    # All of a suit but its four and two others. With three aces besides the suit's there would be
    # too many cards: no four aces here.
    assert ways[RUFF.labels.index((86,))] == 4 * comb(33, 2)
    assert (ways > 0).all()


def test_gk_3_1_mean_ruff_with_four_aces_not_counted_apart() -> None:
    ways = differences(_within((12,)).with_any_aces(()))
    mean = Fraction(sum(total * int(way) for total, way in enumerate(ways)), HANDS)
    assert sum(ways) == HANDS
    assert float(mean) == pytest.approx(38.05145, abs=5e-6)


def test_gk_3_1_ruffs_of_hands_with_four_aces_are_taken_away() -> None:
    within = _within((12,))
    aces = within.with_all_aces(0, ())
    assert aces[-1] == comb(40, 8)
    ways = differences(within.with_any_aces(()) - aces)[list(TOTALS)]
    assert ways.tolist() == of("ruff").ways["hand"][:-1].tolist()


def test_gk_4_1_worked_mournivals() -> None:
    sets = of("sets")
    for rank in "AKQJ":
        none, three, four = sets.ways[rank].tolist()
        assert (three, four) == (4 * comb(40, 9), comb(40, 8))
        assert none == HANDS - three - four
        assert four / HANDS == pytest.approx(0.00364638, abs=5e-9)
    no_mournival = gleek.joint_set_counts(GLEEK)[:2, :2, :2, :2].sum()
    assert 1 - int(no_mournival) / HANDS == pytest.approx(0.01456877, abs=5e-9)
    # Inclusion and exclusion over the ranks.
    some = sum((-1) ** (n + 1) * comb(4, n) * comb(44 - 4 * n, 12 - 4 * n) for n in (1, 2, 3))
    assert HANDS - int(no_mournival) == some


def test_gk_4_1_worked_mean_income() -> None:
    labels = [label for (label,) in INCOME.labels if isinstance(label, int)]
    ways = of("sets").ways["income"].tolist()
    income = sum(chips * way for chips, way in zip(labels, ways, strict=True))
    assert Fraction(income, HANDS) == Fraction(7300, 12341)
    assert ways[-1] == 1  # 18: the mournivals of aces, kings and queens are twelve cards


def test_gk_4_1_mean_number_of_sets() -> None:
    ways = of("sets").ways["number"].tolist()
    mean = sum(number * way for number, way in enumerate(ways))
    assert mean == 4 * (4 * comb(40, 9) + comb(40, 8))
    assert ways[4] == 4**4  # four gleeks are twelve cards


def test_gk_3_1_aces_are_hypergeometric() -> None:
    ways = of("aces").ways["hand"].tolist()
    assert ways == [comb(4, held) * comb(40, 12 - held) for held in range(5)]
    assert ways[4] == of("ruff").ways["hand"][-1] == of("sets").ways["A"][2]


def test_gk_5_3_trump_honours() -> None:
    honours = of("honours")
    turnup = [Fraction(int(way), honours.total) for way in honours.ways["turnup"]]
    assert turnup == [Fraction(7, 11), *[Fraction(1, 11)] * 4]
    for part, cards in (("hand", 12), ("stock", 7)):
        ways = honours.ways[part]
        for rank in "AKQJ":
            held = sum(
                int(way)
                for (_, text), way in zip(HONOURS.labels, ways, strict=True)
                if rank in str(text).split()
            )
            assert Fraction(held, honours.total) == Fraction(10, 11) * Fraction(cards, 43)
        by_number = Counter[int]()
        for (number, _), way in zip(HONOURS.labels, ways, strict=True):
            by_number[int(str(number))] += int(way)
        # All four in one place: not one of them is turned up, then cards among 43.
        all_four = Fraction(7, 11) * Fraction(comb(39, cards - 4), comb(43, cards))
        assert Fraction(by_number[4], honours.total) == all_four


# All of one hand ---------------------------------------------------------------------------------


def test_gk_3_1_gk_4_1_gk_5_3_all_of_one_hand_has_the_figures_as_margins() -> None:
    """Every hand stands there with each of 32 turn-ups."""
    basis = gleek.basis_counts(APART)
    assert basis.shape == HAND.shape
    assert basis.sum() == HANDS * 32
    for figure in ("ruff", "sets", "aces"):
        found = projected(FIGURES[figure].parts, HAND, basis, None)
        for part, ways in of(figure).ways.items():
            assert found.ways[part].tolist() == (ways * 32).tolist()
    in_hand = projected(FIGURES["honours"].parts[:1], HAND, basis, None)
    honours = of("honours")
    assert [Fraction(int(way), in_hand.total) for way in in_hand.ways["hand"]] == [
        Fraction(int(way), honours.total) for way in honours.ways["hand"]
    ]


@pytest.mark.parametrize(
    "dimensions",
    [
        Dimensions(2, (9, 10, 10, 10, 11), hand=4, players=1),
        Dimensions(3, (10, 10, 10, 11), hand=5, players=1),  # every card is an honour
        Dimensions(4, (10, 10, 10, 11), hand=6, players=2),  # four aces, and two gleeks
    ],
    ids=str,
)
def test_gk_3_1_gk_4_1_gk_5_3_all_of_one_hand_of_small_packs(dimensions: Dimensions) -> None:
    joint = gleek.joint_hand_counts(dimensions)
    expected = np.zeros_like(joint)
    suits = dimensions.suits
    pack = _pack(dimensions)
    for hand in combinations(pack, dimensions.hand):
        aces = referee.aces(hand)
        total = -1 if aces == suits else max(referee.suit_totals(hand).values())
        held = Counter(card.rank for card in hand)
        others = [held[rank] for rank in _ranks(dimensions)[-2:-5:-1]]
        for suit in "SHDC"[:suits]:
            left = sum(card.suit == suit and card not in hand for card in pack)
            bits = [referee.Card(rank, suit) in hand for rank in _ranks(dimensions)[-4:]]
            honours = sum(has << bit for bit, has in enumerate(bits))
            expected[(total, aces, *others, HONOUR_SETS.index(honours))] += left
    assert joint.tolist() == expected.tolist()


# Parts, totals, symmetries -----------------------------------------------------------------------


@BOTH
@pytest.mark.parametrize("figure", gleek.COUNTED)
def test_parts_are_those_the_figure_declares(figure: str, rules: Rules) -> None:
    result = of(figure, rules)
    assert list(FIGURES) == list(gleek.COUNTED)
    assert {part.name: part.shape for part in FIGURES[figure].parts} == {
        name: array.shape for name, array in result.ways.items()
    }
    for ways in result.ways.values():
        assert sum(int(way) for way in ways.flat) == result.total
        assert all(way >= 0 for way in ways.flat)
        assert ways.dtype == (np.int64 if result.total < 2**63 else np.object_)
        if ways.dtype == np.object_:
            assert {type(way) for way in ways.flat} == {int}


@pytest.mark.parametrize("figure", ["stock", "tricks", "", "Ruff"])
def test_other_figures_have_no_counts(figure: str) -> None:
    with pytest.raises(ValueError, match="best-ruff"):
        counts(figure, Rules())


@BOTH
def test_gk_1_3_totals_are_all_deals(rules: Rules) -> None:
    total = of("best-ruff", rules).total
    three_hands = HANDS * comb(32, 12) * comb(20, 12)
    # Any of the dealer's thirteen may be the turn-up, one of the eight that are left.
    assert total * (13 if rules.turnup_in_ruff else 1) == three_hands * (
        8 if rules.turnup_in_ruff else 1
    )


@BOTH
def test_gk_3_1_best_ruffs_of_four_aces(rules: Rules) -> None:
    """The hands of the other two do not matter."""
    result = of("best-ruff", rules)
    chance = Fraction(sum(comb(cards, 4) for cards in SIZES[rules]), comb(44, 4))
    assert Fraction(result.ways["points"][-1], result.total) == chance


@BOTH
def test_gk_3_4_best_ruff_of_ninety_is_a_whole_suit(rules: Rules) -> None:
    """A whole suit in one hand leaves him no four aces, but each of the others may have three.

    Two hands may have 90: inclusion and exclusion, over hands and over suits.
    """
    sizes = SIZES[rules]
    total = of("best-ruff", rules)
    expected = 0
    for seat in range(3):
        wanted = list(sizes)
        wanted[seat] -= 11
        expected += 4 * deals(33, wanted)
    for one, other in combinations(range(3), 2):
        wanted = list(sizes)
        wanted[one] -= 11
        wanted[other] -= 11
        expected -= 4 * 3 * deals(22, wanted)
    expected += 4 * 3 * 2 * deals(11, [size - 11 for size in sizes])
    assert total.ways["points"][RUFF.labels.index((90,))] == expected


def test_gk_3_4_ties_make_the_earlier_seats_win() -> None:
    """All hands being alike, a seat wins alone a third of the deals without a tie."""
    result = of("best-ruff")
    one, two, three = (int(way) for way in result.ways["tie"])
    assert one % 3 == two % 3 == 0
    alone, pair = one // 3, two // 3
    assert result.ways["winner"].tolist() == [alone + 2 * pair + three, alone + pair, alone]


def test_gk_3_1_the_turn_up_helps_the_dealer() -> None:
    apart, counted_in = of("best-ruff"), of("best-ruff", COUNTED_IN)
    before, after = (
        [Fraction(way, result.total) for way in result.ways["winner"]]
        for result in (apart, counted_in)
    )
    assert before[0] > before[1] > before[2]
    assert after[2] > after[0] > after[1]
    best = [
        np.array([Fraction(way, result.total) for way in result.ways["points"]]).cumsum()
        for result in (apart, counted_in)
    ]
    assert (best[1] <= best[0]).all()


def test_gk_3_4_worked_chances() -> None:
    """As first counted; a change of these is a change of the rules."""
    chances = [float(way) / of("best-ruff").total for way in of("best-ruff").ways["winner"]]
    assert chances == pytest.approx([0.354457151, 0.332566564, 0.312976284], abs=5e-10)
    tied = [float(way) / of("best-ruff").total for way in of("best-ruff").ways["tie"]]
    assert tied == pytest.approx([0.938928852, 0.058770841, 0.002300307], abs=5e-10)


# Small packs, dealt out completely ---------------------------------------------------------------

SMALL = [
    Dimensions(2, (4, 5, 10, 10, 11), hand=3, players=3),  # both aces in a hand, often
    Dimensions(3, (6, 9, 10, 11), hand=3, players=3),
    Dimensions(4, (10, 10, 11), hand=3, players=3),  # ties of two and three
    Dimensions(4, (9, 10, 11), hand=4, players=2),  # four aces in a hand
    Dimensions(4, (5, 6, 11), hand=3, players=2),  # four aces by the turn-up alone
]


@pytest.mark.parametrize("turnup_counts", [False, True])
@pytest.mark.parametrize("dimensions", SMALL, ids=str)
def test_gk_3_4_small_packs_dealt_out(dimensions: Dimensions, turnup_counts: bool) -> None:
    ruffs = _all_deals_judged(dimensions, turnup_counts)
    sizes = [dimensions.hand] * dimensions.players
    sizes[-1] += turnup_counts
    result = best_ruff_counts(tuple(sizes), dimensions)
    best = ruffs.max(axis=1)
    expected = {
        "points": np.bincount(best, minlength=sum(dimensions.points) + 2),
        "winner": np.bincount(ruffs.argmax(axis=1), minlength=dimensions.players),
        "tie": np.bincount((ruffs == best[:, None]).sum(axis=1) - 1, minlength=dimensions.players),
    }
    # Each of the dealer's cards may have been the turn-up.
    turnups = sizes[-1] if turnup_counts else 1
    for part, ways in expected.items():
        assert (result.ways[part] * turnups).tolist() == ways.tolist()


def _all_deals_judged(dimensions: Dimensions, turnup_counts: bool) -> NDArray[np.int64]:
    """The ruffs of every deal of a small pack, shape (deals, players).

    Totals, and one more than the most of them for all aces. With the turn-up, every card that is
    left is turned up once and added to the dealer's hand.
    """
    pack = _pack(dimensions)
    masks = [
        np.array([sum(1 << card for card in hand) for hand in combinations(range(len(pack)), size)])
        for size in (dimensions.hand, 1)
    ]
    dealt = [masks[0]]
    for _ in range(dimensions.players - 1):
        dealt = _dealt_further(dealt, masks[0])
    if turnup_counts:
        *hands, turnup = _dealt_further(dealt, masks[1])
        dealt = [*hands[:-1], hands[-1] | turnup]
    known = {int(mask) for held in dealt for mask in np.unique(held)}
    most = sum(dimensions.points)
    ruff_of = np.zeros(1 << len(pack), np.int64)
    for mask in known:
        hand = [card for bit, card in enumerate(pack) if mask >> bit & 1]
        all_aces = referee.aces(hand) == dimensions.suits
        ruff_of[mask] = most + 1 if all_aces else max(referee.suit_totals(hand).values())
    return np.column_stack([ruff_of[held] for held in dealt])


def _dealt_further(
    dealt: Sequence[NDArray[np.int64]], masks: NDArray[np.int64]
) -> list[NDArray[np.int64]]:
    """One more hand, or turn-up, in every way that is left."""
    taken = np.bitwise_or.reduce(dealt, axis=0)
    before, following = np.nonzero((taken[:, None] & masks) == 0)
    return [*(held[before] for held in dealt), masks[following]]


def _pack(dimensions: Dimensions) -> list[referee.Card]:
    """Cards of the referee's that count what the small pack's do."""
    ranks = _ranks(dimensions)
    return [referee.Card(rank, suit) for suit in "SHDC"[: dimensions.suits] for rank in ranks]


def _ranks(dimensions: Dimensions) -> list[str]:
    """Low to high; of the ranks that count ten as many as there are, up to K."""
    courts = iter(("10", "J", "Q", "K")[4 - dimensions.points.count(10) :])
    names = {11: "A"} | {pips: str(pips) for pips in range(4, 10)}
    return [names.get(points) or next(courts) for points in dimensions.points]


def test_gk_3_4_the_judge_of_small_packs_agrees_with_the_referee() -> None:
    """Of the full pack: the highest number first in seat order, all aces above any total."""
    rng = np.random.default_rng(34)
    for _ in range(2000):
        pack = [referee.PACK[card] for card in rng.permutation(44)]
        hands = [pack[12 * seat : 12 * seat + 12] for seat in range(3)]
        ruffs = [
            91 if referee.aces(hand) == 4 else max(referee.suit_totals(hand).values())
            for hand in hands
        ]
        winner, (four_aces, total), tied = referee.best_ruff(hands)
        assert ruffs.index(max(ruffs)) == winner
        assert ruffs.count(max(ruffs)) == tied
        assert max(ruffs) == (91 if four_aces else total)


@pytest.mark.parametrize("hand", [5, 7])
def test_gk_4_1_sets_and_aces_of_a_small_pack(hand: int) -> None:
    dimensions = Dimensions(4, (9, 10, 10, 10, 11), hand=hand, players=2)
    sets, aces = gleek.set_counts(dimensions), gleek.ace_counts(dimensions)
    pack = [referee.Card(rank, suit) for suit in "SHDC" for rank in ("9", "J", "Q", "K", "A")]
    expected = {part: np.zeros_like(ways) for part, ways in sets.ways.items()}
    expected_aces = np.zeros_like(aces.ways["hand"])
    for held in combinations(pack, hand):
        found = {rank: name for name, rank in referee.sets(held)}
        for rank in "AKQJ":
            expected[rank][("none", "gleek", "mournival").index(found.get(rank, "none"))] += 1
        expected["number"][len(found)] += 1
        expected["income"][referee.sets_income(held)] += 1
        expected_aces[referee.aces(held)] += 1
    for part, ways in sets.ways.items():
        assert ways.tolist() == expected[part].tolist()
    assert aces.ways["hand"].tolist() == expected_aces.tolist()


@pytest.mark.parametrize(
    "dimensions",
    [
        Dimensions(2, (9, 10, 10, 10, 11), hand=3, players=2),
        Dimensions(2, (10, 10, 10, 11), hand=2, players=2),  # every card is an honour
        Dimensions(3, (10, 10, 10, 11), hand=5, players=1),
    ],
    ids=str,
)
def test_gk_5_3_honours_of_small_packs(dimensions: Dimensions) -> None:
    result = gleek.honour_counts(dimensions)
    pack = set(_pack(dimensions))
    expected = {part: Counter[str]() for part in ("hand", "turnup", "stock")}
    for turnup in pack:
        for eldest in combinations(sorted(pack - {turnup}), dimensions.hand):
            for stock in combinations(sorted(pack - {turnup, *eldest}), dimensions.stock):
                places = {
                    "hand": referee.trump_honours(eldest, turnup.suit),
                    "turnup": referee.turnup_honours(turnup),
                    "stock": referee.stock_honours(stock, turnup),
                }
                for part, honours in places.items():
                    expected[part][" ".join(honours) or "none"] += 1
    for part, axis in (("hand", HONOURS), ("turnup", TURNUP), ("stock", HONOURS)):
        ways = result.ways[part].tolist()
        assert ways == [expected[part][str(labels[-1])] for labels in axis.labels]


# The full pack: polynomials multiplied by flint --------------------------------------------------

X = flint.fmpz_mpoly_ctx.get(["x0", "x1", "x2"])
ACE = 1 << 10
HOLDINGS = np.arange(1 << 11)
HELD = np.bitwise_count(HOLDINGS).astype(np.int64)
POINTS = np.array(
    [
        sum(referee.card_points(referee.Card(RANKS[bit], "S")) for bit in range(11) if h >> bit & 1)
        for h in range(1 << 11)
    ]
)


@cache
def _pairs() -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """All disjoint holdings of two hands in one suit, 3^11 pairs."""
    first, second = np.nonzero((HOLDINGS[:, None] & HOLDINGS) == 0)
    return first, second


def _third_hands(bound: int, with_ace: bool) -> NDArray[np.int64]:
    """How many holdings of each size within a bound are part of a mask, shape (2^11, 12)."""
    allowed = bound >= POINTS
    if with_ace:
        allowed &= (HOLDINGS & ACE) > 0
    ways = np.zeros((1 << 11, 12), np.int64)
    ways[HOLDINGS, HELD] = allowed
    for bit in range(11):  # sums over all parts of a mask, bit by bit
        having = HOLDINGS[HOLDINGS >> bit & 1 == 1]
        ways[having] += ways[having ^ 1 << bit]
    return ways


def _suit(bounds: tuple[int, ...], ace: int | None) -> flint.fmpz_mpoly:
    """A suit shared out, each hand within its bound, the ace with one hand or anywhere."""
    first, second = _pairs()
    kept = (POINTS[first] <= bounds[0]) & (POINTS[second] <= bounds[1])
    for seat, held in enumerate((first, second)):
        if ace == seat:
            kept &= (held & ACE) > 0
    first, second = first[kept], second[kept]
    third = _third_hands(bounds[2], ace == 2)[HOLDINGS[-1] ^ first ^ second]
    ways = np.zeros((12, 12, 12), np.int64)
    np.add.at(ways, (HELD[first], HELD[second]), third)
    powers = np.argwhere(ways)
    return X.from_dict({tuple(map(int, p)): int(ways[tuple(p)]) for p in powers})


def _dealt_within(bounds: tuple[int, ...], sizes: tuple[int, ...], aces: int | None) -> int:
    """The coefficient of the fourth power in which every hand is full."""
    suit = _suit(bounds, aces)
    half = (suit * suit).to_dict()
    missing = {p: tuple(n - k for n, k in zip(sizes, p, strict=True)) for p in half}
    return sum(int(ways) * int(half.get(missing[p], 0)) for p, ways in half.items())


@BOTH
def test_gk_3_1_and_3_4_deals_within_totals_by_flint(rules: Rules) -> None:
    sizes = SIZES[rules]
    within = _within(sizes)
    for total, below in ((30, ()), (41, (0,)), (37, (2,)), (45, (1, 2)), (52, (0, 1))):
        bounds = tuple(total - (seat in below) for seat in range(3))
        any_aces = _dealt_within(bounds, sizes, None)
        all_aces = [_dealt_within(bounds, sizes, seat) for seat in range(3)]
        assert within.with_any_aces(below)[total] == any_aces
        assert [within.with_all_aces(seat, below)[total] for seat in range(3)] == all_aces
        assert within.counts(below)[total] == any_aces - sum(all_aces)


# Simulated against exact -------------------------------------------------------------------------

DEALS = 1 << 20
#: One tail of the normal beyond five sigma.
FIVE_SIGMA_TAIL = 2.9e-7


def _tail(counted: NDArray[np.int64], ways: NDArray[np.object_], total: int) -> float:
    """The smallest binomial tail of all cells: how far the most surprising count is out."""
    chances = np.array([int(way) / total for way in ways.flat])
    at_most = binom.cdf(counted.ravel(), DEALS, chances)
    at_least = binom.sf(counted.ravel() - 1, DEALS, chances)
    return float(np.minimum(at_most, at_least).min())


@pytest.mark.compiled
@BOTH
@pytest.mark.parametrize("figure", gleek.COUNTED)
def test_simulated_deals_are_as_counted(figure: str, rules: Rules) -> None:
    """Some 460 cells over all figures and rules, two tails each: a false alarm in 4 000 seeds."""
    tally = FIGURES[figure].split(tally_block(FIGURES[figure], rules, 2024, 0, 0, DEALS))
    exact = of(figure, rules)
    for part, counted in tally.items():
        assert counted.sum() == DEALS
        assert _tail(counted, exact.ways[part], exact.total) > FIVE_SIGMA_TAIL, part


@pytest.mark.compiled
@pytest.mark.parametrize(
    "where", ["gleek(A) or honours>=3", "ruff>=45 and not sets", "aces>2", "kings>2 or jacks=0"]
)
def test_simulated_deals_under_a_condition_are_as_counted(where: str) -> None:
    """Four conditions, some 110 cells each: a false alarm in 4 000 seeds."""
    holds = compiled(where, HAND)
    basis = gleek.basis_counts(APART)
    for name in ("ruff", "sets", "aces"):
        figure = FIGURES[name]
        counted = tally_block(figure, APART, 2025, 0, 0, DEALS, holds)
        exact = projected(figure.parts, HAND, basis, holds)
        # Of all deals, for the condition's own chance is tested with it.
        for part, tally in figure.split(counted).items():
            assert _tail(tally, exact.ways[part], int(basis.sum())) > FIVE_SIGMA_TAIL
        aside = np.array([counted[-1] // len(figure.parts)])
        rest = np.array([int(basis.sum()) - exact.total], np.object_)
        assert _tail(aside, rest, int(basis.sum())) > FIVE_SIGMA_TAIL


@pytest.mark.compiled
def test_simulated_deals_of_other_rules_are_caught() -> None:
    """Negative controls: the turn-up counted, or thirteen cards, where they are not meant."""
    best = FIGURES["best-ruff"]
    for rules, other in ((APART, COUNTED_IN), (COUNTED_IN, APART)):
        tally = best.split(tally_block(best, rules, 2024, 0, 0, DEALS))
        exact = of("best-ruff", other)
        for part in ("points", "winner"):  # ties are nearly as frequent
            assert _tail(tally[part], exact.ways[part], exact.total) < FIVE_SIGMA_TAIL
    dealer = Figure("dealer", "The dealer's ruff", (Part("hand", (RUFFS[2],)),))
    counted = tally_block(dealer, COUNTED_IN, 2024, 0, 0, DEALS)[:-1]
    assert _tail(counted, of("ruff").ways["hand"], HANDS) < FIVE_SIGMA_TAIL
    counted = tally_block(dealer, APART, 2024, 0, 0, DEALS)[:-1]
    assert _tail(counted, of("ruff").ways["hand"], HANDS) > FIVE_SIGMA_TAIL
    thirteen = Dimensions(4, GLEEK.points, hand=13, players=3)
    aces = gleek.ace_counts(thirteen)
    counted = tally_block(FIGURES["aces"], APART, 2024, 0, 0, DEALS)[:-1]
    assert _tail(counted, aces.ways["hand"], aces.total) < FIVE_SIGMA_TAIL
