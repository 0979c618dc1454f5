"""What becomes of a ruff (GK-3.4), deal by deal, against the referee."""

from __future__ import annotations

import numpy as np
import pytest
from reference import gleek as referee

from sims import gleek
from sims.cards import GLEEK
from sims.figures import Figure, Part
from sims.gleek.figures import FIGURES, OUTCOME, OUTCOMES, RUFF, SEATS, WINNER
from sims.jit import COMPILED

DEALS = 20_000 if COMPILED else 60
CARDS = [referee.card(GLEEK.text(bit)) for bit in range(44)]
RULES = [gleek.Rules(turnup_in_ruff=counts) for counts in (False, True)]
both = pytest.mark.parametrize("rules", RULES, ids=["", "turn-up counts"])


def outcome(ruffs: list[referee.Ruff], seat: int, winner: int, tied: int) -> str:
    """In words, from the referee's winner."""
    if seat == winner:
        return "alone" if tied == 1 else "tied, won"
    return "tied, lost" if ruffs[seat] == ruffs[winner] else "lost"


@both
def test_gk_3_4_what_becomes_of_every_ruff_is_the_referees(rules: gleek.Rules) -> None:
    figure = FIGURES["odds-ruff"]
    rows = {labels[0]: row for row, labels in enumerate(RUFF.labels)}
    columns = {labels[0]: column for column, labels in enumerate(OUTCOME.labels)}
    expected = {seat: np.zeros((len(RUFF), len(OUTCOME)), np.int64) for seat in SEATS}
    seen = set()
    for masks in gleek.deal_hands(rules, 1, 0, 0, DEALS)[:4].T.tolist():
        *hands, (turnup,) = (
            [card for bit, card in enumerate(CARDS) if mask >> bit & 1] for mask in masks
        )
        counted = (None, None, turnup if rules.turnup_in_ruff else None)
        ruffs = [referee.ruff(hand, up) for hand, up in zip(hands, counted, strict=True)]
        winner, _, tied = referee.best_ruff(hands, turnup, rules.turnup_in_ruff)
        for seat, name in enumerate(SEATS):
            four_aces, total = ruffs[seat]
            found = outcome(ruffs, seat, winner, tied)
            expected[name][rows["four aces" if four_aces else total], columns[found]] += 1
            seen.add((name, found))
    tally = figure.split(gleek.tally_block(figure, rules, 1, 0, 0, DEALS))
    for name in SEATS:
        assert (tally[name] == expected[name]).all()
    if COMPILED:  # all that can be, and nothing else: eldest loses no tie, the dealer wins none
        every = {(name, found) for name in SEATS for found in columns}
        assert seen == every - {("eldest", "tied, lost"), ("dealer", "tied, won")}


@both
def test_gk_3_4_one_seat_wins_every_deal(rules: gleek.Rules) -> None:
    readings = (*OUTCOMES, WINNER)
    figure = Figure("all", "All outcomes and the winner", (Part("all", readings),))
    deals = 100_000 if COMPILED else 200
    counts = figure.split(gleek.tally_block(figure, rules, 3, 0, 0, deals))["all"]
    alone, tied_and_won, tied_and_lost, lost = range(4)
    for *outcomes, winner in np.argwhere(counts).tolist():
        assert outcomes[winner] in (alone, tied_and_won)
        others = [found for seat, found in enumerate(outcomes) if seat != winner]
        assert set(others) <= {tied_and_lost, lost}
        assert (outcomes[winner] == tied_and_won) == (tied_and_lost in others)
        # Who loses a tie sits after the winner.
        assert tied_and_lost not in outcomes[:winner]
    assert counts.sum() == deals
