"""The same integers on every processor, and with no compiler at all."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from sims_fingerprint import fingerprint

SCRIPT = Path(__file__).parents[1] / "sims_fingerprint.py"

pytestmark = pytest.mark.compiled


def elsewhere(deals: int, cache: Path, **flags: str) -> dict[str, str]:
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(cache), **flags}
    done = subprocess.run(
        [sys.executable, str(SCRIPT), str(deals)],
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    found: dict[str, str] = json.loads(done.stdout)
    return found


@pytest.mark.parametrize(
    "features",
    [
        "",  # neither vectors beyond the basic ones nor the bit-deposit instruction
        "+avx2,+bmi,+popcnt,+lzcnt",  # vectors, but no bit deposit
        "+avx2,+bmi,+bmi2,+popcnt,+lzcnt",  # bit deposit, but vectors of 256 bits
    ],
    ids=["basic", "no bit deposit", "no avx-512"],
)
def test_deals_are_the_same_on_other_processors(features: str, tmp_path: Path) -> None:
    flags = {"NUMBA_CPU_NAME": "generic", "NUMBA_CPU_FEATURES": features}
    assert elsewhere(20_000, tmp_path, **flags) == fingerprint(20_000)


def test_deals_are_the_same_with_the_compiler_off(tmp_path: Path) -> None:
    assert elsewhere(40, tmp_path, NUMBA_DISABLE_JIT="1") == fingerprint(40)


def test_out_of_range_reads_are_none(tmp_path: Path) -> None:
    """With bounds checks on, in a cache of its own: a warm cache would hide them."""
    assert elsewhere(3_000, tmp_path, NUMBA_BOUNDSCHECK="1") == fingerprint(3_000)
