"""Compile options in one place, and where compiled kernels are kept.

Compiled kernels are cached in a folder whose name hashes the sources of every file that a kernel
may call, the versions and the flags: an edit in one file then never meets a kernel compiled from
another's past. The folder is set only while our own functions are decorated, so that other numba
users in the same process keep theirs.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

import llvmlite
import numba
import numpy as np
from numba.core import config
from platformdirs import user_cache_path

CompiledFunction = TypeVar("CompiledFunction", bound=Callable[..., Any])

#: False under NUMBA_DISABLE_JIT=1, where every kernel runs as the plain Python it is written in.
COMPILED = not config.DISABLE_JIT


def kernel(function: CompiledFunction) -> CompiledFunction:
    """Compile a function that is called from Python; it releases the interpreter lock."""
    folder = _cache_folder()
    options = {"nogil": True, "error_model": "numpy"}
    if folder is None:
        return numba.njit(**options)(function)  # type: ignore[no-any-return]
    with _numba_caches_in(folder):
        return numba.njit(cache=True, **options)(function)  # type: ignore[no-any-return]


def inlined(function: CompiledFunction) -> CompiledFunction:
    """Compile a helper into its callers, so that a loop over lanes still vectorises."""
    return numba.njit(forceinline=True, error_model="numpy")(function)  # type: ignore[no-any-return]


@contextmanager
def _numba_caches_in(folder: Path) -> Iterator[None]:
    before = config.CACHE_DIR
    config.CACHE_DIR = str(folder)
    try:
        yield
    finally:
        config.CACHE_DIR = before


@cache
def _cache_folder() -> Path | None:
    """The folder of this source, these versions and flags; None where none can be written."""
    base = Path(config.CACHE_DIR) if config.CACHE_DIR else user_cache_path("mournival")
    folder = base / f"kernels-{_fingerprint()}"
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        return None
    return folder if os.access(folder, os.W_OK) else None


def _fingerprint() -> str:
    flags = (config.BOUNDSCHECK, config.CPU_NAME, config.CPU_FEATURES, config.OPT)
    versions = (numba.__version__, llvmlite.__version__, np.__version__)
    digest = hashlib.sha256(repr((versions, flags)).encode())
    here = Path(__file__).parent
    sources = [*here.rglob("*.py"), *(here.parent / "analysis" / "exact").glob("*.py")]
    for source in sorted(sources):
        digest.update(source.read_bytes())
    return digest.hexdigest()[:16]
