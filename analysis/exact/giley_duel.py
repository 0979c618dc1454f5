"""Two players of Giley who both draw (GY-2.3): what becomes of a hand, counted exactly.

One player's hand and discard are given. Every hand that the other may hold, among the cards the
first has not seen, is gone through: it tells what he discards, by a rule, and which cards are left
to draw. Both draw from these without replacement, in whatever order; the two draw at most eight of
twenty cards, so the stock does not run out (GY-2.4).

How the cards left of a suit can go to the two players depends on their kinds
(`analysis.exact.giley_points`) and on those of the cards that either keeps of it. As in
`analysis.exact.giley_draw` the powers of a term count the cards of the suit that each holds in the
end. A suit's ways are tabled by *bounds*: for each class t,

- both hands are worth at most t in the suit,
- both are, and the first less than t,
- both are, and the second less than t,
- the second is, whatever the first is worth.

From the number of deals within such bounds in all suits follows everything that is asked.
"""

from __future__ import annotations

from functools import cache
from math import comb, lcm

import numpy as np
from numpy.typing import NDArray

from analysis.exact.counting import BITS, Counts, Integers, Polynomials, multiply, share_out
from analysis.exact.giley_draw import Rule, all_hands, thrown_by
from analysis.exact.giley_points import (
    CLASSES,
    FOUR,
    KINDS,
    Tie,
    classes_with,
    different_rows,
    kinds,
    seats_before,
    size_of_kind,
)
from sims.cards import GILEY as PACK

#: Fewer cards might not do for both draws.
LEAST_STOCK = 2 * FOUR.hand

_SIZES = (FOUR.hand, FOUR.hand)
_TERMS = np.arange((FOUR.hand + 1) ** 2)
_BOTH, _FIRST_LESS, _SECOND_LESS, _SECOND = range(4)
_BOUNDS = 4
#: The lane of a bound is class * _BOUNDS + bound; the last lane is that of what cannot be.
_IMPOSSIBLE = CLASSES * _BOUNDS
_LANES = _IMPOSSIBLE + 1
#: So many bounds are added up: each class with each suit.
_MOST_BOUNDS = 4 * CLASSES
#: Pairs of hands counted at a time, to keep arrays small.
_ROWS = 2048


def duel_counts(
    hands: NDArray[np.uint32],
    thrown: NDArray[np.uint32],
    gone: int,
    rule: Rule,
    seat: int,
    tie: Tie,
) -> Counts:
    """What becomes of a hand after both have drawn, if the other draws by a rule.

    Parameters
    ----------
    hands, thrown : uint32 arrays, shape (hands,)
        The hands of four that the player may hold, equally likely, and what he discards of each.
    gone : int
        Cards that are in neither hand nor in the stock, as a mask; `LEAST_STOCK` must be left when
        both hands are dealt.
    rule : str
        As `giley_draw.thrown_by`. The other has seen his own cards only.
    seat : 0 or 1
    tie : str

    Returns
    -------
    Counts
        `outcome`: as in `sims.giley.figures.outcome_axis`; `others`: the other's class, shape
        (15,).

    Raises
    ------
    ValueError
        The stock might run out.
    OverflowError
        The total of all deals, once for each bound, may pass 2^63.
    """
    stock = FOUR.cards - 2 * FOUR.hand - gone.bit_count()
    if stock < LEAST_STOCK:
        raise ValueError(f"a stock of {stock} cards may run out: at least {LEAST_STOCK}")
    # Every pair of hands is given the same total, a multiple of all numbers of ways to draw.
    ways_to_draw = _ways_to_draw(stock)
    each = lcm(*ways_to_draw.ravel().tolist())
    total = len(hands) * comb(stock + FOUR.hand, FOUR.hand) * each
    if total * _MOST_BOUNDS >= 1 << BITS:
        raise OverflowError(f"a total of {total}, {_MOST_BOUNDS} times, may pass 2^{BITS}")
    rows, weights = _rows(hands, thrown, gone, rule, each // ways_to_draw)
    if tie != "suit_rank":  # the suits are alike
        rows = np.sort(rows, axis=1)
    rows, place = different_rows(rows)
    weights = _added_up(weights, place)
    outcome, others = _ends(rows, weights, total, seat, tie)
    return Counts({"outcome": outcome, "others": others}, total)


def _ways_to_draw(stock: int) -> Integers:
    """In how many ways two players draw 0 to 4 cards each off a stock, shape (5, 5)."""
    numbers = range(FOUR.hand + 1)
    return np.array([[comb(stock, m) * comb(stock - m, n) for n in numbers] for m in numbers])


def _rows(
    hands: NDArray[np.uint32],
    thrown: NDArray[np.uint32],
    gone: int,
    rule: Rule,
    weight_of_draws: Integers,
) -> tuple[Integers, Integers]:
    """All pairs of hands by the states of their suits, and what a deal of each is to count.

    Returns
    -------
    int64 array, shape (rows, 4)
        As `_suit` takes them.
    int64 array, shape (rows,)
    """
    # Hands of the same kinds meet the same.
    own, place = different_rows(kinds(hands ^ thrown) * KINDS + kinds(thrown))
    example = np.zeros(len(own), np.int64)
    example[place] = np.arange(len(hands))
    rows, weights = [], []
    for number, times in zip(example, np.bincount(place), strict=True):
        hand, discard = hands[number], thrown[number]
        theirs, they_throw = _hands_of_the_other(int(hand) | gone, rule)
        left = kinds(np.uint32(PACK.mask & ~gone) & ~hand & ~theirs)
        states = (left * KINDS + kinds(hand ^ discard)) * KINDS + kinds(theirs ^ they_throw)
        drawn = np.bitwise_count(discard), np.bitwise_count(they_throw)
        different, where = different_rows(states)
        rows.append(different)
        weights.append(times * _added_up(weight_of_draws[drawn], where))
    return np.concatenate(rows), np.concatenate(weights)


def _added_up(weights: Integers, place: Integers) -> Integers:
    """The weights of all that have the same place."""
    found = np.zeros(place.max() + 1, np.int64)
    np.add.at(found, place, weights)
    return found


def _ends(
    rows: Integers, weights: Integers, total: int, seat: int, tie: Tie
) -> tuple[Integers, Integers]:
    """What becomes of the first player's hand, and the class of the second's."""
    every_lane = np.broadcast_to(np.arange(_IMPOSSIBLE), (4, _IMPOSSIBLE))
    within = _within(rows, weights, every_lane).reshape(CLASSES, _BOUNDS)
    both = within[:, _BOTH]
    unbeaten = (both - within[:, _FIRST_LESS]).sum()
    alone = within[:, _SECOND_LESS].sum() - both[:-1].sum()
    others = np.diff(within[:, _SECOND], prepend=0)
    if tie == "split":
        return np.array([alone, unbeaten - alone, total - unbeaten]), others
    if tie == "suit_rank":
        at_most, less = (_within(rows, weights, lanes).sum() for lanes in _suit_rank_lanes(seat))
        won = at_most - less
    else:
        won = alone if seats_before(seat, 2, tie) else unbeaten
    return np.array([alone, won - alone, unbeaten - won, total - unbeaten]), others


def _hands_of_the_other(seen: int, rule: Rule) -> tuple[NDArray[np.uint32], NDArray[np.uint32]]:
    """All hands without any card seen, and what is thrown of each."""
    possible = all_hands() & np.uint32(seen) == 0
    return all_hands()[possible], thrown_by(rule)[possible]


def _within(rows: Integers, weights: Integers, lanes: Integers) -> Integers:
    """The weighted number of deals within bounds; no sum passes the total of `duel_counts`.

    Parameters
    ----------
    rows : int64 array, shape (rows, 4)
        The states of the suits.
    weights : int64 array, shape (rows,)
    lanes : int64 array, shape (4, bounds)
        Which bound is asked of each suit.

    Returns
    -------
    int64 array, shape (bounds,)
    """
    found = np.zeros(lanes.shape[1], np.int64)
    for start in range(0, len(rows), _ROWS):
        some = rows[start : start + _ROWS]
        # Few pairs of suits are different: multiply each of them once.
        left, left_of = _halves(some[:, :2], lanes[:2])
        right, right_of = _halves(some[:, 2:], lanes[2:])
        # The product's term in which both hands are full: what one half lacks the other has.
        factors, partners = left[:, left_of], right[::-1, right_of]
        own = weights[start : start + _ROWS]
        found += np.einsum("r,rb->b", own, np.einsum("trb,trb->rb", factors, partners))
    return found


def _halves(pairs: Integers, lanes: Integers) -> tuple[Integers, Integers]:
    """Two suits multiplied, for all pairs of states.

    Returns
    -------
    int64 array, shape (terms, different pairs, bounds)
    int64 array, shape (rows,)
        Which of the different pairs each row has.
    """
    different, place = different_rows(pairs)
    states, number = np.unique(different, return_inverse=True)
    ways = np.stack([_suit(int(state)) for state in states], axis=1)
    table = Polynomials(_SIZES, _TERMS, ways.reshape(_TERMS.size, -1))
    first, second = (
        table.take((state[:, None] * _LANES + lane).ravel())
        for state, lane in zip(number.reshape(different.shape).T, lanes, strict=True)
    )
    product = multiply(first, second)
    every_term = np.zeros((_TERMS.size, product.ways.shape[1]), np.int64)
    every_term[product.terms] = product.ways
    return every_term.reshape(_TERMS.size, len(different), -1), place


@cache
def _suit(state: int) -> Integers:
    """The ways a suit can be drawn from by both, within each bound: int64, shape (25, lanes).

    A state is made of the kinds of the cards left, of those the first keeps and of those the second
    keeps, in that order.
    """
    rest, second = divmod(state, KINDS)
    left, first = divmod(rest, KINDS)
    shares = share_out(size_of_kind(left), _SIZES)
    worth = [
        classes_with(left, kept)[holdings].astype(np.int64)
        for kept, holdings in zip((first, second), shares.holdings, strict=True)
    ]
    tally = shares.tally(worth[0] * CLASSES + worth[1], CLASSES * CLASSES)
    up_to = tally.at_most(CLASSES, CLASSES).ways.reshape(-1, CLASSES, CLASSES)
    lanes = np.zeros((len(up_to), CLASSES, _BOUNDS), np.int64)
    t = np.arange(CLASSES)
    lanes[:, :, _BOTH] = up_to[:, t, t]
    lanes[:, 1:, _FIRST_LESS] = up_to[:, t[:-1], t[1:]]
    lanes[:, 1:, _SECOND_LESS] = up_to[:, t[1:], t[:-1]]
    lanes[:, :, _SECOND] = up_to[:, -1, t]
    in_the_end = [
        drawn + size_of_kind(kept)
        for drawn, kept in zip(
            (shares.terms % (FOUR.hand + 1), shares.terms // (FOUR.hand + 1)),
            (first, second),
            strict=True,
        )
    ]
    fits = (in_the_end[0] <= FOUR.hand) & (in_the_end[1] <= FOUR.hand)
    ways = np.zeros((_TERMS.size, _LANES), np.int64)
    terms = (in_the_end[0] + (FOUR.hand + 1) * in_the_end[1])[fits]
    ways[terms, :_IMPOSSIBLE] = lanes[fits].reshape(-1, _IMPOSSIBLE)
    return ways


@cache
def _suit_rank_lanes(seat: int) -> tuple[Integers, Integers]:
    """GY-4.3: bounds for the deals that the first player wins, as a difference.

    He wins with class t counted in suit c if neither reaches t in a higher suit, the other does not
    pass t, nor reaches it in c if he sits before, and the player has t in c. So the deals in which
    he has at most t in c, less those in which he has less.

    Returns
    -------
    two int64 arrays, shape (4, 60)
        The lane of each suit, for every class t and suit c.
    """
    at_most, less = [], []
    own_first = seat == 0
    for t in range(CLASSES):
        both = t * _BOUNDS + _BOTH
        both_less = both - _BOUNDS if t else _IMPOSSIBLE
        for suit in range(4):
            higher, lower = [both_less] * suit, [both] * (3 - suit)
            own = both if own_first else both + _SECOND_LESS
            own_less = both + _FIRST_LESS if own_first else both_less
            at_most.append([*higher, own, *lower])
            less.append([*higher, own_less, *lower])
    return np.array(at_most).T, np.array(less).T
