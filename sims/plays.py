"""Units of play, deals or matches, cut into blocks and run on threads.

As `sims.runs` does it for the figures of cards as dealt: running a block is a pure function of its
range of indices, tallies are integers, and neither threads nor the order of blocks can change a
sum.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from typing import Any, Generic, NamedTuple, TypeVar

from sims.runs import (
    Progress,
    _interrupt_noted,
    _keep_unbroken_prefix,
    _next_size,
    available_cores,
)
from sims.streams import INDEX_LIMIT

#: A NamedTuple of int64 arrays, as `sims.gilten.matches.Tallies`.
Tallies = TypeVar("Tallies", bound=tuple[Any, ...])

#: Plays the units from the first index up to the second.
Block = Callable[[int, int], Tallies]

#: The first blocks; later ones are sized to last about as long as those of `sims.runs`.
_FIRST_BLOCK = 1 << 12


class Played(NamedTuple, Generic[Tallies]):
    """The tallies of the units `start` to `stop`, fewer than asked for if interrupted."""

    tallies: Tallies
    start: int
    stop: int
    interrupted: bool


def run_units(
    block: Block[Tallies],
    units: int,
    start: int = 0,
    jobs: int | None = None,
    executor: Executor | None = None,
    progress: Progress | None = None,
) -> Played[Tallies]:
    """Play the units `start` to `start + units`.

    Parameters
    ----------
    block : callable
        Given the first index and the one after the last: their tallies.
    units, start : int
        How many, 1 or more, and the index of the first; indices stay below 2**62.
    jobs, executor, progress
        As in `runs.run`.

    Returns
    -------
    Played
        After Ctrl-C what was done so far without a gap; nothing is done if that came at once.

    Raises
    ------
    ValueError
        Fewer than one unit or job, or indices out of range.
    """
    jobs = available_cores() if jobs is None else jobs
    if jobs < 1:
        raise ValueError(f"{jobs} jobs: at least 1")
    if units < 1:
        raise ValueError(f"{units} units: at least 1")
    if start < 0 or start + units > INDEX_LIMIT:
        raise ValueError(f"units {start} to {start + units}: indices are 0 to 2^62 - 1")
    if executor is not None:
        return _run(block, start, start + units, jobs, executor, progress)
    with ThreadPoolExecutor(jobs) as threads:
        return _run(block, start, start + units, jobs, threads, progress)


def _run(
    block: Block[Tallies],
    start: int,
    stop: int,
    jobs: int,
    executor: Executor,
    progress: Progress | None,
) -> Played[Tallies]:
    """Keep a few blocks ahead of the threads and add up from the left."""
    sums = block(start, start)
    waiting: deque[tuple[int, Future[tuple[Tallies, float]]]] = deque()
    done, begun, size = start, start, _FIRST_BLOCK
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
    return Played(sums, start, done, interrupt.is_set())


def _timed(block: Block[Tallies], start: int, stop: int) -> tuple[Tallies, float]:
    began = time.perf_counter()
    tallies = block(start, stop)
    return tallies, time.perf_counter() - began
