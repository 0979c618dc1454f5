"""GK-2: the auction of the stock, as a state machine over the lanes of a batch.

A state is a column of an int64 array, its rows named here.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from sims.gleek.rules import Rules
from sims.jit import inlined, kernel

PLAYERS = 3

# The rows of a state.
PRICE = 0  # the standing bid, in chips
BUYER = 1  # the seat that stands bidder; the buyer when the auction has closed
ASKED = 2  # the seat on turn
PASSED = 3  # the seats that have passed, a bit each
CLOSED = 4  # 1 when only one seat is left
STATE = 5

#: The actions; what is legal is a bit each.
PASS, BID = range(2)

_ALL_BUT_ONE = (0b011, 0b101, 0b110)


class Terms(NamedTuple):
    """The options of the auction, in chips."""

    open: int
    step: int
    max_price: int


def terms(rules: Rules) -> Terms:
    """The options as the kernels need them."""
    return Terms(rules.open, rules.step, rules.max_price)


@inlined
def next_seat(seat: Any, gone: Any) -> Any:
    """The next seat clockwise that is not among those gone, a bit each; not all are."""
    after = (seat + 1) % PLAYERS
    return after if (gone >> after) & 1 == 0 else (seat + 2) % PLAYERS


@kernel
def open_auction(state: Any, lane: Any, terms: Any) -> None:
    """GK-2.1: eldest stands bidder at the opening price; the seat after him is asked first."""
    state[PRICE, lane] = terms.open
    state[BUYER, lane] = 0
    state[ASKED, lane] = 1
    state[PASSED, lane] = 0
    state[CLOSED, lane] = 0


@kernel
def legal(state: Any, lane: Any, terms: Any) -> Any:
    """What the seat on turn may say: a bit an action. No bid goes past the cap (GK-2.1)."""
    may_bid = state[PRICE, lane] + terms.step <= terms.max_price
    return (1 << PASS) | (1 << BID) if may_bid else 1 << PASS


@kernel
def say(state: Any, lane: Any, terms: Any, action: Any) -> None:
    """GK-2.1: a bid, or a pass for good; the last seat in buys."""
    seat = state[ASKED, lane]
    if action == BID:
        state[PRICE, lane] += terms.step
        state[BUYER, lane] = seat
    else:
        state[PASSED, lane] |= 1 << seat
    gone = state[PASSED, lane]
    if gone in _ALL_BUT_ONE:
        state[CLOSED, lane] = 1
    else:
        state[ASKED, lane] = next_seat(seat, gone)


@kernel
def pay_price(state: Any, lane: Any, chips: Any) -> None:
    """GK-2.2: half the price to each opponent, an odd chip to the earlier seat.

    `chips`, int64 (3, lanes), is added to.
    """
    price, buyer = state[PRICE, lane], state[BUYER, lane]
    earlier = 1 if buyer == 0 else 0
    later = PLAYERS - buyer - earlier
    chips[buyer, lane] -= price
    chips[earlier, lane] += price - price // 2
    chips[later, lane] += price // 2
