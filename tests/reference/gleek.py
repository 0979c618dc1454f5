"""Referee for Gleek (GK-1 the pack, GK-3 the ruff, GK-4 the sets, GK-5.3 the honours)."""

from collections.abc import Iterable, Sequence
from typing import Literal, NamedTuple

RANKS = ("A", "K", "Q", "J", "10", "9", "8", "7", "6", "5", "4")  # GK-1.1, high to low
SUITS = ("S", "H", "D", "C")


class Card(NamedTuple):
    """One card: a rank of RANKS and a suit of SUITS."""

    rank: str
    suit: str


PACK = tuple(Card(rank, suit) for suit in SUITS for rank in RANKS)  # GK-1.1: 44 cards

Hand = Sequence[Card]
Ruff = tuple[bool, int]  # (four aces, best total in one suit): compares as GK-3.1 says
SetName = Literal["gleek", "mournival"]


def card(text: str) -> Card:
    """Read one card, rank before suit: 'AS', '10H', '4C'."""
    found = Card(text[:-1], text[-1:])
    if found.rank not in RANKS or found.suit not in SUITS:
        raise ValueError(f"no such Gleek card: {text!r}")
    return found


def cards(text: str) -> tuple[Card, ...]:
    """Read several cards divided by blanks."""
    return tuple(card(word) for word in text.split())


def aces(hand: Iterable[Card]) -> int:
    """How many aces the hand holds (GK-3.1: four of them beat every ruff)."""
    return sum(c.rank == "A" for c in hand)


# --- The ruff (GK-3.1, GK-3.4) -------------------------------------------------------------


def card_points(held: Card) -> int:
    """GK-3.1: A 11; K, Q, J, 10 ten each; the others their pips."""
    if held.rank == "A":
        return 11
    return 10 if held.rank in ("K", "Q", "J", "10") else int(held.rank)


def suit_totals(hand: Iterable[Card]) -> dict[str, int]:
    """GK-3.1: what the hand holds in each suit, a suit it lacks counting 0."""
    totals = dict.fromkeys(SUITS, 0)
    for held in hand:
        totals[held.suit] += card_points(held)
    return totals


def ruff(hand: Iterable[Card], turnup: Card | None = None) -> Ruff:
    """GK-3.1: (four aces?, best total in one suit); the greater tuple is the better ruff.

    The turn-up is given only for a dealer who counts it (option `turnup_in_ruff`). Then it is
    one card more, for the suit total and for the four aces alike; it can never do harm.
    """
    counted = [*hand] if turnup is None else [*hand, turnup]
    return aces(counted) == 4, max(suit_totals(counted).values())


def best_ruff(
    hands: Sequence[Hand | None], turnup: Card | None = None, turnup_in_ruff: bool = False
) -> tuple[int, Ruff, int]:
    """GK-3.1, GK-3.4: (winner's seat, best ruff, how many show that ruff).

    Hands are in seat order, eldest first and the dealer last (GK-1.2), as they are after the
    stock was taken; None is a player who is out of the ruff (GK-3.3). Among equals the earlier
    seat wins. Only under `turnup_in_ruff` does the dealer count the turn-up.
    """
    _check_three(hands, turnup)
    if turnup_in_ruff and turnup is None:
        raise ValueError("GK-3.1 `turnup_in_ruff`: the turn-up must be given")
    dealer = len(hands) - 1
    ruffs = {
        seat: ruff(hand, turnup if turnup_in_ruff and seat == dealer else None)
        for seat, hand in enumerate(hands)
        if hand is not None
    }
    if not ruffs:
        raise ValueError("GK-3.3: at least one player is left")
    best = max(ruffs.values())
    tied = [seat for seat in sorted(ruffs) if ruffs[seat] == best]
    return tied[0], best, len(tied)


def _check_three(hands: Sequence[Hand | None], turnup: Card | None) -> None:
    if len(hands) != 3:
        raise ValueError("GK-1.2: three players")
    seen = [c for hand in hands if hand is not None for c in hand]
    seen += [] if turnup is None else [turnup]
    if len(set(seen)) != len(seen) or not set(seen) <= set(PACK):
        raise ValueError("GK-1.1, GK-1.3: cards are of the pack, and the turn-up is in no hand")


# --- Gleeks and mournivals (GK-4) ----------------------------------------------------------

# GK-4.1: what each opponent pays; no other rank counts.
SET_PAY: dict[SetName, dict[str, int]] = {
    "gleek": {"A": 4, "K": 3, "Q": 2, "J": 1},
    "mournival": {"A": 8, "K": 6, "Q": 4, "J": 2},
}


def sets(hand: Iterable[Card]) -> list[tuple[SetName, str]]:
    """GK-4.1, GK-4.2: every set in the hand (never the turn-up), aces first.

    Four of a rank are one mournival and not a gleek as well.
    """
    held = [c.rank for c in hand]
    found: list[tuple[SetName, str]] = []
    for rank in ("A", "K", "Q", "J"):
        if held.count(rank) == 4:
            found.append(("mournival", rank))
        elif held.count(rank) == 3:
            found.append(("gleek", rank))
    return found


def sets_income(hand: Iterable[Card]) -> int:
    """GK-4.1, GK-4.2: what the hand's sets bring in from each opponent."""
    return sum(SET_PAY[name][rank] for name, rank in sets(hand))


# --- Trump honours (GK-2.4, GK-5.3) --------------------------------------------------------

HONOUR_POINTS = {"A": 15, "K": 3, "Q": 3, "J": 9}  # GK-5.3


def trump_honours(held: Iterable[Card], trump: str) -> tuple[str, ...]:
    """The ranks of the trump A, K, Q, J among the cards, high to low.

    In a hand of twelve they are what the buyer may not lay out (GK-2.4).
    """
    among = set(held)
    return tuple(rank for rank in HONOUR_POINTS if Card(rank, trump) in among)


def turnup_honours(turnup: Card) -> tuple[str, ...]:
    """GK-5.3: the honour turned up, which scores for the dealer; () if it is no honour."""
    return trump_honours([turnup], turnup.suit)


def stock_honours(stock: Iterable[Card], turnup: Card) -> tuple[str, ...]:
    """GK-1.3, GK-2.3: the trump honours that lie in the seven of the stock."""
    return trump_honours(stock, turnup.suit)


def honour_points(ranks: Iterable[str]) -> int:
    """GK-5.3: the points of these trump honours."""
    return sum(HONOUR_POINTS[rank] for rank in ranks)
