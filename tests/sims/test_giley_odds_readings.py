"""What the kernel reads for the odds of each seat (GY-4), deal by deal against the referee."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from reference import giley as referee
from reference import giley_arrays as arrays

from sims import giley
from sims.cards import GILEY
from sims.figures import Figure, Part, Reading
from sims.giley.deals import deal_packets
from sims.giley.figures import (
    FOUR_OF_SEAT,
    OUTCOME_CODES,
    POINTS,
    TWO_OF_SEAT,
    outcome_axis,
)
from sims.giley.rules import SEATS, TIES
from sims.jit import COMPILED

DEALS = 2_000 if COMPILED else 40
CARDS = [referee.card(GILEY.text(bit)) for bit in range(28)]
RULES = [
    giley.Rules(players=players, tie=tie)  # type: ignore[arg-type]
    for players in (2, 3, 4, 5)
    for tie in TIES
]

Hand = list[referee.Card]


def cards_of(hand: int) -> Hand:
    return [card for bit, card in enumerate(CARDS) if hand >> bit & 1]


@cache
def dealt(players: int) -> list[tuple[list[Hand], list[Hand]]]:
    """The first two cards and all four of each seat, deal by deal, in the referee's words."""
    rules = giley.Rules(players=players)  # type: ignore[arg-type]
    packets = deal_packets(rules, 3, 0, 0, DEALS)
    first, hands = packets[0], packets[0] | packets[1]
    return [
        ([cards_of(two) for two in own_first], [cards_of(hand) for hand in own])
        for own_first, own in zip(first.T.tolist(), hands.T.tolist(), strict=True)
    ]


def outcome(hands: list[Hand], seat: int, tie: Any) -> str:
    """What becomes of a seat's hand, by the referee."""
    tied = referee.tied_seats(hands)
    if seat not in tied:
        return "lost"
    if len(tied) == 1:
        return "alone"
    if tie == "split":
        return "tied"
    return "tied, won" if referee.show(hands, tie) == seat else "tied, lost"


def joint(rules: giley.Rules, seat: int) -> NDArray[np.int64]:
    """A seat's points of two cards, of four, and its outcome, as the kernel reads them."""
    readings = (
        TWO_OF_SEAT[seat],
        FOUR_OF_SEAT[seat],
        Reading(OUTCOME_CODES[seat], outcome_axis(rules.tie == "split")),
    )
    figure = Figure("joint", "All of a seat", (Part("all", readings),))
    return figure.split(giley.tally_block(figure, rules, 3, 0, 0, DEALS))["all"]


@pytest.mark.parametrize("rules", RULES, ids=lambda r: f"{r.players}-{r.tie}")
def test_gy_4_2_points_and_outcome_of_every_seat_are_the_referees(rules: giley.Rules) -> None:
    labels = [label for (label,) in outcome_axis(rules.tie == "split").labels]
    for seat in range(rules.players):
        found = joint(rules, seat)
        expected = np.zeros_like(found)
        for first, hands in dealt(rules.players):
            two, four = (POINTS.index(referee.points(held[seat])) for held in (first, hands))
            expected[two, four, labels.index(outcome(hands, seat, rules.tie))] += 1
        assert (found == expected).all()
        # The figures have the same in a part a seat.
        for name, summed in (("odds-two", 1), ("odds-four", 0)):
            figure = giley.figures(rules)[name]
            parts = figure.split(giley.tally_block(figure, rules, 3, 0, 0, DEALS))
            assert (parts[SEATS[rules.players][seat]] == expected.sum(axis=summed)).all()


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_gy_4_2_one_seat_wins_unless_the_pot_is_shared(players: int) -> None:
    for tie in TIES:
        rules = giley.Rules(players=players, tie=tie)  # type: ignore[arg-type]
        parts = giley.figures(rules)["odds-four"]
        counts = parts.split(giley.tally_block(parts, rules, 3, 0, 0, DEALS))
        won = sum(int(counts[seat][:, :2].sum()) for seat in SEATS[players])
        shared = sum(referee.tied_count(hands) - 1 for _, hands in dealt(players))
        assert won == DEALS + (shared if tie == "split" else 0)


def test_gy_4_2_another_tie_option_is_caught() -> None:
    """The control: under `mano_first` mano loses no tie, under `dealer` he loses many."""
    rules, other = giley.Rules(), giley.Rules(tie="mano_first")
    assert joint(rules, 0)[:, :, 2].sum() > 0
    assert joint(other, 0)[:, :, 2].sum() == 0


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_gy_4_2_the_referee_in_numpy_agrees_with_the_referee(players: int) -> None:
    deals = dealt(players)[:300]
    masks = np.array([[arrays.mask(hand) for hand in hands] for _, hands in deals]).T
    for seat in range(players):
        assert arrays.sharing(masks, seat).tolist() == [
            referee.tied_count(hands) * (seat in referee.tied_seats(hands)) for _, hands in deals
        ]
        for tie in TIES:
            names = arrays.SHARED_OUTCOMES if tie == "split" else arrays.OUTCOMES
            found = [names[number] for number in arrays.outcomes(masks, seat, tie)]  # type: ignore[arg-type]
            assert found == [outcome(hands, seat, tie) for _, hands in deals]
