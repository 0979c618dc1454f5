"""Units of play on threads: the same sums however they are cut."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest

from sims.blocks import run_blocks
from sims.gilten import matches
from sims.gilten.policies import CHANCE_SHAPES, Chances, Random, book
from sims.gilten.rules import Rules
from sims.jit import COMPILED
from sims.streams import Purpose

UNITS = 20_000 if COMPILED else 12


def block(start: int, stop: int) -> matches.Tallies:
    unused = Chances(*(np.zeros(shape) for shape in CHANCE_SHAPES))
    sides = book((Random(), Random()), (unused, unused))
    return matches.tally_units(Rules(), sides, 3, Purpose.MEASURE, start, stop)


def test_any_number_of_jobs_gives_the_same_integers() -> None:
    whole = block(5, 5 + UNITS)
    for jobs in (1, 2, 3):
        seen: list[tuple[int, int]] = []
        done = run_blocks(
            block, matches.no_tallies(), UNITS, 5, jobs=jobs, progress=partial(_note, seen)
        )
        assert (done.start, done.stop, done.interrupted) == (5, 5 + UNITS, False)
        for name, total in whole._asdict().items():
            assert (getattr(done.tallies, name) == total).all()
        assert seen[-1] == (UNITS, UNITS)


def _note(seen: list[tuple[int, int]], done: int, wanted: int) -> None:
    seen.append((done, wanted))


@pytest.mark.parametrize(
    ("units", "start", "jobs", "said"),
    [
        (0, 0, 1, "0 units: at least 1"),
        (1, 0, 0, "0 jobs: at least 1"),
        (1, -1, 1, "indices are 0 to"),
        (1, 1 << 62, 1, "indices are 0 to"),
    ],
)
def test_what_cannot_be_run_is_said(units: int, start: int, jobs: int, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        run_blocks(block, matches.no_tallies(), units, start, jobs=jobs)
