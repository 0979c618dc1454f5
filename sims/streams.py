"""Counter-based random words: Philox4x32-10 (Salmon, Moraes, Dror and Shaw 2011).

Nothing is drawn in sequence. The words of unit i under seed s are a pure function of (s, i): the
key is the seed, and the 128-bit counter says exactly which words are meant. So any block of units
can be dealt by any thread, in any order, and again.

The counter's four 32-bit words:

====  ============================================================================
0, 1  index of the unit, low half first (below 2**62)
2     deal in the unit (12 bits), redeal (4), attempt (8), block of the stream (8)
3     purpose (8 bits), stream (24)
====  ============================================================================

One block is 128 bits: two words of 64.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Any

import numpy as np

from sims.jit import inlined, kernel

U64 = np.uint64
INDEX_LIMIT = 1 << 62
SEED_LIMIT = 1 << 64

DEAL_BITS, REDEAL_BITS, ATTEMPT_BITS, BLOCK_BITS = 12, 4, 8, 8
PURPOSE_BITS, STREAM_BITS = 8, 24

_ATTEMPT_SHIFT = U64(BLOCK_BITS)
_LOW_HALF = U64(0xFFFF_FFFF)
_HALF = U64(32)
_MULTIPLIER_0, _MULTIPLIER_1 = U64(0xD2511F53), U64(0xCD9E8D57)
_KEY_STEP_0, _KEY_STEP_1 = U64(0x9E3779B9), U64(0xBB67AE85)


class Purpose(IntEnum):
    """What a run is for: choosing a policy and measuring it never share their words."""

    MEASURE = 0
    SELECT = 1
    CONDITION = 2


class Stream(IntEnum):
    """What is drawn. Each kind of decision has a stream of its own."""

    DEALING = 0
    RESAMPLING = 1
    GILTEN_ROB = 2
    GILTEN_TURN = 3
    GILTEN_ANSWER = 4
    GILTEN_CARD = 5
    GLEEK_BID = 20
    GLEEK_LAYOUT = 21
    GLEEK_RUFF = 22
    GLEEK_CARD = 23


def stream_word(purpose: int, stream: int) -> int:
    """Counter word 3. Raises ValueError where a field does not fit its width."""
    return _packed((("purpose", purpose, PURPOSE_BITS), ("stream", stream, STREAM_BITS)))


def place_word(deal: int = 0, redeal: int = 0, attempt: int = 0, block: int = 0) -> int:
    """Counter word 2. Raises ValueError where a field does not fit its width."""
    return _packed(
        (
            ("deal", deal, DEAL_BITS),
            ("redeal", redeal, REDEAL_BITS),
            ("attempt", attempt, ATTEMPT_BITS),
            ("block", block, BLOCK_BITS),
        )
    )


def _packed(fields: tuple[tuple[str, int, int], ...]) -> int:
    word = 0
    for name, value, bits in fields:
        if not 0 <= value < 1 << bits:
            raise ValueError(f"{name} {value} does not fit {bits} bits of the counter")
        word = word << bits | value
    return word


@inlined
def philox(key_0: Any, key_1: Any, c0: Any, c1: Any, c2: Any, c3: Any) -> tuple[Any, ...]:
    """Ten rounds on four counter words: uint64 in and out, of which the low 32 bits count.

    The high halves hold rubbish between rounds: masking where a product is taken, and nowhere
    else, costs nothing on vector units, whose multiplication reads low halves only.
    """
    for _ in range(10):
        product_0 = _MULTIPLIER_0 * (c0 & _LOW_HALF)
        product_1 = _MULTIPLIER_1 * (c2 & _LOW_HALF)
        c0 = (product_1 >> _HALF) ^ c1 ^ key_0
        c2 = (product_0 >> _HALF) ^ c3 ^ key_1
        c1, c3 = product_1, product_0
        key_0 = (key_0 + _KEY_STEP_0) & _LOW_HALF
        key_1 = (key_1 + _KEY_STEP_1) & _LOW_HALF
    return c0, c1, c2, c3


@kernel
def fill(seed: Any, stream: Any, place: Any, start: Any, lanes: Any, words: Any) -> None:
    """The words of `lanes` units from `start` on, lane by lane.

    Parameters
    ----------
    seed, stream, place, start : uint64
        Key, counter words 3 and 2, and the first unit's index.
    lanes : int
        How many units.
    words : uint64 array, (words, at least `lanes`)
        Filled; an even number of rows, two to each block of the stream.
    """
    key_0, key_1 = seed & _LOW_HALF, seed >> _HALF
    for block in range(words.shape[0] // 2):
        first, second = words[2 * block], words[2 * block + 1]
        for lane in range(lanes):
            index = start + U64(lane)
            c0, c1, c2, c3 = philox(key_0, key_1, index, index >> _HALF, place + U64(block), stream)
            first[lane] = (c1 << _HALF) | (c0 & _LOW_HALF)
            second[lane] = (c3 << _HALF) | (c2 & _LOW_HALF)


@inlined
def with_attempt(place: Any, attempt: Any) -> Any:
    """Counter word 2 of a later attempt at the same deal (`place` is that of attempt 0)."""
    return place + (attempt << _ATTEMPT_SHIFT)
