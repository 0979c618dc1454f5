"""The betting of a whole batch at once, where each team decides as one and by the book.

`sims.gilten.ladder` is the betting window step by step, for any policy and any signalling. Here the
same windows (GN-4.7, GN-5.1) are gone through for all lanes together without a branch: a policy of
thresholds has said beforehand what it would bet, hold and raise to, so an exchange needs no asking
to and fro, and its end can be computed. The tests hold the two against each other.

What is said of a lane's three figures is packed into one uint32, a byte a figure, Gleich lowest. In
a byte of rungs, bit k - 1 stands for the rung k (GN-4.2). So what a team may bet (the rows MAY) has
in the byte of a figure worth v the bit v, which is the next rung, or none.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from sims.bits import U32, U64, trailing_zeros
from sims.gilten.figures import best_gleich_of_two, best_hanger_of_two
from sims.gilten.ladder import (
    FIGURES,
    NOBODY,
    OPEN,
    POINTS,
    SCORE,
    SHOW,
    SPIEL,
    SPIEL_AUS,
    SPIEL_WINNER,
    TRICKS,
    VALUE,
)
from sims.gilten.policies import BLUFF, HOLDS, RAISES
from sims.gilten.table import (
    ACTIVE,
    BASE,
    BETS,
    CLIMBS,
    CONCEDED,
    DEALT,
    GAINED,
    HELD,
    HOLDERS,
    MARKS,
    MAY,
    NOW,
    OPENED,
    OVER,
    PLAYING,
    RAISED,
    SPIEL_TO,
    TO_BET,
    TO_HOLD,
    TO_RAISE,
    TURN_OF,
    WANTS,
    WINNER,
    WORTH,
)
from sims.jit import inlined, kernel
from sims.streams import Stream, fill
from sims.tallies import count
from sims.tricks import lowest

_NONE, _ONE, _TWO, _ALL = U32(0), U32(1), U32(2), U32(0xFFFF_FFFF)
_BYTE, _TOP_BIT = U32(0xFF), U32(0x8000_0000)
_GLEICH, _HANGER, _SPIEL, _ALL_FIGURES = U32(0xFF), U32(0xFF00), U32(0xFF_0000), U32(0xFF_FFFF)
#: In each byte: a one, the bit of the second rung, all rungs but *Spiel aus*.
_ONES, _SECOND_RUNGS, _BELOW_AUS = U32(0x01_0101), U32(0x02_0202), U32(0x7F_7F7F)
_EVEN_RUNGS, _ODD_RUNGS = U32(0xAA), U32(0x55)
_LOW_HALF, _HALF = U64(0xFFFF_FFFF), U64(32)
_TURN = U64(Stream.GILTEN_TURN)


@kernel
def open_packed(lanes: Any, terms: Any, masks: Any, state: Any) -> None:
    """GN-4.1, GN-4.5: each figure is worth 1; either team may bet it, or either that holds one."""
    for team in range(2):
        score = state[SCORE + team]
        partner = DEALT + (team + 2) % terms.players
        for lane in range(lanes):
            own, other = masks[DEALT + team, lane], masks[partner, lane]
            gleich = _GLEICH if best_gleich_of_two(own, other) > _NONE else _NONE
            hanger = _HANGER if best_hanger_of_two(own, other) > _NONE else _NONE
            held = U32(U32(gleich | hanger) | _SPIEL) if terms.must_hold == 1 else _ALL_FIGURES
            masks[HOLDERS + team, lane] = held
            masks[MAY + team, lane] = U32(held & _SECOND_RUNGS)
            masks[GAINED + team, lane] = _NONE
            masks[BASE + team, lane] = U32(score[lane])
    for lane in range(lanes):
        masks[WORTH, lane] = _ONES
        masks[OPENED, lane] = _ALL_FIGURES
        masks[SPIEL_TO, lane] = _TWO


@kernel
def pack_wants(lanes: Any, masks: Any) -> None:
    """What the teams would bet, hold and raise to: the words of three figures, byte by byte."""
    for team in range(2):
        row = WANTS + FIGURES * team
        for lane in range(lanes):
            gleich, hanger, spiel = masks[row, lane], masks[row + 1, lane], masks[row + 2, lane]
            masks[TO_BET + team, lane] = _bytes(gleich, hanger, spiel, U32(0))
            masks[TO_HOLD + team, lane] = _bytes(gleich, hanger, spiel, U32(HOLDS))
            raises = _bytes(gleich, hanger, spiel, U32(RAISES))
            masks[TO_RAISE + team, lane] = U32(raises & masks[HOLDERS + team, lane])


@inlined
def _bytes(first: Any, second: Any, third: Any, place: Any) -> Any:
    """The bytes at one place of three words, as one."""
    one, two = U32(U32(first >> place) & _BYTE), U32(U32(second >> place) & _BYTE)
    three = U32(U32(third >> place) & _BYTE)
    return U32(U32(one | U32(two << U32(8))) | U32(three << U32(16)))


@kernel
def talk_together(
    window: Any,
    counter: Any,
    lanes: Any,
    terms: Any,
    traits: Any,
    flip: Any,
    table: Any,
    climbs: Any,
) -> None:
    """One window in all lanes that are still playing, or that have come to the show.

    Parameters
    ----------
    window : int
        0 to 4, or SHOW.
    counter, lanes, flip, table
        As in `play.play`.
    terms : Terms
    traits : int64 array, (2, TRAITS)
        Of the sides (`Book`).
    climbs : int64 array, (COPIES, CLIMB_CODES)
        `Records.climbs`.
    """
    masks, state, draws = table.masks, table.state, table.draws
    late = window == SHOW or (terms.late_spiel_limit == 1 and window == TRICKS - 1)
    _open(window, lanes, late, masks, state)
    bluffs = traits[0, BLUFF + FIGURES - 1] > 0 or traits[1, BLUFF + FIGURES - 1] > 0
    for exchanges in range(FIGURES - late):
        if bluffs and exchanges & 1 == 0:
            block = counter.deal + U64(4 * window + exchanges)
            fill(counter.seed, counter.purpose | _TURN, block, U64(counter.start), lanes, draws)
        bets = _find_bets(lanes, traits, flip, masks, draws[exchanges & 1])
        if bets == 0:
            break
        _climb(lanes, masks)
        _value(lanes, masks)
        _give_rights(lanes, terms.either_may_raise, masks)
        if terms.at_once == 1:
            _stop_at_target(lanes, terms.target, masks)
        _count(lanes, flip, masks, climbs)
    _close(lanes, terms, masks, state)


@kernel
def _open(window: Any, lanes: Any, late: Any, masks: Any, state: Any) -> None:
    """GN-4.7, GN-4.8, GN-5.1: who is first on turn; `late`: the Spiel can no longer be bet."""
    figures = U32(_GLEICH | _HANGER) if late else _ALL_FIGURES
    for lane in range(lanes):
        winner = U32(state[SPIEL_WINNER, lane])
        masks[TURN_OF, lane] = winner if window == SHOW else _NONE
        masks[ACTIVE, lane] = masks[PLAYING, lane]
        masks[NOW, lane] = U32(masks[MAY, lane] & figures)
        masks[NOW + 1, lane] = U32(masks[MAY + 1, lane] & figures)


@kernel
def _find_bets(lanes: Any, traits: Any, flip: Any, masks: Any, draws: Any) -> Any:
    """GN-4.7 (a): the bet of the team on turn, or if it passes of the other; how many there are.

    MARKS becomes the bet's bit in the byte of its figure, TURN_OF the team that makes it. A lane
    without a bet is no longer active: two passes have closed the window.
    """
    even, odd = flip, 1 - flip
    even_0, even_1, even_2 = _rates(traits, even)
    odd_0, odd_1, odd_2 = _rates(traits, odd)
    bets = 0
    for lane in range(lanes):
        draw = draws[lane]
        now_0, now_1 = masks[NOW, lane], masks[NOW + 1, lane]
        wants_0, wants_1 = U32(masks[TO_BET, lane] & now_0), U32(masks[TO_BET + 1, lane] & now_1)
        bluff_0 = _bluffed(U32(draw & _LOW_HALF), even_0, even_1, even_2)
        bluff_1 = _bluffed(U32(draw >> _HALF), odd_0, odd_1, odd_2)
        bluff_0, bluff_1 = U32(bluff_0 & now_0), U32(bluff_1 & now_1)
        wants_0 = wants_0 if wants_0 != _NONE else bluff_0
        wants_1 = wants_1 if wants_1 != _NONE else bluff_1
        second = masks[TURN_OF, lane] != _NONE
        first_wants = wants_1 if second else wants_0
        other_wants = wants_0 if second else wants_1
        wants = first_wants if first_wants != _NONE else other_wants
        wants = U32(wants & masks[ACTIVE, lane])
        opener = second == (first_wants != _NONE)
        masks[MARKS, lane] = lowest(wants)
        masks[TURN_OF, lane] = U32(opener)
        masks[ACTIVE, lane] = _ALL if wants != _NONE else _NONE
        bets += wants != _NONE
    return bets


@inlined
def _rates(traits: Any, side: Any) -> tuple[Any, Any, Any]:
    """A side's bluffs as bounds of 32-bit numbers."""
    return U32(traits[side, BLUFF]), U32(traits[side, BLUFF + 1]), U32(traits[side, BLUFF + 2])


@inlined
def _bluffed(draw: Any, first: Any, second: Any, third: Any) -> Any:
    """The figure on which a number drawn is a bluff, all rungs below *Spiel aus*, or nothing."""
    figure = _SPIEL if draw < third else _NONE
    figure = _HANGER if draw < second else figure
    figure = _GLEICH if draw < first else figure
    return U32(figure & _BELOW_AUS)


@kernel
def _climb(lanes: Any, masks: Any) -> None:
    """GN-4.7 (b): each bet is answered, raised, answered, until it is held or conceded.

    The answerers raise from the rungs v + 1, v + 3 and so on, the bettors from those between. The
    exchange climbs as far as each in turn raises, and ends with whoever does not. CLIMBS becomes
    its code, or 0 where nothing was bet.
    """
    for lane in range(lanes):
        bet, bettors = masks[MARKS, lane], masks[TURN_OF, lane]
        odd = bettors != _NONE
        place = U32(trailing_zeros(U32(bet | _TOP_BIT)))
        shift, value = U32(place & U32(24)), U32(place & U32(7))
        raises_0, raises_1 = masks[TO_RAISE, lane], masks[TO_RAISE + 1, lane]
        holds_0, holds_1 = masks[TO_HOLD, lane], masks[TO_HOLD + 1, lane]
        from_bettors = U32(U32(raises_1 if odd else raises_0) >> shift)
        from_answerers = U32(U32(raises_0 if odd else raises_1) >> shift)
        # The answerers raise to v + 2, v + 4 ...: rungs even or odd as v is.
        theirs = _ODD_RUNGS if U32(value & _ONE) != _NONE else _EVEN_RUNGS
        climbed = U32(U32(from_answerers & theirs) | U32(from_bettors & U32(theirs ^ _BYTE)))
        climbed = U32(climbed | U32(U32(_TWO << value) - _ONE))
        rung = U32(trailing_zeros(U32(~climbed)))
        last = U32(U32(U32(bettors ^ rung) ^ value) & _ONE)
        holds = holds_1 if last != _NONE else holds_0
        held = U32(U32(holds >> U32(U32(shift + U32(rung - _ONE)) & U32(31))) & _ONE)
        code = U32(U32(bettors << U32(10)) | U32(shift << U32(5)))
        code = U32(U32(code | U32(value << U32(5))) | U32(U32(rung << _ONE) | held))
        masks[CLIMBS, lane] = code if bet != _NONE else _NONE


@inlined
def _read_code(code: Any) -> tuple[Any, Any, Any, Any]:
    """Of an exchange: its figure as a byte, the last rung proposed, whether it was held, and the
    team that answered last."""
    shift = U32(U32(code >> U32(5)) & U32(24))
    figure = U32(_BYTE << shift) if code != _NONE else _NONE
    rung, value = U32(U32(code >> _ONE) & U32(15)), U32(U32(code >> U32(5)) & U32(7))
    last = U32(U32(U32(U32(code >> U32(10)) ^ rung) ^ value) & _ONE)
    return figure, rung, U32(code & _ONE) != _NONE, last != _NONE


@kernel
def _value(lanes: Any, masks: Any) -> None:
    """GN-4.7 (b): the figure is worth what was held; or it closes, and the proposers score."""
    for lane in range(lanes):
        figure, rung, held, last_odd = _read_code(masks[CLIMBS, lane])
        worth = rung if held else U32(rung - U32(rung != _NONE))
        worth = U32(U32(worth * _ONES) & figure)
        masks[WORTH, lane] = U32(U32(masks[WORTH, lane] & U32(~figure)) | worth)
        masks[OPENED, lane] = U32(masks[OPENED, lane] & U32(~(_NONE if held else figure)))
        gained = _NONE if held else worth
        masks[GAINED, lane] = U32(masks[GAINED, lane] + (gained if last_odd else _NONE))
        masks[GAINED + 1, lane] = U32(masks[GAINED + 1, lane] + (_NONE if last_odd else gained))
    for lane in range(lanes):
        figure, _, held, last_odd = _read_code(masks[CLIMBS, lane])
        conceded = (U32(figure & _SPIEL) != _NONE) & (not held)
        taker, before = (_NONE if last_odd else _ONE), masks[SPIEL_TO, lane]
        active = masks[ACTIVE, lane]
        masks[SPIEL_TO, lane] = taker if conceded else before
        masks[ACTIVE, lane] = _NONE if conceded else active


@kernel
def _give_rights(lanes: Any, either: Any, masks: Any) -> None:
    """GN-4.4, GN-4.7 (c): whoever held may bet the next rung, if there is one, in another window.

    The turn is with the team that did not open the exchange.
    """
    for lane in range(lanes):
        figure, rung, held, last_odd = _read_code(masks[CLIMBS, lane])
        following = U32(U32(U32(U32(_ONE << rung) & _BYTE) * _ONES) & figure)
        following = following if held else _NONE
        rest = U32(~figure)
        may_0 = _NONE if last_odd & (either == 0) else following
        may_1 = following if last_odd | (either == 1) else _NONE
        may_0 = U32(may_0 & masks[HOLDERS, lane])
        may_1 = U32(may_1 & masks[HOLDERS + 1, lane])
        masks[MAY, lane] = U32(U32(masks[MAY, lane] & rest) | may_0)
        masks[MAY + 1, lane] = U32(U32(masks[MAY + 1, lane] & rest) | may_1)
    for lane in range(lanes):
        figure, _, _, _ = _read_code(masks[CLIMBS, lane])
        masks[NOW, lane] = U32(masks[NOW, lane] & U32(~figure))
        masks[NOW + 1, lane] = U32(masks[NOW + 1, lane] & U32(~figure))
        masks[TURN_OF, lane] = U32(masks[TURN_OF, lane] ^ _ONE)


@kernel
def _stop_at_target(lanes: Any, target: Any, masks: Any) -> None:
    """GN-4.7 (d): the window ends at once when a team reaches the target."""
    for lane in range(lanes):
        first = U32(_sum(masks[GAINED, lane]) + masks[BASE, lane])
        second = U32(_sum(masks[GAINED + 1, lane]) + masks[BASE + 1, lane])
        active = masks[ACTIVE, lane]
        reached = (first >= U32(target)) | (second >= U32(target))
        masks[ACTIVE, lane] = _NONE if reached else active


@kernel
def _count(lanes: Any, flip: Any, masks: Any, climbs: Any) -> None:
    """Count the exchanges by their codes, in which a team becomes a side."""
    to_side = U32(flip << 10)
    for lane in range(lanes):
        masks[MARKS, lane] = U32(masks[CLIMBS, lane] ^ to_side)
    count(masks[MARKS], lanes, 0, climbs)


@inlined
def _sum(packed: Any) -> Any:
    """The three bytes added."""
    two = U32(U32(packed & _BYTE) + U32(U32(packed >> U32(8)) & _BYTE))
    return U32(two + U32(packed >> U32(16)))


@kernel
def _close(lanes: Any, terms: Any, masks: Any, state: Any) -> None:
    """GN-2.4, GN-5.2: no more tricks after the Spiel is conceded, nothing at all at the target."""
    target = U32(terms.target if terms.at_once == 1 else 255)
    for lane in range(lanes):
        spiel_to, winner = np.int64(masks[SPIEL_TO, lane]), state[SPIEL_WINNER, lane]
        state[SPIEL_WINNER, lane] = spiel_to if spiel_to != NOBODY else winner
        state[VALUE + SPIEL, lane] = np.int64(masks[WORTH, lane] >> U32(16))
    for lane in range(lanes):
        first = U32(_sum(masks[GAINED, lane]) + masks[BASE, lane])
        second = U32(_sum(masks[GAINED + 1, lane]) + masks[BASE + 1, lane])
        over, playing, spiel_to = masks[OVER, lane], masks[PLAYING, lane], masks[SPIEL_TO, lane]
        won = ((first >= target) | (second >= target)) & (over == _NONE)
        masks[MARKS, lane] = U32(won)
        masks[OVER, lane] = _ONE if won else over
        masks[PLAYING, lane] = _NONE if won | (spiel_to != _TWO) else playing
    for lane in range(lanes):
        if masks[MARKS, lane] != _NONE:
            second = U32(_sum(masks[GAINED + 1, lane]) + masks[BASE + 1, lane])
            state[WINNER, lane] = 1 if second >= target else 0


@inlined
def lift_packed(lane: Any, team: Any, target: Any, masks: Any) -> None:
    """GN-4.3: whoever makes a Spiel held at *Spiel aus* is lifted to the target."""
    short = target - np.int64(_sum(masks[GAINED + team, lane]) + masks[BASE + team, lane])
    gained = np.int64(masks[GAINED + team, lane]) + (max(short, 0) << (8 * SPIEL))
    masks[GAINED + team, lane] = U32(gained)


@kernel
def unpack(lanes: Any, masks: Any, state: Any) -> None:
    """What the figures are worth, which are open and what was conceded, as in the ladder's rows."""
    for figure in range(FIGURES):
        shift = U32(8 * figure)
        for lane in range(lanes):
            state[VALUE + figure, lane] = np.int64(U32(masks[WORTH, lane] >> shift) & _BYTE)
            for team in range(2):
                gained = U32(U32(masks[GAINED + team, lane] >> shift) & _BYTE)
                state[POINTS + FIGURES * team + figure, lane] = np.int64(gained)
    for lane in range(lanes):
        opened = U32(masks[OPENED, lane] & U32(0x04_0201))
        opened = U32(U32(opened | U32(opened >> U32(8))) | U32(opened >> U32(16)))
        state[OPEN, lane] = np.int64(U32(opened & U32(7)))


def actions_of(climbs: NDArray[np.int64]) -> NDArray[np.int64]:
    """The single bets and answers of exchanges that were counted as wholes.

    Parameters
    ----------
    climbs : int64 array, (COPIES, CLIMB_CODES)
        `Records.climbs`.

    Returns
    -------
    int64 array, (2, FIGURES, 4, SPIEL_AUS + 1)
        As `Records.actions`.
    """
    actions = np.zeros((2, FIGURES, 4, SPIEL_AUS + 1), dtype=np.int64)
    total = climbs.sum(axis=0)
    total[[0, 1 << 10]] = 0  # where nothing was bet, for either side
    for code in np.flatnonzero(total):
        times, held, rung, value = total[code], code & 1, code >> 1 & 15, code >> 5 & 7
        figure, bettors = code >> 8 & 3, int(code >> 10)
        actions[bettors, figure, BETS, value + 1] += times
        side = 1 - bettors
        for raised in range(value + 1, rung):
            actions[side, figure, RAISED, raised] += times
            side = 1 - side
        actions[side, figure, HELD if held else CONCEDED, rung] += times
    return actions
