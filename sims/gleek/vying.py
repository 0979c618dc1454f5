"""GK-3: vying for the ruff, as a state machine over the lanes of a batch.

A state is a column of an int64 array, its rows named here.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from sims.gleek.auction import PLAYERS, next_seat
from sims.gleek.rules import DEBTS, Rules
from sims.jit import kernel

#: In place of a seat: nobody has opened.
NOBODY = PLAYERS

#: GK-3.2: the opening stake of a session's first deal and after any opening, in chips; without
#: compounding it is never above twice that.
LEAST_STAKE = 2

# The rows of a state; those in a plural are three, by seat.
OPENING = 0  # the opening stake B
STAKE = 1  # the stake S
VIER = 2  # who opened or revied last, or NOBODY
ASKED = 3  # the seat on turn
GONE = 4  # the seats that are out, a bit each
REVIES = 5  # revies so far
CLOSED = 6  # 1 at the end
MATCHED = 7  # the stake each has matched
REFUSED = 10  # the stake at which each went out
STATE = 13

#: The actions; what is legal is a bit each.
WAIT, OPEN, OUT, SEE, REVIE = range(5)

_MATCHED, _FACING = DEBTS.index("matched"), DEBTS.index("facing")


class Terms(NamedTuple):
    """The options of vying: the most revies, the code of the debt, 1 for compounding."""

    max_raises: int
    debt: int
    compound: int


def terms(rules: Rules) -> Terms:
    """The options as the kernels need them."""
    return Terms(rules.max_raises, DEBTS.index(rules.debt), int(rules.compound))


@kernel
def open_vying(state: Any, lane: Any, opening: Any) -> None:
    """Nobody has spoken; `opening` is the stake B, in chips."""
    for row in range(STATE):
        state[row, lane] = 0
    state[OPENING, lane] = opening
    state[VIER, lane] = NOBODY


@kernel
def legal(state: Any, lane: Any, terms: Any) -> Any:
    """What the seat on turn may say: a bit an action (GK-3.2, GK-3.3)."""
    if state[VIER, lane] == NOBODY:
        return (1 << WAIT) | (1 << OPEN)
    answers = (1 << OUT) | (1 << SEE)
    return answers | (1 << REVIE) if state[REVIES, lane] < terms.max_raises else answers


@kernel
def say(state: Any, lane: Any, action: Any) -> None:
    """One action of the seat on turn, and who is asked next."""
    seat = state[ASKED, lane]
    if action == WAIT:
        state[ASKED, lane] = seat + 1
        state[CLOSED, lane] = seat + 1 == PLAYERS
        return
    if action == OPEN:
        state[STAKE, lane] = state[OPENING, lane]
    elif action == REVIE:
        state[STAKE, lane] += 2
        state[REVIES, lane] += 1
    if action == OUT:
        state[GONE, lane] |= 1 << seat
        state[REFUSED + seat, lane] = state[STAKE, lane]
    else:
        state[MATCHED + seat, lane] = state[STAKE, lane]
    if action in (OPEN, REVIE):
        state[VIER, lane] = seat
    # Whether all have answered or only one is left: the turn has come back to the last vier.
    state[ASKED, lane] = next_seat(seat, state[GONE, lane])
    state[CLOSED, lane] = state[ASKED, lane] == state[VIER, lane]


@kernel
def winner(state: Any, lane: Any, ruffs: Any) -> Any:
    """GK-3.3, GK-3.4: the best ruff still in, of equals the earlier seat's; or NOBODY.

    `ruffs`, uint32 (3, lanes), are classes of `sims.gleek.figures.RUFF`.
    """
    if state[VIER, lane] == NOBODY:
        return NOBODY
    best = NOBODY
    for seat in range(PLAYERS):
        still_in = (state[GONE, lane] >> seat) & 1 == 0
        if still_in and (best == NOBODY or ruffs[seat, lane] > ruffs[best, lane]):
            best = seat
    return best


@kernel
def debt_of(state: Any, lane: Any, terms: Any, seat: Any) -> Any:
    """GK-3.5: what a seat that has not won owes the winner, in chips."""
    if (state[GONE, lane] >> seat) & 1 == 0:
        return state[STAKE, lane]
    matched, opening = state[MATCHED + seat, lane], state[OPENING, lane]
    if terms.debt == _MATCHED:
        return max(matched, opening)
    if terms.debt == _FACING:
        return state[REFUSED + seat, lane]
    return matched if matched > 0 else opening // 2


@kernel
def pay_debts(state: Any, lane: Any, terms: Any, won_by: Any, chips: Any) -> None:
    """GK-3.5: all debts to the winner; `chips`, int64 (3, lanes), is added to."""
    if won_by == NOBODY:
        return
    for seat in range(PLAYERS):
        if seat != won_by:
            debt = debt_of(state, lane, terms, seat)
            chips[seat, lane] -= debt
            chips[won_by, lane] += debt


@kernel
def next_opening(state: Any, lane: Any, terms: Any) -> Any:
    """GK-3.2: the opening stake of the next deal of the session, in chips."""
    if state[VIER, lane] != NOBODY:
        return LEAST_STAKE
    doubled = 2 * state[OPENING, lane]
    return doubled if terms.compound == 1 else min(doubled, 2 * LEAST_STAKE)
