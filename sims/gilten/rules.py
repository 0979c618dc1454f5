"""Gilten's rules: one field an option, with its clause."""

from __future__ import annotations

from typing import Literal

import msgspec

#: GN-3.5, in the order of the kernel's codes.
TIES = ("stands", "forehand", "trump_then_forehand")


class Rules(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The options that the dealt cards and the figures depend on.

    Attributes
    ----------
    players : 4 or 2
        GN-1.2: two partnerships, seats 0 and 2 against 1 and 3; GN-1.4: seat 0 against seat 1.
    tie : str
        GN-3.5, what happens when both teams' best figures are equal. `stands`: nobody scores;
        `forehand`: the team of the lowest seat among the hands that hold it; `trump_then_forehand`:
        the hand that holds it in trumps (a Gleich: with the trump of its rank), else as `forehand`.
    """

    players: Literal[4, 2] = 4
    tie: Literal["stands", "forehand", "trump_then_forehand"] = "stands"
