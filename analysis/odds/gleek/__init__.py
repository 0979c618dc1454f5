"""Exact odds for a hand of Gleek: the ruff among three, the others' sets, what the stock brings.

Three questions are answered. As things stand, with all hands as dealt or after the player's own
purchase: what becomes of his ruff, how good the best ruff of the others is, what sets they hold.
With a lay-out: what he holds once he has taken the stock. With an aim: which lay-out is best.
"""

from __future__ import annotations

from analysis.errors import InputError
from analysis.odds.answers import Answer
from analysis.odds.gleek.classes import by_class, chance_table
from analysis.odds.gleek.seen import read
from analysis.odds.gleek.stand import as_things_stand
from analysis.odds.gleek.stock import AIMS, after_the_stock, best_layout
from analysis.odds.questions import Question
from analysis.settings import one_of
from sims.gleek.figures import SEATS

__all__ = ["answer", "chance_table"]


def answer(question: Question) -> Answer:
    """What a player asks who holds these cards (GK-2, GK-3, GK-4).

    Returns
    -------
    Answer
        As things stand: `ruff`, what becomes of it; `own_ruff`, if it is not certain; `their_ruff`,
        the best of the others; `their_aces`, `their_kings`, `their_queens`, `their_jacks`: which of
        the others holds a set. With a lay-out or an aim, once the stock is taken: `ruff`;
        `ruff_after`, what it can be; `aces_after` to `jacks_after`, the own sets; `sets_after`,
        their number; `income_after`, chips from each of the others. With `by_class`: `ruff`.

    Raises
    ------
    InputError
        A card that is impossible, in two places or one too many; an option that says nothing here
        or contradicts another.
    """
    question.only("turnup", "stock", "laid_out", "aim")
    if question.stock == "theirs":
        raise InputError("stock 'theirs': what another lays out is his choice; say none or mine")
    one_of(question.stock, ("none", "mine"), "stock")
    if question.aim:
        one_of(question.aim, AIMS, "aim")
    found = by_class(question) if question.by_class else _of_cards(question)
    if question.seat:
        return found
    return found._replace(notes=(f"No seat was named: you are {SEATS[0]}.", *found.notes))


def _of_cards(question: Question) -> Answer:
    """Over all deals that fit what the player has seen."""
    seen = read(question)
    if question.aim:
        return best_layout(seen, question.aim)
    if question.laid_out and question.stock == "none":
        return after_the_stock(seen)
    return as_things_stand(seen)
