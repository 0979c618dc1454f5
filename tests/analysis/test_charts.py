"""Charts: the right numbers in the right places, the same bytes, and nothing left behind."""

from __future__ import annotations

import copy
import hashlib
import re
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
import pytest
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from analysis import studies, table
from analysis.charts import chart, drawn
from analysis.errors import InputError
from analysis.tables import Table

Mournival = Callable[..., tuple[int, str, str]]

MAGIC = {"svg": b"<?xml", "pdf": b"%PDF", "png": b"\x89PNG"}
POINTS_A_MILLIMETRE = 72 / 25.4

#: A map of many cells, one of none but one class, columns, bars; with and without exact counts.
CASES: dict[str, tuple[str, dict[str, Any]]] = {
    "one axis": ("gleich", {"deals": 100_000}),
    "at least": ("hanger", {"deals": 20_000, "at_least": True}),
    "map": ("gleich-hanger", {"deals": 500}),
    "bars": ("team-gleich", {"deals": 500}),
    "exact only": ("hanger", {"deals": 0}),
    "exact bars": ("team-hanger", {"deals": 0, "rules": {"tie": "forehand"}}),
    "simulated only": ("gleich", {"deals": 100_000}),
    "simulated bars": ("team-gleich", {"deals": 500}),
    "simulated map": ("gleich-hanger", {"deals": 500}),
    "one deal": ("gleich", {"deals": 1}),
    "one deal, simulated": ("gleich", {"deals": 1}),
    "one deal, map": ("gleich-hanger", {"deals": 1}),
    "one deal, simulated map": ("gleich-hanger", {"deals": 1}),
}
every_case = pytest.mark.parametrize("case", list(CASES))


@cache
def made(case: str) -> Table:
    figure, asked = CASES[case]
    with pytest.MonkeyPatch.context() as patch:
        if "simulated" in case:
            patch.setattr(studies, "exact_counts", lambda study: None)
        return table("gilten", figure, **asked)


@pytest.fixture(autouse=True)
def _nothing_left_behind() -> Iterator[None]:
    """No figure of pyplot's stays open, and no setting changes."""
    before = copy.deepcopy(dict(mpl.rcParams))
    opened = plt.get_fignums()
    yield
    assert plt.get_fignums() == opened
    assert dict(mpl.rcParams) == before


@pytest.fixture
def ax() -> Axes:
    return Figure(figsize=(6, 4)).add_subplot()


# Axes --------------------------------------------------------------------------------------------


@every_case
def test_a_chart_is_drawn_on_the_axes_given(ax: Axes, case: str) -> None:
    assert chart(made(case), ax) is ax
    assert ax.has_data()
    assert ax.get_title(loc="left") + ax.get_title() != ""


def test_without_axes_a_figure_is_made_for_the_notebook() -> None:
    drawn_on = made("one axis").chart()
    try:
        assert len(plt.get_fignums()) == 1
        assert drawn_on.get_figure() is plt.gcf()
    finally:
        plt.close(plt.gcf())


def test_two_charts_stand_side_by_side() -> None:
    left, right = Figure(figsize=(9, 4)).subplots(1, 2)
    made("one axis").chart(left)
    made("bars").chart(ax=right)
    assert left.has_data()
    assert right.has_data()


def test_the_title_says_figure_and_rules(ax: Axes) -> None:
    chart(made("exact bars"), ax)
    title = " ".join(ax.get_title(loc="left").split())
    assert title == f"{made('exact bars').title}: outcome"
    assert "tie forehand" in title


# What is drawn -----------------------------------------------------------------------------------


def points(ax: Axes) -> set[float]:
    """The heights of all points and columns."""
    heights = {float(y) for line in ax.lines for y in np.asarray(line.get_ydata(), dtype=float)}
    return heights | {patch.get_height() for patch in ax.patches}  # type: ignore[attr-defined]


@pytest.mark.parametrize("case", ["one axis", "exact only", "at least", "simulated only"])
def test_every_chance_of_one_axis_is_drawn(ax: Axes, case: str) -> None:
    rows = made(case).to_frame()
    chart(made(case), ax)
    heights = points(ax)
    for column in {"exact", "estimate"} & set(rows):
        assert {chance for chance in rows[column] if chance > 0} <= heights


def test_known_chances_are_drawn_over_their_classes(ax: Axes) -> None:
    chart(made("one axis"), ax)
    ranks = ["7", "8", "9", "10", "U", "O", "K", "A"]
    assert [label.get_text() for label in ax.get_xticklabels()] == ["", *ranks, *ranks, *ranks]
    places = [float(place) for place in ax.get_xticks()]
    assert places == sorted(places)
    exact = ax.lines[0]
    assert np.asarray(exact.get_xdata(), dtype=float).tolist() == places
    ways = np.asarray(exact.get_ydata(), dtype=float) * 201_376
    assert ways[[0, 8, 9, 24]] == pytest.approx([57_344, 19_488, 1_512, 28])


@pytest.mark.parametrize(
    ("name", "figure", "said"),
    [
        ("gleek", "ruff", {"four aces: 1 in 274", "37 or more: 54.0 %"}),
        ("giley", "four", {"41: 1 in 512", "20 or more: 70.0 %"}),
        ("gilten", "gleich", {"pair or better: 71.5 %", "quartet or better: 1 in 899"}),
        ("gilten", "hanger", {"length 2 or more: 47.3 %"}),
    ],
)
def test_at_least_is_a_falling_curve_named_where_it_counts(
    ax: Axes, name: str, figure: str, said: set[str]
) -> None:
    shown = table(name, figure, deals=20_000, at_least=True)
    chart(shown, ax)
    assert not ax.containers
    (curve,) = (line for line in ax.lines if line.get_drawstyle() == "steps-mid")
    heights = np.asarray(curve.get_ydata(), dtype=float)
    assert heights.tolist() == shown.part("hand")["exact"].tolist()
    assert heights[0] == 1
    assert (np.diff(heights) <= 0).all()
    assert said <= {text.get_text() for text in ax.texts}


def test_at_least_of_few_classes_is_bars(ax: Axes) -> None:
    shown = table("gleek", "aces", deals=0, at_least=True)
    chart(shown, ax)
    (bars,) = ax.containers
    assert [bar.get_width() for bar in bars] == shown.part("hand")["exact"].tolist()


@pytest.mark.parametrize("case", ["one axis", "at least", "simulated only"])
def test_every_point_lies_within_the_axes(ax: Axes, case: str) -> None:
    """A class dealt less often than its chance says is not cut off at the lower edge."""
    rows = made(case).to_frame()
    chart(made(case), ax)
    bottom, top = ax.get_ylim()
    left, right = ax.get_xlim()
    for column in {"exact", "estimate"} & set(rows):
        some = rows[column][rows[column] > 0]
        assert bottom < some.min()
        assert some.max() < top
    assert left < min(ax.get_xticks())
    assert max(ax.get_xticks()) < right


@pytest.mark.parametrize(("case", "column"), [("bars", "exact"), ("simulated bars", "estimate")])
def test_bars_are_as_long_as_their_chances(ax: Axes, case: str, column: str) -> None:
    rows = made(case).part("outcome")
    chart(made(case), ax)
    (bars,) = ax.containers
    widths = [bar.get_width() for bar in bars]
    assert widths == rows[column].tolist()
    assert [label.get_text() for label in ax.get_yticklabels()] == rows["outcome"].tolist()
    heights = [bar.get_y() for bar in bars]
    assert heights == sorted(heights, reverse=True)


def test_a_map_has_the_chances_that_can_be(ax: Axes) -> None:
    chart(made("map"), ax)
    (image,) = ax.images
    chances = made("map").to_frame()["exact"].to_numpy().reshape(25, 23)
    shown = image.get_array()
    assert isinstance(shown, np.ma.MaskedArray)
    # No quartet goes with five in a row, but every class of each can be: nothing is left out.
    np.testing.assert_array_equal(shown.filled(0), chances)
    assert shown.mask.sum() == (chances == 0).sum()


def test_under_a_condition_the_figure_is_drawn_and_its_deals_are_counted(ax: Axes) -> None:
    """Not how often the condition is fulfilled; and only the deals that fulfil it."""
    shown = table("gilten", "hanger", deals=5_000, where="gleich>=triplet")
    shown.chart(ax)
    assert "A" in [label.get_text() for label in ax.get_xticklabels()]
    deals = shown.part("hand")["deals"][0]
    assert 0 < deals < 1_000
    assert f"{deals:,} deals" in " ".join(text.get_text() for text in ax.texts)


def test_the_part_named_is_drawn(ax: Axes) -> None:
    assert chart(made("bars"), ax, part="classes") is ax
    assert len(ax.images) == 1


@pytest.mark.parametrize("part", ["outcomes", "hand"])
def test_a_part_that_is_none_is_refused(ax: Axes, part: str) -> None:
    with pytest.raises(InputError, match="outcome, classes"):
        chart(made("bars"), ax, part=part)
    with pytest.raises(InputError, match="outcome, classes"):
        drawn(made("bars"), "svg", part=part)


# Files -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("case", ["one axis", "map", "bars", "simulated only", "simulated bars"])
def test_a_chart_is_the_same_bytes_each_time(case: str) -> None:
    first = drawn(made(case), "svg")
    assert first.startswith(MAGIC["svg"])
    assert drawn(made(case), "svg") == first


@pytest.mark.parametrize("kind", ["pdf", "png"])
def test_pdf_and_png_are_the_same_bytes_each_time(kind: str) -> None:
    first = drawn(made("one axis"), kind)
    assert first.startswith(MAGIC[kind])
    assert drawn(made("one axis"), kind) == first


@pytest.mark.parametrize("kind", ["svg", "png"])
def test_the_readers_own_settings_change_no_byte(kind: str) -> None:
    """The report is the same whoever writes it, whatever stands in their matplotlibrc."""
    usual = drawn(made("bars"), kind)
    own: dict[Any, Any] = {
        "lines.linewidth": 5,
        "axes.facecolor": "red",
        "savefig.facecolor": "blue",
    }
    with mpl.rc_context({**own, "axes.titlepad": 20, "text.color": "green"}):
        assert _digest(drawn(made("bars"), kind)) == _digest(usual)


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def test_no_date_and_no_file_name_are_in_the_bytes() -> None:
    assert b"<dc:date>" not in drawn(made("bars"), "svg")
    assert b"CreationDate" not in drawn(made("bars"), "pdf")


@pytest.mark.parametrize("width", [84.0, 150.0, 1000.0])
def test_a_chart_is_as_wide_as_asked(width: float) -> None:
    found = re.search(rb'<svg[^>]* width="([\d.]+)pt"', drawn(made("bars"), "svg", width))
    assert found is not None
    assert float(found[1]) == pytest.approx(width * POINTS_A_MILLIMETRE, abs=0.01)


@every_case
def test_nothing_is_cut_off_in_a_column_of_print(case: str) -> None:
    """Where the labels leave no room for the axes, matplotlib warns; here that is an error."""
    drawn(made(case), "png", 84.0)


@pytest.mark.parametrize("case", ["one axis", "bars"])
def test_the_narrowest_width_allowed_is_wide_enough(
    mournival: Mournival, case: str, tmp_path: Any
) -> None:
    _, _, refusal = mournival("chart", "gilten", "gleich", "--width", "1mm")
    found = re.search(r"allowed are (\d+)mm", refusal)
    assert found is not None
    drawn(made(case), "png", float(found[1]))


def test_a_kind_of_file_that_is_none_is_refused() -> None:
    with pytest.raises(InputError, match="svg, pdf, png"):
        drawn(made("bars"), "bmp")
