"""The chart of a part with given classes: for each of them the shares of what can follow.

Columns of equal height, cut by the chances of winning, standing or tying, and losing. Each share is
named in the widest place that it has, and all in a line below, from the foot of the columns up.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.ticker import FuncFormatter
from numpy.typing import NDArray

if TYPE_CHECKING:
    import pandas as pd

    from sims.figures import Part

#: From the foot up, and with each its colour: from what is won to what is lost, dark to light, so
#: that neighbours can be told in grey.
SHADES = {
    "ours": "#0072B2",
    "alone": "#0072B2",
    "tied, won": "#56B4E9",
    "tied": "#56B4E9",
    "stands": "#56B4E9",
    "none": "#FFFFFF",
    "tied, lost": "#F3C98B",
    "theirs": "#E3E3E3",
    "lost": "#E3E3E3",
}
_SIMULATED = "#E69F00"
_DARK = ("#0072B2",)
#: Of more columns than this none is parted from the next.
_PARTED = 40
#: Classes dealt less often than this have no interval worth drawing.
_DEALT = 10
#: A share is named inside its area where it is at least so high.
_NAMED = 0.12


def draw(rows: pd.DataFrame, part: Part, places: list[float], ax: Axes) -> str:
    """Draw the shares of each given class; returns the line that says what the shades mean.

    Parameters
    ----------
    rows : DataFrame
        The part's rows.
    part : Part
        With one reading given and one free.
    places : list of float
        Where each given class stands.
    ax : Axes
    """
    free = part.axes[part.given]
    exact = "exact" in rows
    chances = rows["exact" if exact else "estimate"].to_numpy(dtype=np.float64)
    shares = np.nan_to_num(chances.reshape(part.distributions, len(free)))
    names = [free.text(number) for number in range(len(free))]
    order = sorted(range(len(free)), key=lambda number: list(SHADES).index(names[number]))
    order = [number for number in order if shares[:, number].any()]
    foot = np.zeros(part.distributions)
    width = 0.92 if len(places) <= _PARTED else 1.0
    for number in order:
        shade = SHADES[names[number]]
        ax.bar(places, shares[:, number], width, foot, color=shade, linewidth=0)
        _name(names[number], shade, places, foot, shares[:, number], ax)
        foot = foot + shares[:, number]
    if exact and "count" in rows:
        _mark_simulated(rows, part, order[0], places, ax)
    ax.set_ylim(0, 1)
    ax.yaxis.set_major_formatter(FuncFormatter(lambda share, _: f"{100 * share:.0f} %"))
    return f"from the foot: {' / '.join(names[number] for number in order)}"


def _name(
    name: str,
    shade: str,
    places: list[float],
    foot: NDArray[np.float64],
    shares: NDArray[np.float64],
    ax: Axes,
) -> None:
    """Write a share's name in the middle of the widest stretch where it is high enough."""
    stretch = _longest_stretch(shares >= _NAMED, places)
    # A letter is about a hundredth of the columns' width.
    if len(stretch) < max(2, 0.011 * len(name) * len(places)):
        return
    middle = stretch[len(stretch) // 2]
    ax.text(
        places[middle],
        foot[middle] + shares[middle] / 2,
        name,
        ha="center",
        va="center",
        color="white" if shade in _DARK else "black",
        # Over the gaps between the columns as well.
        bbox={"facecolor": shade, "edgecolor": "none", "pad": 1},
    )


def _longest_stretch(holds: NDArray[np.bool_], places: list[float]) -> NDArray[np.int64]:
    """The numbers of the longest run of neighbouring places where something holds."""
    ends = np.diff(holds) | (np.diff(places) > 1)
    runs = np.split(np.arange(len(holds)), np.flatnonzero(ends) + 1)
    return max((run for run in runs if holds[run[0]]), key=len, default=np.arange(0))


def _mark_simulated(
    rows: pd.DataFrame, part: Part, number: int, places: list[float], ax: Axes
) -> None:
    """The intervals of the first share, drawn on its exact edge, of classes dealt often enough."""

    def ends(name: str) -> NDArray[Any]:
        return rows[name].to_numpy(dtype=np.float64).reshape(part.distributions, -1)[:, number]

    dealt = ends("deals") >= _DEALT
    ax.vlines(
        np.array(places)[dealt],
        ends("low")[dealt],
        ends("high")[dealt],
        color=_SIMULATED,
        linewidth=1.2,
        zorder=4,
    )
