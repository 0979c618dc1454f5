"""The auction and the ruff of Gleek as state machines: worked deals and all histories."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from sims.gleek import auction, vying
from sims.gleek.rules import Rules


def auctions(rules: Rules, state: NDArray[np.int64]) -> Iterator[NDArray[np.int64]]:
    """The ends of all histories from a state on."""
    terms = auction.terms(rules)
    if state[auction.CLOSED, 0]:
        yield state
        return
    for action in (auction.PASS, auction.BID):
        if auction.legal(state, 0, terms) >> action & 1:
            after = state.copy()
            auction.say(after, 0, terms, action)
            yield from auctions(rules, after)


def opened(rules: Rules) -> NDArray[np.int64]:
    state = np.zeros((auction.STATE, 1), dtype=np.int64)
    auction.open_auction(state, 0, auction.terms(rules))
    return state


@pytest.mark.parametrize(
    ("max_price", "histories"), [(12, 1), (14, 3), (16, 6), (18, 10), (40, 120)]
)
def test_gk_2_1_histories_of_the_auction(max_price: int, histories: int) -> None:
    rules = Rules(max_price=max_price)
    ends = list(auctions(rules, opened(rules)))
    assert len(ends) == histories
    assert max(int(end[auction.PRICE, 0]) for end in ends) == max_price


def test_gk_2_1_the_cap_touches_neither_the_standing_price_nor_shortens_a_bid() -> None:
    above = Rules(open=13, max_price=12)
    (end,) = auctions(above, opened(above))
    assert end[[auction.PRICE, auction.BUYER], 0].tolist() == [13, 0]
    odd = Rules(max_price=15)
    assert {int(end[auction.PRICE, 0]) for end in auctions(odd, opened(odd))} == {12, 14}


@pytest.mark.parametrize(
    ("price", "buyer", "paid"),
    [
        (14, 1, [7, -14, 7]),
        (16, 0, [-16, 8, 8]),
        (15, 0, [-15, 8, 7]),
        (15, 1, [8, -15, 7]),
        (15, 2, [8, 7, -15]),
    ],
)
def test_gk_2_2_the_price_is_halved_the_odd_chip_to_the_earlier_seat(
    price: int, buyer: int, paid: list[int]
) -> None:
    state, chips = opened(Rules()), np.zeros((3, 1), dtype=np.int64)
    state[auction.PRICE], state[auction.BUYER] = price, buyer
    auction.pay_price(state, 0, chips)
    assert chips[:, 0].tolist() == paid


# The ruff


def vied(actions: list[int], opening: int = 2) -> NDArray[np.int64]:
    state = np.zeros((vying.STATE, 1), dtype=np.int64)
    vying.open_vying(state, 0, opening)
    for action in actions:
        assert not state[vying.CLOSED, 0]
        vying.say(state, 0, action)
    return state


def number_of_vyings(rules: Rules, state: NDArray[np.int64]) -> int:
    if state[vying.CLOSED, 0]:
        return 1
    found, allowed = 0, vying.legal(state, 0, vying.terms(rules))
    for action in range(5):
        if allowed >> action & 1:
            after = state.copy()
            vying.say(after, 0, action)
            found += number_of_vyings(rules, after)
    return found


@pytest.mark.parametrize(("cap", "histories"), [(0, 13), (1, 43), (2, 109), (3, 247), (8, 9145)])
def test_gk_3_3_histories_of_the_ruff(cap: int, histories: int) -> None:
    assert number_of_vyings(Rules(max_raises=cap), vied([])) == histories


_SEEN_THEN_REVIED = [vying.WAIT, vying.OPEN, vying.SEE, vying.REVIE, vying.OUT, vying.SEE]
_REVIED_UNSEEN = [vying.OPEN, vying.REVIE, vying.OUT, vying.OUT]


@pytest.mark.parametrize(
    ("debt", "actions", "paid"),
    [
        ("matched", _SEEN_THEN_REVIED, [6, -2, -4]),
        ("cotton", _SEEN_THEN_REVIED, [6, -2, -4]),
        ("facing", _SEEN_THEN_REVIED, [8, -4, -4]),
        ("matched", _REVIED_UNSEEN, [-2, 4, -2]),
        ("facing", _REVIED_UNSEEN, [-4, 8, -4]),
        ("cotton", _REVIED_UNSEEN, [-2, 3, -1]),
    ],
)
def test_gk_3_5_worked_debts(debt: Any, actions: list[int], paid: list[int]) -> None:
    terms, state = vying.terms(Rules(debt=debt)), vied(actions)
    assert state[vying.CLOSED, 0]
    chips, ruffs = np.zeros((3, 1), dtype=np.int64), np.array([[30], [20], [10]], dtype=np.uint32)
    vying.pay_debts(state, 0, terms, vying.winner(state, 0, ruffs), chips)
    assert chips[:, 0].tolist() == paid


def test_gk_3_4_of_equal_ruffs_the_earlier_seat_still_in_wins() -> None:
    ruffs = np.full((3, 1), 20, dtype=np.uint32)
    assert vying.winner(vied([vying.OPEN, vying.SEE, vying.SEE]), 0, ruffs) == 0
    assert vying.winner(vied([vying.WAIT, vying.OPEN, vying.SEE, vying.OUT]), 0, ruffs) == 1
    assert vying.winner(vied([vying.WAIT] * 3), 0, ruffs) == vying.NOBODY


@pytest.mark.parametrize(("compound", "stakes"), [(True, [4, 8, 16]), (False, [4, 4, 4])])
def test_gk_3_2_three_waits_double_the_opening(compound: bool, stakes: list[int]) -> None:
    terms, opening, found = vying.terms(Rules(compound=compound)), 2, []
    for _ in range(3):
        opening = vying.next_opening(vied([vying.WAIT] * 3, opening), 0, terms)
        found.append(opening)
    assert found == stakes
    assert vying.next_opening(vied(_REVIED_UNSEEN, opening), 0, terms) == 2
