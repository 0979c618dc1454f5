"""Exact counts for Giley: the points of one hand and the best of the table (GY-1.2, GY-4).

A hand's points are its best total in one suit, so all rests on `analysis.exact.counting`, with the
suits as groups. It is asked three questions:

- One hand of two cards, of four, or both jointly: in how many hands is the class at most t?
- The whole table: give the hands a strict order, by class and among equals the lower seat first.
  Number its places upwards, and ask in how many deals the highest place is at most p. That tells
  how often each seat is the *first* of those with the best class, whatever it is, and all seats
  being alike it tells everything but `suit_rank`: see `_tied` and `_winner`.
- Who wins under `suit_rank` (GY-4.2, GY-4.3)? The same with another strict order: by class, then by
  the suit that counts, then the lower seat.

Classes are numbered as in `sims.giley.figures`.
"""

from __future__ import annotations

from math import comb

import numpy as np
from numpy.typing import NDArray

from analysis.exact.counting import (
    Counts,
    Exact,
    Integers,
    Shares,
    count_deals,
    deals,
    differences,
    exact_integers,
    highest,
    share_out,
)
from analysis.exact.giley_odds import two_odds_counts
from analysis.exact.giley_points import (
    FOUR,
    TWO,
    Dimensions,
    Tie,
    Totals,
    seats_before,
    suit_totals,
)
from sims.giley.rules import SEATS, Rules

#: The figures that `counts` can count, under any rules.
COUNTED = ("two", "four", "best", "odds-two", "odds-four")


def counts(figure: str, rules: Rules) -> Counts:
    """Count all hands, or all deals, by the class of a figure.

    Parameters
    ----------
    figure : str
        One of `COUNTED`.
    rules : Rules
        `players` and `tie` are used by `best` and the odds; one hand depends on neither.

    Returns
    -------
    Counts
        Parts, each summing to the number of hands or deals:

        - 'two': `hand`, shape (7,), over the 378 hands of two cards.
        - 'four': `hand`, shape (15,), over the 20 475 hands of four.
        - 'best': `points`, shape (15,); `tie`, shape (players,), from one hand with the best points
          to all of them; `winner`, shape (players,), by seat, under `split` shape (players + 1,),
          the last for shared pots. Over all deals of all hands, 9.5e17 with five players.
        - 'odds-four': a part a seat, shape (15, outcomes), the points of its hand by what becomes
          of it, in the order of `sims.giley.figures.outcome_axis`. Over all deals of all hands.
        - 'odds-two': a part a seat, shape (7, outcomes), the same by the points of its first two
          cards. Over six times as many deals: a hand of four is dealt in six ways as two cards and
          two more.

    Raises
    ------
    ValueError
        If there is no such figure.

    Examples
    --------
    >>> from sims.giley.rules import Rules
    >>> counts("two", Rules()).ways["hand"]
    array([  6, 210,  78,  20,   4,  40,  20])
    """
    match figure:
        case "two":
            return hand_counts(TWO)
        case "four":
            return hand_counts(FOUR)
        case "best":
            return table_counts(rules.players, rules.tie, FOUR)
        case "odds-two":
            return two_odds_counts(rules.players, rules.tie)
        case "odds-four":
            return four_odds_counts(rules.players, rules.tie, FOUR)
    raise ValueError(f"no exact counts of {figure!r} in Giley; there are {', '.join(COUNTED)}")


def basis_counts(rules: Rules) -> NDArray[np.int64]:
    """Deals of two cards and two more by the points of two and of four, the basis of a hand.

    int64, (7, 15), summing to 378 times 325.
    """
    totals = suit_totals(FOUR)
    shape = (suit_totals(TWO).classes, totals.classes)
    shares = share_out(len(FOUR.points), (TWO.hand, FOUR.hand - TWO.hand))
    first, others = shares.holdings
    codes = totals.table[first] * totals.classes + totals.table[first | others]
    within = shares.tally(codes, shape[0] * shape[1]).at_most(*shape)
    up_to = count_deals([within] * FOUR.suits).reshape(shape)
    return differences(up_to).astype(np.int64)


def hand_counts(dimensions: Dimensions) -> Counts:
    """The points of one hand (GY-1.2): part `hand`, shape (classes,)."""
    totals = suit_totals(dimensions)
    shares = share_out(len(dimensions.points), (dimensions.hand,))
    within = shares.tally(totals.table[shares.holdings[0]], totals.classes).at_most(totals.classes)
    ways = differences(count_deals([within] * dimensions.suits))
    total = deals(dimensions.cards, shares.sizes)
    return Counts({"hand": exact_integers(ways, total)}, total)


def table_counts(players: int, tie: Tie, dimensions: Dimensions) -> Counts:
    """The best points, how many hands have them, and who wins: parts `points`, `tie`, `winner`."""
    totals = suit_totals(dimensions)
    shares = share_out(len(dimensions.points), (dimensions.hand,) * players)
    first = _first_by_class(totals, dimensions.suits, shares)
    tied = _tied(first.sum(axis=0))
    if tie == "suit_rank":
        winner = _winner_by_suit(totals, dimensions.suits, shares).sum(axis=0)
    else:
        winner = _winner(first.sum(axis=0), tied, tie)
    total = deals(dimensions.cards, shares.sizes)
    parts = {"points": first.sum(axis=1), "tie": tied, "winner": winner}
    return Counts({part: exact_integers(ways, total) for part, ways in parts.items()}, total)


def four_odds_counts(players: int, tie: Tie, dimensions: Dimensions) -> Counts:
    """What becomes of each seat's hand, by its points (GY-4): a part a seat.

    A seat is the first of those with the best class in just the deals in which it has that class,
    nobody has a better one, and none of the seats before it is tied with it. So, all seats being
    alike, the last seat's deals are those in which a hand is the best alone; the first seat's are
    those in which it is not beaten; those of the seat that has as many before it as a hand has that
    are preferred to it, are those in which it wins.
    """
    totals = suit_totals(dimensions)
    shares = share_out(len(dimensions.points), (dimensions.hand,) * players)
    first = _first_by_class(totals, dimensions.suits, shares)
    by_suit = _winner_by_suit(totals, dimensions.suits, shares) if tie == "suit_rank" else None
    total = deals(dimensions.cards, shares.sizes)
    one_hand = hand_counts(dimensions)
    held = one_hand.ways["hand"].astype(np.object_) * (total // one_hand.total)
    alone, unbeaten = first[:, -1], first[:, 0]
    ways = {}
    for seat, name in enumerate(SEATS[players]):
        if tie == "split":
            columns = [alone, unbeaten - alone, held - unbeaten]
        else:
            before = seats_before(seat, players, tie)
            won = first[:, before] if by_suit is None else by_suit[:, seat]
            columns = [alone, won - alone, unbeaten - won, held - unbeaten]
        ways[name] = exact_integers(np.column_stack(columns), total)
    return Counts(ways, total)


# The whole table (GY-4) --------------------------------------------------------------------------


def _first_by_class(totals: Totals, suits: int, shares: Shares) -> Exact:
    """Deals by the best class and the first seat that has it, shape (classes, players)."""
    return _by_place([totals.table], suits, totals.classes, shares)


def _winner_by_suit(totals: Totals, suits: int, shares: Shares) -> Exact:
    """GY-4.3: deals by the best class and the first seat that has it in the highest suit.

    A holding's strength is its class and, among equals, the precedence of its suit. Of shape
    (classes, players).
    """
    strengths = [suits * totals.table + suits - 1 - suit for suit in range(suits)]
    for strength in strengths:
        strength[0] = 0
    by_strength = _by_place(strengths, 1, suits * totals.classes, shares)
    winner: Exact = by_strength.reshape(totals.classes, suits, -1).sum(axis=1)
    return winner


def _by_place(strengths: list[Integers], alike: int, most: int, shares: Shares) -> Exact:
    """Deals by the highest strength and the first seat that has it, shape (most, players).

    Each table of `strengths`, over holdings and of numbers below `most`, is for `alike` suits.
    Hands are placed by strength, then the lower seat first: place = strength * players + players
    - 1 - seat.
    """
    players = len(shares.sizes)
    lanes = most * players
    within = []
    for table in strengths:
        places = [table * players + players - 1 - seat for seat in range(players)]
        within.append(shares.tally(highest(shares.holdings, places), lanes).at_most(lanes))
    ways: Exact = differences(count_deals(within * alike)).reshape(most, players)
    return ways[:, ::-1]


def _tied(first: Exact) -> Exact:
    """Deals by how many hands have the best points: one, two ... all of them, shape (players,).

    Let f(k) be the number of deals in which k given seats have the best points and no others do;
    the seats being alike, any k will do. A seat with m seats behind it is the first of those with
    the best points in sum over k of comb(m, k - 1) f(k) deals, one term for each number k - 1 of
    seats behind it that are tied with it. Given these numbers for m = 0, 1, 2 ..., f(1), f(2) ...
    are the first ones of their repeated differences.
    """
    players = first.size
    behind = first[::-1]
    given = [np.diff(behind, n=others)[0] for others in range(players)]
    return np.array([comb(players, k) * given[k - 1] for k in range(1, players + 1)], np.object_)


def _winner(first: Exact, tied: Exact, tie: Tie) -> Exact:
    """GY-4.2 without suits: deals by the seat that wins.

    `first` has them by place in the order in which the seats are preferred, which is that of the
    seats, or the dealer's before all others.
    """
    if tie == "split":
        alone = tied[0] // first.size
        return np.array([alone] * first.size + [tied[1:].sum()], np.object_)
    return first if tie == "mano_first" else np.roll(first, -1)
