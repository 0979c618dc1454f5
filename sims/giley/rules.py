"""Giley's rules: one field an option, with its clause."""

from __future__ import annotations

from typing import Literal

import msgspec

#: GY-4.2.
TIES = ("dealer", "mano_first", "suit_rank", "split")

#: The seats in order of speaking (GY-1.3), by number of players.
SEATS = {
    2: ("mano", "dealer"),
    3: ("mano", "second", "dealer"),
    4: ("mano", "second", "third", "dealer"),
    5: ("mano", "second", "third", "fourth", "dealer"),
}

#: The options that cards and figures as dealt do not depend on: they speak of what comes after.
PLAY_OPTIONS: frozenset[str] = frozenset()


class Rules(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The options that the dealt cards and the figures depend on.

    Attributes
    ----------
    players : 2 to 5
        GY-1.3: everyone for himself; seat 0 is mano and the last seat the dealer.
    tie : str
        GY-4.2, who wins among equal points. `dealer`: the dealer, else the first in seat order;
        `mano_first`: the first in seat order; `suit_rank`: the higher suit (GY-4.3), else the first
        in seat order; `split`: nobody, the pot is shared.
    """

    players: Literal[2, 3, 4, 5] = 4
    tie: Literal["dealer", "mano_first", "suit_rank", "split"] = "dealer"
