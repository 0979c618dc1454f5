"""Referee for the Spiel with all hands open (GN-2, GN-3.3), twice over.

`makes_spiel` remembers what it has found out about the positions at the start of a trick, and stops
where the Spiel is settled. `most_tricks` plays every game to its last card and remembers nothing.

Cards are numbers, eight to a suit, the higher ranks higher: a plain card is below 24, a trump not.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from reference.gilten import RANKS, SUITS, Card

Hands = tuple[tuple[int, ...], ...]  # by seat, each from low to high


class Trick(NamedTuple):
    """A trick of which the lead has been played."""

    played: int  # how many cards
    led: int
    best: int  # the card that is winning
    winner: int  # and whose it is


def numbers(cards: Iterable[Card], trump: str) -> tuple[int, ...]:
    """Cards as numbers, from low to high."""
    suits = [*(suit for suit in SUITS if suit != trump), trump]
    return tuple(sorted(8 * suits.index(c.suit) + RANKS.index(c.rank) for c in cards))


def legal_cards(hand: Sequence[int], led: int) -> Sequence[int]:
    """GN-2.2: the suit led or a trump; without a card of the suit any card."""
    suit = led // 8
    for card in hand:
        if card // 8 == suit:
            return [card for card in hand if card // 8 == suit or card >= 24]
    return hand


def beats(card: int, best: int) -> bool:
    """GN-2.3: a higher card of the same suit, or a trump over a plain card."""
    return card > best and (card >= 24 or card // 8 == best // 8)


def after(trick: Trick | None, seat: int, card: int) -> Trick:
    """The trick with one card more."""
    if trick is None:
        return Trick(1, card, card, seat)
    if beats(card, trick.best):
        return Trick(trick.played + 1, trick.led, card, seat)
    return Trick(trick.played + 1, trick.led, trick.best, trick.winner)


def without(hands: Hands, seat: int, card: int) -> Hands:
    """The hands after a seat has played a card."""
    hand = hands[seat]
    place = hand.index(card)
    return (*hands[:seat], hand[:place] + hand[place + 1 :], *hands[seat + 1 :])


def most_tricks(hands: Hands, seat: int, trick: Trick | None = None) -> int:
    """How many of the tricks left forehand's team takes with best play by both sides.

    `seat` is to play to the trick, or to lead; cards on the table are no longer in the hands.
    """
    players = len(hands)
    if trick is not None and trick.played == players:
        ours = trick.winner % 2 == 0
        return ours + most_tricks(hands, trick.winner)
    if not hands[seat]:
        return 0
    best = max if seat % 2 == 0 else min
    legal = hands[seat] if trick is None else legal_cards(hands[seat], trick.led)
    return best(
        most_tricks(without(hands, seat, card), (seat + 1) % players, after(trick, seat, card))
        for card in legal
    )


def makes_spiel(
    hands: Hands, seat: int = 0, trick: Trick | None = None, taken: tuple[int, int] = (0, 0)
) -> bool:
    """GN-3.3: whether forehand's team takes three of the five tricks with best play by both sides.

    As for `most_tricks`; `taken` are the tricks taken by forehand's team and by the other.
    """
    return _Spiel().is_made(hands, seat, trick, taken)


def winning_cards(hands: Hands, seat: int, trick: Trick | None, taken: tuple[int, int]) -> set[int]:
    """The cards of the player to act after which his team makes the Spiel; as `makes_spiel`."""
    spiel, forehands = _Spiel(), seat % 2 == 0
    legal = hands[seat] if trick is None else legal_cards(hands[seat], trick.led)
    return {
        card for card in legal if spiel.is_made_after(card, hands, seat, trick, taken) == forehands
    }


class _Spiel:
    """The search, and what it knows: by hands, leader and tricks taken, whether it is made."""

    def __init__(self) -> None:
        self.known: dict[tuple[Hands, int, tuple[int, int]], bool] = {}

    def is_made(self, hands: Hands, seat: int, trick: Trick | None, taken: tuple[int, int]) -> bool:
        if trick is not None:
            return self._search(hands, seat, trick, taken)
        if max(taken) >= 3:
            return taken[0] >= 3
        position = hands, seat, taken
        if position not in self.known:
            self.known[position] = self._search(hands, seat, None, taken)
        return self.known[position]

    def is_made_after(
        self, card: int, hands: Hands, seat: int, trick: Trick | None, taken: tuple[int, int]
    ) -> bool:
        left, then = without(hands, seat, card), after(trick, seat, card)
        if then.played < len(hands):
            return self._search(left, (seat + 1) % len(hands), then, taken)
        ours = then.winner % 2 == 0
        return self.is_made(left, then.winner, None, (taken[0] + ours, taken[1] + (not ours)))

    def _search(self, hands: Hands, seat: int, trick: Trick | None, taken: tuple[int, int]) -> bool:
        """Try card after card until one is good enough for the player's team."""
        forehands = seat % 2 == 0
        for card in worth_trying(hands[seat], seat, trick):
            if self.is_made_after(card, hands, seat, trick, taken) == forehands:
                return forehands
        return not forehands


def worth_trying(hand: Sequence[int], seat: int, trick: Trick | None) -> Sequence[int]:
    """What may be played: of neighbours in a suit only the lowest, what seems best first.

    High cards are led; a trick is taken from the other team, and left to the partner, without
    spending a trump if that can be.
    """
    if len(hand) == 1:
        return hand
    legal = hand if trick is None else legal_cards(hand, trick.led)
    unlike = [card for card in legal if card % 8 == 0 or card - 1 not in legal]
    if trick is None or len(unlike) == 1:
        return unlike[::-1]
    best, lost = trick.best, (trick.winner - seat) % 2 == 1
    return sorted(unlike, key=lambda card: (beats(card, best) != lost, card >= 24))
