"""Pieces and sentences that several of Gleek's answers share."""

from __future__ import annotations

from analysis.exact.counting import Exact, exact_integers
from analysis.exact.gleek import RUFF_ROWS
from analysis.exact.gleek_ruff import GLEEK, Within, outcomes, own_ruffs
from analysis.exact.positions import Position
from analysis.odds.answers import Piece
from analysis.wording import how_often
from sims.cards import GLEEK as PACK
from sims.figures import Axis
from sims.gleek.figures import OUTCOME, RUFF

#: The ranks of sets as the pieces name them.
RANKS = {"A": "aces", "K": "kings", "Q": "queens", "J": "jacks"}


def piece(name: str, axis: Axis, ways: Exact, total: int) -> Piece:
    """A piece with one axis."""
    return Piece(name, (axis,), exact_integers(ways, total), total)


def outcome_piece(hands: Position, seat: int) -> Piece:
    """What becomes of a hand's ruff."""
    ways = outcomes(Within(hands, GLEEK.points), seat).sum(axis=0)
    return piece("ruff", OUTCOME, ways, hands.total)


def ruff_piece(name: str, hands: Position, seat: int) -> Piece:
    """What a hand's ruff can be."""
    ways = own_ruffs(Within(hands, GLEEK.points), seat)[RUFF_ROWS]
    return piece(name, RUFF, ways, hands.total)


def outcome_sentence(whose: str, ruff: Piece) -> str:
    """How often a ruff wins and loses, as far as it can."""
    alone, won, lost, beaten = (int(way) for way in ruff.ways)
    in_words = {way: how_often(way / ruff.total) for way in (alone + won, won, lost, beaten)}
    wins = f"{whose} wins {in_words[alone + won]}"
    if won:
        wins += f", in a tie {in_words[won]}"
    losses = [
        f"{loses} {in_words[way]}"
        for loses, way in (("loses a tie", lost), ("is beaten", beaten))
        if way
    ]
    return f"{wins}; it {' and '.join(losses)}." if losses else f"{wins}."


def text(cards: int) -> str:
    """Some cards, as in `AS KS 4D`."""
    return " ".join(PACK.cards(cards))
