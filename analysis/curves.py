"""The chart of "at least": how often a class or a better one is dealt, as a curve of steps.

The curve falls from all deals at the worst class to the rarest class at the right, where its height
says little. So it is named where it counts: where it falls below a half, a tenth, a hundredth and a
thousandth, or at the first class of each group. The room above the curve is free for that.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import NDArray

from analysis import wording

if TYPE_CHECKING:
    import pandas as pd

    from sims.figures import Axis

EXACT, SIMULATED, LEADER = "#0072B2", "#E69F00", "#999999"
#: Of a figure without groups those classes are named that are the last as frequent as this.
_NAMED_CHANCES = (0.5, 0.1, 0.01, 0.001)
#: Points from one name to the next, and what stands around the axes: title, labels and legend.
_LINE, _FRAME = 10.0, 65.0


def draw(rows: pd.DataFrame, axis: Axis, places: list[float], ax: Axes) -> None:
    """Draw the curve.

    Parameters
    ----------
    rows : DataFrame
        The part's rows, accumulated.
    axis : Axis
    places : list of float
        Where each class stands.
    ax : Axes
    """
    chances = rows["exact" if "exact" in rows else "estimate"].to_numpy(dtype=np.float64)
    colour = EXACT if "exact" in rows else SIMULATED
    ax.fill_between(places, chances, step="mid", color=colour, alpha=0.15, linewidth=0)
    ax.step(places, chances, where="mid", color=colour, linewidth=1.2, zorder=3)
    if "count" in rows:
        ax.vlines(places, rows["low"], rows["high"], color=SIMULATED, linewidth=1.1, zorder=4)
        size = min(3.0, 0.4 * _points(ax)[0] / len(places))
        ax.plot(places, rows["estimate"], "_", color=SIMULATED, markersize=size, zorder=4)
    ax.set_ylim(0, 1.05)
    _name_classes(_named(axis, chances), axis, chances, places, ax)


def _named(axis: Axis, chances: NDArray[np.float64]) -> list[int]:
    """The classes that are named on the curve, from the worst."""
    if len(axis.columns) > 1:
        groups = [labels[0] for labels in axis.labels]
        named = [groups.index(group) for group in dict.fromkeys(groups)]
    else:
        named = [int(np.flatnonzero(chances >= least).max(initial=0)) for least in _NAMED_CHANCES]
        named += [len(axis) - 1] * (not str(axis.labels[-1][0]).isdigit())
    return [number for number in dict.fromkeys(named) if 0 < chances[number] < 1]


def _name_classes(
    named: list[int],
    axis: Axis,
    chances: NDArray[np.float64],
    places: list[float],
    ax: Axes,
) -> None:
    """Each name above the last to its right, so that none stands on another."""
    above, line = 0.0, _LINE / _points(ax)[1]
    for number in reversed(named):
        above = max(float(chances[number]) + 0.4 * line, above + line)
        late = places[number] > places[0] + 0.6 * (places[-1] - places[0])
        ax.annotate(
            f"{_words(axis, number)}: {_how_often(float(chances[number]))}",
            (places[number], float(chances[number])),
            xytext=(places[-1] if late else places[number] + 0.02 * places[-1], above),
            ha="right" if late else "left",
            va="center",
            arrowprops={"arrowstyle": "-", "color": LEADER, "linewidth": 0.5, "shrinkB": 1},
            zorder=5,
        )


def _points(ax: Axes) -> tuple[float, float]:
    """About how wide and how high the axes are, in points."""
    figure = ax.get_figure(root=True)
    width, height = figure.get_size_inches() if figure is not None else (6.0, 4.0)
    return 72 * float(width) - 40, max(72 * float(height) - _FRAME, 40)


def _words(axis: Axis, number: int) -> str:
    """A class and all better ones: `41 or more`, `triplet or better`."""
    if number == len(axis) - 1:
        return axis.text(number)
    label = str(axis.labels[number][0])
    if len(axis.columns) > 1:
        return f"{axis.columns[0]} {label} or more" if label.isdigit() else f"{label} or better"
    return f"{label} or more"


def _how_often(chance: float) -> str:
    return f"{100 * chance:.1f} %" if chance >= 0.1 else wording.one_in(chance)
