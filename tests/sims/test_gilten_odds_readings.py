"""Gilten's class tables as simulated, against the referee, deal by deal."""

from __future__ import annotations

from typing import get_args

import msgspec
import numpy as np
import pytest
from numpy.typing import NDArray
from reference import gilten as referee

from sims import gilten
from sims.cards import GILTEN
from sims.figures import Axis
from sims.gilten.figures import GLEICH, HANGER, SEATS, holders
from sims.gilten.rules import TIES
from sims.jit import COMPILED

DEALS = 1_500 if COMPILED else 40
SEED, STREAM = 9, 0
FIGURES: tuple[referee.Figure, ...] = get_args(referee.Figure)
AXES = {"gleich": GLEICH, "hanger": HANGER}
SIZES = {2: "pair", 3: "triplet", 4: "quartet"}
OUTCOMES = ("ours", "theirs", "stands", "none")
MIRRORED = {"ours": "theirs", "theirs": "ours", "stands": "stands", "none": "none"}

under_all_rules = pytest.mark.parametrize(
    "rules",
    [
        msgspec.convert({"players": players, "tie": tie}, gilten.Rules)
        for players in (4, 2)
        for tie in TIES
    ],
    ids=lambda rules: f"{rules.players}-{rules.tie}",
)


def simulated(figure: referee.Figure, rules: gilten.Rules) -> dict[str, NDArray[np.int64]]:
    declared = gilten.figures(rules)[f"odds-{figure}"]
    return declared.split(gilten.tally_block(declared, rules, SEED, STREAM, 0, DEALS))


def judged(
    figure: referee.Figure, rules: gilten.Rules, parts: dict[str, tuple[int, ...]]
) -> dict[str, NDArray[np.int64]]:
    """By part, from the seats whose hands are known: their best class by the outcome they see."""
    axis = AXES[figure]
    found = {part: np.zeros((len(axis), 4), np.int64) for part in parts}
    for deal in gilten.deal_hands(rules, SEED, STREAM, 0, DEALS).T:
        *hands, (turnup,) = (referee.cards(" ".join(GILTEN.cards(int(mask)))) for mask in deal)
        outcome = referee.outcome(hands, turnup, figure, rules.tie)
        for part, seats in parts.items():
            best = referee.team_figure([hands[seat] for seat in seats], figure)
            seen = MIRRORED[outcome] if seats[0] % 2 else outcome
            found[part][class_of(axis, figure, best), OUTCOMES.index(seen)] += 1
    return found


def class_of(axis: Axis, figure: referee.Figure, best: referee.Value | None) -> int:
    if best is None:
        return axis.labels.index(("none", None))
    size = SIZES[best[0]] if figure == "gleich" else str(best[0])
    return axis.labels.index((size, best[1]))


@under_all_rules
@pytest.mark.parametrize("figure", FIGURES)
def test_gn_3_5_every_deal_is_judged_as_by_the_referee(
    figure: referee.Figure, rules: gilten.Rules
) -> None:
    found = simulated(figure, rules)
    expected = judged(figure, rules, holders(rules.players, rules.tie))
    assert set(found) == set(expected)
    for part, counts in found.items():
        assert counts.tolist() == expected[part].tolist()


def test_a_neighbours_hand_or_view_is_caught() -> None:
    """The control: what second holds and sees is not what the others do."""
    rules = gilten.Rules(tie="forehand")
    parts = holders(rules.players, rules.tie)
    for figure in FIGURES:
        found = simulated(figure, rules)["hand second"].tolist()
        for part, by_referee in judged(figure, rules, parts).items():
            assert (by_referee.tolist() == found) is (part == "hand second")


def test_gn_5_4_parts_are_named_after_who_knows_what() -> None:
    assert holders(4, "stands") == {"hand": (0,), "team": (0, 2)}
    assert holders(2, "stands") == {"hand": (0,)}
    for tie in ("forehand", "trump_then_forehand"):
        assert holders(4, tie) == {
            **{f"hand {name}": (seat,) for seat, name in enumerate(SEATS[4])},
            "team forehand": (0, 2),
            "team second": (1, 3),
        }
        assert holders(2, tie) == {"hand forehand": (0,), "hand dealer": (1,)}
