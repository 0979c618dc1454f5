"""The machine instructions against what they mean."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sims import bits
from sims.jit import kernel

U32, U64 = np.uint32, np.uint64


@kernel
def compiled_counts(mask: Any) -> Any:
    return bits.popcount(mask), bits.bit_length(mask), bits.trailing_zeros(mask)


@kernel
def compiled_deposit(chosen: Any, mask: Any) -> Any:
    return bits.deposit(chosen, mask)


@kernel
def compiled_product(word: Any, bound: Any) -> Any:
    return bits.wide_product(word, bound)


@given(st.integers(1, (1 << 64) - 1))
def test_counting_bits(mask: int) -> None:
    for kind, value in ((U64, mask), (U32, mask & 0xFFFF_FFFF | 1)):
        expected = (value.bit_count(), value.bit_length(), (value & -value).bit_length() - 1)
        plain = (
            bits.popcount(kind(value)),
            bits.bit_length(kind(value)),
            bits.trailing_zeros(kind(value)),
        )
        assert tuple(map(int, plain)) == expected
        assert {type(count) for count in plain} == {kind}
        assert tuple(map(int, compiled_counts(kind(value)))) == expected


def test_no_bit_has_length_none() -> None:
    assert int(bits.bit_length(U32(0))) == int(bits.popcount(U64(0))) == 0


@given(st.integers(0, (1 << 64) - 1), st.data())
def test_deposit_picks_the_places_of_the_mask(mask: int, data: st.DataObject) -> None:
    places = [place for place in range(64) if mask >> place & 1]
    chosen = data.draw(st.integers(0, (1 << len(places)) - 1))
    expected = sum(1 << place for i, place in enumerate(places) if chosen >> i & 1)
    assert int(bits.deposit(U64(chosen), U64(mask))) == expected
    assert int(compiled_deposit(U64(chosen), U64(mask))) == expected
    assert int(bits.expand(U64(chosen), U64(mask))) == expected


@pytest.mark.parametrize("kind", [U32, U64])
def test_deposit_keeps_the_dtype_of_the_mask(kind: Any) -> None:
    assert type(bits.deposit(kind(0b101), kind(0b1110100))) is kind
    assert int(bits.deposit(kind(0b101), kind(0b1110100))) == 0b0100100
    assert int(compiled_deposit(kind(0b101), kind(0b1110100))) == 0b0100100


@given(st.integers(0, (1 << 64) - 1), st.integers(1, (1 << 32) - 1))
def test_wide_product_is_the_whole_product(word: int, bound: int) -> None:
    expected = divmod(word * bound, 1 << 64)
    assert tuple(map(int, bits.wide_product(U64(word), U64(bound)))) == expected
    assert tuple(map(int, compiled_product(U64(word), U64(bound)))) == expected
