"""The program that everybody would write first: lists, dictionaries and `random.shuffle`.

A card is (suit, rank), both numbers, ranks from the lowest.
"""

from __future__ import annotations

from collections import Counter
from itertools import product
from random import Random

Card = tuple[int, int]
Figure = tuple[int, int]

_NO_FIGURE = (0, 0)


def gilten(rng: Random, deals: int) -> Counter[tuple[str, str]]:
    """Deals by who has the better Gleich and who the better Hanger, of two teams of two."""
    pack = list(product(range(4), range(8)))
    counts: Counter[tuple[str, str]] = Counter()
    for _ in range(deals):
        rng.shuffle(pack)
        hands = [pack[first : first + 5] for first in (0, 5, 10, 15)]
        gleiche = [best_gleich(hand) for hand in hands]
        hanger = [best_hanger(hand) for hand in hands]
        counts[outcome(gleiche), outcome(hanger)] += 1
    return counts


def best_gleich(hand: list[Card]) -> Figure:
    """GN-3.1: how many of a rank, and which rank."""
    number, rank = max((number, rank) for rank, number in Counter(r for _, r in hand).items())
    return (number, rank) if number > 1 else _NO_FIGURE


def best_hanger(hand: list[Card]) -> Figure:
    """GN-3.2: how many of a suit in a row, and the highest rank."""
    held, best = set(hand), _NO_FIGURE
    for suit, rank in hand:
        if (suit, rank - 1) not in held:
            top = rank
            while (suit, top + 1) in held:
                top += 1
            if top > rank:
                best = max(best, (top - rank + 1, top))
    return best


def outcome(figures: list[Figure]) -> str:
    """GN-3.5: which team has the better figure; seats 0 and 2 are ours."""
    ours, theirs = max(figures[0::2]), max(figures[1::2])
    if ours == theirs:
        return "none" if ours == _NO_FIGURE else "stands"
    return "ours" if ours > theirs else "theirs"


_GILEY_POINTS = [10, 10, 7, 10, 10, 10, 11]
_GLEEK_POINTS = [4, 5, 6, 7, 8, 9, 10, 10, 10, 10, 11]
_ACE, _JACK = 10, 7


def giley(rng: Random, deals: int) -> Counter[tuple[int, int]]:
    """Deals by the best points of five players and the winner's seat."""
    pack = list(product(range(4), range(7)))
    counts: Counter[tuple[int, int]] = Counter()
    for _ in range(deals):
        rng.shuffle(pack)
        points = [best_suit(pack[first : first + 4], _GILEY_POINTS) for first in range(0, 20, 4)]
        best = max(points)
        winner = 4 if points[4] == best else points.index(best)  # GY-4.2: the dealer, seat 4, first
        counts[best, winner] += 1
    return counts


def best_suit(hand: list[Card], points: list[int]) -> int:
    """The best total in one suit."""
    totals: dict[int, int] = {}
    for suit, rank in hand:
        totals[suit] = totals.get(suit, 0) + points[rank]
    return max(totals.values())


def gleek(rng: Random, deals: int) -> tuple[Counter[tuple[int, int]], Counter[tuple[int, int]]]:
    """Deals by seat and ruff (four aces: 91), and by seat and income from sets, of three hands."""
    pack = list(product(range(4), range(11)))
    ruffs: Counter[tuple[int, int]] = Counter()
    incomes: Counter[tuple[int, int]] = Counter()
    for _ in range(deals):
        rng.shuffle(pack)
        for seat in range(3):
            hand = pack[12 * seat : 12 * seat + 12]
            held = Counter(rank for _, rank in hand)
            ruffs[seat, 91 if held[_ACE] == 4 else best_suit(hand, _GLEEK_POINTS)] += 1
            incomes[seat, income(held)] += 1
    return ruffs, incomes


def income(held: Counter[int]) -> int:
    """GK-4.1: chips from each opponent: jacks 1 to aces 4, for four of a rank twice as many."""
    return sum((rank - _JACK + 1) * max(0, held[rank] - 2) for rank in range(_JACK, _ACE + 1))
