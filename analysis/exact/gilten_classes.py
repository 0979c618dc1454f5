"""The groups by which Gilten's figures are judged, and the class of every holding in them (GN-3).

A hand's Gleich is the best of its eight ranks, its Hanger the best of its four suits: ranks and
suits are the groups that `analysis.exact.counting` shares out. Classes are numbered as in
`sims.gilten.figures`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from analysis.exact.counting import Integers
from sims.cards import GILTEN as PACK

Figure = Literal["gleich", "hanger"]
Tie = Literal["stands", "forehand", "trump_then_forehand"]


@dataclass(frozen=True)
class Dimensions:
    """How many suits (at most four) and ranks the pack has, and how many cards a hand."""

    suits: int
    ranks: int
    hand: int

    @property
    def cards(self) -> int:
        """The number of cards in the pack."""
        return self.suits * self.ranks


GILTEN = Dimensions(len(PACK.suits), len(PACK.ranks), hand=5)  # GN-1.1, GN-1.3; others for tests


@dataclass(frozen=True, eq=False)
class Groups:
    """The groups of cards by which a figure is judged: ranks for Gleich, suits for Hanger.

    Attributes
    ----------
    cards : int
        The number of cards in each group.
    classes : int
        The number of classes, 0 .. classes - 1: first by the number of cards, then by the rank or
        the top card; 0 is nothing.
    tables : list of int64 arrays, shape (2^cards,)
        The class of every holding, that is of what one hand has of a group, as a mask. Of a rank,
        bit *i* is the card of suit *i*; of a suit, the card of rank *i*.
    alike : int
        How many groups each table is for: the ranks have a table each, the suits share one.
    """

    cards: int
    classes: int
    tables: list[Integers]
    alike: int


def judged_groups(figure: Figure, dimensions: Dimensions) -> Groups:
    """The groups by which the figure is judged, and the class of every holding in them."""
    return _ranks_for_gleich(dimensions) if figure == "gleich" else _suits_for_hanger(dimensions)


def _ranks_for_gleich(dimensions: Dimensions) -> Groups:
    """GN-3.1: four beat three beat two; among equals the higher rank wins."""
    cards_held = np.bitwise_count(np.arange(1 << dimensions.suits))
    tables = [np.zeros(1 << dimensions.suits, np.int64) for _ in range(dimensions.ranks)]
    best = 0
    for size in range(2, min(dimensions.suits, dimensions.hand) + 1):
        for table in tables:  # the lowest rank first
            best += 1
            table[cards_held >= size] = best
    return Groups(dimensions.suits, best + 1, tables, alike=1)


def _suits_for_hanger(dimensions: Dimensions) -> Groups:
    """GN-3.2: the longer run wins; among equals the higher top card."""
    holdings = np.arange(1 << dimensions.ranks)
    table = np.zeros(1 << dimensions.ranks, np.int64)
    best = 0
    for length in range(2, min(dimensions.ranks, dimensions.hand) + 1):
        for lowest in range(dimensions.ranks - length + 1):
            best += 1
            run = (1 << length) - 1 << lowest
            table[holdings & run == run] = best
    return Groups(dimensions.ranks, best + 1, [table], alike=dimensions.suits)


def classify(figure: Figure, hands: NDArray[np.uint32], dimensions: Dimensions) -> Integers:
    """The class of each hand.

    `hands` is a uint32 array of masks, bit suit * ranks + rank, of any shape; the int64 array of
    classes has the same shape.
    """
    best = np.zeros(hands.shape, np.int64)
    if figure == "gleich":
        for rank, table in enumerate(_ranks_for_gleich(dimensions).tables):
            np.maximum(best, table[_rank_holdings(hands, rank, dimensions)], out=best)
    else:
        (table,) = _suits_for_hanger(dimensions).tables
        for suit in range(dimensions.suits):
            np.maximum(best, table[_suit_holdings(hands, suit, dimensions)], out=best)
    return best


def _suit_holdings(
    hands: NDArray[np.uint32], suit: int, dimensions: Dimensions
) -> NDArray[np.uint32]:
    """One bit a rank: the cards of a suit lie side by side."""
    return hands >> np.uint32(suit * dimensions.ranks) & np.uint32((1 << dimensions.ranks) - 1)


def _rank_holdings(
    hands: NDArray[np.uint32], rank: int, dimensions: Dimensions
) -> NDArray[np.uint32]:
    """One bit a suit: the cards of a rank lie `dimensions.ranks` bits apart and are gathered."""
    held = np.zeros_like(hands)
    for suit in range(dimensions.suits):
        card = np.uint32(1 << suit * dimensions.ranks + rank)
        held[hands & card != 0] |= np.uint32(1 << suit)
    return held
