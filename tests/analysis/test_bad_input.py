"""What cannot be asked for: one line on stderr, exit code 2, nothing on stdout, nothing written."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NoReturn

import pytest

Mournival = Callable[..., tuple[int, str, str]]

posix = pytest.mark.skipif(sys.platform == "win32", reason="needs POSIX files")

BEYOND_2_62 = str((1 << 62) + 1)
TABLE, CHART, DEAL = "table gilten gleich", "chart gilten gleich", "deal gilten"

#: The words, and what the line must name: the bad value, what is allowed, the nearest.
BAD = [
    # Commands, games, figures
    ("tabel", ["'tabel'", "did you mean 'table'", "figures", "report"]),
    ("poker", ["'poker'", "table", "chart", "deal"]),
    ("table", ["GAME"]),
    ("table gilten", ["FIGURE"]),
    ("table giltn gleich", ["'giltn'", "did you mean 'gilten'"]),
    ("table poker gleich", ["'poker'", "gilten"]),
    ("table GILTEN gleich", ["'GILTEN'", "did you mean 'gilten'"]),
    ("table gilten gliech", ["'gliech'", "did you mean 'gleich'", "team-hanger"]),
    ("table gilten ruff", ["'ruff'", "gleich", "hanger", "team-gleich", "team-hanger"]),
    ("chart gilten hangar", ["'hangar'", "did you mean 'hanger'"]),
    ("deal giltn", ["'giltn'", "did you mean 'gilten'"]),
    (f"{TABLE} hanger", ["hanger"]),
    ("figures gilten", ["gilten"]),
    # Rules
    (f"{TABLE} --rule tei=forehand", ["'tei'", "did you mean 'tie'", "players"]),
    (f"{TABLE} --rule tie=forhand", ["'forhand'", "did you mean 'forehand'", "stands"]),
    (f"{TABLE} --rule tie=", ["''", "stands", "forehand", "trump_then_forehand"]),
    (f"{TABLE} --rule tie", ["'tie'", "KEY=VALUE"]),
    (f"{TABLE} --rule =stands", ["''", "tie", "players"]),
    (f"{TABLE} --players 3", ["'3'", "4", "2"]),
    (f"{TABLE} --players two", ["'two'", "4", "2"]),
    (f"{CHART} --players 3", ["'3'", "4", "2"]),
    (f"{DEAL} --rule tie=foo", ["'foo'", "stands"]),
    # Numbers
    (f"{TABLE} --deals 0", ["--deals", "'0'", "1 to 2^62"]),
    (f"{TABLE} --deals -1", ["--deals", "'-1'", "1 to 2^62"]),
    (f"{TABLE} --deals 1.5", ["--deals", "'1.5'", "whole numbers"]),
    (f"{TABLE} --deals 1e-3", ["--deals", "'1e-3'", "whole numbers"]),
    (f"{TABLE} --deals many", ["--deals", "'many'", "whole numbers"]),
    (f"{TABLE} --deals nan", ["--deals", "'nan'", "whole numbers"]),
    (f"{TABLE} --deals inf", ["--deals", "'inf'", "whole numbers"]),
    (f"{TABLE} --deals 1e999999999", ["--deals", "'1e999999999'", "1 to 2^62"]),
    (f"{TABLE} --deals {BEYOND_2_62}", ["--deals", BEYOND_2_62, "1 to 2^62"]),
    (f"{TABLE} --deals 1,000", ["--deals", "'1,000'", "whole numbers"]),
    (f"{TABLE} --seed -1", ["--seed", "'-1'", "0 to 2^64 - 1"]),
    (f"{TABLE} --seed 18446744073709551616", ["--seed", "0 to 2^64 - 1"]),
    (f"{TABLE} --seed random", ["--seed", "'random'", "0 to 2^64 - 1"]),
    (f"{TABLE} --start -1", ["--start", "'-1'", "0 to 2^62 - 1"]),
    (f"{TABLE} --start 4611686018427387904", ["--start", "0 to 2^62 - 1"]),
    (f"{TABLE} --start 4611686018427387903 --deals 2", ["4611686018427387905", "2^62 - 1"]),
    (f"{TABLE} --jobs 0", ["--jobs", "'0'", "from 1"]),
    (f"{TABLE} --jobs 1e9", ["--jobs", "'1e9'", "from 1"]),
    (f"{DEAL} --index -1", ["--index", "'-1'", "0 to 2^62 - 1"]),
    (f"{DEAL} --index 0.5", ["--index", "'0.5'", "whole numbers"]),
    (f"{DEAL} --seed 1e20", ["--seed", "'1e20'", "0 to 2^64 - 1"]),
    ("report --deals 0", ["--deals", "'0'", "1 to 2^62"]),
    ("report --seed x", ["--seed", "'x'", "0 to 2^64 - 1"]),
    # Ways to show it
    (f"{TABLE} --level 0", ["--level", "'0'", "between 0 and 1"]),
    (f"{TABLE} --level 95", ["--level", "'95'", "between 0 and 1"]),
    (f"{TABLE} --level nan", ["--level", "'nan'", "between 0 and 1"]),
    (f"{TABLE} --level high", ["--level", "'high'", "between 0 and 1"]),
    (f"{TABLE} --interval wald", ["--interval", "'wald'", "wilson", "clopper-pearson"]),
    (f"{TABLE} --format xml", ["'xml'", "csv", "json", "parquet"]),
    (f"{TABLE} --format cvs", ["'cvs'", "did you mean 'csv'"]),
    (f"{TABLE} --part outcome", ["'outcome'", "hand"]),
    ("table gilten team-gleich --part outcom", ["'outcom'", "did you mean 'outcome'", "classes"]),
    ("table gilten team-gleich --part outcome --at-least", ["outcome", "--at-least"]),
    (f"{TABLE} --exact-only --deals 5", ["--exact-only", "--deals"]),
    (f"{TABLE} --exact-only --seed 1", ["--exact-only", "--seed"]),
    (f"{CHART} --exact-only --start 0", ["--exact-only", "--start"]),
    (f"{TABLE} --exact-only --jobs 2", ["--exact-only", "--jobs"]),
    (f"{TABLE} --interval wilson --simultaneous", ["wilson", "clopper-pearson"]),
    (f"{TABLE} --out table.xls", ["'.xls'", ".csv", ".parquet", "--format"]),
    (f"{DEAL} --format csv", ["'csv'", "table", "json"]),
    (f"{CHART} --width 1mm", ["--width", "'1mm'", "84mm to 1000mm"]),
    (f"{CHART} --width 83.9", ["--width", "'83.9'", "84mm to 1000mm"]),
    (f"{CHART} --width 84cm", ["--width", "'84cm'", "mm"]),
    (f"{CHART} --width nan", ["--width", "'nan'", "mm"]),
    (f"{CHART} --out chart.bmp", ["bmp", "svg", "pdf", "png"]),
    (f"{CHART} --out chart", ["chart", "svg", "pdf", "png"]),
    # Conditions and second figures
    (f"{TABLE} --where hanger>=6", ["'6'", "hanger", "5"]),
    (f"{TABLE} --where gliech", ["'gliech'", "did you mean", "gleich", "hanger"]),
    ("table gilten hanger --where gleich>=triplett", ["'triplett'", "did you mean", "quartet"]),
    (f"{TABLE} --where 'hanger and'", ["hanger and", "the end", "gleich"]),
    (f"{TABLE} --where 'hanger hanger'", ["hanger hanger", "place 8", "and", "or"]),
    (f"{TABLE} --where '(hanger'", ["(hanger", "bracket"]),
    (f"{TABLE} --where hanger$", ["hanger$"]),
    (f"{TABLE} --where ''", ["''", "gleich", "hanger"]),
    (f"{TABLE} --where gleich<none", ["gleich<none", "no hand"]),
    (f"{TABLE} --where 'gleich=quartet and hanger>=4'", ["quartet and hanger>=4", "no hand"]),
    (f"{TABLE} --by gleich", ["gleich", "another"]),
    ("chart gilten gleich-hanger --by team-gleich", ["3 axes"]),
    (f"{TABLE} --by hangar", ["'hangar'", "did you mean 'hanger'"]),
    # Options
    ("--nonsense", ["--nonsense"]),
    (f"{TABLE} --nonsense", ["--nonsense"]),
    (f"{TABLE} --deal 5", ["--deal", "--deals"]),
    (f"{TABLE} --deals", ["--deals"]),
]


def is_refused(answer: tuple[int, str, str], *named: str) -> None:
    code, out, err = answer
    assert code == 2
    assert out == ""
    assert err.startswith("mournival: ")
    assert err.endswith("\n")
    assert len(err.splitlines()) == 1
    assert not re.search(r"Traceback|Error\b|object at 0x|\.py\b", err), err
    assert [part for part in named if part not in err] == [], err


@pytest.fixture(autouse=True)
def _empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def nothing_is_dealt(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is wrong is told at once, not after an hour of dealing."""

    def refuse(*_: object) -> NoReturn:
        raise AssertionError("dealt before the question was found wrong")

    monkeypatch.setattr("sims.runs.run_block", refuse)


@pytest.mark.usefixtures("nothing_is_dealt")
@pytest.mark.parametrize(("words", "named"), BAD, ids=[words for words, _ in BAD])
def test_bad_input_is_one_line(mournival: Mournival, words: str, named: list[str]) -> None:
    is_refused(mournival(*shlex.split(words)), *named)
    assert os.listdir() == []


@pytest.mark.parametrize(
    "words",
    [
        [""],
        ["table", "", ""],
        ["table", "gilten", "gleich", "--deals", ""],
        ["deal", "two\nlines"],
        ["table", "gilten", "gleich", "--where", 5_000 * "("],
        ["table", "gilten", "gleich", "--where", 5_000 * "not " + "hanger"],
    ],
    ids=lambda words: repr(words)[:60],
)
def test_odd_words_are_one_line_too(mournival: Mournival, words: list[str]) -> None:
    is_refused(mournival(*words))


@pytest.mark.usefixtures("nothing_is_dealt")
@pytest.mark.parametrize("command", ["table", "chart"])
@pytest.mark.parametrize(
    ("path", "reason"),
    [
        ("missing/out.svg", "No such file"),
        ("file/out.svg", "Not a directory"),
        ("folder.svg", "not a regular file"),
        ("n" * 300 + ".svg", "too long"),
    ],
)
def test_what_cannot_be_written_is_told_before_anything_is_dealt(
    mournival: Mournival, command: str, path: str, reason: str
) -> None:
    Path("file").write_bytes(b"")
    Path("folder.svg").mkdir()
    words = [command, "gilten", "gleich", "--deals", "10", "--out", path]
    answer = mournival(*words, *(["--format", "csv"] if command == "table" else []))
    is_refused(answer, f"cannot write {path}: ", reason)
    assert sorted(os.listdir()) == ["file", "folder.svg"]
    assert os.listdir("folder.svg") == []


@posix
def test_a_device_is_no_file_to_write(mournival: Mournival) -> None:
    words = ["table", "gilten", "gleich", "--deals", "10", "--out"]
    for device in ("/dev/null", "/dev/full"):
        is_refused(mournival(*words, device), f"cannot write {device}: not a regular file")


@posix
def test_a_loop_of_links_is_no_file_to_write(mournival: Mournival) -> None:
    Path("loop").symlink_to("loop")
    answer = mournival("table", "gilten", "gleich", "--deals", "10", "--out", "loop")
    is_refused(answer, "cannot write loop: ")


def test_what_was_there_stays_if_the_question_is_bad(mournival: Mournival) -> None:
    Path("table.csv").write_text("old")
    is_refused(mournival("table", "gilten", "gliech", "--out", "table.csv"))
    is_refused(mournival("table", "gilten", "gleich", "--part", "no", "--out", "table.csv"))
    assert Path("table.csv").read_text() == "old"
    assert os.listdir() == ["table.csv"]


#: Nothing larger than 64 bytes can be written: the disk is full.
FULL_DISK = """
import resource, signal, sys
from analysis.cli import main
import analysis.charts, analysis.formats, analysis.studies
analysis.studies.table("gilten", "gleich", deals=10)  # whatever is to be compiled is
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (64, 64))
main()
"""


@posix
@pytest.mark.parametrize(
    ("command", "name", "old"), [("table", "out.csv", None), ("chart", "out.svg", b"old")]
)
def test_a_full_disk_leaves_everything_as_it_was(
    command: str, name: str, old: bytes | None
) -> None:
    if old is not None:
        Path(name).write_bytes(old)
    words = [command, "gilten", "gleich", "--deals", "10", "--out", name]
    done = subprocess.run(
        [sys.executable, "-c", FULL_DISK, *words],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    is_refused((done.returncode, done.stdout, done.stderr), f"cannot write {name}: File too large")
    assert os.listdir() == ([] if old is None else [name])
    assert old is None or Path(name).read_bytes() == old


def test_a_report_that_is_none_cannot_be_checked(mournival: Mournival) -> None:
    is_refused(mournival("report", "--check", "--out", "nowhere"), "nowhere", "manifest.json")
    Path("manifest.json").write_text("{}")
    is_refused(mournival("report", "--check", "--out", "."), "manifest.json", "no manifest")
    assert os.listdir() == ["manifest.json"]


@pytest.mark.usefixtures("nothing_is_dealt")
def test_a_report_needs_a_folder(mournival: Mournival) -> None:
    Path("file").write_bytes(b"")
    is_refused(mournival("report", "--deals", "10", "--out", "file"), "cannot write file: ")
    is_refused(mournival("report", "--deals", "10", "--out", "file/sub"), "cannot write file/sub: ")
    assert os.listdir() == ["file"]
