"""From a question in Python's words to its answer."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Any

from analysis.odds.answers import Answer, Odds
from analysis.odds.questions import Question
from analysis.settings import check_as_dealt, game_named, rules_given


def odds(
    game: str, hand: str, *, rules: Any | Mapping[str, Any] | None = None, **known: Any
) -> Odds:
    """Exact odds for a player who holds these cards.

    Parameters
    ----------
    game : str
    hand : str
        Cards as in `UE UL UH 7S 8S`; fewer than a hand are "at least these".
    rules : Rules or mapping, optional
        The game's options.
    **known
        What else the player knows and asks, as the attributes of `Question`.

    Returns
    -------
    Odds

    Raises
    ------
    InputError
        No such game, rule, seat or card, a card in two places, too many cards, or something that
        says nothing in this game.
    TypeError
        No such attribute.

    Examples
    --------
    >>> odds("gilten", "UE UL UH 7S 8S").piece("gleich").chance("ours") > 0.8
    True
    """
    return answered(Question(game, hand, rules_given(game_named(game), rules), **known))


def answered(question: Question) -> Odds:
    """The answer to a question; errors as `odds`."""
    check_as_dealt(game_named(question.game), question.rules)
    answer: Answer = import_module(f"analysis.odds.{question.game}").answer(question)
    return Odds(question, answer)
