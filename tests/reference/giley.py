"""Referee for Giley (GY-1 the pack and the points, GY-4 the show): who takes the pot."""

from collections.abc import Iterable, Sequence
from typing import Literal, NamedTuple, overload

RANKS = ("A", "K", "C", "S", "7", "3", "2")  # GY-1.1: as, rey, caballo, sota, 7, 3, 2
SUITS = ("O", "C", "E", "B")  # GY-1.1; also the order of GY-4.2 `suit_rank`, highest first


class Card(NamedTuple):
    """One card: a rank of RANKS and a suit of SUITS ('CC' is the caballo of copas)."""

    rank: str
    suit: str


PACK = tuple(Card(rank, suit) for suit in SUITS for rank in RANKS)  # GY-1.1: 28 cards

# GY-1.2
CARD_POINTS = {"A": 11, "K": 10, "C": 10, "S": 10, "3": 10, "2": 10, "7": 7}

Hand = Sequence[Card]
SingleTie = Literal["dealer", "mano_first", "suit_rank"]
Tie = Literal["dealer", "mano_first", "suit_rank", "split"]


def card(text: str) -> Card:
    """Read one card, rank before suit: 'AO', '7B', 'CC'."""
    found = Card(text[:-1], text[-1:])
    if found.rank not in RANKS or found.suit not in SUITS:
        raise ValueError(f"no such Giley card: {text!r}")
    return found


def cards(text: str) -> tuple[Card, ...]:
    """Read several cards divided by blanks."""
    return tuple(card(word) for word in text.split())


# --- Points (GY-1.2) -----------------------------------------------------------------------


def suit_totals(hand: Iterable[Card]) -> dict[str, int]:
    """GY-1.2: what the hand holds in each suit, a suit it lacks counting 0."""
    totals = dict.fromkeys(SUITS, 0)
    for held in hand:
        totals[held.suit] += CARD_POINTS[held.rank]
    return totals


def points(hand: Iterable[Card]) -> int:
    """GY-1.2: the best total held in one suit, for a hand of any length."""
    return max(suit_totals(hand).values())


def counted_suit(hand: Iterable[Card]) -> str:
    """GY-4.3: the suit counted under `suit_rank`, the higher-ranked one of equal best totals."""
    totals = suit_totals(hand)
    best = max(totals.values())
    return next(suit for suit in SUITS if totals[suit] == best)


# --- The show (GY-4) -----------------------------------------------------------------------
#
# Hands are given in seat order: seat 0 is mano and the last seat is the dealer (GY-1.3). A seat
# that has folded is given as None: it keeps its place, so that the last entry is always the
# dealer's, but it takes no part.


def tied_seats(hands: Sequence[Hand | None]) -> tuple[int, ...]:
    """GY-4.1: the live seats with the highest points, in seat order (one seat if no tie)."""
    totals = {seat: points(hand) for seat, hand in enumerate(hands) if hand is not None}
    if not totals:
        raise ValueError("GY-3.1: at least one player is live")
    best = max(totals.values())
    return tuple(seat for seat, total in totals.items() if total == best)


def tied_count(hands: Sequence[Hand | None]) -> int:
    """GY-4.1: how many live players share the highest points; 1 means that nobody ties."""
    return len(tied_seats(hands))


def _check(hands: Sequence[Hand | None]) -> None:
    if not 2 <= len(hands) <= 5:
        raise ValueError("GY-1.3: two to five players")
    seen = [c for hand in hands if hand is not None for c in hand]
    if len(set(seen)) != len(seen) or not set(seen) <= set(PACK):
        raise ValueError("GY-1.1: every card is of the pack and in one hand only")


@overload
def show(hands: Sequence[Hand | None], tie: SingleTie = "dealer") -> int: ...


@overload
def show(hands: Sequence[Hand | None], tie: Literal["split"]) -> tuple[int, ...]: ...


def show(hands: Sequence[Hand | None], tie: Tie = "dealer") -> int | tuple[int, ...]:
    """GY-4.1, GY-4.2: the seat that takes the pot; under `split` all seats that share it."""
    _check(hands)
    tied = tied_seats(hands)
    if tie == "split":
        return tied  # GY-4.2: no privilege for anybody
    if tie == "mano_first":
        return tied[0]  # GY-4.2: seat order, the dealer last
    if tie == "suit_rank":
        return min(tied, key=lambda seat: (_suit_place(hands[seat]), seat))
    if tie == "dealer":
        dealer = len(hands) - 1
        return dealer if dealer in tied else tied[0]  # GY-4.2, the default
    raise ValueError(f"GY-4.2 has no tie option {tie!r}")


def _suit_place(hand: Hand | None) -> int:
    """GY-4.3: 0 if the counted suit is oros, 1 copas, 2 espadas, 3 bastos."""
    return SUITS.index(counted_suit(hand or ()))


def split_pot(pot: int, winners: Sequence[int]) -> dict[int, int]:
    """GY-4.2 `split`: equal shares, the remainder one chip each to the tied in seat order."""
    share, rest = divmod(pot, len(winners))
    return {seat: share + (place < rest) for place, seat in enumerate(sorted(winners))}
