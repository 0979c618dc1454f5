"""Exact counts of Giley against the clauses, closed forms and second ways of counting.

The second ways share no code with the counts: with two players all 217 567 350 pairs of hands are
gone through; small packs are dealt out completely and judged by the referee; with four and five
players python-flint multiplies polynomials built from the numbers of tens, sevens and aces.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import combinations, product
from math import comb, factorial, prod
from typing import Any, get_args

import flint
import numpy as np
import pytest
from numpy.typing import NDArray
from reference import giley as referee
from scipy.stats import binom

from analysis.exact import giley
from analysis.exact.counting import Counts, deals
from analysis.exact.giley import counts
from analysis.exact.giley_points import Dimensions, Tie
from sims import giley as game
from sims.cards import GILEY
from sims.dealing import subsets
from sims.giley.figures import POINTS
from sims.giley.rules import Rules
from sims.jit import COMPILED, kernel

TIES: tuple[Tie, ...] = get_args(Tie)
PLAYERS = (2, 3, 4, 5) if COMPILED else (2, 3)
HANDS = comb(28, 4)
RULES = [Rules(players=players, tie=tie) for players in PLAYERS for tie in TIES]  # type: ignore[arg-type]
CARDS = [referee.card(GILEY.text(bit)) for bit in range(28)]


def named(rules: Rules) -> str:
    return f"{rules.players}-{rules.tie}"


@cache
def counted(figure: str, rules: Rules) -> Counts:
    return counts(figure, rules)


def best(players: int, tie: Tie = "dealer") -> Counts:
    return counted("best", Rules(players=players, tie=tie))  # type: ignore[arg-type]


# One hand ----------------------------------------------------------------------------------------


def test_gy_4_1_two_cards_worked_counts() -> None:
    result = counts("two", Rules())
    worked = {21: 20, 20: 40, 18: 4, 17: 20, 11: 78, 10: 210, 7: 6}
    assert dict(zip(POINTS[:7], result.ways["hand"].tolist(), strict=True)) == worked
    assert result.total == comb(28, 2) == 378


def test_gy_4_1_four_cards_worked_counts() -> None:
    result = counts("four", Rules())
    worked = {41: 40, 40: 20, 38: 40, 37: 40, 31: 840, 30: 840, 28: 420, 27: 840, 21: 4_050}
    worked |= {20: 7_200, 18: 654, 17: 3_090, 11: 1_105, 10: 1_295, 7: 1}
    assert dict(zip(POINTS, result.ways["hand"].tolist(), strict=True)) == worked
    assert result.total == HANDS == 20_475


def test_gy_4_1_four_cards_closed_forms() -> None:
    """Each suit has five tens, an ace and a seven."""
    ways = counts("four", Rules()).ways["hand"]
    tens = [comb(5, n) for n in range(5)]
    four = [4 * tens[3], 4 * tens[2], 4 * tens[4], 4 * tens[3]]  # 37, 38, 40, 41
    three = [4 * 21 * n for n in (tens[2], tens[1], tens[3], tens[2])]  # 27, 28, 30, 31
    assert ways[7:].tolist() == three + four
    # One card of each suit: all sevens; no ace; an ace.
    assert ways[:3].tolist() == [1, 6**4 - 1, 7**4 - 6**4]


@pytest.mark.parametrize("rules", RULES, ids=named)
def test_gy_1_2_one_hand_depends_on_no_option(rules: Rules) -> None:
    for figure in ("two", "four"):
        assert counts(figure, rules).ways["hand"].tolist() == (
            counts(figure, Rules()).ways["hand"].tolist()
        )


def test_gy_2_2_two_cards_and_all_four_by_every_split() -> None:
    """Each hand of four is dealt in six ways as two cards and two more."""
    expected = np.zeros((7, 15), np.int64)
    for hand in combinations(CARDS, 4):
        four = POINTS.index(referee.points(hand))
        for first in combinations(hand, 2):
            expected[POINTS.index(referee.points(first)), four] += 1
    ways = giley.basis_counts(Rules())
    assert ways.dtype == np.int64
    assert ways.tolist() == expected.tolist()
    assert ways.shape == game.HAND.shape
    assert (ways.sum(axis=1) == counts("two", Rules()).ways["hand"] * comb(26, 2)).all()
    assert (ways.sum(axis=0) == counts("four", Rules()).ways["hand"] * comb(4, 2)).all()


# Parts, totals, symmetries -----------------------------------------------------------------------


@pytest.mark.parametrize("rules", RULES, ids=named)
def test_parts_are_those_the_figures_declare(rules: Rules) -> None:
    declared = game.figures(rules)
    assert tuple(declared) == giley.COUNTED
    for name, figure in declared.items():
        ways = counted(name, rules).ways
        shapes = {part.name: part.shape for part in figure.parts}
        assert shapes == {part: array.shape for part, array in ways.items()}


@pytest.mark.parametrize("figure", ["draw", "three", "", "Best"])
def test_other_figures_have_no_counts(figure: str) -> None:
    with pytest.raises(ValueError, match="two, four, best"):
        counts(figure, Rules())


@pytest.mark.parametrize("rules", RULES, ids=named)
def test_gy_2_2_totals_are_all_deals(rules: Rules) -> None:
    result = counted("best", rules)
    total = prod(comb(28 - 4 * seat, 4) for seat in range(rules.players))
    assert result.total == total
    for ways in result.ways.values():
        assert ways.dtype == np.int64
        assert (ways >= 0).all()
        assert int(ways.sum()) == total


def test_gy_2_2_five_hands_can_be_dealt_in_9_5e17_ways() -> None:
    assert deals(28, (4,) * 5) == factorial(28) // (factorial(4) ** 5 * factorial(8))
    assert deals(28, (4,) * 5) == 949_651_132_104_675_000 < 2**63


@pytest.mark.parametrize("players", PLAYERS)
def test_gy_4_2_points_and_ties_depend_on_no_tie_option(players: int) -> None:
    for tie in TIES:
        for part in ("points", "tie"):
            assert best(players, tie).ways[part].tolist() == best(players).ways[part].tolist()


@pytest.mark.parametrize("players", PLAYERS)
def test_gy_4_2_tie_options_share_out_the_tied_deals(players: int) -> None:
    split = best(players, "split").ways["winner"].tolist()
    tied = best(players).ways["tie"].tolist()
    assert split[:-1] == [tied[0] // players] * players
    assert split[-1] == sum(tied[1:])
    dealer, mano, suit = (best(players, tie).ways["winner"].tolist() for tie in TIES[:3])
    assert dealer == [*mano[1:], mano[0]]  # the dealer is preferred, the others move back one place
    assert mano == sorted(mano, reverse=True)
    assert mano[-1] == split[0]  # the last in order wins only alone
    assert suit == sorted(suit, reverse=True)
    assert suit[0] - suit[-1] < (mano[0] - mano[-1]) / 5  # suits leave few ties to the seats


@pytest.mark.parametrize("players", PLAYERS)
def test_gy_4_1_the_lowest_best_points(players: int) -> None:
    """7 takes all four sevens; 10 takes hands with a card of each suit and no ace."""
    one_of_each_suit = prod(6 - seat for seat in range(players)) ** 4
    assert best(players).ways["points"][:2].tolist() == [0, one_of_each_suit]


# Two players, the full pack: all pairs of hands --------------------------------------------------


@kernel
def _disjoint_pairs(hands: Any, start: Any, pairs: Any) -> None:
    """Count the pairs of hands without a common card by both codes.

    `hands` is sorted by code; those of code c begin at `start[c]`.
    """
    for code in range(len(start) - 1):
        for number in range(start[code], start[code + 1]):
            hand = hands[number]
            for other in range(len(start) - 1):
                found = 0
                for partner in range(start[other], start[other + 1]):
                    found += (hand & hands[partner]) == 0
                pairs[code, other] += found


@pytest.fixture(scope="module")
def pairs() -> NDArray[np.int64]:
    """All pairs of hands by points and counted suit of both, shape (15, 4, 15, 4)."""
    hands = subsets(28, 4, np.uint32)
    held = [_cards_of(hand) for hand in hands.tolist()]
    points = [POINTS.index(referee.points(hand)) for hand in held]
    suits = [referee.SUITS.index(referee.counted_suit(hand)) for hand in held]
    codes = 4 * np.array(points) + np.array(suits)
    order = np.argsort(codes)
    ways = np.zeros((60, 60), np.int64)
    _disjoint_pairs(hands[order], np.searchsorted(codes[order], np.arange(61)), ways)
    assert ways.sum() == HANDS * comb(24, 4) == 217_567_350
    return ways.reshape(15, 4, 15, 4)


def _cards_of(hand: int) -> list[referee.Card]:
    return [card for bit, card in enumerate(CARDS) if hand >> bit & 1]


@pytest.mark.compiled
def test_gy_4_2_two_players_by_all_pairs(pairs: NDArray[np.int64]) -> None:
    by_points = pairs.sum(axis=(1, 3))
    best_points = [
        int(by_points[t, : t + 1].sum() + by_points[:t, t].sum()) for t in range(len(POINTS))
    ]
    mano, dealer = int(np.tril(by_points, -1).sum()), int(np.triu(by_points, 1).sum())
    tied = int(np.trace(by_points))
    same_points = np.einsum("asat->st", pairs)  # tied: the suit of mano by that of the dealer
    higher, lower = int(np.triu(same_points, 1).sum()), int(np.tril(same_points, -1).sum())
    same_suit = int(np.trace(same_points))
    expected = {
        "dealer": [mano, dealer + tied],
        "mano_first": [mano + tied, dealer],
        "suit_rank": [mano + higher + same_suit, dealer + lower],
        "split": [mano, dealer, tied],
    }
    for tie in TIES:
        ways = best(2, tie).ways
        assert ways["points"].tolist() == best_points
        assert ways["tie"].tolist() == [mano + dealer, tied]
        assert ways["winner"].tolist() == expected[tie]


@pytest.mark.compiled
def test_gy_4_3_only_20_and_10_meet_in_one_suit(pairs: NDArray[np.int64]) -> None:
    level = np.einsum("asas->a", pairs)
    assert [POINTS[t] for t in np.flatnonzero(level)] == [10, 20]


# Small packs, dealt out completely ---------------------------------------------------------------

# The ranks of the pack, the number of suits, the cards of a hand, the players.
SMALL = [
    (("2", "7", "A"), 3, 2, 2),
    (("2", "7", "A"), 4, 4, 2),
    (("2", "3", "7", "A"), 3, 2, 3),
    (("2", "7", "A"), 4, 4, 3),
    (("2", "3", "7", "S"), 3, 4, 3),
    (("2", "3", "7", "S", "A"), 2, 3, 3),
    (("2", "3", "A"), 4, 2, 3),
    (("2", "3", "7", "A"), 3, 2, 4),
    (("2", "3", "S", "A"), 3, 3, 4),
    (("2", "3", "7", "S", "A"), 2, 2, 5),
]


@pytest.mark.parametrize(("ranks", "suits", "hand", "players"), SMALL)
def test_gy_4_2_small_packs_dealt_out(
    ranks: Sequence[str], suits: int, hand: int, players: int
) -> None:
    points, places = _all_deals(ranks, suits, hand, players)
    dimensions = Dimensions(suits, tuple(referee.CARD_POINTS[rank] for rank in ranks), hand)
    totals = np.unique([sum(t) for t in _suits_of_one_hand(dimensions.points, hand)])
    highest = points.max(axis=1)
    tied = (points == highest[:, None]).sum(axis=1)
    for tie in TIES:
        ways = giley.table_counts(players, tie, dimensions).ways
        assert ways["points"].tolist() == [int((highest == total).sum()) for total in totals]
        assert ways["tie"].tolist() == np.bincount(tied, minlength=players + 1)[1:].tolist()
        winner = _judge(points, places, tie)
        assert ways["winner"].tolist() == (
            np.bincount(winner, minlength=players + (tie == "split")).tolist()
        )


@pytest.mark.parametrize(("ranks", "suits", "hand", "players"), SMALL)
def test_gy_1_2_small_packs_one_hand(
    ranks: Sequence[str], suits: int, hand: int, players: int
) -> None:
    points, _ = _all_deals(ranks, suits, hand, 1)
    dimensions = Dimensions(suits, tuple(referee.CARD_POINTS[rank] for rank in ranks), hand)
    totals = np.unique([sum(t) for t in _suits_of_one_hand(dimensions.points, hand)])
    expected = [int((points == total).sum()) for total in totals]
    assert giley.hand_counts(dimensions).ways["hand"].tolist() == expected


def test_gy_4_2_the_judge_of_small_packs_agrees_with_the_referee() -> None:
    rng = np.random.default_rng(1)
    for players in PLAYERS:
        for _ in range(200):
            pack = [CARDS[card] for card in rng.permutation(28)]
            hands = [pack[4 * seat : 4 * seat + 4] for seat in range(players)]
            points, places = _points_and_places(hands)
            for tie in TIES:
                (judged,) = _judge(points[None], places[None], tie)
                shown: Any = referee.show(hands, tie)
                if tie == "split":
                    shown = shown[0] if len(shown) == 1 else players
                assert judged == shown


def _suits_of_one_hand(points: Sequence[int], hand: int) -> Iterator[tuple[int, ...]]:
    """All holdings of one suit, as the points of their cards."""
    for size in range(1, hand + 1):
        yield from combinations(points, size)


def _all_deals(
    ranks: Sequence[str], suits: int, hand: int, players: int
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Every deal of a small pack: points and place of the counted suit, (deals, players) each."""
    pack = [referee.Card(rank, suit) for suit in referee.SUITS[:suits] for rank in ranks]
    hands = list(combinations(pack, hand))
    masks = np.array([sum(1 << pack.index(card) for card in held) for held in hands])
    dealt = np.arange(len(hands))[:, None]
    taken = masks
    for _ in range(players - 1):
        before, following = np.nonzero((taken[:, None] & masks) == 0)
        dealt = np.column_stack([dealt[before], following])
        taken = taken[before] | masks[following]
    assert len(dealt) == deals(len(pack), (hand,) * players)
    points, places = _points_and_places(hands)
    return points[dealt], places[dealt]


def _points_and_places(
    hands: Sequence[Sequence[referee.Card]],
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    points = np.array([referee.points(hand) for hand in hands])
    places = np.array([referee.SUITS.index(referee.counted_suit(hand)) for hand in hands])
    return points, places


def _judge(points: NDArray[np.int64], places: NDArray[np.int64], tie: Tie) -> NDArray[np.int64]:
    """GY-4.2 for arrays of shape (deals, players): the winner's seat, or players for a share."""
    players = points.shape[1]
    tied = points == points.max(axis=1)[:, None]
    if tie == "suit_rank":
        place = np.where(tied, places, 4)
        tied = place == place.min(axis=1)[:, None]
    winner: NDArray[np.int64] = tied.argmax(axis=1)
    if tie == "dealer":
        winner = np.where(tied[:, -1], players - 1, winner)
    if tie == "split":
        winner = np.where(tied.sum(axis=1) > 1, players, winner)
    return winner


# Three, four and five players, the full pack: polynomials multiplied by flint ---------------------
#
# Hand s of n has the variable x^(9^s): after two suits its power is at most 8, so that one variable
# is enough. Of a product of two suits only powers up to 4 are kept.

Bounds = tuple[int, ...]  # the most points that each hand may have in a suit
BELOW = dict(zip(POINTS, (0, *POINTS), strict=False))  # the next lower total


class Suits:
    """Deals in which each hand keeps to a bound in each suit."""

    def __init__(self, players: int) -> None:
        self.players = players
        seats = range(players)
        tens = [k for k in product(range(5), repeat=players) if sum(k) <= 5]
        number, points, weight, power = [], [], [], []
        for ace, seven in product(range(players + 1), repeat=2):  # `players` stands for the stock
            for k in tens:
                cards = [k[s] + (s == ace) + (s == seven) for s in seats]
                if max(cards) <= 4:
                    number.append(cards)
                    points.append([10 * k[s] + 11 * (s == ace) + 7 * (s == seven) for s in seats])
                    weight.append(factorial(5) // prod(map(factorial, (*k, 5 - sum(k)))))
                    power.append(sum(cards[s] * 9**s for s in seats))
        self.points, self.weight = np.array(points), np.array(weight)
        self.power = np.array(power)
        kept = product(range(5), repeat=players)
        self.kept = [sum(k[s] * 9**s for s in seats) for k in kept]
        self.suits: dict[Bounds, flint.fmpz_poly] = {}
        self.halves: dict[tuple[Bounds, Bounds], list[int]] = {}

    def suit(self, bounds: Bounds) -> flint.fmpz_poly:
        if bounds not in self.suits:
            fits = (self.points <= np.array(bounds)).all(axis=1)
            ways = np.bincount(self.power[fits], self.weight[fits])
            self.suits[bounds] = flint.fmpz_poly(ways.astype(np.int64).tolist())
        return self.suits[bounds]

    def half(self, one: Bounds, other: Bounds) -> list[int]:
        """The product of two suits, by `kept`."""
        key = (min(one, other), max(one, other))
        if key not in self.halves:
            product_of_two = self.suit(one) * self.suit(other)
            self.halves[key] = [int(product_of_two[power]) for power in self.kept]
        return self.halves[key]

    def within(self, *suits: Bounds) -> int:
        """The number of deals in which every hand keeps to the bounds of all four suits."""
        left, right = self.half(suits[0], suits[1]), self.half(suits[2], suits[3])
        return sum(a * b for a, b in zip(left, reversed(right), strict=True))

    def stair(self, points: int, seats: Sequence[int]) -> Bounds:
        """Some seats below some points, the others at most there."""
        return tuple(BELOW[points] if s in seats else points for s in range(self.players))


@pytest.fixture(scope="module", params=PLAYERS[1:])
def suits(request: pytest.FixtureRequest) -> Suits:
    return Suits(request.param)


def test_gy_4_1_best_points_by_flint(suits: Suits) -> None:
    n = suits.players
    up_to = [suits.within(*[(points,) * n] * 4) for points in POINTS]
    assert best(n).ways["points"].cumsum().tolist() == up_to
    assert up_to[-1] == best(n).total


def test_gy_4_1_ties_by_flint(suits: Suits) -> None:
    """Exactly k given seats have the best points: by inclusion and exclusion over those k."""
    n = suits.players
    expected = [0] * n
    for points in POINTS:
        # Some j given seats may have these points, the others are below.
        may = [suits.within(*[suits.stair(points, range(j, n))] * 4) for j in range(n + 1)]
        for k in range(1, n + 1):
            exactly = sum((-1) ** (k - j) * comb(k, j) * may[j] for j in range(k + 1))
            expected[k - 1] += comb(n, k) * exactly
    assert best(n).ways["tie"].tolist() == expected


def test_gy_4_2_winners_by_flint(suits: Suits) -> None:
    n = suits.players
    dealer, mano_first, alone = [0] * n, [0] * n, [0] * n
    for points in POINTS:
        for seat in range(n):
            others = [s for s in range(n) if s != seat]
            before = range(seat) if seat < n - 1 else ()
            before_or_dealer = [*before, n - 1] if seat < n - 1 else []
            for by_seat, below in (
                (dealer, before_or_dealer),
                (mano_first, range(seat)),
                (alone, others),
            ):
                here = suits.within(*[suits.stair(points, below)] * 4)
                lower = suits.within(*[suits.stair(points, [*below, seat])] * 4)
                by_seat[seat] += here - lower
    assert best(n, "dealer").ways["winner"].tolist() == dealer
    assert best(n, "mano_first").ways["winner"].tolist() == mano_first
    assert best(n, "split").ways["winner"].tolist() == [*alone, best(n).total - sum(alone)]


def test_gy_4_3_winners_by_suit_by_flint(suits: Suits) -> None:
    """Seat s wins in suit u: nobody has as many points in higher suits, nor a lower seat in u."""
    n = suits.players
    expected = [0] * n
    for points in POINTS:
        below, level = suits.stair(points, range(n)), suits.stair(points, [])
        for suit in range(4):
            up_to = [
                suits.within(*[below] * suit, suits.stair(points, range(s)), *[level] * (3 - suit))
                for s in range(n + 1)
            ]
            for seat in range(n):
                expected[seat] += up_to[seat] - up_to[seat + 1]
    assert best(n, "suit_rank").ways["winner"].tolist() == expected


# Simulated deals ---------------------------------------------------------------------------------

DEALS = 1_000_000
#: One tail of a normal distribution beyond five sigma.
FIVE_SIGMA_TAIL = 2.87e-7


def beyond_five_sigma(found: NDArray[np.int64], ways: NDArray[Any], total: int) -> list[int]:
    """The classes whose count is as unlikely as five sigma or more, each by its binomial tails."""
    chance = np.array([int(w) / total for w in np.ravel(ways)])
    few = binom.cdf(np.ravel(found), DEALS, chance)
    many = binom.sf(np.ravel(found) - 1, DEALS, chance)
    return [int(c) for c in np.flatnonzero(np.minimum(few, many) < FIVE_SIGMA_TAIL)]


def tallied(figure: str, rules: Rules, seed: int) -> dict[str, NDArray[np.int64]]:
    declared = game.figures(rules)[figure]
    return declared.split(game.tally_block(declared, rules, seed, 0, 0, DEALS))


@pytest.mark.compiled
@pytest.mark.parametrize("rules", RULES, ids=named)
def test_gy_4_simulated_deals_are_within_five_sigma(rules: Rules) -> None:
    """Some 4 500 different cells: a false alarm about once in 400 choices of the seeds."""
    for figure in giley.COUNTED:
        exact = counted(figure, rules)
        for part, found in tallied(figure, rules, seed=rules.players).items():
            assert beyond_five_sigma(found, exact.ways[part], exact.total) == []


@pytest.mark.compiled
@pytest.mark.parametrize("players", PLAYERS)
def test_gy_4_2_another_tie_option_is_caught(players: int) -> None:
    """A negative control: the same comparison, of deals won under the wrong rule."""
    others: tuple[tuple[Tie, Tie], ...] = (("dealer", "mano_first"), ("mano_first", "suit_rank"))
    for tie, other in others:
        rules = Rules(players=players, tie=tie)  # type: ignore[arg-type]
        found = tallied("best", rules, seed=1)["winner"]
        exact = best(players, other)
        assert beyond_five_sigma(found, exact.ways["winner"], exact.total) != []


@pytest.mark.compiled
@pytest.mark.parametrize("biased", [False, True])
def test_gy_1_2_a_biased_shuffle_is_caught(biased: bool) -> None:
    """A negative control: a true shuffle passes, swapping each card with any card does not."""
    rng = np.random.default_rng(11)
    pack = np.tile(np.arange(28, dtype=np.uint8), (DEALS, 1))
    rows = np.arange(DEALS)
    for place in range(28 if biased else 4):
        other = rng.integers(0 if biased else place, 28, DEALS)
        pack[rows, place], pack[rows, other] = pack[rows, other], pack[rows, place]
    hands = np.bitwise_or.reduce(np.uint32(1) << pack[:, :4].astype(np.uint32), axis=1)
    all_hands = subsets(28, 4, np.uint32)
    points = [POINTS.index(referee.points(_cards_of(hand))) for hand in all_hands.tolist()]
    found = np.bincount(np.array(points)[np.searchsorted(all_hands, hands)], minlength=15)
    exact = counts("four", Rules())
    assert bool(beyond_five_sigma(found, exact.ways["hand"], exact.total)) == biased
