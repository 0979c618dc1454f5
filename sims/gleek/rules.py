"""Gleek's rules: one field an option, with its clause."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

#: GK-3.5 and GK-5.3, in the order of the kernels' codes.
DEBTS = ("matched", "facing", "cotton")
HONOURS_TO = ("player", "trick_winner")

#: The options that cards and figures as dealt do not depend on: they speak of what comes after.
PLAY_OPTIONS = frozenset(
    {
        "tiddy",
        "tiddy_up",
        "towser_tumbler",
        "open",
        "step",
        "max_price",
        "take_first",
        "free_discard",
        "compound",
        "debt",
        "max_raises",
        "must_head",
        "honours",
    }
)


class Rules(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The options of the game.

    Attributes
    ----------
    turnup_in_ruff : bool
        GK-3.1: whether the dealer counts the turn-up in his ruff, for a suit's total and for four
        aces alike.
    tiddy : bool
        GK-1.4, GK-5.4: whether Tiddy pays, turned up and in hand.
    tiddy_up : 4 or 2 chips
        GK-1.4: what each opponent pays for Tiddy turned up.
    towser_tumbler : bool
        GK-1.5: whether Towser and Tumbler turned up pay.
    open : 12 or 13 chips
        GK-2.1: the price at which eldest stands bidder.
    step : 2 or 1 chips
        GK-2.1: how much more a bid is.
    max_price : 12 to 60 chips
        GK-2.1: the most that may be bid; eldest's standing price it does not touch.
    take_first : bool
        GK-2.3: whether the buyer takes the stock before he lays out.
    free_discard : bool
        GK-2.4: whether trump honours may be laid out.
    compound : bool
        GK-3.2: whether the opening stake goes on doubling; else it is never above 4.
    debt : str
        GK-3.5: what a player who has gone out owes. `matched`: what he had matched, at least the
        opening stake; `facing`: the stake he refused; `cotton`: what he had matched, or half the
        opening stake.
    max_raises : 0 to 8
        GK-3.3: the most revies in a deal, the opening not counted.
    must_head : bool
        GK-5.1: whether the best card so far must be beaten where it can.
    honours : str
        GK-5.3: who scores a trump honour, its `player` or the `trick_winner`.
    """

    turnup_in_ruff: bool = False
    tiddy: bool = True
    tiddy_up: Literal[4, 2] = 4
    towser_tumbler: bool = False
    open: Literal[12, 13] = 12
    step: Literal[2, 1] = 2
    max_price: Annotated[int, msgspec.Meta(ge=12, le=60)] = 40
    take_first: bool = False
    free_discard: bool = False
    compound: bool = True
    debt: Literal["matched", "facing", "cotton"] = "matched"
    max_raises: Annotated[int, msgspec.Meta(ge=0, le=8)] = 8
    must_head: bool = False
    honours: Literal["player", "trick_winner"] = "player"
