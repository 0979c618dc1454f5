"""A batch of deals of Gilten while they are played: named rows of a few arrays over lanes.

Few arrays with many rows rather than many arrays: what a kernel is passed decides how long it takes
to compile.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sims.bits import U32, U64
from sims.dealing import Plan
from sims.gilten.deals import deal_plan
from sims.gilten.ladder import FIGURES, NOBODY, SPIEL_AUS, STATE, Terms, terms
from sims.gilten.rules import TIES, Rules
from sims.jit import inlined, kernel
from sims.streams import STREAM_BITS
from sims.tallies import COPIES

#: Deals in a batch: what one batch needs fits the first two caches.
LANES = 1024

#: Rows are longer by a cache line, so that one lane's numbers do not all fall into the same few
#: places of the cache.
_LINE = 64

# The rows of `Table.masks`; those in a plural, and OUTCOME, are the first of several.
DEALT = 0  # six: the hands as dealt and robbed, the turn-up, the cards never seen
HANDS = 6  # four: the cards still held, by seat
CARDS = 10  # four: the cards played to the trick, by seat
CELLS = 14  # twelve: a view's cells of Gleich, Hanger and Spiel
WANTS = 26  # twelve: the words of the book there
SHOWN = 38  # four: the cards that each seat has played, face up (GN-2.5)
SCRATCH = 42  # four
WON = 46  # two: tricks won, by team
OUTCOME = 48  # two: whose Gleich and Hanger are better (GN-3.5)
TRUMPS = 50  # the suit of trumps
UNSEEN = 51  # the cards neither played nor turned up
LEADER = 52  # the seat that leads next
TAKER = 53  # the seat that takes the trick
PLAYING = 54  # all ones while there are tricks to be played, else 0
OVER = 55  # 1 if the game is won, or not played in this lane at all
IDLE = 56  # 1 if the game was over before the deal
MARKS = 57  # scratch: the bet made, or what else is marked

# Those of `sims.gilten.together`, a byte a figure; in a plural of two, one a team.
MAY = 58  # two: the next rung, where the team may bet it
NOW = 60  # two: the same in this window
TO_BET = 62  # two: the rungs the team would bet, hold, raise to
TO_HOLD = 64
TO_RAISE = 66
HOLDERS = 68  # two: the figures that the team may bet under `must_hold`
GAINED = 70  # two: points conceded to the team
BASE = 72  # two: its score before the deal
WORTH = 74  # what the figures are worth
OPENED = 75  # all ones for a figure that is not conceded
SPIEL_TO = 76  # the team that the Spiel was conceded to, or 2
TURN_OF = 77  # the team on turn, or that bets
ACTIVE = 78  # all ones while the window is open
CLIMBS = 79  # the exchange just ended, as a code
STANDING = 80  # two: where in its book a team looks up, by how it stands in the game
OWN = 82  # eight: the classes of Gleich and Hanger that a view knows its team to hold
MASKS = 90

#: An exchange as a number: bettors' side, figure (2 bits), value before (3), last rung proposed
#: (4), and whether that was held.
CLIMB_CODES = 1 << 11

#: So much room more, that the copies of a count do not fall into the same place of the cache.
_APART = 24

# The rows of `Table.state` after those of the ladder.
WINNER = STATE  # the team that has won the game, or NOBODY
BUSY = STATE + 1  # the lanes that are talked through step by step
STATES = STATE + 2

#: What a trace records: rows of kind, window or trick, seat, and what was done: 1 or 0 for a
#: robbing or none, an action of the ladder, the bit of a card; and what might have been said, a bit
#: an action. The first row has the number of rows after it.
ROBBED, SAID, PLAYED = range(3)
TRACE_COLUMNS = 5
#: More than a deal can have.
TRACE_ROWS = 256

#: What becomes of proposals: a column of `Records.actions` each.
BETS, CONCEDED, HELD, RAISED = range(4)


class Table(NamedTuple):
    """A batch of deals.

    Attributes
    ----------
    masks : uint32 array, (MASKS, a little more than lanes)
    state : int64 array, (STATES, a little more than lanes)
    words, numbers : uint64 (words, lanes), uint32 (packets, lanes)
        Scratch of the dealing.
    draws : uint64 array, (2, lanes)
        One block of random words.
    """

    masks: NDArray[np.uint32]
    state: NDArray[np.int64]
    words: NDArray[np.uint64]
    numbers: NDArray[np.uint32]
    draws: NDArray[np.uint64]


class Setting(NamedTuple):
    """The rules as the kernels need them.

    Attributes
    ----------
    terms : Terms
        Of betting and scoring.
    plan : Plan
        Of the deal.
    tie, turnup_rob : int
        The code of the option, and 1 for the switch.
    """

    terms: Terms
    plan: Plan
    tie: int
    turnup_rob: int


class Counter(NamedTuple):
    """Where a batch's random numbers are (`sims.streams`).

    Attributes
    ----------
    seed : uint64
    purpose : uint64
        In its place in counter word 3.
    deal : uint64
        Number of the deal in the unit, in its place in counter word 2.
    start : int
        Index of the first lane's unit.
    """

    seed: Any
    purpose: Any
    deal: Any
    start: int


class Records(NamedTuple):
    """What is written down while deals are played.

    Attributes
    ----------
    actions : int64 array, (2, FIGURES, 4, SPIEL_AUS + 1)
        By side, figure and BETS, CONCEDED, HELD, RAISED: how often, at each value proposed.
    climbs : int64 array, (COPIES, at least CLIMB_CODES)
        Exchanges counted as wholes (`together.actions_of`), besides those in `actions`.
    trace : int64 array, (lanes, TRACE_ROWS, TRACE_COLUMNS)
        Every decision in order; of no lanes if none is wanted.
    """

    actions: NDArray[np.int64]
    climbs: NDArray[np.int64]
    trace: NDArray[np.int64]


def setting(rules: Rules) -> Setting:
    """The rules as the kernels need them."""
    tie, rob = TIES.index(rules.tie), int(rules.turnup_rob)
    return Setting(terms(rules), deal_plan(rules.players), tie, rob)


def counter(seed: int, purpose: int, start: int) -> Counter:
    """The counter of a batch's first deals."""
    return Counter(U64(seed), U64(purpose << STREAM_BITS), U64(0), start)


def new_table(rules: Rules, lanes: int = LANES) -> Table:
    """A table for `lanes` deals, with nothing on it."""
    plan = deal_plan(rules.players)
    state = np.zeros((STATES, lanes + _LINE // 8), dtype=np.int64)
    state[WINNER] = NOBODY
    return Table(
        masks=np.zeros((MASKS, lanes + _LINE // 4), dtype=U32),
        state=state,
        words=np.zeros((plan.words, lanes), dtype=U64),
        numbers=np.zeros((len(plan.bound), lanes), dtype=U32),
        draws=np.zeros((2, lanes), dtype=U64),
    )


def new_records(traced_lanes: int = 0) -> Records:
    """Empty records; with a trace for so many lanes."""
    return Records(
        actions=np.zeros((2, FIGURES, 4, SPIEL_AUS + 1), dtype=np.int64),
        climbs=np.zeros((COPIES, CLIMB_CODES + _APART), dtype=np.int64),
        trace=np.zeros((traced_lanes, TRACE_ROWS, TRACE_COLUMNS), dtype=np.int64),
    )


@kernel
def trace(
    traces: Any, lane: Any, what: Any, place: Any, seat: Any, action: Any, allowed: Any
) -> None:
    """Write a decision down, if a trace is wanted (`Records.trace`)."""
    if len(traces) > 0:
        traces[lane, 0, 0] += 1
        row = traces[lane, traces[lane, 0, 0]]
        row[0] = what
        row[1] = place
        row[2] = seat
        row[3] = action
        row[4] = allowed


@inlined
def win(lane: Any, team: Any, masks: Any, state: Any) -> None:
    """A team has won the game: nothing more is played or said in this lane."""
    masks[OVER, lane] = U32(1)
    masks[PLAYING, lane] = U32(0)
    state[WINNER, lane] = team
