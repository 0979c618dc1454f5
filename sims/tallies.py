"""Counting classes: the last stages of every batch."""

from __future__ import annotations

from typing import Any

from sims.bits import U32
from sims.jit import kernel

#: Neighbouring lanes often fall into one class; with a copy of the counts for each of four
#: neighbours, no count waits for the store before it.
COPIES = 4


@kernel
def join(cells: Any, reading: Any, classes: Any, lanes: Any) -> None:
    """Refine the cells of a joint distribution by one more reading of `classes` classes.

    `cells` and `reading` are uint32 arrays, (at least `lanes`,); `cells` is changed.
    """
    width = U32(classes)
    for lane in range(lanes):
        cells[lane] = U32(cells[lane] * width + reading[lane])


@kernel
def set_aside(cells: Any, basis_cells: Any, holds: Any, cell: Any, lanes: Any) -> None:
    """Send the lanes for which a condition does not hold to a cell of their own.

    `basis_cells` are the lanes' cells in the hand's basis, which index `holds`.
    """
    aside = U32(cell)
    for lane in range(lanes):
        cells[lane] = cells[lane] if holds[basis_cells[lane]] else aside


@kernel
def count(cells: Any, lanes: Any, offset: Any, copies: Any) -> None:
    """Add one for each lane to the count of its cell.

    Parameters
    ----------
    cells : uint32 array, (at least `lanes`,)
    lanes : int
    offset : int
        Where this part's cells begin among the counts.
    copies : int64 array, (COPIES, cells)
        Their sum over the first axis is the tally.
    """
    own = copies[:, offset:]
    whole = lanes - lanes % COPIES
    for lane in range(0, whole, COPIES):
        own[0, cells[lane]] += 1
        own[1, cells[lane + 1]] += 1
        own[2, cells[lane + 2]] += 1
        own[3, cells[lane + 3]] += 1
    for lane in range(whole, lanes):
        own[0, cells[lane]] += 1
