"""Gilten (Tyrol): 32 cards, two against two, five cards each."""

from sims.cards import GILTEN as PACK
from sims.gilten.deals import deal_hands, deal_record, tally_block
from sims.gilten.figures import HAND, figures
from sims.gilten.rules import PLAY_OPTIONS, Rules

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
