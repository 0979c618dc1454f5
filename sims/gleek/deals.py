"""Deals of Gleek judged as dealt, before the stock: from random words to the tally of a figure."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sims import dealing
from sims.bits import U32, U64, deposit
from sims.cards import GLEEK
from sims.dealing import LANES, Plan
from sims.figures import Figure
from sims.gleek.figures import (
    BEST_RUFF,
    FIGURES,
    HAND,
    HONOUR_RANKS,
    HONOUR_SETS,
    HONOURS_IN_HAND,
    HONOURS_IN_STOCK,
    INCOMES,
    NUMBER_OF_ACES,
    NUMBER_OF_JACKS,
    NUMBER_OF_KINGS,
    NUMBER_OF_SETS,
    ONE_RUFF,
    OUTCOME,
    OUTCOMES,
    RUFF,
    RUFFS,
    SEATS,
    SET,
    SET_PAY,
    SETS_BY_RANK,
    TIE,
    WINNER,
    greater,
    honours_class,
    honours_of,
    income,
    number_of_rank,
    number_of_sets,
    ruff,
    set_of_rank,
    sets_of_four,
    trump_honours,
    turnup_class,
)
from sims.gleek.rules import Rules
from sims.jit import kernel
from sims.streams import Purpose, Stream, fill, stream_word
from sims.tallies import COPIES, count, join, set_aside

#: Rows of a deal: the hands by seat, the turn-up, the stock.
PLAYERS, TURNUP, STOCK, ROWS = 3, 3, 4, 5
DEALER = PLAYERS - 1

#: Twelve cards each. They leave the pack in threes (GK-1.3 deals fours), for whose number a table
#: fits the cache; which twelve a player gets is as random either way.
PACKETS, PACKET_SIZE = 4, 3

_FIRST_RUFF, _LAST_RUFF = ONE_RUFF.code, RUFFS[-1].code
_BEST_RUFF, _WINNER, _TIE = BEST_RUFF.code, WINNER.code, TIE.code
_SET_OF_ACES, _SET_OF_JACKS = SETS_BY_RANK["A"].code, SETS_BY_RANK["J"].code
_NUMBER_OF_SETS = NUMBER_OF_SETS.code
_FIRST_INCOME, _LAST_INCOME = INCOMES[0].code, INCOMES[-1].code
_NUMBER_OF_ACES = NUMBER_OF_ACES.code
_NUMBER_OF_KINGS, _NUMBER_OF_JACKS = NUMBER_OF_KINGS.code, NUMBER_OF_JACKS.code
_HONOURS_IN_HAND, _HONOURS_IN_STOCK = HONOURS_IN_HAND.code, HONOURS_IN_STOCK.code
_FIRST_OUTCOME, _LAST_OUTCOME = OUTCOMES[0].code, OUTCOMES[-1].code

#: From the best to the worst: of two outcomes the greater is the worse.
_ALONE, _TIED_WON, _TIED_LOST, _LOST = (U32(number) for number in range(len(OUTCOME)))


@cache
def deal_plan() -> Plan:
    """GK-1.3: twelve cards each, then the turn-up; what is left is the stock."""
    return dealing.plan(GLEEK.size, (*[PACKET_SIZE] * (PACKETS * PLAYERS), 1))


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
        deal_plan(),
        rules.turnup_in_ruff,
        figure.layout(HAND, holds),
        copies,
    )
    counts: NDArray[np.int64] = copies.sum(axis=0)
    return counts


def deal_hands(
    rules: Rules, seed: int, stream: int, start: int, deals: int, place: int = 0
) -> NDArray[np.uint64]:
    """The hands of some deals, their turn-ups and stocks: uint64 masks, (5, deals).

    `place` is counter word 2 (`sims.streams`): which deal of its unit each is.
    """
    plan = deal_plan()
    words = np.empty((plan.words, deals), dtype=U64)
    numbers = np.empty((len(plan.bound), deals), dtype=U32)
    hands = np.empty((ROWS, deals), dtype=U64)
    _deal(U64(seed), U64(stream), U64(place), U64(start), deals, plan, words, numbers, hands)
    return hands


def deal_record(rules: Rules, seed: int, index: int) -> dict[str, Any]:
    """One deal in words.

    Returns
    -------
    dict
        `hands`: a list by seat of `seat`, `cards`, `ruff`, `sets`, `aces` (how many) and `honours`
        (those of trumps); `turnup`; `stock`; `best`: the best ruff; `winner`: the seat that has it;
        `tied`: how many hands do. The dealer's ruff includes the turn-up if the rules say so.
    """
    stream = stream_word(Purpose.MEASURE, Stream.DEALING)
    hands = deal_hands(rules, seed, stream, index, 1)
    turnup = hands[TURNUP]
    figure = FIGURES["best-ruff"]
    counts = figure.split(tally_block(figure, rules, seed, stream, index, index + 1))
    best, winner, tied = (
        part.axes[0].labels[int(counts[part.name].argmax())][0] for part in figure.parts
    )
    return {
        "hands": [
            {
                "seat": name,
                "cards": GLEEK.cards(int(hands[seat, 0])),
                "ruff": RUFF.labels[_class_of(_ruff_of_seat, hands, seat, rules.turnup_in_ruff)][0],
                "sets": _sets_of(hands[seat]),
                "aces": _class_of(_number_of_rank, hands[seat], 0),
                "honours": honours_of(HONOUR_SETS[_class_of(_honours_among, hands[seat], turnup)]),
            }
            for seat, name in enumerate(SEATS)
        ],
        "turnup": GLEEK.cards(int(turnup[0]))[0],
        "stock": GLEEK.cards(int(hands[STOCK, 0])),
        "best": best,
        "winner": winner,
        "tied": tied,
    }


def _class_of(classify: Any, *arguments: Any) -> int:
    classes = np.empty(1, dtype=U32)
    classify(*arguments, 1, classes)
    return int(classes[0])


def _sets_of(hand: Any) -> list[str]:
    """As in `["gleek A", "mournival J"]`."""
    found = [(_class_of(_set_of_hand, hand, HONOUR_RANKS.index(rank)), rank) for rank in SET_PAY]
    return [f"{SET.text(held)} {rank}" for held, rank in found if held]


@kernel
def _tally(
    seed: Any,
    stream: Any,
    start: Any,
    stop: Any,
    plan: Any,
    turnup_in_ruff: Any,
    layout: Any,
    copies: Any,
) -> None:
    words = np.empty((plan.words, LANES), dtype=np.uint64)
    numbers = np.empty((len(plan.bound), LANES), dtype=np.uint32)
    hands = np.empty((ROWS, LANES), dtype=np.uint64)
    scratch = np.empty((PLAYERS, LANES), dtype=np.uint32)
    cells = np.empty(LANES, dtype=np.uint32)
    reading = np.empty(LANES, dtype=np.uint32)
    basis = np.empty(LANES, dtype=np.uint32)
    for first in range(start, stop, LANES):
        lanes = min(LANES, stop - first)
        _deal(seed, stream, U64(0), U64(first), lanes, plan, words, numbers, hands)
        if len(layout.basis) > 0:
            basis[:lanes] = 0
            for position in range(len(layout.basis)):
                code = layout.basis[position]
                _read(code, hands, turnup_in_ruff, lanes, scratch, reading)
                join(basis, reading, layout.basis_classes[position], lanes)
        for part in range(len(layout.offset)):
            _read(layout.code[part, 0], hands, turnup_in_ruff, lanes, scratch, cells)
            for position in range(1, layout.readings[part]):
                _read(layout.code[part, position], hands, turnup_in_ruff, lanes, scratch, reading)
                join(cells, reading, layout.classes[part, position], lanes)
            if len(layout.basis) > 0:
                set_aside(cells, basis, layout.holds, layout.aside - layout.offset[part], lanes)
            count(cells, lanes, layout.offset[part], copies)


@kernel
def _deal(
    seed: Any,
    stream: Any,
    place: Any,
    start: Any,
    lanes: Any,
    plan: Any,
    words: Any,
    numbers: Any,
    hands: Any,
) -> None:
    """Deal as `dealing.deal` does, but into whole hands: uint64 `hands`, (5, lanes), is filled.

    A hand's four packets leave the pack in one go: what the pack has lost is the hand.
    """
    fill(seed, stream, place, start, lanes, words)
    if dealing.draw(plan, lanes, words, numbers):
        dealing.redraw(seed, stream, place, start, plan, lanes, words, numbers)
    pack, turnup = hands[STOCK], hands[TURNUP]
    for lane in range(lanes):
        pack[lane] = plan.pack
    threes = plan.subsets[plan.table[0] :]
    for seat in range(PLAYERS):
        hand, own = hands[seat], numbers[PACKETS * seat :]
        first, second, third, fourth = own[0], own[1], own[2], own[3]
        for lane in range(lanes):
            before = pack[lane]
            left = before ^ deposit(threes[first[lane]], before)
            left ^= deposit(threes[second[lane]], left)
            left ^= deposit(threes[third[lane]], left)
            left ^= deposit(threes[fourth[lane]], left)
            hand[lane] = before ^ left
            pack[lane] = left
    single_cards, number = plan.subsets[plan.table[-1] :], numbers[PACKETS * PLAYERS]
    for lane in range(lanes):
        card = deposit(single_cards[number[lane]], pack[lane])
        turnup[lane] = card
        pack[lane] ^= card


@kernel
def _read(
    code: Any, hands: Any, turnup_in_ruff: Any, lanes: Any, scratch: Any, classes: Any
) -> None:
    """One reading of a batch.

    Parameters
    ----------
    code : int
        Which reading.
    hands : uint64 array, (5, lanes)
        The hands by seat, the turn-up, the stock.
    turnup_in_ruff : bool
    lanes : int
    scratch : uint32 array, (3, lanes)
    classes : uint32 array, (lanes,)
        Filled.
    """
    if _FIRST_RUFF <= code <= _LAST_RUFF:
        _ruff_of_seat(hands, code - _FIRST_RUFF, turnup_in_ruff, lanes, classes)
    elif code in (_BEST_RUFF, _WINNER, _TIE) or _FIRST_OUTCOME <= code <= _LAST_OUTCOME:
        for seat in range(PLAYERS):
            _ruff_of_seat(hands, seat, turnup_in_ruff, lanes, scratch[seat])
        if code == _BEST_RUFF:
            _best(scratch, lanes, classes)
        elif code == _WINNER:
            _first_of_the_best(scratch, lanes, classes)
        elif code == _TIE:
            _others_as_good(scratch, lanes, classes)
        else:
            _outcome_of_seat(scratch, code - _FIRST_OUTCOME, lanes, classes)
    elif _SET_OF_ACES <= code <= _SET_OF_JACKS:
        _set_of_hand(hands[0], _SET_OF_JACKS - code, lanes, classes)
    elif code == _NUMBER_OF_SETS:
        _sets_of_hand(hands[0], lanes, classes)
    elif _FIRST_INCOME <= code <= _LAST_INCOME:
        _income_of_hand(hands[code - _FIRST_INCOME], lanes, classes)
    elif code == _NUMBER_OF_ACES:
        _number_of_rank(hands[0], 0, lanes, classes)
    elif _NUMBER_OF_KINGS <= code <= _NUMBER_OF_JACKS:
        _number_of_rank(hands[0], code - _NUMBER_OF_KINGS + 1, lanes, classes)
    elif code == _HONOURS_IN_HAND:
        _honours_among(hands[0], hands[TURNUP], lanes, classes)
    elif code == _HONOURS_IN_STOCK:
        _honours_among(hands[STOCK], hands[TURNUP], lanes, classes)
    else:
        _honour_turned_up(hands[TURNUP], lanes, classes)


@kernel
def _ruff_of_seat(hands: Any, seat: Any, turnup_in_ruff: Any, lanes: Any, classes: Any) -> None:
    """GK-3.1: a seat's ruff, to which the turn-up adds only under its option, and the dealer's."""
    if turnup_in_ruff and seat == DEALER:
        _ruff_with_turnup(hands[seat], hands[TURNUP], lanes, classes)
    else:
        _ruff_of_hand(hands[seat], lanes, classes)


@kernel
def _ruff_of_hand(hands: Any, lanes: Any, classes: Any) -> None:
    for lane in range(lanes):
        classes[lane] = ruff(hands[lane])


@kernel
def _ruff_with_turnup(hands: Any, turnups: Any, lanes: Any, classes: Any) -> None:
    for lane in range(lanes):
        classes[lane] = ruff(hands[lane] | turnups[lane])


@kernel
def _best(ruffs: Any, lanes: Any, classes: Any) -> None:
    """The best of three ruffs, uint32 (3, lanes)."""
    eldest, second, dealer = ruffs[0], ruffs[1], ruffs[2]
    for lane in range(lanes):
        classes[lane] = greater(greater(eldest[lane], second[lane]), dealer[lane])


@kernel
def _first_of_the_best(ruffs: Any, lanes: Any, classes: Any) -> None:
    """GK-3.4: the seat with the best ruff, of equals the earlier."""
    eldest, second, dealer = ruffs[0], ruffs[1], ruffs[2]
    for lane in range(lanes):
        best = greater(eldest[lane], second[lane])
        winner = U32(1) if second[lane] > eldest[lane] else U32(0)
        classes[lane] = U32(DEALER) if dealer[lane] > best else winner


@kernel
def _others_as_good(ruffs: Any, lanes: Any, classes: Any) -> None:
    """How many hands besides one hold the best ruff."""
    eldest, second, dealer = ruffs[0], ruffs[1], ruffs[2]
    for lane in range(lanes):
        best = greater(greater(eldest[lane], second[lane]), dealer[lane])
        first_two = U32(U32(eldest[lane] == best) + U32(second[lane] == best))
        classes[lane] = U32(U32(first_two + U32(dealer[lane] == best)) - U32(1))


@kernel
def _outcome_of_seat(ruffs: Any, seat: Any, lanes: Any, classes: Any) -> None:
    """GK-3.4: what becomes of a seat's ruff: the worse of what does against either other."""
    own = ruffs[seat]
    classes[:lanes] = _ALONE
    for other in range(PLAYERS):
        if other == seat:
            continue
        if_tied = _TIED_LOST if other < seat else _TIED_WON
        against = ruffs[other]
        for lane in range(lanes):
            unbeaten = if_tied if against[lane] == own[lane] else _ALONE
            outcome = _LOST if against[lane] > own[lane] else unbeaten
            classes[lane] = greater(classes[lane], outcome)


@kernel
def _set_of_hand(hands: Any, rank: Any, lanes: Any, classes: Any) -> None:
    """The set of one rank, numbered from 0 for jacks to 3 for aces."""
    bit = U32(rank)
    for lane in range(lanes):
        classes[lane] = set_of_rank(sets_of_four(hands[lane]), bit)


@kernel
def _sets_of_hand(hands: Any, lanes: Any, classes: Any) -> None:
    for lane in range(lanes):
        classes[lane] = number_of_sets(sets_of_four(hands[lane]))


@kernel
def _income_of_hand(hands: Any, lanes: Any, classes: Any) -> None:
    for lane in range(lanes):
        classes[lane] = income(sets_of_four(hands[lane]))


@kernel
def _number_of_rank(hands: Any, below: Any, lanes: Any, classes: Any) -> None:
    """How many cards of one rank, numbered down from 0 for aces to 3 for jacks."""
    for lane in range(lanes):
        classes[lane] = number_of_rank(hands[lane], below)


@kernel
def _honours_among(cards: Any, turnups: Any, lanes: Any, classes: Any) -> None:
    for lane in range(lanes):
        classes[lane] = honours_class(trump_honours(cards[lane], turnups[lane]))


@kernel
def _honour_turned_up(turnups: Any, lanes: Any, classes: Any) -> None:
    for lane in range(lanes):
        classes[lane] = turnup_class(trump_honours(turnups[lane], turnups[lane]))
