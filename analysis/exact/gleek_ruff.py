"""Exact counts of Gleek's ruff (GK-3): the best of some hands, who has it, and each hand's odds.

A hand's ruff is its best total in one suit, so `analysis.exact.counting` is asked, with the suits
as groups, in how many deals no ruff is above a threshold: of all deals, or of those that fit what a
player knows (`analysis.exact.positions`). Three things are particular to Gleek:

- Four aces beat every ruff. They are dealt beforehand: the deals in which one hand has all aces are
  those of a position in which that hand is known to hold them. At most one hand has them, so these
  deals need only be taken away from the others.
- Ties. Of some hands it is asked that they stay below a total, of the others only that they do not
  pass it. What differs between two such questions is who holds the best ruff, and with whom.
- Under `turnup_in_ruff` the dealer's ruff is that of thirteen cards. If the turn-up is known, it is
  one that he is known to hold; else any of them may be the turn-up. So thirteen cards are dealt to
  him, and each such deal stands for thirteen.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from analysis.exact.counting import (
    Counts,
    Exact,
    Polynomials,
    Shares,
    count_deals,
    differences,
    exact_integers,
    highest,
)
from analysis.exact.positions import Position
from sims.cards import GLEEK as PACK
from sims.cards import Pack
from sims.gleek.figures import SEATS

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

    @property
    def pack(self) -> Pack:
        """A pack of as many suits and ranks, which go by number."""
        ranks, suits = (tuple(map(str, range(n))) for n in (len(self.points), self.suits))
        return Pack(ranks, suits, suits)

    def whole_deals(self, sizes: tuple[int, ...]) -> Position:
        """Hands of these sizes, of which nothing is known."""
        return Position(self.pack, (0,) * len(sizes), sizes)


#: GK-1.1 to GK-1.3; others for tests.
GLEEK = Dimensions(
    len(PACK.suits), tuple(CARD_POINTS[rank] for rank in PACK.ranks), hand=12, players=3
)


# The best ruff -----------------------------------------------------------------------------------


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
    within = Within(dimensions.whole_deals(sizes), dimensions.points)
    seats, total = range(len(sizes)), within.position.total
    winner, tie = list(within.all_aces), [sum(within.all_aces), *[0] * (len(sizes) - 1)]
    for seat in seats:
        # The first of the best: the hands before this one are below it, as this one is not.
        before = tuple(seats[:seat])
        winner[seat] += within.at_best(before, (seat,))
        for tied in combinations(seats, seat + 1):
            others = tuple(set(seats) - set(tied))
            tie[seat] += within.at_best(others, tied)
    ways = {
        "points": within.best(),
        "winner": np.array(winner, np.object_),
        "tie": np.array(tie, np.object_),
    }
    return Counts({part: exact_integers(each, total) for part, each in ways.items()}, total)


class Within:
    """In how many deals no hand passes a total, and some stay below it: for every total.

    The counting methods take the seats that stay below, and return the number of deals for each
    total from 0 to that of a whole suit.

    Parameters
    ----------
    position : Position
        The hands, all cards they count among those held and wanted.
    points : tuple of int
        What the cards of a suit count, low to high; the last is the ace.
    """

    def __init__(self, position: Position, points: tuple[int, ...]) -> None:
        self.position, self.card_points = position, points
        self._points = suit_points(points)
        self._known: dict[tuple[tuple[int, int], ...], Exact] = {}

    @cached_property
    def all_aces(self) -> tuple[int, ...]:
        """GK-3.1: in how many deals each hand has all aces."""
        seats = range(len(self.position.held))
        given = [self._given.get(seat) for seat in seats]
        return tuple(0 if within is None else within.position.total for within in given)

    def best(self) -> Exact:
        """By the best ruff: a row for each total, and a last one for all aces."""
        return np.append(differences(self.counts(())), sum(self.all_aces))

    def counts(self, below: tuple[int, ...]) -> Exact:
        """Where no hand has all aces: they count for more than any total."""
        if len(below) == len(self.position.held):
            return np.append(0, self.counts(())[:-1])
        # Hands of which as much is known can stand for one another, which saves half the work.
        alike = list(zip(self.position.held, self.position.wanted, strict=True))
        key = tuple(sorted(alike[seat] for seat in below))
        if key not in self._known:
            all_aces = [self.with_all_aces(seat, below) for seat in self._given]
            self._known[key] = self.with_any_aces(below) - sum(all_aces)
        return self._known[key]

    def with_any_aces(self, below: tuple[int, ...]) -> Exact:
        """Where hands with all aces count their total like others.

        To stay below is to stay within with one more.
        """
        hands = range(len(self.position.held))
        tables = [self._points + np.uint8(seat in below) for seat in hands]
        lanes = int(self._points[-1]) + 2
        within: dict[int, Polynomials] = {}
        for shares in self._suits:
            if id(shares) not in within:
                codes = highest(shares.holdings, tables)
                within[id(shares)] = shares.tally(codes, lanes).at_most(lanes)
        return count_deals([within[id(shares)] for shares in self._suits])[:-1]

    def with_all_aces(self, seat: int, below: tuple[int, ...]) -> Exact:
        """Where one hand that can have all aces has them, and counts its total."""
        return self._given[seat].with_any_aces(below)

    def at_best(self, below: tuple[int, ...], at: tuple[int, ...]) -> int:
        """In how many deals the hands `at` hold the best ruff, those `below` do not, none all aces.

        A hand is at a total if it does not pass it and is not below: inclusion and exclusion.
        """
        return sum(
            (-1) ** number * int(self.counts(below + lower).sum())
            for number in range(len(at) + 1)
            for lower in combinations(at, number)
        )

    @cached_property
    def _given(self) -> dict[int, Within]:
        """The same deals with all aces in one hand, for each hand that can have them."""
        seats = range(len(self.position.held))
        given = {seat: with_all_aces(self.position, seat) for seat in seats}
        points = self.card_points
        return {seat: Within(each, points) for seat, each in given.items() if each is not None}

    @cached_property
    def _suits(self) -> list[Shares]:
        return suit_shares(self.position)


def with_all_aces(position: Position, seat: int) -> Position | None:
    """The same position with all aces in one hand; None if it cannot have them."""
    aces = aces_of(position.pack)
    new = aces & position.unseen
    if aces & ~new & ~position.held[seat] or new.bit_count() > position.wanted[seat]:
        return None
    held, wanted = list(position.held), list(position.wanted)
    held[seat] |= new
    wanted[seat] -= new.bit_count()
    return replace(position, held=tuple(held), wanted=tuple(wanted))


def aces_of(pack: Pack) -> int:
    """The highest card of each suit, as a mask."""
    ranks = len(pack.ranks)
    return sum(1 << (suit + 1) * ranks - 1 for suit in range(len(pack.suits)))


def suit_shares(position: Position) -> list[Shares]:
    """All ways each suit can lie, in such an order that equal halves are the same suits.

    Suits of which the same is known are the same object.
    """
    ranks = len(position.pack.ranks)
    places = (*position.held, position.gone)
    shares: dict[tuple[int, ...], Shares] = {}
    keys = []
    for suit in range(len(position.pack.suits)):
        keys.append(tuple(place >> suit * ranks & (1 << ranks) - 1 for place in places))
        if keys[-1] not in shares:
            shares[keys[-1]] = _shares_of_suit(position, suit)
    keys.sort()
    return [shares[key] for key in keys[0::2] + keys[1::2]]


def _shares_of_suit(position: Position, suit: int) -> Shares:
    """All ways a suit can lie.

    Where the hands take all unseen cards, the one that wants most gets what the others leave: the
    cards have a taker fewer, and the polynomials a variable.
    """
    hands = len(position.held)
    if hands == 1 or sum(position.wanted) < position.unseen.bit_count():
        return position.suit(suit)
    rest = max(range(hands), key=lambda hand: position.wanted[hand])
    held, wanted = list(position.held), list(position.wanted)
    gone = position.gone | held.pop(rest)
    del wanted[rest]
    others = Position(position.pack, tuple(held), tuple(wanted), gone)
    shares = others.suit(suit)
    ranks = len(position.pack.ranks)
    in_hands = ~position.gone >> suit * ranks & (1 << ranks) - 1
    left = np.uint16(in_hands) & ~np.bitwise_or.reduce(shares.holdings, axis=0)
    return replace(shares, holdings=np.insert(shares.holdings, rest, left, axis=0))


def suit_points(points: tuple[int, ...]) -> NDArray[np.uint8]:
    """GK-3.1: the points of every holding in a suit, shape (2^cards of the suit,)."""
    holdings = np.arange(1 << len(points))
    counted = [(holdings >> card & 1) * each for card, each in enumerate(points)]
    total: NDArray[np.uint8] = np.sum(counted, axis=0).astype(np.uint8)
    return total


# A hand's odds -----------------------------------------------------------------------------------


def odds_counts(sizes: tuple[int, ...], dimensions: Dimensions) -> Counts:
    """What becomes of each hand's ruff, by what it is worth.

    Parameters
    ----------
    sizes : tuple of int
        How many cards each of three hands has to count, in the order of the seats.
    dimensions : Dimensions
        Of which only the pack is used.

    Returns
    -------
    Counts
        A part a seat, as `outcomes`.
    """
    within = Within(dimensions.whole_deals(sizes), dimensions.points)
    total = within.position.total
    ways = {name: exact_integers(outcomes(within, seat), total) for seat, name in enumerate(SEATS)}
    return Counts(ways, total)


def outcomes(within: Within, seat: int) -> Exact:
    """A hand's own ruff against those of the others (GK-3.1, GK-3.4).

    Returns
    -------
    integer array, shape (totals + 1, 4)
        A row for each total of the hand's own, the last for all aces; by outcome, in the order of
        `sims.gleek.figures.OUTCOME`: the best alone; tied, and the earliest of the best; tied, but
        a hand before it is as good; beaten.
    """
    seats = tuple(range(len(within.position.held)))
    own, before = (seat,), seats[:seat]
    others = before + seats[seat + 1 :]
    # Each is counted with the own hand up to a total, less where it is below.
    alone = within.counts(others) - within.counts(seats)
    won = within.counts(before) - within.counts(before + own)
    unbeaten = within.counts(()) - within.counts(own)
    *by_total, all_aces = own_ruffs(within, seat)
    columns = [alone, won - alone, unbeaten - won, np.array(by_total, np.object_) - unbeaten]
    # Four aces beat every ruff.
    rows: Exact = np.vstack([np.column_stack(columns), [all_aces, 0, 0, 0]])
    return rows


def own_ruffs(within: Within, seat: int) -> Exact:
    """In how many deals a hand's own ruff is worth each total, and in how many it has all aces."""
    position = within.position
    elsewhere = position.seen & ~position.held[seat]
    own = Position(position.pack, (position.held[seat],), (position.wanted[seat],), elsewhere)
    rest = position.total // own.total
    return Within(own, within.card_points).best() * rest
