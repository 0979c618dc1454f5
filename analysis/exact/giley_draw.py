"""The draw of Giley (GY-2.3): what each discard brings, and which is best for an aim.

A player discards none to all of his four cards and draws as many of those he has not seen: to him
the others' hands and the stock are alike unseen. His hand after it is counted suit by suit, as in
`analysis.exact.counting`, with one convention: the power of a term counts the cards of the suit
that he holds in the end, those he kept and those he drew. So every hand is full at four, whatever
is discarded, and the same table of suits serves all discards of all hands; many are counted at
once, a lane for each.

A suit's contribution depends on the kinds of its unseen and of its kept cards only
(`analysis.exact.giley_points`).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from math import comb, lcm
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from analysis.exact.counting import (
    Integers,
    Polynomials,
    count_deals,
    share_out,
    subsets,
)
from analysis.exact.giley_points import (
    CLASSES,
    FOUR,
    KINDS,
    class_of_kind,
    classes_with,
    different_rows,
    kinds,
    size_of_kind,
)
from sims.cards import GILEY as PACK
from sims.giley.figures import POINTS

#: How others may draw, by name.
RULES = ("best-suit", "most-points")
Rule = Literal["best-suit", "most-points"]

#: The sixteen discards of four cards in the order of PRINTED: the fewest cards first; of as many,
#: those that keep the first cards. Bit 3 stands for the first card.
DISCARDS = tuple(sorted(range(1 << FOUR.hand), key=lambda cards: (cards.bit_count(), cards)))

#: All cards as a hand is printed: suit by suit, oros first, and the highest of a suit first.
PRINTED = tuple(PACK.bit(card) for card in PACK.cards(PACK.mask))

#: What a hand after the draw is worth to the aim of most points, by class.
MOST_POINTS = np.array(POINTS)


@dataclass(frozen=True, eq=False)
class Draws:
    """What each discard brings, for some hands.

    Attributes
    ----------
    thrown : uint32 array, shape (hands, 16)
        The cards of each discard, as masks, in the order of `DISCARDS`.
    ways : int64 array, shape (hands, 16, 15)
        By the class of the hand after the draw; each discard sums to its `totals`.
    totals : int64 array, shape (16,)
        In how many ways as many cards can be drawn.
    """

    thrown: NDArray[np.uint32]
    ways: Integers
    totals: Integers

    @property
    def total(self) -> int:
        """A common total of all discards."""
        return lcm(*self.totals.tolist())

    @property
    def of_total(self) -> Integers:
        """The ways of every discard, each of the common total."""
        return self.ways * (self.total // self.totals)[:, None]

    def best(self, worth: Integers) -> Integers:
        """Which discard is best: shape (hands,), numbers in `DISCARDS`.

        The one after which the hand is worth most on average; of those as good, the one with the
        most points on average; of those, the first.

        Parameters
        ----------
        worth : int64 array, shape (15,)
            What a hand is worth after the draw, by class: points, or 1 for what is aimed at.
        """
        return best_of(self.of_total @ worth, self.of_total @ MOST_POINTS)


def best_of(values: Integers, seconds: Integers) -> Integers:
    """Where a row's value is the highest; of equals, where the second value is; then the first."""
    level = values == values.max(axis=1)[:, None]
    among = np.where(level, seconds, -1)
    found: Integers = among.argmax(axis=1)
    return found


def draws(hands: NDArray[np.uint32], gone: int = 0) -> Draws:
    """What each discard brings (GY-2.3).

    Parameters
    ----------
    hands : uint32 array, shape (hands,)
        Hands of four cards, as masks.
    gone : int
        Cards that cannot be drawn besides the hand itself, as a mask; at least four others are
        left.
    """
    thrown = discards(hands)
    unseen = kinds(np.uint32(PACK.mask & ~gone) & ~hands)[:, None]
    kept = kinds(hands[:, None] ^ thrown)
    states = np.sort((unseen * KINDS + kept).reshape(-1, 4), axis=1)
    different, place = different_rows(states)
    lanes = different[:, :, None] * CLASSES + np.arange(CLASSES)
    table = _suits_drawn()
    up_to = count_deals([table.take(lane.ravel()) for lane in lanes.swapaxes(0, 1)])
    by_state: Integers = np.diff(up_to.reshape(-1, CLASSES), axis=1, prepend=0).astype(np.int64)
    left = FOUR.cards - FOUR.hand - gone.bit_count()
    totals = np.array([comb(left, cards.bit_count()) for cards in DISCARDS])
    return Draws(thrown, by_state[place].reshape(*thrown.shape, CLASSES), totals)


def discards(hands: NDArray[np.uint32]) -> NDArray[np.uint32]:
    """The sixteen discards of each hand of four, as masks: shape (hands, 16)."""
    cards = np.zeros((len(hands), FOUR.hand), np.uint32)
    place = np.zeros(len(hands), np.int64)
    for card in PRINTED:
        held = np.flatnonzero(hands >> np.uint32(card) & np.uint32(1))
        cards[held, place[held]] = 1 << card
        place[held] += 1
    chosen = np.array(
        [[number >> place & 1 for number in DISCARDS] for place in reversed(range(FOUR.hand))]
    )
    return cards @ chosen.astype(np.uint32)


@cache
def _suits_drawn() -> Polynomials:
    """The ways a suit can be drawn from, for every kind unseen and every kind kept, by class."""
    sizes = (FOUR.hand,)
    terms = np.arange(FOUR.hand + 1)
    ways = np.zeros((terms.size, KINDS, KINDS, CLASSES), np.int64)
    for unseen in range(KINDS):
        shares = share_out(size_of_kind(unseen), sizes)
        for kept in range(KINDS):
            if not _can_lie_apart(unseen, kept):
                continue
            worth = classes_with(unseen, kept)[shares.holdings[0]]
            within = shares.tally(worth.astype(np.int64), CLASSES).at_most(CLASSES)
            fits = shares.terms + size_of_kind(kept) <= FOUR.hand
            ways[shares.terms[fits] + size_of_kind(kept), unseen, kept] = within.ways[fits]
    return Polynomials(sizes, terms, ways.reshape(terms.size, -1))


def _can_lie_apart(unseen: int, kept: int) -> bool:
    """Whether a suit has cards enough for both kinds side by side."""
    tens = (unseen >> 2) + (kept >> 2)
    return tens <= KINDS // 4 - 1 and not unseen & kept & 0b11


# Rules by which others draw -----------------------------------------------------------------------


@cache
def all_hands() -> NDArray[np.uint32]:
    """All hands of four, as masks in colexicographic order, which is that of their numbers."""
    return subsets(FOUR.cards, FOUR.hand)


@cache
def thrown_by(rule: Rule) -> NDArray[np.uint32]:
    """What a player discards of each of `all_hands` who has seen nothing else: shape (20475,).

    `best-suit` keeps the cards of the suit that is worth most, of equal suits the one ranked
    highest (as in GY-4.3), and discards the rest. `most-points` discards what brings the most
    points on average; of equal discards the one of the fewest cards, then the one that keeps the
    first cards as printed.
    """
    hands = all_hands()
    if rule == "best-suit":
        suit = class_of_kind(kinds(hands)).argmax(axis=1)
        kept = np.array([PACK.suit_mask(number) for number in range(4)], np.uint32)[suit]
        thrown: NDArray[np.uint32] = hands & ~kept
        return thrown
    return thrown_for(MOST_POINTS, hands)


def thrown_for(worth: Integers, hands: NDArray[np.uint32], gone: int = 0) -> NDArray[np.uint32]:
    """The best discard of each hand, as a mask.

    `worth` as in `Draws.best`, `hands` and `gone` as in `draws`.
    """
    found = draws(hands, gone)
    chosen: NDArray[np.uint32] = found.thrown[np.arange(len(hands)), found.best(worth)]
    return chosen
