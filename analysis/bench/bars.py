"""Measure, judge and print: each figure of speed beside its bar.

Times on a shared machine drift, so a bar is a ratio of two programs timed in turns within one run,
and the ratio printed is the median over the rounds of each round's ratio. One thread is timed in
CPU time; threads and whole processes, on the wall clock.
"""

from __future__ import annotations

import os
import platform
import random
import subprocess
import sys
import time
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any, Literal, NamedTuple

import numba
import numpy as np
from numpy.typing import NDArray

from analysis.bench import c_yardstick, numpy_yardsticks, python_yardsticks
from sims import blocks, giley, gilten, gleek, runs
from sims.dealing import Plan
from sims.figures import Figure, Part, Tally, crossed
from sims.games import GAMES, game
from sims.giley.deals import deal_plan as giley_plan
from sims.gilten.deals import deal_plan as gilten_plan
from sims.gilten.solver import solve_deals
from sims.gleek.deals import deal_plan as gleek_plan
from sims.gleek.figures import INCOMES, RUFFS
from sims.streams import Purpose, Stream, stream_word

SEED = 1
ROUNDS = 7
#: Kernel and C are close, and short to time.
C_ROUNDS = 21
#: Cold starts, and warm ones after each.
COLD_STARTS, WARM_STARTS = 3, 2

#: Deals a timing.
KERNEL_DEALS, NUMPY_DEALS, PYTHON_DEALS = 1 << 21, 100_000, 2_000
THREADS_DEALS, EQUAL_DEALS = 100_000_000, 1_000_000
SOLVER_DEALS = 1 << 14

_DEALING = stream_word(Purpose.MEASURE, Stream.DEALING)

Verdict = Literal["met", "missed", ""]


class Bar(NamedTuple):
    """What a figure has to reach: `unit` is `x` for a ratio, `s` for seconds."""

    side: Literal["at least", "at most"]
    limit: float
    unit: Literal["x", "s"]

    def verdict(self, figure: float) -> Verdict:
        met = figure >= self.limit if self.side == "at least" else figure <= self.limit
        return "met" if met else "missed"

    def __str__(self) -> str:
        return f"{self.side} {self.limit:g} {self.unit}"


class Row(NamedTuple):
    """One line of what is printed; a row without a verdict has no bar or was left out."""

    what: str
    measured: str
    figure: str = ""
    bar: str = ""
    verdict: Verdict = ""


class Rival(NamedTuple):
    """A program to be timed: `run` does `units` of the work."""

    name: str
    run: Callable[[], object]
    units: int = 1


class Duel(NamedTuple):
    """Two programs timed in turns: seconds a unit of work, round by round."""

    ours: list[float]
    theirs: list[float]

    @property
    def times_as_fast(self) -> float:
        """How many times as long theirs takes as ours."""
        return median(theirs / ours for ours, theirs in zip(self.ours, self.theirs, strict=True))

    @property
    def times_as_long(self) -> float:
        """How many times as long ours takes as theirs."""
        return median(ours / theirs for ours, theirs in zip(self.ours, self.theirs, strict=True))


def duel(ours: Rival, theirs: Rival, rounds: int, clock: Callable[[], float]) -> Duel:
    """Time two programs in turns, after one round that does not count."""
    result = Duel([], [])
    for number in range(rounds + 1):
        for rival, times in zip((ours, theirs), result, strict=True):
            began = clock()
            rival.run()
            seconds = clock() - began
            if number > 0:
                times.append(seconds / rival.units)
    return result


class Job(NamedTuple):
    """What is dealt, judged and counted in one game, by the kernel and its rivals.

    Attributes
    ----------
    work : str
        In words.
    tally_block, rules, figure, plan
        The kernel and what it is given.
    faster : float
        How many times as fast as numpy the kernel has to be.
    numpy, python : callable
        Yardsticks: given a generator and a number of deals.
    """

    work: str
    tally_block: Callable[..., NDArray[np.int64]]
    rules: Any
    figure: Figure
    plan: Plan
    faster: float
    numpy: Callable[[np.random.Generator, int], object]
    python: Callable[[random.Random, int], object]

    def counts(
        self, start: int, stop: int, seed: int = SEED, stream: int = _DEALING
    ) -> NDArray[np.int64]:
        """The kernel's flat counts over the deals `start` to `stop`: (cells,)."""
        counts = self.tally_block(self.figure, self.rules, seed, stream, start, stop)
        return counts[: self.figure.cells]


def jobs() -> dict[str, Job]:
    """The work by which each game is measured."""
    gilten_rules, giley_rules, gleek_rules = gilten.Rules(), giley.Rules(players=5), gleek.Rules()
    teams, best = gilten.figures(gilten_rules), giley.figures(giley_rules)["best"]
    points, winner = (part.readings for part in best.parts if part.name in ("points", "winner"))
    return {
        "gilten": Job(
            work="Gleich and Hanger of four hands, outcomes between teams",
            tally_block=gilten.tally_block,
            rules=gilten_rules,
            figure=crossed(teams["team-gleich"], teams["team-hanger"]),
            plan=gilten_plan(gilten_rules.players),
            faster=60,
            numpy=numpy_yardsticks.gilten,
            python=python_yardsticks.gilten,
        ),
        "giley": Job(
            work="best points and winner of five players",
            tally_block=giley.tally_block,
            rules=giley_rules,
            figure=Figure("best", best.title, (Part("joint", points + winner),)),
            plan=giley_plan(giley_rules.players),
            faster=90,
            numpy=numpy_yardsticks.giley,
            python=python_yardsticks.giley,
        ),
        "gleek": Job(
            work="ruffs and sets of three hands, six histograms",
            tally_block=gleek.tally_block,
            rules=gleek_rules,
            figure=Figure(
                "hands",
                "Ruffs and sets of three hands",
                tuple(Part(str(reading.code), (reading,)) for reading in (*RUFFS, *INCOMES)),
            ),
            plan=gleek_plan(),
            faster=85,
            numpy=numpy_yardsticks.gleek,
            python=python_yardsticks.gleek,
        ),
    }


def measure_and_print() -> bool:
    """Measure everything, print the table, and say whether every bar is met."""
    print(machine(), flush=True)
    rows = [row for name, job in jobs().items() if name in GAMES for row in rows_of(name, job)]
    rows += [solver_row()]
    rows += [threads_row(blocks.available_cores()), *map(equality_row, GAMES), *start_up_rows()]
    print(table(rows), end="", flush=True)
    return all_met(rows)


def all_met(rows: list[Row]) -> bool:
    """Whether no bar is missed; what was left out is not missed."""
    return all(row.verdict != "missed" for row in rows)


def rows_of(name: str, job: Job) -> list[Row]:
    """One game's kernel beside numpy, C and plain Python."""
    _note(f"{name}: {job.work}")
    kernel = Rival("kernel", lambda: job.counts(0, KERNEL_DEALS), KERNEL_DEALS)
    rng, shuffler = np.random.default_rng(SEED), random.Random(SEED)
    vectorised = Rival("numpy", lambda: job.numpy(rng, NUMPY_DEALS), NUMPY_DEALS)
    plain = Rival("plain Python", lambda: job.python(shuffler, PYTHON_DEALS), PYTHON_DEALS)
    return [
        numpy_row(name, job, kernel, vectorised),
        c_row(name, job, kernel),
        python_row(name, kernel, plain),
    ]


def numpy_row(name: str, job: Job, kernel: Rival, vectorised: Rival) -> Row:
    """The kernel's bar over numpy."""
    times = duel(kernel, vectorised, ROUNDS, time.thread_time)
    return judged(
        f"{name}: kernel over numpy",
        _beside(kernel, vectorised, times),
        times.times_as_fast,
        Bar("at least", job.faster, "x"),
    )


def c_row(name: str, job: Job, kernel: Rival) -> Row:
    """The kernel's bar beside C, which must count the very same; a note where there is no C."""
    what = f"{name}: kernel's time over C's"
    try:
        tally = c_yardstick.built(name, job.plan, job.figure.cells)
    except c_yardstick.UnavailableError as reason:
        return Row(what, f"C yardstick: {reason}")
    c = Rival("C", lambda: tally(SEED, _DEALING, 0, KERNEL_DEALS), KERNEL_DEALS)
    if not np.array_equal(tally(SEED, _DEALING, 0, KERNEL_DEALS), job.counts(0, KERNEL_DEALS)):
        return Row(what, "C counts otherwise than the kernel", verdict="missed")
    times = duel(kernel, c, C_ROUNDS, time.thread_time)
    return judged(what, _beside(kernel, c, times), times.times_as_long, Bar("at most", 1.1, "x"))


def python_row(name: str, kernel: Rival, plain: Rival) -> Row:
    """The kernel beside plain Python, for information."""
    times = duel(kernel, plain, ROUNDS, time.thread_time)
    measured = _beside(kernel, plain, times)
    return Row(f"{name}: kernel over plain Python", measured, f"{times.times_as_fast:.0f} x")


def solver_row() -> Row:
    """The solver of Gilten beside C, which must find the very same; a note where there is no C."""
    what = "gilten: solver's time over C's"
    _note(f"{what}: {SOLVER_DEALS:,} deals")
    try:
        in_c = c_yardstick.built_solver()
    except c_yardstick.UnavailableError as reason:
        return Row(what, f"C yardstick: {reason}")
    *hands, turnups = gilten.deal_hands(gilten.Rules(), SEED, _DEALING, 0, SOLVER_DEALS)
    by_seat = np.array(hands)
    if not np.array_equal(in_c(by_seat, turnups), solve_deals(by_seat, turnups)):
        return Row(what, "C solves otherwise than the kernel", verdict="missed")
    kernel = Rival("kernel", lambda: solve_deals(by_seat, turnups), SOLVER_DEALS)
    c = Rival("C", lambda: in_c(by_seat, turnups), SOLVER_DEALS)
    times = duel(kernel, c, C_ROUNDS, time.thread_time)
    return judged(what, _beside(kernel, c, times), times.times_as_long, Bar("at most", 1.3, "x"))


def threads_row(cores: int) -> Row:
    """Two threads over one, on the wall clock."""
    what = "two cores over one"
    if cores < 2:
        return Row(what, "one core only: left out")
    _note(f"{what}: {THREADS_DEALS:,} deals of gilten")
    study = runs.Study("gilten", "team-gleich", gilten.Rules(), SEED)
    two = Rival("two cores", lambda: runs.run(study, THREADS_DEALS, jobs=2))
    one = Rival("one core", lambda: runs.run(study, THREADS_DEALS, jobs=1))
    times = duel(two, one, ROUNDS, time.perf_counter)
    measured = f"two {median(times.ours):.2f} s, one {median(times.theirs):.2f} s"
    return judged(what, measured, times.times_as_fast, Bar("at least", 1.9, "x"))


def equality_row(name: str) -> Row:
    """The same integers for any number of jobs and any order of blocks."""
    known = game(name)
    rules = known.Rules()
    study = runs.Study(name, next(iter(known.figures(rules))), rules, SEED)
    whole = _counts_of_blocks(study, [(0, EQUAL_DEALS)])
    sums = {f"{jobs} jobs": _counts_of_run(study, jobs) for jobs in (1, 2, 3)}
    sums["shuffled blocks"] = _counts_of_blocks(study, shuffled_blocks())
    differing = [how for how, counts in sums.items() if not np.array_equal(counts, whole)]
    return Row(
        f"{name}: the same integers",
        f"differ: {', '.join(differing)}" if differing else "1, 2, 3 jobs, blocks in any order",
        "different" if differing else "equal",
        "always",
        "missed" if differing else "met",
    )


def shuffled_blocks() -> list[tuple[int, int]]:
    """Blocks of odd sizes, so that batches begin and end anywhere, in any order."""
    chance = random.Random(SEED)
    ends = [0, *sorted(chance.sample(range(1, EQUAL_DEALS), 30)), EQUAL_DEALS]
    blocks = list(pairwise(ends))
    chance.shuffle(blocks)
    return blocks


def _counts_of_run(study: runs.Study, jobs: int) -> NDArray[np.int64]:
    return _flat(runs.run(study, EQUAL_DEALS, jobs=jobs).tally)


def _counts_of_blocks(study: runs.Study, blocks: list[tuple[int, int]]) -> NDArray[np.int64]:
    counts = np.sum([runs.run_block(study, start, stop) for start, stop in blocks], axis=0)
    return _flat(study.declared.split(counts))


def _flat(tally: Tally) -> NDArray[np.int64]:
    return np.concatenate([part.ravel() for part in tally.values()])


def start_up_rows() -> list[Row]:
    """Whole processes: help, a table with no kernel compiled yet, the same table again."""
    dealt = ("table", "gilten", "gleich", "--deals", "1e6")
    cold, warm, help_ = [], [], []
    for number in range(COLD_STARTS):
        _note(f"start-up: {number + 1} of {COLD_STARTS}, compiling anew")
        with TemporaryDirectory() as cache:
            cold.append(_process_seconds(dealt, cache))
            for _ in range(WARM_STARTS):
                warm.append(_process_seconds(dealt, cache))
                help_.append(_process_seconds(("--help",), cache))
    command = f"mournival {' '.join(dealt)}"
    return [
        start_up_row("mournival --help", help_, 0.15),
        start_up_row(f"{command}, warm", warm, 0.8),
        start_up_row(f"{command}, cold", cold, 5),
    ]


def start_up_row(what: str, seconds: list[float], limit: float) -> Row:
    """The bar of a process, by the median of several."""
    measured = f"{len(seconds)} processes, {min(seconds):.2f} to {max(seconds):.2f} s"
    return judged(what, measured, median(seconds), Bar("at most", limit, "s"))


def _process_seconds(arguments: tuple[str, ...], cache: str) -> float:
    """Wall seconds of one run of the command, with its kernels kept in a folder of its own."""
    began = time.perf_counter()
    subprocess.run(
        [sys.executable, "-m", "analysis.cli", *arguments],
        env=os.environ | {"NUMBA_CACHE_DIR": cache},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        check=True,
    )
    return time.perf_counter() - began


def judged(what: str, measured: str, figure: float, bar: Bar) -> Row:
    """A row with a bar."""
    return Row(what, measured, f"{figure:.4g} {bar.unit}", str(bar), bar.verdict(figure))


def _beside(ours: Rival, theirs: Rival, times: Duel) -> str:
    pair = zip((ours, theirs), times, strict=True)
    each = (f"{rival.name} {nanoseconds(median(seconds))}" for rival, seconds in pair)
    return f"{', '.join(each)} a deal"


def nanoseconds(seconds: float) -> str:
    """A time, as in `4.9 ns` or `346 ns`."""
    value = 1e9 * seconds
    return f"{value:.1f} ns" if value < 100 else f"{value:,.0f} ns"


def machine() -> str:
    """What the figures were measured on, in one line."""
    versions = (
        f"Python {platform.python_version()}",
        f"numpy {np.__version__}",
        f"numba {numba.__version__}",
    )
    return ", ".join(
        (_processor(), f"{blocks.available_cores()} of {os.cpu_count()} cores", *versions)
    )


def _processor() -> str:
    """The processor's model; where the system does not tell, its architecture."""
    described = Path("/proc/cpuinfo")
    lines = described.read_text().splitlines() if described.exists() else []
    models = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return models[0] if models else platform.processor() or platform.machine()


def table(rows: list[Row]) -> str:
    """The rows as text, in columns."""
    cells = [("what", "measured", "figure", "bar", "verdict"), *rows]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    lines = ("  ".join(map(str.ljust, row, widths)).rstrip() for row in cells)
    return "\n".join(lines) + "\n"


def _note(text: str) -> None:
    print(text, file=sys.stderr, flush=True)
