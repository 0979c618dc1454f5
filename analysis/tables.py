"""A figure's distribution as a table: exact beside simulated, one row a class."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from analysis import estimates
from analysis.columns import class_columns
from analysis.errors import InputError
from analysis.settings import check_level, one_of, rule_words, rules_told
from sims import __version__
from sims.figures import Axis, Figure, Part, Reading
from sims.runs import Run, Study

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

    from analysis.exact.counting import Counts
    from analysis.formats import Grid

#: Of a z score, decimals kept: what any processor agrees on, and far more than a reader needs.
Z_DECIMALS = 6


class Asked(msgspec.Struct, frozen=True):
    """How a study's numbers are to be shown.

    `deals` is 0 where nothing is simulated; `level` is a probability; `simultaneous` makes the
    intervals of all rows hold together (and Clopper and Pearson's); `at_least` accumulates from
    the best class down; `part` names the one part to be shown.
    """

    deals: int
    start: int = 0
    level: float = 0.95
    simultaneous: bool = False
    at_least: bool = False
    interval: str = "wilson"
    part: str | None = None

    def __post_init__(self) -> None:
        check_level(self.level)
        if self.interval not in estimates.METHODS:
            raise ValueError(f"interval {self.interval!r}: {' or '.join(estimates.METHODS)}")


@dataclass(frozen=True, eq=False, repr=False)
class Table:
    """One row a class of a figure.

    Attributes
    ----------
    study : Study
    figure : Figure
    asked : Asked
    numbers : dict of arrays, (rows,)
        The frame's columns from `ways` on; pandas is not imported before somebody wants a frame.
    """

    study: Study
    figure: Figure
    asked: Asked
    numbers: dict[str, NDArray[Any]]

    @cached_property
    def frame(self) -> pd.DataFrame:
        """The table as a DataFrame, one row a class, part after part.

        Columns `part`, the figure's class columns (ordered Categoricals), `ways`, `total`, `exact`
        (probability) where exact counts exist, and where deals were simulated `count`, `deals`,
        `estimate`, `low`, `high` (probabilities) and, beside exact counts, `z`.
        """
        import pandas as pd

        classes = {
            name: pd.Categorical(column.labels, categories=column.order, ordered=column.ordered)
            for name, column in class_columns(self.parts).items()
        }
        return pd.DataFrame({**classes, **self.numbers})

    def to_frame(self) -> pd.DataFrame:
        """A copy of the frame."""
        return self.frame.copy()

    def part(self, name: str) -> pd.DataFrame:
        """The rows of one part, without the columns that do not apply to it.

        Raises InputError where the table has no such part.
        """
        one_of(name, [part.name for part in self.parts], f"part of {self.figure.name}")
        rows = self.frame[self.frame["part"] == name]
        return rows.drop(columns="part").dropna(axis=1, how="all").reset_index(drop=True)

    def numbers_of(self, name: str) -> dict[str, NDArray[Any]]:
        """The rows of one part as arrays, without the class columns."""
        before = 0
        for part in self.parts:
            if part.name == name:
                break
            before += part.cells
        rows = slice(before, before + part.cells)
        return {column: values[rows] for column, values in self.numbers.items()}

    @property
    def parts(self) -> tuple[Part, ...]:
        """The figure's parts that this table shows."""
        return shown_parts(self.figure, self.asked)

    def chart(self, ax: Axes | None = None) -> Axes:
        """Draw the table's first part; returns the Axes."""
        from analysis.charts import chart

        return chart(self, ax)

    @property
    def title(self) -> str:
        """What the table shows and under which rules."""
        least = ", at least" if self.asked.at_least else ""
        least += f", where {self.study.where}" if self.study.where is not None else ""
        title = f"{self.study.game.capitalize()}: {self.figure.title}{least}"
        return title + rules_told(self.study.rules)

    @property
    def command(self) -> str:
        """The command that makes this table again."""
        return shlex.join(["mournival", "table", *self.arguments()])

    def arguments(self) -> list[str]:
        """The words after `mournival table`."""
        study, asked = self.study, self.asked
        words = [study.game, study.figure]
        words += ["--by", study.by] if study.by is not None else []
        words += ["--where", study.where] if study.where is not None else []
        words += ["--deals", str(asked.deals)] if asked.deals else ["--exact-only"]
        words += ["--start", str(asked.start)] if asked.start and asked.deals else []
        words += ["--seed", str(study.seed)] if asked.deals else []
        words += rule_words(study.rules)
        words += ["--level", repr(asked.level)] if asked.level != 0.95 else []
        words += ["--interval", asked.interval] if asked.interval != "wilson" else []
        words += ["--simultaneous"] if asked.simultaneous else []
        words += ["--at-least"] if asked.at_least else []
        words += ["--part", asked.part] if asked.part is not None else []
        return words

    @property
    def citation(self) -> str:
        """One line by which anyone can make the numbers again."""
        seed = f", seed {self.study.seed}" if self.asked.deals else ""
        return f"mournival {__version__}, study {self.study.id}{seed}: {self.command}"

    def described(self) -> dict[str, Any]:
        """The study and how it is shown, as plain data for JSON."""
        return {
            "id": self.study.id,
            **msgspec.structs.asdict(self.study),
            "purpose": self.study.purpose.name.lower(),
            "rules": msgspec.structs.asdict(self.study.rules),
            **msgspec.structs.asdict(self.asked),
            "version": __version__,
            "command": self.command,
        }

    def grids(self) -> Iterator[tuple[str, Grid]]:
        """Every part as a reader sees it, with its heading; a lone part needs none."""
        from analysis.formats import printed

        for part in self.parts:
            yield "" if len(self.parts) == 1 else part.name, printed(self, part.name)

    def __repr__(self) -> str:
        return f"{self.title}\n{self.frame}\n{self.citation}"

    def _repr_html_(self) -> str:
        from analysis.formats import html

        return html(self)


#: The part that says how often a condition is fulfilled.
CONDITION = Part(
    "condition",
    (Reading(-1, Axis(columns=("fulfilled",), labels=(("yes",), ("no",)), ordered=False)),),
)


def build(
    study: Study,
    asked: Asked,
    run: Run | None,
    exact: Counts | None,
    condition: Counts | None = None,
) -> Table:
    """Join tallies and exact counts to a table.

    Under a condition its own part comes first, counted exactly by `condition`; the other parts are
    of the deals that fulfil it.

    Raises
    ------
    InputError
        Nothing to show: neither a run nor exact counts, no such part, or none to accumulate.
    ArithmeticError
        A class was dealt that the exact counts call impossible.
    """
    figure = figure_of(study)
    parts = shown_parts(figure, asked)
    if run is None and exact is None:
        raise InputError(f"no exact counts for {figure.name} under these rules: ask for deals")
    rows = sum(part.cells for part in parts) if asked.simultaneous else 1
    pieces = []
    for part in parts:
        counted, tally, deals = exact, run.tally if run else None, run.deals if run else 0
        if part is CONDITION:
            # Exact only beside exact: a column of whole numbers has no gaps.
            counted = condition if exact is not None else None
            tally = {part.name: np.array([deals - run.aside, run.aside])} if run else None
        elif run:
            deals -= run.aside
            if not deals and counted is None:
                raise InputError("not one deal fulfils the condition: ask for more deals")
        ways = _shown(counted.ways if counted is not None else None, part, asked.at_least)
        counts = _shown(tally, part, asked.at_least)
        if part.given:
            pieces += _given(asked, part, ways, counts, rows)
        else:
            total = counted.total if counted is not None else 0
            pieces.append(_numbers(asked, ways, total, counts, deals, rows))
    numbers = {name: np.concatenate([piece[name] for piece in pieces]) for name in pieces[0]}
    return Table(study, figure, asked, numbers)


def _given(
    asked: Asked,
    part: Part,
    ways: NDArray[Any] | None,
    counts: NDArray[Any] | None,
    rows: int,
) -> list[dict[str, NDArray[Any]]]:
    """The columns from `ways` on, of a part with a distribution for each class that is given.

    Each is a distribution of its own, of the deals in which that class is given.
    """
    own_ways = np.split(ways, part.distributions) if ways is not None else None
    own_counts = np.split(counts, part.distributions) if counts is not None else None
    pieces = []
    for number in range(part.distributions):
        way = own_ways[number] if own_ways is not None else None
        count = own_counts[number] if own_counts is not None else None
        total = int(way.sum()) if way is not None else 0
        deals = int(count.sum()) if count is not None else 0
        pieces.append(_numbers(asked, way, total, count, deals, rows))
    return pieces


def _shown(
    arrays: Mapping[str, NDArray[Any]] | None, part: Part, at_least: bool
) -> NDArray[Any] | None:
    """One value a row; if asked, accumulated from the best class down, along each free axis."""
    if arrays is None:
        return None
    values = np.asarray(arrays[part.name]).reshape(part.shape)
    if at_least:
        for axis in range(part.given, values.ndim):
            values = np.flip(np.flip(values, axis).cumsum(axis), axis)
    return values.ravel()


def _numbers(
    asked: Asked,
    ways: NDArray[Any] | None,
    total: int,
    counts: NDArray[Any] | None,
    deals: int,
    rows: int,
) -> dict[str, NDArray[Any]]:
    """The columns from `ways` on, of one part."""
    numbers: dict[str, NDArray[Any]] = {}
    if ways is not None:
        numbers["ways"] = ways
        numbers["total"] = np.full(len(ways), total, dtype=ways.dtype)
        # A class that cannot be given has no chances.
        numbers["exact"] = np.array([int(way) / total if total else np.nan for way in ways])
    if counts is not None and not deals:
        # None was dealt that fulfils the condition, or has the class given: nothing is known.
        numbers |= {
            "count": counts,
            "deals": np.zeros(len(counts), dtype=np.int64),
            "estimate": np.full(len(counts), np.nan),
            "low": np.zeros(len(counts)),
            "high": np.ones(len(counts)),
        }
        if ways is not None:
            numbers["z"] = np.full(len(counts), np.nan)
    elif counts is not None:
        # Wilson's intervals do not hold together where some rows are rare.
        method = "clopper-pearson" if asked.simultaneous else asked.interval
        low, high = estimates.interval(counts, deals, asked.level, method, rows)
        numbers |= {
            "count": counts,
            "deals": np.full(len(counts), deals, dtype=np.int64),
            "estimate": counts / deals,
            "low": low,
            "high": high,
        }
        if ways is not None:
            # Of a z near zero ten digits would be the processor's; and a plain zero has no sign.
            z = estimates.midp_z(counts, ways, total, deals)
            numbers["z"] = z.round(Z_DECIMALS) + 0.0
    return numbers


def figure_of(study: Study) -> Figure:
    """The study's figure; under a condition with the part that says how often it is fulfilled."""
    figure = study.declared
    if study.where is None:
        return figure
    return msgspec.structs.replace(figure, parts=(CONDITION, *figure.parts))


def shown_parts(figure: Figure, asked: Asked) -> tuple[Part, ...]:
    """The parts asked for, of which "at least" makes sense if every axis is ordered.

    Raises
    ------
    InputError
        There is none.
    """
    if asked.part is not None:
        one_of(asked.part, [part.name for part in figure.parts], f"part of {figure.name}")
    parts = tuple(
        part
        for part in figure.parts
        if (asked.part in (None, part.name))
        and (not asked.at_least or all(axis.ordered for axis in part.axes[part.given :]))
    )
    if not parts:
        raise InputError(f"{asked.part or figure.name} has no order: leave --at-least out")
    return parts
