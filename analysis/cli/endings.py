"""How a command ends: exit codes, and what is told on stderr."""

from __future__ import annotations

import os
import sys
from typing import TextIO

DONE, FAILED, WRONG, INTERRUPTED = 0, 1, 2, 130


def say(text: str) -> None:
    """One line to stderr, if there is one."""
    if sys.stderr is None:
        return
    try:
        print(f"mournival: {text}", file=sys.stderr, flush=True)
    except OSError:
        give_up(sys.stderr)


def give_up(stream: TextIO) -> None:
    """Send what is still in the buffer nowhere, so that Python's exit does not trip over it."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
