"""The chart of a class table: the right shares in the right places."""

from __future__ import annotations

import numpy as np
import pytest
from matplotlib.figure import Figure

from analysis import table
from analysis.charts import chart, drawn
from sims.games import GAMES, game

FIGURES = [
    (name, figure.name, part.name)
    for name in GAMES
    for figure in game(name).figures(game(name).Rules()).values()
    for part in figure.parts
    if part.given
]


def test_every_game_has_a_class_table() -> None:
    assert {name for name, _, _ in FIGURES} == set(GAMES)


@pytest.mark.parametrize(("name", "figure", "part"), FIGURES)
def test_columns_are_the_chances_stacked(name: str, figure: str, part: str) -> None:
    made = table(name, figure, deals=0)
    ax = chart(made, Figure().add_subplot(), part)
    (shown,) = (known for known in made.parts if known.name == part)
    chances = np.nan_to_num(made.part(part)["exact"].to_numpy()).reshape(shown.distributions, -1)
    free = shown.axes[shown.given]
    drawn_shares = {}
    (legend,) = (text.get_text() for text in ax.texts if text.get_text().startswith("from the"))
    names = legend.splitlines()[0].removeprefix("from the foot: ").split(" / ")
    for bars, name_of_share in zip(ax.containers, names, strict=True):
        drawn_shares[name_of_share] = np.array([bar.get_height() for bar in bars])
    for number in range(len(free)):
        share = drawn_shares.get(free.text(number), np.zeros(shown.distributions))
        assert share == pytest.approx(chances[:, number])
    tops = [bar.get_y() + bar.get_height() for bar in ax.containers[-1]]
    possible = chances.sum(axis=1) > 0
    assert np.array(tops)[possible] == pytest.approx(1)


def test_what_is_won_stands_at_the_foot() -> None:
    ax = chart(table("gleek", "odds-ruff", deals=0), Figure().add_subplot(), "dealer")
    lowest = ax.containers[0]
    assert [bar.get_y() for bar in lowest] == [0] * 74
    assert lowest[-1].get_height() == 1  # GK-3.1: four aces beat every ruff
    assert lowest[0].get_height() == 0


def test_intervals_are_drawn_of_classes_dealt_often_enough() -> None:
    made = table("gilten", "odds-gleich", deals=5_000)
    ax = chart(made, Figure().add_subplot(), "hand")
    deals = made.part("hand")["deals"].to_numpy().reshape(25, 4)[:, 0]
    (marks,) = ax.collections
    assert len(marks.get_paths()) == (deals >= 10).sum() < 25


def test_the_same_bytes_each_time() -> None:
    made = table("giley", "odds-four", deals=1_000)
    assert drawn(made, "svg") == drawn(made, "svg")
