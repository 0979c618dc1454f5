"""Class tables of Gilten against other exact counts, and against small packs dealt out completely.

What the tables of whole deals count in another way (`analysis.exact.gilten`) must come out when a
class table is summed up; and the small packs are judged by the referee, class by class.
"""

from __future__ import annotations

from functools import cache
from itertools import combinations
from typing import NamedTuple, get_args

import numpy as np
import pytest
from numpy.typing import NDArray
from reference import gilten as referee

from analysis.exact.counting import Counts, deals
from analysis.exact.gilten import counts
from analysis.exact.gilten_classes import Dimensions, Figure, Tie
from analysis.exact.gilten_odds import class_table
from sims.gilten.figures import GLEICH, HANGER, NONE, OURS, STANDS, THEIRS, figures, holders
from sims.gilten.rules import Rules

FIGURES: tuple[Figure, ...] = get_args(Figure)
TIES: tuple[Tie, ...] = get_args(Tie)
TURNUPS = {4: 12, 2: 22}

under_all_rules = pytest.mark.parametrize(
    ("figure", "players", "tie"),
    [(figure, players, tie) for figure in FIGURES for players in (4, 2) for tie in TIES],
)


@cache
def odds(figure: Figure, players: int, tie: Tie) -> Counts:
    return counts(f"odds-{figure}", Rules(players=players, tie=tie))  # type: ignore[arg-type]


@cache
def team(figure: Figure, players: int, tie: Tie = "stands") -> Counts:
    return counts(f"team-{figure}", Rules(players=players, tie=tie))  # type: ignore[arg-type]


# Sums --------------------------------------------------------------------------------------------


@under_all_rules
def test_parts_are_those_the_figure_declares(figure: Figure, players: int, tie: Tie) -> None:
    declared = figures(Rules(players=players, tie=tie))[f"odds-{figure}"]  # type: ignore[arg-type]
    assert {part.name: part.shape for part in declared.parts} == {
        name: ways.shape for name, ways in odds(figure, players, tie).ways.items()
    }
    assert all(part.given == 1 for part in declared.parts)


@under_all_rules
def test_gn_3_5_over_all_classes_the_outcome_is_the_teams(
    figure: Figure, players: int, tie: Tie
) -> None:
    found, whole = odds(figure, players, tie), team(figure, players, tie)
    ours, theirs, stands, none = whole.ways["outcome"].tolist()
    assert found.total == whole.total
    for part, seats in holders(players, tie).items():
        expected = [theirs, ours, stands, none] if seats[0] % 2 else [ours, theirs, stands, none]
        assert found.ways[part].sum(axis=0).tolist() == expected


@under_all_rules
def test_gn_3_1_gn_3_2_over_all_outcomes_the_classes_are_those_of_a_hand_or_a_team(
    figure: Figure, players: int, tie: Tie
) -> None:
    turnups = TURNUPS[players] if tie == "trump_then_forehand" else 1
    hand = counts(figure, Rules()).ways["hand"].astype(object)
    of_hand = hand * deals(27, (5,) * (players - 1)) * turnups
    of_team = team(figure, players).ways["classes"].sum(axis=1).astype(object) * turnups
    for part, seats in holders(players, tie).items():
        expected = of_hand if len(seats) == 1 else of_team
        assert odds(figure, players, tie).ways[part].sum(axis=1).tolist() == expected.tolist()


@pytest.mark.parametrize(("players", "part"), [(4, "team"), (2, "hand")])
@pytest.mark.parametrize("figure", FIGURES)
def test_gn_3_5_what_a_team_knows_is_in_the_table_of_both_teams(
    figure: Figure, players: int, part: str
) -> None:
    classes = team(figure, players).ways["classes"]
    ways = odds(figure, players, "stands").ways[part]
    assert ways[:, OURS].tolist() == np.tril(classes, -1).sum(axis=1).tolist()
    assert ways[:, THEIRS].tolist() == np.triu(classes, 1).sum(axis=1).tolist()
    assert ways[1:, STANDS].tolist() == np.diagonal(classes)[1:].tolist()
    assert ways[0, NONE] == classes[0, 0]


@pytest.mark.parametrize("players", [4, 2])
@pytest.mark.parametrize("figure", FIGURES)
def test_gn_3_5_tie_options_share_out_what_stands_in_each_class(
    figure: Figure, players: int
) -> None:
    stands = odds(figure, players, "stands").ways
    for tie, turnups in (("forehand", 1), ("trump_then_forehand", TURNUPS[players])):
        for part, ways in odds(figure, players, tie).ways.items():
            free = stands[part.split()[0]].astype(object) * turnups
            shared = ways - free
            assert (shared[:, [OURS, THEIRS]] >= 0).all()
            assert (ways[:, STANDS] == 0).all()
            assert (shared[:, NONE] == 0).all()
            assert (shared.sum(axis=1) == 0).all()


def test_gn_3_5_of_two_players_forehand_wins_every_tie() -> None:
    for figure in FIGURES:
        stands = odds(figure, 2, "stands").ways["hand"]
        forehand = odds(figure, 2, "forehand").ways
        tied = stands[:, STANDS]
        assert (forehand["hand forehand"][:, OURS] == stands[:, OURS] + tied).all()
        assert (forehand["hand dealer"][:, OURS] == stands[:, OURS]).all()


def test_gn_3_1_best_and_least_that_can_be_held() -> None:
    gleich, hanger = (odds(figure, 4, "stands").ways for figure in FIGURES)
    four_aces, none = len(GLEICH) - 1, 0
    assert gleich["hand"][four_aces].tolist() == [28 * deals(27, (5, 5, 5)), 0, 0, 0]
    assert gleich["team"][four_aces, THEIRS] == gleich["team"][four_aces, STANDS] == 0
    # There are no two triplets of one rank, nor two quartets: from a triplet on, nothing is tied.
    for part in ("hand", "team"):
        assert (gleich[part][1:9, STANDS] > 0).all()
        assert (gleich[part][9:, STANDS] == 0).all()
    assert hanger["hand"][len(HANGER) - 1, THEIRS] == 0
    for ways in (gleich, hanger):
        assert ways["team"][none, OURS] == ways["team"][none, STANDS] == 0
        assert ways["hand"][none, OURS] > 0  # the partner may have one


# Small packs, dealt out completely ---------------------------------------------------------------

SMALL = [
    (Dimensions(2, 5, 2), 4),
    (Dimensions(3, 3, 2), 4),
    (Dimensions(4, 3, 2), 4),  # Gleiche can tie, and with them trumps of their rank
    (Dimensions(4, 3, 4), 2),  # a best Hanger in two suits of one hand
    (Dimensions(4, 4, 3), 2),
]


@pytest.mark.parametrize(("dimensions", "players"), SMALL, ids=str)
@pytest.mark.parametrize("figure", FIGURES)
def test_gn_3_5_small_packs_dealt_out(figure: Figure, dimensions: Dimensions, players: int) -> None:
    dealt = dealt_out(figure, dimensions, players)
    for tie in TIES:
        found = class_table(figure, players, tie, dimensions)
        who, times = scored(dealt, tie)
        for part, seats in holders(players, tie).items():
            held = dealt.classes[:, list(seats)].max(axis=1)
            seen = np.array([THEIRS, OURS, STANDS, NONE]) if seats[0] % 2 else np.arange(4)
            expected = np.zeros(found.ways[part].shape, np.int64)
            for outcomes, often in zip(who, times, strict=True):
                np.add.at(expected, (held, seen[outcomes]), often)
            assert found.ways[part].tolist() == expected.tolist()


class Dealt(NamedTuple):
    """All deals of a small pack.

    Attributes
    ----------
    classes : int64 array, shape (deals, players)
        What each hand holds.
    favoured : bool array, shape (suits, deals, players)
        Whether it holds it with that suit for trumps.
    left : int64 array, shape (suits, deals)
        How many cards of a suit nobody holds.
    """

    classes: NDArray[np.int64]
    favoured: NDArray[np.bool_]
    left: NDArray[np.int64]


def dealt_out(figure: Figure, dimensions: Dimensions, players: int) -> Dealt:
    suits = referee.SUITS[: dimensions.suits]
    ranks = referee.RANKS[: dimensions.ranks]
    pack = [referee.Card(rank, suit) for suit in suits for rank in ranks]
    hands = list(combinations(pack, dimensions.hand))
    masks = np.array([sum(1 << pack.index(card) for card in hand) for hand in hands])
    dealt, taken = np.arange(len(hands))[:, None], masks
    for _ in range(players - 1):
        before, following = np.nonzero((taken[:, None] & masks) == 0)
        dealt = np.column_stack([dealt[before], following])
        taken = taken[before] | masks[following]
    key, value = (
        (referee.gleich_key, referee.gleich)
        if figure == "gleich"
        else (referee.hanger_key, referee.hanger)
    )
    largest = min(dimensions.suits, dimensions.hand) if figure == "gleich" else dimensions.hand
    ladder = [(0, 0)] + [
        key((size, rank))
        for size in range(2, largest + 1)
        for rank in (ranks if figure == "gleich" else ranks[size - 1 :])
    ]
    classes = np.array([ladder.index(key(value(hand))) for hand in hands])
    favoured = [
        np.array([referee.figure_has_trump(hand, figure, suit) for hand in hands])[dealt]
        for suit in suits
    ]
    of_suit = [(1 << len(ranks)) - 1 << number * len(ranks) for number in range(len(suits))]
    left = [len(ranks) - np.bitwise_count(taken & cards).astype(np.int64) for cards in of_suit]
    return Dealt(classes[dealt], np.array(favoured), np.array(left))


def scored(dealt: Dealt, tie: Tie) -> tuple[list[NDArray[np.int64]], list[NDArray[np.int64]]]:
    """GN-3.5: who scores, and how often each deal counts, for each suit that may be trumps."""
    best = dealt.classes.max(axis=1)
    holds = dealt.classes == best[:, None]
    ours, theirs = holds[:, 0::2].any(axis=1), holds[:, 1::2].any(axis=1)
    if tie == "stands":
        who = np.where(ours & theirs, STANDS, np.where(ours, OURS, THEIRS))
        return [np.where(best == 0, NONE, who)], [np.ones_like(best)]
    if tie == "forehand":
        who = np.array([OURS, THEIRS])[holds.argmax(axis=1) % 2]
        return [np.where(best == 0, NONE, who)], [np.ones_like(best)]
    by_trumps = []
    for favoured in dealt.favoured:
        first = np.where((holds & favoured).any(axis=1)[:, None], holds & favoured, holds)
        who = np.array([OURS, THEIRS])[first.argmax(axis=1) % 2]
        # The option speaks only of what is tied between the teams.
        who = np.where(ours & theirs, who, np.where(ours, OURS, THEIRS))
        by_trumps.append(np.where(best == 0, NONE, who))
    return by_trumps, list(dealt.left)
