"""Gilten's rules: one field an option, with its clause."""

from __future__ import annotations

from typing import Literal

import msgspec

#: GN-3.5, in the order of the kernel's codes.
TIES = ("stands", "forehand", "trump_then_forehand")

#: The options that cards and figures as dealt do not depend on: they speak of what comes after.
PLAY_OPTIONS = frozenset(
    {
        "target",
        "either_may_raise",
        "must_hold",
        "signalling",
        "late_spiel_limit",
        "settle",
        "turnup_rob",
    }
)


class Rules(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The options of the game.

    Attributes
    ----------
    players : 4 or 2
        GN-1.2: two partnerships, seats 0 and 2 against 1 and 3; GN-1.4: seat 0 against seat 1.
    tie : str
        GN-3.5, what happens when both teams' best figures are equal. `stands`: nobody scores;
        `forehand`: the team of the lowest seat among the hands that hold it; `trump_then_forehand`:
        the hand that holds it in trumps (a Gleich: with the trump of its rank), else as `forehand`.
    target : 11 or 15
        GN-5.3: the points that win the game.
    either_may_raise : bool
        GN-4.4: whether after a hold either team may bet the figure again, not only the holders.
    must_hold : bool
        GN-4.5: whether a bet or raise on Gleich or Hanger needs one in the speaker's own hand; in
        either of the team's under `signalling=full`.
    signalling : str
        GN-5.4, GN-4.7 (e). `full`: a team decides as one, knowing both its hands; `none`: each
        partner decides for himself, knowing his own.
    late_spiel_limit : bool
        GN-4.8: whether no bet on the Spiel may be opened in the fifth window.
    settle : str
        GN-5.2. `first`: concessions score at once, and the first team at the target wins;
        `higher_total`: everything is added at the end of the deal, and the higher total wins.
    turnup_rob : bool
        GN-1.3: whether the holder of the trump 7 may exchange it for the turn-up. Tables of figures
        as dealt are of the hands before that.

    Raises
    ------
    ValueError
        The options contradict each other; the message names the clause.
    """

    players: Literal[4, 2] = 4
    tie: Literal["stands", "forehand", "trump_then_forehand"] = "stands"
    target: Literal[11, 15] = 11
    either_may_raise: bool = False
    must_hold: bool = False
    signalling: Literal["full", "none"] = "full"
    late_spiel_limit: bool = False
    settle: Literal["first", "higher_total"] = "first"
    turnup_rob: bool = False

    def __post_init__(self) -> None:
        if self.players == 2 and self.signalling == "none":
            raise ValueError(
                "signalling=none with players=2: two players have no partners to leave in the dark "
                "(GN-5.4)"
            )
