"""The few machine instructions that cards held as bits need.

Each is a plain Python function, which is what it means; compiled callers get the instruction
instead. So the same kernels run, with the same results, with the compiler off, on processors
without the bit-deposit instruction, and on ARM. Masks are uint32 or uint64, one bit a card.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir
from numba.core import config, types
from numba.extending import intrinsic, overload

from sims.jit import inlined

U32, U64 = np.uint32, np.uint64
_LOW_HALF = U64(0xFFFF_FFFF)
_HALF = U64(32)


def popcount(mask: Any) -> Any:
    """How many bits are set; same dtype as `mask`."""
    return type(mask)(int(mask).bit_count())


def bit_length(mask: Any) -> Any:
    """The number of the highest set bit, counted from one; 0 for no bit; same dtype as `mask`."""
    return type(mask)(int(mask).bit_length())


def trailing_zeros(mask: Any) -> Any:
    """The index of the lowest set bit of a mask that is not empty; same dtype as `mask`."""
    return type(mask)((int(mask) & -int(mask)).bit_length() - 1)


def deposit(chosen: Any, mask: Any) -> Any:
    """The subset of `mask` that `chosen` numbers: bit i of `chosen` picks the i-th bit of `mask`.

    `chosen` has no bit at or above popcount(mask); the result has the dtype of `mask`.
    """
    subset, rest, number = 0, int(mask), int(chosen)
    while number:
        lowest = rest & -rest
        if number & 1:
            subset |= lowest
        rest ^= lowest
        number >>= 1
    return type(mask)(subset)


@inlined
def wide_product(word: Any, bound: Any) -> tuple[Any, Any]:
    """`word * bound` as (high, low) 64-bit halves, for uint64 `bound` below 2**32.

    Two 32-bit multiplications, which vectorise where the one 128-bit instruction would not; the
    mask on `bound` tells the compiler that 32 bits are all there is.
    """
    bound = bound & _LOW_HALF
    low = (word & _LOW_HALF) * bound
    high = (word >> _HALF) * bound + (low >> _HALF)
    return high >> _HALF, (high << _HALF) | (low & _LOW_HALF)


def _has_bit_deposit() -> bool:
    """Whether the compiler's target has the instruction (BMI2)."""
    if config.CPU_FEATURES is not None:
        return "+bmi2" in config.CPU_FEATURES.split(",")
    from llvmlite import binding

    return bool(binding.get_host_cpu_features().get("bmi2", False))


def _llvm_function(builder: Any, name: str, result: Any, arguments: list[Any]) -> Any:
    module = builder.module
    declared = module.globals.get(name)
    return declared or ir.Function(module, ir.FunctionType(result, arguments), name)


@intrinsic
def _count_ones(typing: Any, mask: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.ctpop(arguments[0])

    return mask(mask), generate


@intrinsic
def _leading_zeros(typing: Any, mask: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.ctlz(arguments[0], ir.Constant(ir.IntType(1), 0))

    return mask(mask), generate


@intrinsic
def _trailing_zeros(typing: Any, mask: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 0))

    return mask(mask), generate


@intrinsic
def _deposit_instruction(typing: Any, chosen: Any, mask: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        word = ir.IntType(64)
        pdep = _llvm_function(builder, "llvm.x86.bmi.pdep.64", word, [word, word])
        return builder.call(pdep, arguments)

    return types.uint64(types.uint64, types.uint64), generate


@overload(popcount, strict=False, jit_options={"forceinline": True})
def _popcount(mask: Any) -> Any:
    return lambda mask: _count_ones(mask)


@overload(bit_length, strict=False, jit_options={"forceinline": True})
def _bit_length(mask: Any) -> Any:
    kind = U32 if mask.bitwidth == 32 else U64
    width = kind(mask.bitwidth)
    return lambda mask: kind(width - _leading_zeros(mask))


@overload(trailing_zeros, strict=False, jit_options={"forceinline": True})
def _trailing_zeros_of(mask: Any) -> Any:
    return lambda mask: _trailing_zeros(mask)


@overload(deposit, strict=False, jit_options={"forceinline": True})
def _deposit(chosen: Any, mask: Any) -> Any:
    kind = U32 if mask.bitwidth == 32 else U64
    if _has_bit_deposit():
        return lambda chosen, mask: kind(_deposit_instruction(U64(chosen), U64(mask)))
    return lambda chosen, mask: kind(expand(U64(chosen), U64(mask)))


# Without the instruction: the "expand" of Warren, Hacker's Delight (2nd edition, 7-5). Every bit
# of `chosen` has to move up by the number of gaps in the mask below its place; the moves are made
# by powers of two, the largest first, and `_gaps_of` says which places move by each power.


@inlined
def expand(chosen: Any, mask: Any) -> Any:
    """`deposit` of uint64 by shifts alone, in a form that vectorises."""
    places, gaps = mask, (~mask) << U64(1)
    by_1, places, gaps = _gaps_of(places, gaps, U64(1))
    by_2, places, gaps = _gaps_of(places, gaps, U64(2))
    by_4, places, gaps = _gaps_of(places, gaps, U64(4))
    by_8, places, gaps = _gaps_of(places, gaps, U64(8))
    by_16, places, gaps = _gaps_of(places, gaps, U64(16))
    by_32, places, gaps = _gaps_of(places, gaps, U64(32))
    bits = _move(chosen, by_32, U64(32))
    bits = _move(bits, by_16, U64(16))
    bits = _move(bits, by_8, U64(8))
    bits = _move(bits, by_4, U64(4))
    bits = _move(bits, by_2, U64(2))
    return _move(bits, by_1, U64(1)) & mask


@inlined
def _gaps_of(places: Any, gaps: Any, distance: Any) -> tuple[Any, Any, Any]:
    """Places with an odd number of gaps below, in units of `distance`; and what is left to do."""
    odd = gaps ^ (gaps << U64(1))
    odd ^= odd << U64(2)
    odd ^= odd << U64(4)
    odd ^= odd << U64(8)
    odd ^= odd << U64(16)
    odd ^= odd << U64(32)
    moving = odd & places
    return moving, (places ^ moving) | (moving >> distance), gaps & ~odd


@inlined
def _move(bits: Any, moving: Any, distance: Any) -> Any:
    return (bits & ~moving) | ((bits << distance) & moving)
