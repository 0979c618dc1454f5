"""Giley's figures, kernel against the plain-Python referee on all hands of up to four cards."""

from typing import Any

import numpy as np
import pytest
from reference import giley as referee

from sims import dealing
from sims.bits import U32
from sims.cards import GILEY
from sims.giley import Rules, figures
from sims.giley.figures import (
    FOUR,
    PRECEDENCE,
    TWO,
    best_points,
    claim,
    claimed_steps,
    claiming_seat,
    is_level,
    place_of_seat,
)
from sims.giley.rules import SEATS, TIES
from sims.jit import kernel

ALL_HANDS = {size: dealing.subsets(28, size, np.uint32) for size in (1, 2, 3, 4)}
CARDS = [referee.card(GILEY.text(bit)) for bit in range(28)]


@kernel
def classes_of(hands: Any) -> Any:
    classes = np.empty(len(hands), dtype=np.uint32)
    for lane in range(len(hands)):
        classes[lane] = best_points(hands[lane])
    return classes


@kernel
def claims_of(hands: Any, precedence: Any, place: Any) -> Any:
    claims = np.empty(len(hands), dtype=np.uint32)
    for lane in range(len(hands)):
        claims[lane] = claim(hands[lane], precedence, place)
    return claims


def cards_of(hand: int) -> list[referee.Card]:
    return [card for bit, card in enumerate(CARDS) if hand >> bit & 1]


def points(text: str) -> Any:
    return FOUR.labels[classes_of(np.array([GILEY.read(text)], dtype=np.uint32))[0]][0]


@pytest.mark.parametrize("size", [1, 2, 3, 4])
def test_gy_1_2_every_hand_is_classed_as_by_the_referee(size: int) -> None:
    classes = classes_of(ALL_HANDS[size]).tolist()
    assert len(classes) == {1: 28, 2: 378, 3: 3_276, 4: 20_475}[size]
    for number, hand in enumerate(ALL_HANDS[size].tolist()):
        assert FOUR.labels[classes[number]] == (referee.points(cards_of(hand)),), GILEY.cards(hand)


@pytest.mark.parametrize(
    ("size", "counts"),
    [
        (2, {21: 20, 20: 40, 18: 4, 17: 20, 11: 78, 10: 210, 7: 6}),
        (
            4,
            {41: 40, 40: 20, 38: 40, 37: 40, 31: 840, 30: 840, 28: 420, 27: 840, 21: 4_050}
            | {20: 7_200, 18: 654, 17: 3_090, 11: 1_105, 10: 1_295, 7: 1},
        ),
    ],
)
def test_gy_4_1_worked_counts_of_all_hands(size: int, counts: dict[int, int]) -> None:
    axis = {2: TWO, 4: FOUR}[size]
    found = np.bincount(classes_of(ALL_HANDS[size]), minlength=len(axis))
    assert dict(zip((label[0] for label in axis.labels), found.tolist(), strict=True)) == counts


@pytest.mark.parametrize(
    ("hand", "worth"),
    [
        ("AO KO CO SO", 41),
        ("KC CC SC 3C", 40),
        ("AE KE CE 7E", 38),
        ("KB CB SB 7B", 37),
        ("AO KO CO AB", 31),
        ("2E 3E KE AO", 30),
        ("AO 7O KO 7B", 28),
        ("AO KO AC KC", 21),
        ("AB 7B 7C 7E", 18),
        ("7O 7C 7E 7B", 7),  # the one hand that is worth no more than a seven
        ("AB AO", 11),  # the highest card of one suit beside the lowest of the next
        ("AO 2C", 11),
        ("AB 7B", 18),
        ("7B", 7),
    ],
)
def test_gy_4_1_worked_hands(hand: str, worth: int) -> None:
    assert points(hand) == worth


def test_gy_4_1_classes_rise_as_points_do() -> None:
    totals: list[Any] = [label[0] for label in FOUR.labels]
    assert totals == sorted(set(totals))
    assert totals == sorted({referee.points(cards_of(h)) for h in ALL_HANDS[4].tolist()})
    assert [label[0] for label in TWO.labels] == totals[:7]


@pytest.mark.parametrize("size", [2, 4])
def test_gy_4_3_the_suit_that_counts_is_the_referees(size: int) -> None:
    claims = claims_of(ALL_HANDS[size], U32(PRECEDENCE), U32(0))
    found = (claims >> 25 & 3).tolist()
    for number, hand in enumerate(ALL_HANDS[size].tolist()):
        suit = referee.SUITS.index(referee.counted_suit(cards_of(hand)))
        assert found[number] == 3 - suit, GILEY.cards(hand)


def test_gy_4_2_claims_rise_with_points_then_precedence_then_place() -> None:
    hands, classes = ALL_HANDS[4], classes_of(ALL_HANDS[4]).tolist()
    places = np.random.default_rng(1).integers(0, 16, len(hands)).tolist()
    for precedence in (0, PRECEDENCE):
        claims, keys = [], []
        for hand, points_class, place in zip(hands.tolist(), classes, places, strict=True):
            made = int(claims_of(np.array([hand], np.uint32), U32(precedence), U32(place))[0])
            suit = referee.SUITS.index(referee.counted_suit(cards_of(hand)))
            claims.append(made)
            keys.append((points_class, 3 - suit if precedence else 0, place))
        assert [key for _, key in sorted(zip(claims, keys, strict=True))] == sorted(keys)
        assert len(set(claims)) == len(set(keys))


def test_gy_4_2_places_put_privilege_first_and_then_the_lower_seat() -> None:
    order = [(4, 1), (0, 0), (1, 0), (2, 0), (3, 0), (4, 0)]
    ranked = [int(place_of_seat(U32(seat), U32(privilege))) for seat, privilege in order]
    assert ranked == sorted(ranked, reverse=True)
    assert len(set(ranked)) == len(ranked)
    assert max(ranked) < 16


def test_gy_4_1_claims_are_level_if_their_points_are_equal() -> None:
    sample = ALL_HANDS[4][::1_000]
    classes = classes_of(sample)
    claims = claims_of(sample, U32(PRECEDENCE), U32(7 - 3))
    for one, own in zip(claims, classes, strict=True):
        for other, others in zip(claims, classes, strict=True):
            assert is_level(one, other) == (own == others)
            assert (claimed_steps(one) == claimed_steps(other)) == (own == others)
        assert claiming_seat(one) == 3


@pytest.mark.parametrize("players", [2, 3, 4, 5])
@pytest.mark.parametrize("tie", TIES)
def test_gy_1_3_seats_and_tie_options_make_the_classes(players: int, tie: Any) -> None:
    known = figures(Rules(players=players, tie=tie))  # type: ignore[arg-type]
    assert list(known) == ["two", "four", "best", "odds-two", "odds-four"]
    points_axis, tied, winner = (part.axes[0] for part in known["best"].parts)
    assert points_axis == FOUR
    assert (tied.columns, winner.columns) == (("tied",), ("seat",))
    assert [label[0] for label in tied.labels] == list(range(1, players + 1))
    seats = [label[0] for label in winner.labels]
    assert seats[:players] == list(SEATS[players])
    assert seats[players:] == (["shared"] if tie == "split" else [])
    assert (seats[0], seats[players - 1]) == ("mano", "dealer")
    assert not winner.ordered
    for name, own in (("odds-two", TWO), ("odds-four", FOUR)):
        assert [part.name for part in known[name].parts] == list(SEATS[players])
        for part in known[name].parts:
            given, outcome = part.axes
            assert (given, part.given, outcome.ordered) == (own, 1, False)
            both = ["tied"] if tie == "split" else ["tied, won", "tied, lost"]
            assert [label[0] for label in outcome.labels] == ["alone", *both, "lost"]
