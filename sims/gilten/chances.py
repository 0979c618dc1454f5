"""The chances that policies look up, learned from deals that are played without a bet.

Deals are played out in a style, and wherever a player would be asked for a bet it is noted in which
cells he is (`sims.gilten.views`), and afterwards whether his team has scored. What is found are
integer counts, which add. For Gleich and Hanger before the first trick there are exact chances,
too; these tables also know the later windows, the Spiel, and every option of the rules.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from sims.bits import U32
from sims.gilten.betting import open_betting
from sims.gilten.ladder import FIGURES, SHOW, SPIEL, SPIEL_WINNER, TRICKS
from sims.gilten.play import come_to_show, deal_cards, judge, rob, settle_spiel, take_up
from sims.gilten.policies import ALL_CELLS, CHANCE_SHAPES, Chances, Policy, book
from sims.gilten.policies import CELLS as CELL_STARTS
from sims.gilten.rules import Rules
from sims.gilten.table import (
    CELLS,
    LANES,
    OUTCOME,
    OVER,
    PLAYING,
    Counter,
    counter,
    new_records,
    new_table,
    setting,
)
from sims.gilten.trick import play_trick
from sims.gilten.views import know, look, see
from sims.jit import kernel

#: In a cell seen this often the average over its state counts for as much as the cell itself.
_TRUST = 20

_NONE = U32(0)


def counts(
    rules: Rules, policy: Policy, seed: int, purpose: int, start: int, stop: int
) -> NDArray[np.int64]:
    """Deals `start` to `stop` played in a policy's style by all: int64 (2, ALL_CELLS).

    How often a team was in each cell, and how often it then scored the figure.
    """
    found = np.zeros((2, ALL_CELLS), dtype=np.int64)
    unused = Chances(*(np.zeros(shape) for shape in CHANCE_SHAPES))
    views = 4 if rules.signalling == "none" else 2
    seen = np.zeros((SHOW + 1, FIGURES * views, LANES), dtype=np.int64)
    _count(
        counter(seed, purpose, start),
        stop,
        setting(rules),
        book((policy, policy), (unused, unused)),
        0,
        False,
        np.zeros((2, LANES), dtype=np.int64),
        new_table(rules),
        new_records(),
        seen,
        found,
    )
    return found


def chances_from(found: NDArray[np.int64]) -> Chances:
    """Counts as chances; a cell seldom seen is drawn towards the average of its state."""
    tables = []
    for begin, (states, classes) in zip(CELL_STARTS, CHANCE_SHAPES, strict=True):
        cells = slice(begin, begin + states * classes)
        seen, scored = found[:, cells].reshape(2, states, classes).astype(np.float64)
        in_state = seen.sum(axis=1, keepdims=True)
        average = scored.sum(axis=1, keepdims=True) / np.maximum(in_state, 1)
        tables.append((scored + _TRUST * average) / (seen + _TRUST))
    return Chances(*tables)


@kernel
def _count(
    first: Any,
    stop: Any,
    setting: Any,
    book: Any,
    flip: Any,
    together: Any,
    scores: Any,
    table: Any,
    records: Any,
    seen: Any,
    found: Any,
) -> None:
    """`seen` is scratch: by window, view and figure, and lane, the cell, or -1 for none.

    `flip`, 0, and `together`, False, are as in `play.play`: given, so that the stages are compiled
    for any value and not once more for these.
    """
    terms, masks, state = setting.terms, table.masks, table.state
    ties_score = 0 if setting.tie == 0 else 1
    for start in range(first.start, stop, LANES):
        lanes = min(LANES, stop - start)
        here = Counter(first.seed, first.purpose, first.deal, start)
        for lane in range(lanes):
            masks[OVER, lane] = _NONE
        deal_cards(here, lanes, setting, table)
        if setting.turnup_rob == 1:
            rob(here, lanes, terms.players, book.traits, flip, masks, records)
        take_up(lanes, terms.players, masks)
        open_betting(lanes, book.traits, flip, scores, masks, state)
        for window in range(SHOW + 1):
            if window == SHOW:
                come_to_show(lanes, masks)
            see(masks, terms.players, lanes)
            if window == 0 or terms.partners_speak == 1:
                know(masks, terms.players, terms.partners_speak, lanes)
            look(masks, terms.players, terms.partners_speak, ties_score, lanes)
            for row in range(seen.shape[1]):
                settled = window == SHOW and row % FIGURES == SPIEL
                for lane in range(lanes):
                    asked = masks[PLAYING, lane] != _NONE and not settled
                    seen[window, row, lane] = np.int64(masks[CELLS + row, lane]) if asked else -1
            if window < TRICKS:
                play_trick(window, here, lanes, book.traits, flip, table, records.trace)
                settle_spiel(lanes, terms, together, masks, state)
        judge(lanes, terms.players, setting.tie, masks)
        for window in range(SHOW + 1):
            for row in range(seen.shape[1]):
                figure, team = row % FIGURES, row // FIGURES & 1
                for lane in range(lanes):
                    cell = seen[window, row, lane]
                    if cell >= 0:
                        winner = state[SPIEL_WINNER, lane]
                        if figure != SPIEL:
                            winner = np.int64(masks[OUTCOME + figure, lane])
                        found[0, cell] += 1
                        found[1, cell] += winner == team
