"""The command line as its user meets it: what it prints, where, and with which exit code.

Most commands run in this process. Those of which the process itself matters, as for signals,
closed pipes and memory, run in one of their own.
"""

from __future__ import annotations

import csv
import io
import json
import os
import re
import shlex
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import IO, Any

import click
import pyarrow.parquet as pq
import pytest
from numba.core import config

from analysis import formats, table
from analysis.cli import cli
from analysis.cli.tables import FORMAT_OF_SUFFIX
from sims import __version__, runs
from sims.games import GAMES, game

Mournival = Callable[..., tuple[int, str, str]]

posix = pytest.mark.skipif(sys.platform == "win32", reason="needs POSIX processes")

#: The command in a process of its own, before whose words these stand.
MAIN = "from analysis.cli import main; main()"
#: Sends its own process an interrupt from the thread that deals a later block.
INTERRUPTED_MAIN = """
import os, signal
from analysis.cli import main
from sims import runs
run_block = runs.run_block
def interrupting(study, start, *others):
    if start >= 200_000:
        os.kill(os.getpid(), signal.SIGINT)
    return run_block(study, start, *others)
runs.run_block = interrupting
main()
"""
#: Sends its own process an interrupt before anything is dealt.
INTERRUPTED_EARLY = """
import os, signal
from analysis import studies
from analysis.cli import main
signal.signal(signal.SIGINT, signal.default_int_handler)  # a job in the background ignores it
studies.exact_counts = lambda study: os.kill(os.getpid(), signal.SIGINT)
main()
"""
MEASURED_MAIN = """
import resource, sys
from analysis.cli import cli
cli.main(standalone_mode=False)
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, file=sys.stderr)
"""


def process(
    words: str,
    *more: str,
    script: str = MAIN,
    stdout: int | IO[bytes] = subprocess.PIPE,
    stderr: int | IO[bytes] = subprocess.PIPE,
    **environment: str,
) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [sys.executable, "-c", script, *words.split(), *more],
        stdout=stdout,
        stderr=stderr,
        env={**os.environ, **environment},
        timeout=120,
        check=False,
    )


def rows_of(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


# Help --------------------------------------------------------------------------------------------


def test_without_words_the_help_is_shown(mournival: Mournival) -> None:
    code, out, err = mournival()
    assert (code, err) == (0, "")
    assert out.startswith("Usage: mournival")
    assert mournival("--help") == (0, out, "")
    assert all(command in out for command in cli.commands)


@pytest.mark.parametrize("command", list(cli.commands))
def test_every_command_has_help_that_says_what_each_option_is(
    mournival: Mournival, command: str
) -> None:
    code, out, err = mournival(command, "--help")
    assert (code, err) == (0, "")
    assert f"Usage: mournival {command}" in out
    for parameter in cli.commands[command].params:
        if isinstance(parameter, click.Option):
            assert parameter.opts[0] in out
            assert parameter.help, f"{parameter.opts[0]} has no help"
        else:
            assert parameter.make_metavar(click.Context(cli)) in out


def test_the_version_is_that_of_the_package(mournival: Mournival) -> None:
    assert mournival("--version") == (0, f"mournival {__version__}\n", "")


def test_the_module_is_the_command() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "analysis.cli", "--version"], capture_output=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.decode() == f"mournival {__version__}\n"


@pytest.mark.parametrize("words", [[], ["--help"], ["table", "--help"]], ids=str)
def test_help_is_there_at_once(words: list[str]) -> None:
    """None of the libraries that take their time is imported for it."""
    heavy = ["numpy", "numba", "pandas", "scipy", "matplotlib", "pyarrow", "rich", "sims"]
    script = f"""
import sys
from analysis.cli import cli
try:
    cli.main({words!r}, prog_name="mournival")
except SystemExit:
    pass
print([name for name in {heavy} if name in sys.modules], file=sys.stderr)
"""
    done = process("", script=script)
    assert done.stderr.decode() == "[]\n"


def test_figures_lists_every_game_figure_and_rule(mournival: Mournival) -> None:
    code, out, err = mournival("figures")
    assert (code, err) == (0, "")
    for name in GAMES:
        known = game(name)
        assert f"{name}: " in out
        for figure in known.figures(known.Rules()).values():
            assert f" {figure.name} " in out
            assert figure.title in out
    assert "--rule tie=stands (default), forehand, trump_then_forehand" in out
    assert "--rule players=4 (default), 2" in out
    assert "--rule target=11 (default), 15; in play only" in out
    assert "--policy steady    Waits for a good hand, holds what may still win" in out


# Tables ------------------------------------------------------------------------------------------


def test_a_table_is_printed_with_a_million_deals_of_seed_1(mournival: Mournival) -> None:
    code, out, err = mournival("table", "gilten", "gleich")
    assert (code, err) == (0, "")
    assert out == formats.terminal(table("gilten", "gleich", deals=1_000_000, seed=1))
    assert out.endswith("mournival table gilten gleich --deals 1000000 --seed 1\n")


@pytest.mark.parametrize("name", [name for name in formats.FORMATS if name != "parquet"])
def test_every_format_goes_to_stdout(mournival: Mournival, name: str) -> None:
    code, out, err = mournival("table", "gilten", "team-gleich", "--deals", "1e3", "--format", name)
    assert (code, err) == (0, "")
    assert out == formats.FORMATS[name](table("gilten", "team-gleich", deals=1_000))


@pytest.mark.parametrize("suffix", [*FORMAT_OF_SUFFIX, ".CSV", ""])
def test_a_files_suffix_chooses_the_format(
    mournival: Mournival, suffix: str, tmp_path: Path
) -> None:
    path = tmp_path / f"table{suffix}"
    done = mournival("table", "gilten", "gleich", "--deals", "100", "--out", str(path))
    assert done == (0, "", "")
    content = formats.FORMATS[FORMAT_OF_SUFFIX.get(suffix.lower(), "table")](
        table("gilten", "gleich", deals=100)
    )
    expected = content if isinstance(content, bytes) else content.encode()
    assert path.read_bytes() == expected
    assert os.listdir(tmp_path) == [path.name]


def test_a_suffix_that_is_none_needs_a_format(mournival: Mournival, tmp_path: Path) -> None:
    path = tmp_path / "table.dat"
    words = ["table", "gilten", "gleich", "--deals", "10", "--out", str(path)]
    assert mournival(*words)[0] == 2
    assert not path.exists()
    assert mournival(*words, "--format", "csv") == (0, "", "")
    assert path.read_text(encoding="utf-8") == formats.csv(table("gilten", "gleich", deals=10))


def test_the_format_asked_for_goes_before_the_suffix(mournival: Mournival, tmp_path: Path) -> None:
    path = tmp_path / "table.txt"
    words = ["--deals", "10", "--format", "json", "--out", str(path)]
    assert mournival("table", "gilten", "gleich", *words) == (0, "", "")
    assert json.loads(path.read_text(encoding="utf-8"))["study"]["deals"] == 10


def csv_of(mournival: Mournival, *words: str) -> str:
    code, out, err = mournival("table", *words, "--format", "csv")
    assert (code, err) == (0, "")
    return out


def test_numbers_may_be_written_in_three_ways(mournival: Mournival) -> None:
    plain = csv_of(mournival, "gilten", "hanger", "--deals", "20000")
    assert csv_of(mournival, "gilten", "hanger", "--deals", "2e4") == plain
    assert csv_of(mournival, "gilten", "hanger", "--deals", "20_000") == plain
    assert rows_of(plain)[0]["deals"] == "20000"


def test_players_is_short_for_a_rule(mournival: Mournival) -> None:
    words = ["gilten", "team-gleich", "--deals", "1e3"]
    short = csv_of(mournival, *words, "--players", "2")
    assert short == csv_of(mournival, *words, "--rule", "players=2")
    assert short != csv_of(mournival, *words)
    assert csv_of(mournival, *words, "--rule", "players=4") == csv_of(mournival, *words)
    assert csv_of(mournival, *words, "--rule", " tie = stands ") == csv_of(mournival, *words)


def test_seeds_and_starts_choose_the_deals(mournival: Mournival) -> None:
    words = ["gilten", "team-hanger", "--deals"]
    whole = rows_of(csv_of(mournival, *words, "5e3", "--seed", "0"))
    first = rows_of(csv_of(mournival, *words, "2e3", "--seed", "0"))
    more = rows_of(csv_of(mournival, *words, "3e3", "--seed", "0", "--start", "2e3"))
    counts = [[int(row["count"]) for row in rows] for rows in (first, more, whole)]
    assert [one + other for one, other in zip(counts[0], counts[1], strict=True)] == counts[2]
    usual = rows_of(csv_of(mournival, *words, "5e3"))
    assert [row["count"] for row in usual] != [row["count"] for row in whole]
    assert usual == rows_of(csv_of(mournival, *words, "5e3", "--seed", "1"))


def test_exact_only_deals_nothing(mournival: Mournival, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runs, "run_block", None)
    rows = rows_of(csv_of(mournival, "gilten", "gleich", "--exact-only"))
    assert list(rows[0]) == ["part", "size", "rank", "ways", "total", "exact"]
    assert sum(int(row["ways"]) for row in rows) == 201_376


def test_at_least_accumulates(mournival: Mournival) -> None:
    rows = rows_of(csv_of(mournival, "gilten", "gleich", "--at-least", "--deals", "1e3"))
    ways = {(row["size"], row["rank"]): int(row["ways"]) for row in rows}
    assert ways["quartet", "7"] == 224
    assert ways["triplet", "7"] == 224 + 12_096
    assert ways["pair", "7"] == 201_376 - 57_344
    assert ways["none", ""] == 201_376
    assert rows[0]["count"] == "1000"


def test_at_least_says_which_parts_it_leaves_out(mournival: Mournival) -> None:
    words = ["table", "giley", "best", "--at-least", "--exact-only"]
    code, out, err = mournival(*words)
    assert code == 0
    assert "winner" not in out
    assert err == "mournival: --at-least leaves out what has no order: winner\n"
    assert mournival(*words, "--part", "tie")[2] == ""


def test_one_part_can_be_asked_for(mournival: Mournival) -> None:
    words = ["gilten", "team-gleich", "--deals", "1e3"]
    whole = csv_of(mournival, *words)
    outcome = rows_of(csv_of(mournival, *words, "--part", "outcome"))
    assert [row["outcome"] for row in outcome] == ["ours", "theirs", "stands", "none"]
    assert [row["count"] for row in outcome] == [row["count"] for row in rows_of(whole)[:4]]
    assert "ours_size" not in outcome[0]


def test_levels_and_kinds_of_interval(mournival: Mournival) -> None:
    words = ["gilten", "gleich", "--deals", "1e4"]
    usual = rows_of(csv_of(mournival, *words))[0]
    others = [
        rows_of(csv_of(mournival, *words, *more))[0]
        for more in (
            ["--interval", "clopper-pearson"],
            ["--level", "0.99"],
            ["--level", "0.99", "--simultaneous"],
        )
    ]
    highs = [float(row["high"]) for row in [usual, *others]]
    assert highs == sorted(highs)
    assert len(set(highs)) == 4
    assert {row["count"] for row in [usual, *others]} == {usual["count"]}


@pytest.mark.parametrize("jobs", ["1", "2", "7"])
def test_threads_change_no_byte(mournival: Mournival, jobs: str) -> None:
    words = ["gilten", "team-hanger", "--deals", "3e5"]
    assert csv_of(mournival, *words, "--jobs", jobs) == csv_of(mournival, *words)


def test_a_progress_bar_is_only_for_who_watches(mournival: Mournival) -> None:
    assert mournival("table", "gilten", "gleich", "--deals", "1e5")[2] == ""
    quiet = mournival("table", "gilten", "gleich", "--deals", "1e5", "--quiet")
    assert quiet == mournival("table", "gilten", "gleich", "--deals", "1e5")


# Charts and deals --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "magic"), [("svg", b"<?xml"), ("pdf", b"%PDF"), ("png", b"\x89PNG"), ("SVG", b"<?xml")]
)
def test_a_chart_is_written_and_named(
    mournival: Mournival, tmp_path: Path, kind: str, magic: bytes
) -> None:
    path = tmp_path / f"chart.{kind}"
    words = ["gilten", "team-gleich", "--deals", "1e3", "--out", str(path)]
    assert mournival("chart", *words) == (0, f"{path}\n", "")
    assert path.read_bytes().startswith(magic)
    assert os.listdir(tmp_path) == [path.name]


def test_a_chart_without_a_name_is_called_after_its_figure(
    mournival: Mournival, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    code, out, err = mournival("chart", "gilten", "team-hanger", "--exact-only")
    assert (code, out, err) == (0, "gilten-team-hanger.svg\n", "")
    assert os.listdir(tmp_path) == ["gilten-team-hanger.svg"]


@pytest.mark.parametrize(
    ("words", "name"),
    [
        ("gilten team-gleich --part classes", "gilten-team-gleich-classes"),
        (
            "gilten team-gleich --players 2 --rule tie=trump_then_forehand --part outcome",
            "gilten-team-gleich-outcome-players-2-tie-trump-then-forehand",
        ),
        ("gilten gleich --by hanger", "gilten-gleich-by-hanger"),
        ("gilten gleich --at-least", "gilten-gleich-at-least"),
        (
            "gleek ruff --where 'aces>=3 and not gleek(K)'",
            "gleek-ruff-where-aces-at-least-3-and-not-gleek-K",
        ),
        (
            "gleek ruff --where 'aces<=3 and not gleek(K)'",
            "gleek-ruff-where-aces-at-most-3-and-not-gleek-K",
        ),
    ],
)
def test_charts_of_other_questions_have_other_names(
    mournival: Mournival, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: str, name: str
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("analysis.charts.drawn", lambda *_: b"")
    assert mournival("chart", *shlex.split(words), "--exact-only") == (0, f"{name}.svg\n", "")
    assert os.listdir(tmp_path) == [f"{name}.svg"]


def test_the_same_chart_is_the_same_bytes(mournival: Mournival, tmp_path: Path) -> None:
    for name in ("one.svg", "other.svg"):
        words = ["gilten", "gleich", "--deals", "1e3", "--width", "84mm"]
        assert mournival("chart", *words, "--out", str(tmp_path / name))[0] == 0
    assert (tmp_path / "one.svg").read_bytes() == (tmp_path / "other.svg").read_bytes()


def test_a_part_of_a_figure_can_be_drawn(mournival: Mournival, tmp_path: Path) -> None:
    sizes = []
    for part in ("outcome", "classes"):
        path = tmp_path / f"{part}.svg"
        words = ["gilten", "team-gleich", "--exact-only", "--part", part, "--out", str(path)]
        assert mournival("chart", *words)[0] == 0
        sizes.append(path.stat().st_size)
    assert sizes[0] < sizes[1]


@pytest.mark.parametrize("name", list(GAMES))
def test_a_deal_of_every_game_is_shown(mournival: Mournival, name: str) -> None:
    code, out, err = mournival("deal", name)
    assert (code, err) == (0, "")
    assert out.startswith(f"{name.capitalize()}, deal 0 of seed 1\n")
    code, out, err = mournival("deal", name, "--format", "json", "--seed", "0", "--index", "1e3")
    assert (code, err) == (0, "")
    document = json.loads(out)
    assert (document["game"], document["seed"], document["index"]) == (name, 0, 1_000)


def test_a_deal_is_the_one_that_a_table_counts(mournival: Mournival) -> None:
    deal = json.loads(mournival("deal", "gilten", "--format", "json", "--index", "17")[1])
    rows = rows_of(csv_of(mournival, "gilten", "gleich", "--start", "17", "--deals", "1"))
    (dealt,) = (row for row in rows if row["count"] == "1")
    assert f"{dealt['size']} {dealt['rank']}".strip() == deal["hands"][0]["gleich"]
    rows = rows_of(csv_of(mournival, "gilten", "team-hanger", "--start", "17", "--deals", "1"))
    (dealt,) = (row for row in rows if row["count"] == "1" and row["part"] == "outcome")
    assert dealt["outcome"] == deal["hanger"]


def test_two_players_have_two_hands(mournival: Mournival) -> None:
    deal = json.loads(mournival("deal", "gilten", "--players", "2", "--format", "json")[1])
    assert [hand["seat"] for hand in deal["hands"]] == ["forehand", "dealer"]


# Interrupted -------------------------------------------------------------------------------------


@pytest.fixture
def interrupted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-C arrives while a later block is dealt."""
    run_block = runs.run_block

    def interrupting(study: runs.Study, start: int, *others: Any) -> Any:
        if start >= 200_000:
            os.kill(os.getpid(), signal.SIGINT)
        return run_block(study, start, *others)

    monkeypatch.setattr(runs, "run_block", interrupting)


@posix
@pytest.mark.usefixtures("interrupted")
def test_what_was_done_before_an_interrupt_is_shown(
    mournival: Mournival, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = ["table", "gilten", "gleich", "--format", "csv", "--jobs", "2"]
    code, out, err = mournival(*words, "--deals", "1e12")
    assert code == 130
    done = rows_of(out)[0]["deals"]
    assert 200_000 <= int(done) < 10**12
    assert sum(int(row["count"]) for row in rows_of(out)) == int(done)
    assert len(err.splitlines()) == 1
    assert f"{int(done):,} of 1,000,000,000,000 deals" in err
    monkeypatch.undo()
    assert table("gilten", "gleich", deals=int(done)).to_frame()["count"].tolist() == [
        int(row["count"]) for row in rows_of(out)
    ]


@posix
@pytest.mark.usefixtures("interrupted")
def test_a_file_of_an_interrupted_run_is_whole(mournival: Mournival, tmp_path: Path) -> None:
    words = ["table", "gilten", "gleich", "--deals", "1e12", "--out"]
    code, out, _ = mournival(*words, str(tmp_path / "table.parquet"))
    assert (code, out) == (130, "")
    assert os.listdir(tmp_path) == ["table.parquet"]
    back = pq.read_table(tmp_path / "table.parquet").to_pandas()
    assert back["count"].sum() == back["deals"][0] < 10**12
    code, _, _ = mournival("chart", *words[1:], str(tmp_path / "chart.svg"))
    assert code == 130
    assert sorted(os.listdir(tmp_path)) == ["chart.svg", "table.parquet"]
    assert (tmp_path / "chart.svg").read_bytes().rstrip().endswith(b"</svg>")


@posix
@pytest.mark.usefixtures("no_quartet_is_dealt_before_the_interrupt")
def test_an_interrupt_before_a_condition_was_fulfilled_is_an_interrupt(
    mournival: Mournival,
) -> None:
    """And no mistake of the user's."""
    words = ["table", "gilten", "gleich", "--deals", "1e6", "--where", "gleich=quartet-7"]
    code, out, err = mournival(*words, "--jobs", "1")
    assert code == 130
    assert "interrupted" in err
    assert len(err.splitlines()) == 1
    assert "fulfilled" in out or not out


@pytest.fixture
def no_quartet_is_dealt_before_the_interrupt(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-C in the first of blocks so small that only some hundred deals are done."""
    run_block = runs.run_block

    def interrupting(study: runs.Study, start: int, *others: Any) -> Any:
        os.kill(os.getpid(), signal.SIGINT)
        return run_block(study, start, *others)

    monkeypatch.setattr(runs, "_FIRST_BLOCK", 10)
    monkeypatch.setattr(runs, "run_block", interrupting)


@posix
def test_an_interrupted_process_ends_with_130_and_its_prefix() -> None:
    words = "table gilten gleich --deals 1e12 --format csv"
    done = process(words, script=INTERRUPTED_MAIN)
    assert done.returncode == 130
    assert b"Traceback" not in done.stderr
    assert len(done.stderr.splitlines()) == 1
    rows = rows_of(done.stdout.decode())
    assert sum(int(row["count"]) for row in rows) == int(rows[0]["deals"])


@posix
def test_an_interrupt_before_the_first_deal_shows_nothing(tmp_path: Path) -> None:
    path = str(tmp_path / "table.csv")
    done = process("table gilten gleich --out", path, script=INTERRUPTED_EARLY)
    assert done.returncode == 130
    assert done.stdout == b""
    assert done.stderr.decode().strip() == "mournival: interrupted"
    assert os.listdir(tmp_path) == []


# Pipes, terminals, encodings ---------------------------------------------------------------------


@posix
def test_a_pipe_closed_before_anything_is_written_is_quiet() -> None:
    reading, writing = os.pipe()
    os.close(reading)
    try:
        done = process("--help", stdout=writing)
    finally:
        os.close(writing)
    assert (done.returncode, done.stderr) == (0, b"")


@posix
def test_head_takes_a_line_and_nobody_complains() -> None:
    """More than a pipe holds, so that the writer meets the closed end."""
    words = "table gilten gleich-hanger --deals 10 --format json"
    command = f"{sys.executable} -c '{MAIN}' {words} | head -1; exit ${{PIPESTATUS[0]}}"
    done = subprocess.run(["bash", "-c", command], capture_output=True, timeout=120, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"{\n", b"")


@posix
@pytest.mark.parametrize("words", ["--help", "table gilten gleich --deals 10 --format parquet"])
def test_a_full_disk_behind_stdout_is_one_line_and_2(words: str) -> None:
    with open("/dev/full", "wb") as full:
        done = process(words, stdout=full)
    assert done.returncode == 2
    assert done.stderr.decode().startswith("mournival: cannot write the output: No space left")
    assert len(done.stderr.splitlines()) == 1


@posix
def test_without_stdout_there_is_an_error_and_no_traceback() -> None:
    command = f"{sys.executable} -c '{MAIN}' figures >&-"
    done = subprocess.run(["bash", "-c", command], capture_output=True, timeout=120, check=False)
    assert done.returncode == 2
    assert len(done.stderr.splitlines()) == 1


@posix
@pytest.mark.parametrize("closed", ["2>&-", "2>/dev/full"])
def test_an_error_that_nobody_can_read_keeps_its_code_and_leaves_stdout_alone(closed: str) -> None:
    command = f"{sys.executable} -c '{MAIN}' tabel {closed}"
    done = subprocess.run(["bash", "-c", command], capture_output=True, timeout=120, check=False)
    assert (done.returncode, done.stdout) == (2, b"")


@posix
def test_without_stderr_the_data_arrive_all_the_same() -> None:
    command = f"{sys.executable} -c '{MAIN}' table gilten gleich --deals 10 --format csv 2>&-"
    done = subprocess.run(["bash", "-c", command], capture_output=True, timeout=120, check=False)
    assert done.returncode == 0
    assert done.stdout.decode() == formats.csv(table("gilten", "gleich", deals=10))


def test_parquet_goes_through_a_pipe() -> None:
    done = process("table gilten gleich --deals 10 --format parquet")
    assert (done.returncode, done.stderr) == (0, b"")
    assert pq.read_table(io.BytesIO(done.stdout)).num_rows == 25


def test_a_terminal_of_another_encoding_can_show_a_table() -> None:
    """As on Windows, or under LANG=C: the dash of an interval is not in every encoding."""
    done = process("table gilten gleich --deals 1000", PYTHONIOENCODING="ascii")
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"Gilten: Gleich in a hand" in done.stdout
    assert b"28.4761 %" in done.stdout
    # A minus sign and the dash of an interval have a stand-in, for a sign must not be lost.
    assert re.search(rb" 2[78]\.\d+-\d\d\.\d+ % ", done.stdout)
    scores = [line.split()[-1] for line in done.stdout.splitlines() if b"%  " in line]
    assert any(score.startswith(b"-") for score in scores)
    assert b"?" not in done.stdout


def test_the_same_command_is_the_same_bytes_in_another_process(mournival: Mournival) -> None:
    words = "table gilten gleich-hanger --deals 1e5 --format json"
    code, here, _ = mournival(*words.split())
    there = process(words, "--jobs", "3", PYTHONHASHSEED="1", COLUMNS="40", LC_ALL="C")
    assert (code, there.returncode) == (0, 0)
    assert there.stdout == here.encode()


@pytest.mark.parametrize("command", ["table", "chart"])
def test_who_watches_sees_a_bar_and_data_stay_clean(
    mournival: Mournival, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, command: str
) -> None:
    monkeypatch.chdir(tmp_path)
    words = [command, "gilten", "team-gleich", "--deals", "1e5"]
    unwatched = mournival(*words)
    assert unwatched[2] == ""
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    code, out, err = mournival(*words)
    assert (code, out) == unwatched[:2]
    assert "gilten team-gleich" in err
    assert "100,000" in err
    assert mournival(*words, "--quiet") == unwatched


@posix
def test_a_bar_is_shown_in_a_real_terminal_and_wiped_after() -> None:
    import pty

    watcher, terminal = pty.openpty()
    try:
        done = process("table gilten gleich --deals 1e5 --format csv", stderr=terminal)
        seen = os.read(watcher, 1 << 16)
    finally:
        os.close(watcher)
        os.close(terminal)
    assert done.returncode == 0, seen.decode()
    assert done.stdout.decode() == formats.csv(table("gilten", "gleich", deals=100_000))
    assert b"gilten gleich" in seen
    assert seen.count(b"\x1b[?25l") == seen.count(b"\x1b[?25h")  # the cursor is shown again


def test_parquet_is_not_for_a_terminal(
    mournival: Mournival, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    code, out, err = mournival("table", "gilten", "gleich", "--deals", "10", "--format", "parquet")
    assert (code, out) == (2, "")
    assert err == "mournival: parquet is not for a terminal: name a file with --out\n"


# Memory ------------------------------------------------------------------------------------------


@posix
@pytest.mark.compiled
def test_a_thousand_times_the_deals_need_no_more_memory() -> None:
    """Slack: 40 MB, a twentieth of a byte a deal; one bit a deal would be 125 MB."""
    many = "1e8" if config.BOUNDSCHECK else "1e9"
    peaks = []
    for deals in ("1e6", many):
        words = f"table gilten gleich --deals {deals} --format csv"
        done = process(words, script=MEASURED_MAIN)
        assert done.returncode == 0, done.stderr.decode()
        kilobytes = int(done.stderr) / (1024 if sys.platform == "darwin" else 1)
        peaks.append(kilobytes / 1024)
    assert peaks[1] - peaks[0] < 40
