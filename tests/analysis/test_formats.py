"""Every format is read back by a reader of its own, and says what the frame says."""

from __future__ import annotations

import csv
import io
import json
import re
from dataclasses import replace
from decimal import Decimal
from functools import cache
from html import unescape
from html.parser import HTMLParser
from pathlib import Path
from typing import Any, NoReturn

import msgspec
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import typst

from analysis import formats, records, studies, table
from analysis.tables import Table
from sims import gilten

TEXTS = [name for name in formats.FORMATS if name != "parquet"]
PRINTED = ["table", "markdown", "latex", "html", "typst"]

#: One figure with one part, a joint one with impossible classes, two parts with counts beyond
#: 2^63, exact only, simulated only, and none but one class dealt.
CASES: dict[str, tuple[str, dict[str, Any]]] = {
    "one part": ("gleich", {"deals": 20_000}),
    "joint": ("gleich-hanger", {"deals": 300}),
    "beyond 2^63": (
        "team-hanger",
        {"deals": 3_000, "rules": gilten.Rules(tie="trump_then_forehand")},
    ),
    "exact only": ("team-gleich", {"deals": 0}),
    "at least": ("hanger", {"deals": 500, "at_least": True, "level": 0.9999999}),
    "simulated only": ("gleich", {"deals": 400}),
    "one deal": ("gleich", {"deals": 1}),
    "condition": ("hanger", {"deals": 2_000, "where": "gleich>=triplet or not hanger"}),
    "crossed": ("team-gleich", {"deals": 50, "by": "hanger"}),
}


@cache
def made(case: str) -> Table:
    figure, asked = CASES[case]
    with pytest.MonkeyPatch.context() as patch:
        if case == "simulated only":
            patch.setattr(studies, "exact_counts", lambda study: None)
        return table("gilten", figure, **asked)


def text(case: str, name: str) -> str:
    content = formats.FORMATS[name](made(case))
    assert isinstance(content, str)
    return content


def numbers(case: str) -> pd.DataFrame:
    return made(case).to_frame()


every_case = pytest.mark.parametrize("case", list(CASES))


# All formats -------------------------------------------------------------------------------------


def test_these_are_the_formats() -> None:
    assert list(formats.FORMATS) == [
        *("table", "csv", "json", "markdown", "latex", "html", "typst", "parquet")
    ]


@every_case
@pytest.mark.parametrize("name", list(formats.FORMATS))
def test_the_same_table_is_the_same_bytes(name: str, case: str) -> None:
    figure, asked = CASES[case]
    if case != "simulated only":
        again = table("gilten", figure, **asked)
        assert formats.FORMATS[name](again) == formats.FORMATS[name](made(case))


@every_case
@pytest.mark.parametrize("name", TEXTS)
def test_texts_are_whole_lines_and_say_nothing_of_the_machine(name: str, case: str) -> None:
    content = text(case, name)
    assert content.endswith("\n")
    assert not content.endswith("\n\n")
    assert "\r" not in content
    assert "\x1b" not in content
    assert not re.search(
        r"\b(nan|none type|inf|object|int64|None|<NA>)\b", content.replace("NaN", "nan")
    )


@every_case
@pytest.mark.parametrize("name", PRINTED)
def test_print_shows_title_citation_and_every_part(name: str, case: str) -> None:
    content = unescape(text(case, name)) if name == "html" else text(case, name)
    shown = made(case)
    assert shown.title in content.replace("\\_", "_")
    assert shown.study.id in content
    assert shown.command in content
    if len(shown.parts) > 1:
        assert all(part.name in content for part in shown.parts)


@every_case
def test_printed_cells_are_the_frames_numbers(case: str) -> None:
    for part in made(case).parts:
        rows = made(case).part(part.name)
        headings, cells, _ = formats.printed(made(case), part.name)
        assert len(cells) == len(rows)
        assert {len(row) for row in cells} == {len(headings)}
        printed = pd.DataFrame(cells, columns=headings)
        if "exact" in rows:
            assert [int(w.replace(",", "")) for w in printed["ways"]] == rows["ways"].tolist()
            near(printed["exact"], rows["exact"])
        if "count" in rows:
            assert [int(c.replace(",", "")) for c in printed["dealt"]] == rows["count"].tolist()
            near(printed["simulated"], rows["estimate"])
            (heading,) = (heading for heading in headings if "interval" in heading)
            assert heading.startswith(f"{100 * made(case).asked.level:.10g} %")
        if "z" in rows:
            for shown, z in zip(printed["z"], rows["z"], strict=True):
                number = shown.replace("−", "-")
                assert "-" not in shown
                assert (
                    number == "" if pd.isna(z) else float(number) == pytest.approx(z, abs=0.005001)
                )


def near(shown: pd.Series[str], chances: pd.Series[float]) -> None:
    for cell, chance in zip(shown, chances, strict=True):
        assert float(cell.removesuffix(" %")) == pytest.approx(100 * chance, rel=0.5e-3)


def test_known_rows_in_print() -> None:
    headings, rows, _ = formats.printed(table("gilten", "gleich", deals=0), "hand")
    assert headings == ["size", "rank", "ways", "exact", "about"]
    assert rows[0] == ["none", "", "57,344", "28.4761 %", "1 in 3.5"]
    assert rows[8] == ["pair", "A", "19,488", "9.6774 %", "1 in 10.3"]
    assert rows[24] == ["quartet", "A", "28", "0.01390 %", "1 in 7,192"]


# The terminal ------------------------------------------------------------------------------------


@every_case
def test_a_terminals_columns_are_aligned_and_lines_end_without_blanks(case: str) -> None:
    lines = text(case, "table").splitlines()
    assert lines[0] == made(case).title
    assert lines[-1] == made(case).citation
    assert all(line == line.rstrip() for line in lines)
    rules = [number for number, line in enumerate(lines) if re.fullmatch(r"[ ─-]*[─-]{3}", line)]
    assert len(rules) == len(made(case).parts)
    for rule, part in zip(rules, made(case).parts, strict=True):
        headings, rows, _ = formats.printed(made(case), part.name)
        columns = [match.span() for match in re.finditer(r"[─-]+", lines[rule])]
        if len(columns) == 1:
            continue  # one rule across: nothing to measure by
        grid = [headings, *rows]
        for line, cells in zip([lines[rule - 1], *lines[rule + 1 :]], grid, strict=False):
            assert [line[start:end].strip() for start, end in columns] == cells


@pytest.mark.parametrize(
    "environment",
    [{"COLUMNS": "20"}, {"TERM": "dumb"}, {"FORCE_COLOR": "1"}, {"NO_COLOR": "1"}],
    ids=str,
)
def test_a_terminals_width_and_colours_change_no_byte(
    monkeypatch: pytest.MonkeyPatch, environment: dict[str, str]
) -> None:
    before = text("joint", "table")
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert text("joint", "table") == before


def test_what_looks_like_markup_is_text() -> None:
    strange = "Ruff [as dealt] & <b>dry</b> :smile: #1 $x$ 50 % *a* \\"
    shown = made("one part")
    figure = msgspec.structs.replace(shown.figure, title=strange)
    other = replace(shown, figure=figure)
    assert formats.terminal(other).startswith(f"Gilten: {strange}\n")
    page = Page(formats.html(other))
    assert f"Gilten: {strange}" in page.text
    compile_typst(formats.typst(other))


# csv ---------------------------------------------------------------------------------------------


@every_case
def test_csv_is_the_frame(case: str) -> None:
    content = text(case, "csv")
    frame = numbers(case)
    head, *rows = csv.reader(io.StringIO(content))
    assert head == list(frame.columns)
    assert len(rows) == len(frame)
    for column, cells in zip(head, zip(*rows, strict=True), strict=True):
        for cell, value in zip(cells, frame[column], strict=True):
            if pd.isna(value):
                assert cell == ""
            elif isinstance(value, float):
                assert cell == f"{value:.10g}"
            else:
                assert cell == str(value)


@every_case
def test_csv_has_ten_significant_digits_and_no_more(case: str) -> None:
    frame = numbers(case)
    head, *rows = csv.reader(io.StringIO(text(case, "csv")))
    floats = [column for column in head if frame[column].dtype == float]
    for row in rows:
        for column, cell in zip(head, row, strict=True):
            if column in floats and cell:
                assert len(Decimal(cell).as_tuple().digits) <= 10


def test_csv_is_read_by_pandas() -> None:
    back = pd.read_csv(io.StringIO(text("one part", "csv")), keep_default_na=False, na_values=[""])
    frame = numbers("one part")
    assert list(back.columns) == list(frame.columns)
    assert back["ways"].tolist() == frame["ways"].tolist()
    pd.testing.assert_series_equal(back["exact"], frame["exact"], rtol=1e-9)


# JSON --------------------------------------------------------------------------------------------


def strictly(content: str) -> Any:
    def refuse(constant: str) -> NoReturn:
        raise AssertionError(f"{constant} is no JSON")

    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        assert len({key for key, _ in pairs}) == len(pairs)
        return dict(pairs)

    return json.loads(content, parse_constant=refuse, object_pairs_hook=once)


@every_case
def test_json_is_the_frame_and_strict(case: str) -> None:
    document = strictly(text(case, "json"))
    frame = numbers(case)
    assert list(document) == ["study", "columns", "rows"]
    assert document["columns"] == list(frame.columns)
    assert len(document["rows"]) == len(frame)
    for row, (_, values) in zip(document["rows"], frame.astype(object).iterrows(), strict=True):
        assert list(row) == document["columns"]
        for column, value in values.items():
            found = row[column]
            assert found is None if pd.isna(value) else found == value
            if column in ("ways", "total", "count", "deals"):
                assert type(found) is int


@every_case
def test_json_says_what_was_asked(case: str) -> None:
    study = strictly(text(case, "json"))["study"]
    shown = made(case)
    assert study["id"] == shown.study.id
    assert study["game"] == "gilten"
    assert (study["figure"], study["by"]) == (shown.study.figure, shown.study.by)
    assert study["rules"] == msgspec.structs.asdict(shown.study.rules)
    assert study["seed"] == shown.study.seed
    assert study["deals"] == shown.asked.deals
    assert study["command"] == shown.command


def test_json_keeps_counts_beyond_2_63() -> None:
    rows = strictly(text("beyond 2^63", "json"))["rows"]
    totals = {row["total"] for row in rows}
    (total,) = totals
    assert total > 1 << 63
    assert sum(row["ways"] for row in rows if row["part"] == "outcome") == total


# parquet -----------------------------------------------------------------------------------------


@every_case
def test_parquet_is_the_frame(case: str) -> None:
    content = formats.FORMATS["parquet"](made(case))
    assert isinstance(content, bytes)
    read = pq.read_table(io.BytesIO(content))
    frame = numbers(case)
    assert read.column_names == list(frame.columns)
    back = read.to_pandas()
    assert list(back.index) == list(frame.index)
    for column in frame.columns:
        if column in ("ways", "total"):
            assert [int(value) for value in back[column]] == frame[column].tolist()
        else:
            pd.testing.assert_series_equal(back[column], frame[column])


def test_parquet_has_decimals_beyond_2_63_and_integers_below() -> None:
    content = formats.FORMATS["parquet"](made("beyond 2^63"))
    assert isinstance(content, bytes)
    read = pq.read_table(io.BytesIO(content))
    assert read.schema.field("ways").type == pa.decimal128(38, 0)
    assert read.schema.field("total").type == pa.decimal128(38, 0)
    assert read.schema.field("count").type == pa.int64()
    small = formats.FORMATS["parquet"](made("exact only"))
    assert isinstance(small, bytes)
    assert pq.read_table(io.BytesIO(small)).schema.field("ways").type == pa.int64()


@every_case
def test_parquet_names_its_study(case: str) -> None:
    content = formats.FORMATS["parquet"](made(case))
    assert isinstance(content, bytes)
    study = json.loads(pq.read_schema(io.BytesIO(content)).metadata[b"study"])
    assert study == strictly(text(case, "json"))["study"]


# Markdown, LaTeX, typst, HTML --------------------------------------------------------------------


@every_case
def test_markdown_rows_have_one_number_of_cells(case: str) -> None:
    tables = re.findall(r"(?:^\|.*\n)+", text(case, "markdown"), re.MULTILINE)
    assert len(tables) == len(made(case).parts)
    for block, part in zip(tables, made(case).parts, strict=True):
        lines = block.splitlines()
        assert len({line.count("|") for line in lines}) == 1
        assert len(lines) == 2 + part.cells
        # GitHub sets a column to the right only where its rule says so.
        sides = formats.printed(made(case), part.name).sides
        for rule, side in zip(lines[1].strip("|").split("|"), sides, strict=True):
            assert re.fullmatch(" ?:?-+ ?" if side == "left" else " ?-+: ?", rule)


@every_case
def test_latex_tabulars_are_balanced(case: str) -> None:
    content = text(case, "latex")
    code = "".join(line + "\n" for line in content.splitlines() if not line.startswith("%"))
    parts = made(case).parts
    bodies = re.findall(r"\\begin\{tabular\}\{([lrc]+)\}\n(.*?)\\end\{tabular\}", code, re.DOTALL)
    assert len(bodies) == len(parts)
    assert code.count(r"\begin{") == code.count(r"\end{") == len(parts)
    for (columns, body), part in zip(bodies, parts, strict=True):
        rows = [line for line in body.splitlines() if line.rstrip().endswith(r"\\")]
        assert len(rows) == part.cells + 1
        assert {line.replace(r"\&", "").count("&") for line in rows} == {len(columns) - 1}
        assert re.findall(r"\\(\w+rule)", body) == ["toprule", "midrule", "bottomrule"]
    # Nothing that TeX would take for a command, a comment or mathematics, but minus signs.
    assert not re.search(r"(?<!\\)[%$#_^~]", code.replace("$-$", ""))
    assert code.isascii()


def compile_typst(content: str) -> bytes:
    document = typst.compile(content.encode(), format="pdf")
    assert isinstance(document, bytes)
    return document


@pytest.mark.parametrize("case", ["one part", "beyond 2^63", "at least"])
def test_typst_compiles(case: str) -> None:
    assert compile_typst(text(case, "typst")).startswith(b"%PDF")


@every_case
def test_typst_has_a_cell_for_each_number(case: str) -> None:
    content = text(case, "typst")
    tables = content.split("#table(")[1:]
    assert len(tables) == len(made(case).parts)
    for block, part in zip(tables, made(case).parts, strict=True):
        headings, rows, _ = formats.printed(made(case), part.name)
        cells = re.findall(r'"(?:[^"\\]|\\.)*"|\[\]', block.rpartition(")")[0])
        expected = [
            json.dumps(cell, ensure_ascii=False) if cell else "[]"
            for cell in [*headings, *(cell for row in rows for cell in row)]
        ]
        assert cells == expected


class Page(HTMLParser):
    """Every element closed in order; the text, and the cells of every row."""

    void = frozenset(("meta", "br", "img", "link", "hr"))

    def __init__(self, content: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.text = ""
        self.tables: list[list[list[str]]] = []
        self.feed(content)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in self.void:
            return
        self.open.append(tag)
        if tag == "table":
            self.tables.append([])
        elif tag == "tr":
            self.tables[-1].append([])
        elif tag in ("td", "th"):
            self.tables[-1][-1].append("")

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data
        if self.open and self.open[-1] in ("td", "th"):
            self.tables[-1][-1][-1] += data


@every_case
def test_html_has_every_cell(case: str) -> None:
    page = Page(text(case, "html"))
    assert len(page.tables) == len(made(case).parts)
    for rows, part in zip(page.tables, made(case).parts, strict=True):
        headings, cells, _ = formats.printed(made(case), part.name)
        assert rows == [headings, *cells]


def test_html_in_a_file_says_its_encoding_or_needs_none() -> None:
    """A browser that opens the file by itself must not show the dash of an interval as garbage."""
    content = text("one part", "html")
    assert content.isascii() or 'charset="utf-8"' in content


# One deal ----------------------------------------------------------------------------------------


def record(index: int, **rules: Any) -> tuple[gilten.Rules, dict[str, Any]]:
    chosen = gilten.Rules(**rules)
    return chosen, gilten.deal_record(chosen, 1, index)


@pytest.mark.parametrize("players", [4, 2])
def test_a_deal_as_json_is_the_record(players: int) -> None:
    rules, found = record(17, players=players)
    document = strictly(records.FORMATS["json"]("gilten", rules, 1, 17, found))
    assert (document["game"], document["seed"], document["index"]) == ("gilten", 1, 17)
    assert document["rules"] == msgspec.structs.asdict(rules)
    assert document["rules"]["players"] == players
    assert len(document["hands"]) == players
    cards = [card for hand in document["hands"] for card in hand["cards"]] + [document["turnup"]]
    assert len(set(cards)) == 5 * players + 1
    assert {key: document[key] for key in found} == found


def test_a_deal_in_words_has_a_line_a_seat() -> None:
    rules, found = record(17)
    lines = records.FORMATS["table"]("gilten", rules, 1, 17, found).splitlines()
    assert lines[0] == "Gilten, deal 17 of seed 1"
    seats = [line.split()[0] for line in lines[2:7]]
    assert seats == ["seat", "forehand", "second", "third", "dealer"]
    for line, hand in zip(lines[3:7], found["hands"], strict=True):
        assert " ".join(hand["cards"]) in line
    assert f"turnup: {found['turnup']}" in lines


def test_a_file_of_typst_compiles(tmp_path: Path) -> None:
    """As a file, where a relative path or a stray mark would show."""
    path = tmp_path / "table.typ"
    path.write_text(text("exact only", "typst"), encoding="utf-8")
    typst.compile(str(path), output=str(tmp_path / "table.pdf"))
    assert (tmp_path / "table.pdf").read_bytes().startswith(b"%PDF")
