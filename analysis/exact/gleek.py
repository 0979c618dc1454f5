"""Exact counts for Gleek, as dealt: the ruff (GK-3), sets (GK-4) and trump honours (GK-5.3).

A hand's ruff is its best total in one suit, so `analysis.exact.counting` is asked, with the suits
as groups, in how many deals no ruff is above a threshold. Three things are particular to Gleek:

- Four aces beat every ruff. They are dealt beforehand: the deals in which one hand has all aces are
  deals of the rest of the pack in which that hand wants four cards fewer and starts every suit with
  an ace. At most one hand has them, so these deals need only be taken away from the others.
- Ties. Of some hands it is asked that they stay below a total, of the others only that they do not
  pass it. What differs between two such questions is who holds the best ruff, and with whom.
- Under `turnup_in_ruff` the dealer's ruff is that of thirteen cards, any of which may be the
  turn-up. So thirteen cards are dealt to him, and each such deal stands for thirteen.

Sets, aces and honours are judged on a few cards of the pack, and counted by binomials.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import combinations, product
from math import comb, prod

import numpy as np
from numpy.typing import NDArray

from analysis.exact.counting import (
    Counts,
    Exact,
    Integers,
    Polynomials,
    Shares,
    count_deals,
    deals,
    differences,
    exact_integers,
    highest,
    multiply,
    share_out,
)
from sims.cards import GLEEK as PACK
from sims.gleek.figures import HONOUR_RANKS, HONOUR_SETS, INCOME, SET_PAY, TOTALS
from sims.gleek.rules import Rules

#: The figures that `counts` can count, under any rules.
COUNTED = ("ruff", "best-ruff", "sets", "aces", "honours")

#: GK-3.1, by rank.
CARD_POINTS = {"A": 11, "K": 10, "Q": 10, "J": 10} | {str(pips): pips for pips in range(4, 11)}


@dataclass(frozen=True)
class Dimensions:
    """What is dealt: a pack, and how many cards to how many hands.

    Attributes
    ----------
    suits : int
        How many suits there are; as many cards of a rank are a mournival, one fewer a gleek.
    points : tuple of int
        What the cards of a suit count in the ruff, low to high; the last four are the honours, the
        last one the ace.
    hand : int
        Cards in a hand.
    players : int
        One card is turned up after their hands are dealt; what is left is the stock.
    """

    suits: int
    points: tuple[int, ...]
    hand: int
    players: int

    @property
    def cards(self) -> int:
        """The number of cards in the pack."""
        return self.suits * len(self.points)

    @property
    def stock(self) -> int:
        """The number of cards in the stock."""
        return self.cards - self.players * self.hand - 1


#: GK-1.1 to GK-1.3; others for tests.
GLEEK = Dimensions(
    len(PACK.suits), tuple(CARD_POINTS[rank] for rank in PACK.ranks), hand=12, players=3
)


def counts(figure: str, rules: Rules) -> Counts:
    """Count all hands, or all deals, by the class of a figure.

    Parameters
    ----------
    figure : str
        One of `COUNTED`.
    rules : Rules
        `turnup_in_ruff` is used by 'best-ruff'; eldest's hand does not depend on it.

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
            return Counts({"hand": _by_total(ruffs.ways["points"], TOTALS)}, ruffs.total)
        case "best-ruff":
            others = (GLEEK.hand,) * (GLEEK.players - 1)
            ruffs = best_ruff_counts((*others, GLEEK.hand + rules.turnup_in_ruff), GLEEK)
            points = _by_total(ruffs.ways["points"], TOTALS)
            return Counts({**ruffs.ways, "points": points}, ruffs.total)
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
    int64 array, shape (74, 5, 3, 3, 3, 16)
        By ruff, number of aces, sets of kings, queens and jacks, and trump honours.
    """
    return joint_hand_counts(GLEEK)[[*TOTALS, -1]]


def _by_total(points: Exact, totals: Sequence[int]) -> Exact:
    """The rows of some totals, and that of four aces, which is the last."""
    return points[[*totals, -1]]


# The ruff (GK-3) ---------------------------------------------------------------------------------


def best_ruff_counts(sizes: tuple[int, ...], dimensions: Dimensions) -> Counts:
    """The best ruff of some hands, who has it and how many hold it (GK-3.1, GK-3.4).

    Parameters
    ----------
    sizes : tuple of int
        How many cards each hand has to count, in the order of the seats.
    dimensions : Dimensions
        Of which only the pack is used.

    Returns
    -------
    Counts
        `points`: a row for each total from 0 to that of a whole suit, and a last one for all aces;
        `winner`: by seat; `tie`: by how many hands hold the best ruff, from one.
    """
    seats = range(len(sizes))
    total = deals(dimensions.cards, sizes)
    all_aces = [_deals_with_all_aces(seat, sizes, dimensions) for seat in seats]
    within = Within(sizes, dimensions)
    points = differences(within.counts(()))
    winner, tie = list(all_aces), [sum(all_aces), *[0] * (len(sizes) - 1)]
    for seat in seats:
        # The first of the best: the hands before this one are below it, as this one is not.
        before = tuple(seats[:seat])
        winner[seat] += within.at_best(before, (seat,))
        for tied in combinations(seats, seat + 1):
            others = tuple(set(seats) - set(tied))
            tie[seat] += within.at_best(others, tied)
    ways = {
        "points": np.append(points, sum(all_aces)),
        "winner": np.array(winner, np.object_),
        "tie": np.array(tie, np.object_),
    }
    return Counts({part: exact_integers(each, total) for part, each in ways.items()}, total)


class Within:
    """In how many deals no hand passes a total, and some stay below it: for every total.

    Every method takes the seats that stay below, and returns the number of deals for each total
    from 0 to that of a whole suit.

    Parameters
    ----------
    sizes : tuple of int
        How many cards each hand has to count.
    dimensions : Dimensions
        Of which only the pack is used.
    """

    def __init__(self, sizes: tuple[int, ...], dimensions: Dimensions) -> None:
        self.sizes, self.suits = sizes, dimensions.suits
        self.points = suit_points(dimensions.points)
        cards = len(dimensions.points)
        self._shares = share_out(cards, sizes)
        self._shares_without_aces = {
            seat: share_out(cards - 1, _with_all_aces(seat, sizes, dimensions.suits))
            for seat, size in enumerate(sizes)
            if size >= dimensions.suits
        }
        self._known: dict[tuple[int, ...], Exact] = {}

    def counts(self, below: tuple[int, ...]) -> Exact:
        """Where no hand has all aces: they count for more than any total."""
        if len(below) == len(self.sizes):
            return np.append(0, self.counts(())[:-1])
        # Hands of equally many cards can stand for one another, which saves half the work.
        key = tuple(sorted(self.sizes[seat] for seat in below))
        if key not in self._known:
            all_aces = [self.with_all_aces(seat, below) for seat in self._shares_without_aces]
            self._known[key] = self.with_any_aces(below) - sum(all_aces)
        return self._known[key]

    def with_any_aces(self, below: tuple[int, ...]) -> Exact:
        """Where hands with all aces count their total like others."""
        return self._counts(self._shares, [self.points] * len(self.sizes), below)

    def with_all_aces(self, seat: int, below: tuple[int, ...]) -> Exact:
        """Where one hand, of as many cards at least, has all aces and counts its total."""
        without, ace = np.split(self.points, 2)  # the ace is the highest bit of a holding
        points = [ace if other == seat else without for other in range(len(self.sizes))]
        return self._counts(self._shares_without_aces[seat], points, below)

    def at_best(self, below: tuple[int, ...], at: tuple[int, ...]) -> int:
        """In how many deals the hands `at` hold the best ruff, those `below` do not, none all aces.

        A hand is at a total if it does not pass it and is not below: inclusion and exclusion.
        """
        return sum(
            (-1) ** number * int(self.counts(below + lower).sum())
            for number in range(len(at) + 1)
            for lower in combinations(at, number)
        )

    def _counts(
        self, shares: Shares, points: Sequence[NDArray[np.uint8]], below: tuple[int, ...]
    ) -> Exact:
        """By what each hand's holdings count. To stay below is to stay within with one more."""
        tables = [each + np.uint8(seat in below) for seat, each in enumerate(points)]
        lanes = int(self.points[-1]) + 2
        suit = shares.tally(highest(shares.holdings, tables), lanes).at_most(lanes)
        return count_deals([suit] * self.suits)[:-1]


def suit_points(points: tuple[int, ...]) -> NDArray[np.uint8]:
    """GK-3.1: the points of every holding in a suit, shape (2^cards of the suit,)."""
    holdings = np.arange(1 << len(points))
    counted = [(holdings >> card & 1) * each for card, each in enumerate(points)]
    total: NDArray[np.uint8] = np.sum(counted, axis=0).astype(np.uint8)
    return total


def _with_all_aces(seat: int, sizes: tuple[int, ...], suits: int) -> tuple[int, ...]:
    """The cards that the hands still want when one has been given all aces."""
    return tuple(size - suits * (other == seat) for other, size in enumerate(sizes))


def _deals_with_all_aces(seat: int, sizes: tuple[int, ...], dimensions: Dimensions) -> int:
    """GK-3.1: in how many deals a hand has all aces."""
    if sizes[seat] < dimensions.suits:
        return 0
    rest = dimensions.cards - dimensions.suits
    return deals(rest, _with_all_aces(seat, sizes, dimensions.suits))


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
    int64 array, shape (totals + 1, suits + 1, 3, 3, 3, 16)
        By ruff as in `best_ruff_counts`; by aces; by sets of kings, queens and jacks; by trump
        honours in the order of `sims.gleek.figures.HONOURS`.
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
    for rank in (2, 3, 4):  # from numbers of cards to none, gleek, mournival
        joint = np.add.reduceat(joint, [0, suits - 1, suits], axis=rank)
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
