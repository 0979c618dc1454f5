"""Gleek (England): 44 cards, three players, twelve cards each, a turn-up and a stock of seven."""

from sims.cards import GLEEK as PACK
from sims.gleek.deals import deal_hands, deal_record, tally_block
from sims.gleek.figures import HAND, figures
from sims.gleek.rules import PLAY_OPTIONS, Rules

__all__ = [
    "HAND",
    "PACK",
    "PLAY_OPTIONS",
    "Rules",
    "deal_hands",
    "deal_record",
    "figures",
    "tally_block",
]
