"""What a hand of Gilten holds (GN-3.1, GN-3.2): Gleich and Hanger, as classes.

The Gleiche of a hand are a set of bits, bit c - 1 standing for class c: the best is the highest
bit, and a team's are the union of its hands' (GN-3.5).
"""

from __future__ import annotations

from functools import cache
from typing import Any

from sims.bits import U32, bit_length, trailing_zeros
from sims.cards import GILTEN
from sims.figures import Atom, Axis, Figure, Hand, Part, Reading
from sims.gilten.rules import Rules
from sims.jit import inlined

#: The seats in order of play (GN-1.2, GN-1.4), by number of players.
SEATS = {4: ("forehand", "second", "third", "dealer"), 2: ("forehand", "dealer")}

_SIZES = ("pair", "triplet", "quartet")
_RANKS = GILTEN.ranks

GLEICH = Axis(
    columns=("size", "rank"),
    labels=(("none", None), *((size, rank) for size in _SIZES for rank in _RANKS)),
)
HANGER = Axis(
    columns=("length", "top"),
    labels=(
        ("none", None),
        *((str(length), top) for length in (2, 3, 4, 5) for top in _RANKS[length - 1 :]),
    ),
)

OURS, THEIRS, STANDS, NONE = range(4)
OUTCOME = Axis(
    columns=("outcome",),
    labels=(("ours",), ("theirs",), ("stands",), ("none",)),
    ordered=False,
)


# The kernel's codes. A team figure's readings are for each team, and the outcome.
ONE_GLEICH, ONE_HANGER = Reading(0, GLEICH), Reading(1, HANGER)
OUR_GLEICH, THEIR_GLEICH = Reading(2, GLEICH.named("ours")), Reading(3, GLEICH.named("theirs"))
OUR_HANGER, THEIR_HANGER = Reading(4, HANGER.named("ours")), Reading(5, HANGER.named("theirs"))
GLEICH_OUTCOME, HANGER_OUTCOME = Reading(6, OUTCOME), Reading(7, OUTCOME)

# What the other seats hold, and the outcome seen from the team of seat 1.
SEAT_GLEICH = (ONE_GLEICH, *(Reading(40 + seat, GLEICH) for seat in (1, 2, 3)))
SEAT_HANGER = (ONE_HANGER, *(Reading(43 + seat, HANGER) for seat in (1, 2, 3)))
GLEICH_OUTCOME_SEEN = (GLEICH_OUTCOME, Reading(47, OUTCOME))
HANGER_OUTCOME_SEEN = (HANGER_OUTCOME, Reading(48, OUTCOME))

FIGURES = {
    figure.name: figure
    for figure in (
        Figure("gleich", "Gleich in a hand", (Part("hand", (ONE_GLEICH,)),)),
        Figure("hanger", "Hanger in a hand", (Part("hand", (ONE_HANGER,)),)),
        Figure(
            "gleich-hanger",
            "Gleich and Hanger in a hand",
            (Part("hand", (ONE_GLEICH, ONE_HANGER)),),
        ),
        Figure(
            "team-gleich",
            "The better Gleich of two teams",
            (
                Part("outcome", (GLEICH_OUTCOME,)),
                Part("classes", (OUR_GLEICH, THEIR_GLEICH)),
            ),
        ),
        Figure(
            "team-hanger",
            "The better Hanger of two teams",
            (
                Part("outcome", (HANGER_OUTCOME,)),
                Part("classes", (OUR_HANGER, THEIR_HANGER)),
            ),
        ),
    )
}


def figures(rules: Rules) -> dict[str, Figure]:
    """The figures that can be tallied under some rules, by name."""
    return {**FIGURES, **_odds_figures(rules.players, rules.tie)}


def holders(players: int, tie: str) -> dict[str, tuple[int, ...]]:
    """The parts of `odds-gleich` and `odds-hanger`, by name: the seats whose best class is given.

    `hand` is what one player knows, `team` what two partners know who tell each other (GN-5.4). Who
    sits where matters only if a tie option of GN-3.5 breaks ties by seat. Of two players each is
    his own team.
    """
    hands = {f"hand {name}": (seat,) for seat, name in enumerate(SEATS[players])}
    teams = {"team forehand": (0, 2), "team second": (1, 3)} if players == 4 else {}
    if tie == "stands":
        hands = {"hand": (0,)}
        teams = {"team": (0, 2)} if players == 4 else {}
    return {**hands, **teams}


@cache
def _odds_figures(players: int, tie: str) -> dict[str, Figure]:
    """Who scores a figure, for each class that a hand or a team may hold."""
    known = (
        ("gleich", "Gleich", SEAT_GLEICH, OUR_GLEICH, THEIR_GLEICH, GLEICH_OUTCOME_SEEN),
        ("hanger", "Hanger", SEAT_HANGER, OUR_HANGER, THEIR_HANGER, HANGER_OUTCOME_SEEN),
    )
    made = {}
    for name, title, by_seat, ours, theirs, outcome in known:
        parts = []
        for part, seats in holders(players, tie).items():
            held = by_seat[seats[0]] if len(seats) == 1 else (ours, theirs)[seats[0]]
            given = Reading(held.code, by_seat[0].axis)
            parts.append(Part(part, (given, outcome[seats[0] % 2]), given=1))
        made[f"odds-{name}"] = Figure(
            f"odds-{name}", f"Who scores the {title}, by the best that is held", tuple(parts)
        )
    return made


#: Gleich and Hanger are all there is to a hand as dealt.
HAND = Hand(
    basis=(ONE_GLEICH, ONE_HANGER),
    of_basis={ONE_GLEICH.code: lambda gleich, _: gleich, ONE_HANGER.code: lambda _, hanger: hanger},
    atoms={
        "gleich": Atom("gleich", "the best Gleich", GLEICH, lambda gleich, _: gleich),
        "hanger": Atom("hanger", "the best Hanger", HANGER, lambda _, hanger: hanger),
    },
)

_SUIT = U32(0xFF)
_LOW_SEVEN_OF_EACH_SUIT = U32(0x7F7F7F7F)


@inlined
def gleich_set(hand: Any) -> Any:
    """The Gleiche of a hand, uint32: pairs in bits 0-7, triplets in 8-15, quartets in 16-23.

    A rank's suits are counted two and two: `some` has a rank if either suit of a couple does,
    `both` if both do.
    """
    eichel, laub = hand & _SUIT, (hand >> U32(8)) & _SUIT
    herz, schell = (hand >> U32(16)) & _SUIT, hand >> U32(24)
    both_1, some_1 = eichel & laub, eichel | laub
    both_2, some_2 = herz & schell, herz | schell
    pairs = both_1 | both_2 | (some_1 & some_2)
    triplets = (both_1 & some_2) | (some_1 & both_2)
    quartets = both_1 & both_2
    return U32(pairs | (triplets << U32(8)) | (quartets << U32(16)))


@inlined
def runs(hand: Any) -> tuple[Any, Any, Any, Any]:
    """The lowest cards of all runs of two, three, four and five cards in a suit, uint32 each.

    Seven cards of each suit can be the lower of a run of two: none turns the corner.
    """
    two = U32(hand & (hand >> U32(1)) & _LOW_SEVEN_OF_EACH_SUIT)
    three = U32(two & (two >> U32(1)))
    four = U32(three & (three >> U32(1)))
    five = U32(four & (four >> U32(1)))
    return two, three, four, five


@inlined
def any_suit(cards: Any) -> Any:
    """The ranks of the cards, whatever their suit: the lowest eight bits, uint32."""
    halves = U32(cards | (cards >> U32(16)))
    return U32((halves | (halves >> U32(8))) & _SUIT)


@inlined
def best_of_runs(two: Any, three: Any, four: Any, five: Any) -> Any:
    """The class of the best Hanger among some runs: the longest, and of these the highest.

    Classes 1-7 have two cards, 8-13 three, 14-18 four, 19-22 five.
    """
    longest, shorter = two, U32(0)
    longest, shorter = (three, U32(7)) if three != U32(0) else (longest, shorter)
    longest, shorter = (four, U32(13)) if four != U32(0) else (longest, shorter)
    longest, shorter = (five, U32(18)) if five != U32(0) else (longest, shorter)
    return U32(bit_length(any_suit(longest)) + shorter)


@inlined
def best_gleich(hand: Any) -> Any:
    """The class of a hand's Gleich, uint32 0 to 24."""
    return bit_length(gleich_set(hand))


@inlined
def best_hanger(hand: Any) -> Any:
    """The class of a hand's Hanger, uint32 0 to 22."""
    two, three, four, five = runs(hand)
    return best_of_runs(two, three, four, five)


@inlined
def best_gleich_of_two(one: Any, other: Any) -> Any:
    """The class of the better Gleich of two hands."""
    return bit_length(U32(gleich_set(one) | gleich_set(other)))


@inlined
def best_hanger_of_two(one: Any, other: Any) -> Any:
    """The class of the better Hanger of two hands: the best among the runs of both."""
    one_two, one_three, one_four, one_five = runs(one)
    two, three, four, five = runs(other)
    return best_of_runs(
        U32(one_two | two), U32(one_three | three), U32(one_four | four), U32(one_five | five)
    )


@inlined
def trump_suit(turnup: Any) -> Any:
    """All cards of the turn-up's suit, uint32; `turnup` is the mask of one card."""
    return _SUIT << U32(trailing_zeros(turnup) & U32(24))


@inlined
def trump_of_rank(gleich: Any, turnup: Any) -> Any:
    """The trump of the rank of a Gleich, given by its class (1 to 24), as the mask of one card."""
    rank = (gleich + U32(7)) & U32(7)
    return U32(1) << U32((trailing_zeros(turnup) & U32(24)) + rank)
