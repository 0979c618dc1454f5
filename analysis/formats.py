"""A table as text or bytes: for terminals, books, spreadsheets and programs."""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Iterable
from html import escape
from typing import Any

import numpy as np

from analysis import wording
from analysis.tables import Table, class_columns


def printed(table: Table, part: str) -> tuple[list[str], list[list[str]]]:
    """A part as a reader sees it: the headings, and the rows as text."""
    (shown,) = (known for known in table.parts if known.name == part)
    numbers = table.numbers_of(part)
    columns = {
        name.replace("_", " "): ["" if label is None else str(label) for label in column.labels]
        for name, column in class_columns((shown,)).items()
        if name != "part"
    }
    if "exact" in numbers:
        columns["ways"] = [wording.counted(int(ways)) for ways in numbers["ways"]]
        columns["exact"] = [wording.percent(chance) for chance in numbers["exact"]]
        columns["about"] = [wording.one_in(chance) for chance in numbers["exact"]]
    if "count" in numbers:
        columns["dealt"] = [wording.counted(int(count)) for count in numbers["count"]]
        columns["simulated"] = [wording.percent(chance) for chance in numbers["estimate"]]
        if "exact" not in numbers:
            columns["about"] = [wording.one_in(chance) for chance in numbers["estimate"]]
        columns[f"{100 * table.asked.level:.12g} % interval"] = [
            wording.interval(low, high)
            for low, high in zip(numbers["low"], numbers["high"], strict=True)
        ]
    if "z" in numbers:
        columns["z"] = ["" if np.isnan(z) else f"{z:+.2f}" for z in numbers["z"]]
    return list(columns), [list(row) for row in zip(*columns.values(), strict=True)]


def _headed(table: Table) -> Iterable[tuple[str, list[str], list[list[str]]]]:
    """Every part with its heading; a lone part needs none beyond the table's title."""
    for part in table.parts:
        heading = "" if len(table.parts) == 1 else part.name
        yield heading, *printed(table, part.name)


def is_text(heading: str) -> bool:
    """Class columns stand to the left, numbers to the right."""
    numbers = ("ways", "exact", "about", "dealt", "simulated", "z")
    return heading not in numbers and not heading.endswith("interval")


def terminal(table: Table) -> str:
    """For a terminal: all parts, then the citation line."""
    from tabulate import tabulate

    blocks = [table.title]
    for heading, headings, rows in _headed(table):
        aligned = ["left" if is_text(name) else "right" for name in headings]
        grid = tabulate(rows, headings, "simple", colalign=aligned, disable_numparse=True)
        blocks += [f"{heading}\n\n{grid}" if heading else grid]
    return "\n\n".join([*blocks, table.citation]) + "\n"


def markdown(table: Table) -> str:
    """GitHub's tables, a heading a part."""
    from tabulate import tabulate

    blocks = [f"# {table.title}"]
    for heading, headings, rows in _headed(table):
        blocks += [f"## {heading}"] if heading else []
        aligned = ["left" if is_text(name) else "right" for name in headings]
        blocks.append(
            tabulate(rows, headings, tablefmt="pipe", colalign=aligned, disable_numparse=True)
        )
    return "\n\n".join([*blocks, f"`{table.citation}`"]) + "\n"


def latex(table: Table) -> str:
    """A tabular a part, with the rules of booktabs."""
    from tabulate import tabulate

    blocks = []
    for heading, headings, rows in _headed(table):
        name = f"{table.title}: {heading}" if heading else table.title
        aligned = ["left" if is_text(name) else "right" for name in headings]
        blocks.append(f"% {name}")
        blocks.append(
            tabulate(
                rows, headings, tablefmt="latex_booktabs", colalign=aligned, disable_numparse=True
            ).replace("–", "--")
        )
    return "\n".join([*blocks, f"% {table.citation}"]) + "\n"


def typst(table: Table) -> str:
    """A typst table a part."""
    blocks = []
    for heading, headings, rows in _headed(table):
        name = f"{table.title}: {heading}" if heading else table.title
        aligned = ", ".join("left" if is_text(name) else "right" for name in headings)
        cells = [f"  table.header({', '.join(map(_typst_cell, headings))}),"]
        cells += [f"  {', '.join(map(_typst_cell, row))}," for row in rows]
        blocks.append(
            "\n".join(
                [
                    f"// {name}",
                    "#table(",
                    f"  columns: {len(headings)},",
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


def html(table: Table) -> str:
    """A table element a part, under one caption, and the citation."""
    blocks = [f'<section class="table">\n<h3>{escape(table.title)}</h3>']
    for heading, headings, rows in _headed(table):
        caption = f"<caption>{escape(heading)}</caption>" if heading else ""
        sides = ["" if is_text(name) else ' style="text-align: right"' for name in headings]
        head = "".join(
            f"<th{side}>{escape(name)}</th>" for name, side in zip(headings, sides, strict=True)
        )
        body = "\n".join(
            "<tr>"
            + "".join(
                f"<td{side}>{escape(cell)}</td>" for cell, side in zip(row, sides, strict=True)
            )
            + "</tr>"
            for row in rows
        )
        blocks.append(
            f"<table>{caption}\n<thead><tr>{head}</tr></thead>\n<tbody>\n{body}\n</tbody></table>"
        )
    blocks.append(f'<p class="citation">{escape(table.citation)}</p>\n</section>')
    # Plain ASCII: a fragment cannot say in which encoding it is.
    return ("\n".join(blocks) + "\n").encode("ascii", "xmlcharrefreplace").decode()


def csv(table: Table) -> str:
    """The frame; floats with ten significant digits."""
    text: str = table.frame.to_csv(index=False, float_format="%.10g", lineterminator="\n")
    return text


def as_json(table: Table) -> str:
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


def parquet(table: Table) -> bytes:
    """The frame, with the study in the metadata; what passes int64 is decimal128(38, 0)."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    wide = [
        column
        for column in table.frame.select_dtypes("object").columns
        if column in ("ways", "total")
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
FORMATS: dict[str, Callable[[Table], str | bytes]] = {
    "table": terminal,
    "csv": csv,
    "json": as_json,
    "markdown": markdown,
    "latex": latex,
    "html": html,
    "typst": typst,
    "parquet": parquet,
}
