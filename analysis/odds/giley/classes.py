"""What becomes of a hand on average over all with its points: a row of `odds-two`, `odds-four`."""

from __future__ import annotations

from functools import cache
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from analysis.errors import InputError
from analysis.exact.counting import Counts
from analysis.exact.giley import basis_counts, counts
from analysis.exact.giley_odds import hands_by_points, sharing_ways
from analysis.exact.giley_points import TWO, class_of_kind, kinds
from analysis.odds.answers import Answer, Piece
from analysis.odds.giley.seen import Seen, read
from analysis.odds.giley.words import outcome_sentence, piece, share_axis
from analysis.odds.questions import Question
from sims.giley.figures import FOUR, outcome_axis
from sims.giley.rules import SEATS, Rules

_FIGURES = {2: "odds-two", 4: "odds-four"}


def chance_table(rules: Rules, cards: Literal[2, 4]) -> NDArray[np.float64]:
    """What becomes of a hand at the show if nobody drops or draws, as plain numbers for policies.

    Parameters
    ----------
    rules : Rules
        `players` and `tie` matter.
    cards : 2 or 4
        Whether the points are those of the first two cards or of all four.

    Returns
    -------
    float64 array, shape (players, 7 or 15 classes, 4 or 3 outcomes)
        Probabilities by seat (mano first, the dealer last), by the class of the points and by
        outcome, in the order of `sims.giley.figures`: the best alone; tied and won; tied and lost;
        beaten. Or under `tie=split`: alone; tied; beaten. They sum to 1.
    """
    tables = _class_table(rules, cards).ways
    by_seat = [tables[seat].tolist() for seat in SEATS[rules.players]]
    return np.array([[[way / sum(row) for way in row] for row in rows] for rows in by_seat])


def by_class(question: Question) -> Answer:
    """Over all hands in this seat with the same points of two cards, or of four.

    Raises
    ------
    InputError
        Not all cards that make up the points are there, or something else is asked.
    """
    for name in ("known", "aim", "against"):
        if getattr(question, name):
            raise InputError(f"--{name} contradicts --by class, which averages over all cards")
    seen = read(question)
    if seen.held < seen.cards:
        raise InputError(f"--by class needs all {seen.cards} cards of a hand")
    held = int(class_of_kind(kinds(np.array([seen.hand], np.uint32))).max())
    ways = _class_table(seen.rules, seen.cards).ways[SEATS[seen.rules.players][seen.seat]][held]
    best = piece("best", outcome_axis(seen.rules.tie == "split"), ways, int(ways.sum()))
    share = _share(seen, held) if seen.rules.tie == "split" else None
    pieces = [best] if share is None else [best, share]
    if seen.cards == TWO.hand:
        four = basis_counts(seen.rules)[held]
        pieces.append(piece("points", FOUR, four, int(four.sum())))
    cards = {2: "two", 4: "four"}[seen.cards]
    note = (
        f"Averaged over all hands with these points of {cards} cards in this seat, as dealt; all"
        " show four cards, nobody has dropped or drawn, and no card counts as known."
    )
    whose = f"A hand with {FOUR.text(held)} points in {cards} cards"
    return Answer(outcome_sentence(whose, best, share), tuple(pieces), (note,))


def _share(seen: Seen, held: int) -> Piece:
    """What hands of a class take of pots that are shared."""
    players = seen.rules.players
    hands, times = hands_by_points(seen.cards)
    ways = times[held] @ sharing_ways(hands, 0, players)
    return piece("share", share_axis(players), ways, int(ways.sum()))


@cache
def _class_table(rules: Rules, cards: int) -> Counts:
    return counts(_FIGURES[cards], rules)
