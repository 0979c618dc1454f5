"""What a good numpy program makes of it: all deals at once, whole arrays at a time.

Each yardstick shuffles by sorting random keys, judges the hands with array operations and counts
with `bincount`; it shares no code or encoding with the kernels. (Two of a deal's keys of 24 bits
are equal in one deal of 20 000 to 30 000; the two cards' order is then the sort's, which moves no
frequency by as much as a tenth of a standard error in the numbers of deals dealt here.)
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

U32 = np.uint32


def shuffled(rng: Generator, deals: int, cards: int, dealt: int) -> NDArray[np.int64]:
    """The first cards of shuffled packs, as numbers: (deals, dealt)."""
    return rng.random((deals, cards), dtype=np.float32).argsort(axis=1)[:, :dealt]


# Gilten: card = 8 * suit + rank.


def gilten(rng: Generator, deals: int) -> NDArray[np.int64]:
    """Who has the better Gleich, and who the better Hanger, of two teams of two.

    Returns
    -------
    int64 array, (4, 4)
        Deals by the outcome of the Gleich, then of the Hanger: ours, theirs, stands, none.
    """
    cards = shuffled(rng, deals, 32, 20).reshape(deals, 4, 5)
    return gilten_outcomes((U32(1) << cards.astype(U32)).sum(axis=2, dtype=U32))


def gilten_outcomes(hands: NDArray[np.uint32]) -> NDArray[np.int64]:
    """The outcomes of deals given as masks, (deals, 4); counted as in `gilten`."""
    cells = 4 * _outcome(_gleich(hands)) + _outcome(_hanger(hands))
    return np.bincount(cells, minlength=16).reshape(4, 4)


def _gleich(hands: NDArray[np.uint32]) -> NDArray[np.int32]:
    """A number that grows with the best Gleich: the highest of pairs, triplets and quartets."""
    a, b, c, d = ((hands >> U32(8 * suit)) & U32(0xFF) for suit in range(4))
    both_1, some_1, both_2, some_2 = a & b, a | b, c & d, c | d
    pairs = both_1 | both_2 | (some_1 & some_2)
    triplets = (both_1 & some_2) | (some_1 & both_2)
    quartets = both_1 & both_2
    return _bit_length(pairs | (triplets << U32(8)) | (quartets << U32(16)))


def _hanger(hands: NDArray[np.uint32]) -> NDArray[np.int32]:
    """A number that grows with the best Hanger: the highest of runs of two, three, four, five."""
    two = hands & (hands >> U32(1)) & U32(0x7F7F7F7F)
    three = two & (two >> U32(1))
    four = three & (three >> U32(1))
    five = four & (four >> U32(1))
    runs = _ranks(two) | (_ranks(three) << U32(8)) | (_ranks(four) << U32(16))
    return _bit_length(runs | (_ranks(five) << U32(24)))


def _ranks(cards: NDArray[np.uint32]) -> NDArray[np.uint32]:
    """The ranks of cards of any suit, eight bits."""
    ranks: NDArray[np.uint32] = cards | cards >> U32(8) | cards >> U32(16) | cards >> U32(24)
    return ranks & U32(0xFF)


def _bit_length(masks: NDArray[np.uint32]) -> NDArray[np.int32]:
    """The number of the highest bit, counted from one: a float's exponent."""
    return np.frexp(masks.astype(np.float64))[1]


def _outcome(figures: NDArray[np.int32]) -> NDArray[np.int64]:
    """Seats 0 and 2 against 1 and 3: 0 ours, 1 theirs, 2 stands, 3 none (GN-3.5)."""
    ours = np.maximum(figures[:, 0], figures[:, 2])
    theirs = np.maximum(figures[:, 1], figures[:, 3])
    tied = np.where(ours > 0, 2, 3)
    return np.where(ours > theirs, 0, np.where(theirs > ours, 1, tied))


# Giley: card = 7 * suit + rank.

_GILEY_POINTS = np.array([10, 10, 7, 10, 10, 10, 11], dtype=np.int16)
#: GY-4.2: among equal points the dealer, the last seat, is preferred, then the lower seat.
_PREFERENCE = np.array([3, 2, 1, 0, 4], dtype=np.int16)


def giley(rng: Generator, deals: int) -> NDArray[np.int64]:
    """The best points of five players, and who has them.

    Returns
    -------
    int64 array, (42, 5)
        Deals by the best points and the winner's seat.
    """
    cards = shuffled(rng, deals, 28, 20).reshape(deals, 5, 4)
    best = _best_suit(cards, _GILEY_POINTS)
    claims = (8 * best + _PREFERENCE).max(axis=1)
    return np.bincount(claims, minlength=42 * 8).reshape(42, 8)[:, _PREFERENCE]


def _best_suit(cards: NDArray[np.int64], points: NDArray[np.int16]) -> NDArray[np.int64]:
    """The best total in one suit of hands (deals, players, cards): (deals, players)."""
    suits, worth = cards // len(points), points[cards % len(points)]
    totals = [np.where(suits == suit, worth, 0).sum(axis=2) for suit in range(4)]
    best: NDArray[np.int64] = np.stack(totals, axis=2).max(axis=2)
    return best


# Gleek: card = 11 * suit + rank, ranks from the 4 to the ace.

_GLEEK_POINTS = np.array([4, 5, 6, 7, 8, 9, 10, 10, 10, 10, 11], dtype=np.int16)
_ACE, _JACK = 10, 7
#: Stands for four aces among the totals of a suit, which are at most 90.
FOUR_ACES = 91


def gleek(rng: Generator, deals: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The ruff of each of three hands as dealt, and what its sets bring in from each opponent.

    Returns
    -------
    ruffs : int64 array, (3, 92)
        Deals by seat and total; FOUR_ACES is the last.
    incomes : int64 array, (3, 19)
        Deals by seat and chips.
    """
    cards = shuffled(rng, deals, 44, 36).reshape(deals, 3, 12)
    ranks = cards % 11
    held = {rank: (ranks == rank).sum(axis=2) for rank in range(_JACK, _ACE + 1)}
    ruffs = np.where(held[_ACE] == 4, FOUR_ACES, _best_suit(cards, _GLEEK_POINTS))
    incomes = sum(
        (rank - _JACK + 1) * ((number > 2).astype(np.int16) + (number > 3))
        for rank, number in held.items()
    )
    return _by_seat(ruffs, FOUR_ACES + 1), _by_seat(incomes, 19)


def _by_seat(values: Any, limit: int) -> NDArray[np.int64]:
    """Histograms of values (deals, seats) below a limit: (seats, limit)."""
    return np.stack([np.bincount(column, minlength=limit) for column in values.T])
