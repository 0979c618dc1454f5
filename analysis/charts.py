"""Charts of tables, in one house style: exact values, and what was simulated around them.

A part with one axis is drawn as columns or, where its chances differ by more than a line of print
can show, as points on a logarithmic scale; "at least" as a curve of steps; an axis without order as
bars with their figures; a part with two axes as a map of shades or, where its first is given, as
the shares of each class. Colours are told apart by the colour-blind and in grey.
"""

from __future__ import annotations

import io
import textwrap
from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
from matplotlib import style
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.colors import LogNorm
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, LogLocator, MaxNLocator, NullFormatter
from numpy.typing import NDArray
from scipy.special import ndtri

from analysis import curves, stacks, wording
from analysis.errors import InputError
from analysis.settings import one_of
from analysis.tables import CONDITION, Table
from sims.figures import Axis, Part

#: Dark and light enough apart to be told in grey (Okabe and Ito's blue and orange).
EXACT, SIMULATED, MUTED = "#0072B2", "#E69F00", "#666666"

STYLE: Any = {
    "font.family": "DejaVu Sans",
    "font.size": 7,
    "axes.titlesize": 8,
    "axes.titleweight": "bold",
    "axes.titlelocation": "left",
    "axes.labelsize": 7,
    "axes.labelcolor": "#333333",
    "axes.edgecolor": "#999999",
    "axes.linewidth": 0.6,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "xtick.labelsize": 6.5,
    "ytick.labelsize": 6.5,
    "xtick.color": "#333333",
    "ytick.color": "#333333",
    "xtick.major.size": 0,
    "ytick.major.size": 2.5,
    "ytick.minor.size": 0,
    "grid.color": "#DDDDDD",
    "grid.linewidth": 0.5,
    "svg.hashsalt": "mournival",
    "savefig.dpi": 200,
}

#: The kinds of file there are, and what keeps the date out of them.
UNDATED: dict[str, Any] = {"svg": {"Date": None}, "pdf": {"CreationDate": None}, "png": None}

MILLIMETRES_PER_INCH = 25.4
PAGE_WIDTH = 150.0

#: Chances that differ by more than this are drawn on a logarithmic scale.
_LINEAR_RANGE = 30
#: An axis of so many classes, or one without order, is drawn as bars.
_FEW_CLASSES = 6
#: Of more classes than this only some are labelled.
_MANY_CLASSES = 30
#: Inches a class needs for its label in the usual size.
_ROOM_FOR_LABEL = 0.18
#: A map of at most this many cells has its figures written in.
_WRITTEN_CELLS = 36


def chart(table: Table, ax: Axes | None = None, part: str | None = None) -> Axes:
    """Draw one part of a table.

    Parameters
    ----------
    table : Table
    ax : Axes, optional
        Where to draw; by default new axes of a figure of pyplot's, which a notebook shows.
    part : str, optional
        By default the first part.

    Returns
    -------
    Axes

    Raises
    ------
    InputError
        The table has no such part, or one of three axes and more.
    """
    shown = _part_of(table, part)
    new = None
    if ax is None:
        # Outside the context: the first figure makes a notebook's backend interactive, which
        # leaving the context would undo.
        import matplotlib.pyplot as plt

        new = plt.figure(figsize=_inches(table, shown, PAGE_WIDTH), layout="tight")
    with style.context(["default", STYLE]):
        ax = new.add_subplot() if new is not None else ax
        assert ax is not None
        _draw(table, shown, ax)
    return ax


def drawn(
    table: Table, file_format: str, width: float = PAGE_WIDTH, part: str | None = None
) -> bytes:
    """A chart as a file's bytes; as `pictures`, for one kind of file."""
    return pictures(table, (file_format,), width, part)[file_format]


def pictures(
    table: Table, kinds: Sequence[str], width: float = PAGE_WIDTH, part: str | None = None
) -> dict[str, bytes]:
    """A chart as the bytes of files of several kinds, the same bytes each time.

    Parameters
    ----------
    table : Table
    kinds : sequence of {'svg', 'pdf', 'png'}
    width : float
        Millimetres.
    part : str, optional
        By default the first part.

    Raises
    ------
    InputError
        As `chart`.
    """
    shown = _part_of(table, part)
    for kind in kinds:
        one_of(kind, UNDATED, "chart format")
    # From matplotlib's defaults, so that nobody's own settings change a byte.
    with style.context(["default", STYLE]):
        figure = Figure(figsize=_inches(table, shown, width), layout="tight")
        FigureCanvasAgg(figure)
        chart(table, figure.add_subplot(), shown.name)
        return {kind: _saved(figure, kind) for kind in kinds}


def _saved(figure: Figure, kind: str) -> bytes:
    out = io.BytesIO()
    figure.savefig(out, format=kind, metadata=UNDATED[kind])
    return out.getvalue()


def calibration(scores: NDArray[np.float64], ax: Axes) -> None:
    """Draw all z of a report against what chance gives: on the line if all is well.

    `scores`, float64 (rows,), are in standard deviations.
    """
    found = np.sort(scores)
    awaited = ndtri((np.arange(len(found)) + 0.5) / len(found))
    end = 1.1 * max(np.abs(found).max(), np.abs(awaited).max())
    ax.plot([-end, end], [-end, end], color=MUTED, linewidth=0.8)
    ax.plot(awaited, found, ".", color=EXACT, markersize=3)
    ax.set_xlim(-end, end)
    ax.set_ylim(-end, end)
    ax.set_aspect("equal")
    ax.grid(True)
    ax.set_xlabel("z that chance gives")
    ax.set_ylabel("z found")
    ax.set_title(f"Simulated against exact: z of {wording.counted(len(found))} rows")


def calibration_pictures(scores: NDArray[np.float64], kinds: Sequence[str]) -> dict[str, bytes]:
    """`calibration` as the bytes of files of several kinds."""
    side = 100 / MILLIMETRES_PER_INCH
    with style.context(["default", STYLE]):
        figure = Figure(figsize=(side, side), layout="tight")
        FigureCanvasAgg(figure)
        calibration(scores, figure.add_subplot())
        return {kind: _saved(figure, kind) for kind in kinds}


def _part_of(table: Table, name: str | None) -> Part:
    """The part of a name, by default the figure's first."""
    shown = {part.name: part for part in table.parts}
    if name is None:
        return first_part_drawn(table.parts)
    return shown[one_of(name, shown, f"part of {table.figure.name}")]


def first_part_drawn(parts: tuple[Part, ...]) -> Part:
    """The part that is drawn where none is named: the figure's first.

    Raises
    ------
    InputError
        It has three axes and more.
    """
    first = next((part for part in parts if part is not CONDITION), CONDITION)
    if len(first.axes) > 2:
        raise InputError(f"a part of {len(first.axes)} axes has no chart: at most two")
    return first


def _inches(table: Table, part: Part, width: float) -> tuple[float, float]:
    """A figure's size: its height grows with what has to stand below each other."""
    if part.given:
        height = max(0.5 * width, 58)
    elif len(part.axes) == 2:
        rows = len(_rows_with_any(table.part(part.name), part)[0])
        height = max(0.3 * width, 22 + rows * (3.4 if part.cells > _WRITTEN_CELLS else 7))
    elif _few(part):
        height = 24 + 7 * len(part.axes[0])
    elif table.asked.at_least:
        height = max(0.55 * width, 60)  # the names on the curve need their lines
    else:
        height = 0.55 * width
    return width / MILLIMETRES_PER_INCH, height / MILLIMETRES_PER_INCH


def _few(part: Part) -> bool:
    """Whether a part's classes are bars, each with its chance written at its end."""
    (axis,) = part.axes
    return not axis.ordered or (len(axis.columns) == 1 and len(axis) <= _FEW_CLASSES)


def _draw(table: Table, part: Part, ax: Axes) -> None:
    rows = table.part(part.name)
    first, legend = part.axes[0], _legend(table, rows)
    if part.given:
        places, groups = _places(first)
        legend = f"{stacks.draw(rows, part, places, ax)}\n{legend}"
        _label_classes(first, places, groups, ax)
    elif len(part.axes) == 1 and table.asked.at_least and not _few(part):
        places, groups = _places(first)
        curves.draw(rows, first, places, ax)
        _dress(ax)
        _label_classes(first, places, groups, ax)
    elif len(part.axes) == 1:
        draw = _bars if _few(part) else _columns
        draw(table, rows, first, ax)
    elif len(part.axes) == 2:
        _shades(rows, part, ax)
    else:
        raise InputError(f"a part of {len(part.axes)} axes has no chart: at most two")
    several = len(table.figure.parts) > 1
    ax.set_title(_wrapped(f"{table.title}: {part.name}" if several else table.title, ax))
    if part.given or len(part.axes) == 1:
        grouped = len(first.columns) > 1 and (bool(part.given) or not _few(part))
        ax.annotate(
            legend,
            (0, 0),
            xycoords="axes fraction",
            xytext=(0, -32 if grouped else -20),
            textcoords="offset points",
            va="top",
            color=MUTED,
            fontsize=6,
        )


def _wrapped(title: str, ax: Axes) -> str:
    """The title in lines that fit the axes' figure."""
    return textwrap.fill(title, max(20, int(13 * _width(ax))))


def _width(ax: Axes) -> float:
    """The width of the axes' figure in inches."""
    figure = ax.get_figure(root=True)
    return float(figure.get_size_inches()[0]) if figure is not None else 6.0


def _legend(table: Table, rows: pd.DataFrame) -> str:
    """What the marks mean, in a line."""
    given = any(part.given for part in table.parts)
    dealt = int(rows["deals"].iloc[0]) if "deals" in rows and not given else table.asked.deals
    deals = f"{wording.counted(dealt)} deals"
    level = f"{100 * table.asked.level:.12g} % interval"
    exact = ("shares: exact" if given else "blue: exact") if "exact" in rows else ""
    simulated = f"orange: simulated, {level}, {deals}" if "count" in rows else ""
    return "; ".join(filter(None, (exact, simulated)))


def _chances(rows: pd.DataFrame) -> np.ndarray[Any, np.dtype[np.float64]]:
    """The exact chances, or where there are none the estimates."""
    return rows["exact" if "exact" in rows else "estimate"].to_numpy(dtype=np.float64)


def _columns(table: Table, rows: pd.DataFrame, axis: Axis, ax: Axes) -> None:
    """Columns or points by class, grouped by the first of several class columns."""
    chances = _chances(rows)
    some = chances[chances > 0]
    logarithmic = some.max() > _LINEAR_RANGE * some.min()
    places, groups = _places(axis)
    if "exact" in rows and not logarithmic:
        ax.bar(places, chances, width=0.8, color=EXACT, linewidth=0)
    elif "exact" in rows:
        ax.plot(places, _none_as_gap(chances), "o", markersize=3.2, color=EXACT, zorder=3)
    if "count" in rows:
        _interval_marks(places, rows, ax)
    if logarithmic:
        ax.set_yscale("log")
        ax.yaxis.set_major_locator(LogLocator(numticks=12))
        ax.yaxis.set_minor_formatter(NullFormatter())
        dealt = rows["estimate"].to_numpy(dtype=np.float64) if "count" in rows else some
        lowest = min(some.min(), dealt[dealt > 0].min(initial=1.0))
        ax.set_ylim(lowest / 2, min(1.5, some.max() * 3))
    else:
        ax.set_ylim(0, None)
    _dress(ax)
    _label_classes(axis, places, groups, ax)


def _dress(ax: Axes) -> None:
    """Per cent and lines across."""
    ax.yaxis.set_major_formatter(FuncFormatter(lambda chance, _: _tick(chance)))
    ax.yaxis.grid(True)
    ax.set_axisbelow(True)


def _label_classes(
    axis: Axis, places: list[float], groups: dict[str, tuple[float, float]], ax: Axes
) -> None:
    """What stands below the columns: each class, or some of many, and the names of groups."""
    labels = [_last_label(axis, number) for number in range(len(axis))]
    if len(axis.columns) == 1 and len(axis) > _MANY_CLASSES:
        # Round numbers, and what is no number at all.
        round_numbers = [label for label in labels if label.isdigit() and not int(label) % 5]
        words = [place for place, label in enumerate(labels) if not label.isdigit()]
        # A word takes about 0.4 inches to either side of its place.
        apart = max(6, 0.4 * len(axis) / _width(ax))
        labels = [
            label
            if place in words
            or (label in round_numbers and all(abs(place - word) > apart for word in words))
            else ""
            for place, label in enumerate(labels)
        ]
    ax.set_xticks(places, labels)
    if _width(ax) / sum(map(bool, labels)) < _ROOM_FOR_LABEL:
        ax.tick_params(axis="x", labelsize=5)
    ax.set_xlim(places[0] - 0.8, places[-1] + 0.8)
    for name, (first, last) in groups.items():
        ax.annotate(
            name,
            ((first + last) / 2, 0),
            xycoords=("data", "axes fraction"),
            xytext=(0, -16),
            textcoords="offset points",
            ha="center",
            va="top",
            fontweight="bold",
        )


def _interval_marks(places: list[float], rows: pd.DataFrame, ax: Axes) -> None:
    estimate = rows["estimate"].to_numpy(dtype=np.float64)
    below = estimate - rows["low"].to_numpy(dtype=np.float64)
    above = rows["high"].to_numpy(dtype=np.float64) - estimate
    ax.errorbar(
        places,
        _none_as_gap(estimate),
        yerr=[below, above],
        fmt="_" if "exact" in rows else "o",
        markersize=7 if "exact" in rows else 3.2,
        color=SIMULATED,
        elinewidth=1.1,
        zorder=4,
    )


def _none_as_gap(chances: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    return np.where(chances > 0, chances, np.nan)


def _places(axis: Axis) -> tuple[list[float], dict[str, tuple[float, float]]]:
    """Where each class stands, with a gap between groups; and each group's first and last place."""
    places: list[float] = []
    groups: dict[str, tuple[float, float]] = {}
    for labels in axis.labels:
        group = str(labels[0]) if len(axis.columns) > 1 else ""
        new = bool(places) and group not in groups
        place = places[-1] + (1.8 if new else 1.0) if places else 0.0
        places.append(place)
        groups[group] = (groups.get(group, (place, place))[0], place)
    groups.pop("", None)
    if len(axis.columns) > 1:
        groups = {
            f"{axis.columns[0]} {name}" if name.isdigit() else name: ends
            for name, ends in groups.items()
        }
    return places, groups


def _last_label(axis: Axis, number: int) -> str:
    label = axis.labels[number][-1]
    return "" if label is None else str(label)


def _tick(chance: float) -> str:
    """A chance at a tick: as many decimals as it needs, an exponent only where it is minute."""
    if 0 < chance < 1e-8:
        return f"{100 * chance:.0e} %"
    digits = f"{100 * chance:.12f}".rstrip("0").rstrip(".")
    return f"{digits} %" if digits != "0" else "0"


def _bars(table: Table, rows: pd.DataFrame, axis: Axis, ax: Axes) -> None:
    """Bars of an axis without order, each with its chance written at its end."""
    chances = _chances(rows)
    places = np.arange(len(axis))[::-1]
    ax.barh(places, chances, height=0.7, color=EXACT if "exact" in rows else SIMULATED)
    if "count" in rows and "exact" in rows:
        ends = rows[["low", "high"]].to_numpy(dtype=np.float64)
        for place, (low, high) in zip(places, ends, strict=True):
            ax.plot([low, high], [place, place], color=SIMULATED, linewidth=2.2, zorder=4)
        ax.plot(rows["estimate"], places, "|", color=SIMULATED, markersize=9, zorder=4)
    for place, chance in zip(places, chances, strict=True):
        ax.annotate(
            wording.percent(chance),
            (chance, place),
            xytext=(6, 0),
            textcoords="offset points",
            va="center",
        )
    ax.set_yticks(places, [axis.text(number) for number in range(len(axis))])
    ax.tick_params(axis="y", length=0)
    ax.set_xlim(0, max(chances) * 1.2)
    ax.xaxis.set_major_locator(MaxNLocator(5))
    ax.xaxis.set_major_formatter(FuncFormatter(lambda chance, _: _tick(chance)))
    ax.xaxis.grid(True)
    ax.set_axisbelow(True)


def _rows_with_any(
    rows: pd.DataFrame, part: Part
) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    """The classes of each axis that can happen at all."""
    chances = _chances(rows).reshape(part.shape)
    return np.flatnonzero(chances.any(axis=1)), np.flatnonzero(chances.any(axis=0))


def _shades(rows: pd.DataFrame, part: Part, ax: Axes) -> None:
    """A map of a joint distribution; white is what cannot happen, or was never dealt."""
    first, second = part.axes
    down, across = _rows_with_any(rows, part)
    chances = _chances(rows).reshape(part.shape)[np.ix_(down, across)]
    some = chances[chances > 0]
    image = ax.imshow(
        np.ma.masked_equal(chances, 0),
        cmap="cividis_r",
        norm=LogNorm(some.min(), max(some.max(), some.min() * 10)),
        aspect="auto",
    )
    ax.set_yticks(range(len(down)), [first.text(number) for number in down])
    ax.set_xticks(range(len(across)), [second.text(number) for number in across], rotation=90)
    ax.tick_params(axis="both", length=0)
    ax.set_ylabel(_heading(first))
    ax.set_xlabel(_heading(second))
    ax.spines[:].set_visible(False)
    if part.cells <= _WRITTEN_CELLS:
        ax.tick_params(axis="x", rotation=0)
        _write_cells(chances, some, ax)
    figure = ax.get_figure()
    if figure is not None:
        bar = figure.colorbar(image, ax=ax, fraction=0.04, pad=0.02)
        bar.ax.yaxis.set_major_formatter(FuncFormatter(lambda chance, _: _tick(chance)))
        bar.outline.set_visible(False)
        dealt = "exact" if "exact" in rows else f"{wording.counted(rows['deals'].iloc[0])} deals"
        bar.set_label(dealt)


def _write_cells(chances: np.ndarray[Any, Any], some: np.ndarray[Any, Any], ax: Axes) -> None:
    dark = np.sqrt(some.min() * some.max())
    for (row, column), chance in np.ndenumerate(chances):
        ax.text(
            column,
            row,
            wording.percent(chance),
            ha="center",
            va="center",
            color="white" if chance > dark else "black",
        )


def _heading(axis: Axis) -> str:
    return ", ".join(column.replace("_", " ") for column in axis.columns)
