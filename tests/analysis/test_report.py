"""The report: complete, the same bytes each time, and a check that finds every change.

Most tests make one of a few figures only, for speed; one lists all of every game.
"""

from __future__ import annotations

import csv
import json
import os
import re
import shutil
import signal
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from matplotlib.figure import Figure

from analysis import formats, report, table
from analysis.leads import lead
from sims import __version__, gilten, runs
from sims.games import GAMES, game

Mournival = Callable[..., tuple[int, str, str]]

DEALS, SEED = 10_000, 0
FEW = {
    name: figure
    for name, figure in gilten.figures(gilten.Rules()).items()
    if name in ("gleich", "team-gleich")
}


def only_a_few_figures(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(report, "GAMES", {"gilten": GAMES["gilten"]})
    patch.setattr(gilten, "figures", lambda rules: FEW)


@pytest.fixture
def no_pictures(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the tables are what matters, no picture is rendered, for speed."""
    monkeypatch.setattr(Figure, "savefig", lambda _, out, **__: out.write(b"a picture"))


@pytest.fixture(autouse=True)
def _few_figures(monkeypatch: pytest.MonkeyPatch) -> None:
    only_a_few_figures(monkeypatch)


@pytest.fixture(scope="module")
def original(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A report that no test changes."""
    folder = tmp_path_factory.mktemp("report") / "made" / "by the way"
    with pytest.MonkeyPatch.context() as patch:
        only_a_few_figures(patch)
        report.write(folder, DEALS, SEED)
    return folder


@pytest.fixture
def copied(original: Path, tmp_path: Path) -> Path:
    """A report of a test's own."""
    shutil.copytree(original, tmp_path / "reports")
    return tmp_path / "reports"


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


def manifest(folder: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    return found


# What is written ---------------------------------------------------------------------------------


def test_the_manifest_says_what_made_the_report(original: Path) -> None:
    found = manifest(original)
    assert (found["deals"], found["seed"], found["version"]) == (DEALS, SEED, __version__)
    assert found["command"] == f"mournival report --deals {DEALS} --seed {SEED}"
    names = [entry["name"] for entry in found["tables"]]
    assert names[0] == "gilten-gleich"
    assert "gilten-team-gleich" in names
    assert len(set(names)) == len(names)


def test_house_rules_that_change_a_count_have_tables_of_their_own(original: Path) -> None:
    rules = [(e["figure"], e["rules"]) for e in manifest(original)["tables"]]
    assert ("gleich", {}) in rules
    assert ("team-gleich", {"tie": "forehand"}) in rules
    assert ("team-gleich", {"tie": "trump_then_forehand"}) in rules
    assert ("team-gleich", {"players": "2"}) in rules
    assert not [changed for figure, changed in rules if figure == "gleich" and changed]


def test_every_file_that_the_page_names_is_there_and_no_other(original: Path) -> None:
    page = (original / "index.html").read_text(encoding="utf-8")
    named = set(re.findall(r'(?:src|href)="([^"#]+)"', page))
    there = set(os.listdir(original))
    assert named <= there
    assert {name for name in there if name.endswith((".csv", ".md", ".svg"))} <= named
    assert not [name for name in there if name.startswith(".")]


def test_links_within_the_page_lead_somewhere(original: Path) -> None:
    page = (original / "index.html").read_text(encoding="utf-8")
    ids = re.findall(r'id="([^"]+)"', page)
    assert len(set(ids)) == len(ids)
    assert set(re.findall(r'href="#([^"]+)"', page)) <= set(ids)


def test_each_csv_is_what_its_command_prints(original: Path, mournival: Mournival) -> None:
    for entry in manifest(original)["tables"]:
        program, command, *words = entry["command"].split()
        assert (program, command) == ("mournival", "table")
        code, out, _ = mournival("table", *words, "--format", "csv")
        assert code == 0
        assert (original / f"{entry['name']}.csv").read_bytes() == out.encode()


def test_the_csv_of_known_counts(original: Path) -> None:
    text = (original / "gilten-gleich.csv").read_text(encoding="utf-8")
    rows = list(csv.DictReader(text.splitlines()))
    ways: dict[str, int] = {}
    for row in rows:
        ways[row["size"]] = ways.get(row["size"], 0) + int(row["ways"])
    assert ways == {"none": 57_344, "pair": 131_712, "triplet": 12_096, "quartet": 224}
    assert sum(int(row["count"]) for row in rows) == DEALS


class Page(HTMLParser):
    """Every element is closed in order; every picture has words for who cannot see it."""

    def __init__(self, content: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.text = ""
        self.feed(content)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "img":
            assert dict(attrs)["alt"]
        if tag not in ("meta", "img", "link", "br"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


def test_the_page_is_html_with_every_figure(original: Path) -> None:
    content = (original / "index.html").read_bytes()
    page = Page(content.decode("utf-8"))
    assert b'charset="utf-8"' in content
    assert all(figure.title in page.text for figure in FEW.values())
    assert f"{DEALS:,}" in page.text
    assert "{{" not in page.text
    assert "None" not in page.text
    assert "nan" not in page.text.split()


def test_percentages_that_miss_100_are_said_to(original: Path) -> None:
    """The last digits of the exact column of `gleich` as printed, added up by hand."""
    page = Page((original / "index.html").read_text(encoding="utf-8"))
    with open(original / "gilten-gleich.csv", encoding="utf-8", newline="") as lines:
        exact = [100 * float(row["exact"]) for row in csv.DictReader(lines)]
    assert sum(round(chance, 4 if chance > 0.1 else 5) for chance in exact) == pytest.approx(
        99.9997, abs=1e-9
    )
    note = "The exact percentages as printed add up to 99.9997 %: each is rounded."
    assert page.text.count(note) == 1
    assert "add up to 100.0000 %" not in page.text


def test_the_prose_agrees_with_the_table_beside_it() -> None:
    said = lead(table("gilten", "gleich", deals=0))
    numbers = [float(number) for number in re.findall(r"\d+(?:\.\d+)?", said)]
    # Pairs and nothing in per cent, triplets and quartets as once in so many.
    ways = {"pair": 131_712, "none": 57_344}
    shares = {size: round(100 * way / 201_376, 1) for size, way in ways.items()}
    assert numbers == [shares["pair"], round(201_376 / 12_096, 1), 899, shares["none"]]


@pytest.mark.parametrize("name", list(GAMES))
def test_every_figure_has_prose_that_finds_its_classes(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A label that is none would be summed to nothing, and the prose say "never"."""
    monkeypatch.undo()
    for figure in game(name).figures(game(name).Rules()):
        said = lead(table(name, figure, deals=0))
        assert said.endswith(".")
        assert re.search(r"\d", said)
        assert not re.search(r"never|nan|[{}]", said), said


def test_the_report_is_the_same_bytes_each_time(original: Path, tmp_path: Path) -> None:
    report.write(tmp_path, DEALS, SEED, jobs=1)
    again, first = contents(tmp_path), contents(original)
    assert list(again) == list(first)
    assert [name for name in first if again[name] != first[name]] == []


def test_every_figure_of_every_game_is_in_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.undo()
    monkeypatch.setattr(Figure, "savefig", lambda _, out, **__: out.write(b"a picture"))
    report.write(tmp_path, 100, 1)
    found = {(entry["game"], entry["figure"]) for entry in manifest(tmp_path)["tables"]}
    assert found >= {
        (name, figure) for name in GAMES for figure in game(name).figures(game(name).Rules())
    }
    Page((tmp_path / "index.html").read_text(encoding="utf-8"))


# The command -------------------------------------------------------------------------------------


@pytest.mark.usefixtures("no_pictures")
def test_the_command_writes_and_checks(
    mournival: Mournival, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    code, out, err = mournival("report", "--deals", "1e3", "--seed", "0", "--out", "new/folder")
    assert (code, out, err) == (0, f"{Path('new/folder/index.html')}\n", "")
    before = contents(tmp_path / "new" / "folder")
    code, out, err = mournival("report", "--check", "--out", "new/folder", "--jobs", "2")
    assert (code, err) == (0, "")
    assert out.startswith(str(Path("new/folder")))
    assert contents(tmp_path / "new" / "folder") == before


@pytest.mark.parametrize("words", [["--deals", "1e3"], ["--seed", "5"]], ids=str)
def test_a_check_cannot_be_asked_for_other_deals(
    mournival: Mournival, copied: Path, words: list[str]
) -> None:
    """The manifest says which; an option that is passed over in silence misleads."""
    code, out, err = mournival("report", "--check", "--out", str(copied), *words)
    assert (code, out) == (2, "")
    assert words[0] in err


# The check ---------------------------------------------------------------------------------------


def test_an_untouched_report_passes(original: Path) -> None:
    assert report.check(original) == []


def test_each_changed_byte_of_a_csv_is_found(mournival: Mournival, copied: Path) -> None:
    """One digit of a count, in the middle; the file is named, and the exit code is 1."""
    path = copied / "gilten-gleich.csv"
    whole = path.read_bytes()
    for place in (0, len(whole) // 2, len(whole) - 1):
        changed = bytearray(whole)
        changed[place] ^= 1
        path.write_bytes(bytes(changed))
        code, out, err = mournival("report", "--check", "--out", str(copied))
        assert (code, out) == (1, "")
        assert "gilten-gleich.csv" in err
        assert "gilten-team-gleich" not in err
        assert path.read_bytes() == bytes(changed)


@pytest.mark.parametrize(
    "change",
    [lambda content: content + b"\n", lambda content: content[:-1], lambda content: b""],
    ids=["longer", "shorter", "empty"],
)
def test_other_lengths_are_found(copied: Path, change: Callable[[bytes], bytes]) -> None:
    path = copied / "gilten-team-gleich.md"
    path.write_bytes(change(path.read_bytes()))
    assert [line for line in report.check(copied) if line.startswith("gilten-team-gleich.md")]


def test_a_missing_file_is_found(copied: Path) -> None:
    (copied / "gilten-team-gleich.csv").unlink()
    (line,) = report.check(copied)
    assert "gilten-team-gleich.csv" in line


def test_a_folder_in_a_files_place_is_found(copied: Path) -> None:
    (copied / "gilten-gleich.csv").unlink()
    (copied / "gilten-gleich.csv").mkdir()
    (line,) = report.check(copied)
    assert "gilten-gleich.csv" in line


@pytest.mark.parametrize(
    ("key", "value"), [("deals", DEALS + 1), ("seed", SEED + 1)], ids=["deals", "seed"]
)
def test_a_manifest_of_other_deals_is_found(copied: Path, key: str, value: int) -> None:
    changed = {**manifest(copied), key: value}
    (copied / "manifest.json").write_text(json.dumps(changed), encoding="utf-8")
    named = {line.partition(":")[0] for line in report.check(copied)}
    assert named >= {"gilten-gleich.csv", "gilten-team-gleich.csv"}


def test_a_table_left_out_of_the_manifest_is_found(copied: Path) -> None:
    """Or an empty manifest would pass for any report."""
    changed = manifest(copied)
    (left_out,) = (entry for entry in changed["tables"] if entry["name"] == "gilten-gleich")
    changed["tables"].remove(left_out)
    (copied / "manifest.json").write_text(json.dumps(changed), encoding="utf-8")
    assert [line for line in report.check(copied) if "gilten-gleich" in line]


@pytest.mark.parametrize(
    "content",
    [b"", b"{", b"[]", b"null", b"\xff\xfe", b'{"deals": 1}', b'{"deals": "many"}'],
    ids=repr,
)
def test_what_is_no_manifest_is_one_line(
    mournival: Mournival, copied: Path, content: bytes
) -> None:
    (copied / "manifest.json").write_bytes(content)
    code, out, err = mournival("report", "--check", "--out", str(copied))
    assert (code, out) == (2, "")
    assert len(err.splitlines()) == 1
    assert "manifest.json" in err


@pytest.mark.parametrize(
    ("key", "value"),
    [("game", "poker"), ("figure", "ruff"), ("rules", {"tie": "foo"}), ("part", "no")],
)
def test_a_manifest_of_unknown_things_is_one_line(
    mournival: Mournival, copied: Path, key: str, value: Any
) -> None:
    changed = manifest(copied)
    changed["tables"][0][key] = value
    (copied / "manifest.json").write_text(json.dumps(changed), encoding="utf-8")
    code, out, err = mournival("report", "--check", "--out", str(copied))
    assert (code, out) == (2, "")
    assert len(err.splitlines()) == 1


# Interrupted, or impossible ----------------------------------------------------------------------


@pytest.mark.usefixtures("no_pictures")
@pytest.mark.parametrize("last_block", [False, True], ids=["while dealing", "in a last block"])
def test_an_interrupt_writes_nothing(
    mournival: Mournival, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, last_block: bool
) -> None:
    """Neither a part of the report nor, if Ctrl-C comes in a table's last block, all of it."""
    run_block = runs.run_block
    ends = 1_000 if last_block else 10**9

    def interrupting(study: runs.Study, start: int, stop: int, *figure: Any) -> Any:
        if start >= 200_000 or stop == ends:
            os.kill(os.getpid(), signal.SIGINT)
        return run_block(study, start, stop, *figure)

    monkeypatch.setattr(runs, "run_block", interrupting)
    folder = tmp_path / "reports"
    code, out, err = mournival("report", "--deals", str(ends), "--out", str(folder))
    assert (code, out) == (130, "")
    assert err.strip() == "mournival: interrupted"
    assert not folder.exists()


@pytest.mark.usefixtures("no_pictures")
def test_an_older_report_is_replaced_and_other_files_stay(copied: Path) -> None:
    (copied / "notes.txt").write_text("mine")
    report.write(copied, 1_000, 7)
    assert manifest(copied)["seed"] == 7
    assert (copied / "notes.txt").read_text() == "mine"
    (copied / "notes.txt").unlink()
    assert report.check(copied) == []


@pytest.mark.usefixtures("no_pictures")
def test_the_manifest_is_written_last(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A report that could not be finished does not pass for one that was."""
    written: list[str] = []
    monkeypatch.setattr("analysis.files.write", lambda path, content: written.append(path.name))
    report.write(tmp_path, 100, 1)
    assert written[-1] == "manifest.json"
    assert len(set(written)) == len(written)


def test_markdown_and_csv_are_those_of_the_formats(original: Path) -> None:
    made = table("gilten", "gleich", deals=DEALS, seed=SEED)
    assert (original / "gilten-gleich.csv").read_text(encoding="utf-8") == formats.csv(made)
    assert (original / "gilten-gleich.md").read_text(encoding="utf-8") == formats.markdown(made)
