"""Whole deals of Gleek at random: conservation in every phase, and the clauses of payments."""

from __future__ import annotations

import random

import numpy as np
import pytest

from analysis.settings import rule_values
from sims.cards import GLEEK
from sims.games import game
from sims.gleek import payments, play, vying
from sims.gleek.rules import Rules
from sims.jit import COMPILED
from sims.streams import Purpose

BATCHES, BATCH = (200, 100) if COMPILED else (5, 4)


def some_rules(rng: random.Random) -> Rules:
    values = rule_values(game("gleek"))
    return Rules(**{key: rng.choice(list(allowed.values())) for key, allowed in values.items()})


def test_gk_6_3_chips_are_conserved_in_every_phase_under_random_options() -> None:
    rng = random.Random(7)
    for number in range(BATCHES):
        rules = some_rules(rng)
        played = play.deal_batch(rules, 7, Purpose.MEASURE, number * BATCH, BATCH)
        by_phase = played.chips.sum(axis=1)
        assert not by_phase[: play.PLAYED_OUT].any()
        assert (by_phase[play.PLAYED_OUT] + played.pool == 0).all()
        assert (played.tricks.sum(axis=0) == play.TRICKS).all()
        assert (np.bitwise_count(played.hands) == 12).all()
        points = played.points.sum(axis=0)
        assert (points <= 66).all()
        if not rules.free_discard:  # GK-2.4
            assert (points == 66).all()


def test_gk_2_4_under_free_discard_the_pool_keeps_the_points_laid_out() -> None:
    played = play.deal_batch(Rules(free_discard=True), 7, Purpose.MEASURE, 0, BATCH)
    assert (played.pool == 66 - played.points.sum(axis=0)).all()
    assert played.pool.any()


def test_deals_do_not_depend_on_the_batch_they_are_played_in() -> None:
    whole = play.deal_batch(Rules(), 3, Purpose.MEASURE, 0, 12, traced=True)
    part = play.deal_batch(Rules(), 3, Purpose.MEASURE, 5, 7, traced=True)
    for ours, theirs in zip(whole[:-1], part[:-1], strict=True):
        assert np.array_equal(ours[..., 5:], theirs)
    assert np.array_equal(whole.trace[5:], part.trace)


@pytest.mark.parametrize(
    ("turnup", "tiddy_up", "others", "pay"),
    [
        ("4H", 4, 0, 4),
        ("4H", 2, 1, 2),
        ("4H", 0, 1, 0),
        ("5S", 4, 1, 5),
        ("6C", 4, 1, 6),
        ("5S", 4, 0, 0),
        ("6C", 4, 0, 0),
        ("AH", 4, 1, 0),
    ],
)
def test_gk_1_4_gk_1_5_the_turnup(turnup: str, tiddy_up: int, others: int, pay: int) -> None:
    assert payments.turnup_pay(np.uint64(GLEEK.read(turnup)), tiddy_up, others) == pay


def test_gk_4_1_sets_and_gk_5_3_honours() -> None:
    hand = np.uint64(GLEEK.read("AS AH AD AC KS KH KD JS JH JD 4S 5S"))
    assert payments.set_pay(hand) == 8 + 3 + 1
    mournivals = np.uint64(GLEEK.read("AS AH AD AC KS KH KD KC QS QH QD QC"))
    assert payments.set_pay(mournivals) == 18
    spades = np.uint64(GLEEK.read("7S"))
    assert payments.honour_points(hand, spades) == 15 + 3 + 9
    trump = np.uint64(GLEEK.suit_mask(0))
    assert payments.tiddy_pay(hand, trump) == 2
    assert payments.tiddy_pay(mournivals, trump) == 0


def test_gk_6_1_points_against_par() -> None:
    points = np.array([[36], [21], [9]], dtype=np.int64)
    chips, pool = np.zeros((3, 1), dtype=np.int64), np.zeros(1, dtype=np.int64)
    payments.settle(0, points, chips, pool)
    assert chips[:, 0].tolist() == [14, -1, -13]
    assert pool.tolist() == [0]


def test_gk_3_2_gk_6_1_pool_and_opening_stake_go_on_in_a_session() -> None:
    rules = Rules(free_discard=True)
    first = play.deal_batch(rules, 7, Purpose.MEASURE, 0, BATCH)
    second = play.deal_batch(rules, 7, Purpose.MEASURE, 0, BATCH, deal=1, after=first)
    assert (second.vied[vying.OPENING] == first.opening).all()
    assert (second.pool == first.pool + 66 - second.points.sum(axis=0)).all()
    assert set(first.opening.tolist()) <= {2, 4}
    assert not np.array_equal(first.hands, second.hands)
