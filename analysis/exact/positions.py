"""What is known of a deal, and how the cards nobody has seen can lie.

A player holds some cards, sees the turn-up, and may know more: his partner's hand, cards seen
elsewhere. All deals that fit are equally likely. So exact odds are counted as the tables of whole
deals are (`analysis.exact.counting`): group by group, a group's ways to lie being those of its
unseen cards only, on top of what each hand is known to hold.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from analysis.exact.counting import Shares, deals, share_out
from sims.cards import Pack


@dataclass(frozen=True)
class Position:
    """What is known of the hands of a deal.

    Attributes
    ----------
    pack : Pack
    held : tuple of int
        The cards that each hand is known to hold, as a mask.
    wanted : tuple of int
        How many unseen cards each hand is dealt besides; 0 where a hand is known.
    gone : int
        The cards known to be in none of these hands, as a mask: the turn-up, cards laid out or seen
        elsewhere.

    Raises
    ------
    ValueError
        A card is in two places, or more cards are wanted than are unseen.
    """

    pack: Pack
    held: tuple[int, ...]
    wanted: tuple[int, ...]
    gone: int = 0

    def __post_init__(self) -> None:
        if len(self.held) != len(self.wanted):
            raise ValueError(f"{len(self.held)} hands, but {len(self.wanted)} numbers of cards")
        places = (*self.held, self.gone)
        if sum(place.bit_count() for place in places) != self.seen.bit_count():
            raise ValueError("a card is in two places")
        if sum(self.wanted) > self.unseen.bit_count():
            raise ValueError(f"{sum(self.wanted)} cards wanted of {self.unseen.bit_count()} unseen")

    @property
    def seen(self) -> int:
        """All cards whose place is known, as a mask."""
        seen = self.gone
        for held in self.held:
            seen |= held
        return seen

    @property
    def unseen(self) -> int:
        """All other cards, as a mask."""
        return self.pack.mask & ~self.seen

    @property
    def total(self) -> int:
        """The number of equally likely deals."""
        return deals(self.unseen.bit_count(), self.wanted)

    def suit(self, suit: int) -> Shares:
        """All ways a suit can lie; bit *i* of a holding is the card of rank *i*."""
        ranks = len(self.pack.ranks)
        return self.group([suit * ranks + rank for rank in range(ranks)])

    def rank(self, rank: int) -> Shares:
        """All ways a rank can lie; bit *i* of a holding is the card of suit *i*."""
        ranks = len(self.pack.ranks)
        return self.group([suit * ranks + rank for suit in range(len(self.pack.suits))])

    def group(self, cards: Sequence[int]) -> Shares:
        """All ways the cards of a group can lie.

        Parameters
        ----------
        cards : sequence of int
            The bits of the group's cards in the pack; the group's card *i* is the *i*-th.

        Returns
        -------
        Shares
            `holdings` are all cards of the group in each hand, those known and those dealt; `terms`
            count the cards dealt.
        """
        unseen = [place for place, card in enumerate(cards) if self.unseen >> card & 1]
        dealt = share_out(len(unseen), self.wanted)
        in_group = np.zeros(1 << len(unseen), np.uint16)  # from a mask of the group's unseen cards
        for number, place in enumerate(unseen):
            in_group |= ((np.arange(in_group.size) >> number & 1) << place).astype(np.uint16)
        known = [
            sum((held >> card & 1) << place for place, card in enumerate(cards))
            for held in self.held
        ]
        holdings = in_group[dealt.holdings] | np.array(known, np.uint16)[:, None]
        return Shares(self.wanted, holdings, dealt.terms, dealt.term_of)
