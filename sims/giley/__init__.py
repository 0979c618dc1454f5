"""Giley (Spain): 28 cards, two to five players, two cards each and two more."""

from sims.cards import GILEY as PACK
from sims.giley.deals import deal_hands, deal_record, tally_block
from sims.giley.figures import HAND, figures
from sims.giley.rules import PLAY_OPTIONS, Rules

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
