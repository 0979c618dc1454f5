"""Exact counts of Gilten against the clauses, closed forms and second ways of counting.

The second ways share no code with the counts: small packs are dealt out completely and judged by
the referee; with two players all disjoint pairs of hands of the full pack are counted by inclusion
and exclusion; with four players python-flint multiplies polynomials built by walking up a suit.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from itertools import combinations, pairwise, product
from math import comb, factorial, prod
from typing import Any, get_args

import flint
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from reference import gilten as referee

from analysis.exact import counting, gilten
from analysis.exact.counting import Counts, Polynomials, count_deals, deals, share_out, subsets
from analysis.exact.gilten import counts
from analysis.exact.gilten_classes import GILTEN, Dimensions, Figure, Tie, classify
from sims.gilten.figures import GLEICH, HANGER, NONE, OURS, STANDS, THEIRS, figures
from sims.gilten.rules import Rules

TIES: tuple[Tie, ...] = get_args(Tie)
TEAM_FIGURES: tuple[Figure, ...] = get_args(Figure)
HANDS = comb(32, 5)
DEALS = {4: HANDS * comb(27, 5) * comb(22, 5) * comb(17, 5), 2: HANDS * comb(27, 5)}
TURNUPS = {4: 12, 2: 22}
RANKS = ("7", "8", "9", "10", "U", "O", "K", "A")


@cache
def team(figure: Figure, players: int = 4, tie: Tie = "stands") -> Counts:
    return counts(f"team-{figure}", Rules(players=players, tie=tie))  # type: ignore[arg-type]


# One hand ----------------------------------------------------------------------------------------


def test_gn_3_1_gleich_of_all_hands() -> None:
    ways = counts("gleich", Rules()).ways["hand"]
    none, pair, triplet, quartet = ways[0], ways[1:9], ways[9:17], ways[17:]
    assert [none, pair.sum(), triplet.sum(), quartet.sum()] == [57_344, 131_712, 12_096, 224]


def test_gn_3_1_gleich_closed_forms() -> None:
    ways = counts("gleich", Rules()).ways["hand"]
    one_of_each = comb(8, 5) * 4**5
    # With a best pair of rank r: three other ranks, or one card and a second pair below r.
    pairs = [comb(4, 2) * (comb(7, 3) * 4**3 + r * comb(4, 2) * 6 * 4) for r in range(8)]
    triplet = comb(4, 3) * comb(28, 2)  # the other two may be a pair, never a better Gleich
    assert ways.tolist() == [one_of_each, *pairs, *[triplet] * 8, *[28] * 8]


def test_gn_3_2_hanger_of_all_hands() -> None:
    ways = counts("hanger", Rules()).ways["hand"]
    lengths = [ways[0], ways[1:8].sum(), ways[8:14].sum(), ways[14:19].sum(), ways[19:].sum()]
    assert lengths == [106_224, 85_968, 8_640, 528, 16]


def test_gn_3_2_hanger_closed_forms() -> None:
    ways = counts("hanger", Rules()).ways["hand"]
    no_neighbours = [comb(9 - k, k) for k in range(5)] + [0]  # k of 8 in a row, none adjacent
    five_cards = [p for p in product(range(6), repeat=4) if sum(p) == 5]
    assert ways[0] == sum(prod(no_neighbours[k] for k in p) for p in five_cards)
    # Four in a row and a fifth card that does not prolong it; five in a row and none besides.
    at_an_edge, inside = 4 * (32 - 4 - 1), 4 * (32 - 4 - 2)
    assert ways[14:].tolist() == [at_an_edge, inside, inside, inside, at_an_edge, 4, 4, 4, 4]


def test_gn_3_4_both_figures_of_all_hands() -> None:
    ways = counts("gleich-hanger", Rules()).ways["hand"]
    assert ways.shape == (25, 23)
    assert ways[0, 0] == 28_560
    np.testing.assert_array_equal(ways.sum(axis=1), counts("gleich", Rules()).ways["hand"])
    np.testing.assert_array_equal(ways.sum(axis=0), counts("hanger", Rules()).ways["hand"])


def test_gn_3_4_a_card_serves_both_figures() -> None:
    assert _labels("7E 7L 7H 8E 9E") == (("triplet", "7"), ("3", "9"))


@pytest.mark.parametrize("seed", range(3))
def test_gn_3_1_gn_3_2_classes_are_the_referees(seed: int) -> None:
    rng = np.random.default_rng(seed)
    for _ in range(300):
        hand = [referee.PACK[card] for card in rng.choice(32, 5, replace=False)]
        gleich, hanger = referee.gleich(hand), referee.hanger(hand)
        size = {None: "none", 2: "pair", 3: "triplet", 4: "quartet"}[gleich and gleich[0]]
        length = str(hanger[0]) if hanger else "none"
        expected = ((size, gleich and gleich[1]), (length, hanger and hanger[1]))
        assert _labels(" ".join(card.rank + card.suit for card in hand)) == expected


def _labels(text: str) -> tuple[Any, Any]:
    mask = np.array([_mask(referee.cards(text), 8)], np.uint32)
    (gleich,) = classify("gleich", mask, GILTEN)
    (hanger,) = classify("hanger", mask, GILTEN)
    return GLEICH.labels[gleich], HANGER.labels[hanger]


def _mask(hand: Iterable[referee.Card], ranks: int) -> int:
    return sum(1 << "ELHS".index(c.suit) * ranks + RANKS.index(c.rank) for c in hand)


# Parts, totals, symmetries -----------------------------------------------------------------------


@pytest.mark.parametrize("figure", gilten.COUNTED)
def test_parts_are_those_the_figure_declares(figure: str) -> None:
    ways = counts(figure, Rules()).ways
    assert {part.name: part.shape for part in figures(Rules())[figure].parts} == {
        name: array.shape for name, array in ways.items()
    }


@pytest.mark.parametrize("figure", ["spiel", "team-spiel", "", "Gleich"])
def test_other_figures_have_no_counts(figure: str) -> None:
    with pytest.raises(ValueError, match="team-hanger"):
        counts(figure, Rules())


@pytest.mark.parametrize("tie", TIES)
@pytest.mark.parametrize("players", [4, 2])
@pytest.mark.parametrize("figure", TEAM_FIGURES)
def test_gn_1_3_totals_are_all_deals(figure: Figure, players: int, tie: Tie) -> None:
    result = team(figure, players, tie)
    total = DEALS[players] * (TURNUPS[players] if tie == "trump_then_forehand" else 1)
    assert result.total == total
    for ways in result.ways.values():
        assert sum(int(w) for w in ways.flat) == total
        assert all(w >= 0 for w in ways.flat)
        assert ways.dtype == (np.int64 if total < 2**63 else np.object_)
        if ways.dtype == np.object_:
            assert {type(w) for w in ways.flat} == {int}


@pytest.mark.parametrize("players", [4, 2])
@pytest.mark.parametrize("figure", TEAM_FIGURES)
def test_gn_3_5_tie_options_share_out_what_stands(figure: Figure, players: int) -> None:
    stands = team(figure, players).ways["outcome"].tolist()
    forehand = team(figure, players, "forehand").ways["outcome"].tolist()
    trump = team(figure, players, "trump_then_forehand").ways["outcome"].tolist()
    turnups = TURNUPS[players]
    assert stands[OURS] == stands[THEIRS]
    assert forehand[STANDS] == trump[STANDS] == 0
    assert forehand[NONE] == stands[NONE]
    assert trump[NONE] == turnups * stands[NONE]
    assert forehand[OURS] + forehand[THEIRS] == sum(stands[:NONE])
    assert trump[OURS] + trump[THEIRS] == turnups * sum(stands[:NONE])
    # Forehand's advantage is smaller where trumps go first.
    assert turnups * forehand[OURS] > trump[OURS] >= trump[THEIRS]
    assert trump[THEIRS] > turnups * forehand[THEIRS]


@pytest.mark.parametrize("tie", TIES)
@pytest.mark.parametrize("figure", TEAM_FIGURES)
def test_gn_3_5_classes_do_not_depend_on_the_tie_option(figure: Figure, tie: Tie) -> None:
    factor = TURNUPS[4] if tie == "trump_then_forehand" else 1
    expected = team(figure).ways["classes"].astype(object) * factor
    assert (team(figure, 4, tie).ways["classes"] == expected).all()


def test_gn_3_5_forehand_wins_three_of_four_tied_gleiche() -> None:
    # Only two hands can tie; of the four pairs of opponents only seats 1 and 2 are led by seat 1.
    stands = team("gleich").ways["outcome"].tolist()
    forehand = team("gleich", 4, "forehand").ways["outcome"].tolist()
    assert 4 * (forehand[OURS] - stands[OURS]) == 3 * stands[STANDS]


@pytest.mark.parametrize("figure", TEAM_FIGURES)
def test_gn_3_5_of_two_players_forehand_wins_every_tie(figure: Figure) -> None:
    stands = team(figure, 2).ways["outcome"].tolist()
    forehand = team(figure, 2, "forehand").ways["outcome"].tolist()
    assert forehand[OURS] == stands[OURS] + stands[STANDS]


def test_gn_3_5_gleiche_tie_in_pairs_only() -> None:
    ties = np.diagonal(team("gleich").ways["classes"])
    assert (ties[1:9] > 0).all()
    assert (ties[9:] == 0).all()


def test_gn_3_5_hanger_of_five_tie_in_two_suits() -> None:
    # U..A in one hand of each team: (A0 or A2) and (A1 or A3), by inclusion and exclusion.
    two_hands = 4 * 3 * deals(22, (5, 5))
    three_hands = 4 * 3 * 2 * deals(17, (5,))
    four_hands = 4 * 3 * 2 * 1
    both = team("hanger").ways["classes"][-1, -1]
    assert both == 4 * two_hands - 4 * three_hands + four_hands


# Small packs, dealt out completely ---------------------------------------------------------------

SMALL = [
    (Dimensions(2, 5, 2), 4),
    (Dimensions(3, 3, 2), 4),
    (Dimensions(4, 3, 2), 4),  # Gleiche can tie, and with them trumps of their rank
    (Dimensions(4, 3, 4), 2),  # a best Hanger in two suits of one hand
    (Dimensions(3, 5, 4), 2),
    (Dimensions(4, 4, 3), 2),
]


@pytest.mark.parametrize(("dimensions", "players"), SMALL, ids=str)
@pytest.mark.parametrize("figure", TEAM_FIGURES)
def test_gn_3_5_small_packs_dealt_out(figure: Figure, dimensions: Dimensions, players: int) -> None:
    outcomes, classes = _all_deals_judged(figure, dimensions, players)
    for tie in TIES:
        result = gilten.team_counts(figure, players, tie, dimensions)
        assert result.ways["outcome"].tolist() == outcomes[tie].tolist()
        turnups = dimensions.cards - players * dimensions.hand
        factor = turnups if tie == "trump_then_forehand" else 1
        assert result.ways["classes"].tolist() == (classes * factor).tolist()


@pytest.mark.parametrize("dimensions", [dimensions for dimensions, _ in SMALL], ids=str)
def test_gn_3_1_gn_3_2_small_packs_one_hand(dimensions: Dimensions) -> None:
    hands = _all_hands(dimensions)
    classes = {}
    for figure in TEAM_FIGURES:
        classes[figure] = _referee_classes(figure, hands, dimensions)
        ways = gilten.hand_counts(figure, dimensions).ways["hand"]
        assert ways.tolist() == np.bincount(classes[figure], minlength=ways.size).tolist()
    joint = gilten.joint_hand_counts(dimensions).ways["hand"]
    expected = np.zeros_like(joint)
    np.add.at(expected, (classes["gleich"], classes["hanger"]), 1)
    assert joint.tolist() == expected.tolist()


def test_gn_3_5_the_judge_of_small_packs_agrees_with_the_referee() -> None:
    rng = np.random.default_rng(1)
    names: Sequence[referee.Outcome] = ("ours", "theirs", "stands", "none")
    for _ in range(400):
        players = int(rng.choice([2, 4]))
        pack = [referee.PACK[card] for card in rng.permutation(32)]
        hands, turnup = [pack[5 * seat : 5 * seat + 5] for seat in range(players)], pack[-1]
        for figure in TEAM_FIGURES:
            classes = _referee_classes(figure, hands, GILTEN)[None]
            favoured = [referee.figure_has_trump(hand, figure, turnup.suit) for hand in hands]
            for tie in TIES:
                (judged,) = _judge(classes, np.array([favoured]), tie)
                assert names[judged] == referee.outcome(hands, turnup, figure, tie)


def _all_deals_judged(
    figure: Figure, dimensions: Dimensions, players: int
) -> tuple[dict[Tie, NDArray[np.int64]], NDArray[np.int64]]:
    """Every deal of a small pack: outcomes under each tie option, and the teams' best classes."""
    hands = _all_hands(dimensions)
    masks = np.array([_mask(hand, dimensions.ranks) for hand in hands])
    dealt = np.arange(len(hands))[:, None]
    taken = masks
    for _ in range(players - 1):
        before, following = np.nonzero((taken[:, None] & masks) == 0)
        dealt = np.column_stack([dealt[before], following])
        taken = taken[before] | masks[following]
    of_hand = _referee_classes(figure, hands, dimensions)
    classes = of_hand[dealt]
    nobody = np.zeros(classes.shape, np.bool_)
    outcomes = {tie: _count(_judge(classes, nobody, tie)) for tie in TIES}
    outcomes["trump_then_forehand"][:] = 0
    for suit in range(dimensions.suits):
        has_trump = [referee.figure_has_trump(hand, figure, "ELHS"[suit]) for hand in hands]
        judged = _judge(classes, np.array(has_trump)[dealt], "trump_then_forehand")
        trumps = (1 << dimensions.ranks) - 1 << suit * dimensions.ranks
        for held in range(dimensions.ranks):
            some_held = judged[np.bitwise_count(taken & trumps) == held]
            outcomes["trump_then_forehand"] += (dimensions.ranks - held) * _count(some_held)
    best = np.zeros((of_hand.max() + 1, of_hand.max() + 1), np.int64)
    np.add.at(best, (classes[:, 0::2].max(axis=1), classes[:, 1::2].max(axis=1)), 1)
    return outcomes, best


def _count(outcomes: NDArray[np.int64]) -> NDArray[np.int64]:
    return np.bincount(outcomes, minlength=4)


def _judge(classes: NDArray[np.int64], has_trump: NDArray[np.bool_], tie: Tie) -> NDArray[np.int64]:
    """GN-3.5 for arrays of shape (deals, players): who scores, by number."""
    ours, theirs = classes[:, 0::2].max(axis=1), classes[:, 1::2].max(axis=1)
    tied = classes == np.maximum(ours, theirs)[:, None]
    if tie == "trump_then_forehand":
        favoured = tied & has_trump
        tied = np.where(favoured.any(axis=1)[:, None], favoured, tied)
    first = np.array([OURS, THEIRS])[tied.argmax(axis=1) % 2]
    contested = np.full(len(classes), STANDS) if tie == "stands" else first
    outcome = np.where(ours > theirs, OURS, np.where(ours < theirs, THEIRS, contested))
    return np.where(np.maximum(ours, theirs) == 0, NONE, outcome)


def _all_hands(dimensions: Dimensions) -> list[tuple[referee.Card, ...]]:
    pack = [
        referee.Card(rank, suit)
        for suit in "ELHS"[: dimensions.suits]
        for rank in RANKS[: dimensions.ranks]
    ]
    return list(combinations(pack, dimensions.hand))


def _ladder(figure: Figure, dimensions: Dimensions) -> list[referee.Value | None]:
    """All classes of a figure in a pack, lowest first, in the referee's words."""
    ranks = RANKS[: dimensions.ranks]
    sizes = range(2, dimensions.hand + 1)
    if figure == "gleich":
        values = [(size, rank) for size in sizes if size <= dimensions.suits for rank in ranks]
    else:
        values = [(size, rank) for size in sizes for rank in ranks[size - 1 :]]
    return [None, *values]


def _referee_classes(
    figure: Figure, hands: Iterable[referee.Hand], dimensions: Dimensions
) -> NDArray[np.int64]:
    number = {value: number for number, value in enumerate(_ladder(figure, dimensions))}
    judge = referee.gleich if figure == "gleich" else referee.hanger
    return np.array([number[judge(hand)] for hand in hands])


# Two players, the full pack: disjoint pairs of hands by inclusion and exclusion ------------------


@pytest.mark.parametrize("figure", TEAM_FIGURES)
def test_gn_1_4_two_players_by_inclusion_and_exclusion(figure: Figure) -> None:
    hands = subsets(32, 5)
    classes = classify(figure, hands, GILTEN)
    size = int(classes.max()) + 1
    # Eichel are trumps: twice the class, and one more where the best figure is in trumps.
    if figure == "gleich":
        in_trumps = hands >> ((classes - 1) % 8).astype(np.uint32) & 1 == 1
    else:
        in_trumps = classify("hanger", hands & np.uint32(0xFF), GILTEN) == classes
    codes = np.where(classes > 0, 2 * classes + in_trumps, 0)
    trumps_held = np.bitwise_count(hands & 0xFF).astype(np.int64)
    pairs, with_trumps = _disjoint_pairs(hands, codes, trumps_held, 2 * size)

    by_class = pairs.reshape(size, 2, size, 2).sum(axis=(1, 3))
    assert team(figure, 2).ways["classes"].tolist() == by_class.tolist()
    # Each trump that neither hand holds can be turned up; four suits can be trumps.
    by_code = 4 * (8 * pairs - with_trumps - with_trumps.T)
    none = by_code[0, 0]
    expected = [np.tril(by_code).sum() - none, np.triu(by_code, 1).sum(), 0, none]
    assert team(figure, 2, "trump_then_forehand").ways["outcome"].tolist() == expected


def _disjoint_pairs(
    hands: NDArray[np.uint32], codes: NDArray[np.int64], weights: NDArray[np.int64], size: int
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Pairs of hands with no card in common, by both codes: number, and sum of the first's weight.

    The pairs with the cards of S in common, and perhaps more, number A[S, a] A[S, b], where
    A[S, a] is the number of hands of code a that contain S; they count with the sign of (-1)^|S|.
    """
    single = np.uint32(1) << np.arange(32, dtype=np.uint32)
    held = single[np.nonzero(hands[:, None] & single)[1].reshape(-1, 5)]
    number, weight = np.zeros((2, size, size), np.int64)
    for common in range(6):
        chosen = [held[:, list(c)].sum(axis=1) for c in combinations(range(5), common)]
        subset, row = np.unique(np.concatenate(chosen), return_inverse=True)
        cells = row * size + np.tile(codes, len(chosen))
        containing, weighted = (
            np.bincount(cells, np.tile(each, len(chosen)), subset.size * size)
            .astype(np.int64)
            .reshape(subset.size, size)
            for each in (np.ones_like(weights), weights)
        )
        number += (-1) ** common * np.einsum("sa,sb->ab", containing, containing)
        weight += (-1) ** common * np.einsum("sa,sb->ab", weighted, containing)
    return number, weight


# Four players, the full pack: polynomials multiplied by flint ------------------------------------

X = flint.fmpz_mpoly_ctx.get(["x0", "x1", "x2", "x3"])
ONE = X.constant(1)
OWNERS = [*X.gens(), ONE]  # the four hands and the stock


@pytest.mark.parametrize("figure", TEAM_FIGURES)
def test_gn_3_5_classes_by_flint(figure: Figure) -> None:
    classes = team(figure).ways["classes"]
    up_to = classes.astype(object).cumsum(axis=0).cumsum(axis=1)
    top = len(classes) - 1
    for x, y in [(0, 0), (0, top), (3, 3), (7, 1), (1, 7), (5, 12), (9, 9), (14, 20), (top, top)]:
        assert up_to[x, y] == _dealt_within(figure, (x, y, x, y))


def test_gn_3_5_forehand_and_trump_hanger_by_flint() -> None:
    """Seat s is first to hold class z if the seats before it are below z, the others at most z."""
    forehand, trump = [0, 0], [0, 0]
    for z in range(1, len(HANGER)):
        bounds = [(z - 1,) * s + (z,) * (4 - s) for s in range(5)]
        suits = [_suit(b) for b in bounds]
        two = [_cut(suit * suit) for suit in suits]
        dealt = [_full(pair, pair) for pair in two]
        # Eichel are trumps. Without a run of class z in trumps, all are below z there.
        no_trump_run = _times_stock(suits[4])
        plain = [
            _full(pair, _cut(suit * no_trump_run)) for pair, suit in zip(two, suits, strict=True)
        ]
        three_plain_suits = _cut(two[0] * suits[0])
        for seat in range(4):
            forehand[seat % 2] += dealt[seat] - dealt[seat + 1]
            below_but_seat = tuple(z if s == seat else z - 1 for s in range(4))
            trump_run = _times_stock(_suit(below_but_seat)) - no_trump_run
            trump[seat % 2] += _full(three_plain_suits, trump_run)
            trump[seat % 2] += plain[seat] - plain[seat + 1]
    assert team("hanger", 4, "forehand").ways["outcome"][:2].tolist() == forehand
    by_turnups = team("hanger", 4, "trump_then_forehand").ways["outcome"]
    assert by_turnups[:2].tolist() == [4 * ours for ours in trump]


@pytest.mark.parametrize(("figure", "held"), [("gleich", 21), ("hanger", 17)])
def test_gn_3_5_odds_of_the_second_player_by_flint(figure: Figure, held: int) -> None:
    """A quartet of Unters and a run of four up to the king; ties go to forehand, then to him."""

    def first_to_hold(most: int, best: int) -> list[int]:
        """By seat, the deals in which he holds the best, and seat 1 no more than `most`."""
        bounds = [[best - (before < seat) for before in range(4)] for seat in range(5)]
        dealt = [_dealt_within(figure, (a, min(b, most), c, d)) for a, b, c, d in bounds]
        return [here - further for here, further in pairwise(dealt)]

    top = len(GLEICH if figure == "gleich" else HANGER)
    expected = [0, 0]
    for best in range(held, top):
        for seat, (up_to, below) in enumerate(
            zip(first_to_hold(held, best), first_to_hold(held - 1, best), strict=True)
        ):
            expected[1 - seat % 2] += up_to - below
    found = counts(f"odds-{figure}", Rules(tie="forehand")).ways["hand second"][held].tolist()
    assert found == [*expected, 0, 0]


def _dealt_within(figure: Figure, bounds: tuple[int, ...]) -> int:
    if figure == "hanger":
        two_suits = _cut(_suit(bounds) * _suit(bounds))
        return _full(two_suits, two_suits)
    halves = []
    for ranks in (range(4), range(4, 8)):
        half = ONE
        for rank in ranks:
            half = _cut(half * _rank(rank, bounds))
        halves.append(half)
    return _full(*halves)


def _rank(rank: int, bounds: tuple[int, ...]) -> flint.fmpz_mpoly:
    """Four cards of a rank, no hand with more than its bound (a class) allows."""
    most = [max(n for n in range(5) if n < 2 or 8 * (n - 2) + rank + 1 <= b) for b in bounds]
    splits = product(*(range(m + 1) for m in most))
    return X.from_dict(
        {k: factorial(4) // prod(map(factorial, (*k, 4 - sum(k)))) for k in splits if sum(k) <= 4}
    )


@cache
def _suit(bounds: tuple[int, ...]) -> flint.fmpz_mpoly:
    """Eight cards of a suit dealt from the 7 up, no run above its owner's bound (a class).

    The state is the owner of the last card and the length of his run.
    """
    number = {(length, top): c for c, (length, top) in enumerate(_runs(), start=1)}
    states = {(4, 1): ONE}
    for card in range(8):
        following: dict[tuple[int, int], flint.fmpz_mpoly] = {}
        for (last, run), ways in states.items():
            for owner, x in enumerate(OWNERS):
                length = run + 1 if owner == last else 1
                if owner == 4:
                    state = (owner, 1)
                elif length > 5 or number.get((length, card), 0) > bounds[owner]:
                    continue
                else:
                    state = (owner, length)
                following[state] = following.get(state, 0 * ONE) + ways * x
        states = following
    return _cut(sum(states.values(), 0 * ONE))


def _runs() -> list[tuple[int, int]]:
    return [(length, top) for length in range(2, 6) for top in range(length - 1, 8)]


def _cut(polynomial: flint.fmpz_mpoly) -> flint.fmpz_mpoly:
    """Without the terms that give a hand more than five cards."""
    return X.from_dict({k: v for k, v in polynomial.to_dict().items() if max(k) <= 5})


def _times_stock(suit: flint.fmpz_mpoly) -> flint.fmpz_mpoly:
    """Each way once for every card of the suit that nobody holds."""
    return X.from_dict({k: v * (8 - sum(k)) for k, v in suit.to_dict().items()})


def _full(left: flint.fmpz_mpoly, right: flint.fmpz_mpoly) -> int:
    """The coefficient of the product in which every hand has five cards."""
    other = right.to_dict()
    terms = left.to_dict().items()
    return int(sum(v * other.get(tuple(5 - p for p in k), 0) for k, v in terms))


# The machinery -----------------------------------------------------------------------------------


@settings(max_examples=30, deadline=None)
@given(
    sizes=st.lists(st.integers(1, 6), min_size=1, max_size=4).map(tuple),
    seed=st.integers(0, 2**32 - 1),
)
def test_products_are_those_of_flint(sizes: tuple[int, ...], seed: int) -> None:
    rng = np.random.default_rng(seed)
    ring = flint.fmpz_mpoly_ctx.get([f"y{hand}" for hand in range(len(sizes))])
    powers = list(product(*(range(size + 1) for size in reversed(sizes))))  # hand 0 runs fastest
    left, right = (
        Polynomials(
            sizes,
            np.flatnonzero(kept := rng.random(len(powers)) < 0.7),
            rng.integers(0, 1 << 20, (int(kept.sum()), 3)),
        )
        for _ in range(2)
    )
    if left.terms.size and right.terms.size:
        result = counting.multiply(left, right)
        full = counting.coefficient(left, right)
        for lane in range(3):
            a, b, c = (
                {powers[t][::-1]: int(w) for t, w in zip(p.terms, p.ways[:, lane], strict=True)}
                for p in (left, right, result)
            )
            expected = (ring.from_dict(a) * ring.from_dict(b)).to_dict()
            fitting = {k: v for k, v in expected.items() if all(np.array(k) <= np.array(sizes))}
            assert {k: v for k, v in c.items() if v} == fitting
            assert full[lane] == expected.get(sizes, 0)


def test_seven_hands_are_the_most() -> None:
    group = share_out(4, (1,) * 7)
    everything = group.tally(np.zeros(group.term_of.size, np.int64), 1)
    assert count_deals([everything] * 2).tolist() == [factorial(8)]
    group = share_out(1, (1,) * 8)
    everything = group.tally(np.zeros(group.term_of.size, np.int64), 1)
    with pytest.raises(ValueError, match="at most 7 hands"):
        counting.multiply(everything, everything)


@pytest.mark.parametrize(
    ("cards", "sizes"),
    [(7, (4,) * 5), (11, (12,) * 3)],
    ids=["Giley, five hands", "Gleek"],
)
def test_all_deals_of_the_other_games(cards: int, sizes: tuple[int, ...]) -> None:
    shares = share_out(cards, sizes)
    suit = shares.tally(np.zeros(shares.term_of.size, np.int64), 1)
    left = 4 * cards - sum(sizes)
    ways = factorial(4 * cards) // prod(map(factorial, (*sizes, left)))
    assert count_deals([suit] * 4).tolist() == [ways] == [deals(4 * cards, sizes)]


def test_coefficients_pass_2_63_exactly() -> None:
    large = (1 << 40) - 1
    everything = np.arange(4)
    polynomial = Polynomials((3,), everything, np.full((4, 2), large))
    assert counting.coefficient(polynomial, polynomial).tolist() == [4 * large**2] * 2


def test_products_that_may_pass_2_63_are_refused() -> None:
    large = Polynomials((3,), np.arange(4), np.full((4, 1), 1 << 30))
    with pytest.raises(OverflowError):
        counting.multiply(large, large)
    huge = Polynomials((3,), np.array([0]), np.full((1, 1), 1 << 62))
    with pytest.raises(OverflowError):
        counting.coefficient(large, huge)


def test_polynomials_that_do_not_match_are_refused() -> None:
    ones = np.ones((2, 3), np.int64)
    polynomial = Polynomials((1,), np.arange(2), ones)
    with pytest.raises(ValueError, match="different hands"):
        counting.multiply(polynomial, Polynomials((2,), np.arange(2), ones))
    with pytest.raises(ValueError, match="lanes"):
        counting.coefficient(polynomial, Polynomials((1,), np.arange(2), ones[:, :2]))


def test_parts_that_miss_the_total_are_refused() -> None:
    with pytest.raises(ArithmeticError, match="hand"):
        Counts({"hand": np.array([1, 2])}, 4)


def test_differences_undo_sums() -> None:
    values = np.array([[3, 1, 4], [1, 5, 9]])
    sums = values.cumsum(axis=0).cumsum(axis=1)
    assert counting.differences(sums).tolist() == values.tolist()


@pytest.mark.parametrize(("cards", "size"), [(32, 5), (9, 4), (5, 5), (6, 0)])
def test_subsets_are_all_sets_once(cards: int, size: int) -> None:
    sets = subsets(cards, size)
    assert len(np.unique(sets)) == len(sets) == comb(cards, size)
    assert (np.bitwise_count(sets) == size).all()
    assert int(sets.max()) < 1 << cards
    assert (np.diff(sets.astype(np.int64)) > 0).all()  # colexicographic order is that of the masks
