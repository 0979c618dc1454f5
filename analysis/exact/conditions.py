"""Exact counts under a condition on a hand, and joint ones: sums over the cells of its basis.

All figures of one hand as dealt are determined by the readings of its basis, and the exact joint
distribution of the basis is counted once; what a condition leaves of it, added up by the classes of
a figure, is the figure's exact distribution under the condition.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from analysis.exact.counting import Counts
from sims.figures import Hand, Part


def are_determined(parts: Sequence[Part], hand: Hand) -> bool:
    """Whether the basis determines all readings of some parts."""
    return all(reading.code in hand.of_basis for part in parts for reading in part.readings)


def projected(
    parts: Sequence[Part], hand: Hand, ways: NDArray[Any], holds: NDArray[np.bool_] | None
) -> Counts:
    """The distributions of some parts among the hands that fulfil a condition.

    Parameters
    ----------
    parts : sequence of Part
        Determined by the basis.
    hand : Hand
    ways : int64 or object array, of the shape of the basis
        How many hands there are in each cell.
    holds : bool array, of the same shape, optional
        Where the condition holds; everywhere by default.

    Returns
    -------
    Counts
        `total` are the hands that fulfil the condition.
    """
    kept = ways if holds is None else np.where(holds, ways, 0).astype(ways.dtype)
    classes = hand.classes()
    found = {}
    for part in parts:
        own = [
            np.broadcast_to(hand.of_basis[reading.code](*classes), hand.shape)
            for reading in part.readings
        ]
        counts = np.zeros(part.shape, dtype=ways.dtype)
        np.add.at(counts, tuple(own), kept)
        found[part.name] = counts
    return Counts(found, int(kept.sum()))
