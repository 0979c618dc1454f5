"""Whole deals of Giley: winners against the referee, golden first deals, conservation."""

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from reference import giley as referee
from statistic import FIVE_SIGMA, chi_square_score

from sims import dealing, giley, predicates
from sims.cards import GILEY
from sims.figures import Figure, Part, crossed
from sims.giley.deals import deal_packets
from sims.giley.figures import POINTS
from sims.giley.rules import SEATS, TIES
from sims.jit import COMPILED

DEALS = 4_000 if COMPILED else 60
CARDS = [referee.card(GILEY.text(bit)) for bit in range(28)]
RULES = [
    giley.Rules(players=players, tie=tie)  # type: ignore[arg-type]
    for players in (2, 3, 4, 5)
    for tie in TIES
]

Hand = list[referee.Card]


def counted(figure: Figure, rules: giley.Rules, start: int, stop: int) -> NDArray[np.int64]:
    return giley.tally_block(figure, rules, 1, 0, start, stop)


def cards_of(hand: int) -> Hand:
    return [card for bit, card in enumerate(CARDS) if hand >> bit & 1]


@cache
def dealt(players: int) -> list[list[Hand]]:
    """The hands by seat of each deal, in the referee's words."""
    rules = giley.Rules(players=players)  # type: ignore[arg-type]
    hands = giley.deal_hands(rules, 1, 0, 0, DEALS)
    return [[cards_of(hand) for hand in deal] for deal in hands.T.tolist()]


def judged(hands: list[Hand], tie: Any) -> tuple[int, int, int]:
    """The classes of the parts of `best`, by the referee."""
    points = POINTS.index(max(referee.points(hand) for hand in hands))
    shown: Any = referee.show(hands, tie)
    if tie == "split":
        shown = shown[0] if len(shown) == 1 else len(hands)
    return points, referee.tied_count(hands) - 1, shown


@pytest.mark.parametrize("rules", RULES, ids=lambda r: f"{r.players}-{r.tie}")
def test_gy_4_2_best_points_ties_and_winners_are_the_referees(rules: giley.Rules) -> None:
    best = giley.figures(rules)["best"]
    readings = tuple(part.readings[0] for part in best.parts)
    joint = Figure("joint", "All parts at once", (Part("all", readings),))
    expected = np.zeros(joint.parts[0].shape, dtype=np.int64)
    for hands in dealt(rules.players):
        expected[judged(hands, rules.tie)] += 1
    assert (joint.split(counted(joint, rules, 0, DEALS))["all"] == expected).all()
    each = best.split(counted(best, rules, 0, DEALS))
    assert each["points"].tolist() == expected.sum(axis=(1, 2)).tolist()
    assert each["tie"].tolist() == expected.sum(axis=(0, 2)).tolist()
    assert each["winner"].tolist() == expected.sum(axis=(0, 1)).tolist()


@pytest.mark.parametrize("rules", RULES, ids=lambda r: f"{r.players}-{r.tie}")
def test_gy_4_2_records_are_the_referees(rules: giley.Rules) -> None:
    for index, hands in enumerate(dealt(rules.players)[:40]):
        record = giley.deal_record(rules, 1, index)
        assert [hand["seat"] for hand in record["hands"]] == list(SEATS[rules.players])
        for found, hand in zip(record["hands"], hands, strict=True):
            assert sorted(referee.cards(" ".join(found["cards"]))) == sorted(hand)
            assert found["four"] == referee.points(hand)
        assert record["best"] == max(referee.points(hand) for hand in hands)
        shown: Any = referee.show(hands, rules.tie)
        winners = shown if rules.tie == "split" else [shown]
        assert record["winners"] == [SEATS[rules.players][seat] for seat in winners]


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_gy_4_2_every_kind_of_tie_occurs(players: int) -> None:
    """The comparisons above mean something only if enough of their deals are ties."""
    tied = np.bincount([referee.tied_count(hands) for hands in dealt(players)])
    assert tied[2:].sum() > DEALS / 10
    options = [[judged(hands, tie)[2] for hands in dealt(players)] for tie in TIES]
    assert len({tuple(winners) for winners in options}) == len(TIES)


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_gy_1_2_points_of_two_and_of_four_cards_are_the_referees(players: int) -> None:
    rules = giley.Rules(players=players)  # type: ignore[arg-type]
    first, second = deal_packets(rules, 1, 0, 0, DEALS)[:, 0]
    for name, hands in {"two": first, "four": first | second}.items():
        figure = giley.figures(rules)[name]
        classes = [POINTS.index(referee.points(cards_of(hand))) for hand in hands.tolist()]
        expected = np.bincount(classes, minlength=figure.cells)
        assert counted(figure, rules, 0, DEALS).tolist() == [*expected.tolist(), 0]


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_gy_2_1_and_2_2_two_cards_each_and_two_more_none_twice(players: int) -> None:
    rules = giley.Rules(players=players)  # type: ignore[arg-type]
    packets = deal_packets(rules, 8, 0, 0, 500)
    assert packets.shape == (2, players, 500)
    assert (np.bitwise_count(packets) == 2).all()
    everything = np.bitwise_or.reduce(packets, axis=(0, 1))
    assert (np.bitwise_count(everything) == 4 * players).all()
    assert int(everything.max()) < 1 << 28
    assert (giley.deal_hands(rules, 8, 0, 0, 500) == packets[0] | packets[1]).all()


GOLDEN = (
    "AC KB | CC 2C | SO 3O | KE SB | CE 3E | 7C 7B | KC 3B | AO 7E",
    "KO KB | SE 3E | 7C 3B | 2O SB | AO 2E | SO AE | 3O 7B | 7O CB",
    "2O 2B | KC 7E | AO KO | KE CB | AC SE | 7O 3O | SC AB | CE 3B",
)


def test_the_first_deals_of_seed_1_stay_what_they_are() -> None:
    packets = deal_packets(giley.Rules(), 1, 0, 0, len(GOLDEN))
    for deal, golden in enumerate(GOLDEN):
        pairs = [" ".join(GILEY.cards(int(m))) for m in packets[:, :, deal].flat]
        assert " | ".join(pairs) == golden


def test_the_record_of_a_deal_says_what_its_hands_are_worth() -> None:
    record = giley.deal_record(giley.Rules(), 1, 0)
    assert [hand["seat"] for hand in record["hands"]] == ["mano", "second", "third", "dealer"]
    assert record["hands"][1] == {
        "seat": "second",
        "first": ["CC", "2C"],
        "cards": ["CC", "2C", "7C", "7B"],
        "two": 20,
        "four": 27,
    }
    assert (record["best"], record["winners"]) == (27, ["second"])


@pytest.mark.parametrize(
    ("tie", "winners"),
    [
        ("dealer", ["dealer"]),
        ("mano_first", ["mano"]),
        ("suit_rank", ["dealer"]),
        ("split", ["mano", "third", "dealer"]),
    ],
)
def test_gy_4_2_one_deal_under_every_tie_option(tie: Any, winners: list[str]) -> None:
    """Mano has 20 in espadas, third 20 in copas, the dealer 20 in oros."""
    record = giley.deal_record(giley.Rules(tie=tie), 1, 4)
    assert [hand["four"] for hand in record["hands"]] == [20, 10, 20, 20]
    assert record["winners"] == winners


@pytest.mark.parametrize("deals", [1, 2, 3, 511, 512, 513, 1025])
def test_every_deal_is_counted_once_whatever_the_batch(deals: int) -> None:
    deals = deals if COMPILED else min(deals, 3)
    for players in (2, 5):
        rules = giley.Rules(players=players)
        for figure in giley.figures(rules).values():
            for part in figure.split(counted(figure, rules, 7, 7 + deals)).values():
                assert part.sum() == deals
            middle, end = 7 + deals // 2, 7 + deals
            halves = counted(figure, rules, 7, middle) + counted(figure, rules, middle, end)
            assert (halves == counted(figure, rules, 7, end)).all()


@pytest.mark.parametrize("text", ["two>=20", "two>11 and not points>=27", "points>=30 or two=10"])
def test_conditions_leave_the_deals_that_fulfil_them(text: str) -> None:
    meant: dict[str, Callable[[int, int], bool]] = {
        "two>=20": lambda two, _: two >= 20,
        "two>11 and not points>=27": lambda two, four: two > 11 and four < 27,
        "points>=30 or two=10": lambda two, four: four >= 30 or two == 10,
    }
    rules = giley.Rules(players=5)
    holds = predicates.compiled(text, giley.HAND)
    fulfilled = []
    first = deal_packets(rules, 1, 0, 0, DEALS)[0, 0].tolist()
    for hands, two in zip(dealt(5), first, strict=True):
        if meant[text](referee.points(cards_of(two)), referee.points(hands[0])):
            fulfilled.append(judged(hands, rules.tie))
    assert 0 < len(fulfilled) < DEALS
    best = giley.figures(rules)["best"]
    counts = giley.tally_block(best, rules, 1, 0, 0, DEALS, holds)
    assert counts[-1] == len(best.parts) * (DEALS - len(fulfilled))
    for number, (part, found) in enumerate(best.split(counts).items()):
        classes = [judgement[number] for judgement in fulfilled]
        assert found.tolist() == np.bincount(classes, minlength=len(found)).tolist(), part


def test_gy_4_1_no_hand_is_better_than_the_best() -> None:
    known = giley.figures(giley.Rules())
    both = crossed(known["four"], known["best"])
    joint = both.split(counted(both, giley.Rules(), 0, DEALS))["joint"]
    assert np.tril(joint, -1).sum() == 0
    for axis, name in ((1, "four"), (0, "best")):
        alone = counted(known[name], giley.Rules(), 0, DEALS)[: len(POINTS)]
        assert joint.sum(axis=axis).tolist() == alone.tolist()


SAMPLE = 1 << 20
ALL_HANDS = dealing.subsets(28, 4, np.uint32)


def hand_score(hands: NDArray[np.uint32]) -> float:
    counts = np.bincount(np.searchsorted(ALL_HANDS, hands), minlength=len(ALL_HANDS))
    return chi_square_score(counts, SAMPLE / len(ALL_HANDS))


@pytest.mark.compiled
def test_gy_2_2_every_hand_is_equally_likely_in_every_seat() -> None:
    """Five scores of 20 474 degrees: beyond five sigma about once in 300 000 runs."""
    hands = giley.deal_hands(giley.Rules(players=5), 1, 0, 0, SAMPLE)
    assert max(abs(hand_score(own)) for own in hands) < FIVE_SIGMA


@pytest.mark.compiled
def test_gy_2_2_hands_never_dealt_are_caught() -> None:
    """A negative control: the last hand in 330 falls back to an earlier one."""
    short = len(ALL_HANDS) - len(ALL_HANDS) // 330
    numbers = np.random.default_rng(3).integers(0, short, SAMPLE)
    assert hand_score(ALL_HANDS[numbers]) > FIVE_SIGMA
