"""What is known of a deal, against dealing out all that is not."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from analysis.exact.counting import count_deals
from analysis.exact.positions import Position
from sims.cards import GILEY, GLEEK


def test_all_deals_are_counted_group_by_group() -> None:
    hand = GLEEK.read("AS KS QS JS 10S 9S 4H 5H 4D 5D 4C 6C")
    position = Position(GLEEK, (hand, 0, 0), (0, 12, 12), GLEEK.read("7C"))
    groups = [position.suit(suit) for suit in range(4)]
    ways = [shares.tally(np.zeros(shares.term_of.size, int), 1) for shares in groups]
    assert position.unseen.bit_count() == 31
    assert count_deals(ways) == [position.total]  # C(31, 12) C(19, 12)
    assert position.total == 141_120_525 * 50_388


def test_a_groups_holdings_are_those_of_all_deals() -> None:
    """Two hands of two cards out of six: every share of a suit is met as often as it is dealt."""
    seen = GILEY.mask & ~GILEY.read("AO KO CO AC KC SC")
    held = (GILEY.read("AE"), 0)
    position = Position(GILEY, held, (1, 2), seen & ~held[0])
    shares = position.suit(0)
    dealt = set()
    unseen = [bit for bit in range(GILEY.size) if position.unseen >> bit & 1]
    for first in combinations(unseen, 1):
        for second in combinations([bit for bit in unseen if bit not in first], 2):
            masks = (sum(1 << bit for bit in cards) & 0x7F for cards in (first, second))
            dealt.add(tuple(masks))
    assert set(map(tuple, shares.holdings.T.tolist())) == dealt
    ace_of_espadas = 1 << 6
    assert set(position.suit(2).holdings[0].tolist()) == {ace_of_espadas}


def test_a_rank_is_a_group_with_a_bit_a_suit() -> None:
    position = Position(GILEY, (GILEY.read("AO AE"), 0), (0, 4))
    aces = position.rank(GILEY.ranks.index("A"))
    assert set(aces.holdings[0].tolist()) == {0b0101}
    assert set(aces.holdings[1].tolist()) == {0b0000, 0b0010, 0b1000, 0b1010}


@pytest.mark.parametrize(
    ("held", "wanted", "gone", "said"),
    [
        ((0b11, 0b10), (0, 0), 0, "in two places"),
        ((0b11, 0), (0, 0), 0b1, "in two places"),
        ((0, 0), (20, 20), 0, "40 cards wanted of 28 unseen"),
        ((0,), (1, 1), 0, "1 hands, but 2 numbers"),
    ],
)
def test_what_cannot_be_is_refused(
    held: tuple[int, ...], wanted: tuple[int, ...], gone: int, said: str
) -> None:
    with pytest.raises(ValueError, match=said):
        Position(GILEY, held, wanted, gone)
