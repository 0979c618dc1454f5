"""Exact odds for a hand of Giley: the show as things stand, what a draw brings, both draws.

Three questions are answered. As things stand: what becomes of the own hand if everybody shows four
cards as dealt. The draw: what each discard brings, and which is best for an aim. Against others who
draw by a named rule: what becomes of the hand after all draws, counted exactly for two players,
simulated for more.
"""

from __future__ import annotations

from analysis.odds.answers import Answer
from analysis.odds.giley.against import after_all_draws
from analysis.odds.giley.classes import by_class, chance_table
from analysis.odds.giley.draw import best_discards, every_discard
from analysis.odds.giley.seen import read
from analysis.odds.giley.stand import as_things_stand
from analysis.odds.questions import Question
from sims.giley.rules import SEATS

__all__ = ["answer", "chance_table"]


def answer(question: Question) -> Answer:
    """What a player asks who holds these cards (GY-2, GY-4).

    Returns
    -------
    Answer
        As things stand: `best`, what becomes of the hand; `share`, under `tie=split` what part of
        the pot it takes; `two` and `points`, the points of two cards and of four, where not all of
        them are known; `others`, the best points of the others. Of four cards, or with an aim:
        `points_after`, the points after the best discard; of four cards that are all known
        `discards`, what each discard is worth to the aim, and `draw`, the points after each.
        Against others who draw, after all draws: `best_after`, `share_after`, `points_after` and
        `others_after`. With `by_class`: `best`, and of two cards `points`.

    Raises
    ------
    InputError
        A card that is impossible, in two places or one too many; an option that says nothing here
        or contradicts another.
    """
    question.only("cards", "aim", "against")
    found = by_class(question) if question.by_class else _of_cards(question)
    if question.seat or question.rules.tie == "split":
        return found
    seat = SEATS[question.rules.players][0]
    return found._replace(notes=(f"No seat was named: you are {seat}.", *found.notes))


def _of_cards(question: Question) -> Answer:
    """Over all deals that fit what the player has seen."""
    seen = read(question)
    answers = [as_things_stand(seen)]
    if question.against:
        answers.append(after_all_draws(seen, question))
    elif seen.is_whole:
        answers.append(every_discard(seen, question.aim))
    elif question.aim or seen.cards == 4:
        answers.append(best_discards(seen, question.aim))
    return Answer(
        " ".join(each.lead for each in answers),
        tuple(piece for each in answers for piece in each.pieces),
        tuple(note for each in answers for note in each.notes),
    )
