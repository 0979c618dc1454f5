"""What was played, as numbers with a name each: for grids that are read and frames for programs."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Literal, NamedTuple

from analysis import estimates, wording
from analysis.formats import Grid
from analysis.means import UNKNOWN, Estimate

if TYPE_CHECKING:
    import pandas as pd

#: How a number is written: an amount of points or chips, a difference with its sign, or a share of
#: what it is of.
Kind = Literal["amount", "difference", "share"]


class Measure(NamedTuple):
    """One number.

    Attributes
    ----------
    where : tuple of str
        What it is of: a value for each of the section's keys.
    what : str
        Its name; the heading of its column.
    kind : Kind
    of : int
        The units, deals or occasions that it comes from.
    estimate : Estimate
    """

    where: tuple[str, ...]
    what: str
    kind: Kind
    of: int
    estimate: Estimate


class Section(NamedTuple):
    """Measures that stand in one grid: `keys` name what the rows are of."""

    name: str
    keys: tuple[str, ...]
    measures: list[Measure]

    def grid(self) -> Grid:
        """A row for each value of the keys, a column for each kind of number."""
        columns = list(dict.fromkeys(measure.what for measure in self.measures))
        rows: dict[tuple[str, ...], dict[str, str]] = {}
        for measure in self.measures:
            rows.setdefault(measure.where, {})[measure.what] = text_of(measure)
        return Grid(
            [*self.keys, *columns],
            [[*where, *(row.get(column, "") for column in columns)] for where, row in rows.items()],
            len(self.keys),
        )


def text_of(measure: Measure) -> str:
    """A number as a reader wants it, with as many decimals as its interval makes sense of."""
    value, low, high = measure.estimate
    if math.isnan(value):
        return ""
    if measure.kind == "share":
        return wording.share(value, low, high)
    return wording.amount(value, low, high, signed=measure.kind == "difference")


def share(
    where: tuple[str, ...], what: str, count: int, of: int, level: float, copies: int = 1
) -> Measure:
    """How often something happened out of `of` occasions, with Wilson's interval.

    Occasions that come in groups of up to `copies`, as a deal that is played in several seatings,
    are counted as if those of a group always went alike, so that the interval is too wide rather
    than too narrow. With `copies` 0 nothing is known of the groups, and there is no interval.
    """
    if of == 0:
        return Measure(where, what, "share", 0, UNKNOWN)
    value = count / of
    if copies == 0:
        return Measure(where, what, "share", of, Estimate(value, math.nan, math.nan))
    groups = max(1, of // copies)
    low, high = estimates.interval([min(groups, round(count / copies))], groups, level)
    ends = min(value, float(low[0])), max(value, float(high[0]))
    return Measure(where, what, "share", of, Estimate(value, *ends))


def frame_of(sections: Iterable[Section]) -> pd.DataFrame:
    """All measures, a row each.

    Columns `section`, the keys of all sections (empty where a section has none of that name),
    `what`, `kind`, `of`, `estimate`, `low` and `high`.
    """
    import pandas as pd

    every = list(sections)
    keys = list(dict.fromkeys(key for section in every for key in section.keys))
    rows = [
        (
            section.name,
            *_spread(keys, section.keys, measure.where),
            measure.what,
            measure.kind,
            measure.of,
            *measure.estimate,
        )
        for section in every
        for measure in section.measures
    ]
    named = ["section", *keys, "what", "kind", "of", "estimate", "low", "high"]
    return pd.DataFrame(rows, columns=named)


def _spread(keys: Sequence[str], own: Sequence[str], where: Sequence[str]) -> list[str]:
    values = dict(zip(own, where, strict=True))
    return [values.get(key, "") for key in keys]
