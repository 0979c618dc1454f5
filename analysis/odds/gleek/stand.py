"""A hand of Gleek as things stand: what becomes of its ruff, and what the others hold."""

from __future__ import annotations

import numpy as np

from analysis.exact.gleek import RUFF_ROWS
from analysis.exact.gleek_ruff import GLEEK, Within
from analysis.exact.gleek_stock import set_counts
from analysis.odds.answers import Answer, Piece
from analysis.odds.gleek.seen import HAND, Seen
from analysis.odds.gleek.words import RANKS, outcome_piece, outcome_sentence, piece, ruff_piece
from analysis.wording import how_often
from sims.figures import Axis
from sims.gleek.figures import RUFF, SEATS, SET


def as_things_stand(seen: Seen) -> Answer:
    """With the hands as dealt, or after the player's own purchase."""
    hands = seen.as_held()
    ruff, own = outcome_piece(hands, seen.seat), ruff_piece("own_ruff", hands, seen.seat)
    certain = [RUFF.text(number) for number, way in enumerate(own.ways) if way == own.total]
    whose = f"Your ruff of {certain[0]}" if certain else "Your ruff"
    others = seen.without(hands)
    best = Within(others, GLEEK.points).best()[RUFF_ROWS]
    sets = _their_sets(seen)
    pieces = (
        ruff,
        *(() if certain else (own,)),
        piece("their_ruff", RUFF, best, others.total),
        *sets.values(),
    )
    lead = f"{outcome_sentence(whose, ruff)} {_sets_sentence(sets)}"
    return Answer(lead, pieces, tuple(_notes(seen)))


def _their_sets(seen: Seen) -> dict[str, Piece]:
    """By the name of the rank, which of the others holds a set of it: never both (GK-4.1)."""
    seats = [name for seat, name in enumerate(SEATS) if seat != seen.seat]
    sets = [(name, kind) for name in seats for (kind,) in SET.labels[1:]]
    axis = Axis(columns=("seat", "set"), labels=((None, "none"), *sets), ordered=False)
    found = set_counts(seen.one_hand(0, HAND))
    pieces = {}
    for rank, name in RANKS.items():
        held = found.ways[rank][1:].tolist() * len(seats)
        ways = np.array([found.total - sum(held), *held], np.object_)
        pieces[name] = piece(f"their_{name}", axis, ways, found.total)
    return pieces


def _sets_sentence(sets: dict[str, Piece]) -> str:
    chances = {name: 1 - int(each.ways[0]) / each.total for name, each in sets.items()}
    held = [f"of {name} {how_often(chance)}" for name, chance in chances.items() if chance]
    if not held:
        return "Neither of the others can hold a gleek."
    return f"One of the others holds a gleek or mournival {', '.join(held)}."


def _notes(seen: Seen) -> list[str]:
    """What was assumed."""
    notes = ["As dealt: nobody has bought the stock."]
    if seen.laid_out:
        notes = ["After your purchase; what the bidding tells is not counted."]
    if seen.partial:
        notes.append("The hand holds at least these cards: averaged over the others.")
    if seen.rules.turnup_in_ruff and not seen.turnup:
        notes.append("The turn-up is not known: averaged over all it may be.")
    if seen.known:
        notes.append("The known cards count as revealed at random.")
    return notes
