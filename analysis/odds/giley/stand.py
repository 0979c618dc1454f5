"""The show of Giley as things stand: everybody has four cards as dealt, and shows them (GY-4)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from analysis.exact.counting import deals
from analysis.exact.giley_odds import best_of_others, deals_of_others, outcome_ways, sharing_ways
from analysis.exact.giley_points import FOUR as FOUR_CARDS
from analysis.exact.giley_points import TWO as TWO_CARDS
from analysis.exact.giley_points import class_of_kind, kinds
from analysis.odds.answers import Answer, Piece
from analysis.odds.giley.seen import Seen
from analysis.odds.giley.words import outcome_sentence, piece, share_axis
from sims.figures import Axis
from sims.giley.figures import FOUR, TWO, outcome_axis


def as_things_stand(seen: Seen) -> Answer:
    """What becomes of the hand if nobody draws."""
    best, share = _at_the_show(seen)
    own = _own_points(seen)
    pieces = (best, *([share] if share is not None else []), *own, _others(seen))
    if seen.cards == TWO_CARDS.hand:
        whose = "With two more cards each, your hand"
    elif seen.is_whole:
        points = class_of_kind(kinds(seen.hands())).max()
        whose = f"As it stands, your {FOUR.text(points)}"
    else:
        whose = "As it stands, a hand with these cards"
    return Answer(outcome_sentence(whose, best, share), pieces, tuple(_notes(seen)))


def _at_the_show(seen: Seen) -> tuple[Piece, Piece | None]:
    """What becomes of the hand, and what it takes of pots that are shared."""
    players, tie = seen.rules.players, seen.rules.tie
    hands = seen.hands()
    total = len(hands) * deals_of_others(seen.known, players - 1)
    ways = outcome_ways(hands, seen.known, players, seen.seat, tie).sum(axis=0)
    best = piece("best", outcome_axis(tie == "split"), ways, total)
    if tie != "split":
        return best, None
    shared = sharing_ways(hands, seen.known, players).sum(axis=0)
    return best, piece("share", share_axis(players), shared, total)


def _own_points(seen: Seen) -> list[Piece]:
    """The points of two cards and of four, where not all of them are known."""
    pieces = []
    if seen.held < seen.cards == TWO_CARDS.hand:
        pieces.append(_points_of("two", TWO, seen.hands(TWO_CARDS.hand)))
    if not seen.is_whole:
        pieces.append(_points_of("points", FOUR, seen.hands()))
    return pieces


def _points_of(name: str, axis: Axis, hands: NDArray[np.uint32]) -> Piece:
    classes = class_of_kind(kinds(hands)).max(axis=1)
    return piece(name, axis, np.bincount(classes, minlength=len(axis)), len(hands))


def _others(seen: Seen) -> Piece:
    """The best points of the others, to whom the rest of the own hand might as well be dealt."""
    others = seen.rules.players - 1
    unseen = FOUR_CARDS.cards - seen.held - seen.known.bit_count()
    total = deals(unseen, (FOUR_CARDS.hand,) * others)
    return piece("others", FOUR, best_of_others(seen.hand | seen.known, others), total)


def _notes(seen: Seen) -> list[str]:
    """What was assumed."""
    notes = ["As things stand: all show four cards as dealt; nobody has dropped or drawn."]
    if seen.held < seen.cards:
        notes.append("The hand holds at least these cards: averaged over the others.")
    if seen.known:
        notes.append("The known cards count as revealed at random.")
    return notes
