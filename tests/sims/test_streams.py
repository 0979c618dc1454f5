"""Philox against its published vectors, and the fields of the counter."""

import numpy as np
import pytest
from reference import dealing as plain

from sims import streams

U64 = np.uint64

# Random123's known answers for philox4x32-10: counter, key, result.
KNOWN_ANSWERS = [
    (
        (0, 0, 0, 0),
        (0, 0),
        (0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8),
    ),
    (
        (0xFFFFFFFF, 0xFFFFFFFF, 0xFFFFFFFF, 0xFFFFFFFF),
        (0xFFFFFFFF, 0xFFFFFFFF),
        (0x408F276D, 0x41C83B0E, 0xA20BC7C6, 0x6D5451FD),
    ),
    (
        (0x243F6A88, 0x85A308D3, 0x13198A2E, 0x03707344),
        (0xA4093822, 0x299F31D0),
        (0xD16CFE09, 0x94FDCCEB, 0x5001E420, 0x24126EA1),
    ),
]


@pytest.mark.parametrize(("counter", "key", "result"), KNOWN_ANSWERS)
def test_philox_gives_the_known_answers(
    counter: tuple[int, ...], key: tuple[int, ...], result: tuple[int, ...]
) -> None:
    words = np.empty((2, 1), dtype=U64)
    seed = U64(key[1] << 32 | key[0])
    index = U64(counter[1] << 32 | counter[0])
    streams.fill(seed, U64(counter[3]), U64(counter[2]), index, 1, words)
    halves = [int(word) >> shift & 0xFFFFFFFF for word in words[:, 0] for shift in (0, 32)]
    assert tuple(halves) == result


@pytest.mark.parametrize(("counter", "key", "result"), KNOWN_ANSWERS)
def test_the_referee_gives_the_known_answers(
    counter: tuple[int, ...], key: tuple[int, ...], result: tuple[int, ...]
) -> None:
    assert tuple(plain.philox(counter, key)) == result


def test_lanes_are_consecutive_indices_and_rows_consecutive_words() -> None:
    seed, start = 0xFEDC_BA98_7654_3210, (1 << 62) - 3
    words = np.empty((6, 3), dtype=U64)
    streams.fill(U64(seed), U64(7), U64(0), U64(start), 3, words)
    for lane in range(3):
        source = plain.words(seed, start + lane, attempt=0, stream=7)
        assert [int(word) for word in words[:, lane]] == [next(source) for _ in range(6)]


def test_neighbouring_seeds_share_no_word() -> None:
    words = [np.empty((2, 1000), dtype=U64) for _ in range(3)]
    for seed in range(3):
        streams.fill(U64(seed), U64(0), U64(0), U64(0), 1000, words[seed])
    assert len(np.unique(np.concatenate(words))) == 6000


def test_counter_fields_fill_their_words_without_touching() -> None:
    assert streams.DEAL_BITS + streams.REDEAL_BITS + streams.ATTEMPT_BITS == 24
    assert streams.BLOCK_BITS == 8
    assert streams.PURPOSE_BITS + streams.STREAM_BITS == 32
    assert streams.place_word(deal=0xFFF) == 0xFFF00000
    assert streams.place_word(redeal=0xF) == 0x000F0000
    assert streams.place_word(attempt=0xFF) == 0x0000FF00
    assert streams.place_word(block=0xFF) == 0x000000FF
    assert streams.stream_word(0xFF, 0) == 0xFF000000
    assert streams.stream_word(0, 0xFFFFFF) == 0x00FFFFFF


@pytest.mark.parametrize("field", ["deal", "redeal", "attempt", "block"])
def test_a_field_too_wide_is_refused(field: str) -> None:
    with pytest.raises(ValueError, match=f"{field} 4096 does not fit"):
        streams.place_word(**{field: 4096})


def test_a_stream_too_wide_is_refused() -> None:
    with pytest.raises(ValueError, match="stream 16777216 does not fit 24 bits"):
        streams.stream_word(0, 1 << 24)
    with pytest.raises(ValueError, match="purpose -1 does not fit 8 bits"):
        streams.stream_word(-1, 0)


def test_a_later_attempt_is_another_place() -> None:
    place = U64(streams.place_word(deal=5, redeal=2))
    later = streams.place_word(deal=5, redeal=2, attempt=3)
    assert int(streams.with_attempt(place, U64(3))) == later
