"""Exact odds for a player who holds these cards, and the class tables that go with them.

A question says what a player knows; a game's module answers it by counting the deals that fit.
"""

from analysis.odds.answers import Answer, Odds, Piece
from analysis.odds.asking import odds
from analysis.odds.questions import Question

__all__ = ["Answer", "Odds", "Piece", "Question", "odds"]
