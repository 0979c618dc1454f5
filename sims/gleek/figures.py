"""What a hand of Gleek holds: the ruff (GK-3), sets (GK-4) and trump honours (GK-5.3), as classes.

A card is bit suit * 11 + rank of a uint64 mask; in a suit's eleven bits the ranks run from the 4
(bit 0) to the jack, queen, king and ace (bits 7 to 10). What is judged suit by suit is judged on
halves of the pack, two suits in 22 bits of a uint32: twice as many lanes then fit a vector.
"""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np

from sims.bits import U32, U64, bit_length, popcount
from sims.cards import GLEEK
from sims.figures import TRUTH, Atom, Axis, Figure, FromBasis, Hand, Part, Reading
from sims.gleek.rules import Rules
from sims.jit import inlined

#: The seats in order of play (GK-1.2).
SEATS = ("eldest", "second", "dealer")

#: GK-3.1. Twelve cards are at least three of one suit, or four; so the least ruff is 4 + 5 + 6.
#: The most is a whole suit, and no card counts less than 4: nothing lies between 86 and 90.
TOTALS = (*range(15, 87), 90)
RUFF = Axis(columns=("ruff",), labels=(*((total,) for total in TOTALS), ("four aces",)))
SEAT = Axis(columns=("seat",), labels=tuple((seat,) for seat in SEATS), ordered=False)
TIED = Axis(columns=("tied",), labels=((1,), (2,), (3,)))
#: GK-3.4: a hand's ruff against those of the two others; of tied ones the earlier seat's wins.
OUTCOME = Axis(
    columns=("outcome",),
    labels=(("alone",), ("tied, won",), ("tied, lost",), ("lost",)),
    ordered=False,
)

#: GK-4.1: the ranks that pay, and what a gleek pays; a mournival pays twice as much.
SET_PAY = {"A": 4, "K": 3, "Q": 2, "J": 1}
SET = Axis(columns=("set",), labels=(("none",), ("gleek",), ("mournival",)))
SETS = Axis(columns=("sets",), labels=tuple((number,) for number in range(5)))


def _incomes() -> list[int]:
    """What the sets among twelve cards can bring in: none, three or four cards of each rank."""
    cards = (0, 3, 4)
    return sorted(
        {
            sum(pay * cards.index(held) for pay, held in zip(SET_PAY.values(), hand, strict=True))
            for hand in product(cards, repeat=len(SET_PAY))
            if sum(hand) <= 12
        }
    )


#: 0 to 16 and 18: three mournivals of aces, kings and queens are the most.
INCOME = Axis(columns=("chips",), labels=tuple((chips,) for chips in _incomes()))

ACES, KINGS, QUEENS, JACKS = (
    Axis(columns=(name,), labels=tuple((number,) for number in range(5)))
    for name in ("aces", "kings", "queens", "jacks")
)

#: GK-5.3: the trump honours, low to high: bit i of a set of honours is the i-th.
HONOUR_RANKS = GLEEK.ranks[-4:]
#: All sets of honours: fewer before more, then by the highest.
HONOUR_SETS = sorted(range(16), key=lambda honours: (honours.bit_count(), honours))


def honours_of(honours: int) -> list[str]:
    """The ranks of a set of honours, high to low."""
    return [rank for bit, rank in enumerate(HONOUR_RANKS) if honours >> bit & 1][::-1]


HONOURS = Axis(
    columns=("number", "honours"),
    labels=tuple(
        (honours.bit_count(), " ".join(honours_of(honours)) or "none") for honours in HONOUR_SETS
    ),
    ordered=False,
)
TURNUP = Axis(columns=("turnup",), labels=(("none",), *((rank,) for rank in HONOUR_RANKS)))


# The kernel's codes. Figures of one hand read eldest's; ruffs and incomes are there for all seats.
RUFFS = tuple(Reading(code, RUFF.named(seat)) for code, seat in enumerate(SEATS))
ONE_RUFF = Reading(0, RUFF)
BEST_RUFF, WINNER, TIE = Reading(3, RUFF), Reading(4, SEAT), Reading(5, TIED)
SETS_BY_RANK = {rank: Reading(code, SET) for code, rank in enumerate(SET_PAY, start=6)}
NUMBER_OF_SETS = Reading(10, SETS)
INCOMES = tuple(Reading(code, INCOME.named(seat)) for code, seat in enumerate(SEATS, start=11))
ONE_INCOME = Reading(11, INCOME)
NUMBER_OF_ACES = Reading(14, ACES)
NUMBER_OF_KINGS, NUMBER_OF_QUEENS = Reading(18, KINGS), Reading(19, QUEENS)
NUMBER_OF_JACKS = Reading(20, JACKS)
NUMBERS = (NUMBER_OF_ACES, NUMBER_OF_KINGS, NUMBER_OF_QUEENS, NUMBER_OF_JACKS)
HONOURS_IN_HAND, HONOURS_IN_STOCK = Reading(15, HONOURS), Reading(16, HONOURS)
HONOUR_TURNED_UP = Reading(17, TURNUP)
OUTCOMES = tuple(Reading(code, OUTCOME) for code in range(40, 40 + len(SEATS)))

FIGURES = {
    figure.name: figure
    for figure in (
        Figure("ruff", "Ruff of a hand", (Part("hand", (ONE_RUFF,)),)),
        Figure(
            "best-ruff",
            "The best ruff of three hands",
            (Part("points", (BEST_RUFF,)), Part("winner", (WINNER,)), Part("tie", (TIE,))),
        ),
        Figure(
            "sets",
            "Gleeks and mournivals in a hand",
            (
                *(Part(rank, (reading,)) for rank, reading in SETS_BY_RANK.items()),
                Part("number", (NUMBER_OF_SETS,)),
                Part("income", (ONE_INCOME,)),
            ),
        ),
        Figure("aces", "Aces in a hand", (Part("hand", (NUMBER_OF_ACES,)),)),
        Figure(
            "honours",
            "Trump honours in a hand, turned up and in the stock",
            (
                Part("hand", (HONOURS_IN_HAND,)),
                Part("turnup", (HONOUR_TURNED_UP,)),
                Part("stock", (HONOURS_IN_STOCK,)),
            ),
        ),
        Figure(
            "odds-ruff",
            "What becomes of a ruff",
            tuple(
                Part(seat, (Reading(own.code, RUFF), outcome), given=1)
                for seat, own, outcome in zip(SEATS, RUFFS, OUTCOMES, strict=True)
            ),
        ),
    )
}


def figures(rules: Rules) -> dict[str, Figure]:
    """The figures that can be tallied, by name; the same under all rules."""
    return FIGURES


# A hand as dealt is determined by its ruff, the numbers of its aces, kings, queens and jacks, and
# its trump honours, in this order.


def _classes_of_sets(basis: tuple[Any, ...]) -> dict[str, Any]:
    """The classes of the sets of all ranks: three of a rank are a gleek, four a mournival."""
    return {rank: np.maximum(held - 2, 0) for rank, held in zip(SET_PAY, basis[1:5], strict=True)}


def _own(position: int) -> FromBasis:
    return lambda *basis: basis[position]


def _set_of(rank: str) -> FromBasis:
    return lambda *basis: _classes_of_sets(basis)[rank]


def _has_set(kind: int, rank: str) -> FromBasis:
    return lambda *basis: _classes_of_sets(basis)[rank] == kind


def _has_any_set(kind: int) -> FromBasis:
    return lambda *basis: np.any(
        [found == kind for found in _classes_of_sets(basis).values()], axis=0
    )


def _number_of_sets_of(*basis: Any) -> Any:
    return np.sum([found > 0 for found in _classes_of_sets(basis).values()], axis=0)


def _income_of(*basis: Any) -> Any:
    sets = _classes_of_sets(basis)
    return np.minimum(sum(pay * sets[rank] for rank, pay in SET_PAY.items()), len(INCOME) - 1)


def _number_of_honours_of(*basis: Any) -> Any:
    return np.bitwise_count(np.array(HONOUR_SETS)[basis[-1]])


def _has_honour(rank: str) -> FromBasis:
    bit = HONOUR_RANKS.index(rank)
    return lambda *basis: np.array(HONOUR_SETS)[basis[-1]] >> bit & 1


_NUMBER_OF_HONOURS = Axis(columns=("honours",), labels=tuple((number,) for number in range(5)))
_GLEEK, _MOURNIVAL = 1, 2

HAND = Hand(
    basis=(
        ONE_RUFF,
        *NUMBERS,
        HONOURS_IN_HAND,
    ),
    of_basis={
        ONE_RUFF.code: _own(0),
        **{reading.code: _own(place) for place, reading in enumerate(NUMBERS, start=1)},
        **{reading.code: _set_of(rank) for rank, reading in SETS_BY_RANK.items()},
        NUMBER_OF_SETS.code: _number_of_sets_of,
        ONE_INCOME.code: _income_of,
        HONOURS_IN_HAND.code: _own(-1),
    },
    atoms={
        atom.name: atom
        for atom in (
            Atom("ruff", "the ruff", RUFF, _own(0)),
            *(
                Atom(axis.columns[0], f"number of {axis.columns[0]}", axis, _own(place))
                for place, axis in enumerate((ACES, KINGS, QUEENS, JACKS), start=1)
            ),
            Atom("sets", "number of gleeks and mournivals", SETS, _number_of_sets_of),
            Atom("income", "chips for sets from each opponent", INCOME, _income_of),
            Atom("gleek", "any gleek", TRUTH, _has_any_set(_GLEEK)),
            Atom("mournival", "any mournival", TRUTH, _has_any_set(_MOURNIVAL)),
            *(
                Atom(f"{name}({rank})", f"the {name} of this rank", TRUTH, _has_set(kind, rank))
                for name, kind in (("gleek", _GLEEK), ("mournival", _MOURNIVAL))
                for rank in SET_PAY
            ),
            Atom("honours", "number of trump honours", _NUMBER_OF_HONOURS, _number_of_honours_of),
            *(
                Atom(f"honour({rank})", "this trump honour", TRUTH, _has_honour(rank))
                for rank in SET_PAY
            ),
        )
    },
)

_HALF, _SUIT = U64(0x3FFFFF), U32(0x7FF)
_BOTH_ACES = U32(1 << 21 | 1 << 10)
_LEAST, _WHOLE_SUIT, _FOUR_ACES = U32(TOTALS[0]), U32(len(TOTALS) - 1), U32(len(TOTALS))
_MOST_INCOME = U32(len(INCOME) - 1)

# The binary digits of what the cards of a suit are worth, from the 4 to the ace: the cards with a
# 1 in their points (5 7 9 A), with a 2 (6 7 10 J Q K A), with a 4 (4 5 6 7), with an 8 (8 to A).
_ONES, _TWOS, _FOURS, _EIGHTS = U32(0x42A), U32(0x7CC), U32(0x00F), U32(0x7F0)


@inlined
def halves(hand: Any) -> tuple[Any, Any]:
    """A hand's spades and hearts, and its diamonds and clubs: uint32, 22 bits each."""
    return U32(hand & _HALF), U32(hand >> U64(22))


@inlined
def suit_points(suit: Any) -> Any:
    """GK-3.1: the points of the cards of one suit, uint32; `suit` is eleven bits of a uint32."""
    ones, twos = popcount(U32(suit & _ONES)), popcount(U32(suit & _TWOS))
    fours, eights = popcount(U32(suit & _FOURS)), popcount(U32(suit & _EIGHTS))
    few = U32(ones + U32(twos << U32(1)))
    return U32(few + U32(U32(fours << U32(2)) + U32(eights << U32(3))))


@inlined
def greater(one: Any, other: Any) -> Any:
    """The greater of two numbers."""
    return one if one > other else other


@inlined
def ruff(hand: Any) -> Any:
    """GK-3.1: the class of a hand's ruff, uint32 0 to 73; the hand has twelve cards or more."""
    low, high = halves(hand)
    spades, hearts = suit_points(low & _SUIT), suit_points(U32(low >> U32(11)))
    diamonds, clubs = suit_points(high & _SUIT), suit_points(U32(high >> U32(11)))
    best = greater(greater(spades, hearts), greater(diamonds, clubs))
    total = U32(best - _LEAST)
    total = _WHOLE_SUIT if total > _WHOLE_SUIT else total
    return _FOUR_ACES if U32(low & high & _BOTH_ACES) == _BOTH_ACES else total


@inlined
def sets_of_four(hand: Any) -> Any:
    """GK-4.1: the ranks held three times or more in bits 0-3, four times in bits 4-7; uint32.

    Bit 0 (or 4) is the jack's, bit 3 (or 7) the ace's. Each rank's suits are counted two and two,
    one suit of each half together: `some` has it if either suit does, `both` if both do.
    """
    low, high = halves(hand)
    both_1, some_1 = U32(low & high), U32(low | high)
    both_2, some_2 = U32(both_1 >> U32(11)), U32(some_1 >> U32(11))
    three = U32(U32(both_1 & some_2) | U32(some_1 & both_2))
    four = U32(both_1 & both_2)
    return U32(U32(U32(three >> U32(7)) & U32(15)) | U32(U32(four >> U32(3)) & U32(0xF0)))


@inlined
def set_of_rank(sets: Any, rank: Any) -> Any:
    """The class of a rank's set, uint32 0 to 2; `rank` is 0 for jacks to 3 for aces."""
    return U32(U32(sets >> rank) & U32(1)) + U32(U32(sets >> U32(rank + U32(4))) & U32(1))


@inlined
def number_of_sets(sets: Any) -> Any:
    """How many sets there are, uint32 0 to 4."""
    return popcount(U32(sets & U32(15)))


@inlined
def income(sets: Any) -> Any:
    """GK-4.1: the class of what the sets bring in, uint32 0 to 17.

    Jacks 1, queens 2, kings 3, aces 4 for three of a rank, and the same again for the fourth:
    added up by binary digits, like the points of a suit.
    """
    ones, twos = popcount(U32(sets & U32(0x55))), popcount(U32(sets & U32(0x66)))
    fours = popcount(U32(sets & U32(0x88)))
    chips = U32(ones + U32(U32(twos << U32(1)) + U32(fours << U32(2))))
    return _MOST_INCOME if chips > _MOST_INCOME else chips


_ACES = U64(sum(1 << (suit * 11 + 10) for suit in range(4)))


@inlined
def number_of_rank(hand: Any, below: Any) -> Any:
    """How many cards of a rank a hand holds, uint32 0 to 4.

    `below` says how far the rank is below the aces: 0 for these, 3 for jacks.
    """
    return U32(popcount(hand & (_ACES >> U64(below))))


_HEARTS_UP, _DIAMONDS_UP, _CLUBS_UP = U64(1 << 11), U64(1 << 22), U64(1 << 33)


@inlined
def trump_honours(cards: Any, turnup: Any) -> Any:
    """GK-5.3: the trump honours among some cards as a set, uint64: bit 0 the jack, 3 the ace.

    `turnup` is the mask of one card; the higher its suit, the further down the cards are moved.
    """
    down = U64(7) + (U64(11) if turnup >= _HEARTS_UP else U64(0))
    down += U64(11) if turnup >= _DIAMONDS_UP else U64(0)
    down += U64(11) if turnup >= _CLUBS_UP else U64(0)
    return (cards >> down) & U64(15)


#: The class of every set of honours, four bits each.
_CLASSES_OF_HONOURS = U64(sum(HONOUR_SETS.index(honours) << 4 * honours for honours in range(16)))


@inlined
def honours_class(honours: Any) -> Any:
    """The class of a set of honours, uint32 0 to 15."""
    return U32((_CLASSES_OF_HONOURS >> (honours << U64(2))) & U64(15))


@inlined
def turnup_class(honours: Any) -> Any:
    """The class of the turn-up, uint32 0 to 4, from the honours (one or none) that it is."""
    return U32(bit_length(honours))
