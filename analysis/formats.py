"""A table as text or bytes: for terminals, books, spreadsheets and programs."""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Iterable
from html import escape
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from analysis import wording
from analysis.columns import class_columns
from analysis.tables import Table
from sims.figures import Part

if TYPE_CHECKING:
    import pandas as pd


class Grid(NamedTuple):
    """A part as a reader sees it: `headings` and `rows`, of which the first `labels` columns name
    the class and the others hold numbers."""

    headings: list[str]
    rows: list[list[str]]
    labels: int

    @property
    def sides(self) -> list[str]:
        """Where each column stands: labels to the left, numbers to the right."""
        numbers = len(self.headings) - self.labels
        return ["left"] * self.labels + ["right"] * numbers


class Printable(Protocol):
    """What can be written in every format: grids for readers, a frame for programs."""

    @property
    def title(self) -> str: ...

    @property
    def citation(self) -> str: ...

    @property
    def frame(self) -> pd.DataFrame: ...

    def grids(self) -> Iterable[tuple[str, Grid]]:
        """Every grid with its heading, which is empty where there is only one."""

    def described(self) -> dict[str, Any]:
        """The study, as plain data for JSON."""


def printed(table: Table, part: str) -> Grid:
    """A part as a reader sees it, all numbers as text."""
    (shown,) = (known for known in table.parts if known.name == part)
    numbers = table.numbers_of(part)
    if shown.given:
        return _side_by_side(shown, numbers)
    columns = {
        name.replace("_", " "): ["" if label is None else str(label) for label in column.labels]
        for name, column in class_columns((shown,)).items()
        if name != "part"
    }
    labels = len(columns)
    if "exact" in numbers:
        columns["ways"] = [wording.counted(int(ways)) for ways in numbers["ways"]]
        columns["exact"] = [wording.percent(chance) for chance in numbers["exact"]]
        columns["about"] = [wording.one_in(chance) for chance in numbers["exact"]]
    if "count" in numbers:
        columns["dealt"] = [wording.counted(int(count)) for count in numbers["count"]]
        columns["simulated"] = [
            "" if np.isnan(chance) else wording.percent(chance) for chance in numbers["estimate"]
        ]
        if "exact" not in numbers:
            columns["about"] = [wording.one_in(chance) for chance in numbers["estimate"]]
        columns[f"{100 * table.asked.level:.12g} % interval"] = [
            wording.interval(low, high)
            for low, high in zip(numbers["low"], numbers["high"], strict=True)
        ]
    if "z" in numbers:
        columns["z"] = [wording.signed(z) for z in numbers["z"]]
    return Grid(list(columns), [list(row) for row in zip(*columns.values(), strict=True)], labels)


def _side_by_side(part: Part, numbers: dict[str, NDArray[Any]]) -> Grid:
    """A row for each class given: how often it is, then its chances, a column each.

    Exact where exact counts exist, otherwise as simulated.
    """
    given = Part(part.name, part.readings[: part.given])
    free = Part(part.name, part.readings[part.given :])
    whole, chance = ("total", "exact") if "exact" in numbers else ("deals", "estimate")
    held = numbers[whole].reshape(given.cells, free.cells)[:, 0]
    every = int(held.sum())
    columns = {
        name.replace("_", " "): ["" if label is None else str(label) for label in column.labels]
        for name, column in class_columns((given,)).items()
        if name != "part"
    }
    labels = len(columns)
    columns["held"] = [wording.percent(int(own) / every) for own in held]
    names = [
        " ".join(axis.text(number) for axis, number in zip(free.axes, numbers_of_axes, strict=True))
        for numbers_of_axes in np.ndindex(free.shape)
    ]
    for name, chances in zip(names, numbers[chance].reshape(given.cells, -1).T, strict=True):
        columns[name] = ["" if np.isnan(one) else wording.percent(one) for one in chances]
    return Grid(list(columns), [list(row) for row in zip(*columns.values(), strict=True)], labels)


def _tabulated(grid: Grid, style: str) -> str:
    from tabulate import tabulate

    return tabulate(grid.rows, grid.headings, style, colalign=grid.sides, disable_numparse=True)


def terminal(table: Printable) -> str:
    """For a terminal: all parts, then the citation line."""
    blocks = [table.title]
    for heading, grid in table.grids():
        text = _tabulated(grid, "simple")
        blocks += [f"{heading}\n\n{text}" if heading else text]
    return "\n\n".join([*blocks, table.citation]) + "\n"


def markdown(table: Printable) -> str:
    """GitHub's tables, a heading a part."""
    blocks = [f"# {table.title}"]
    for heading, grid in table.grids():
        blocks += [f"## {heading}"] if heading else []
        blocks.append(_tabulated(grid, "pipe"))
    return "\n\n".join([*blocks, f"`{table.citation}`"]) + "\n"


def latex(table: Printable) -> str:
    """A tabular a part, with the rules of booktabs."""
    blocks = []
    for heading, grid in table.grids():
        name = f"{table.title}: {heading}" if heading else table.title
        blocks.append(f"% {name}")
        blocks.append(_tabulated(grid, "latex_booktabs").replace("–", "--").replace("−", "$-$"))
    return "\n".join([*blocks, f"% {table.citation}"]) + "\n"


def typst(table: Printable) -> str:
    """A typst table a part."""
    blocks = []
    for heading, grid in table.grids():
        name = f"{table.title}: {heading}" if heading else table.title
        aligned = ", ".join(grid.sides)
        cells = [f"  table.header({', '.join(map(_typst_cell, grid.headings))}),"]
        cells += [f"  {', '.join(map(_typst_cell, row))}," for row in grid.rows]
        blocks.append(
            "\n".join(
                [
                    f"// {name}",
                    "#table(",
                    f"  columns: {len(grid.headings)},",
                    f"  align: ({aligned},),",
                    *cells,
                    ")",
                ]
            )
        )
    return "\n".join([*blocks, f"// {table.citation}"]) + "\n"


def _typst_cell(text: str) -> str:
    """A cell as a string of typst's, in which nothing is markup."""
    return "[]" if not text else json.dumps(text, ensure_ascii=False)


def html(table: Printable) -> str:
    """A table element a part, under one caption, and the citation."""
    blocks = [f'<section class="table">\n<h3>{escape(table.title)}</h3>']
    for heading, grid in table.grids():
        caption = f"<caption>{escape(heading)}</caption>" if heading else ""
        sides = ["" if side == "left" else ' style="text-align: right"' for side in grid.sides]
        head = "".join(
            f"<th{side}>{escape(name)}</th>"
            for name, side in zip(grid.headings, sides, strict=True)
        )
        body = "\n".join(
            "<tr>"
            + "".join(
                f"<td{side}>{escape(cell)}</td>" for cell, side in zip(row, sides, strict=True)
            )
            + "</tr>"
            for row in grid.rows
        )
        blocks.append(
            f"<table>{caption}\n<thead><tr>{head}</tr></thead>\n<tbody>\n{body}\n</tbody></table>"
        )
    blocks.append(f'<p class="citation">{escape(table.citation)}</p>\n</section>')
    # Plain ASCII: a fragment cannot say in which encoding it is.
    return ("\n".join(blocks) + "\n").encode("ascii", "xmlcharrefreplace").decode()


def csv(table: Printable) -> str:
    """The frame; floats with ten significant digits."""
    text: str = table.frame.to_csv(index=False, float_format="%.10g", lineterminator="\n")
    return text


def as_json(table: Printable) -> str:
    """The study, the columns and the rows; whole numbers are whole, what does not apply is null."""
    columns = list(table.frame.columns)
    rows = [
        dict(zip(columns, map(_plain, values), strict=True))
        for values in table.frame.itertuples(index=False, name=None)
    ]
    document = {"study": table.described(), "columns": columns, "rows": rows}
    return json.dumps(document, ensure_ascii=False, indent=1, allow_nan=False) + "\n"


def _plain(value: Any) -> Any:
    """A cell as JSON has it; only NaN is unlike itself."""
    value = value.item() if isinstance(value, np.generic) else value
    return None if value != value else value


def parquet(table: Printable) -> bytes:
    """The frame, with the study in the metadata; what passes int64 is decimal128(38, 0)."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    wide = [
        column
        for column in ("ways", "total")
        if column in table.frame and table.frame[column].dtype == object
    ]
    frame = table.frame.drop(columns=wide)
    for column in frame.select_dtypes("category"):
        if len({type(label) for label in frame[column].cat.categories}) > 1:
            # One type a column: `four aces` makes text of the numbers beside it.
            frame[column] = frame[column].cat.rename_categories(str)
    whole = {column: pa.array(table.frame[column], pa.decimal128(38, 0)) for column in wide}
    arrow = pa.Table.from_pandas(frame, preserve_index=False)
    for column, values in whole.items():
        arrow = arrow.add_column(table.frame.columns.get_loc(column), column, values)
    described = json.dumps(table.described()).encode()
    arrow = arrow.replace_schema_metadata({**(arrow.schema.metadata or {}), b"study": described})
    out = io.BytesIO()
    pq.write_table(arrow, out)
    return out.getvalue()


#: By the name that `--format` takes.
FORMATS: dict[str, Callable[[Printable], str | bytes]] = {
    "table": terminal,
    "csv": csv,
    "json": as_json,
    "markdown": markdown,
    "latex": latex,
    "html": html,
    "typst": typst,
    "parquet": parquet,
}
