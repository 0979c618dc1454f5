"""Whole deals of Gleek: every reading against the referee, golden first deals, suit lengths."""

from functools import cache
from math import comb

import numpy as np
import pytest
from numpy.typing import NDArray
from reference import dealing as plain
from reference import gleek as referee
from statistic import FIVE_SIGMA, chi_square_score

from sims import gleek
from sims.cards import GLEEK
from sims.figures import Figure, Label, Part, Reading, crossed
from sims.gleek.deals import deal_plan
from sims.gleek.figures import (
    BEST_RUFF,
    HONOUR_TURNED_UP,
    HONOURS_IN_HAND,
    HONOURS_IN_STOCK,
    INCOMES,
    NUMBER_OF_ACES,
    NUMBER_OF_SETS,
    RUFFS,
    SEATS,
    SETS_BY_RANK,
    TIE,
    WINNER,
)
from sims.jit import COMPILED
from sims.predicates import compiled

DEALS = 20_000 if COMPILED else 40
CARDS = [referee.card(GLEEK.text(bit)) for bit in range(44)]
RULES = [gleek.Rules(turnup_in_ruff=counts) for counts in (False, True)]

Cards = list[referee.Card]


def counted(figure: Figure, rules: gleek.Rules, start: int, stop: int) -> NDArray[np.int64]:
    return gleek.tally_block(figure, rules, 1, 0, start, stop)


@cache
def dealt(deals: int) -> list[list[Cards]]:
    """Hands by seat, turn-up and stock of each deal, in the referee's words."""
    masks = gleek.deal_hands(gleek.Rules(), 1, 0, 0, deals)
    return [
        [[card for bit, card in enumerate(CARDS) if mask >> bit & 1] for mask in rows]
        for rows in masks.T.tolist()
    ]


def readings_agree(
    readings: tuple[Reading, ...], rules: gleek.Rules, expected: list[tuple[Label, ...]]
) -> None:
    """Whether the joint counts of some readings are those of the referee's labels, deal by deal.

    Each label is the last column of its axis.
    """
    figure = Figure("joint", "Some readings at once", (Part("all", readings),))
    number = [
        {labels[-1]: row for row, labels in enumerate(reading.axis.labels)} for reading in readings
    ]
    counts = np.zeros(figure.parts[0].shape, dtype=np.int64)
    for labels in expected:
        counts[tuple(rows[label] for rows, label in zip(number, labels, strict=True))] += 1
    found = figure.split(counted(figure, rules, 0, len(expected)))["all"]
    assert (found == counts).all()


def ruff_label(ruff: referee.Ruff) -> int | str:
    return "four aces" if ruff[0] else ruff[1]


@pytest.mark.parametrize("rules", RULES, ids=["", "turn-up counts"])
def test_gk_3_1_and_3_4_best_ruffs_winners_and_ties_are_the_referees(rules: gleek.Rules) -> None:
    expected: list[tuple[Label, ...]] = []
    for *hands, (turnup,), _ in dealt(DEALS):
        winner, best, tied = referee.best_ruff(hands, turnup, rules.turnup_in_ruff)
        expected.append((ruff_label(best), SEATS[winner], tied))
    readings_agree((BEST_RUFF, WINNER, TIE), rules, expected)
    if COMPILED:  # the comparison means something only if its deals have ties and four aces
        assert {tied for _, _, tied in expected} == {1, 2, 3}
        assert [best for best, _, _ in expected].count("four aces") > 100


@pytest.mark.parametrize("rules", RULES, ids=["", "turn-up counts"])
def test_gk_3_1_ruffs_of_all_seats_are_the_referees(rules: gleek.Rules) -> None:
    expected: list[tuple[Label, ...]] = []
    for *hands, (turnup,), _ in dealt(DEALS):
        counts = (None, None, turnup if rules.turnup_in_ruff else None)
        ruffs = [referee.ruff(hand, up) for hand, up in zip(hands, counts, strict=True)]
        expected.append(tuple(map(ruff_label, ruffs)))
    readings_agree(RUFFS, rules, expected)


def test_gk_4_sets_of_eldest_and_all_incomes_are_the_referees() -> None:
    of_eldest: list[tuple[Label, ...]] = []
    incomes: list[tuple[Label, ...]] = []
    for *hands, _, _ in dealt(DEALS):
        found = {rank: name for name, rank in referee.sets(hands[0])}
        names = [found.get(rank, "none") for rank in SETS_BY_RANK]
        of_eldest.append((*names, len(found), referee.aces(hands[0])))
        incomes.append(tuple(referee.sets_income(hand) for hand in hands))
    readings = (*SETS_BY_RANK.values(), NUMBER_OF_SETS, NUMBER_OF_ACES)
    readings_agree(readings, gleek.Rules(), of_eldest)
    readings_agree(INCOMES, gleek.Rules(), incomes)


def test_gk_5_3_honours_are_the_referees() -> None:
    expected: list[tuple[Label, ...]] = []
    for eldest, _, _, (turnup,), stock in dealt(DEALS):
        places = (
            referee.trump_honours(eldest, turnup.suit),
            referee.turnup_honours(turnup),
            referee.stock_honours(stock, turnup),
        )
        expected.append(tuple(" ".join(honours) or "none" for honours in places))
    readings_agree((HONOURS_IN_HAND, HONOUR_TURNED_UP, HONOURS_IN_STOCK), gleek.Rules(), expected)


def test_gk_1_3_twelve_cards_each_a_turn_up_and_a_stock_of_seven() -> None:
    hands = gleek.deal_hands(gleek.Rules(), 8, 0, 0, 500)
    sizes = np.bitwise_count(hands)
    assert (sizes == np.array([12, 12, 12, 1, 7])[:, None]).all()
    assert (np.bitwise_or.reduce(hands, axis=0) == GLEEK.mask).all()
    assert sizes.sum() == 44 * 500


def test_gk_1_3_hands_are_the_plain_dealers_packets() -> None:
    """Four packets of three are a hand."""
    plan, seed, start, deals = deal_plan(), 5, 1 << 40, 60
    hands = gleek.deal_hands(gleek.Rules(), seed, 0, start, deals)
    for lane in range(deals):
        packets, _ = plain.packets(44, [3] * 12 + [1], list(plan.word), seed, start + lane)
        masks = [sum(1 << card for card in packet) for packet in packets]
        expected = [sum(masks[first : first + 4]) for first in (0, 4, 8)] + [masks[12]]
        assert hands[:4, lane].tolist() == expected


# What is dealt is as likely as it should be ------------------------------------------------------

MANY = 1 << 20


@pytest.fixture(scope="module")
def many() -> NDArray[np.uint64]:
    return gleek.deal_hands(gleek.Rules(), 77, 0, 0, MANY)


def chances_of_lengths(cards: int) -> NDArray[np.float64]:
    """Hypergeometric: how many of a suit's eleven cards are among so many of 44."""
    ways = [comb(11, held) * comb(33, cards - held) for held in range(min(cards, 11) + 1)]
    return np.array(ways) / comb(44, cards)


def lengths_score(hands: NDArray[np.uint64], suit: int, cards: int) -> float:
    """Chi-square score of a suit's lengths; those expected fewer than ten times count as one.

    At about ten degrees of freedom a score beyond five sigma comes up once in 12 000 tests.
    """
    expected = chances_of_lengths(cards) * len(hands)
    at_least = expected[::-1].cumsum()[::-1]
    longest = int((at_least >= 10).sum()) - 1
    held = np.bitwise_count(hands & np.uint64(GLEEK.suit_mask(suit))).clip(max=longest)
    counts = np.bincount(held, minlength=longest + 1)
    return chi_square_score(counts, np.append(expected[:longest], at_least[longest]))


@pytest.mark.compiled
def test_gk_1_3_suit_lengths_of_every_hand_and_the_stock(many: NDArray[np.uint64]) -> None:
    """Sixteen tests: a false alarm once in 750 seeds."""
    for row, cards in ((0, 12), (1, 12), (2, 12), (4, 7)):
        for suit in range(4):
            assert abs(lengths_score(many[row], suit, cards)) < FIVE_SIGMA


@pytest.mark.compiled
def test_gk_1_3_every_card_is_as_often_in_every_place(many: NDArray[np.uint64]) -> None:
    """44 cards in five places, each count binomial: beyond five sigma once in 8 000 seeds."""
    for row, cards in zip(many, (12, 12, 12, 1, 7), strict=True):
        for bit in range(44):
            found = int((row >> np.uint64(bit) & np.uint64(1)).sum())
            chance = cards / 44
            score = (found - MANY * chance) / np.sqrt(MANY * chance * (1 - chance))
            assert abs(score) < FIVE_SIGMA


@pytest.mark.compiled
def test_suit_lengths_of_a_biased_shuffle_are_caught() -> None:
    """The classic fault, swaps with any card, on a quarter of the deals."""
    generator, deals = np.random.default_rng(7), MANY // 4
    pack = np.tile(np.arange(44, dtype=np.uint8), (deals, 1))
    lanes = np.arange(deals)
    for place in range(44):
        partner = generator.integers(0, 44, deals)
        pack[lanes, place], pack[lanes, partner] = pack[lanes, partner], pack[lanes, place]
    hands = np.bitwise_or.reduce(np.uint64(1) << pack[:, :12].astype(np.uint64), axis=1)
    assert max(lengths_score(hands, suit, 12) for suit in range(4)) > 10 * FIVE_SIGMA


# Golden deals, records, margins ------------------------------------------------------------------

GOLDEN = (
    "KS JS 5S QH JH 10H 9D 7D 5D KC 10C 9C | AS QS AH KH 8H 7H 5H QD JD 10D QC 6C | "
    "9S 7S 6S 9H AD KD 8D 4D AC JC 7C 4C | 6H | 10S 8S 4S 4H 6D 8C 5C",
    "9S 8S 5S AH 9H 7H 5H 4H JD KC 10C 8C | QS 6S JH 10H KD QD 8D 7D 6D AC 5C 4C | "
    "AS JS 10S 4S QH 6H 10D 9D 4D QC JC 9C | KS | 7S KH 8H AD 5D 7C 6C",
    "8S 7S 4S AH KH JH 5H JD 4D AC 10C 7C | QH 10H 9H 4H AD 9D 6D JC 9C 8C 5C 4C | "
    "QS 6S 5S 8H 7H 6H QD 7D 5D KC QC 6C | 10D | AS KS JS 10S 9S KD 8D",
)


def test_the_first_deals_of_seed_1_stay_what_they_are() -> None:
    hands = gleek.deal_hands(gleek.Rules(), 1, 0, 0, len(GOLDEN))
    for deal, golden in enumerate(GOLDEN):
        assert " | ".join(" ".join(GLEEK.cards(int(m))) for m in hands[:, deal]) == golden


def test_the_record_of_a_deal_says_what_its_hands_hold() -> None:
    record = gleek.deal_record(gleek.Rules(), 1, 0)
    assert [hand["seat"] for hand in record["hands"]] == ["eldest", "second", "dealer"]
    assert record["hands"][1] == {
        "seat": "second",
        "cards": ["AS", "QS", "AH", "KH", "8H", "7H", "5H", "QD", "JD", "10D", "QC", "6C"],
        "ruff": 41,
        "sets": ["gleek Q"],
        "aces": 2,
        "honours": ["A", "K"],
    }
    assert record["turnup"] == "6H"
    assert record["stock"] == ["10S", "8S", "4S", "4H", "6D", "8C", "5C"]
    assert (record["best"], record["winner"], record["tied"]) == (41, "second", 1)


def test_gk_3_1_the_record_counts_the_turn_up_where_the_rules_do() -> None:
    """Deal 1 turns up the king of spades, and the dealer holds ace, jack, ten and four of them."""
    apart, counted_in = (gleek.deal_record(rules, 1, 1) for rules in RULES)
    assert apart["hands"][:2] == counted_in["hands"][:2]
    assert [record["hands"][2]["ruff"] for record in (apart, counted_in)] == [35, 45]
    assert (apart["best"], apart["winner"]) == (41, "second")
    assert (counted_in["best"], counted_in["winner"]) == (45, "dealer")


def test_figures_of_one_hand_do_not_depend_on_the_option() -> None:
    for name, figure in gleek.figures(gleek.Rules()).items():
        apart, counted_in = (counted(figure, rules, 0, DEALS) for rules in RULES)
        assert (apart == counted_in).all() == (name not in ("best-ruff", "odds-ruff"))


@pytest.mark.parametrize("rules", RULES, ids=["", "turn-up counts"])
def test_deals_under_a_condition_are_those_the_referee_keeps(rules: gleek.Rules) -> None:
    figure = gleek.figures(rules)["best-ruff"]
    holds = compiled("ruff>=41 and honour(A) or gleek(K)", gleek.HAND)
    winners = np.zeros(3, dtype=np.int64)
    for *hands, (turnup,), _ in dealt(DEALS):
        total = referee.ruff(hands[0])
        has_tib = "A" in referee.trump_honours(hands[0], turnup.suit)
        if (total >= (False, 41) and has_tib) or ("gleek", "K") in referee.sets(hands[0]):
            winners[referee.best_ruff(hands, turnup, rules.turnup_in_ruff)[0]] += 1
    counts = gleek.tally_block(figure, rules, 1, 0, 0, DEALS, holds)
    assert figure.split(counts)["winner"].tolist() == winners.tolist()
    assert counts[-1] == len(figure.parts) * (DEALS - winners.sum())
    assert 0 < winners.sum() < DEALS


def test_a_joint_distribution_has_its_margins() -> None:
    rules = gleek.Rules()
    known = gleek.figures(rules)
    both = crossed(known["ruff"], known["aces"])
    joint = both.split(counted(both, rules, 0, DEALS))["joint"]
    for axis, name in ((1, "ruff"), (0, "aces")):
        alone = known[name].split(counted(known[name], rules, 0, DEALS))["hand"]
        assert joint.sum(axis=axis).tolist() == alone.tolist()
    # GK-3.1: four aces are a class of the ruff and of the aces, and the same deals.
    assert joint[-1, -1] == joint[-1].sum() == joint[:, -1].sum()


@pytest.mark.parametrize("deals", [1, 2, 3, 511, 512, 513, 1025])
def test_every_deal_is_counted_once_whatever_the_batch(deals: int) -> None:
    deals = deals if COMPILED else min(deals, 3)
    for rules in RULES:
        for figure in gleek.figures(rules).values():
            for part in figure.split(counted(figure, rules, 7, 7 + deals)).values():
                assert part.sum() == deals
