"""The command run in this process, for speed."""

from __future__ import annotations

import sys
from collections.abc import Callable

import pytest

from analysis.cli import main


@pytest.fixture
def mournival(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> Callable[..., tuple[int, str, str]]:
    """A function of the words after `mournival` that returns exit code, stdout and stderr."""

    def run(*words: str) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["mournival", *words])
        capfd.readouterr()
        with pytest.raises(SystemExit) as ended:
            main()
        out, err = capfd.readouterr()
        assert isinstance(ended.value.code, int)
        return ended.value.code, out, err

    return run
