"""The referee of Gilten for many deals at once (GN-3), in plain numpy: cards as numbers 0 to 31.

Card *c* is rank c % 8 of suit c // 8, in the order of `reference.gilten`. Hands are arrays of card
numbers along the last axis. Classes are numbered upwards from 0, nothing, in the order of GN-3.1
and GN-3.2. The tests check all of it against the referee.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from reference.gilten import Figure, Tie

Numbers = NDArray[np.int64]

#: In the order of the outcomes' numbers.
OUTCOMES = ("ours", "theirs", "stands", "none")


def _held(hands: Numbers) -> NDArray[np.bool_]:
    """Which cards are held, by suit and rank: shape (..., 4, 8)."""
    held = np.zeros((*hands.shape[:-1], 32), np.bool_)
    np.put_along_axis(held, hands, True, axis=-1)
    return held.reshape(*hands.shape[:-1], 4, 8)


def gleich(hands: Numbers) -> Numbers:
    """GN-3.1: pairs 1 to 8 by rank, triplets 9 to 16, quartets 17 to 24; shape (...)."""
    held = _held(hands).sum(axis=-2)
    classes: Numbers = np.where(held >= 2, 8 * (held - 2) + np.arange(8) + 1, 0).max(axis=-1)
    return classes


def gleich_has_trump(hands: Numbers, trumps: Numbers) -> NDArray[np.bool_]:
    """GN-3.5: whether the best Gleich has the trump of its rank; `trumps` are suits, (...)."""
    best = gleich(hands)
    trump_of_rank = (best - 1) % 8 + 8 * trumps
    has: NDArray[np.bool_] = (hands == trump_of_rank[..., None]).any(axis=-1) & (best > 0)
    return has


def hanger(hands: Numbers, suits: NDArray[np.bool_] | None = None) -> Numbers:
    """GN-3.2: runs of two 1 to 7 by top card, of three 8 to 13, of four to 18, of five to 22.

    With `suits`, of shape (..., 4), only those where it is True are looked at.
    """
    held = _held(hands)
    if suits is not None:
        held = held & suits[..., None]
    length = np.zeros(held.shape[:-1], np.int64)
    best = np.zeros(held.shape[:-1], np.int64)
    below = np.array([0, 0, 0, 7, 13, 18])  # classes below the shortest run of so many cards
    for rank in range(8):
        length = np.where(held[..., rank], length + 1, 0)
        # The lowest run of n cards has rank n - 1 on top.
        value = np.where(length >= 2, below[length] + rank - length + 2, 0)
        best = np.maximum(best, value)
    classes: Numbers = best.max(axis=-1)
    return classes


def hanger_in_trumps(hands: Numbers, trumps: Numbers) -> NDArray[np.bool_]:
    """GN-3.5: whether the best Hanger is held in trumps, perhaps elsewhere, too."""
    best = hanger(hands)
    in_trumps = hanger(hands, trumps[..., None] == np.arange(4))
    favoured: NDArray[np.bool_] = (best == in_trumps) & (best > 0)
    return favoured


def classes(hands: Numbers, figure: Figure) -> Numbers:
    """The best class of each hand: shape (..., 5) to (...)."""
    return gleich(hands) if figure == "gleich" else hanger(hands)


def outcomes(hands: Numbers, turnups: Numbers, figure: Figure) -> dict[Tie, Numbers]:
    """GN-3.5: who scores under each option, seen from seat 0's team, as the numbers of OUTCOMES.

    Parameters
    ----------
    hands : integer array, shape (deals, players, 5)
    turnups : integer array, shape (deals,)
    """
    of_hand = classes(hands, figure)
    best = of_hand.max(axis=1)
    ours, theirs = of_hand[:, 0::2].max(axis=1), of_hand[:, 1::2].max(axis=1)
    holds = of_hand == best[:, None]
    has_trump = gleich_has_trump if figure == "gleich" else hanger_in_trumps
    favoured = holds & has_trump(hands, np.broadcast_to(turnups[:, None] // 8, of_hand.shape))
    first = np.where(favoured.any(axis=1)[:, None], favoured, holds)
    tied: dict[Tie, Numbers] = {
        "stands": np.full(len(hands), OUTCOMES.index("stands")),
        "forehand": holds.argmax(axis=1) % 2,
        "trump_then_forehand": first.argmax(axis=1) % 2,
    }
    better = np.where(ours > theirs, OUTCOMES.index("ours"), OUTCOMES.index("theirs"))
    return {
        tie: np.where(best == 0, OUTCOMES.index("none"), np.where(ours == theirs, who, better))
        for tie, who in tied.items()
    }
