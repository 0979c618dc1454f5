"""Deals of Gilten judged as dealt: from random words to the tally of a figure."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sims import dealing
from sims.bits import U32, U64
from sims.cards import GILTEN
from sims.dealing import LANES, Plan
from sims.figures import Figure
from sims.gilten.figures import (
    FIGURES,
    GLEICH,
    GLEICH_OUTCOME_SEEN,
    HAND,
    HANGER,
    HANGER_OUTCOME_SEEN,
    NONE,
    ONE_GLEICH,
    ONE_HANGER,
    OUR_GLEICH,
    OUR_HANGER,
    OUTCOME,
    SEAT_GLEICH,
    SEAT_HANGER,
    SEATS,
    STANDS,
    THEIR_GLEICH,
    THEIR_HANGER,
    best_gleich,
    best_gleich_of_two,
    best_hanger,
    best_hanger_of_two,
    trump_of_rank,
    trump_suit,
)
from sims.gilten.rules import TIES, Rules
from sims.jit import inlined, kernel
from sims.streams import Purpose, Stream, stream_word
from sims.tallies import COPIES, count, join, set_aside

HAND_SIZE = 5

_TIE_STANDS, _TIE_FOREHAND, _TIE_TRUMP = range(len(TIES))
_ONE_GLEICH, _ONE_HANGER = ONE_GLEICH.code, ONE_HANGER.code
_OUR_GLEICH, _THEIR_GLEICH = OUR_GLEICH.code, THEIR_GLEICH.code
_OUR_HANGER, _THEIR_HANGER = OUR_HANGER.code, THEIR_HANGER.code
_GLEICH_OUTCOME, _GLEICH_OUTCOME_SEEN_BY_THEM = (r.code for r in GLEICH_OUTCOME_SEEN)
_HANGER_OUTCOME, _HANGER_OUTCOME_SEEN_BY_THEM = (r.code for r in HANGER_OUTCOME_SEEN)
_BEFORE_SEAT_GLEICH, _LAST_SEAT_GLEICH = SEAT_GLEICH[1].code - 1, SEAT_GLEICH[3].code
_BEFORE_SEAT_HANGER, _LAST_SEAT_HANGER = SEAT_HANGER[1].code - 1, SEAT_HANGER[3].code


@cache
def deal_plan(players: int) -> Plan:
    """GN-1.3, GN-1.4: five cards each, then the turn-up."""
    return dealing.plan(GILTEN.size, (*[HAND_SIZE] * players, 1))


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
        TIES.index(rules.tie),
        figure.layout(HAND, holds),
        copies,
    )
    counts: NDArray[np.int64] = copies.sum(axis=0)
    return counts


def deal_hands(rules: Rules, seed: int, stream: int, start: int, deals: int) -> NDArray[np.uint32]:
    """The hands of some deals and their turn-ups: uint32 masks, (players + 1, deals)."""
    plan = deal_plan(rules.players)
    words = np.empty((plan.words, deals), dtype=U64)
    numbers = np.empty((len(plan.bound), deals), dtype=U32)
    hands = np.empty((len(plan.bound) + 1, deals), dtype=U32)
    dealing.deal(U64(seed), U64(stream), U64(0), U64(start), deals, plan, words, numbers, hands)
    return hands[:-1]


def deal_record(rules: Rules, seed: int, index: int) -> dict[str, Any]:
    """One deal in words.

    Returns
    -------
    dict
        `hands`: a list by seat of `seat`, `cards`, `gleich` and `hanger`; `turnup`; `gleich` and
        `hanger`: who scores the figure, seen from forehand's team.
    """
    stream = stream_word(Purpose.MEASURE, Stream.DEALING)
    hands = deal_hands(rules, seed, stream, index, 1)
    return {
        "hands": [
            {
                "seat": name,
                "cards": GILTEN.cards(int(hand)),
                "gleich": GLEICH.text(int(_class_of(_gleich_of_hand, hand))),
                "hanger": HANGER.text(int(_class_of(_hanger_of_hand, hand))),
            }
            for name, hand in zip(SEATS[rules.players], hands[:, 0], strict=False)
        ],
        "turnup": GILTEN.cards(int(hands[-1, 0]))[0],
        **{
            name: _outcome(FIGURES[f"team-{name}"], rules, seed, stream, index)
            for name in ("gleich", "hanger")
        },
    }


def _class_of(classify: Any, hand: Any) -> int:
    classes = np.empty(1, dtype=U32)
    classify(np.array([hand], dtype=U32), 1, classes)
    return int(classes[0])


def _outcome(figure: Figure, rules: Rules, seed: int, stream: int, index: int) -> str:
    counts = tally_block(figure, rules, seed, stream, index, index + 1)
    return OUTCOME.text(int(figure.split(counts)["outcome"].argmax()))


@kernel
def _tally(
    seed: Any,
    stream: Any,
    start: Any,
    stop: Any,
    plan: Any,
    players: Any,
    tie: Any,
    layout: Any,
    copies: Any,
) -> None:
    words = np.empty((plan.words, LANES), dtype=np.uint64)
    numbers = np.empty((len(plan.bound), LANES), dtype=np.uint32)
    hands = np.empty((len(plan.bound) + 1, LANES), dtype=np.uint32)
    scratch = np.empty((players, LANES), dtype=np.uint32)
    cells = np.empty(LANES, dtype=np.uint32)
    reading = np.empty(LANES, dtype=np.uint32)
    basis = np.empty(LANES, dtype=np.uint32)
    for first in range(start, stop, LANES):
        lanes = min(LANES, stop - first)
        dealing.deal(seed, stream, U64(0), U64(first), lanes, plan, words, numbers, hands)
        if len(layout.basis) > 0:
            basis[:lanes] = 0
            for position in range(len(layout.basis)):
                _read(layout.basis[position], hands, players, tie, lanes, scratch, reading)
                join(basis, reading, layout.basis_classes[position], lanes)
        for part in range(len(layout.offset)):
            _read(layout.code[part, 0], hands, players, tie, lanes, scratch, cells)
            for position in range(1, layout.readings[part]):
                _read(layout.code[part, position], hands, players, tie, lanes, scratch, reading)
                join(cells, reading, layout.classes[part, position], lanes)
            if len(layout.basis) > 0:
                set_aside(cells, basis, layout.holds, layout.aside - layout.offset[part], lanes)
            count(cells, lanes, layout.offset[part], copies)


@kernel
def _read(
    code: Any, hands: Any, players: Any, tie: Any, lanes: Any, scratch: Any, classes: Any
) -> None:
    """One reading of a batch.

    Parameters
    ----------
    code : int
        Which reading.
    hands : uint32 array, (players + 1 or more, lanes)
        The hands by seat, then the turn-up.
    players, tie, lanes : int
    scratch : uint32 array, (players, lanes)
    classes : uint32 array, (lanes,)
        Filled.
    """
    # With two players a team is one hand, and its partner's hand is that hand once more: the
    # better of a hand and itself changes nothing.
    if code == _ONE_GLEICH or _BEFORE_SEAT_GLEICH < code <= _LAST_SEAT_GLEICH:
        seat = 0 if code == _ONE_GLEICH else code - _BEFORE_SEAT_GLEICH
        _gleich_of_hand(hands[seat], lanes, classes)
    elif code == _ONE_HANGER or _BEFORE_SEAT_HANGER < code <= _LAST_SEAT_HANGER:
        seat = 0 if code == _ONE_HANGER else code - _BEFORE_SEAT_HANGER
        _hanger_of_hand(hands[seat], lanes, classes)
    elif code in (_OUR_GLEICH, _THEIR_GLEICH):
        team = code - _OUR_GLEICH
        _gleich_of_team(hands[team], hands[(team + 2) % players], lanes, classes)
    elif code in (_OUR_HANGER, _THEIR_HANGER):
        team = code - _OUR_HANGER
        _hanger_of_team(hands[team], hands[(team + 2) % players], lanes, classes)
    elif code in (_GLEICH_OUTCOME, _GLEICH_OUTCOME_SEEN_BY_THEM):
        viewer = 1 if code == _GLEICH_OUTCOME_SEEN_BY_THEM else 0
        if tie == _TIE_STANDS:
            _gleich_of_team(hands[0], hands[2 % players], lanes, scratch[0])
            _gleich_of_team(hands[1], hands[3 % players], lanes, scratch[1])
            _compare(scratch, viewer, lanes, classes)
        else:
            _claim_gleich(hands, players, tie == _TIE_TRUMP, lanes, scratch)
            _first_of_the_best(scratch, players, viewer, lanes, classes)
    else:
        viewer = 1 if code == _HANGER_OUTCOME_SEEN_BY_THEM else 0
        if tie == _TIE_STANDS:
            _hanger_of_team(hands[0], hands[2 % players], lanes, scratch[0])
            _hanger_of_team(hands[1], hands[3 % players], lanes, scratch[1])
            _compare(scratch, viewer, lanes, classes)
        else:
            _claim_hanger(hands, players, tie == _TIE_TRUMP, lanes, scratch)
            _first_of_the_best(scratch, players, viewer, lanes, classes)


@kernel
def _gleich_of_hand(hands: Any, lanes: Any, classes: Any) -> None:
    for lane in range(lanes):
        classes[lane] = best_gleich(hands[lane])


@kernel
def _hanger_of_hand(hands: Any, lanes: Any, classes: Any) -> None:
    for lane in range(lanes):
        classes[lane] = best_hanger(hands[lane])


@kernel
def _gleich_of_team(own: Any, partner: Any, lanes: Any, classes: Any) -> None:
    for lane in range(lanes):
        classes[lane] = best_gleich_of_two(own[lane], partner[lane])


@kernel
def _hanger_of_team(own: Any, partner: Any, lanes: Any, classes: Any) -> None:
    for lane in range(lanes):
        classes[lane] = best_hanger_of_two(own[lane], partner[lane])


@kernel
def _compare(teams: Any, viewer: Any, lanes: Any, outcome: Any) -> None:
    """GN-3.5: the better team scores; equals stand, if there is anything to stand.

    `teams` holds each team's best class, uint32 (2 or more, lanes); the outcome is seen from that
    of `viewer`, 0 or 1.
    """
    ours, theirs = teams[viewer], teams[1 - viewer]
    for lane in range(lanes):
        equal = ours[lane] == theirs[lane]
        tied = U32(NONE) if ours[lane] == U32(0) else U32(STANDS)
        outcome[lane] = tied if equal else U32(theirs[lane] > ours[lane])


# The `tie` options of GN-3.5. A hand's claim is a number that grows with its class and, among
# equals, with being held in trumps; the first seat with the highest claim scores. Where only one
# team holds the best class, all the highest claims are that team's, and no tie is broken.


@inlined
def _claim(best: Any, in_trumps: Any) -> Any:
    return U32(U32(best << U32(1)) | U32(in_trumps))


@kernel
def _claim_gleich(hands: Any, players: Any, trumps_first: Any, lanes: Any, claims: Any) -> None:
    turnups = hands[players]
    for seat in range(players):
        hand, claim = hands[seat], claims[seat]
        for lane in range(lanes):
            best = best_gleich(hand[lane])
            trump = U32(hand[lane] & trump_of_rank(best, turnups[lane]))
            claim[lane] = _claim(best, trumps_first & (trump != U32(0)))


@kernel
def _claim_hanger(hands: Any, players: Any, trumps_first: Any, lanes: Any, claims: Any) -> None:
    turnups = hands[players]
    for seat in range(players):
        hand, claim = hands[seat], claims[seat]
        for lane in range(lanes):
            best = best_hanger(hand[lane])
            trumps = U32(hand[lane] & trump_suit(turnups[lane]))
            claim[lane] = _claim(best, trumps_first & (best_hanger(trumps) == best))


@kernel
def _first_of_the_best(claims: Any, players: Any, viewer: Any, lanes: Any, outcome: Any) -> None:
    """The team of the first seat with the highest claim scores; none does with no figure.

    The outcome is seen from the team of `viewer`, 0 or 1.
    """
    for lane in range(lanes):
        best, winner = claims[0, lane], U32(viewer)
        for seat in range(1, players):
            better = claims[seat, lane] > best
            best = claims[seat, lane] if better else best
            winner = U32((seat + viewer) & 1) if better else winner
        outcome[lane] = U32(NONE) if best < U32(2) else winner
