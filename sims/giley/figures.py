"""What a hand of Giley is worth (GY-1.2, GY-4.1): its points, as classes.

Points are counted in *steps*: two for a seven, five for an ace, four for any other card. Up to four
cards of one suit come in the same order in steps as in points, and every number of steps from 4 to
17 occurs. So a class is the number of steps less three; the seven alone, two steps, is class 0.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from sims.bits import U32
from sims.figures import Atom, Axis, Figure, Hand, Part, Reading
from sims.giley.rules import SEATS, Rules
from sims.jit import inlined

#: GY-4.1: all totals of up to four cards of one suit, worst first.
POINTS = (7, 10, 11, 17, 18, 20, 21, 27, 28, 30, 31, 37, 38, 40, 41)

FOUR = Axis(columns=("points",), labels=tuple((points,) for points in POINTS))
TWO = Axis(columns=("points",), labels=FOUR.labels[:7])

#: GY-4.2: what becomes of one hand at the show; shares of a pot are neither won nor lost.
OUTCOME = Axis(
    columns=("outcome",),
    labels=(("alone",), ("tied, won",), ("tied, lost",), ("lost",)),
    ordered=False,
)
SHARED_OUTCOME = Axis(
    columns=("outcome",), labels=(("alone",), ("tied",), ("lost",)), ordered=False
)

# The kernel's codes.
ONE_TWO, ONE_FOUR = Reading(0, TWO), Reading(1, FOUR)
BEST_POINTS = Reading(2, FOUR)
TIED_CODE, WINNER_CODE = 3, 4
# Those of each seat: its points of two cards and of four, and what becomes of it.
_MOST_PLAYERS = max(SEATS)
TWO_OF_SEAT = tuple(Reading(40 + seat, TWO) for seat in range(_MOST_PLAYERS))
FOUR_OF_SEAT = tuple(Reading(45 + seat, FOUR) for seat in range(_MOST_PLAYERS))
OUTCOME_CODES = tuple(50 + seat for seat in range(_MOST_PLAYERS))


def outcome_axis(shares: bool) -> Axis:
    """The outcomes where a tie is shared out, or where one of the tied wins."""
    return SHARED_OUTCOME if shares else OUTCOME


def figures(rules: Rules) -> dict[str, Figure]:
    """The figures that can be tallied, by name; the classes of some depend on the rules."""
    return _figures(rules.players, rules.tie == "split")


@cache
def _figures(players: int, shares: bool) -> dict[str, Figure]:
    tied = Axis(columns=("tied",), labels=tuple((number,) for number in range(1, players + 1)))
    seats = (*SEATS[players], "shared") if shares else SEATS[players]
    winner = Axis(columns=("seat",), labels=tuple((seat,) for seat in seats), ordered=False)
    declared = (
        Figure("two", "Points of two cards", (Part("hand", (ONE_TWO,)),)),
        Figure("four", "Points of four cards", (Part("hand", (ONE_FOUR,)),)),
        Figure(
            "best",
            "The best points at the table",
            (
                Part("points", (BEST_POINTS,)),
                Part("tie", (Reading(TIED_CODE, tied),)),
                Part("winner", (Reading(WINNER_CODE, winner),)),
            ),
        ),
        _odds_figure("two", "two cards", TWO_OF_SEAT, players, shares),
        _odds_figure("four", "four cards", FOUR_OF_SEAT, players, shares),
    )
    return {figure.name: figure for figure in declared}


def _odds_figure(
    name: str, cards: str, own: tuple[Reading, ...], players: int, shares: bool
) -> Figure:
    """A part a seat: for the points of its own cards, what becomes of its four at the show."""
    parts = [
        Part(seat, (points, Reading(code, outcome_axis(shares))), given=1)
        for seat, points, code in zip(SEATS[players], own, OUTCOME_CODES, strict=False)
    ]
    return Figure(f"odds-{name}", f"What becomes of {cards}", tuple(parts))


#: The points of two cards and of four are all there is to a hand as dealt.
HAND = Hand(
    basis=(ONE_TWO, ONE_FOUR),
    of_basis={ONE_TWO.code: lambda two, _: two, ONE_FOUR.code: lambda _, four: four},
    atoms={
        "two": Atom("two", "points of the first two cards", TWO, lambda two, _: two),
        "points": Atom("points", "points of all four cards", FOUR, lambda _, four: four),
    },
)

# A suit's seven cards lie side by side, from the lowest bit up 2, 3, 7, S, C, K, A: a *field* of
# seven bits, the first field oros. The masks have the same bits in every field.
_LOWER_OF_PAIRS = U32(0b0101001_0101001_0101001_0101001)  # the 2, the S and the K
_ACES = U32(0b1000000_1000000_1000000_1000000)

# The totals of the suits lie in fields as well, but from bit 4 up, so that the last field ends at
# the top of the word. From the lowest bit up: two bits for the suit's precedence, five for steps.
_TWO_STEPS = U32(0b0001000_0001000_0001000_0001000_0000)
_FOUR_STEPS = U32(0b0110000_0110000_0110000_0110000_0000)
_TOP_FIELD = U32(0b1111111 << 25)
_STEPS_SHIFT = U32(27)

#: GY-4.2 `suit_rank`: each suit's precedence in its field, 3 for oros down to 0 for bastos.
PRECEDENCE = 0b0000000_0000001_0000010_0000011_0000


@inlined
def suit_totals(cards: Any) -> Any:
    """The total of each suit in steps, uint32, in fields without precedence.

    2 and 3, S and C, K and A are counted in pairs first, two bits a pair; the seven between them
    stays as it is. A pair's number is then moved to the place of four steps and the seven to that
    of two, by the same shift as S and C; the ace's fifth step is where the ace has been.
    """
    pairs = U32(cards - U32((cards >> U32(1)) & _LOWER_OF_PAIRS))
    seven_s_c = U32((pairs << U32(5)) & U32(_TWO_STEPS | _FOUR_STEPS))
    k_a, two_three = U32((pairs << U32(3)) & _FOUR_STEPS), U32((pairs << U32(8)) & _FOUR_STEPS)
    return U32(U32(U32(seven_s_c + k_a) + two_three) | U32(cards & _ACES))


@inlined
def highest_field(totals: Any) -> Any:
    """The highest field brought to the top of the word, uint32; the bits below it are rubbish.

    Each field in turn is brought there; what lies below decides only among equals.
    """
    copas, oros = U32(totals << U32(14)), U32(totals << U32(21))
    return max(max(totals, U32(totals << U32(7))), max(copas, oros))


@inlined
def class_of_steps(steps: Any) -> Any:
    """The class of a total in steps, uint32 0 to 14; two steps, the seven alone, are class 0."""
    return U32(max(steps, U32(3)) - U32(3))


@inlined
def best_points(cards: Any) -> Any:
    """The class of a hand's points (GY-1.2), uint32: its best total in one suit."""
    return class_of_steps(U32(highest_field(suit_totals(cards)) >> _STEPS_SHIFT))


# Who wins (GY-4.2) is the seat with the highest *claim*: from the top of the word five bits for
# steps and two for the precedence of their suit, at the bottom four for the seat.


@inlined
def claim(cards: Any, precedence: Any, place: Any) -> Any:
    """A hand's claim to the pot, uint32.

    `precedence` is PRECEDENCE where suits have a rank, else 0: with it the highest field is the
    suit that counts (GY-4.3). `place`, below 16, decides between equals.
    """
    return U32((highest_field(U32(suit_totals(cards) | precedence)) & _TOP_FIELD) | place)


@inlined
def claimed_steps(claim: Any) -> Any:
    """The steps of a claim, uint32."""
    return U32(claim >> _STEPS_SHIFT)


@inlined
def is_level(claim: Any, other: Any) -> Any:
    """Whether two claims have equal steps."""
    return U32(claim ^ other) < (U32(1) << _STEPS_SHIFT)


@inlined
def place_of_seat(seat: Any, privilege: Any) -> Any:
    """What decides between equals, uint32: privilege (0 or 1) in bit 3, then the lower seat."""
    return U32((privilege << U32(3)) | U32(U32(7) - seat))


@inlined
def claiming_seat(claim: Any) -> Any:
    """The seat of a claim, uint32."""
    return U32(U32(7) - U32(claim & U32(7)))
