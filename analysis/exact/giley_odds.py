"""What becomes of a hand of Giley at the show, for every hand that a player may hold (GY-4).

A player holds four cards, worth class c. The others' hands are dealt from the cards he has not
seen, and he is not beaten if no hand of theirs is worth more than c in any suit. He wins if besides
all those who would win a tie with him stay below c; he is the best alone if everybody does. With
the suits as groups, `analysis.exact.counting` counts such deals: a suit contributes the ways its
unseen cards can lie with some of the others below c and the rest not above it, and under
`suit_rank` those ways differ from suit to suit.

A suit's contribution depends on the kind of its unseen cards only (`analysis.exact.giley_points`),
on c and on how many of the others are to stay below. So all contributions are tabled once, and a
hand is four places in the table. Many hands are counted at once: a lane for each hand, and hands
with the same four places share one.

Classes and outcomes are numbered as in `sims.giley.figures`.
"""

from __future__ import annotations

from functools import cache
from math import comb

import numpy as np
from numpy.typing import NDArray

from analysis.exact.counting import (
    Counts,
    Exact,
    Integers,
    Polynomials,
    count_deals,
    deals,
    differences,
    exact_integers,
    highest,
    share_out,
    subsets,
)
from analysis.exact.giley_points import (
    CLASSES,
    FOUR,
    KINDS,
    TWO,
    Tie,
    class_of_kind,
    classes_with,
    different_rows,
    kinds,
    seats_before,
    size_of_kind,
    suit_totals,
)
from sims.cards import GILEY as PACK
from sims.giley.rules import SEATS

#: To stay below a class is to stay within it with one more, so there is one class more.
_LANES = CLASSES + 1


def outcome_ways(hands: NDArray[np.uint32], gone: int, players: int, seat: int, tie: Tie) -> Exact:
    """What becomes of each of some hands, in how many deals of the others' (GY-4.2).

    Parameters
    ----------
    hands : uint32 array, shape (hands,)
        Hands of four cards that the player may hold, as masks.
    gone : int
        Cards known to be in no hand, as a mask; none of them is in one of `hands`.
    players, seat : int
    tie : str

    Returns
    -------
    Python integers in an object array, shape (hands, outcomes)
        Outcomes as in `sims.giley.figures.outcome_axis`: alone; tied and won; tied and lost; lost.
        Or under `split`: alone; tied; lost. They sum to `deals_of_others`.
    """
    others, before = players - 1, seats_before(seat, players, tie)
    up_to = _unbeaten(hands, gone, others)
    unbeaten, alone = up_to[:, 0], up_to[:, others]
    lost = deals_of_others(gone, others) - unbeaten
    if tie == "split":
        columns = [alone, unbeaten - alone, lost]
    else:
        by_suit = tie == "suit_rank"
        won = _won_by_suit(hands, gone, others, before) if by_suit else up_to[:, before]
        columns = [alone, won - alone, unbeaten - won, lost]
    return np.column_stack(columns)


def sharing_ways(hands: NDArray[np.uint32], gone: int, players: int) -> Exact:
    """How many share the pot with each of some hands under `split` (GY-4.2).

    Parameters as `outcome_ways`.

    Returns
    -------
    Python integers in an object array, shape (hands, players + 1)
        Column 0: the hand is beaten; column k: it is one of k hands with the best points.
    """
    others = players - 1
    up_to = _unbeaten(hands, gone, others)
    shared = np.zeros((len(hands), players + 1), np.object_)
    shared[:, 0] = deals_of_others(gone, others) - up_to[:, 0]
    for tied in range(others + 1):
        # Some of them may be tied and all others are below: inclusion and exclusion.
        for fewer in range(tied + 1):
            times = (-1) ** (tied - fewer) * comb(tied, fewer) * comb(others, tied)
            shared[:, tied + 1] += times * up_to[:, others - fewer]
    return shared


def best_of_others(seen: int, others: int) -> Exact:
    """The best points of hands dealt from the cards not seen.

    Returns
    -------
    Python integers in an object array, shape (15,)
        In how many deals of these hands the best of them is of each class.
    """
    unseen = kinds(np.array([PACK.mask & ~seen], np.uint32))
    lanes = _lane(unseen[0], 0, np.arange(CLASSES)[:, None], others)
    return differences(_count(others, lanes))


def deals_of_others(gone: int, others: int) -> int:
    """In how many ways the others' hands can be dealt to a player who holds four cards."""
    return deals(FOUR.cards - FOUR.hand - gone.bit_count(), (FOUR.hand,) * others)


def two_odds_counts(players: int, tie: Tie) -> Counts:
    """What becomes of each seat's hand, by the points of its first two cards: a part a seat.

    Every hand of four is dealt in six ways as two cards and two more.
    """
    hands, times = hands_by_points(TWO.hand)
    total = deals(FOUR.cards, (FOUR.hand,) * players) * comb(FOUR.hand, TWO.hand)
    ways = {
        name: exact_integers(times @ outcome_ways(hands, 0, players, seat, tie), total)
        for seat, name in enumerate(SEATS[players])
    }
    return Counts(ways, total)


@cache
def hands_by_points(cards: int) -> tuple[NDArray[np.uint32], Exact]:
    """All hands of four by the points of some of their cards, hands of the same kinds once.

    Parameters
    ----------
    cards : 2 or 4
        Whether the points are those of two cards, each hand counted in the six ways to take them,
        or of all four.

    Returns
    -------
    uint32 array, shape (hands,)
        A hand of each kind, as masks.
    Python integers in an object array, shape (7 or 15, hands)
        How many hands of that kind there are with these points.
    """
    every = subsets(FOUR.cards, FOUR.hand)
    held, place = different_rows(kinds(every))
    hands = np.zeros(len(held), np.uint32)
    hands[place] = every
    taken = _first_two(every) if cards == TWO.hand else [every]
    classes = suit_totals(TWO).classes if cards == TWO.hand else CLASSES
    times = np.zeros((classes, len(hands)), np.int64)
    for some in taken:
        np.add.at(times, (class_of_kind(kinds(some)).max(axis=1), place), 1)
    return hands, times.astype(np.object_)


def _first_two(hands: NDArray[np.uint32]) -> list[NDArray[np.uint32]]:
    """The six ways to take two cards of each of some hands of four."""
    cards: list[NDArray[np.uint32]] = []
    rest = hands
    for _ in range(FOUR.hand):
        lowest = rest & (~rest + np.uint32(1))
        cards.append(lowest)
        rest = rest ^ lowest
    return [np.bitwise_or(cards[a], cards[b]) for a in range(FOUR.hand) for b in range(a)]


# The table of contributions ----------------------------------------------------------------------


def _unbeaten(hands: NDArray[np.uint32], gone: int, others: int) -> Exact:
    """The deals in which each hand is not beaten, and so many of the others are below it.

    Python integers in an object array, shape (hands, others + 1): in column k the first k of the
    others are below the hand, and the rest are not above it.
    """
    unseen, own = _unseen_and_class(hands, gone)
    below = np.arange(others + 1)[:, None]
    lanes = _lane(unseen[:, None], below, own[:, None, None], others)
    return _count(others, lanes.reshape(-1, 4)).reshape(len(hands), others + 1)


def _won_by_suit(hands: NDArray[np.uint32], gone: int, others: int, before: int) -> Exact:
    """GY-4.3: the deals in which each hand wins under `suit_rank`.

    Its suit is the highest in which it has its points. Higher suits must hold no such points in any
    other hand, its own suit none in those `before` it, lower ones may.
    """
    unseen, own = _unseen_and_class(hands, gone)
    suit = class_of_kind(kinds(hands)).argmax(axis=1)[:, None]
    below = np.where(np.arange(4) < suit, others, np.where(np.arange(4) == suit, before, 0))
    return _count(others, _lane(unseen, below, own[:, None], others))


def _unseen_and_class(hands: NDArray[np.uint32], gone: int) -> tuple[Integers, Integers]:
    """The kinds of the unseen cards, shape (hands, 4), and the class, for the holder of a hand."""
    unseen = kinds(np.uint32(PACK.mask & ~gone) & ~hands)
    return unseen, class_of_kind(kinds(hands)).max(axis=1)


def _lane(unseen: Integers, below: Integers | int, own: Integers, others: int) -> Integers:
    """Where a suit's contribution is tabled: its kind, how many are below a class, the class."""
    return (unseen * (others + 1) + below) * _LANES + own


def _count(others: int, lanes: Integers) -> Exact:
    """The number of deals for each row of lanes, one a suit: (rows, 4) to (rows,)."""
    different, place = different_rows(np.sort(lanes, axis=1))
    table = _contributions(others)
    counted: Exact = count_deals([table.take(lane) for lane in different.T])[place]
    return counted


@cache
def _contributions(others: int) -> Polynomials:
    """The ways the unseen cards of a suit can lie in the others' hands, in the lanes of `_lane`."""
    sizes = (FOUR.hand,) * others
    terms = np.arange((FOUR.hand + 1) ** others)
    ways = np.zeros((terms.size, KINDS, others + 1, _LANES), np.int64)
    for kind in range(KINDS):
        shares = share_out(size_of_kind(kind), sizes)
        worth = classes_with(kind, 0)
        for below in range(others + 1):
            tables = [worth + np.uint8(other < below) for other in range(others)]
            within = shares.tally(highest(shares.holdings, tables), _LANES).at_most(_LANES)
            ways[shares.terms, kind, below] = within.ways
    return Polynomials(sizes, terms, ways.reshape(terms.size, -1))
