"""The dealing in plain Python: Philox by its definition, big integers, subsets counted off."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import accumulate
from math import comb

LOW_32 = (1 << 32) - 1


def philox(counter: Sequence[int], key: Sequence[int]) -> list[int]:
    """Philox4x32-10: four counter words and two key words of 32 bits to four words."""
    c, k = list(counter), list(key)
    for _ in range(10):
        high_0, low_0 = divmod(0xD2511F53 * c[0], 1 << 32)
        high_1, low_1 = divmod(0xCD9E8D57 * c[2], 1 << 32)
        c = [high_1 ^ c[1] ^ k[0], low_1, high_0 ^ c[3] ^ k[1], low_0]
        k = [(k[0] + 0x9E3779B9) & LOW_32, (k[1] + 0xBB67AE85) & LOW_32]
    return c


def words(seed: int, index: int, attempt: int, stream: int = 0) -> Iterator[int]:
    """The 64-bit words of one deal, block after block."""
    block = 0
    while True:
        counter = (index & LOW_32, index >> 32, attempt << 8 | block, stream)
        c = philox(counter, (seed & LOW_32, seed >> 32))
        yield c[1] << 32 | c[0]
        yield c[3] << 32 | c[2]
        block += 1


def packets(
    pack_size: int, sizes: Sequence[int], words_of: Sequence[int], seed: int, index: int
) -> tuple[list[list[int]], int]:
    """Each packet as a list of card numbers, and how many attempts were rejected.

    `words_of` says for each packet which word it is drawn from.
    """
    left = [pack_size - dealt for dealt in accumulate(sizes, initial=0)]
    bounds = [comb(cards, size) for cards, size in zip(left, sizes, strict=False)]
    attempt = 0
    while True:
        numbers = _numbers(bounds, words_of, words(seed, index, attempt))
        if numbers is not None:
            break
        attempt += 1
    pack = list(range(pack_size))
    dealt = []
    for number, size in zip(numbers, sizes, strict=True):
        packet = [pack[place] for place in subset(number, size)]
        pack = [card for card in pack if card not in packet]
        dealt.append(packet)
    return dealt, attempt


def _numbers(
    bounds: Sequence[int], words_of: Sequence[int], source: Iterator[int]
) -> list[int] | None:
    """Several draws a word; None where one word must be rejected."""
    numbers, product, low, current = [], 1, next(source), 0
    rejected = False
    for bound, word in zip(bounds, words_of, strict=True):
        if word != current:
            rejected |= low < (1 << 64) % product
            low, product, current = next(source), 1, word
        high, low = divmod(low * bound, 1 << 64)
        numbers.append(high)
        product *= bound
    return None if rejected or low < (1 << 64) % product else numbers


def subset(number: int, size: int) -> list[int]:
    """The subset of a number in colexicographic order: the greedy combinatorial number system."""
    places = []
    for k in range(size, 0, -1):
        place = k - 1
        while comb(place + 1, k) <= number:
            place += 1
        number -= comb(place, k)
        places.append(place)
    return places[::-1]
