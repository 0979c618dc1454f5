"""What the cards of one suit are worth in Giley (GY-1.2), and how suits can be told apart.

A hand's points are its best total in one suit, so suits are the groups that
`analysis.exact.counting` shares out. Classes are numbered as in `sims.giley.figures`.

Five cards of a suit count ten each, and nothing else tells them apart. So what matters about some
cards of a suit is their *kind*: how many tens they are, whether the ace is among them, and whether
the seven is. There are 24 kinds, and few different hands by kind: that is what makes odds for every
hand cheap.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from analysis.exact.counting import Integers
from sims.cards import GILEY as PACK

Tie = Literal["dealer", "mano_first", "suit_rank", "split"]


@dataclass(frozen=True)
class Dimensions:
    """How many suits the pack has, what each rank counts, and how many cards a hand has."""

    suits: int
    points: tuple[int, ...]
    hand: int

    @property
    def cards(self) -> int:
        """The number of cards in the pack."""
        return self.suits * len(self.points)


# GY-1.1, GY-1.2, GY-2.1, GY-2.2; others for tests.
POINTS = tuple({"A": 11, "7": 7}.get(rank, 10) for rank in PACK.ranks)
TWO = Dimensions(len(PACK.suits), POINTS, hand=2)
FOUR = Dimensions(len(PACK.suits), POINTS, hand=4)


@dataclass(frozen=True, eq=False)
class Totals:
    """What the cards of one suit are worth.

    Attributes
    ----------
    classes : int
        How many different totals a hand can have in a suit: classes 0 .. classes - 1, worst first.
    table : int64 array, shape (2^cards of the suit,)
        The class of every holding, that is of what one hand has of the suit, as a mask: bit *i* is
        the card of rank *i*. No card at all is class 0 like the worst total: every hand has a card
        of some suit, so that no hand is placed by a suit it lacks.
    """

    classes: int
    table: Integers


def suit_totals(dimensions: Dimensions) -> Totals:
    """The classes of all holdings of up to a hand's cards (GY-1.2, GY-4.1)."""
    ranks = range(len(dimensions.points))
    sizes = range(1, dimensions.hand + 1)
    holdings = [held for size in sizes for held in combinations(ranks, size)]
    points = [sum(dimensions.points[rank] for rank in held) for held in holdings]
    totals, classes = np.unique(points, return_inverse=True)
    table = np.zeros(1 << len(ranks), np.int64)
    table[[sum(1 << rank for rank in held) for held in holdings]] = classes
    return Totals(totals.size, table)


def seats_before(seat: int, players: int, tie: Tie) -> int:
    """How many seats win before a seat if they are tied with it in all else (GY-4.2, GY-4.3).

    Under `split` nobody does.
    """
    if tie == "split":
        return 0
    if tie == "dealer":
        return 0 if seat == players - 1 else seat + 1
    return seat


# Kinds -------------------------------------------------------------------------------------------

_MOST_TENS = POINTS.count(10)

#: The kinds are numbered 0 .. KINDS - 1: four times the tens, two for the ace, one for the seven.
KINDS = 4 * (_MOST_TENS + 1)

_TOTALS = suit_totals(FOUR)
CLASSES = _TOTALS.classes
_SUIT = (1 << len(POINTS)) - 1
_WORTH = {10: 4, 11: 2, 7: 1}
_HOLDINGS = np.arange(_SUIT + 1)
_KIND_OF_HOLDING: Integers = np.sum(
    [(_HOLDINGS >> rank & 1) * _WORTH[points] for rank, points in enumerate(POINTS)], axis=0
)
_CLASS_OF_KIND: Integers = np.zeros(KINDS, np.int64)
_CLASS_OF_KIND[_KIND_OF_HOLDING] = _TOTALS.table


def kinds(cards: NDArray[np.uint32]) -> Integers:
    """The kind of some cards in each suit: (..., 4) from masks of any shape."""
    suits = [cards >> np.uint32(suit * len(POINTS)) & np.uint32(_SUIT) for suit in range(4)]
    found: Integers = _KIND_OF_HOLDING[np.stack(suits, axis=-1)]
    return found


def class_of_kind(kind: Any) -> Any:
    """The class of a suit's cards of these kinds (an int or an int64 array), up to four cards."""
    return _CLASS_OF_KIND[kind]


def size_of_kind(kind: Any) -> Any:
    """How many cards the kinds have, an int or an int64 array."""
    return (kind >> 2) + (kind >> 1 & 1) + (kind & 1)


def classes_with(kind: int, kept: int) -> NDArray[np.uint8]:
    """What cards of one kind are worth together with some out of those of another.

    Parameters
    ----------
    kind : int
        Of the cards of which any may be added.
    kept : int
        The kind of the cards that are there already; the two have no card in common.

    Returns
    -------
    uint8 array, shape (2^cards of `kind`,)
        The class for each choice, as a mask: the lowest bits are the tens, then the ace if it is
        one of the cards, then the seven.
    """
    weights = [4] * (kind >> 2) + [2] * (kind >> 1 & 1) + [1] * (kind & 1)
    choices = np.arange(1 << len(weights))
    added = sum(((choices >> bit & 1) * weight for bit, weight in enumerate(weights)), 0 * choices)
    worth: NDArray[np.uint8] = class_of_kind(added + kept).astype(np.uint8)
    return worth


def different_rows(rows: Integers) -> tuple[Integers, Integers]:
    """The different rows of four small numbers, each below 2^15, and where each row is of them.

    Returns
    -------
    int64 array, shape (different, 4)
    int64 array, shape (rows,)
        For each row its place among the different ones.
    """
    shifts = 15 * np.arange(rows.shape[1])
    packed, place = np.unique((rows << shifts).sum(axis=1), return_inverse=True)
    return packed[:, None] >> shifts & 0x7FFF, place
