"""Counting deals exactly: polynomials with one variable a hand.

The figures of Gilten, Giley and Gleek are judged group by group: a *group* is a suit (runs, points
of a suit) or a rank (cards of a kind), and a hand is worth the best of its groups. So all hands of
a deal are worth at most some threshold if, and only if, each group is shared out within it. Write

    F(x0, x1, ...) = sum over the ways to share one group out within the threshold
                     of x0^(cards to hand 0) x1^(cards to hand 1) ...

where the cards that go to nobody (the stock) count as 1. The number of deals within the threshold
is then the coefficient of x0^size0 x1^size1 ... in the product of the F of all groups, and every
power above a hand's size can be dropped on the way. Doing it for all thresholds at once and taking
differences gives the number of deals at each value: first the cumulative counts, then the counts.

The steps, in the order of this file: `share_out` lists the ways to share a group out; the caller
gives each of them a code (which threshold is the lowest to let it in) and `Shares.tally` sorts them
by it; `Polynomials.at_most` adds up to the thresholds; `count_deals` multiplies the groups and
reads the coefficient; `differences` goes back from thresholds to values.

Every number is an exact integer. `multiply` and `coefficient` state why int64 does not overflow in
them, and check the premise; results may pass 2^63 (Gleek's three hands: 6e23), so they are Python
integers until `exact_integers` has seen their total.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from math import comb, prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sims.jit import kernel

Integers = NDArray[np.int64]
Exact = NDArray[Any]  # int64 where the total allows it, else Python integers in an object array

BITS = 63  # a non-negative int64 is below 2^63
MOST_HANDS = 7  # one byte a hand in an int64, see `_packed_powers`


@dataclass(frozen=True, eq=False)
class Counts:
    """An exact distribution, or several of the same deals.

    Attributes
    ----------
    ways : mapping of part name to integer array
        The number of deals (or hands) at each outcome; int64 where `total` is below 2^63, else
        Python integers in an object array. Each part sums to `total`.
    total : int
        The number of equally likely deals (or hands).

    Raises
    ------
    ArithmeticError
        If a part does not sum to the total.
    """

    ways: Mapping[str, Exact]
    total: int

    def __post_init__(self) -> None:
        for part, ways in self.ways.items():
            if int(ways.sum()) != self.total:
                raise ArithmeticError(f"part {part!r} sums to {ways.sum()}, not to {self.total}")


@dataclass(frozen=True, eq=False)
class Shares:
    """All ways to share the cards of one group out among the hands and the stock.

    Attributes
    ----------
    sizes : tuple of int
        Cards that each hand holds in the end, over all groups.
    holdings : uint16 array, shape (hands, ways)
        The cards of the group in each hand, as a mask: bit *i* is card *i* of the group.
    terms : int64 array, shape (terms,)
        The different numbers of cards that the hands get, each as a term of `Polynomials`.
    term_of : int64 array, shape (ways,)
        Which of `terms` each way belongs to.
    """

    sizes: tuple[int, ...]
    holdings: NDArray[np.uint16]
    terms: Integers
    term_of: Integers

    def tally(self, codes: NDArray[Any], lanes: int) -> Polynomials:
        """Sort the ways by code: one polynomial for each code.

        Parameters
        ----------
        codes : integer array, shape (ways,)
            A code 0 .. lanes - 1 for each way to share the group out.
        lanes : int
            How many codes there are.
        """
        cells = self.terms.size * lanes
        ways = np.bincount(self.term_of * lanes + codes, minlength=cells)
        return Polynomials(self.sizes, self.terms, ways.reshape(self.terms.size, lanes))


@dataclass(frozen=True, eq=False)
class Polynomials:
    """A batch of polynomials in one variable a hand, all over the same terms, one a lane.

    Attributes
    ----------
    sizes : tuple of int
        The highest power of each variable that is kept: the size of that hand.
    terms : int64 array, shape (terms,)
        The powers of each term in mixed radix, hand 0 first: p0 + (size0 + 1) (p1 + ...).
    ways : int64 array, shape (terms, lanes)
        The coefficients: numbers of ways, never negative; those of a lane sum to less than 2^63.
    """

    sizes: tuple[int, ...]
    terms: Integers
    ways: Integers

    def at_most(self, *shape: int) -> Polynomials:
        """Add up to each threshold: lane (a, b, ...) becomes the sum of all lanes up to it.

        `shape` is how the lanes are laid out, one axis a threshold; the lanes of the result are
        in the same order.
        """
        ways = self.ways.reshape(-1, *shape)
        for axis in range(1, ways.ndim):
            ways = ways.cumsum(axis=axis)
        return Polynomials(self.sizes, self.terms, ways.reshape(self.ways.shape))

    def take(self, lanes: Integers) -> Polynomials:
        """Some of the lanes, by number."""
        return Polynomials(self.sizes, self.terms, self.ways.take(lanes, axis=1))

    def with_turnup(self, cards: int) -> Polynomials:
        """Count each way once for every card of this group of `cards` that is left to turn up."""
        left = cards - _powers(self.sizes)[:, self.terms].sum(axis=0)
        return Polynomials(self.sizes, self.terms, self.ways * left[:, None])


def share_out(cards: int, sizes: tuple[int, ...]) -> Shares:
    """All ways to share a group of `cards` cards (at most 16) out among hands of these sizes.

    Every card goes to one of the hands or to nobody: (hands + 1)^cards ways, less those that
    would overfill a hand.
    """
    hands = len(sizes)
    holdings = np.zeros((hands, 1), np.uint16)
    for card in range(cards):
        taker = np.zeros((hands, hands + 1), np.uint16)  # a column a taker, the last one nobody
        np.fill_diagonal(taker, 1 << card)
        holdings = (holdings[:, None, :] | taker[:, :, None]).reshape(hands, -1)
    counts = np.bitwise_count(holdings)
    fits = (counts <= np.array(sizes)[:, None]).all(axis=0)
    holdings, counts = holdings.compress(fits, axis=1), counts.compress(fits, axis=1)
    term = np.array(_strides(sizes)) @ counts
    occurs = np.zeros(_term_count(sizes), np.bool_)
    occurs[term] = True
    return Shares(sizes, holdings, np.flatnonzero(occurs), (np.cumsum(occurs) - 1)[term])


def highest(holdings: NDArray[np.uint16], tables: Sequence[NDArray[Any]]) -> NDArray[Any]:
    """The highest value among some hands, for each way to share a group out.

    Parameters
    ----------
    holdings : uint16 array, shape (hands, ways)
        Rows of `Shares.holdings`.
    tables : integer array for each hand, shape (2^cards of the group,)
        What each holding is worth to that hand. Small integers are looked up faster.
    """
    return reduce(np.maximum, [table[held] for table, held in zip(tables, holdings, strict=True)])


def multiply(left: Polynomials, right: Polynomials) -> Polynomials:
    """The products, lane by lane, of two batches over the same hands and as many lanes.

    No coefficient is negative, so every value met on the way, and every coefficient of a product,
    is at most the product of the sums of both factors' coefficients. That is checked to be below
    2^63. (For half a pack it is at most (hands + 1)^(cards in the half): Gilten 5^16, Giley with
    five hands 6^14, Gleek 4^22, each well below.)

    Raises
    ------
    ValueError
        If the hands or the numbers of lanes differ.
    OverflowError
        If that bound is not below 2^63.
    """
    _check_alike(left, right)
    if _largest_sum(left.ways) * _largest_sum(right.ways) >= 1 << BITS:
        raise OverflowError("the product of these polynomials may pass 2^63")
    packed = _packed_powers(left.sizes)
    slack = sum((127 - size) << 8 * hand for hand, size in enumerate(left.sizes))
    guards = sum(128 << 8 * hand for hand in range(len(left.sizes)))
    ways = np.zeros((_term_count(left.sizes), left.ways.shape[1]), np.int64)
    _add_products(
        ways, left.terms, left.ways, right.terms, right.ways, packed + slack, packed, guards
    )
    terms = np.flatnonzero(ways.any(axis=1))
    return Polynomials(left.sizes, terms, ways[terms])


@kernel
def _add_products(
    products: Integers,
    left_terms: Integers,
    left: Integers,
    right_terms: Integers,
    right: Integers,
    packed_with_slack: Integers,
    packed: Integers,
    guards: int,
) -> None:
    """Add every product of a term of `left` and one of `right` that fits, in all lanes at once.

    Parameters
    ----------
    products : int64 array, shape (all terms, lanes)
        Where the products are added.
    left_terms, right_terms : int64 arrays, shape (terms,)
        Terms in mixed radix; the term of a product that fits is their sum.
    left, right : int64 arrays, shape (terms, lanes)
        Coefficients.
    packed_with_slack, packed : int64 arrays, shape (all terms,)
        The powers of each term, packed as in `_packed_powers`, with and without slack.
    guards : int
        The guard bits.
    """
    for i in range(left_terms.size):
        powers = packed_with_slack[left_terms[i]]
        factor = left[i]
        for j in range(right_terms.size):
            if (powers + packed[right_terms[j]]) & guards == 0:
                other = right[j]
                target = products[left_terms[i] + right_terms[j]]
                for lane in range(target.size):
                    target[lane] += factor[lane] * other[lane]


def coefficient(left: Polynomials, right: Polynomials) -> NDArray[np.object_]:
    """The coefficient, in each product of two batches, of the term in which all hands are full.

    It may pass 2^63. So the left factor is cut into limbs of w bits, the products of each limb
    are summed in int64, and the sums are put together as Python integers. With S the largest sum
    over a lane of the right factor's coefficients, a sum over one limb is at most (2^w - 1) S,
    and w is the largest width for which that is below 2^63.

    Returns
    -------
    object array of Python integers, shape (lanes,)

    Raises
    ------
    ValueError
        If the hands or the numbers of lanes differ.
    OverflowError
        If S leaves no bit for a limb.
    """
    _check_alike(left, right)
    full = _term_count(left.sizes) - 1
    every_term = np.zeros((full + 1, right.ways.shape[1]), np.int64)
    every_term[right.terms] = right.ways
    partners = every_term[full - left.terms]  # full - p: what the hands still want after p
    width = BITS - _largest_sum(partners).bit_length()
    if width < 1:
        raise OverflowError("these coefficients are too large to be multiplied in limbs")
    total = np.zeros(left.ways.shape[1], np.object_)
    remaining = left.ways
    shift = 0
    while remaining.any():
        limb = remaining & ((1 << width) - 1)
        total += np.einsum("tl,tl->l", limb, partners).astype(np.object_) << shift
        remaining = remaining >> width
        shift += width
    return total


def count_deals(groups: Sequence[Polynomials]) -> NDArray[np.object_]:
    """The number of deals in each lane, from the polynomials of all groups (two or more).

    The groups are multiplied in two halves, so that no product is ever formed of more than half
    the pack. Where both halves are made of the same groups, one product serves as both.

    Returns
    -------
    object array of Python integers, shape (lanes,)
    """
    half = len(groups) // 2
    first, second = groups[:half], groups[half:]
    left = reduce(multiply, first)
    alike = [id(group) for group in first] == [id(group) for group in second]
    return coefficient(left, left if alike else reduce(multiply, second))


def differences(cumulative: Exact) -> Exact:
    """From the number of deals up to each threshold to the number at it, along every axis."""
    for axis in range(cumulative.ndim):
        cumulative = np.diff(cumulative, axis=axis, prepend=0)
    return cumulative


def exact_integers(ways: Exact, total: int) -> Exact:
    """The same integers as int64 if their total is below 2^63, else as Python integers."""
    return ways.astype(np.int64 if total < 1 << BITS else np.object_)


def deals(cards: int, sizes: Sequence[int]) -> int:
    """In how many ways hands of these sizes can be dealt, in order, from so many cards."""
    dealt = [sum(sizes[:hand]) for hand in range(len(sizes))]
    return prod(comb(cards - before, size) for before, size in zip(dealt, sizes, strict=True))


def subsets(cards: int, size: int) -> NDArray[np.uint32]:
    """All sets of `size` of up to 32 cards, as masks, in colexicographic order.

    In that order the sets whose highest card is below c are the first comb(c, size) ones; the sets
    with highest card c are card c and each set of one card fewer below it.
    """
    sets = np.zeros(1, np.uint32)
    for taken in range(1, size + 1):
        tops = range(taken - 1, cards)
        sets = np.concatenate([sets[: comb(c, taken - 1)] | np.uint32(1 << c) for c in tops])
    return sets


def _strides(sizes: tuple[int, ...]) -> list[int]:
    """The weight of each hand's power in the mixed-radix number of a term."""
    return [prod(size + 1 for size in sizes[:hand]) for hand in range(len(sizes))]


def _term_count(sizes: tuple[int, ...]) -> int:
    return prod(size + 1 for size in sizes)


def _powers(sizes: tuple[int, ...]) -> Integers:
    """The powers of every term, shape (hands, all terms)."""
    terms = np.arange(_term_count(sizes))
    strides = _strides(sizes)
    return np.array([terms // s % (n + 1) for s, n in zip(strides, sizes, strict=True)])


def _packed_powers(sizes: tuple[int, ...]) -> Integers:
    """The powers of every term in one int64 each: byte *s* is the power of hand *s*'s variable.

    The top bit of each byte is a guard. The powers of two terms, and a slack of 127 - size in each
    byte, are summed in one addition; a byte then passes 127, and sets its guard bit, exactly if the
    powers pass the hand's size. No byte carries into the next: 127 + size is at most 254.

    Raises
    ------
    ValueError
        If there are more than seven hands, or a hand of more than 127 cards.
    """
    if len(sizes) > MOST_HANDS or max(sizes) > 127:
        raise ValueError(f"at most {MOST_HANDS} hands of at most 127 cards, not {sizes}")
    packed: Integers = sum(power << 8 * hand for hand, power in enumerate(_powers(sizes)))
    return packed


def _largest_sum(ways: Integers) -> int:
    """The largest sum over a lane."""
    return int(ways.sum(axis=0).max())


def _check_alike(left: Polynomials, right: Polynomials) -> None:
    if left.sizes != right.sizes:
        raise ValueError(f"polynomials for different hands: {left.sizes} and {right.sizes}")
    if left.ways.shape[1] != right.ways.shape[1]:
        raise ValueError(f"{left.ways.shape[1]} lanes and {right.ways.shape[1]} do not match")
