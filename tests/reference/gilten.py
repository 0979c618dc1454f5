"""Referee for Gilten (GN-1 the pack, GN-3 the figures): who scores Gleich and Hanger."""

from collections.abc import Callable, Iterable, Sequence
from typing import Literal, NamedTuple

RANKS = ("7", "8", "9", "10", "U", "O", "K", "A")  # GN-1.1, low to high
SUITS = ("E", "L", "H", "S")  # GN-1.1: Eichel, Laub, Herz, Schell


class Card(NamedTuple):
    """One card: a rank of RANKS and a suit of SUITS."""

    rank: str
    suit: str


PACK = tuple(Card(rank, suit) for suit in SUITS for rank in RANKS)  # GN-1.1: 32 cards

Hand = Sequence[Card]
Value = tuple[int, str]  # how many cards, and the rank (Gleich) or the top rank (Hanger)
Figure = Literal["gleich", "hanger"]
Tie = Literal["stands", "forehand", "trump_then_forehand"]
Outcome = Literal["ours", "theirs", "stands", "none"]

_HEIGHT = {rank: height for height, rank in enumerate(RANKS)}


def card(text: str) -> Card:
    """Read one card, rank before suit: '7E', '10H', 'UE'."""
    found = Card(text[:-1], text[-1:])
    if found.rank not in RANKS or found.suit not in SUITS:
        raise ValueError(f"no such Gilten card: {text!r}")
    return found


def cards(text: str) -> tuple[Card, ...]:
    """Read several cards divided by blanks."""
    return tuple(card(word) for word in text.split())


# --- Gleich (GN-3.1) -----------------------------------------------------------------------


def gleich_key(value: Value | None) -> tuple[int, int]:
    """GN-3.1 as a sorting key: four beat three beat two, then the higher rank; None is least."""
    return (0, 0) if value is None else (value[0], _HEIGHT[value[1]])


def gleich(hand: Hand) -> Value | None:
    """GN-3.1: (size, rank) of the hand's single best Gleich, or None if no rank is paired."""
    held = [c.rank for c in hand]
    sets = [(held.count(rank), rank) for rank in set(held) if held.count(rank) >= 2]
    return max(sets, key=gleich_key, default=None)


def gleich_cards(hand: Hand) -> frozenset[Card]:
    """The cards that form the hand's best Gleich; empty if it has none.

    Two different Gleich of one hand differ in rank, so there is never a choice.
    """
    best = gleich(hand)
    return frozenset() if best is None else frozenset(c for c in hand if c.rank == best[1])


# --- Hanger (GN-3.2) -----------------------------------------------------------------------


def hanger_key(value: Value | None) -> tuple[int, int]:
    """GN-3.2 as a sorting key: the longer wins, then the higher top card; None is least."""
    return (0, 0) if value is None else (value[0], _HEIGHT[value[1]])


def hanger_runs(hand: Hand) -> list[tuple[Card, ...]]:
    """GN-3.2: every unbroken run of two or more cards in one suit, each as long as it goes.

    No turning the corner: the height of 7 is not one more than that of A.
    """
    runs: list[tuple[Card, ...]] = []
    for suit in SUITS:
        run: list[Card] = []
        for held in sorted((c for c in hand if c.suit == suit), key=lambda c: _HEIGHT[c.rank]):
            if run and _HEIGHT[held.rank] == _HEIGHT[run[-1].rank] + 1:
                run.append(held)
                continue
            if len(run) >= 2:
                runs.append(tuple(run))
            run = [held]
        if len(run) >= 2:
            runs.append(tuple(run))
    return runs


def _run_value(run: tuple[Card, ...]) -> Value:
    return len(run), run[-1].rank


def hanger(hand: Hand) -> Value | None:
    """GN-3.2: (length, top rank) of the hand's best Hanger, or None if it has none."""
    return max((_run_value(run) for run in hanger_runs(hand)), key=hanger_key, default=None)


def hanger_cards(hand: Hand) -> list[frozenset[Card]]:
    """The cards of the hand's best Hanger, once for each suit in which the hand holds it.

    Five cards can hold the same best Hanger of two in two suits; then there are two entries.
    """
    best = hanger(hand)
    return [frozenset(run) for run in hanger_runs(hand) if _run_value(run) == best]


# --- Teams and ties (GN-3.5) ---------------------------------------------------------------

_VALUE: dict[Figure, Callable[[Hand], Value | None]] = {"gleich": gleich, "hanger": hanger}
_KEY: dict[Figure, Callable[[Value | None], tuple[int, int]]] = {
    "gleich": gleich_key,
    "hanger": hanger_key,
}


def team_figure(hands: Iterable[Hand], figure: Figure) -> Value | None:
    """GN-3.5: a team's Gleich (Hanger) is the better of its players'; hands are that team's."""
    return max((_VALUE[figure](hand) for hand in hands), key=_KEY[figure], default=None)


def tied_seats(hands: Sequence[Hand], figure: Figure) -> list[int]:
    """All seats whose hand has the best figure of the table, in seat order; [] if none has one."""
    best = team_figure(hands, figure)
    if best is None:
        return []
    return [seat for seat, hand in enumerate(hands) if _VALUE[figure](hand) == best]


def figure_has_trump(hand: Hand, figure: Figure, trump: str) -> bool:
    """GN-3.5, `trump_then_forehand`: is the hand's best figure one that trumps favour?

    A Gleich must contain the trump of its rank. A Hanger must be in trumps; if the hand holds
    the same best Hanger in two suits, it is enough that one of them is trumps.
    """
    if figure == "gleich":
        return any(c.suit == trump for c in gleich_cards(hand))
    return any(all(c.suit == trump for c in run) for run in hanger_cards(hand))


def _check(hands: Sequence[Hand], turnup: Card) -> None:
    if len(hands) not in (2, 4):
        raise ValueError("GN-1.2, GN-1.4: Gilten has four players or two")
    if any(len(hand) != 5 for hand in hands):
        raise ValueError("GN-1.3, GN-3.4: five cards a hand, those played included")
    seen = [c for hand in hands for c in hand] + [turnup]
    if len(set(seen)) != len(seen) or not set(seen) <= set(PACK):
        raise ValueError("GN-1.1, GN-1.3: cards are of the pack, and the turn-up is in no hand")


def outcome(hands: Sequence[Hand], turnup: Card, figure: Figure, tie: Tie = "stands") -> Outcome:
    """GN-3.5: who scores the figure, seen from the team of seat 0 (forehand).

    `hands` are in seat order: four (teams {0, 2} and {1, 3}, GN-1.2) or two (teams {0} and {1},
    GN-1.4). 'stands' (tied between the teams) and 'none' (nobody has one) are told apart.
    """
    if tie not in ("stands", "forehand", "trump_then_forehand"):
        raise ValueError(f"GN-3.5 has no tie option {tie!r}")
    _check(hands, turnup)
    ours, theirs = team_figure(hands[0::2], figure), team_figure(hands[1::2], figure)
    if ours is None and theirs is None:
        return "none"  # no option applies when nobody has the figure
    if ours != theirs:
        return "ours" if _KEY[figure](ours) > _KEY[figure](theirs) else "theirs"
    if tie == "stands":
        return "stands"
    tied = tied_seats(hands, figure)
    if tie == "trump_then_forehand":
        favoured = [s for s in tied if figure_has_trump(hands[s], figure, turnup.suit)]
        tied = favoured or tied  # at most one is favoured: each trump is in one hand only
    return "ours" if tied[0] % 2 == 0 else "theirs"
