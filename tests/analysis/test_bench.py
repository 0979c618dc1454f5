"""The yardsticks count right, and verdicts follow from times; no test times anything.

Simulations run on fixed seeds. A cell of which fewer than 50 are expected is put together with the
others of its kind. Each cell left has a band of 5 sigma, so that with other seeds one of the about
500 tested would give a false alarm with probability 500 * 6e-7 = 3e-4.
"""

from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from itertools import count
from random import Random
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from analysis.bench import bars, c_yardstick, numpy_yardsticks, python_yardsticks
from analysis.bench.bars import Bar, Duel, Rival, Row
from analysis.exact import giley as giley_exact
from analysis.exact import gilten as gilten_exact
from analysis.exact import gleek as gleek_exact
from sims import dealing, giley, gilten, gleek, runs
from sims.games import GAMES
from sims.gilten.solver import solve_deals

pytestmark = pytest.mark.compiled

JOBS = bars.jobs()
SEED = 20_260_801


def assert_within_5_sigma(counts: Any, ways: Any) -> None:
    """Compare the counts of classes with exact numbers of ways, in the same order."""
    total = sum(int(way) for way in ways)
    chances = [float(Fraction(int(way), total)) for way in ways]
    deals = sum(counts)
    large = [cell for cell, chance in enumerate(chances) if deals * chance >= 50]
    observed = [counts[cell] for cell in large]
    expected = [deals * chances[cell] for cell in large]
    for seen, mean in zip(
        [*observed, deals - sum(observed)], [*expected, deals - sum(expected)], strict=True
    ):
        sigma = np.sqrt(max(mean, 50) * (1 - mean / deals))
        assert abs(seen - mean) <= 5 * sigma


def in_batches(yardstick: Callable[..., NDArray[np.int64]]) -> NDArray[np.int64]:
    """The counts of 400 000 deals."""
    rng = np.random.default_rng(SEED)
    counts: NDArray[np.int64] = np.sum([yardstick(rng, 100_000) for _ in range(4)], axis=0)
    return counts


# numpy and plain Python against the exact distributions. The classes of sims, in order, as the
# yardsticks name them:

OUTCOMES = ("ours", "theirs", "stands", "none")
POINTS = (7, 10, 11, 17, 18, 20, 21, 27, 28, 30, 31, 37, 38, 40, 41)
RUFFS = (*range(15, 87), 90, numpy_yardsticks.FOUR_ACES)
INCOMES = (*range(17), 18)


def gilten_ways(figure: str) -> Any:
    return gilten_exact.counts(figure, gilten.Rules()).ways["outcome"]


def test_a_wrong_distribution_is_noticed() -> None:
    ways = gilten_ways("team-gleich").copy()
    ways[0] += ways.sum() // 50
    counts = in_batches(numpy_yardsticks.gilten).sum(axis=1)
    with pytest.raises(AssertionError):
        assert_within_5_sigma(counts, ways)


def test_gilten_in_numpy() -> None:
    counts = in_batches(numpy_yardsticks.gilten)
    assert_within_5_sigma(counts.sum(axis=1), gilten_ways("team-gleich"))
    assert_within_5_sigma(counts.sum(axis=0), gilten_ways("team-hanger"))


def test_gilten_in_numpy_counts_the_kernel_s_deals_alike() -> None:
    job, deals = JOBS["gilten"], 100_000
    hands = gilten.deal_hands(job.rules, bars.SEED, 0, 0, deals)[:4].T
    counts = numpy_yardsticks.gilten_outcomes(hands)
    assert counts.ravel().tolist() == job.counts(0, deals).tolist()


def test_gilten_in_python() -> None:
    counts = python_yardsticks.gilten(Random(SEED), 20_000)
    gleich = [sum(counts[mine, other] for other in OUTCOMES) for mine in OUTCOMES]
    hanger = [sum(counts[other, mine] for other in OUTCOMES) for mine in OUTCOMES]
    assert_within_5_sigma(gleich, gilten_ways("team-gleich"))
    assert_within_5_sigma(hanger, gilten_ways("team-hanger"))


def test_giley_in_numpy() -> None:
    counts = in_batches(numpy_yardsticks.giley)
    ways = giley_exact.counts("best", giley.Rules(players=5)).ways
    assert counts.sum() == counts[list(POINTS)].sum() == 400_000
    assert_within_5_sigma(counts.sum(axis=1)[list(POINTS)], ways["points"])
    assert_within_5_sigma(counts.sum(axis=0), ways["winner"])


def test_giley_in_python() -> None:
    counts = python_yardsticks.giley(Random(SEED), 20_000)
    ways = giley_exact.counts("best", giley.Rules(players=5)).ways
    best = [sum(counts[points, seat] for seat in range(5)) for points in POINTS]
    winner = [sum(counts[points, seat] for points in POINTS) for seat in range(5)]
    assert sum(best) == 20_000
    assert_within_5_sigma(best, ways["points"])
    assert_within_5_sigma(winner, ways["winner"])


def assert_gleek_is_right(ruffs: Any, incomes: Any, deals: int) -> None:
    """Histograms of one seat, by what the yardsticks call the classes."""
    of_ruffs, of_incomes = [ruffs[r] for r in RUFFS], [incomes[i] for i in INCOMES]
    assert sum(of_ruffs) == sum(of_incomes) == deals
    assert_within_5_sigma(of_ruffs, gleek_exact.counts("ruff", gleek.Rules()).ways["hand"])
    assert_within_5_sigma(of_incomes, gleek_exact.counts("sets", gleek.Rules()).ways["income"])


def test_gleek_in_numpy() -> None:
    counts = in_batches(lambda rng, deals: np.hstack(numpy_yardsticks.gleek(rng, deals)))
    ruffs, incomes = np.split(counts, [numpy_yardsticks.FOUR_ACES + 1], axis=1)
    for seat in range(3):
        assert_gleek_is_right(ruffs[seat], incomes[seat], 400_000)


def test_gleek_in_python() -> None:
    ruffs, incomes = python_yardsticks.gleek(Random(SEED), 10_000)
    for seat in range(3):
        of_ruffs = {ruff: ruffs[seat, ruff] for ruff in RUFFS}
        of_incomes = {chips: incomes[seat, chips] for chips in INCOMES}
        assert_gleek_is_right(of_ruffs, of_incomes, 10_000)


def test_the_best_figures_in_python() -> None:
    """GN-3.1, GN-3.2, GK-4.1."""
    hand = [(0, 3), (1, 3), (2, 3), (0, 4), (3, 7)]
    assert python_yardsticks.best_gleich(hand) == (3, 3)
    assert python_yardsticks.best_hanger(hand) == (2, 4)
    assert python_yardsticks.best_hanger([(0, 7), (1, 0), (0, 5), (2, 0), (3, 0)]) == (0, 0)
    assert python_yardsticks.income(Counter({10: 4, 7: 3, 9: 2, 6: 3})) == 8 + 1


# C against the kernels


@pytest.fixture(scope="module", params=JOBS)
def built(request: pytest.FixtureRequest) -> tuple[bars.Job, c_yardstick.Tally]:
    pytest.importorskip("ziglang")
    job = JOBS[request.param]
    return job, c_yardstick.built(request.param, job.plan, job.figure.cells)


@pytest.mark.parametrize(
    ("seed", "stream", "start", "deals"),
    [(1, 0, 0, 1 << 20), (2**64 - 1, 0, 2**62 - 1_000, 1_000), (7, 1 << 24, 2**32 - 300, 513)],
)
def test_c_counts_what_the_kernel_counts(
    built: tuple[bars.Job, c_yardstick.Tally], seed: int, stream: int, start: int, deals: int
) -> None:
    job, tally = built
    kernel = job.counts(start, start + deals, seed, stream)
    assert tally(seed, stream, start, start + deals).tolist() == kernel.tolist()


def test_c_draws_again_what_the_kernel_draws_again() -> None:
    """With a plan that rejects every other word: rejections are too rare to be met otherwise."""
    pytest.importorskip("ziglang")
    job, deals = JOBS["gilten"], 512
    last_of_word = job.plan.reject_below > 0
    often = np.where(last_of_word, np.uint64(1 << 63), np.uint64(0))
    plan = job.plan._replace(reject_below=often)
    words = np.empty((plan.words, deals), dtype=np.uint64)
    numbers = np.empty((len(plan.bound), deals), dtype=np.uint32)
    packets = np.empty((len(plan.bound) + 1, deals), dtype=np.uint32)
    zero = np.uint64(0)
    dealing.deal(np.uint64(1), zero, zero, zero, deals, plan, words, numbers, packets)
    kernel = numpy_yardsticks.gilten_outcomes(packets[:4].T).ravel()
    tally = c_yardstick.built("gilten", plan, job.figure.cells)
    assert tally(1, 0, 0, deals).tolist() == kernel.tolist()
    assert kernel.tolist() != job.counts(0, deals).tolist()


def test_a_missing_compiler_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(c_yardstick, "find_spec", lambda name: None)
    rows = [bars.c_row("gilten", JOBS["gilten"], Rival("kernel", lambda: None)), bars.solver_row()]
    for row in rows:
        assert row.measured == "C yardstick: absent, install the test extra"
        assert row.verdict == ""
    assert bars.all_met(rows)


def test_c_that_does_not_compile_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("ziglang")
    monkeypatch.setattr(c_yardstick, "_FLAGS", ("-march=pdp11",))
    row = bars.c_row("gilten", JOBS["gilten"], Rival("kernel", lambda: None))
    assert row.measured.startswith("C yardstick: does not compile here: ")
    assert bars.all_met([row])


def test_c_that_counts_otherwise_is_a_miss(monkeypatch: pytest.MonkeyPatch) -> None:
    wrong = JOBS["gilten"].counts(0, 1_000)
    monkeypatch.setattr(bars, "KERNEL_DEALS", 1_001)
    monkeypatch.setattr(c_yardstick, "built", lambda *given: lambda *asked: wrong)
    row = bars.c_row("gilten", JOBS["gilten"], Rival("kernel", lambda: None))
    assert row.verdict == "missed"
    assert not bars.all_met([row])


# Times and verdicts


def duel_of(ours: list[float], theirs: list[float]) -> tuple[Duel, list[str]]:
    """A duel on a clock that shows what each run is said to take; and who ran when."""
    ran: list[str] = []
    seconds = [second for pair in zip(ours, theirs, strict=True) for second in pair]
    shown = iter(np.cumsum([shown for second in seconds for shown in (1.0, second)]).tolist())
    result = bars.duel(
        Rival("ours", lambda: ran.append("ours"), 2),
        Rival("theirs", lambda: ran.append("theirs"), 4),
        rounds=len(ours) - 1,
        clock=lambda: next(shown),
    )
    return result, ran


def test_rivals_run_in_turns_and_the_first_round_does_not_count() -> None:
    result, ran = duel_of([90, 2, 4, 6], [90, 40, 20, 12])
    assert ran == ["ours", "theirs"] * 4
    assert result.ours == [1, 2, 3]
    assert result.theirs == [10, 5, 3]


def test_the_ratio_is_the_median_of_the_rounds_ratios() -> None:
    result, _ = duel_of([90, 2, 4, 6], [90, 40, 20, 12])
    assert result.times_as_fast == 2.5
    assert result.times_as_long == 0.4


@pytest.mark.parametrize(
    ("side", "figure", "verdict"),
    [
        ("at least", 59.9, "missed"),
        ("at least", 60, "met"),
        ("at least", 60.1, "met"),
        ("at most", 59.9, "met"),
        ("at most", 60, "met"),
        ("at most", 60.1, "missed"),
    ],
)
def test_verdicts(side: Any, figure: float, verdict: str) -> None:
    row = bars.judged("speed", "fast", figure, Bar(side, 60, "x"))
    assert row == Row("speed", "fast", f"{figure:g} x", f"{side} 60 x", verdict)  # type: ignore[arg-type]
    assert bars.all_met([row]) == (verdict == "met")


def with_times(monkeypatch: pytest.MonkeyPatch, ours: float, theirs: float) -> None:
    monkeypatch.setattr(bars, "duel", lambda *given: Duel([ours] * 7, [theirs] * 7))


@pytest.mark.parametrize(("theirs", "verdict"), [(59e-9, "missed"), (61e-9, "met")])
def test_the_bar_over_numpy(monkeypatch: pytest.MonkeyPatch, theirs: float, verdict: str) -> None:
    with_times(monkeypatch, 1e-9, theirs)
    rivals = Rival("kernel", lambda: None), Rival("numpy", lambda: None)
    row = bars.numpy_row("gilten", JOBS["gilten"], *rivals)
    assert row.verdict == verdict
    assert row.measured == f"kernel 1.0 ns, numpy {1e9 * theirs:.1f} ns a deal"


@pytest.mark.parametrize(("ours", "verdict"), [(1.09e-9, "met"), (1.11e-9, "missed")])
def test_the_bar_over_c(monkeypatch: pytest.MonkeyPatch, ours: float, verdict: str) -> None:
    job = JOBS["gilten"]
    monkeypatch.setattr(bars, "KERNEL_DEALS", 1_000)
    monkeypatch.setattr(
        c_yardstick, "built", lambda *given: lambda seed, stream, *deals: job.counts(*deals)
    )
    with_times(monkeypatch, ours, 1e-9)
    assert bars.c_row("gilten", job, Rival("kernel", lambda: None)).verdict == verdict


def test_the_c_solver_finds_what_the_kernel_finds() -> None:
    pytest.importorskip("ziglang")
    *hands, turnups = gilten.deal_hands(gilten.Rules(), SEED, 0, 0, 20_000)
    made = solve_deals(np.array(hands), turnups)
    assert c_yardstick.built_solver()(np.array(hands), turnups).tolist() == made.tolist()
    assert 0 < made.sum() < len(made)


@pytest.mark.parametrize(("ours", "verdict"), [(1.29e-6, "met"), (1.31e-6, "missed")])
def test_the_solver_s_bar_over_c(
    monkeypatch: pytest.MonkeyPatch, ours: float, verdict: str
) -> None:
    monkeypatch.setattr(bars, "SOLVER_DEALS", 100)
    monkeypatch.setattr(c_yardstick, "built_solver", lambda: solve_deals)
    with_times(monkeypatch, ours, 1e-6)
    row = bars.solver_row()
    assert row.verdict == verdict
    assert row.measured == f"kernel {1e9 * ours:,.0f} ns, C 1,000 ns a deal"


def test_c_that_solves_otherwise_is_a_miss(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bars, "SOLVER_DEALS", 100)
    monkeypatch.setattr(c_yardstick, "built_solver", lambda: lambda *deals: ~solve_deals(*deals))
    assert bars.solver_row().verdict == "missed"


def test_plain_python_has_no_bar(monkeypatch: pytest.MonkeyPatch) -> None:
    with_times(monkeypatch, 5e-9, 13.7e-6)
    row = bars.python_row("gilten", Rival("kernel", lambda: None), Rival("plain", lambda: None))
    assert row[1:] == ("kernel 5.0 ns, plain 13,700 ns a deal", "2740 x", "", "")


@pytest.mark.parametrize(("one", "verdict"), [(1.8, "missed"), (1.95, "met")])
def test_the_bar_of_two_cores(monkeypatch: pytest.MonkeyPatch, one: float, verdict: str) -> None:
    with_times(monkeypatch, 1.0, one)
    assert bars.threads_row(2).verdict == verdict


def test_one_core_is_said() -> None:
    row = bars.threads_row(1)
    assert row.measured == "one core only: left out"
    assert bars.all_met([row])


@pytest.mark.parametrize(("slow", "verdict"), [(0.7, "met"), (0.9, "missed")])
def test_the_bar_of_a_process(slow: float, verdict: str) -> None:
    row = bars.start_up_row("table", [0.1, slow, slow], 0.8)
    assert row.verdict == verdict
    assert row.measured == f"3 processes, 0.10 to {slow:.2f} s"


def test_start_up_rows_judge_each_process(monkeypatch: pytest.MonkeyPatch) -> None:
    caches: list[str] = []

    def seconds(arguments: tuple[str, ...], cache: str) -> float:
        first = cache not in caches
        caches.append(cache)
        return 0.1 if arguments == ("--help",) else 4.0 if first else 1.0

    monkeypatch.setattr(bars, "_process_seconds", seconds)
    rows = bars.start_up_rows()
    assert [row.figure for row in rows] == ["0.1 s", "1 s", "4 s"]
    assert [row.verdict for row in rows] == ["met", "missed", "met"]
    assert len(set(caches)) == bars.COLD_STARTS


@pytest.mark.parametrize("name", GAMES)
def test_the_same_integers(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.setattr(bars, "EQUAL_DEALS", 100_001)
    assert bars.equality_row(name).verdict == "met"


def test_other_integers_are_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bars, "EQUAL_DEALS", 100_001)
    right, calls = runs.run_block, count()

    def wrong(*asked: Any) -> NDArray[np.int64]:
        return right(*asked) + (next(calls) == 20)

    monkeypatch.setattr(runs, "run_block", wrong)
    row = bars.equality_row("gilten")
    assert row.verdict == "missed"
    assert row.measured == "differ: shuffled blocks"


@pytest.mark.parametrize(("figure", "met"), [(1.0, False), (2.0, True)])
def test_what_is_printed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], figure: float, met: bool
) -> None:
    row = bars.judged("two cores over one", "fast", figure, Bar("at least", 1.9, "x"))
    monkeypatch.setattr(bars, "rows_of", lambda name, job: [Row(name, "left out")])
    monkeypatch.setattr(bars, "equality_row", lambda name: Row(name, "equal"))
    monkeypatch.setattr(bars, "start_up_rows", list)
    monkeypatch.setattr(bars, "solver_row", lambda: Row("solver", "left out"))
    monkeypatch.setattr(bars, "threads_row", lambda cores: row)
    assert bars.measure_and_print() is met
    machine, headings, *lines = capsys.readouterr().out.splitlines()
    assert machine == bars.machine()
    assert headings.split() == ["what", "measured", "figure", "bar", "verdict"]
    assert lines[len(GAMES) + 1].split("  ")[-1] == row.verdict
    assert len(lines) == 2 * len(GAMES) + 2
