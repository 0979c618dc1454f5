"""Whole deals of Gilten: outcomes against the referee, golden first deals, conservation."""

import msgspec
import numpy as np
import pytest
from numpy.typing import NDArray
from reference import gilten as referee

from sims import gilten
from sims.cards import GILTEN
from sims.figures import Figure, crossed
from sims.gilten.rules import TIES
from sims.jit import COMPILED

DEALS = 3_000 if COMPILED else 60
RULES = [
    msgspec.convert({"players": players, "tie": tie}, gilten.Rules)
    for players in (4, 2)
    for tie in TIES
]


def counted(figure: Figure, rules: gilten.Rules, start: int, stop: int) -> NDArray[np.int64]:
    return gilten.tally_block(figure, rules, 1, 0, start, stop)


def texts(hands: NDArray[np.uint32], deal: int) -> list[list[referee.Card]]:
    return [list(referee.cards(" ".join(GILTEN.cards(int(m))))) for m in hands[:, deal]]


@pytest.mark.parametrize("rules", RULES, ids=lambda r: f"{r.players}-{r.tie}")
def test_gn_3_5_outcomes_and_best_classes_are_the_referees(rules: gilten.Rules) -> None:
    hands = gilten.deal_hands(rules, 1, 0, 0, DEALS)
    assert len(hands) == rules.players + 1
    outcomes = ("ours", "theirs", "stands", "none")
    for name in ("gleich", "hanger"):
        figure = gilten.figures(rules)[f"team-{name}"]
        expected = np.zeros(4, dtype=np.int64)
        axis = figure.parts[1].axes[0]
        classes = np.zeros(figure.parts[1].shape, dtype=np.int64)
        for deal in range(DEALS):
            *by_seat, (turnup,) = texts(hands, deal)
            outcome = referee.outcome(by_seat, turnup, name, rules.tie)
            expected[outcomes.index(outcome)] += 1
            best = [referee.team_figure(by_seat[team::2], name) for team in (0, 1)]
            classes[tuple(class_of(axis.labels, value, name) for value in best)] += 1
        found = figure.split(counted(figure, rules, 0, DEALS))
        assert found["outcome"].tolist() == expected.tolist()
        assert (found["classes"] == classes).all()


def class_of(
    labels: tuple[tuple[str | int | None, ...], ...], value: tuple[int, str] | None, name: str
) -> int:
    if value is None:
        return 0
    size = {2: "pair", 3: "triplet", 4: "quartet"}[value[0]] if name == "gleich" else str(value[0])
    return labels.index((size, value[1]))


def test_gn_3_5_tied_deals_occur_under_every_option() -> None:
    """The comparison above means something only if enough of its deals are ties."""
    rules = gilten.Rules()
    for name in ("team-gleich", "team-hanger"):
        figure = gilten.figures(rules)[name]
        stands = figure.split(counted(figure, rules, 0, DEALS))["outcome"][2]
        assert stands > DEALS / 100


def test_gn_1_3_five_cards_each_and_a_turn_up_none_twice() -> None:
    for rules in (gilten.Rules(), gilten.Rules(players=2)):
        hands = gilten.deal_hands(rules, 8, 0, 0, 500)
        assert (np.bitwise_count(hands[:-1]) == 5).all()
        assert (np.bitwise_count(hands[-1]) == 1).all()
        dealt = np.bitwise_or.reduce(hands, axis=0)
        assert (np.bitwise_count(dealt) == 5 * rules.players + 1).all()


GOLDEN = (
    "KE UL AH OH AS | UE 10E OL 7L 7H | 9E 7E 9H OS 10S | OE 8L UH 10H US | AL",
    "UE 10E 9L OH AS | 8E OL AH 9H 7H | KL UL KH OS 7S | 8L UH 10H KS 8S | AE",
    "OL 10H 9H US 8S | OE 9E 8L KS OS | KE UE 9L AS 9S | AE AL UL UH 7H | 8H",
)


def test_the_first_deals_of_seed_1_stay_what_they_are() -> None:
    hands = gilten.deal_hands(gilten.Rules(), 1, 0, 0, len(GOLDEN))
    for deal, golden in enumerate(GOLDEN):
        assert " | ".join(" ".join(GILTEN.cards(int(m))) for m in hands[:, deal]) == golden


def test_the_record_of_a_deal_says_what_its_hands_hold() -> None:
    record = gilten.deal_record(gilten.Rules(), 1, 0)
    assert [hand["seat"] for hand in record["hands"]] == ["forehand", "second", "third", "dealer"]
    assert record["hands"][1] == {
        "seat": "second",
        "cards": ["UE", "10E", "OL", "7L", "7H"],
        "gleich": "pair 7",
        "hanger": "2 U",
    }
    # Ours: a pair of aces over one of sevens; theirs: both hold 10-U, we hold no Hanger.
    assert (record["turnup"], record["gleich"], record["hanger"]) == ("AL", "ours", "theirs")


def test_a_joint_distribution_has_its_margins() -> None:
    rules = gilten.Rules()
    known = gilten.figures(rules)
    both = crossed(known["team-gleich"], known["team-hanger"])
    joint = both.split(counted(both, rules, 0, DEALS))["joint"]
    for axis, name in ((1, "team-gleich"), (0, "team-hanger")):
        alone = known[name].split(counted(known[name], rules, 0, DEALS))["outcome"]
        assert joint.sum(axis=axis).tolist() == alone.tolist()


def test_a_hand_and_its_joint_distribution_agree() -> None:
    rules = gilten.Rules()
    known = gilten.figures(rules)
    joint = known["gleich-hanger"].split(counted(known["gleich-hanger"], rules, 5, DEALS))["hand"]
    for axis, name in ((1, "gleich"), (0, "hanger")):
        alone = known[name].split(counted(known[name], rules, 5, DEALS))["hand"]
        assert joint.sum(axis=axis).tolist() == alone.tolist()


@pytest.mark.parametrize("deals", [1, 2, 3, 511, 512, 513, 1025])
def test_every_deal_is_counted_once_whatever_the_batch(deals: int) -> None:
    deals = deals if COMPILED else min(deals, 3)
    rules = gilten.Rules()
    for figure in gilten.figures(rules).values():
        for part in figure.split(counted(figure, rules, 7, 7 + deals)).values():
            assert part.sum() == deals
