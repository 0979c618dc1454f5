"""Gleek's figures, kernel against the plain-Python referee (GK-3.1, GK-4, GK-5.3).

Random hands are drawn by numpy, so that nothing here depends on the dealing; where the cards that
matter are few, all cases are tried.
"""

from collections.abc import Callable, Iterable, Sequence
from itertools import combinations, product
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from reference import gleek as referee

from sims.cards import GLEEK
from sims.gleek.figures import (
    ACES,
    FIGURES,
    HAND,
    HONOURS,
    HONOURS_IN_HAND,
    INCOME,
    NUMBER_OF_ACES,
    NUMBER_OF_SETS,
    NUMBERS,
    ONE_INCOME,
    ONE_RUFF,
    RUFF,
    SET,
    SETS,
    SETS_BY_RANK,
    TURNUP,
    honours_class,
    income,
    number_of_rank,
    number_of_sets,
    ruff,
    set_of_rank,
    sets_of_four,
    suit_points,
    trump_honours,
    turnup_class,
)
from sims.jit import COMPILED, kernel
from sims.predicates import compiled

CARDS = [referee.card(GLEEK.text(bit)) for bit in range(44)]
BITS = {card: 1 << bit for bit, card in enumerate(CARDS)}
HANDS = 50_000 if COMPILED else 300
RANKS = ("J", "Q", "K", "A")  # by the bit of a set of honours

Masks = NDArray[np.uint64]


def cards_of(mask: int) -> list[referee.Card]:
    return [card for bit, card in enumerate(CARDS) if mask >> bit & 1]


def masks(hands: Iterable[Iterable[referee.Card]]) -> Masks:
    return np.array([sum(BITS[card] for card in hand) for hand in hands], dtype=np.uint64)


def random_hands(cards: int, hands: int, seed: int) -> Masks:
    """Uint64 masks, (hands,), of the first cards of shuffled packs."""
    pack = np.random.default_rng(seed).random((hands, 44)).argsort(axis=1)[:, :cards]
    hand_masks: Masks = np.bitwise_or.reduce(np.uint64(1) << pack.astype(np.uint64), axis=1)
    return hand_masks


@kernel
def ruffs_of(hands: Any) -> Any:
    classes = np.empty(len(hands), dtype=np.uint32)
    for lane in range(len(hands)):
        classes[lane] = ruff(hands[lane])
    return classes


@kernel
def suit_points_of(suits: Any) -> Any:
    points = np.empty(len(suits), dtype=np.uint32)
    for lane in range(len(suits)):
        points[lane] = suit_points(suits[lane])
    return points


@kernel
def sets_of(hands: Any) -> Any:
    """Rows: the sets of J, Q, K and A, how many there are, income, and the number of aces."""
    classes = np.empty((7, len(hands)), dtype=np.uint32)
    for lane in range(len(hands)):
        sets = sets_of_four(hands[lane])
        for rank in range(4):
            classes[rank, lane] = set_of_rank(sets, np.uint32(rank))
        classes[4, lane] = number_of_sets(sets)
        classes[5, lane] = income(sets)
        classes[6, lane] = number_of_rank(hands[lane], 0)
    return classes


@kernel
def honours_of_cards(cards: Any, turnups: Any) -> Any:
    """Rows: the class of the honours among the cards, and that of the turn-up."""
    classes = np.empty((2, len(cards)), dtype=np.uint32)
    for lane in range(len(cards)):
        classes[0, lane] = honours_class(trump_honours(cards[lane], turnups[lane]))
        classes[1, lane] = turnup_class(trump_honours(turnups[lane], turnups[lane]))
    return classes


def ruff_by_referee(hand: Sequence[referee.Card]) -> int | str:
    four_aces, total = referee.ruff(hand)
    return "four aces" if four_aces else total


def sets_by_referee(hand: Sequence[referee.Card]) -> list[str | int]:
    found = {rank: name for name, rank in referee.sets(hand)}
    return [
        *(found.get(rank, "none") for rank in RANKS),
        len(found),
        referee.sets_income(hand),
        referee.aces(hand),
    ]


def set_labels(classes: NDArray[np.uint32]) -> list[str | int | None]:
    axes = (SET, SET, SET, SET, SETS, INCOME, ACES)
    return [axis.labels[number][0] for axis, number in zip(axes, classes.tolist(), strict=True)]


# The ruff (GK-3.1) -------------------------------------------------------------------------------


def test_gk_3_1_every_holding_of_a_suit_counts_its_points() -> None:
    holdings = np.arange(1 << 11, dtype=np.uint32)
    expected = [referee.suit_totals(cards_of(int(suit)))["S"] for suit in holdings]
    assert suit_points_of(holdings).tolist() == expected


@pytest.mark.parametrize(("cards", "seed"), [(12, 31), (13, 32)], ids=["hand", "with turn-up"])
def test_gk_3_1_ruffs_are_the_referees(cards: int, seed: int) -> None:
    hands = random_hands(cards, HANDS, seed)
    found = [RUFF.labels[number][0] for number in ruffs_of(hands).tolist()]
    for hand, label in zip(hands.tolist(), found, strict=True):
        assert label == ruff_by_referee(cards_of(hand)), GLEEK.cards(hand)
    assert (found.count("four aces") > 50) is COMPILED


def test_gk_3_1_ruffs_of_long_suits_are_the_referees() -> None:
    """Few random hands hold more than seven cards of a suit: here are all with nine or more."""
    suits = [suit for size in (9, 10, 11) for suit in combinations(range(11), size)]
    hands = []
    for suit, ranks in product(range(4), suits):
        others = [card for card in CARDS if card.suit != GLEEK.suits[suit]]
        rest = others[suit :: len(others) // 3][: 12 - len(ranks)]
        hands.append([CARDS[suit * 11 + rank] for rank in ranks] + rest)
    found = ruffs_of(masks(hands)).tolist()
    assert [RUFF.labels[number][0] for number in found] == [ruff_by_referee(h) for h in hands]


@pytest.mark.parametrize(
    ("hand", "label"),
    [
        ("4S 5S 6S 4H 5H 6H 4D 5D 6D 4C 5C 6C", 15),  # the least there is
        ("AS KS QS JS 4H 5H 6H 4D 5D 6D 4C 5C", 41),
        ("AC KC QC JC 10C 9C 8C 7C 6C 5C 4C AS", 90),  # the most
        ("AC KC QC JC 10C 9C 8C 7C 6C 5C KH AS", 86),
        ("AS AH AD AC 4S 4H 4D 4C 5S 5H 5D 5C", "four aces"),
        ("AS AH AD AC KS QS JS 10S 9S 8S 7S 6S", "four aces"),
    ],
)
def test_gk_3_1_worked_ruffs(hand: str, label: int | str) -> None:
    (number,) = ruffs_of(np.array([GLEEK.read(hand)], dtype=np.uint64)).tolist()
    assert RUFF.labels[number] == (label,)


def test_gk_3_1_classes_rise_as_ruffs_do() -> None:
    """The classes are all totals that twelve or thirteen cards can have, and then four aces."""
    *totals, four_aces = [label for (label,) in RUFF.labels]
    assert four_aces == "four aces"
    suit_totals = {
        sum(referee.card_points(card) for card in held)
        for size in range(12)
        for held in combinations(CARDS[:11], size)
    }
    # Three cards of each suit, or four of one, are at least 4 + 5 + 6.
    assert totals == sorted(total for total in suit_totals if total >= 15)


# Sets and aces (GK-4) ----------------------------------------------------------------------------


def test_gk_4_1_sets_of_all_holdings_of_honours_are_the_referees() -> None:
    """All sets of up to twelve of the sixteen A, K, Q, J, filled up with small cards."""
    honours = [card for card in CARDS if card.rank in RANKS]
    small = [card for card in CARDS if card.rank not in RANKS]
    step = 1 if COMPILED else 300
    holdings = range(0, 1 << 16, step)
    hands = []
    for holding in holdings:
        held = [card for bit, card in enumerate(honours) if holding >> bit & 1]
        if len(held) <= 12:
            hands.append(held + small[holding % 16 :][: 12 - len(held)])
    classes = sets_of(masks(hands))
    for hand, own in zip(hands, classes.T, strict=True):
        assert set_labels(own) == sets_by_referee(hand), hand
    if COMPILED:
        assert sorted(set(classes[5].tolist())) == list(range(len(INCOME)))


def test_gk_4_1_sets_of_random_hands_are_the_referees() -> None:
    hands = random_hands(12, HANDS, 41)
    for hand, own in zip(hands.tolist(), sets_of(hands).T, strict=True):
        assert set_labels(own) == sets_by_referee(cards_of(hand)), GLEEK.cards(hand)


# Trump honours (GK-5.3) --------------------------------------------------------------------------


def test_gk_5_3_honours_of_every_suit_beside_every_turn_up_are_the_referees() -> None:
    cards, turnups = [], []
    for up, pattern in product(range(44), range(1 << 8)):
        # Two suits' honours by the pattern, so that those of another suit are there to be ignored.
        suit, other = up // 11, (up // 11 + 1 + up % 3) % 4
        mask = (pattern & 15) << (suit * 11 + 7) | (pattern >> 4) << (other * 11 + 7)
        if not mask >> up & 1:
            cards.append(mask)
            turnups.append(1 << up)
    step = 1 if COMPILED else 40
    cards, turnups = cards[::step], turnups[::step]
    among, up_class = honours_of_cards(np.array(cards, np.uint64), np.array(turnups, np.uint64))
    for number, (mask, turned) in enumerate(zip(cards, turnups, strict=True)):
        (card,) = cards_of(turned)
        held = referee.trump_honours(cards_of(mask), card.suit)
        assert HONOURS.labels[among[number]] == (len(held), " ".join(held) or "none")
        honour = referee.turnup_honours(card)
        assert TURNUP.labels[up_class[number]] == (honour[0] if honour else "none",)


def test_gk_5_3_sets_of_honours_are_all_and_by_number() -> None:
    numbers = [label[0] for label in HONOURS.labels]
    assert numbers == [0] + [1] * 4 + [2] * 6 + [3] * 4 + [4]
    expected = {" ".join(h) or "none" for size in range(5) for h in combinations("AKQJ", size)}
    assert {label[1] for label in HONOURS.labels} == expected
    assert HONOURS.labels[0] == (0, "none")
    assert HONOURS.labels[-1] == (4, "A K Q J")


# Conditions on a hand ----------------------------------------------------------------------------


class Known:
    """A hand in the referee's words, and its cell of the basis."""

    def __init__(self, hand: list[referee.Card], trump: str) -> None:
        self.four_aces, self.total = referee.ruff(hand)
        self.sets = referee.sets(hand)
        self.income = referee.sets_income(hand)
        self.aces = referee.aces(hand)
        self.honours = referee.trump_honours(hand, trump)
        self.numbers = {rank: sum(card.rank == rank for card in hand) for rank in RANKS}
        self.cell = (
            RUFF.labels.index((ruff_by_referee(hand),)),
            self.aces,
            *(self.numbers[rank] for rank in "KQJ"),
            HONOURS.labels.index((len(self.honours), " ".join(self.honours) or "none")),
        )


@pytest.fixture(scope="module")
def known_hands() -> list[Known]:
    """Random hands, and as many that hold ten court cards and aces, so that sets are frequent."""
    rng = np.random.default_rng(12)
    courts = [card for card in CARDS if card.rank in RANKS]
    small = [card for card in CARDS if card.rank not in RANKS]
    hands = [cards_of(hand) for hand in random_hands(12, 2000 if COMPILED else 100, 13).tolist()]
    for _ in range(len(hands)):
        held = [courts[i] for i in rng.permutation(16)[:10]]
        hands.append(held + [small[i] for i in rng.permutation(28)[:2]])
    return [Known(hand, "SHDC"[number % 4]) for number, hand in enumerate(hands)]


def test_gk_3_1_gk_4_1_gk_5_3_conditions_mean_what_the_referee_says(
    known_hands: list[Known],
) -> None:
    meant: dict[str, Callable[[Known], bool]] = {
        "ruff>=41": lambda h: h.four_aces or h.total >= 41,
        "ruff==four-aces": lambda h: h.four_aces,
        "ruff<30": lambda h: not h.four_aces and h.total < 30,
        "aces=2": lambda h: h.aces == 2,
        "kings>=2 and queens<=1": lambda h: h.numbers["K"] >= 2 and h.numbers["Q"] <= 1,
        "jacks=0 or jacks==4": lambda h: h.numbers["J"] in (0, 4),
        "aces>2 and not mournival(A)": lambda h: h.aces == 3,
        "gleek(A)": lambda h: ("gleek", "A") in h.sets,
        "gleek(k) or gleek(q)": lambda h: ("gleek", "K") in h.sets or ("gleek", "Q") in h.sets,
        "mournival(J)": lambda h: ("mournival", "J") in h.sets,
        "gleek": lambda h: any(name == "gleek" for name, _ in h.sets),
        "mournival": lambda h: any(name == "mournival" for name, _ in h.sets),
        "gleek and mournival": lambda h: len({name for name, _ in h.sets}) == 2,
        "sets>=2": lambda h: len(h.sets) >= 2,
        "income>=6": lambda h: h.income >= 6,
        "income=0 and not sets": lambda h: h.income == 0,
        "honours>1": lambda h: len(h.honours) > 1,
        "honour(A) and not honour(J)": lambda h: "A" in h.honours and "J" not in h.honours,
        "honours=2 and honour(k) and honour(q)": lambda h: h.honours == ("K", "Q"),
    }
    for text, holds in meant.items():
        mask = compiled(text, HAND)
        found = [bool(mask[hand.cell]) for hand in known_hands]
        assert found == [holds(hand) for hand in known_hands], text
        assert 0 < sum(found) < len(found) or not COMPILED, text


def test_the_basis_determines_all_readings_of_a_hand(known_hands: list[Known]) -> None:
    """Those of the figures of one hand, each by the function that is declared for it."""
    of_sets = [reading.code for reading in SETS_BY_RANK.values()]
    for hand in known_hands:
        cell = tuple(np.array(number) for number in hand.cell)
        kinds = {rank: name for name, rank in hand.sets}
        found = {code: int(of(*cell)) for code, of in HAND.of_basis.items()}
        assert [SET.labels[found[code]][0] for code in of_sets] == [
            kinds.get(rank, "none") for rank in SETS_BY_RANK
        ]
        assert INCOME.labels[found[ONE_INCOME.code]] == (hand.income,)
        assert found[NUMBER_OF_SETS.code] == len(hand.sets)
        assert found[NUMBER_OF_ACES.code] == hand.aces
        assert [found[r.code] for r in NUMBERS] == [hand.numbers[rank] for rank in SETS_BY_RANK]
        assert (found[ONE_RUFF.code], found[HONOURS_IN_HAND.code]) == (hand.cell[0], hand.cell[-1])
    of_one_hand = [part for name in ("ruff", "sets", "aces") for part in FIGURES[name].parts]
    assert all(part.readings[0].code in HAND.of_basis for part in of_one_hand)
