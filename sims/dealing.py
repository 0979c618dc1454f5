"""Packets of cards out of a pack, a batch of deals at a time.

A `Plan` says in which packets the pack is dealt. For each packet a number below the count of its
possible packets is drawn (`draw`), and the packet of that number taken from what is left of the
pack (`take`). Both work packet by packet over all lanes of a batch, so the sizes of a game are
data and the loops stay simple.

Exactness (Brackett-Rozinsky and Lemire 2025, "Batched ranged random integer generation"): several
numbers come out of one 64-bit word by repeated wide products. They are exactly uniform if the word
is rejected where the low half left at the end is below 2**64 mod (product of the bounds); a
rejected deal is drawn again with the attempt counted up (`redraw`).
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate, combinations
from math import comb
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sims.bits import U32, U64, deposit, wide_product
from sims.jit import kernel
from sims.streams import fill, with_attempt

#: Deals in a batch: what one batch needs fits the first-level cache.
LANES = 512

#: A word serves packets up to this product of bounds, so that at most 2**-16 of them are rejected.
_WORD_LIMIT = 1 << 48


class Plan(NamedTuple):
    """The packets of a deal in the order they leave the pack, as arrays for the kernels.

    Attributes
    ----------
    pack : uint32 or uint64
        The mask of the whole pack; its dtype is that of all masks.
    words : int
        64-bit words a deal needs, rounded up to whole blocks of two.
    word : int64 array, (packets,)
        Which word each packet is drawn from.
    bound : uint64 array, (packets,)
        How many different packets there are.
    reject_below : uint64 array, (packets,)
        At the last packet of a word 2**64 mod (product of the word's bounds); elsewhere 0, for
        nothing is rejected there.
    table : int64 array, (packets,)
        Where the table of this packet's size starts in `subsets`.
    subsets : uint32 or uint64 array
        For each size k in use, all k-subsets of the pack in colexicographic order. The k-subsets
        of fewer cards are the beginning of that order, so one table a size serves every packet.
    """

    pack: Any
    words: int
    word: NDArray[np.int64]
    bound: NDArray[np.uint64]
    reject_below: NDArray[np.uint64]
    table: NDArray[np.int64]
    subsets: NDArray[Any]


def plan(pack_size: int, packets: Sequence[int]) -> Plan:
    """The plan that deals `packets` (their sizes, in order) from a pack of `pack_size` cards.

    Raises
    ------
    ValueError
        The packets hold more cards than the pack.
    """
    if sum(packets) > pack_size:
        raise ValueError(f"packets of {sum(packets)} cards from a pack of {pack_size}")
    left = [pack_size - dealt for dealt in accumulate(packets, initial=0)]
    bounds = [comb(cards, size) for cards, size in zip(left, packets, strict=False)]
    word, product = [0], bounds[0]
    products = [product]
    for bound in bounds[1:]:
        fits = product * bound <= _WORD_LIMIT
        product = product * bound if fits else bound
        word.append(word[-1] if fits else word[-1] + 1)
        products.append(product)
    dtype = U32 if pack_size <= 32 else U64
    sizes = sorted(set(packets))
    tables = [subsets(pack_size, size, dtype) for size in sizes]
    starts = dict(zip(sizes, accumulate((len(t) for t in tables), initial=0), strict=False))
    return Plan(
        pack=dtype((1 << pack_size) - 1),
        words=2 * (word[-1] // 2 + 1),
        word=np.array(word, dtype=np.int64),
        bound=np.array(bounds, dtype=U64),
        reject_below=np.array(
            [
                (1 << 64) % product if here != after else 0
                for here, after, product in zip(word, [*word[1:], -1], products, strict=True)
            ],
            dtype=U64,
        ),
        table=np.array([starts[size] for size in packets], dtype=np.int64),
        subsets=np.concatenate(tables),
    )


def subsets(cards: int, size: int, dtype: Any) -> NDArray[Any]:
    """All masks of `size` out of `cards` bits in colexicographic order, which is numeric order."""
    chosen = np.array(list(combinations(range(cards), size)), dtype=np.uint64)
    masks = np.sort(np.bitwise_or.reduce(U64(1) << chosen, axis=1))
    return masks.astype(dtype)


@kernel
def deal(
    seed: Any,
    stream: Any,
    place: Any,
    start: Any,
    lanes: Any,
    plan: Any,
    words: Any,
    numbers: Any,
    packets: Any,
) -> None:
    """Deal `lanes` units from index `start` on.

    Parameters
    ----------
    seed, stream, place, start : uint64
        As in `streams.fill`; `place` with attempt and block 0.
    lanes : int
        How many deals, at most the arrays' second axis.
    plan : Plan
    words : uint64 array, (plan.words, lanes)
        Scratch.
    numbers : uint32 array, (packets, lanes)
        Scratch: the number drawn for each packet.
    packets : array of the pack's dtype, (packets + 1, lanes)
        Filled: the packets as masks, and in the last row what is left of the pack.
    """
    fill(seed, stream, place, start, lanes, words)
    if draw(plan, lanes, words, numbers):
        redraw(seed, stream, place, start, plan, lanes, words, numbers)
    take(plan, lanes, numbers, packets)


@kernel
def draw(plan: Any, lanes: Any, words: Any, numbers: Any) -> Any:
    """Turn each lane's words into packet numbers; True if any lane has to be redrawn.

    What is left in `words` are the low halves that say which lanes those are.
    """
    rejected = 0
    for packet in range(len(plan.bound)):
        bound, below = plan.bound[packet], plan.reject_below[packet]
        word, number = words[plan.word[packet]], numbers[packet]
        for lane in range(lanes):
            high, low = wide_product(word[lane], bound)
            word[lane] = low
            number[lane] = U32(high)
            rejected += low < below
    return rejected > 0


@kernel
def redraw(
    seed: Any,
    stream: Any,
    place: Any,
    start: Any,
    plan: Any,
    lanes: Any,
    words: Any,
    numbers: Any,
) -> None:
    """Draw the rejected lanes again, attempt after attempt, until none is rejected."""
    for lane in range(lanes):
        attempt = U64(0)
        while _is_rejected(plan, words[:, lane]):
            attempt += U64(1)
            own_words, own_numbers = words[:, lane : lane + 1], numbers[:, lane : lane + 1]
            fill(seed, stream, with_attempt(place, attempt), start + U64(lane), 1, own_words)
            draw(plan, 1, own_words, own_numbers)


@kernel
def _is_rejected(plan: Any, low_halves: Any) -> Any:
    for packet in range(len(plan.bound)):
        if low_halves[plan.word[packet]] < plan.reject_below[packet]:
            return True
    return False


@kernel
def take(plan: Any, lanes: Any, numbers: Any, packets: Any) -> None:
    """Take the packets of the numbers drawn out of the pack, one after the other."""
    pack = packets[len(plan.bound)]
    table, number, packet = plan.subsets[plan.table[0] :], numbers[0], packets[0]
    for lane in range(lanes):
        mask = table[number[lane]]
        packet[lane] = mask
        pack[lane] = plan.pack ^ mask
    for position in range(1, len(plan.bound)):
        table, number = plan.subsets[plan.table[position] :], numbers[position]
        packet = packets[position]
        for lane in range(lanes):
            before = pack[lane]
            mask = deposit(table[number[lane]], before)
            packet[lane] = mask
            pack[lane] = before ^ mask
