"""Gleek's rules: one field an option, with its clause."""

from __future__ import annotations

import msgspec

#: The options that cards and figures as dealt do not depend on: they speak of what comes after.
PLAY_OPTIONS: frozenset[str] = frozenset()


class Rules(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The options that the dealt cards and the figures depend on.

    Attributes
    ----------
    turnup_in_ruff : bool
        GK-3.1: whether the dealer counts the turn-up in his ruff, for a suit's total and for four
        aces alike.
    """

    turnup_in_ruff: bool = False
