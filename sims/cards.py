"""Packs of cards: suits, ranks and notation; card <-> bit <-> text.

A card is a bit: suit * ranks + rank, ranks counted from the lowest, suits in the order given. A
hand is a mask of such bits.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable

import msgspec


class Pack(msgspec.Struct, frozen=True):
    """The cards of one game.

    `ranks` run from low to high and `suits` in their order of precedence or custom; `aliases` are
    other spellings (upper case) of a rank or suit.
    """

    ranks: tuple[str, ...]
    suits: tuple[str, ...]
    suit_names: tuple[str, ...]
    aliases: tuple[tuple[str, str], ...] = ()

    @property
    def size(self) -> int:
        return len(self.ranks) * len(self.suits)

    @property
    def mask(self) -> int:
        """All cards of the pack."""
        return (1 << self.size) - 1

    def suit_mask(self, suit: int) -> int:
        """All cards of one suit, given by number."""
        return ((1 << len(self.ranks)) - 1) << (suit * len(self.ranks))

    def text(self, bit: int) -> str:
        """The card of a bit's index, as in `10H`."""
        suit, rank = divmod(bit, len(self.ranks))
        return self.ranks[rank] + self.suits[suit]

    def cards(self, mask: int) -> list[str]:
        """The cards of a mask, suit by suit, the highest of each suit first."""
        held = [bit for bit in range(self.size) if mask >> bit & 1]
        return [self.text(bit) for bit in sorted(held, key=self._suit_then_high)]

    def _suit_then_high(self, bit: int) -> tuple[int, int]:
        suit, rank = divmod(bit, len(self.ranks))
        return suit, -rank

    def bit(self, card: str) -> int:
        """The index of a card's bit.

        Raises
        ------
        ValueError
            The text names no card of this pack; the message says what is allowed.
        """
        found = self._spellings().get(card.upper())
        if found is None:
            raise ValueError(self._no_such_card(card))
        return found

    def read(self, text: str) -> int:
        """The mask of cards written with spaces or commas between, in any case.

        Raises
        ------
        ValueError
            A word is no card, or a card is there twice; the message names it.
        """
        return self.mask_of(word for word in re.split(r"[\s,]+", text) if word)

    def mask_of(self, cards: Iterable[str]) -> int:
        """The mask of some cards; errors as in `read`."""
        mask = 0
        for card in cards:
            bit = 1 << self.bit(card)
            if mask & bit:
                raise ValueError(f"card {card!r} is there twice")
            mask |= bit
        return mask

    def _spellings(self) -> dict[str, int]:
        """Every way to write a card: rank and suit, each by its sign or an alias."""
        others = {sign: [sign] for sign in (*self.ranks, *self.suits)}
        for alias, sign in self.aliases:
            others[sign].append(alias)
        return {
            (rank_sign + suit_sign).upper(): suit * len(self.ranks) + rank
            for suit, suit_name in enumerate(self.suits)
            for rank, rank_name in enumerate(self.ranks)
            for suit_sign in others[suit_name]
            for rank_sign in others[rank_name]
        }

    def _no_such_card(self, card: str) -> str:
        ranks, suits = " ".join(reversed(self.ranks)), " ".join(self.suits)
        near = difflib.get_close_matches(card.upper(), self._spellings(), n=1)
        hint = f", did you mean {near[0]}" if near else ""
        return f"no card {card!r}{hint} (a rank {ranks}, then a suit {suits})"


GILTEN = Pack(
    ranks=("7", "8", "9", "10", "U", "O", "K", "A"),
    suits=("E", "L", "H", "S"),
    suit_names=("Eichel", "Laub", "Herz", "Schell"),
)
GILEY = Pack(
    ranks=("2", "3", "7", "S", "C", "K", "A"),
    suits=("O", "C", "E", "B"),
    suit_names=("oros", "copas", "espadas", "bastos"),
    aliases=(("R", "K"),),
)
GLEEK = Pack(
    ranks=("4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A"),
    suits=("S", "H", "D", "C"),
    suit_names=("spades", "hearts", "diamonds", "clubs"),
    aliases=(("T", "10"), ("♠", "S"), ("♥", "H"), ("♦", "D"), ("♣", "C")),
)
