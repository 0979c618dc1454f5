"""A whole deal of Gilten, from the first card to the last point, a batch of deals at a time.

`play` goes through a deal as the rules do: deal and robbing, then window and trick in turn until
the Spiel is settled, the show, the score. Each stage is a loop over the lanes of the batch, without
a branch wherever that can be. Teams that decide as one and by the book bet in all lanes together
(`sims.gilten.together`); all others, and whoever is traced, lane by lane and step by step
(`sims.gilten.betting`).

Each decision has a counter of its own (`sims.streams`): the stream is the kind of decision, the
block says where in the deal it falls, and the seat picks one of the block's four 32-bit numbers.
What a decision draws does not depend on those before it, so that two policies on the same deal stay
comparable after they part.

================  ==================================================================
stream            block
================  ==================================================================
``GILTEN_ROB``    0
``GILTEN_TURN``   4 * window + exchanges so far in it: nobody is asked twice in one
``GILTEN_ANSWER`` 42 * figure + 7 * window + rung - 2
``GILTEN_CARD``   trick
================  ==================================================================

Where a team decides as one (`signalling=full`), its lower seat stands for it, and turns after one
exchange, or three, use the other two numbers of the block before.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from sims import dealing
from sims.bits import U32, U64
from sims.gilten.betting import (
    decides_together,
    drawn,
    loses_no_figure,
    open_betting,
    window_of,
)
from sims.gilten.deals import _read
from sims.gilten.figures import GLEICH_OUTCOME, HANGER_OUTCOME, trump_suit
from sims.gilten.ladder import (
    FIGURES,
    GLEICH,
    HANGER,
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
    total,
)
from sims.gilten.policies import RANDOM, Book
from sims.gilten.rules import Rules
from sims.gilten.table import (
    DEALT,
    HANDS,
    LEADER,
    MARKS,
    OUTCOME,
    OVER,
    PLAYING,
    ROBBED,
    SCRATCH,
    TRUMPS,
    WON,
    Records,
    Table,
    counter,
    new_records,
    new_table,
    setting,
    trace,
    win,
)
from sims.gilten.together import actions_of, lift_packed, open_packed, unpack
from sims.gilten.trick import play_trick
from sims.jit import inlined, kernel
from sims.streams import Stream

_NONE, _ONE, _THREE, _ALL = U32(0), U32(1), U32(3), U32(0xFFFF_FFFF)
_SEVENS = U32(0x01010101)
_DEALING, _ROB = U64(Stream.DEALING), U64(Stream.GILTEN_ROB)
_GLEICH_OUTCOME, _HANGER_OUTCOME = GLEICH_OUTCOME.code, HANGER_OUTCOME.code


@kernel
def play(
    counter: Any,
    lanes: Any,
    setting: Any,
    book: Any,
    flip: Any,
    scores: Any,
    table: Any,
    records: Any,
) -> None:
    """Play one deal in each of `lanes` units, but where the game is over.

    Parameters
    ----------
    counter : Counter
    lanes : int
        At most as many as the table has.
    setting : Setting
    book : Book
    flip : int
        0: team 0 is side 0 of the book; 1: team 0 is side 1.
    scores : int64 array, (2, lanes)
        Of the sides, before the deal.
    table : Table
        The row OVER says in which lanes nothing is played; afterwards the rows POINTS are what the
        teams have scored, OVER and WINNER whether the game is won, and by whom.
    records : Records
    """
    masks, state = table.masks, table.state
    deal_cards(counter, lanes, setting, table)
    if setting.turnup_rob == 1:
        rob(counter, lanes, setting.terms.players, book.traits, flip, masks, records)
    take_up(lanes, setting.terms.players, masks)
    open_betting(lanes, book.traits, flip, scores, masks, state)
    together = decides_together(setting.terms, book.traits, records.trace)
    if together:
        open_packed(lanes, setting.terms, masks, state)
    for window in range(SHOW + 1):
        if window == SHOW:
            come_to_show(lanes, masks)
        window_of(window, counter, lanes, setting.terms, setting.tie, book, flip, table, records)
        if window < TRICKS:
            play_trick(window, counter, lanes, book.traits, flip, table, records.trace)
            if window >= 2:
                settle_spiel(lanes, setting.terms, together, masks, state)
    if together:
        unpack(lanes, masks, state)
    judge(lanes, setting.terms.players, setting.tie, masks)
    _score(lanes, setting.terms, masks, state)


@kernel
def deal_cards(counter: Any, lanes: Any, setting: Any, table: Any) -> None:
    """GN-1.3: hands and turn-up."""
    masks = table.masks
    packets = masks[DEALT : DEALT + setting.terms.players + 2]
    dealing.deal(
        counter.seed,
        counter.purpose | _DEALING,
        counter.deal,
        U64(counter.start),
        lanes,
        setting.plan,
        table.words,
        table.numbers,
        packets,
    )
    turnup, trumps = packets[setting.terms.players], masks[TRUMPS]
    for lane in range(lanes):
        trumps[lane] = trump_suit(turnup[lane])


@kernel
def rob(
    counter: Any, lanes: Any, players: Any, traits: Any, flip: Any, masks: Any, records: Any
) -> None:
    """GN-1.3, `turnup_rob`: the holder of the trump 7 may take the turn-up for it."""
    turnup = masks[DEALT + players]
    for lane in range(lanes):
        seven = U32(masks[TRUMPS, lane] & _SEVENS)
        if masks[OVER, lane] == _ONE or turnup[lane] == seven:
            continue
        for seat in range(players):
            hand = masks[DEALT + seat, lane]
            if U32(hand & seven) == _NONE:
                continue
            robbed = U32(U32(hand ^ seven) | turnup[lane])
            if traits[(seat & 1) ^ flip, RANDOM] == 1:
                robs = drawn(counter, _ROB, 0, lane, seat) >> U64(31) == U64(0)
            else:
                robs = loses_no_figure(hand, robbed)
            trace(records.trace, lane, ROBBED, 0, seat, 1 if robs else 0, 0)
            if robs:
                masks[DEALT + seat, lane] = robbed
                turnup[lane] = seven


@kernel
def take_up(lanes: Any, players: Any, masks: Any) -> None:
    """The players take up their cards; forehand is to lead (GN-2.1)."""
    for seat in range(4):
        for lane in range(lanes):
            masks[HANDS + seat, lane] = masks[DEALT + seat, lane] if seat < players else _NONE
    for lane in range(lanes):
        masks[LEADER, lane] = _NONE
        masks[WON, lane] = _NONE
        masks[WON + 1, lane] = _NONE
        masks[PLAYING, lane] = _NONE if masks[OVER, lane] == _ONE else _ALL


@kernel
def come_to_show(lanes: Any, masks: Any) -> None:
    """Wherever the game is not won, the players have something to say once more (GN-5.1)."""
    for lane in range(lanes):
        masks[PLAYING, lane] = _NONE if masks[OVER, lane] == _ONE else _ALL


@kernel
def settle_spiel(lanes: Any, terms: Any, together: Any, masks: Any, state: Any) -> None:
    """GN-2.4: a third trick settles the Spiel; held at *Spiel aus* it ends the game (GN-5.2)."""
    ended = 0
    for lane in range(lanes):
        odd = masks[WON + 1, lane] == _THREE
        made = ((masks[WON, lane] == _THREE) | odd) & (masks[PLAYING, lane] != _NONE)
        winner, value = state[SPIEL_WINNER, lane], state[VALUE + SPIEL, lane]
        state[SPIEL_WINNER, lane] = np.int64(odd) if made else winner
        ended += made & (value == SPIEL_AUS)
    if ended > 0:
        for lane in range(lanes):
            team = state[SPIEL_WINNER, lane]
            made = team != NOBODY and masks[PLAYING, lane] != _NONE
            if made and state[VALUE + SPIEL, lane] == SPIEL_AUS:
                if together:
                    lift_packed(lane, team, terms.target, masks)
                    win(lane, team, masks, state)
                else:
                    _lift(lane, team, SPIEL, terms, masks, state)
    for lane in range(lanes):
        goes_on = state[SPIEL_WINNER, lane] == NOBODY
        masks[PLAYING, lane] = masks[PLAYING, lane] if goes_on else _NONE


@inlined
def _lift(lane: Any, team: Any, figure: Any, terms: Any, masks: Any, state: Any) -> None:
    """GN-4.3: whoever wins a figure held at *Spiel aus* is lifted to the target, and has won."""
    short = terms.target - total(state, lane, team)
    state[POINTS + FIGURES * team + figure, lane] += max(short, 0)
    win(lane, team, masks, state)


@kernel
def judge(lanes: Any, players: Any, tie: Any, masks: Any) -> None:
    """GN-3.5: whose Gleich and Hanger are better."""
    dealt, scratch = masks[DEALT:], masks[SCRATCH:]
    _read(_GLEICH_OUTCOME, dealt, players, tie, lanes, scratch, masks[OUTCOME + GLEICH])
    _read(_HANGER_OUTCOME, dealt, players, tie, lanes, scratch, masks[OUTCOME + HANGER])


@kernel
def _score(lanes: Any, terms: Any, masks: Any, state: Any) -> None:
    """GN-5.2: what is open is scored, Gleich, Hanger and Spiel in this order, until one has won.

    As long as nobody comes near the target the order is all the same.
    """
    for lane in range(lanes):
        masks[MARKS, lane] = masks[OVER, lane]
    for figure in range(FIGURES):
        for lane in range(lanes):
            aus = state[VALUE + figure, lane] == SPIEL_AUS
            masks[MARKS, lane] = U32(masks[MARKS, lane] | U32(aus))
    for lane in range(lanes):
        most = max(state[SCORE, lane], state[SCORE + 1, lane])
        for figure in range(FIGURES):
            most += state[POINTS + figure, lane] + state[POINTS + FIGURES + figure, lane]
            most += state[VALUE + figure, lane]
        masks[MARKS, lane] = U32(masks[MARKS, lane] | U32(most >= terms.target))
    for figure in range(FIGURES):
        for lane in range(lanes):
            winner = state[SPIEL_WINNER, lane]
            if figure != SPIEL:
                winner = np.int64(masks[OUTCOME + figure, lane])
            is_open = (state[OPEN, lane] >> figure) & 1 == 1
            scored = state[VALUE + figure, lane]
            scored = scored if is_open & (masks[MARKS, lane] == _NONE) else 0
            state[POINTS + figure, lane] += scored if winner == 0 else 0
            state[POINTS + FIGURES + figure, lane] += scored if winner == 1 else 0
    for lane in range(lanes):
        if masks[MARKS, lane] != _NONE and masks[OVER, lane] == _NONE:
            _score_in_order(lane, terms, masks, state)


@inlined
def _score_in_order(lane: Any, terms: Any, masks: Any, state: Any) -> None:
    for figure in range(FIGURES):
        winner = state[SPIEL_WINNER, lane]
        if figure != SPIEL:
            winner = np.int64(masks[OUTCOME + figure, lane])
        scored = winner < NOBODY and state[OPEN, lane] >> figure & 1 == 1
        if scored and masks[OVER, lane] == _NONE:
            _score_figure(lane, winner, figure, terms, masks, state)
    if terms.at_once == 0 and masks[OVER, lane] == _NONE:
        _compare_totals(lane, terms, masks, state)


@inlined
def _score_figure(lane: Any, team: Any, figure: Any, terms: Any, masks: Any, state: Any) -> None:
    value = state[VALUE + figure, lane]
    if value == SPIEL_AUS:
        _lift(lane, team, figure, terms, masks, state)
        return
    state[POINTS + FIGURES * team + figure, lane] += value
    if terms.at_once == 1 and total(state, lane, team) >= terms.target:
        win(lane, team, masks, state)


@inlined
def _compare_totals(lane: Any, terms: Any, masks: Any, state: Any) -> None:
    """`settle=higher_total`: of those at the target the higher wins; equals play on."""
    first, second = total(state, lane, 0), total(state, lane, 1)
    if max(first, second) >= terms.target and first != second:
        win(lane, 0 if first > second else 1, masks, state)


def deal_batch(
    rules: Rules,
    book: Book,
    seed: int,
    purpose: int,
    start: int,
    deals: int,
    *,
    flip: int = 0,
    scores: tuple[int, int] = (0, 0),
    traced: bool = False,
) -> tuple[Table, Records]:
    """Some deals played, each the first of its unit, with all that they leave on the table.

    Parameters
    ----------
    rules : Rules
    book : Book
    seed, purpose : int
        Key and purpose of the random numbers.
    start, deals : int
        Index of the first unit, and how many.
    flip : int
        0: side 0 is forehand's team; 1: side 1 is.
    scores : pair of int
        The sides' scores before the deal, below the target.
    traced : bool
        Whether every decision is written down.
    """
    table, records = new_table(rules, deals), new_records(deals if traced else 0)
    before = np.repeat(np.array(scores, dtype=np.int64)[:, None], deals, axis=1)
    where = counter(seed, purpose, start)
    play(where, deals, setting(rules), book, flip, before, table, records)
    records.actions[:] += actions_of(records.climbs)
    return table, records
