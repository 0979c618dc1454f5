"""What the stock of Gleek brings to its buyer (GK-2), and what sets may lie in a hand (GK-4).

The buyer lays out seven of his twelve cards and takes the seven of the stock: to him any of the
cards he has not seen. His ruff after one lay-out is counted by `analysis.exact.gleek_ruff`, his
sets by binomials, rank by rank. To find the best lay-out for the ruff, all of up to 792 are
compared at once:

- The unseen cards are the same whatever he lays out. So the ways that a suit can lie are tallied
  once, by what its cards in the stock count and by what the suit is worth to the better of the
  others. What the buyer keeps of the suit is only added to the former: for every value it can have,
  the polynomials of all thresholds are read off one table.
- Two suits are multiplied for every pair of values that their kept cards can have, and so are the
  other two; each lay-out is one of the first pairs with one of the second.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import reduce
from itertools import combinations, product
from math import comb, prod

import numpy as np
from numpy.typing import NDArray

from analysis.exact.counting import BITS, Counts, Integers, Polynomials, highest, multiply
from analysis.exact.gleek_ruff import aces_of, suit_points, with_all_aces
from analysis.exact.positions import Position
from sims.cards import Pack
from sims.gleek.figures import INCOME, SET, SET_PAY, SETS

#: GK-2.3: the cards laid out, and those of the stock.
LAID_OUT = 7


# Sets (GK-4) -------------------------------------------------------------------------------------


def set_counts(position: Position) -> Counts:
    """The sets of one hand (GK-4.1), of which some cards are known and others wanted.

    Returns
    -------
    Counts
        A part for each rank of `SET_PAY`, shape (3,): none, gleek, mournival; `number`, shape (5,);
        `income`, shape (18,): chips from each opponent, in the classes of
        `sims.gleek.figures.INCOME`.
    """
    known, unseen = (
        _of_each_rank(position, cards) for cards in (position.held[0], position.unseen)
    )
    others = position.unseen.bit_count() - sum(unseen)
    ways = {rank: np.zeros(len(SET), np.int64) for rank in SET_PAY}
    ways |= {"number": np.zeros(len(SETS), np.int64), "income": np.zeros(len(INCOME), np.int64)}
    for dealt in product(*(range(number + 1) for number in unseen)):
        rest = position.wanted[0] - sum(dealt)
        if rest < 0:
            continue
        own = comb(others, rest) * prod(map(comb, unseen, dealt))
        sets = [_set_of(position, held + new) for held, new in zip(known, dealt, strict=True)]
        for rank, kind in zip(SET_PAY, sets, strict=True):
            ways[rank][kind] += own
        ways["number"][sum(kind > 0 for kind in sets)] += own
        chips = sum(pay * kind for pay, kind in zip(SET_PAY.values(), sets, strict=True))
        ways["income"][INCOME.labels.index((chips,))] += own
    return Counts(ways, position.total)


def income_ways(position: Position) -> int:
    """The chips for sets from each opponent, added up over all deals of one hand."""
    chips = 0
    unseen, wanted = position.unseen.bit_count(), position.wanted[0]
    ranks = zip(
        SET_PAY.values(),
        _of_each_rank(position, position.held[0]),
        _of_each_rank(position, position.unseen),
        strict=True,
    )
    for pay, known, new in ranks:
        for dealt in range(min(new, wanted) + 1):
            ways = comb(new, dealt) * comb(unseen - new, wanted - dealt)
            chips += pay * _set_of(position, known + dealt) * ways
    return chips


def _of_each_rank(position: Position, cards: int) -> list[int]:
    """How many of the cards are of each rank of `SET_PAY`."""
    return [(cards & rank_mask(position.pack, rank)).bit_count() for rank in SET_PAY]


def _set_of(position: Position, cards: int) -> int:
    """GK-4.1: 0 without a set, 1 for a gleek, 2 for a mournival."""
    return max(0, cards - len(position.pack.suits) + 2)


def rank_mask(pack: Pack, rank: str) -> int:
    """All cards of a rank."""
    ranks, place = len(pack.ranks), pack.ranks.index(rank)
    return sum(1 << suit * ranks + place for suit in range(len(pack.suits)))


# Lay-outs (GK-2.3, GK-2.4) -----------------------------------------------------------------------


def layouts(hand: int, barred: int, cards: int = LAID_OUT) -> list[int]:
    """All ways to lay out so many cards of a hand, none of those barred, as masks."""
    free = [1 << bit for bit in range(hand.bit_length()) if hand & ~barred & 1 << bit]
    return [sum(laid_out) for laid_out in combinations(free, cards)]


def best_ruff_ways(
    others: Position, before: int, kept: Sequence[int], points: tuple[int, ...]
) -> Integers:
    """In how many deals a buyer has the best ruff of all, for each way to lay out.

    Parameters
    ----------
    others : Position
        The other hands in the order of their seats. The unseen cards that they do not take are the
        stock, and the buyer's.
    before : int
        How many of them sit before the buyer, and win of equal ruffs (GK-3.4).
    kept : sequence of int
        For each lay-out the cards that the buyer counts besides, as a mask.
    points : tuple of int
        What the cards of a suit count, low to high; the last is the ace.

    Returns
    -------
    int64 array, shape (lay-outs,)
        Of `others.total` deals.
    """
    wins = _wins_by_total(others, before, kept, points)
    # GK-3.1: no total wins against four aces, and a buyer who has them wins with any.
    for seat in range(len(others.held)):
        given = with_all_aces(others, seat)
        if given is not None:
            wins -= _wins_by_total(given, before, kept, points)
    aces = aces_of(others.pack)
    new = aces & others.unseen
    stock = others.unseen.bit_count() - sum(others.wanted)
    complete = [number for number, cards in enumerate(kept) if not aces & ~new & ~cards]
    if complete and new.bit_count() <= stock:
        given = replace(others, gone=others.gone | new)
        with_aces = [kept[number] | new for number in complete]
        wins[complete] += given.total - _wins_by_total(given, before, with_aces, points)
    return wins


def _wins_by_total(
    others: Position, before: int, kept: Sequence[int], points: tuple[int, ...]
) -> Integers:
    """The same where hands with all aces count their total like others.

    The buyer wins at a total if nobody passes it, none before him reaches it, and he does: so many
    deals with him within it, less those with him below.

    Raises
    ------
    OverflowError
        If the deals, once for each threshold, may pass 2^63.
    """
    values = suit_points(points)
    ranks, suits = len(others.pack.ranks), range(len(others.pack.suits))
    whole = (1 << ranks) - 1
    held = np.array([[values[cards >> suit * ranks & whole] for suit in suits] for cards in kept])
    lanes = 2 * (int(values[-1]) + 1)  # the buyer within or below, for each threshold
    if others.total * lanes >= 1 << BITS:
        raise OverflowError(f"{others.total} deals, {lanes} times, may pass 2^{BITS}")
    # The suit of the most values and that of the fewest make one half: neither has many pairs.
    order = sorted(suits, key=lambda suit: -np.unique(held[:, suit]).size)
    left, left_of = _half(others, before, held, order[::3], values)
    right, right_of = _half(others, before, held, order[1:3], values)
    full = prod(size + 1 for size in others.wanted) - 1
    every_term = np.zeros((full + 1, right.ways.shape[1]), np.int64)
    every_term[right.terms] = right.ways
    partners = _by_pair(every_term[full - left.terms], lanes)
    factors = _by_pair(left.ways, lanes)
    wins = np.zeros(len(kept), np.int64)
    for pair, factor in enumerate(factors):
        mine = left_of == pair
        products = (partners[right_of[mine]] * factor).reshape(-1, left.terms.size, 2, lanes // 2)
        wins[mine] = products.sum(axis=(1, 3)) @ [1, -1]
    return wins


def _half(
    others: Position, before: int, held: Integers, suits: list[int], values: NDArray[np.uint8]
) -> tuple[Polynomials, Integers]:
    """Two suits multiplied, for every pair of values that their kept cards have in a lay-out.

    Returns
    -------
    Polynomials
        A lane for each pair, for the buyer within and below, for each threshold.
    int64 array, shape (lay-outs,)
        Which pair each lay-out has.
    """
    pairs, pair_of = np.unique(held[:, suits], axis=0, return_inverse=True)
    factors = [
        _suit(others, before, suit, kept, values) for suit, kept in zip(suits, pairs.T, strict=True)
    ]
    return reduce(multiply, factors), pair_of.ravel()


def _suit(
    others: Position, before: int, suit: int, kept: Integers, values: NDArray[np.uint8]
) -> Polynomials:
    """The ways a suit can lie within each threshold, for each value of what the buyer keeps of it.

    Returns
    -------
    Polynomials
        A lane for each of the values, for the buyer within and below, for each threshold.
    """
    shares = others.suit(suit)
    unseen = np.uint16(others.unseen >> suit * len(others.pack.ranks) & values.size - 1)
    stock = values[unseen & ~np.bitwise_or.reduce(shares.holdings, axis=0)]
    tables = [values + np.uint8(seat < before) for seat in range(len(others.held))]
    most = int(values[-1])
    shape = (most + 2, most + 1)  # by the better of the others, by what the stock brings
    codes = highest(shares.holdings, tables) * np.int64(shape[1]) + stock
    table = shares.tally(codes, prod(shape)).at_most(*shape).ways
    thresholds = np.arange(most + 1)
    room = thresholds - np.array([[0], [1]]) - kept.astype(np.int64)[:, None, None]
    ways = table[:, thresholds * shape[1] + room.clip(0)] * (room >= 0)
    return Polynomials(others.wanted, shares.terms, ways.reshape(shares.terms.size, -1))


def _by_pair(ways: Integers, lanes: int) -> Integers:
    """From (terms, pairs x lanes) to (pairs, terms x lanes)."""
    by_term = ways.reshape(len(ways), -1, lanes)
    return np.swapaxes(by_term, 0, 1).reshape(by_term.shape[1], -1)
