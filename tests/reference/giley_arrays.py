"""The referee of Giley for many deals at once (GY-4), in plain numpy: hands as masks of cards.

Card *c* is the one of that number in `reference.giley.PACK`, and bit *c* of a mask. Every hand of
four is judged by the referee once; hands of a deal are then looked up and compared. The tests check
the comparison against the referee.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from reference import giley as referee
from reference.giley import Tie

Numbers = NDArray[np.int64]

#: In the order of the outcomes' numbers; under `split` a tie is neither won nor lost.
OUTCOMES = ("alone", "tied, won", "tied, lost", "lost")
SHARED_OUTCOMES = ("alone", "tied", "lost")


def mask(cards: Iterable[referee.Card]) -> int:
    """Some cards as a mask."""
    return sum(1 << referee.PACK.index(card) for card in cards)


def cards_of(cards: int) -> list[referee.Card]:
    """The cards of a mask."""
    return [card for number, card in enumerate(referee.PACK) if cards >> number & 1]


def choices(cards: int, number: int) -> Numbers:
    """All ways to choose so many of some cards, as masks."""
    bits = [1 << place for place in range(28) if cards >> place & 1]
    return np.array([sum(chosen) for chosen in combinations(bits, number)], np.int64)


@cache
def _judged() -> tuple[Numbers, Numbers, Numbers]:
    """All hands of four, sorted; their points; their counted suits, 0 for oros to 3 for bastos."""
    hands = np.sort(choices((1 << 28) - 1, 4))
    held = [cards_of(hand) for hand in hands.tolist()]
    suits = [referee.SUITS.index(referee.counted_suit(hand)) for hand in held]
    return hands, np.array([referee.points(hand) for hand in held]), np.array(suits)


def all_hands() -> Numbers:
    """All 20 475 hands of four, as masks in rising order."""
    return _judged()[0]


def points(hands: Numbers) -> Numbers:
    """GY-1.2: the points of each hand."""
    every, judged, _ = _judged()
    return judged[np.searchsorted(every, hands)]


def counted_suits(hands: Numbers) -> Numbers:
    """GY-4.3: the suit that counts of each hand, 0 for oros to 3 for bastos."""
    every, _, judged = _judged()
    return judged[np.searchsorted(every, hands)]


def sharing(hands: Numbers, seat: int) -> Numbers:
    """GY-4.1: how many hands have the best points; 0 where the seat's hand has not.

    `hands` has shape (players, deals).
    """
    worth = points(hands)
    best = worth.max(axis=0)
    return np.where(worth[seat] == best, (worth == best).sum(axis=0), 0)


def outcomes(hands: Numbers, seat: int, tie: Tie) -> Numbers:
    """GY-4.2: what becomes of a seat's hand in each deal, by the numbers of the outcomes."""
    worth = points(hands)
    tied = worth == worth.max(axis=0)
    number = sharing(hands, seat)
    if tie == "split":
        return np.where(number == 0, 2, np.where(number == 1, 0, 1))
    if tie == "suit_rank":
        suits = np.where(tied, counted_suits(hands), 4)
        tied = suits == suits.min(axis=0)
    winner = tied.argmax(axis=0)
    if tie == "dealer":
        winner = np.where(tied[-1], len(hands) - 1, winner)
    return np.where(number == 0, 3, np.where(number == 1, 0, np.where(winner == seat, 1, 2)))
