"""Exact counts for Gleek, as dealt: the ruff (GK-3), sets (GK-4) and trump honours (GK-5.3).

The ruff is counted in `analysis.exact.gleek_ruff`. Sets, aces and honours are judged on a few cards
of the pack, and counted by binomials.
"""

from __future__ import annotations

from functools import reduce
from itertools import product
from math import comb, prod

import numpy as np

from analysis.exact.counting import (
    Counts,
    Integers,
    Polynomials,
    deals,
    exact_integers,
    multiply,
)
from analysis.exact.gleek_ruff import (
    GLEEK,
    Dimensions,
    best_ruff_counts,
    odds_counts,
    suit_points,
)
from sims.gleek.figures import HONOUR_RANKS, HONOUR_SETS, INCOME, SET_PAY, TOTALS
from sims.gleek.rules import Rules

#: The figures that `counts` can count, under any rules.
COUNTED = ("ruff", "best-ruff", "sets", "aces", "honours", "odds-ruff")

#: Of an array by total, whose last row is that of four aces: the classes of a ruff.
RUFF_ROWS = [*TOTALS, -1]


def counts(figure: str, rules: Rules) -> Counts:
    """Count all hands, or all deals, by the class of a figure.

    Parameters
    ----------
    figure : str
        One of `COUNTED`.
    rules : Rules
        `turnup_in_ruff` is used by 'best-ruff' and 'odds-ruff'; eldest's own hand does not depend
        on it.

    Returns
    -------
    Counts
        Parts with the classes of `sims.gleek.figures`, each summing to the number of hands or
        deals:

        - 'ruff': `hand`, shape (74,), over the 21 090 682 613 hands.
        - 'best-ruff': `points`, shape (74,), `winner`, shape (3,), and `tie`, shape (3,), over all
          deals of three hands, 6.0e23; under `turnup_in_ruff` of twelve, twelve and thirteen cards,
          3.7e23, each standing for the thirteen deals in which one of the thirteen is turned up.
        - 'sets': `A`, `K`, `Q`, `J`, shape (3,), `number`, shape (5,), and `income`, shape (18,),
          over all hands.
        - 'aces': `hand`, shape (5,), over all hands.
        - 'honours': `hand`, shape (16,), `turnup`, shape (5,), and `stock`, shape (16,), over all
          deals of eldest's hand, the turn-up and the stock.
        - 'odds-ruff': `eldest`, `second` and `dealer`, shape (74, 4), the seat's own ruff and what
          becomes of it, over the deals of 'best-ruff'.

    Raises
    ------
    ValueError
        If there is no such figure.

    Examples
    --------
    >>> from sims.gleek.rules import Rules
    >>> counts("ruff", Rules()).ways["hand"][[0, 72, 73]]  # 15; 90; four aces
    array([       1,      132, 76904685])
    """
    match figure:
        case "ruff":
            ruffs = best_ruff_counts((GLEEK.hand,), GLEEK)
            return Counts({"hand": ruffs.ways["points"][RUFF_ROWS]}, ruffs.total)
        case "best-ruff":
            ruffs = best_ruff_counts(counted_cards(rules), GLEEK)
            points = ruffs.ways["points"][RUFF_ROWS]
            return Counts({**ruffs.ways, "points": points}, ruffs.total)
        case "odds-ruff":
            odds = odds_counts(counted_cards(rules), GLEEK)
            return Counts({seat: ways[RUFF_ROWS] for seat, ways in odds.ways.items()}, odds.total)
        case "sets":
            sets = set_counts(GLEEK)
            incomes = tuple(chips for (chips,) in INCOME.labels if isinstance(chips, int))
            return Counts({**sets.ways, "income": sets.ways["income"][[*incomes]]}, sets.total)
        case "aces":
            return ace_counts(GLEEK)
        case "honours":
            return honour_counts(GLEEK)
    raise ValueError(f"no exact counts of {figure!r} in Gleek; there are {', '.join(COUNTED)}")


def basis_counts(rules: Rules) -> Integers:
    """Eldest's hands with each of their turn-ups, 6.7e11, by the basis of `sims.gleek.figures`.

    Returns
    -------
    int64 array, shape (74, 5, 5, 5, 5, 16)
        By ruff, numbers of aces, kings, queens and jacks, and trump honours.
    """
    return joint_hand_counts(GLEEK)[RUFF_ROWS]


def counted_cards(rules: Rules) -> tuple[int, ...]:
    """GK-3.1: how many cards each seat counts in its ruff."""
    others = (GLEEK.hand,) * (GLEEK.players - 1)
    return (*others, GLEEK.hand + rules.turnup_in_ruff)


# Sets (GK-4) and aces ----------------------------------------------------------------------------


def set_counts(dimensions: Dimensions) -> Counts:
    """The sets of one hand (GK-4.1).

    Returns
    -------
    Counts
        A part for each rank of `SET_PAY`, shape (3,): none, gleek, mournival; `number`, by how many
        sets there are, shape (5,); `income`, by chips from each opponent, from 0.
    """
    joint = joint_set_counts(dimensions)
    kinds: Integers = np.indices(joint.shape)
    chips: Integers = np.tensordot(list(SET_PAY.values()), kinds, axes=1)
    ways = {rank: _summed(joint, kind) for rank, kind in zip(SET_PAY, kinds, strict=True)}
    ways |= {"number": _summed(joint, (kinds > 0).sum(axis=0)), "income": _summed(joint, chips)}
    return Counts(ways, comb(dimensions.cards, dimensions.hand))


def joint_set_counts(dimensions: Dimensions) -> Integers:
    """One hand's sets of all ranks of `SET_PAY` jointly, shape (3, 3, 3, 3).

    Along each axis: none, gleek, mournival.
    """
    suits, ranks = dimensions.suits, len(SET_PAY)
    others = dimensions.cards - suits * ranks
    joint = np.zeros((3,) * ranks, np.int64)
    for held in product(range(suits + 1), repeat=ranks):
        rest = dimensions.hand - sum(held)
        if rest >= 0:
            ways = comb(others, rest) * prod(comb(suits, number) for number in held)
            joint[tuple(max(0, number - suits + 2) for number in held)] += ways
    return joint


def _summed(joint: Integers, classes: Integers) -> Integers:
    """The sums of an array's elements by class; `classes` has the array's shape."""
    sums = np.zeros(classes.max() + 1, np.int64)
    np.add.at(sums, classes, joint)
    return sums


def ace_counts(dimensions: Dimensions) -> Counts:
    """The aces of one hand: part `hand`, shape (suits + 1,)."""
    aces, others = dimensions.suits, dimensions.cards - dimensions.suits
    total = comb(dimensions.cards, dimensions.hand)
    ways = [
        comb(aces, held) * comb(others, dimensions.hand - held) if held <= dimensions.hand else 0
        for held in range(aces + 1)
    ]
    return Counts({"hand": exact_integers(np.array(ways, np.object_), total)}, total)


# All of one hand ---------------------------------------------------------------------------------


def joint_hand_counts(dimensions: Dimensions) -> Integers:
    """Hands, each with every card that may be turned up, by all that there is to a hand as dealt.

    A suit's polynomials have five variables: the cards of the hand, and the jacks, queens, kings
    and aces among them. The plain suits are multiplied; then the holdings of trumps join them.

    Returns
    -------
    int64 array, shape (totals + 1, suits + 1, suits + 1, suits + 1, suits + 1, 16)
        By ruff as in `best_ruff_counts`; by aces, kings, queens and jacks; by trump honours in the
        order of `sims.gleek.figures.HONOURS`.
    """
    suits, honours, lanes = dimensions.suits, len(HONOUR_RANKS), sum(dimensions.points) + 1
    sizes = (dimensions.hand, *[suits] * honours)
    shape = tuple(size + 1 for size in sizes)
    trumps = _suit_by_honours(dimensions, sizes).at_most(lanes)
    plain = reduce(multiply, [trumps] * (suits - 1))
    cards, *numbers = np.unravel_index(plain.terms, shape, order="F")
    up_to = np.zeros((1 << honours, *shape[1:], lanes), np.int64)
    for term, ways in zip(trumps.terms, trumps.ways, strict=True):
        held, *own = np.unravel_index(term, shape, order="F")
        rows = cards == dimensions.hand - held
        cells = tuple(number[rows] + one for number, one in zip(numbers, own, strict=True))
        turnups = len(dimensions.points) - held
        honour_set = sum(int(one) << bit for bit, one in enumerate(own))
        up_to[(HONOUR_SETS.index(honour_set), *cells)] += suits * turnups * ways * plain.ways[rows]
    by_total = np.diff(up_to, axis=-1, prepend=0).T  # totals, aces, kings, queens, jacks, honours
    joint: Integers = np.concatenate([by_total, np.zeros_like(by_total[:1])])
    joint[-1, suits] = joint[:, suits].sum(axis=0)
    joint[:-1, suits] = 0
    return joint


def _suit_by_honours(dimensions: Dimensions, sizes: tuple[int, ...]) -> Polynomials:
    """The holdings in one suit by their cards and each of their honours, a lane for each total."""
    ranks = len(dimensions.points)
    holdings = np.arange(1 << ranks)
    held = np.bitwise_count(holdings)
    holdings, held = holdings[held <= dimensions.hand], held[held <= dimensions.hand]
    own = [holdings >> ranks - len(HONOUR_RANKS) + bit & 1 for bit in range(len(HONOUR_RANKS))]
    shape = tuple(size + 1 for size in sizes)
    terms, term_of = np.unique(
        np.ravel_multi_index((held, *own), shape, order="F"), return_inverse=True
    )
    lanes = sum(dimensions.points) + 1
    codes = term_of * lanes + suit_points(dimensions.points)[holdings]
    ways = np.bincount(codes, minlength=terms.size * lanes)
    return Polynomials(sizes, terms, ways.reshape(terms.size, lanes))


# Trump honours (GK-2.4, GK-5.3) ------------------------------------------------------------------


def honour_counts(dimensions: Dimensions) -> Counts:
    """Where the trump honours lie: eldest's hand, the turn-up, the stock (GK-1.3, GK-5.3).

    Returns
    -------
    Counts
        `hand` and `stock`, shape (16,), in the order of `sims.gleek.figures.HONOURS`; `turnup`,
        shape (5,): none, J, Q, K, A.
    """
    honours = len(HONOUR_RANKS)
    whole = (1 << honours) - 1
    rest = dimensions.cards - 1  # without the turn-up
    dealt = deals(rest, (dimensions.hand, dimensions.stock))
    plain_trumps = dimensions.suits * (len(dimensions.points) - honours)
    turned_up = [(0, plain_trumps), *((1 << bit, dimensions.suits) for bit in range(honours))]
    turnup = [cards * dealt for _, cards in turned_up]
    places = {}
    for part, size in (("hand", dimensions.hand), ("stock", dimensions.stock)):
        sets = np.zeros(1 << honours, np.object_)
        other_place = dealt // comb(rest, size)
        for turned, cards in turned_up:
            others = rest - (whole & ~turned).bit_count()
            for held in range(1 << honours):
                wanted = size - held.bit_count()
                if held & turned or wanted < 0:
                    continue
                sets[held] += cards * comb(others, wanted) * other_place
        places[part] = sets[HONOUR_SETS]
    total = dimensions.cards * dealt
    parts = {"hand": places["hand"], "turnup": np.array(turnup, np.object_)}
    parts["stock"] = places["stock"]
    return Counts({part: exact_integers(ways, total) for part, ways in parts.items()}, total)
