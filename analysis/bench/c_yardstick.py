"""The same algorithm in C, compiled by clang while the bench runs.

A game's C file stands beside this one. It is built for this very processor, like the kernels, into
a temporary folder, and works on the tables of the kernel's own plan: from the same random words it
deals the same cards, so that its counts must be the kernel's to the last one. The solver's C file
is given the cards.
"""

from __future__ import annotations

import ctypes
import os
import subprocess
import sys
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from numpy.typing import NDArray

from sims.dealing import Plan

#: Flat int64 counts of the deals `start` to `stop`, given as (seed, stream, start, stop).
Tally = Callable[[int, int, int, int], NDArray[np.int64]]

#: What `sims.gilten.solver.solve_deals` does for four players, but for its checks.
Solver = Callable[[NDArray[np.uint32], NDArray[np.uint32]], NDArray[np.bool_]]

_FLAGS = ("-O3", "-march=native", "-shared", "-fPIC", "-nostdlib")


class UnavailableError(Exception):
    """There is no C yardstick here; the message says why."""


class _Plan(ctypes.Structure):
    """`struct plan` of dealing.c."""

    _fields_ = (
        ("pack", ctypes.c_uint64),
        ("bound", ctypes.c_void_p),
        ("reject_below", ctypes.c_void_p),
        ("table", ctypes.c_void_p),
        ("subsets", ctypes.c_void_p),
    )


def built(game: str, plan: Plan, cells: int) -> Tally:
    """Compile and load the C file of a game.

    Parameters
    ----------
    game : str
        Name of the C file.
    plan : Plan
        The kernel's.
    cells : int
        How many cells the C program counts.

    Returns
    -------
    callable
        Deals and counts, with the plan's tables; as fast as a call by ctypes allows.

    Raises
    ------
    UnavailableError
        There is no compiler, or it does not compile this for this processor.
    """
    tally = _compiled(Path(__file__).with_name(f"{game}.c")).tally
    tally.argtypes = (*[ctypes.c_uint64] * 4, ctypes.POINTER(_Plan), ctypes.c_void_p)
    tally.restype = None
    pointers = (plan.bound, plan.reject_below, plan.table, plan.subsets)
    given = _Plan(int(plan.pack), *(array.ctypes.data for array in pointers))

    def counts(seed: int, stream: int, start: int, stop: int) -> NDArray[np.int64]:
        # Naming the arrays here keeps them alive as long as their addresses may be used.
        assert pointers
        result = np.zeros(cells, dtype=np.int64)
        tally(seed, stream, start, stop, ctypes.byref(given), result.ctypes.data)
        return result

    return counts


def built_solver() -> Solver:
    """Compile and load the C solver of Gilten; errors as in `built`."""
    solve = _compiled(Path(__file__).with_name("solver.c")).solve
    solve.argtypes = (ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int64, ctypes.c_void_p)
    solve.restype = None

    def makes(hands: NDArray[np.uint32], turnups: NDArray[np.uint32]) -> NDArray[np.bool_]:
        hands = np.ascontiguousarray(hands)
        result = np.empty(len(turnups), dtype=np.bool_)
        solve(hands.ctypes.data, turnups.ctypes.data, len(turnups), result.ctypes.data)
        return result

    return makes


def _compiled(source: Path) -> ctypes.CDLL:
    if find_spec("ziglang") is None:
        raise UnavailableError("absent, install the test extra")
    with TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        library = Path(folder) / "yardstick"
        compiler = (sys.executable, "-m", "ziglang", "cc")
        caches = {"ZIG_LOCAL_CACHE_DIR": folder, "ZIG_GLOBAL_CACHE_DIR": folder}
        made = subprocess.run(
            [*compiler, *_FLAGS, "-o", str(library), str(source)],
            env=os.environ | caches,
            capture_output=True,
            text=True,
        )
        if made.returncode != 0:
            error = next((line for line in made.stderr.splitlines() if "error" in line), "")
            raise UnavailableError(f"does not compile here: {error.strip() or made.returncode}")
        return ctypes.CDLL(str(library))
