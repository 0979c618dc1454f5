"""Blocks, threads, order, restarts and interrupts: the same integers always."""

import signal
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from multiprocessing import get_context
from typing import Any

import msgspec
import numpy as np
import pytest

from sims import blocks, gilten, runs
from sims.figures import Tally
from sims.jit import COMPILED
from sims.runs import Study, run, run_block
from sims.streams import INDEX_LIMIT, Purpose

DEALS = 300_000 if COMPILED else 200
STUDY = Study("gilten", "team-hanger", gilten.Rules(), seed=5)


@pytest.fixture(autouse=True)
def _small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Blocks so small that every run has many."""
    monkeypatch.setattr(runs, "_FIRST_BLOCK", max(1, DEALS // 40))
    monkeypatch.setattr(blocks, "_next_size", lambda deals, seconds: max(1, DEALS // 37))


def same(one: Tally, other: Tally) -> bool:
    return all((one[part] == other[part]).all() for part in one) and set(one) == set(other)


class Backwards(Executor):
    """Runs what is submitted only when a result is asked for, the last first."""

    def __init__(self) -> None:
        self.waiting: list[tuple[Future[Any], Any, Any]] = []
        self.order: list[int] = []

    def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
        future: Future[Any] = _Lazy(self)
        self.waiting.append((future, fn, args))
        return future

    def run_all(self) -> None:
        while self.waiting:
            future, fn, args = self.waiting.pop()
            self.order.append(args[1])
            future.set_result(fn(*args))


class _Lazy(Future[Any]):
    def __init__(self, executor: Backwards) -> None:
        super().__init__()
        self.executor = executor

    def result(self, timeout: float | None = None) -> Any:
        self.executor.run_all()
        return super().result(timeout)


@pytest.mark.parametrize("jobs", [1, 2, 7])
def test_the_tally_does_not_depend_on_the_number_of_threads(jobs: int) -> None:
    whole = STUDY.declared.split(run_block(STUDY, 0, DEALS))
    assert same(run(STUDY, DEALS, jobs=jobs).tally, whole)


def test_the_tally_does_not_depend_on_the_order_of_blocks() -> None:
    executor = Backwards()
    found = run(STUDY, DEALS, jobs=5, executor=executor)
    assert executor.order != sorted(executor.order)
    assert same(found.tally, STUDY.declared.split(run_block(STUDY, 0, DEALS)))


@pytest.mark.compiled
def test_the_tally_does_not_depend_on_processes() -> None:
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as processes:
        found = run(STUDY, DEALS, jobs=2, executor=processes)
    assert same(found.tally, run(STUDY, DEALS).tally)


def test_n_deals_and_m_more_are_n_plus_m() -> None:
    some = DEALS // 3 + 1
    first, more = run(STUDY, some), run(STUDY, DEALS - some, start=some)
    both = run(STUDY, DEALS)
    assert (more.start, more.stop, more.deals) == (some, DEALS, DEALS - some)
    for part, counts in both.tally.items():
        assert (first.tally[part] + more.tally[part] == counts).all()


def test_seed_nought_is_a_seed_and_seeds_differ() -> None:
    tallies = [
        run_block(msgspec.structs.replace(STUDY, seed=seed), 0, DEALS)
        for seed in (0, 1, (1 << 64) - 1)
    ]
    assert not (tallies[0] == tallies[1]).all()
    assert not (tallies[0] == tallies[2]).all()
    assert (tallies[0] == run_block(msgspec.structs.replace(STUDY, seed=0), 0, DEALS)).all()


def test_purposes_share_no_deal() -> None:
    select = msgspec.structs.replace(STUDY, purpose=Purpose.SELECT)
    assert not (run_block(select, 0, DEALS) == run_block(STUDY, 0, DEALS)).all()
    assert select.id != STUDY.id


def test_the_last_indices_can_be_dealt_and_none_beyond() -> None:
    end = INDEX_LIMIT
    assert run(STUDY, 10, start=end - 10).deals == 10
    with pytest.raises(ValueError, match="indices are 0 to 2\\^62 - 1"):
        run(STUDY, 11, start=end - 10)


@pytest.mark.parametrize(("deals", "jobs"), [(0, 1), (-1, 1), (10, 0)])
def test_nothing_to_do_is_refused(deals: int, jobs: int) -> None:
    with pytest.raises(ValueError, match="at least 1"):
        run(STUDY, deals, jobs=jobs)


@pytest.mark.parametrize("seed", [-1, 1 << 64])
def test_a_seed_out_of_range_is_refused(seed: int) -> None:
    with pytest.raises(ValueError, match="allowed are 0 to 2\\^64 - 1"):
        Study("gilten", "gleich", gilten.Rules(), seed)


def test_progress_reaches_the_end_in_steps() -> None:
    seen: list[tuple[int, int]] = []
    run(STUDY, DEALS, progress=lambda done, total: seen.append((done, total)))
    assert seen == sorted(set(seen))
    assert seen[-1] == (DEALS, DEALS)
    assert len(seen) > 10


def test_an_interrupt_leaves_an_unbroken_prefix() -> None:
    def interrupt_at_a_third(done: int, total: int) -> None:
        if done >= total // 3:
            signal.raise_signal(signal.SIGINT)

    before = signal.getsignal(signal.SIGINT)
    found = run(STUDY, DEALS, jobs=2, progress=interrupt_at_a_third)
    assert found.interrupted
    assert DEALS // 3 <= found.deals < DEALS
    assert same(found.tally, STUDY.declared.split(run_block(STUDY, 0, found.stop)))
    assert signal.getsignal(signal.SIGINT) is before


def test_a_block_that_fails_is_not_swallowed(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*args: Any) -> None:
        raise ZeroDivisionError("in a block")

    monkeypatch.setattr(runs, "run_block", broken)
    with pytest.raises(ZeroDivisionError, match="in a block"):
        run(STUDY, DEALS, jobs=2)


def test_the_id_of_a_study_is_its_canonical_json_hashed() -> None:
    again = Study("gilten", "team-hanger", gilten.Rules(tie="stands"), 5)
    assert again.id == STUDY.id == "a042c2f1c547"
    others = [
        msgspec.structs.replace(STUDY, seed=6),
        msgspec.structs.replace(STUDY, figure="team-gleich"),
        msgspec.structs.replace(STUDY, rules=gilten.Rules(players=2)),
    ]
    assert len({study.id for study in [STUDY, *others]}) == 4


def test_counts_are_whole_numbers_of_64_bits() -> None:
    found = run(STUDY, DEALS)
    assert all(counts.dtype == np.int64 for counts in found.tally.values())


def test_figures_run_together_are_what_they_are_alone() -> None:
    other = msgspec.structs.replace(STUDY, figure="hanger")
    together = runs.run_together([STUDY, other], DEALS, jobs=2)
    for study, found in zip((STUDY, other), together, strict=True):
        assert same(found.tally, run(study, DEALS).tally)
        assert (found.start, found.stop, found.aside) == (0, DEALS, 0)


def test_studies_of_other_deals_do_not_run_together() -> None:
    other = msgspec.structs.replace(STUDY, seed=STUDY.seed + 1)
    with pytest.raises(ValueError, match="nothing but the figure"):
        runs.run_together([STUDY, other], DEALS)
