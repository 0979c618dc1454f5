"""Deals and matches of two policies against each other, tallied.

A *unit* is a deal by itself, from a given score, or a match: deals until the game is won (GN-5.3),
the seats moving on after each (GN-1.2). Sides are partnerships: side 0 plays the first policy, side
1 the second, and in the first deal of a unit side 0 is forehand's team. A unit may be played twice,
the second time with the sides' seats exchanged: the same cards and the same numbers drawn, so that
the luck of the cards is shared. Both seatings together are then one unit, whose sums are added
before they are squared.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sims.bits import U32, U64
from sims.gilten.ladder import FIGURES, NOBODY, POINTS, SPIEL_AUS, SPIEL_WINNER
from sims.gilten.play import play
from sims.gilten.policies import Book
from sims.gilten.rules import Rules
from sims.gilten.table import (
    IDLE,
    LANES,
    OVER,
    WINNER,
    Counter,
    counter,
    new_records,
    new_table,
    setting,
)
from sims.gilten.together import actions_of
from sims.jit import kernel
from sims.streams import ATTEMPT_BITS, BLOCK_BITS, DEAL_BITS, REDEAL_BITS

#: Points by figure, and in all.
COLUMNS = FIGURES + 1
TOTAL = FIGURES

#: More deals than a match to 15 can have, each of which scores at least the Spiel; `higher_total`
#: plays on from equal scores, a chance that halves with each deal.
MOST_DEALS = 1 << DEAL_BITS

_DEAL_SHIFT = REDEAL_BITS + ATTEMPT_BITS + BLOCK_BITS
_NONE, _ONE = U32(0), U32(1)


class Tallies(NamedTuple):
    """What is added up, int64; tallies of disjoint ranges of units add.

    Attributes
    ----------
    units : array, (1,)
    deals : array, (2,)
        Deals played in which side 0, or side 1, was forehand's team.
    points, squares : arrays, (2, COLUMNS)
        Points a unit by side, by figure and in all: sums, and sums of squares.
    lead, lead_squares : arrays, (COLUMNS,)
        Points of side 0 less those of side 1, a unit.
    won : array, (2,)
        Games won, by side.
    won_lead, won_lead_squares : arrays, (1,)
        Games won by side 0 less those won by side 1, a unit.
    seat_points, seat_squares : arrays, (2, 2, COLUMNS)
        Points a deal by side and by team, of which team 0 is forehand's.
    spiel : array, (2, 2)
        How often each side, as each team, has made the Spiel or been conceded it.
    actions : array, (2, FIGURES, 4, SPIEL_AUS + 1)
        By side, figure, and bet, conceded, held or raised: how often at each value proposed.
    """

    units: NDArray[np.int64]
    deals: NDArray[np.int64]
    points: NDArray[np.int64]
    squares: NDArray[np.int64]
    lead: NDArray[np.int64]
    lead_squares: NDArray[np.int64]
    won: NDArray[np.int64]
    won_lead: NDArray[np.int64]
    won_lead_squares: NDArray[np.int64]
    seat_points: NDArray[np.int64]
    seat_squares: NDArray[np.int64]
    spiel: NDArray[np.int64]
    actions: NDArray[np.int64]


_SHAPES = (
    (1,),
    (2,),
    (2, COLUMNS),
    (2, COLUMNS),
    (COLUMNS,),
    (COLUMNS,),
    (2,),
    (1,),
    (1,),
    (2, 2, COLUMNS),
    (2, 2, COLUMNS),
    (2, 2),
    (2, FIGURES, 4, SPIEL_AUS + 1),
)


def no_tallies() -> Tallies:
    """Tallies of no units."""
    return Tallies(*(np.zeros(shape, dtype=np.int64) for shape in _SHAPES))


def tally_units(
    rules: Rules,
    book: Book,
    seed: int,
    purpose: int,
    start: int,
    stop: int,
    *,
    matches: bool = False,
    seatings: int = 1,
    scores: tuple[int, int] = (0, 0),
) -> Tallies:
    """The units `start` to `stop` played and tallied: a pure function of its arguments.

    Parameters
    ----------
    rules : Rules
    book : Book
        Of both sides.
    seed, purpose : int
        Key and purpose of the random numbers.
    start, stop : int
        Indices of the units.
    matches : bool
        Whether a unit is a match; else it is one deal.
    seatings : 1 or 2
        2: every unit is played again with the sides' seats exchanged.
    scores : pair of int
        The sides' scores at the beginning of a unit, below the target.

    Raises
    ------
    ValueError
        A score is not below the target, or negative.
    """
    if not all(0 <= score < rules.target for score in scores):
        raise ValueError(f"scores {scores[0]}:{scores[1]}: allowed are 0 to {rules.target - 1}")
    records, tallies = new_records(), no_tallies()
    _tally(
        counter(seed, purpose, start),
        stop,
        MOST_DEALS if matches else 1,
        seatings,
        setting(rules),
        book,
        np.array(scores, dtype=np.int64),
        new_table(rules),
        records,
        np.zeros((2, LANES), dtype=np.int64),
        np.zeros((2, COLUMNS + 1, LANES), dtype=np.int64),
        tallies,
    )
    tallies.actions[:] = records.actions + actions_of(records.climbs)
    return tallies


@kernel
def _tally(
    first: Any,
    stop: Any,
    most_deals: Any,
    seatings: Any,
    setting: Any,
    book: Any,
    begin: Any,
    table: Any,
    records: Any,
    scores: Any,
    unit: Any,
    tallies: Any,
) -> None:
    """`scores`, (2, LANES), and `unit`, (2, COLUMNS + 1, LANES), are scratch: a unit's points by
    side, and in the last row its games won."""
    masks, state = table.masks, table.state
    for start in range(first.start, stop, LANES):
        lanes = min(LANES, stop - start)
        unit[:] = 0
        for seating in range(seatings):
            for lane in range(lanes):
                masks[OVER, lane] = _NONE
                state[WINNER, lane] = NOBODY
                scores[0, lane] = begin[0]
                scores[1, lane] = begin[1]
            deal, playing = 0, lanes
            while deal < most_deals and playing > 0:
                flip = (deal + seating) & 1
                place = U64(deal << _DEAL_SHIFT)
                here = Counter(first.seed, first.purpose, place, start)
                for lane in range(lanes):
                    masks[IDLE, lane] = masks[OVER, lane]
                play(here, lanes, setting, book, flip, scores, table, records)
                playing = _add_deal(lanes, flip, masks, state, scores, unit, tallies)
                deal += 1
        _add_units(lanes, unit, tallies)


@kernel
def _add_deal(
    lanes: Any, flip: Any, masks: Any, state: Any, scores: Any, unit: Any, tallies: Any
) -> Any:
    """Add what a deal has brought, to the scores as well; how many games go on."""
    playing, deals, spiel = 0, tallies.deals, tallies.spiel
    seat_points, seat_squares = tallies.seat_points, tallies.seat_squares
    for lane in range(lanes):
        if masks[IDLE, lane] == _ONE:
            continue
        deals[flip] += 1
        for team in range(2):
            side, points = team ^ flip, 0
            for figure in range(FIGURES):
                scored = state[POINTS + FIGURES * team + figure, lane]
                points += scored
                unit[side, figure, lane] += scored
                seat_points[side, team, figure] += scored
                seat_squares[side, team, figure] += scored * scored
            scores[side, lane] += points
            unit[side, TOTAL, lane] += points
            seat_points[side, team, TOTAL] += points
            seat_squares[side, team, TOTAL] += points * points
            spiel[side, team] += state[SPIEL_WINNER, lane] == team
        if masks[OVER, lane] == _NONE:
            playing += 1
        elif state[WINNER, lane] < NOBODY:
            unit[state[WINNER, lane] ^ flip, COLUMNS, lane] += 1
    return playing


@kernel
def _add_units(lanes: Any, unit: Any, tallies: Any) -> None:
    """Add the units' sums, and their squares."""
    points, squares, lead, lead_squares = (
        tallies.points,
        tallies.squares,
        tallies.lead,
        tallies.lead_squares,
    )
    tallies.units[0] += lanes
    for lane in range(lanes):
        for column in range(COLUMNS):
            ours, theirs = unit[0, column, lane], unit[1, column, lane]
            points[0, column] += ours
            points[1, column] += theirs
            squares[0, column] += ours * ours
            squares[1, column] += theirs * theirs
            lead[column] += ours - theirs
            lead_squares[column] += (ours - theirs) * (ours - theirs)
        ours, theirs = unit[0, COLUMNS, lane], unit[1, COLUMNS, lane]
        tallies.won[0] += ours
        tallies.won[1] += theirs
        tallies.won_lead[0] += ours - theirs
        tallies.won_lead_squares[0] += (ours - theirs) * (ours - theirs)
