"""What becomes of a ruff on average over all hands with it: one row of the table `odds-ruff`."""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray

from analysis.errors import InputError
from analysis.exact.counting import Counts
from analysis.exact.gleek import counts
from analysis.odds.answers import Answer
from analysis.odds.gleek.seen import DEALER, HAND, Seen
from analysis.odds.gleek.words import outcome_sentence, piece, ruff_piece
from analysis.odds.questions import Question, read_cards
from sims.cards import GLEEK as PACK
from sims.gleek.figures import OUTCOME, RUFF, SEATS
from sims.gleek.rules import Rules


def chance_table(rules: Rules) -> NDArray[np.float64]:
    """What becomes of a ruff as dealt, as plain numbers for policies.

    Returns
    -------
    float64 array, shape (3 seats, 74 classes, 4)
        Probabilities by seat (eldest, second, dealer), by the class of the own ruff and by outcome,
        in the order of `sims.gleek.figures`: the best alone; tied and won; tied and lost; beaten.
        The four sum to 1; they are NaN for a ruff that the seat cannot have: 15 to 21 of a dealer
        who counts the turn-up (GK-3.1).
    """
    chances = np.full((len(SEATS), len(RUFF), len(OUTCOME)), np.nan)
    for seat, name in enumerate(SEATS):
        for ruff, ways in enumerate(_class_table(rules).ways[name].tolist()):
            if any(ways):
                chances[seat, ruff] = [way / sum(ways) for way in ways]
    return chances


def by_class(question: Question) -> Answer:
    """Over all hands in this seat whose ruff is the same.

    Raises
    ------
    InputError
        Not all cards that make up the ruff are there, or others are.
    """
    seat = question.seat_number(SEATS)
    with_turnup = question.rules.turnup_in_ruff and seat == DEALER
    for name in ("turnup", "known", "laid_out", "aim", "stock"):
        if getattr(question, name) not in ("", "none") and not (name == "turnup" and with_turnup):
            option = name.replace("_", "-")
            raise InputError(f"--{option} contradicts --by class, which averages over all cards")
    hand = read_cards(PACK, question.hand, "hand", HAND)
    turnup = read_cards(PACK, question.turnup, "turn-up", 1, hand)
    if hand.bit_count() < HAND:
        raise InputError(f"--by class needs all {HAND} cards of a hand")
    if with_turnup and not turnup:
        raise InputError("--by class needs --turnup, which is part of this dealer's ruff")
    own = ruff_piece("own_ruff", Seen(question.rules, seat, hand, turnup).as_held(), seat)
    held = int(own.ways.argmax())
    ways = _class_table(question.rules).ways[SEATS[seat]][held]
    ruff = piece("ruff", OUTCOME, ways, int(ways.sum()))
    lead = outcome_sentence(f"A ruff of {RUFF.text(held)}", ruff)
    note = "Averaged over all hands with this ruff in this seat, as dealt; no card counts as known."
    return Answer(lead, (ruff,), (note,))


@cache
def _class_table(rules: Rules) -> Counts:
    return counts("odds-ruff", rules)
