"""What Gleek pays besides stock and ruff: the turn-up, sets, Tiddy, honours, the settlement."""

from __future__ import annotations

from typing import Any

from sims.bits import U64
from sims.gleek.auction import PLAYERS
from sims.gleek.figures import INCOME, income, sets_of_four, trump_honours
from sims.jit import inlined, kernel

#: GK-6.1: the points of a trick, and what they are held against.
TRICK_POINTS, PAR = 3, 22

#: GK-1.5, GK-5.4: what each opponent pays, in chips.
TOWSER_UP, TUMBLER_UP, TIDDY_IN_HAND = 5, 6, 2

_FOURS = U64(sum(1 << 11 * suit for suit in range(4)))
_MOST_INCOME, _MOST_CHIPS = len(INCOME) - 1, INCOME.labels[-1][0]


@kernel
def turnup_pay(turnup: Any, tiddy_up: Any, towser_tumbler: Any) -> Any:
    """GK-1.4, GK-1.5: what each opponent pays the dealer for the turn-up, in chips.

    `tiddy_up` is 0 where Tiddy does not pay.
    """
    if turnup & _FOURS:
        return tiddy_up
    if towser_tumbler == 1 and turnup & (_FOURS << U64(1)):
        return TOWSER_UP
    if towser_tumbler == 1 and turnup & (_FOURS << U64(2)):
        return TUMBLER_UP
    return 0


@kernel
def set_pay(hand: Any) -> Any:
    """GK-4.1: what each opponent pays for a hand's sets, in chips."""
    found = int(income(sets_of_four(hand)))
    return _MOST_CHIPS if found == _MOST_INCOME else found


@kernel
def tiddy_pay(hand: Any, trump: Any) -> Any:
    """GK-5.4: what each opponent pays for Tiddy in hand, in chips; `trump` is the whole suit."""
    return TIDDY_IN_HAND if hand & trump & _FOURS else 0


@kernel
def honour_points(cards: Any, turnup: Any) -> Any:
    """GK-5.3: the points of the trump honours among some cards."""
    honours = int(trump_honours(cards, turnup))
    kings_and_queens = 3 * ((honours >> 1) & 1) + 3 * ((honours >> 2) & 1)
    return 9 * (honours & 1) + kings_and_queens + 15 * ((honours >> 3) & 1)


@inlined
def from_each(seat: Any, pay: Any, lane: Any, chips: Any) -> None:
    """Each opponent of a seat pays it; `chips`, int64 (3, lanes), is added to."""
    for payer in range(PLAYERS):
        chips[payer, lane] += (PLAYERS - 1) * pay if payer == seat else -pay


@kernel
def settle(lane: Any, points: Any, chips: Any, pool: Any) -> None:
    """GK-6.1: points against par, into the pool and out of it.

    Who has fewer pays first; all together have at most three times par, so that the pool can
    always pay. `points` and `chips` are int64 (3, lanes), `pool` int64 (lanes,).
    """
    for seat in range(PLAYERS):
        chips[seat, lane] += points[seat, lane] - PAR
        pool[lane] += PAR - points[seat, lane]
