"""Whole deals of Gleek, from the turn-up to the settlement, all decisions at random.

Each decision has a counter of its own (`sims.streams`): the stream is its kind, the block says
where in the deal it falls, and the seat picks one of the block's four 32-bit numbers.

================  ===========================================
stream            block
================  ===========================================
``GLEEK_BID``     standing price less 12: nobody is asked twice at one
``GLEEK_LAYOUT``  cards laid out so far
``GLEEK_RUFF``    0 until one has opened, then 1 + revies
``GLEEK_CARD``    trick
================  ===========================================
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sims.bits import U64, deposit, popcount, trailing_zeros
from sims.gilten.betting import drawn
from sims.gilten.table import counter, trace
from sims.gleek import auction, vying
from sims.gleek.auction import PLAYERS
from sims.gleek.deals import DEALER, STOCK, TURNUP, deal_hands
from sims.gleek.figures import ruff
from sims.gleek.payments import (
    TRICK_POINTS,
    from_each,
    honour_points,
    set_pay,
    settle,
    tiddy_pay,
    turnup_pay,
)
from sims.gleek.rules import HONOURS_TO, Rules
from sims.jit import kernel
from sims.streams import Stream, place_word, stream_word
from sims.tricks import beats, follow, follow_and_head, suit_of

#: The phases in which chips change hands.
TURNED_UP, STOCK_SOLD, RUFF, SETS, TIDDY, PLAYED_OUT = range(6)
PHASES = 6

TRICKS, LAID_OUT = 12, 7

#: What a trace records: rows of kind, place, seat, action and what was allowed; the first row has
#: the number of rows after it. The place is the block of the decision's counter; the action one of
#: `auction` or `vying`, or the bit of a card; what was allowed is a bit each.
BID, LAID, VIED, PLAYED = range(4)
TRACE_ROWS, TRACE_COLUMNS = 160, 5

_BID, _LAYOUT = U64(Stream.GLEEK_BID), U64(Stream.GLEEK_LAYOUT)
_RUFF, _CARD = U64(Stream.GLEEK_RUFF), U64(Stream.GLEEK_CARD)
_HONOURS = U64(sum(0b1111 << (11 * suit + 7) for suit in range(4)))
_ONE, _HALF = U64(1), U64(32)
_LEAST_PRICE = 12


class Setting(NamedTuple):
    """The rules as the kernels need them: terms, 1 for a switch, 0 chips for a silent Tiddy."""

    auction: auction.Terms
    vying: vying.Terms
    turnup_in_ruff: int
    tiddy: int
    tiddy_up: int
    towser_tumbler: int
    take_first: int
    free_discard: int
    must_head: int
    to_winner: int


class Played(NamedTuple):
    """Deals that have been played, by lane.

    Attributes
    ----------
    chips : int64 array, (PHASES, 3, lanes)
        What each seat has won or lost in each phase.
    points, tricks : int64 arrays, (3, lanes)
        Of the twelve tricks, by seat.
    hands : uint64 array, (3, lanes)
        The hands that were played, after the stock.
    stock : int64 array, (auction.STATE, lanes)
        How the auction ended: price and buyer.
    vied : int64 array, (vying.STATE, lanes)
        How vying ended.
    pool, opening : int64 arrays, (lanes,)
        The pool, and the opening stake of the session's next deal, in chips.
    trace : int64 array, (lanes, TRACE_ROWS, TRACE_COLUMNS)
        Every decision in order; of no lanes if none is wanted.
    """

    chips: NDArray[np.int64]
    points: NDArray[np.int64]
    tricks: NDArray[np.int64]
    hands: NDArray[np.uint64]
    stock: NDArray[np.int64]
    vied: NDArray[np.int64]
    pool: NDArray[np.int64]
    opening: NDArray[np.int64]
    trace: NDArray[np.int64]


def setting(rules: Rules) -> Setting:
    """The rules as the kernels need them."""
    return Setting(
        auction=auction.terms(rules),
        vying=vying.terms(rules),
        turnup_in_ruff=int(rules.turnup_in_ruff),
        tiddy=int(rules.tiddy),
        tiddy_up=rules.tiddy_up if rules.tiddy else 0,
        towser_tumbler=int(rules.towser_tumbler),
        take_first=int(rules.take_first),
        free_discard=int(rules.free_discard),
        must_head=int(rules.must_head),
        to_winner=HONOURS_TO.index(rules.honours),
    )


def deal_batch(
    rules: Rules,
    seed: int,
    purpose: int,
    start: int,
    deals: int,
    *,
    deal: int = 0,
    after: Played | None = None,
    traced: bool = False,
) -> Played:
    """The deals `start` to `start + deals`, each played by itself, every legal action alike.

    `deal` is the number of the deal in its unit; `after` the deal before it in the session, whose
    pool and opening stake go on (GK-3.2, GK-6.1).
    """
    place, stream = place_word(deal=deal), stream_word(purpose, Stream.DEALING)
    hands = deal_hands(rules, seed, stream, start, deals, place)
    first = np.full(deals, vying.LEAST_STAKE, dtype=np.int64)
    played = Played(
        chips=np.zeros((PHASES, PLAYERS, deals), dtype=np.int64),
        points=np.zeros((PLAYERS, deals), dtype=np.int64),
        tricks=np.zeros((PLAYERS, deals), dtype=np.int64),
        hands=hands[:PLAYERS].copy(),
        stock=np.zeros((auction.STATE, deals), dtype=np.int64),
        vied=np.zeros((vying.STATE, deals), dtype=np.int64),
        pool=np.zeros(deals, dtype=np.int64) if after is None else after.pool.copy(),
        opening=first if after is None else after.opening.copy(),
        trace=np.zeros((deals if traced else 0, TRACE_ROWS, TRACE_COLUMNS), dtype=np.int64),
    )
    here = counter(seed, purpose, start)._replace(deal=U64(place))
    _play(here, setting(rules), hands, played)
    return played


@kernel
def _play(counter: Any, setting: Any, dealt: Any, played: Any) -> None:
    """Play every lane. `dealt`, uint64 (5, lanes): the hands, turn-up and stock."""
    ruffs = np.zeros((PLAYERS, dealt.shape[1]), dtype=np.uint32)
    for lane in range(dealt.shape[1]):
        turnup, chips = dealt[TURNUP, lane], played.chips
        pay = turnup_pay(turnup, setting.tiddy_up, setting.towser_tumbler)
        from_each(DEALER, pay, lane, chips[TURNED_UP])
        _sell_stock(counter, lane, setting, played)
        _lay_out(counter, lane, setting, turnup, dealt[STOCK, lane], played)
        _vie(counter, lane, setting, turnup, ruffs, played)
        for seat in range(PLAYERS):
            hand = played.hands[seat, lane]
            from_each(seat, set_pay(hand), lane, chips[SETS])
            if setting.tiddy == 1:
                from_each(seat, tiddy_pay(hand, suit_of(turnup)), lane, chips[TIDDY])
        _play_tricks(counter, lane, setting, turnup, played)
        settle(lane, played.points, chips[PLAYED_OUT], played.pool)


@kernel
def _anything(
    counter: Any,
    lane: Any,
    stream: Any,
    block: Any,
    seat: Any,
    what: Any,
    allowed: Any,
    traces: Any,
) -> Any:
    """One of the actions allowed, a bit each, with the same chance (but for 1 in 2**27)."""
    draw, mask = drawn(counter, stream, block, lane, seat), U64(allowed)
    number = (draw * popcount(mask)) >> _HALF
    action = np.int64(trailing_zeros(deposit(_ONE << number, mask)))
    trace(traces, lane, what, block, seat, action, np.int64(mask))
    return action


@kernel
def _sell_stock(counter: Any, lane: Any, setting: Any, played: Any) -> None:
    """GK-2.1, GK-2.2."""
    state, terms = played.stock, setting.auction
    auction.open_auction(state, lane, terms)
    while state[auction.CLOSED, lane] == 0:
        seat, block = state[auction.ASKED, lane], state[auction.PRICE, lane] - _LEAST_PRICE
        allowed = auction.legal(state, lane, terms)
        action = _anything(counter, lane, _BID, block, seat, BID, allowed, played.trace)
        auction.say(state, lane, terms, action)
    auction.pay_price(state, lane, played.chips[STOCK_SOLD])


@kernel
def _lay_out(counter: Any, lane: Any, setting: Any, turnup: Any, stock: Any, played: Any) -> None:
    """GK-2.3, GK-2.4: seven cards for the stock's seven, seen before or after."""
    buyer = played.stock[auction.BUYER, lane]
    hand = played.hands[buyer, lane]
    may_go = hand | stock if setting.take_first == 1 else hand
    hand |= stock
    if setting.free_discard == 0:
        may_go &= ~(suit_of(turnup) & _HONOURS)
    for laid in range(LAID_OUT):
        card = _ONE << U64(
            _anything(counter, lane, _LAYOUT, laid, buyer, LAID, may_go, played.trace)
        )
        may_go ^= card
        hand ^= card
    played.hands[buyer, lane] = hand


@kernel
def _vie(counter: Any, lane: Any, setting: Any, turnup: Any, ruffs: Any, played: Any) -> None:
    """GK-3, on the hands after the stock."""
    state, terms = played.vied, setting.vying
    vying.open_vying(state, lane, played.opening[lane])
    while state[vying.CLOSED, lane] == 0:
        seat, opened = state[vying.ASKED, lane], state[vying.VIER, lane] != vying.NOBODY
        block = 1 + state[vying.REVIES, lane] if opened else 0
        allowed = vying.legal(state, lane, terms)
        action = _anything(counter, lane, _RUFF, block, seat, VIED, allowed, played.trace)
        vying.say(state, lane, action)
    for seat in range(PLAYERS):
        counted = played.hands[seat, lane]
        if setting.turnup_in_ruff == 1 and seat == DEALER:
            counted |= turnup
        ruffs[seat, lane] = ruff(counted)
    won_by = vying.winner(state, lane, ruffs)
    vying.pay_debts(state, lane, terms, won_by, played.chips[RUFF])
    played.opening[lane] = vying.next_opening(state, lane, terms)


@kernel
def _play_tricks(counter: Any, lane: Any, setting: Any, turnup: Any, played: Any) -> None:
    """GK-5: twelve tricks and the points of their honours."""
    held = played.hands[:, lane].copy()
    trump, points, leader = suit_of(turnup), played.points, 0
    points[DEALER, lane] += honour_points(turnup, turnup)
    for number in range(TRICKS):
        best, led, taker, honours = U64(0), U64(0), leader, 0
        for place in range(PLAYERS):
            seat = (leader + place) % PLAYERS
            allowed = held[seat]
            if place > 0 and setting.must_head == 1:
                allowed = follow_and_head(held[seat], led, trump, best)
            elif place > 0:
                allowed = follow(held[seat], led)
            card = _ONE << U64(
                _anything(counter, lane, _CARD, number, seat, PLAYED, allowed, played.trace)
            )
            held[seat] ^= card
            scored = honour_points(card, turnup)
            if setting.to_winner == 0:
                points[seat, lane] += scored
            honours += scored
            if place == 0:
                best, led = card, suit_of(card)
            elif beats(card, best, trump):
                best, taker = card, seat
        played.tricks[taker, lane] += 1
        points[taker, lane] += TRICK_POINTS
        if setting.to_winner == 1:
            points[taker, lane] += honours
        leader = taker
