"""The cards that a player of Giley has seen, read from a question."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from analysis.errors import InputError
from analysis.exact.counting import subsets
from analysis.exact.giley_points import FOUR, TWO
from analysis.odds.questions import Question, read_cards
from sims.cards import GILEY as PACK
from sims.giley.rules import SEATS, Rules


@dataclass(frozen=True)
class Seen:
    """The cards a player has seen, as masks, and where he sits.

    Attributes
    ----------
    rules : Rules
    seat : int
    cards : 2 or 4
        How many cards everybody holds so far.
    hand : int
        His own, not all of them if they are fewer than `cards`.
    known : int
        In no hand.
    """

    rules: Rules
    seat: int
    cards: int
    hand: int
    known: int

    @property
    def held(self) -> int:
        """How many of the own cards are known."""
        return self.hand.bit_count()

    @property
    def is_whole(self) -> bool:
        """Whether all four own cards are known."""
        return self.held == FOUR.hand

    @property
    def stock(self) -> int:
        """How many cards there are to draw, once everybody holds four."""
        return FOUR.cards - self.rules.players * FOUR.hand - self.known.bit_count()

    @property
    def draws_unseen(self) -> bool:
        """Whether all that the player may draw is sure to come from the cards he has not seen.

        Even if everybody before him draws four cards, as many are left to him (GY-2.4).
        """
        return FOUR.hand * (self.seat + 1) <= self.stock

    def hands(self, cards: int = FOUR.hand) -> NDArray[np.uint32]:
        """All hands of so many cards that the player may hold in the end, equally likely."""
        rest = chosen(PACK.mask & ~(self.hand | self.known), cards - self.held)
        return np.bitwise_or(rest, np.uint32(self.hand))


def chosen(cards: int, number: int) -> NDArray[np.uint32]:
    """All ways to choose a number of cards out of some, as masks."""
    bits = [bit for bit in range(PACK.size) if cards >> bit & 1]
    places = subsets(len(bits), number)
    found = np.zeros_like(places)
    for place, bit in enumerate(bits):
        found |= (places >> np.uint32(place) & np.uint32(1)) << np.uint32(bit)
    return found


def read(question: Question) -> Seen:
    """The cards of a question.

    Raises
    ------
    InputError
        A card that is impossible, in two places or one too many.
    """
    hand = read_cards(PACK, question.hand, "hand", FOUR.hand)
    cards = question.cards
    if cards is None:
        cards = TWO.hand if hand.bit_count() <= TWO.hand else FOUR.hand
    if cards not in (TWO.hand, FOUR.hand):
        raise InputError(f"cards {cards}: allowed are {TWO.hand} and {FOUR.hand}")
    read_cards(PACK, question.hand, "hand", cards)
    players = question.rules.players
    outside = FOUR.cards - players * FOUR.hand
    known = read_cards(PACK, question.known, "known cards", outside, hand)
    return Seen(question.rules, question.seat_number(SEATS[players]), cards, hand, known)
