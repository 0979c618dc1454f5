"""The games there are. A new game is one line here, and a folder of the same name beside."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Any, Protocol, cast

import msgspec
import numpy as np
from numpy.typing import NDArray

from sims.cards import Pack
from sims.figures import Figure, Hand

#: Name and the one line that introduces it.
GAMES = {
    "gilten": "Tyrol: 32 cards, two against two, five cards each; Gleich, Hanger and Spiel",
    "giley": "Spain: 28 cards, two and two more each; the best total in one suit, at most 41",
    "gleek": "England: 44 cards, three players, twelve cards each; ruff, sets and trump honours",
}

#: The games that are bet and played to the end by policies.
PLAYED = ("gilten",)


class Game(Protocol):
    """What a game's folder offers."""

    PACK: Pack
    Rules: type[msgspec.Struct]
    PLAY_OPTIONS: frozenset[str]

    HAND: Hand

    def figures(self, rules: Any) -> Mapping[str, Figure]:
        """The figures that can be tallied under some rules, by name."""

    def tally_block(
        self,
        figure: Figure,
        rules: Any,
        seed: int,
        stream: int,
        start: int,
        stop: int,
        holds: NDArray[np.bool_] | None = None,
    ) -> NDArray[np.int64]:
        """Counts of a figure's classes over the deals `start` to `stop`: flat int64, (cells + 1,).

        The last are the deals for which `holds`, of the shape of the hand's basis, is False.
        """

    def deal_record(self, rules: Any, seed: int, index: int) -> dict[str, Any]:
        """One deal in words: cards as text, figures by seat and by team."""


def game(name: str) -> Game:
    """The game of a name. Raises KeyError where there is none."""
    if name not in GAMES:
        raise KeyError(name)
    return cast(Game, import_module(f"sims.{name}"))
