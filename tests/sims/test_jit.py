"""Where compiled kernels are kept."""

from pathlib import Path

import numba
import pytest
from numba.core import config

from sims import jit


@pytest.fixture(autouse=True)
def _fresh_folder() -> None:
    jit._cache_folder.cache_clear()


@pytest.mark.compiled
def test_numbas_own_folder_is_left_to_other_users(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(config, "CACHE_DIR", str(tmp_path))
    jit.kernel(lambda: 1)
    assert str(tmp_path) == config.CACHE_DIR
    (folder,) = tmp_path.iterdir()
    assert folder.name.startswith("kernels-")


def test_flags_and_versions_have_folders_of_their_own(monkeypatch: pytest.MonkeyPatch) -> None:
    usual = jit._fingerprint()
    assert usual == jit._fingerprint()
    monkeypatch.setattr(config, "BOUNDSCHECK", int(not config.BOUNDSCHECK))
    checked = jit._fingerprint()
    monkeypatch.setattr(numba, "__version__", "0.0")
    assert len({usual, checked, jit._fingerprint()}) == 3


def test_every_source_that_a_kernel_may_call_is_in_the_fingerprint(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "sims" / "game").mkdir(parents=True)
    (tmp_path / "analysis" / "exact").mkdir(parents=True)
    monkeypatch.setattr(jit, "__file__", str(tmp_path / "sims" / "jit.py"))
    seen = {jit._fingerprint()}
    for source in ("sims/bits.py", "sims/game/deals.py", "analysis/exact/counting.py"):
        (tmp_path / source).write_text("one = 1\n")
        seen.add(jit._fingerprint())
        (tmp_path / source).write_text("one = 2\n")
        seen.add(jit._fingerprint())
    assert len(seen) == 7


@pytest.mark.compiled
def test_kernels_run_uncached_where_no_folder_can_be_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setattr(config, "CACHE_DIR", str(tmp_path / "file"))
    assert jit._cache_folder() is None
    assert jit.kernel(lambda number: number + 1)(1) == 2
