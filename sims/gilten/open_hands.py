"""A deal of Gilten in mid-play, all hands open: is the Spiel made, and with which cards?"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest
from typing import Any

import msgspec

from sims.bits import U32
from sims.cards import GILTEN
from sims.gilten.solver import SPIEL, TRICKS, cards_that_take, leader_takes

_SUITS = [GILTEN.suit_mask(suit) for suit in range(len(GILTEN.suits))]


class OpenHands(msgspec.Struct, frozen=True):
    """A deal being played, all hands open.

    Attributes
    ----------
    hands : tuple of int
        The masks of the cards still in hand, by seat: four, or two (GN-1.4).
    trump : int
        The mask of the trump suit, as from `GILTEN.suit_mask`.
    leader : int
        The seat that leads, or has led, to the trick.
    table : tuple of int
        The cards of the trick that lie on the table, in the order of play: masks of one card each.
    taken : tuple of int
        The tricks taken by forehand's team and by the other.
    """

    hands: tuple[int, ...]
    trump: int
    leader: int = 0
    table: tuple[int, ...] = ()
    taken: tuple[int, int] = (0, 0)

    @property
    def to_act(self) -> int:
        """The seat whose turn it is."""
        return (self.leader + len(self.table)) % len(self.hands)


def makes_spiel(deal: OpenHands) -> bool:
    """Whether forehand's team makes the Spiel with best play by both sides (GN-3.3).

    Raises
    ------
    ValueError
        A deal has no such position; the message says why.

    Examples
    --------
    Two players, leaves trumps, and forehand has two tricks of three. His ace may be trumped
    (GN-2.2), but then his own trump makes the last trick.

    >>> hands, leaves = (GILTEN.read("AE 8L"), GILTEN.read("9L 7H")), GILTEN.suit_mask(1)
    >>> makes_spiel(OpenHands(hands, leaves, taken=(2, 1)))
    True
    """
    first, second, third, fourth, table = _in_order_of_play(deal)
    leading_team = deal.leader % 2
    need = U32(max(0, SPIEL - deal.taken[leading_team]))
    made = leader_takes(first, second, third, fourth, U32(deal.trump), need, table)
    return bool(made) == (leading_team == 0)


def winning_cards(deal: OpenHands) -> int:
    """The cards with which the team of the player to act makes the Spiel (GN-3.3).

    Returns
    -------
    int
        A mask of cards that may be played; 0 where none is good enough, or none is left.

    Raises
    ------
    ValueError
        A deal has no such position; the message says why.

    Examples
    --------
    In the position of `makes_spiel` the trump must not be led: the ace would fall to the heart.

    >>> hands, leaves = (GILTEN.read("AE 8L"), GILTEN.read("9L 7H")), GILTEN.suit_mask(1)
    >>> GILTEN.cards(winning_cards(OpenHands(hands, leaves, taken=(2, 1))))
    ['AE']
    """
    first, second, third, fourth, table = _in_order_of_play(deal)
    need = U32(max(0, SPIEL - deal.taken[deal.to_act % 2]))
    return int(cards_that_take(first, second, third, fourth, U32(deal.trump), need, table))


def _in_order_of_play(deal: OpenHands) -> tuple[Any, Any, Any, Any, Any]:
    """Four hands as they were at the start of the trick, the leader's first; and the table."""
    players, leader, table = len(deal.hands), deal.leader, deal.table
    if players not in (2, 4) or not 0 <= leader < players or len(table) >= players:
        raise ValueError(
            f"{players} hands, seat {leader} leading, {len(table)} cards on the table: allowed are "
            "4 or 2 hands, the leader's seat among them, and fewer cards than hands"
        )
    in_hand = deal.hands[leader:] + deal.hands[:leader]
    hands = [hand | card for hand, card in zip_longest(in_hand, table, fillvalue=0)]
    _check_cards(in_hand, table)
    _check_sizes(hands, deal.taken)
    _check_play(hands, table, deal.trump)
    first, second, third, fourth = (U32(hand) for hand in (*hands, 0, 0)[:4])
    return first, second, third, fourth, U32(sum(table))


def _check_cards(in_hand: Sequence[int], table: Sequence[int]) -> None:
    seen = 0
    for cards in (*in_hand, *table):
        if cards & seen or cards & ~GILTEN.mask:
            raise ValueError("a card is there twice, or is none of the pack")
        seen |= cards
    if any(card.bit_count() != 1 for card in table):
        raise ValueError("the cards on the table are given one by one")


def _check_sizes(hands: Sequence[int], taken: tuple[int, int]) -> None:
    sizes = [hand.bit_count() for hand in hands]
    if {*sizes} != {TRICKS - sum(taken)} or min(taken) < 0:
        raise ValueError(
            f"tricks taken {taken}, hands of {sizes} cards at the start of the trick: each hand "
            f"has one for each of {TRICKS} tricks"
        )


def _check_play(hands: Sequence[int], table: Sequence[int], trump: int) -> None:
    if trump not in _SUITS:
        raise ValueError("trumps are all cards of one suit")
    for hand, card in zip(hands, table, strict=False):
        suit = next(suit for suit in _SUITS if suit & table[0])
        if hand & suit and not card & (suit | trump):
            raise ValueError(f"{GILTEN.cards(card)[0]} neither follows suit nor trumps (GN-2.2)")
