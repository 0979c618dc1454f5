"""Deals of Giley judged as dealt: from random words to the tally of a figure."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sims import dealing
from sims.bits import U32, U64
from sims.cards import GILEY
from sims.dealing import LANES, Plan
from sims.figures import Figure
from sims.giley.figures import (
    BEST_POINTS,
    FOUR,
    FOUR_OF_SEAT,
    HAND,
    ONE_FOUR,
    ONE_TWO,
    OUTCOME,
    OUTCOME_CODES,
    PRECEDENCE,
    SHARED_OUTCOME,
    TIED_CODE,
    TWO,
    TWO_OF_SEAT,
    WINNER_CODE,
    best_points,
    claim,
    claimed_steps,
    claiming_seat,
    class_of_steps,
    figures,
    is_level,
    place_of_seat,
)
from sims.giley.rules import SEATS, Rules
from sims.jit import kernel
from sims.streams import Purpose, Stream, stream_word
from sims.tallies import COPIES, count, join, set_aside

_ONE_TWO, _ONE_FOUR, _BEST_POINTS = ONE_TWO.code, ONE_FOUR.code, BEST_POINTS.code
_FIRST_TWO, _LAST_TWO = TWO_OF_SEAT[0].code, TWO_OF_SEAT[-1].code
_FIRST_FOUR, _LAST_FOUR = FOUR_OF_SEAT[0].code, FOUR_OF_SEAT[-1].code
_FIRST_OUTCOME = OUTCOME_CODES[0]
_ALONE, _TIED_WON, _TIED_LOST, _LOST = (U32(number) for number in range(len(OUTCOME)))
_LOST_OF_SHARED = U32(len(SHARED_OUTCOME) - 1)


@cache
def deal_plan(players: int) -> Plan:
    """GY-2.1, GY-2.2: two cards to each seat in order, then two more to each."""
    return dealing.plan(GILEY.size, [2] * (2 * players))


def tally_block(
    figure: Figure,
    rules: Rules,
    seed: int,
    stream: int,
    start: int,
    stop: int,
    holds: NDArray[np.bool_] | None = None,
) -> NDArray[np.int64]:
    """Counts of a figure's classes over the deals `start` to `stop`: flat int64, (cells + 1,).

    The last are the deals for which `holds`, of the shape of the hand's basis, is False.
    """
    copies = np.zeros((COPIES, figure.cells + 1), dtype=np.int64)
    _tally(
        U64(seed),
        U64(stream),
        start,
        stop,
        deal_plan(rules.players),
        rules.players,
        U32(PRECEDENCE if rules.tie == "suit_rank" else 0),
        U32(rules.tie == "dealer"),
        rules.tie == "split",
        figure.layout(HAND, holds),
        copies,
    )
    counts: NDArray[np.int64] = copies.sum(axis=0)
    return counts


def deal_packets(
    rules: Rules, seed: int, stream: int, start: int, deals: int
) -> NDArray[np.uint32]:
    """The first two cards of each seat, then the next two: uint32 masks, (2, players, deals)."""
    plan = deal_plan(rules.players)
    words = np.empty((plan.words, deals), dtype=U64)
    numbers = np.empty((len(plan.bound), deals), dtype=U32)
    packets = np.empty((len(plan.bound) + 1, deals), dtype=U32)
    dealing.deal(U64(seed), U64(stream), U64(0), U64(start), deals, plan, words, numbers, packets)
    by_seat: NDArray[np.uint32] = packets[:-1].reshape(2, rules.players, deals)
    return by_seat


def deal_hands(rules: Rules, seed: int, stream: int, start: int, deals: int) -> NDArray[np.uint32]:
    """The hands of some deals: uint32 masks, (players, deals)."""
    first, second = deal_packets(rules, seed, stream, start, deals)
    hands: NDArray[np.uint32] = first | second
    return hands


def deal_record(rules: Rules, seed: int, index: int) -> dict[str, Any]:
    """One deal in words.

    Returns
    -------
    dict
        `hands`: a list by seat of `seat`, `first` (the first two cards), `cards` (all four, the
        first two first), `two` and `four` (the points of those and of these); `best`: the best
        points; `winners`: the seats that win or share, in seat order.
    """
    stream = stream_word(Purpose.MEASURE, Stream.DEALING)
    first, second = deal_packets(rules, seed, stream, index, 1).reshape(2, -1)
    two, four = _classes_of(first), _classes_of(first | second)
    seats = SEATS[rules.players]
    figure = figures(rules)["best"]
    counts = figure.split(tally_block(figure, rules, seed, stream, index, index + 1))
    winner = int(counts["winner"].argmax())
    sharing = [seat for seat, points in enumerate(four) if points == max(four)]
    return {
        "hands": [
            {
                "seat": name,
                "first": GILEY.cards(int(first[seat])),
                "cards": GILEY.cards(int(first[seat])) + GILEY.cards(int(second[seat])),
                "two": TWO.labels[two[seat]][0],
                "four": FOUR.labels[four[seat]][0],
            }
            for seat, name in enumerate(seats)
        ],
        "best": FOUR.labels[int(counts["points"].argmax())][0],
        "winners": [seats[seat] for seat in (sharing if winner == len(seats) else [winner])],
    }


def _classes_of(hands: NDArray[np.uint32]) -> list[int]:
    classes = np.empty_like(hands)
    _points_of_cards(hands, hands, len(hands), classes)
    return [int(number) for number in classes]


@kernel
def _tally(
    seed: Any,
    stream: Any,
    start: Any,
    stop: Any,
    plan: Any,
    players: Any,
    precedence: Any,
    privilege: Any,
    shares: Any,
    layout: Any,
    copies: Any,
) -> None:
    words = np.empty((plan.words, LANES), dtype=np.uint64)
    numbers = np.empty((len(plan.bound), LANES), dtype=np.uint32)
    packets = np.empty((len(plan.bound) + 1, LANES), dtype=np.uint32)
    best = np.empty(LANES, dtype=np.uint32)
    tied = np.empty(LANES, dtype=np.uint32)
    cells = np.empty(LANES, dtype=np.uint32)
    reading = np.empty(LANES, dtype=np.uint32)
    basis = np.empty(LANES, dtype=np.uint32)
    whole_table = layout.code.max() >= _BEST_POINTS
    for first in range(start, stop, LANES):
        lanes = min(LANES, stop - first)
        dealing.deal(seed, stream, U64(0), U64(first), lanes, plan, words, numbers, packets)
        if whole_table:
            show(packets, players, precedence, privilege, lanes, best, tied)
        if len(layout.basis) > 0:
            basis[:lanes] = 0
            for position in range(len(layout.basis)):
                code = layout.basis[position]
                _read(code, packets, players, shares, best, tied, lanes, reading)
                join(basis, reading, layout.basis_classes[position], lanes)
        for part in range(len(layout.offset)):
            _read(layout.code[part, 0], packets, players, shares, best, tied, lanes, cells)
            for position in range(1, layout.readings[part]):
                code = layout.code[part, position]
                _read(code, packets, players, shares, best, tied, lanes, reading)
                join(cells, reading, layout.classes[part, position], lanes)
            if len(layout.basis) > 0:
                set_aside(cells, basis, layout.holds, layout.aside - layout.offset[part], lanes)
            count(cells, lanes, layout.offset[part], copies)


@kernel
def show(
    packets: Any,
    players: Any,
    precedence: Any,
    privilege: Any,
    lanes: Any,
    best: Any,
    tied: Any,
) -> None:
    """GY-4.1, GY-4.2: the highest claim, and how many hands have as many points.

    Parameters
    ----------
    packets : uint32 array, (2 * players or more, lanes)
        The first two cards of each seat, then the next two.
    players : int
    precedence, privilege : uint32
        As in `claim`; the privilege is the dealer's.
    lanes : int
    best, tied : uint32 arrays, (lanes,)
        Filled.
    """
    for lane in range(lanes):
        best[lane] = U32(0)
        tied[lane] = U32(0)
    for seat in range(players):
        first, second = packets[seat], packets[players + seat]
        place = place_of_seat(U32(seat), U32(privilege if seat == players - 1 else 0))
        for lane in range(lanes):
            before = best[lane]
            made = claim(U32(first[lane] | second[lane]), precedence, place)
            with_first = U32(1) if made > before else tied[lane]
            tied[lane] = U32(tied[lane] + U32(1)) if is_level(made, before) else with_first
            best[lane] = max(made, before)


@kernel
def _read(
    code: Any,
    packets: Any,
    players: Any,
    shares: Any,
    best: Any,
    tied: Any,
    lanes: Any,
    classes: Any,
) -> None:
    """One reading of a batch.

    Parameters
    ----------
    code : int
        Which reading.
    packets, best, tied : uint32 arrays
        As in `show`; the last two are read only by readings of the whole table.
    players : int
    shares : bool
        Whether a tie is nobody's win.
    lanes : int
    classes : uint32 array, (lanes,)
        Filled.
    """
    if code == _ONE_TWO:
        _points_of_cards(packets[0], packets[0], lanes, classes)
    elif code == _ONE_FOUR:
        _points_of_cards(packets[0], packets[players], lanes, classes)
    elif code == _BEST_POINTS:
        _points_of_claims(best, lanes, classes)
    elif code == TIED_CODE:
        _number_tied(tied, lanes, classes)
    elif code == WINNER_CODE:
        _winner(best, tied, U32(players), shares, lanes, classes)
    elif _FIRST_TWO <= code <= _LAST_TWO:
        first = packets[code - _FIRST_TWO]
        _points_of_cards(first, first, lanes, classes)
    elif _FIRST_FOUR <= code <= _LAST_FOUR:
        seat = code - _FIRST_FOUR
        _points_of_cards(packets[seat], packets[players + seat], lanes, classes)
    else:
        seat = code - _FIRST_OUTCOME
        outcome_of_seat(
            packets[seat], packets[players + seat], best, tied, seat, shares, lanes, classes
        )


@kernel
def _points_of_cards(some: Any, others: Any, lanes: Any, classes: Any) -> None:
    """The points of some cards and others together, which may be the same cards."""
    for lane in range(lanes):
        classes[lane] = best_points(U32(some[lane] | others[lane]))


@kernel
def _points_of_claims(best: Any, lanes: Any, classes: Any) -> None:
    for lane in range(lanes):
        classes[lane] = class_of_steps(claimed_steps(best[lane]))


@kernel
def _number_tied(tied: Any, lanes: Any, classes: Any) -> None:
    for lane in range(lanes):
        classes[lane] = U32(tied[lane] - U32(1))


@kernel
def _winner(best: Any, tied: Any, shared: Any, shares: Any, lanes: Any, classes: Any) -> None:
    """The seat of the best claim; the class `shared` where a tie is nobody's win."""
    for lane in range(lanes):
        is_shared = shares & (tied[lane] > U32(1))
        classes[lane] = shared if is_shared else claiming_seat(best[lane])


@kernel
def outcome_of_seat(
    some: Any,
    others: Any,
    best: Any,
    tied: Any,
    seat: Any,
    shares: Any,
    lanes: Any,
    classes: Any,
) -> None:
    """GY-4.2: what becomes of a seat's hand, the cards `some` and `others`.

    `shares` says whether a tie is shared: then there are three outcomes, else four.
    """
    lost = _LOST_OF_SHARED if shares else _LOST
    for lane in range(lanes):
        own = best_points(U32(some[lane] | others[lane]))
        has_claim = claiming_seat(best[lane]) == U32(seat)
        if_tied = _TIED_WON if has_claim | shares else _TIED_LOST
        unbeaten = _ALONE if tied[lane] == U32(1) else if_tied
        beaten = own < class_of_steps(claimed_steps(best[lane]))
        classes[lane] = lost if beaten else unbeaten
