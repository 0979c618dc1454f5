"""How a team of Gilten bets and plays, as data.

A policy is a set of thresholds: at which chance of winning a figure a team bets on it, holds,
raises, goes to *Spiel aus*. The chances come as tables, `Chances`, from whoever has worked them
out: by what a player knows, class by class. Policy and chances together make a `Book`: by figure,
standing of the game, progress of the deal and class, the rungs of the ladder (GN-4.2) to which the
team bets, which it holds, and to which it raises. The kernels only look up; another policy is
another array, and nothing is compiled again.

What a player knows (`sims.gilten.views` reads it off the cards):

- Gleich and Hanger: the tricks played, and the best class he knows his team to hold: his own
  hand's, or under `signalling=full` both hands', with what his partner has shown. A figure that the
  cards shown by the other team beat counts as none.
- Spiel: the tricks each team has won, whether his team leads next, and of the cards still held (by
  him, or under `signalling=full` by both) the number of trumps, the number of unseen trumps above
  the highest, and in how many other suits the highest card not yet seen is his.
"""

from __future__ import annotations

from itertools import accumulate
from typing import Annotated, Literal, NamedTuple

import msgspec
import numpy as np
from msgspec import Meta
from numpy.typing import NDArray

from sims.gilten.figures import GLEICH, HANGER
from sims.gilten.ladder import SPIEL_AUS, TRICKS

Probability = Annotated[float, Meta(ge=0, le=1)]
Shift = Annotated[float, Meta(ge=-1, le=1)]

#: Classes of Gleich and Hanger, and states of a deal in which they are looked up: tricks played.
GLEICH_CLASSES, HANGER_CLASSES = len(GLEICH), len(HANGER)
FIGURE_STATES = TRICKS + 1

#: Of the Spiel: trumps held 0-7, unseen trumps above the highest 0-7, other suits headed 0-3; and
#: tricks won by us 0-2, by them 0-2, whether we lead.
SPIEL_CLASSES, SPIEL_STATES = 8 * 8 * 4, 3 * 3 * 2

#: The standings of the game that a policy tells apart.
BEHIND, LEVEL, AHEAD = range(3)
STANDINGS = 3

#: A word of a book: bit k - 1 for a bet that proposes k, HOLDS places higher for holding k, RAISES
#: places higher for a raise that proposes k.
HOLDS, RAISES = 8, 16


class Betting(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """At which chances of winning a figure a team bets on it; all are probabilities, 0 to 1.

    Attributes
    ----------
    bet : 0 to 1
        The least chance at which the team bets "two".
    hold : 0 to 1
        The least chance at which it holds "two"; not above `raise`.
    raise : 0 to 1
        The least chance at which it answers "two" with "three".
    rise : -1 to 1
        How much more it asks for each further rung to bet or raise to: the higher the rung, the
        more the other team's answers have shown.
    hold_rise : -1 to 1
        How much more it asks for each further rung to hold.
    aus : 0 to 1
        The least chance at which it goes to *Spiel aus*.
    hold_aus : 0 to 1
        The least chance at which it holds *Spiel aus*; not above `aus`.
    bluff : 0 to 1
        How often, on turn, it bets below the threshold, *Spiel aus* excepted.
    """

    bet: Probability
    hold: Probability
    raise_: Probability = msgspec.field(name="raise")
    rise: Shift
    hold_rise: Shift
    aus: Probability
    hold_aus: Probability
    bluff: Probability

    def __post_init__(self) -> None:
        if self.raise_ < self.hold:
            raise ValueError(f"raise {self.raise_:g} is below hold {self.hold:g}")
        if self.aus < self.hold_aus:
            raise ValueError(f"aus {self.aus:g} is below hold_aus {self.hold_aus:g}")


class Style(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Which cards a player plays (`sims.gilten.style`).

    Attributes
    ----------
    lead_trumps : 1 to 6 cards
        Leading, he plays his highest trump if he holds at least so many; 6 for only when he has
        nothing else.
    lead : str
        Which other card he leads: `high` or `low`, by rank.
    beat : str
        With which card he beats the best so far, `low` or `high`; the last to play always beats
        with the lowest that does.
    trump_in : str
        When he trumps a suit that is not trumps: `void`, only when he cannot follow; `always`, also
        when he can, but not beat (GN-2.2).
    overtake : bool
        Whether, before the last card, he overtakes his partner in the suit led.
    keep_trumps : bool
        Whether, not beating, he plays the lowest card that is no trump, if he may; else the lowest.
    """

    lead_trumps: Annotated[int, Meta(ge=1, le=6)]
    lead: Literal["high", "low"]
    beat: Literal["low", "high"]
    trump_in: Literal["void", "always"]
    overtake: bool
    keep_trumps: bool


class Thresholds(
    msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="thresholds"
):
    """A policy of thresholds.

    Attributes
    ----------
    margin : 1 to 15 points
        A team that many points ahead, or behind, is called so.
    ahead, behind : -1 to 1
        What is then added to all its thresholds, a probability.
    gleich, hanger, spiel : Betting
    style : Style
    """

    margin: Annotated[int, Meta(ge=1, le=15)]
    ahead: Shift
    behind: Shift
    gleich: Betting
    hanger: Betting
    spiel: Betting
    style: Style

    def __post_init__(self) -> None:
        rates = [self.gleich.bluff, self.hanger.bluff, self.spiel.bluff]
        if sum(rates) > 1:
            raise ValueError(f"the bluff rates of the figures sum to {sum(rates):g}: at most 1")


class Random(
    msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="random"
):
    """Whatever is legal, each with the same chance: what is said, and which card is played."""


Policy = Thresholds | Random


class Chances(NamedTuple):
    """The chance that the team scores a figure, by what a player knows; probabilities, float64.

    Attributes
    ----------
    gleich, hanger : arrays, (FIGURE_STATES, GLEICH_CLASSES or HANGER_CLASSES)
        By tricks played and class.
    spiel : array, (SPIEL_STATES, SPIEL_CLASSES)
        By 6 * our tricks + 2 * their tricks + (1 if we lead next), and
        32 * trumps + 4 * unseen trumps above + other suits headed.
    """

    gleich: NDArray[np.float64]
    hanger: NDArray[np.float64]
    spiel: NDArray[np.float64]


CHANCE_SHAPES = (
    (FIGURE_STATES, GLEICH_CLASSES),
    (FIGURE_STATES, HANGER_CLASSES),
    (SPIEL_STATES, SPIEL_CLASSES),
)


#: Where each figure's cells begin among the words of a standing: a cell is state * classes + class.
CELLS = (0, FIGURE_STATES * GLEICH_CLASSES, FIGURE_STATES * (GLEICH_CLASSES + HANGER_CLASSES))

ALL_CELLS = CELLS[-1] + SPIEL_STATES * SPIEL_CLASSES

# The columns of a side's traits; BLUFF is the first of three.
RANDOM, MARGIN, BLUFF, LEAD_TRUMPS, LEAD_LOW, BEAT_HIGH, TRUMP_IN, OVERTAKE, KEEP_TRUMPS = (
    0,
    1,
    2,
    5,
    6,
    7,
    8,
    9,
    10,
)
TRAITS = 11


class Book(NamedTuple):
    """What the two sides' policies come to, side by side, for the kernels.

    Attributes
    ----------
    words : uint32 array, (2, STANDINGS * ALL_CELLS)
        The rungs to bet, hold and raise to, by standing of the game and cell of a figure.
    traits : int64 array, (2, TRAITS)
        RANDOM: 1 where the side does whatever is legal, and its words are not read. MARGIN. BLUFF:
        a drawn number below the first is a bluff on Gleich, else below the second one on Hanger,
        else below the third one on the Spiel; numbers drawn are below 2**32. Then the style.
    """

    words: NDArray[np.uint32]
    traits: NDArray[np.int64]


def book(policies: tuple[Policy, Policy], chances: tuple[Chances, Chances]) -> Book:
    """The book of two sides.

    Parameters
    ----------
    policies : pair of Policy
    chances : pair of Chances
        What each side takes its chances to be.

    Raises
    ------
    ValueError
        A table of chances has another shape, or holds something else than probabilities.
    """
    for tables in chances:
        _check(tables)
    sides = list(zip(policies, chances, strict=True))
    return Book(
        words=np.stack([_words(policy, tables).ravel() for policy, tables in sides]),
        traits=np.array([_traits(policy) for policy in policies], dtype=np.int64),
    )


def _check(chances: Chances) -> None:
    for name, table, shape in zip(Chances._fields, chances, CHANCE_SHAPES, strict=True):
        if table.shape != shape:
            raise ValueError(f"chances of {name} have the shape {table.shape}, not {shape}")
        if not ((table >= 0) & (table <= 1)).all():
            raise ValueError(f"chances of {name} are not all from 0 to 1")


def _words(policy: Policy, chances: Chances) -> NDArray[np.uint32]:
    """The rungs of all figures, (STANDINGS, ALL_CELLS)."""
    words = np.zeros((STANDINGS, ALL_CELLS), dtype=np.uint32)
    if isinstance(policy, Random):
        return words
    for start, figure, table in zip(CELLS, Chances._fields, chances, strict=True):
        own: Betting = getattr(policy, figure)
        cells = slice(start, start + table.size)
        for standing, shift in ((BEHIND, policy.behind), (LEVEL, 0.0), (AHEAD, policy.ahead)):
            for rung in range(2, SPIEL_AUS + 1):
                least = _least_chances(own, rung)
                for place, asked in zip((0, HOLDS, RAISES), least, strict=True):
                    does = (table.ravel() >= asked + shift).astype(np.uint32)
                    words[standing, cells] |= does << np.uint32(place + rung - 1)
    return words


def _least_chances(betting: Betting, rung: int) -> tuple[float, float, float]:
    """At which chances a rung is bet, held, raised to."""
    if rung == SPIEL_AUS:
        return betting.aus, betting.hold_aus, betting.aus
    further = rung - 2
    return (
        betting.bet + betting.rise * further,
        betting.hold + betting.hold_rise * further,
        betting.raise_ + betting.rise * (further - 1),
    )


def _traits(policy: Policy) -> list[int]:
    """A side's row of numbers, in the order of the columns."""
    if isinstance(policy, Random):
        return [1, 1, *[0] * (TRAITS - BLUFF)]
    rates = [policy.gleich.bluff, policy.hanger.bluff, policy.spiel.bluff]
    style = policy.style
    return [
        0,
        policy.margin,
        *[min(int(rate * (1 << 32)), (1 << 32) - 1) for rate in accumulate(rates)],
        style.lead_trumps,
        style.lead == "low",
        style.beat == "high",
        style.trump_in == "always",
        style.overtake,
        style.keep_trumps,
    ]
