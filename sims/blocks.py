"""A range of units cut into blocks, the blocks run on threads, their tallies added up.

A unit is a deal or a match. Running a block is a pure function of its range of indices, and tallies
are integers: neither threads nor the order of blocks nor a restart can change a sum.
"""

from __future__ import annotations

import os
import signal
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from contextlib import contextmanager
from itertools import takewhile
from typing import Any, Generic, NamedTuple, TypeVar

from sims.streams import INDEX_LIMIT

#: A tuple of int64 arrays; those of disjoint ranges of units add, array by array.
Tallies = TypeVar("Tallies", bound=tuple[Any, ...])

#: Tallies the units from the first index up to the second.
Block = Callable[[int, int], Tallies]

#: Called with the units done and asked for.
Progress = Callable[[int, int], None]

#: Later blocks are sized to last about so long.
BLOCK_SECONDS = 0.1


class Done(NamedTuple, Generic[Tallies]):
    """The tallies of the units `start` to `stop`, fewer than asked for if interrupted."""

    tallies: Tallies
    start: int
    stop: int
    interrupted: bool


def available_cores() -> int:
    """How many processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def run_blocks(
    block: Block[Tallies],
    nothing: Tallies,
    units: int,
    start: int = 0,
    *,
    what: str = "units",
    first: int = 1 << 12,
    jobs: int | None = None,
    executor: Executor | None = None,
    progress: Progress | None = None,
) -> Done[Tallies]:
    """Run the units `start` to `start + units`.

    Parameters
    ----------
    block : callable
        Given the first index and the one after the last: their tallies.
    nothing : tuple of int64 arrays
        The tallies of no units; it is added to.
    units, start : int
        How many, 1 or more, and the index of the first; indices stay below 2**62.
    what : str
        What errors call the units.
    first : int
        Units in the first blocks.
    jobs : int, optional
        Threads, by default one a core.
    executor : Executor, optional
        Where the blocks go instead of threads of our own; `jobs` says how many run at once.
    progress : callable, optional
        Called with the units done and asked for after each block.

    Returns
    -------
    Done
        After Ctrl-C what was done so far without a gap: a prefix of the range.

    Raises
    ------
    ValueError
        Fewer than one unit or job, or indices out of range.
    """
    jobs = available_cores() if jobs is None else jobs
    if jobs < 1:
        raise ValueError(f"{jobs} jobs: at least 1")
    if units < 1:
        raise ValueError(f"{units} {what}: at least 1")
    if start < 0 or start + units > INDEX_LIMIT:
        raise ValueError(f"{what} {start} to {start + units}: indices are 0 to 2^62 - 1")
    if executor is not None:
        return _run(block, nothing, start, start + units, first, jobs, executor, progress)
    with ThreadPoolExecutor(jobs) as threads:
        return _run(block, nothing, start, start + units, first, jobs, threads, progress)


def _run(
    block: Block[Tallies],
    sums: Tallies,
    start: int,
    stop: int,
    size: int,
    jobs: int,
    executor: Executor,
    progress: Progress | None,
) -> Done[Tallies]:
    """Keep a few blocks ahead of the threads and add up from the left, so memory stays flat."""
    waiting: deque[tuple[int, Future[tuple[Tallies, float]]]] = deque()
    done, begun = start, start
    with _interrupt_noted() as interrupt:
        while done < stop:
            while begun < stop and len(waiting) < 2 * jobs and not interrupt.is_set():
                end = min(begun + size, stop)
                waiting.append((end, executor.submit(_timed, block, begun, end)))
                begun = end
            if interrupt.is_set():
                _keep_unbroken_prefix(waiting)
            if not waiting:
                break
            end, future = waiting.popleft()
            tallies, seconds = future.result()
            for total, part in zip(sums, tallies, strict=True):
                total += part
            size = _next_size(end - done, seconds)
            done = end
            if progress is not None:
                progress(done - start, stop - start)
    return Done(sums, start, done, interrupt.is_set())


@contextmanager
def _interrupt_noted() -> Iterator[threading.Event]:
    """An event that Ctrl-C sets, instead of an exception that could cut a sum in half."""
    noted = threading.Event()
    if threading.current_thread() is not threading.main_thread():
        yield noted
        return
    before = signal.signal(signal.SIGINT, lambda *_: noted.set())
    try:
        yield noted
    finally:
        signal.signal(signal.SIGINT, before)


def _timed(block: Block[Tallies], start: int, stop: int) -> tuple[Tallies, float]:
    began = time.perf_counter()
    tallies = block(start, stop)
    return tallies, time.perf_counter() - began


def _next_size(units: int, seconds: float) -> int:
    """Units that take about BLOCK_SECONDS; at most eight times as many as before."""
    return max(1, min(8 * units, int(units * BLOCK_SECONDS / max(seconds, 1e-9))))


def _keep_unbroken_prefix(waiting: deque[tuple[int, Future[Any]]]) -> None:
    """Cancel what has not begun; keep the blocks before the first that is cancelled."""
    begun = [not future.cancel() for _, future in waiting]
    unbroken = len(list(takewhile(bool, begun)))
    while len(waiting) > unbroken:
        waiting.pop()
