"""Exact odds for a hand of Gilten: who scores Gleich and Hanger, and what the teams hold (GN-3)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import get_args

import numpy as np
from numpy.typing import NDArray

from analysis.errors import InputError
from analysis.exact.counting import Counts, Exact
from analysis.exact.gilten_classes import GILTEN, Figure, Tie, classify
from analysis.exact.gilten_odds import Seats, best_counts, class_table, outcome_counts
from analysis.exact.positions import Position
from analysis.odds.answers import Answer, Piece
from analysis.odds.questions import Question, read_cards
from analysis.wording import how_often
from sims.cards import GILTEN as PACK
from sims.figures import Axis
from sims.gilten.figures import GLEICH, HANGER, OUTCOME, SEATS, holders
from sims.gilten.rules import Rules

_FIGURES: tuple[Figure, ...] = get_args(Figure)
_AXES: dict[Figure, Axis] = {"gleich": GLEICH, "hanger": HANGER}


def chance_table(rules: Rules, figure: Figure) -> NDArray[np.float64]:
    """Who scores a figure as dealt, as plain numbers for policies.

    Under `signalling=none` each player knows the class of his own hand, under `full` each team that
    of the better of its hands (GN-5.4).

    Returns
    -------
    float64 array, shape (4 seats or 2 teams, 25 or 23 classes, 4)
        Probabilities, by who knows the class, by the class, and by the outcome as his team sees it,
        in the order of `sims.gilten.figures`: ours, theirs, stands, none. The four sum to 1. The
        first team is that of forehand.
    """
    asking: list[Seats] = [(seat,) for seat in range(rules.players)]
    if rules.signalling == "full":
        asking = [_team(seat, rules.players) for seat in (0, 1)]
    ways = [_class_ways(rules, figure, seats) for seats in asking]
    chances = [[[way / sum(row) for way in row] for row in each.tolist()] for each in ways]
    return np.array(chances, np.float64)


def answer(question: Question) -> Answer:
    """What a player asks who holds these cards (GN-3.5).

    Returns
    -------
    Answer
        Of each figure: `gleich`, who scores it, seen from the player's team; `own_gleich`, the
        class of his hand, where not all of it is known; `team_gleich`, the best class of his team,
        where he has a partner; `their_gleich`, that of the other side. `hanger` likewise. With
        `by_class`: `gleich` and `hanger`.

    Raises
    ------
    InputError
        A card that is impossible, in two places or one too many; a partner's hand with two players;
        an option that says nothing here or contradicts another.
    """
    question.only("turnup", "partner")
    seen = _read(question)
    return _by_class(question, seen) if question.by_class else _of_cards(question, seen)


# What is known -----------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Seen:
    """What the player knows, cards as masks; `held` by seat."""

    rules: Rules
    seat: int
    held: tuple[int, ...]
    turnup: int
    known: int

    @property
    def trumps(self) -> int | None:
        """The trump suit, if known."""
        return (self.turnup.bit_length() - 1) // GILTEN.ranks if self.turnup else None

    @property
    def told(self) -> dict[str, int]:
        """How many cards are told of the own hand and of the partner's."""
        told = {"hand": self.held[self.seat].bit_count()}
        if self.rules.players == 4:
            told["partner"] = self.held[_partner(self.seat)].bit_count()
        return told

    def position(self, seats: Seats) -> Position:
        """The hands of some seats; what is known of the others' is gone."""
        gone = self.turnup | self.known
        for seat, cards in enumerate(self.held):
            gone |= 0 if seat in seats else cards
        held = tuple(self.held[seat] for seat in seats)
        return Position(PACK, held, tuple(GILTEN.hand - each.bit_count() for each in held), gone)


def _read(question: Question) -> _Seen:
    """The cards of a question; raises InputError as `answer`."""
    rules: Rules = question.rules
    players, hand = rules.players, GILTEN.hand
    if question.partner and players == 2:
        raise InputError("--partner says nothing with players=2: two players have no partners")
    seat = question.seat_number(SEATS[players])
    held = [0] * players
    held[seat] = seen = read_cards(PACK, question.hand, "hand", hand)
    if question.partner:
        held[_partner(seat)] = read_cards(PACK, question.partner, "partner's hand", hand, seen)
        seen |= held[_partner(seat)]
    turnup = read_cards(PACK, question.turnup, "turn-up", 1, seen)
    # GN-1.3: so many cards are in no hand and not turned up.
    never_seen = GILTEN.cards - players * hand - 1
    known = read_cards(PACK, question.known, "known cards", never_seen, seen | turnup)
    return _Seen(rules, seat, tuple(held), turnup, known)


def _partner(seat: int) -> int:
    """GN-1.2: partners sit opposite each other."""
    return (seat + 2) % 4


def _team(seat: int, players: int) -> Seats:
    """The seats of a player's team (GN-1.2, GN-1.4)."""
    return tuple(range(seat % 2, players, 2))


# Of these cards ----------------------------------------------------------------------------------


def _of_cards(question: Question, seen: _Seen) -> Answer:
    """Over all deals that fit."""
    pieces, lead = [], []
    for figure in _FIGURES:
        outcome = _outcome(figure, seen)
        pieces += [outcome, *_classes(figure, seen)]
        lead.append(f"The {_goes(outcome, seen.rules)}.")
    return Answer(" ".join(lead), tuple(pieces), tuple(_notes(question, seen)))


def _outcome(figure: Figure, seen: _Seen) -> Piece:
    """Who scores a figure."""
    position = seen.position(tuple(range(seen.rules.players)))
    counted = outcome_counts(figure, position, seen.rules.tie, seen.trumps, seen.seat)
    return Piece(figure, (OUTCOME,), counted.ways["outcome"], counted.total)


def _classes(figure: Figure, seen: _Seen) -> list[Piece]:
    """The class of the own hand if not all of it is known, the best of the team, of the others."""
    players = seen.rules.players
    of: dict[str, Seats] = {}
    if seen.told["hand"] < GILTEN.hand:
        of["own"] = (seen.seat,)
    if players == 4:
        of["team"] = _team(seen.seat, players)
    of["their"] = _team(seen.seat + 1, players)
    counted = {whose: best_counts(figure, seen.position(seats)) for whose, seats in of.items()}
    return [
        Piece(f"{whose}_{figure}", (_AXES[figure],), best.ways["best"], best.total)
        for whose, best in counted.items()
    ]


def _goes(outcome: Piece, rules: Rules) -> str:
    """Who scores the figure, as far as it can be."""
    us, them = "you", "the other player"
    if rules.players == 4:
        us, them = "your team", "the other team"
    names = (str(name) for (name,) in OUTCOME.labels)
    chances = dict(zip(names, outcome.chances.tolist(), strict=True))
    often = {name: how_often(chance) for name, chance in chances.items() if chance}
    scored = {"ours": f"to {us}", "theirs": f"to {them}"}
    not_scored = {"stands": "it stands", "none": "nobody has one"}
    goes = " and ".join(f"{to} {often[name]}" for name, to in scored.items() if name in often)
    clauses = [f"goes {goes}"] if goes else []
    clauses += [f"{clause} {often[name]}" for name, clause in not_scored.items() if name in often]
    return f"{outcome.name.capitalize()} {'; '.join(clauses)}"


def _notes(question: Question, seen: _Seen) -> list[str]:
    """What was assumed."""
    notes = _seat_note(question)
    for whose, cards in seen.told.items():
        # A partner who tells nothing is no surprise.
        if cards < GILTEN.hand and (cards or whose == "hand"):
            notes.append(f"The {whose} holds at least these cards: averaged over the others.")
    if seen.rules.tie == "trump_then_forehand" and not seen.turnup:
        notes.append("The turn-up is not known: averaged over all it may be.")
    if seen.known:
        notes.append("The known cards count as revealed at random.")
    return notes


def _seat_note(question: Question) -> list[str]:
    """Where the seat matters (GN-3.5) and none was named."""
    matters = question.rules.tie != "stands" and not question.seat
    return ["No seat was named: you are forehand."] if matters else []


# By class ----------------------------------------------------------------------------------------


def _by_class(question: Question, seen: _Seen) -> Answer:
    """Over all hands, or over all of a team's, that have their best in the same class."""
    for option, cards in (("--turnup", seen.turnup), ("--known", seen.known)):
        if cards:
            raise InputError(f"{option} contradicts --by class, which averages over all cards")
    seats = _team(seen.seat, seen.rules.players) if question.partner else (seen.seat,)
    hands = np.array([seen.held[seat] for seat in seats], np.uint32)
    if (np.bitwise_count(hands) < GILTEN.hand).any():
        raise InputError(f"--by class needs all {GILTEN.hand} cards of a hand")
    pieces, lead = [], []
    for figure in _FIGURES:
        held = int(classify(figure, hands, GILTEN).max())
        ways = _class_ways(seen.rules, figure, seats)[held]
        pieces.append(Piece(figure, (OUTCOME,), ways, int(ways.sum())))
        lead.append(f"With {_in_words(figure, held)} the {_goes(pieces[-1], seen.rules)}.")
    whose = "pairs of hands whose better one is of its class" if question.partner else "such hands"
    note = f"Each figure is averaged over all {whose}; nothing else of the cards counts."
    return Answer(" ".join(lead), tuple(pieces), (*_seat_note(question), note))


def _in_words(figure: Figure, held: int) -> str:
    """A class within a sentence."""
    size, rank = _AXES[figure].labels[held]
    if not held:
        return f"no {figure.capitalize()}"
    return f"a {size} of {rank}" if figure == "gleich" else f"a run of {size} up to {rank}"


def _class_ways(rules: Rules, figure: Figure, seats: Seats) -> Exact:
    """The ways by class and outcome of a hand or a team, shape (classes, 4)."""
    # Where it does not matter who sits where, one part serves all.
    asking = (0, 2)[: len(seats)] if rules.tie == "stands" else seats
    parts = {held: part for part, held in holders(rules.players, rules.tie).items()}
    return _class_table(figure, rules.players, rules.tie).ways[parts[asking]]


@cache
def _class_table(figure: Figure, players: int, tie: Tie) -> Counts:
    return class_table(figure, players, tie, GILTEN)
