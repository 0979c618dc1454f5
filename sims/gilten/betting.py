"""The betting of a batch of deals: what each view wants, and what is said (GN-4.7, GN-5.1)."""

from __future__ import annotations

from typing import Any

import numpy as np

from sims.bits import U32, U64, deposit, popcount, trailing_zeros
from sims.gilten.figures import best_gleich, best_gleich_of_two, best_hanger, best_hanger_of_two
from sims.gilten.ladder import (
    ASKED,
    BET,
    CLOSED,
    EXCHANGED,
    FIGURE,
    FIGURES,
    GLEICH,
    GUT,
    HALTEN,
    HANGER,
    LEAVE,
    NO_FIGURE,
    NOBODY,
    PASS,
    PROPOSED,
    RAISE,
    SHOW,
    SPIEL,
    SPIEL_AUS,
    SPIEL_WINNER,
    VALUE,
    legal,
    open_deals,
    open_window,
    say,
    total,
)
from sims.gilten.policies import (
    AHEAD,
    ALL_CELLS,
    BEHIND,
    BLUFF,
    HOLDS,
    LEVEL,
    MARGIN,
    RAISES,
    RANDOM,
)
from sims.gilten.table import (
    BETS,
    BUSY,
    CELLS,
    CONCEDED,
    DEALT,
    PLAYING,
    SAID,
    STANDING,
    WANTS,
    trace,
    win,
)
from sims.gilten.together import pack_wants, talk_together
from sims.gilten.views import know, look, see
from sims.jit import inlined, kernel
from sims.streams import Stream, philox

_NONE, _ONE = U32(0), U32(1)
_LOW_HALF, _HALF = U64(0xFFFF_FFFF), U64(32)
_TURN, _ANSWER = U64(Stream.GILTEN_TURN), U64(Stream.GILTEN_ANSWER)

#: A drawn number below this is a bluff on some figure.
_ANY_BLUFF = BLUFF + FIGURES - 1


@kernel
def open_betting(lanes: Any, traits: Any, flip: Any, scores: Any, masks: Any, state: Any) -> None:
    """Nothing is said yet; how the teams stand. `scores` are the sides', int64 (2, lanes)."""
    open_deals(state, lanes, scores[flip], scores[1 - flip])
    for team in range(2):
        side = team ^ flip
        margin = traits[side, MARGIN]
        own, other = scores[side], scores[1 - side]
        for lane in range(lanes):
            lead = own[lane] - other[lane]
            ahead = AHEAD if lead >= margin else LEVEL
            standing = BEHIND if -lead >= margin else ahead
            masks[STANDING + team, lane] = U32(standing * ALL_CELLS)


@kernel
def window_of(
    window: Any,
    counter: Any,
    lanes: Any,
    terms: Any,
    tie: Any,
    book: Any,
    flip: Any,
    table: Any,
    records: Any,
) -> None:
    """One window in all lanes that are still playing, or that have come to the show.

    `window` is 0 to 4, or SHOW; `tie` the code of the option; the others as in `play.play`.
    """
    masks, state, traits = table.masks, table.state, book.traits
    actions, traces = records.actions, records.trace
    if traits[0, RANDOM] == 0 or traits[1, RANDOM] == 0:
        see(masks, terms.players, lanes)
        if window == 0 or terms.partners_speak == 1:
            know(masks, terms.players, terms.partners_speak, lanes)
        look(masks, terms.players, terms.partners_speak, 0 if tie == 0 else 1, lanes)
        _look_up(lanes, terms.partners_speak, book.words, flip, masks)
    if decides_together(terms, traits, traces):
        pack_wants(lanes, masks)
        talk_together(window, counter, lanes, terms, traits, flip, table, records.climbs)
        return
    busy = 0
    for lane in range(lanes):
        state[BUSY, busy] = lane
        busy += masks[PLAYING, lane] != _NONE
    for number in range(busy):
        lane = state[BUSY, number]
        first = state[SPIEL_WINNER, lane] if window == SHOW else 0
        open_window(state, lane, window, first)
        _talk(window, counter, lane, terms, traits, flip, masks, state, actions, traces)
        _notice_end(lane, terms, masks, state)


@kernel
def _look_up(lanes: Any, partners_speak: Any, words: Any, flip: Any, masks: Any) -> None:
    """What the policies want in the cells that the views are in."""
    for view in range(4 if partners_speak == 1 else 2):
        own, standing = words[(view & 1) ^ flip], masks[STANDING + (view & 1)]
        for row in range(FIGURES * view, FIGURES * view + FIGURES):
            cells, wants = masks[CELLS + row], masks[WANTS + row]
            for lane in range(lanes):
                wants[lane] = own[U32(standing[lane] + cells[lane])]


@inlined
def decides_together(terms: Any, traits: Any, traces: Any) -> Any:
    """Whether all lanes can be gone through at once: teams that decide as one, and by the book."""
    by_book = traits[0, RANDOM] == 0 and traits[1, RANDOM] == 0
    return by_book and terms.partners_speak == 0 and len(traces) == 0


@kernel
def _talk(
    window: Any,
    counter: Any,
    lane: Any,
    terms: Any,
    traits: Any,
    flip: Any,
    masks: Any,
    state: Any,
    actions: Any,
    traces: Any,
) -> None:
    """One lane's window, from its opening to its close."""
    while state[CLOSED, lane] == 0:
        seat = state[ASKED, lane]
        side = (seat & 1) ^ flip
        allowed = legal(state, lane, terms, _held(seat, lane, terms, masks))
        turn = state[FIGURE, lane] == NO_FIGURE
        if traits[side, RANDOM] == 1:
            action = _anything(window, counter, lane, seat, turn, allowed, terms, state)
        elif turn:
            action = _bet_by_book(seat, lane, allowed, masks, state)
            if action == PASS and traits[side, _ANY_BLUFF] > 0:
                draw = np.int64(_turn_draw(window, counter, lane, seat, terms, state))
                action = _bluff(lane, allowed, draw, traits, side, state)
        else:
            action = _answer_by_book(seat, lane, allowed, masks, state)
        _count(side, lane, turn, action, state, actions)
        if len(traces) > 0:
            trace(traces, lane, SAID, window, seat, action, allowed)
        say(state, lane, terms, action)


@inlined
def _turn_draw(window: Any, counter: Any, lane: Any, seat: Any, terms: Any, state: Any) -> Any:
    """The number of a turn; where two speak for four, two rounds share a block."""
    spoken = np.int64(popcount(U32(state[EXCHANGED, lane])))
    if terms.partners_speak == 1:
        return drawn(counter, _TURN, 4 * window + spoken, lane, seat)
    return drawn(counter, _TURN, 4 * window + (spoken & 2), lane, seat + 2 * (spoken & 1))


@inlined
def _held(seat: Any, lane: Any, terms: Any, masks: Any) -> Any:
    """The figures that a speaker may bet under `must_hold` (GN-4.5), a bit each."""
    if terms.must_hold == 0:
        return (1 << FIGURES) - 1
    own = masks[DEALT + seat, lane]
    partner = own
    if terms.partners_speak == 0:
        partner = masks[DEALT + (seat + 2) % terms.players, lane]
    gleich = best_gleich_of_two(own, partner) > _NONE
    hanger = best_hanger_of_two(own, partner) > _NONE
    return (gleich << GLEICH) | (hanger << HANGER) | (1 << SPIEL)


@inlined
def _anything(
    window: Any,
    counter: Any,
    lane: Any,
    seat: Any,
    turn: Any,
    allowed: Any,
    terms: Any,
    state: Any,
) -> Any:
    """One of the actions allowed, each with the same chance (but for 1 in 2**29)."""
    if turn:
        draw = _turn_draw(window, counter, lane, seat, terms, state)
    else:
        block = 42 * state[FIGURE, lane] + 7 * window + state[PROPOSED, lane] - 2
        draw = drawn(counter, _ANSWER, block, lane, seat)
    mask = U64(allowed)
    number = (draw * popcount(mask)) >> _HALF
    return np.int64(trailing_zeros(deposit(U64(1) << number, mask)))


@inlined
def _bet_by_book(seat: Any, lane: Any, allowed: Any, masks: Any, state: Any) -> Any:
    """The first figure that the book bets on, or a pass."""
    wanted = 0
    for figure in range(FIGURES):
        # Bit k - 1 is for a bet that proposes k: one more than the value.
        bets = np.int64(masks[WANTS + FIGURES * seat + figure, lane]) >> state[VALUE + figure, lane]
        wanted |= (bets & 1) << figure
    wanted &= allowed >> BET
    return BET + np.int64(trailing_zeros(U64(wanted))) if wanted != 0 else PASS


@inlined
def _bluff(lane: Any, allowed: Any, draw: Any, traits: Any, side: Any, state: Any) -> Any:
    """The figure on which the number drawn is a bluff, or a pass; never to *Spiel aus*."""
    for figure in range(FIGURES):
        if draw < traits[side, BLUFF + figure]:
            low = state[VALUE + figure, lane] < SPIEL_AUS - 1
            return BET + figure if low and (allowed >> (BET + figure)) & 1 == 1 else PASS
    return PASS


@inlined
def _answer_by_book(seat: Any, lane: Any, allowed: Any, masks: Any, state: Any) -> Any:
    """Raise, hold, leave it to the partner, concede: the first that the book and rules allow."""
    figure, value = state[FIGURE, lane], state[PROPOSED, lane]
    wants = np.int64(masks[WANTS + FIGURES * seat + figure, lane])
    # Bit k - 1 of its part is for the rung k: a raise proposes value + 1.
    if (wants >> (RAISES + value)) & (allowed >> RAISE) & 1 == 1:
        return RAISE
    if (wants >> (HOLDS + value - 1)) & 1 == 1:
        return HALTEN
    return LEAVE if (allowed >> LEAVE) & 1 == 1 else GUT


@inlined
def _count(side: Any, lane: Any, turn: Any, action: Any, state: Any, actions: Any) -> None:
    """Bets are counted at the value they propose, answers at the value they are given to."""
    if turn and action != PASS:
        figure = action - BET
        actions[side, figure, BETS, state[VALUE + figure, lane] + 1] += 1
    elif not turn and action != LEAVE:
        actions[side, state[FIGURE, lane], CONCEDED + action - GUT, state[PROPOSED, lane]] += 1


@kernel
def drawn(counter: Any, stream: Any, block: Any, lane: Any, seat: Any) -> Any:
    """A decision's number, uint64 below 2**32: of the block's four the one numbered `seat`."""
    unit, seed = U64(counter.start + lane), counter.seed
    place, word = counter.deal + U64(block), counter.purpose | stream
    c0, c1, c2, c3 = philox(seed & _LOW_HALF, seed >> _HALF, unit, unit >> _HALF, place, word)
    first = c0 if seat == 0 else c1
    second = c2 if seat == 2 else c3
    return (first if seat < 2 else second) & _LOW_HALF


@inlined
def loses_no_figure(hand: Any, robbed: Any) -> Any:
    """Whether a hand with the 7 robbed for a higher trump has as good a Gleich and Hanger."""
    gleich = best_gleich(robbed) >= best_gleich(hand)
    return gleich & (best_hanger(robbed) >= best_hanger(hand))


@inlined
def _notice_end(lane: Any, terms: Any, masks: Any, state: Any) -> None:
    """GN-2.4, GN-5.2: no more tricks after the Spiel is conceded, nothing at all at the target."""
    if state[SPIEL_WINNER, lane] != NOBODY:
        masks[PLAYING, lane] = _NONE
    if terms.at_once == 1:
        for team in range(2):
            if total(state, lane, team) >= terms.target:
                win(lane, team, masks, state)
