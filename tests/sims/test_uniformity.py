"""Every deal is equally likely: whole hands, pairs of cards across hands, the turn-up.

Each test fixes its seed. A score beyond five sigma would be a false alarm as often as
`statistic.chi_square_score` says; the negative controls are shuffles with the usual faults, dealt
as often and judged by the same statistic, which must fall outside.
"""

from math import comb

import numpy as np
import pytest
from numpy.typing import NDArray
from statistic import FIVE_SIGMA, chi_square_score

from sims import dealing, gilten
from sims.gilten.deals import deal_plan

pytestmark = pytest.mark.compiled

DEALS, CHUNK = 1 << 22, 1 << 18
HANDS = comb(32, 5)
ALL_HANDS = dealing.subsets(32, 5, np.uint32)

Masks = NDArray[np.uint32]


def kernel_deals(seed: int) -> list[Masks]:
    """Hands and turn-up by row, in chunks."""
    rules = gilten.Rules()
    return [gilten.deal_hands(rules, seed, 0, start, CHUNK) for start in range(0, DEALS, CHUNK)]


@pytest.fixture(scope="module")
def deals() -> list[Masks]:
    return kernel_deals(seed=12345)


def hand_score(hands: list[Masks]) -> float:
    counts = np.zeros(HANDS, dtype=np.int64)
    for chunk in hands:
        counts += np.bincount(np.searchsorted(ALL_HANDS, chunk), minlength=HANDS)
    return chi_square_score(counts, DEALS / HANDS)


@pytest.mark.parametrize("seat", [0, 3])
def test_every_hand_is_equally_likely(deals: list[Masks], seat: int) -> None:
    assert abs(hand_score([chunk[seat] for chunk in deals])) < FIVE_SIGMA


def pair_scores(deals: list[Masks], one: int, other: int) -> NDArray[np.float64]:
    """Card i in one hand and card j in another: each count is binomial, one trial a deal."""
    counts = np.zeros((32, 32))
    for chunk in deals:
        first, second = (
            (chunk[seat][:, None] >> np.arange(32, dtype=np.uint32) & 1).astype(np.float32)
            for seat in (one, other)
        )
        counts += first.T @ second
    chance = 25 / (32 * 31)
    assert float(counts.trace()) == 0
    scores = (counts - DEALS * chance) / np.sqrt(DEALS * chance * (1 - chance))
    return np.asarray(scores[~np.eye(32, dtype=bool)])


def test_pairs_of_cards_across_hands_are_equally_likely(deals: list[Masks]) -> None:
    """992 pairs and three pairs of hands: beyond six sigma once in 170 000 runs."""
    for one, other in ((0, 1), (1, 2), (0, 3)):
        assert np.abs(pair_scores(deals, one, other)).max() < 6


def test_the_turn_up_is_equally_likely_among_all_cards(deals: list[Masks]) -> None:
    counts = np.zeros(32, dtype=np.int64)
    for chunk in deals:
        counts += np.bincount(np.bitwise_count(chunk[4] - np.uint32(1)), minlength=32)
    assert abs(chi_square_score(counts, DEALS / 32)) < FIVE_SIGMA


def test_the_turn_up_is_equally_likely_among_the_cards_left(deals: list[Masks]) -> None:
    counts = np.zeros(12, dtype=np.int64)
    for chunk in deals:
        rest = ~np.bitwise_or.reduce(chunk[:4], axis=0)
        place = np.bitwise_count(rest & (chunk[4] - np.uint32(1)))
        counts += np.bincount(place, minlength=12)
    assert abs(chi_square_score(counts, DEALS / 12)) < FIVE_SIGMA


# Negative controls: the same tests must catch what is not uniform.


def shuffled_hands(seed: int, swap_range: str) -> list[Masks]:
    """The first five cards of a shuffled pack; `any` swaps with any card, the classic fault."""
    generator = np.random.default_rng(seed)
    chunks = []
    for _ in range(0, DEALS, CHUNK):
        pack = np.tile(np.arange(32, dtype=np.uint8), (CHUNK, 1))
        lanes = np.arange(CHUNK)
        steps = 32 if swap_range == "any" else 5
        for place in range(steps):
            lowest = 0 if swap_range == "any" else place
            partner = generator.integers(lowest, 32, CHUNK)
            pack[lanes, place], pack[lanes, partner] = pack[lanes, partner], pack[lanes, place]
        bits = np.uint32(1) << pack[:, :5].astype(np.uint32)
        chunks.append(np.bitwise_or.reduce(bits, axis=1))
    return chunks


def test_a_true_shuffle_passes() -> None:
    assert abs(hand_score(shuffled_hands(7, "rest"))) < FIVE_SIGMA


def test_a_biased_shuffle_is_caught() -> None:
    assert hand_score(shuffled_hands(7, "any")) > 10 * FIVE_SIGMA


def test_a_table_of_the_wrong_size_is_caught() -> None:
    """Hands that look fine, one in 330 never dealt: the table's last numbers fall back."""
    plan = deal_plan(4)
    short = HANDS - HANDS // 330
    numbers = np.random.default_rng(3).integers(0, short, DEALS)
    assert hand_score([plan.subsets[plan.table[0] + numbers]]) > FIVE_SIGMA


def test_one_random_value_for_two_hands_is_caught() -> None:
    """Two hands that are each uniform, the second picked by the first's number."""
    numbers = np.random.default_rng(5).integers(0, comb(27, 5), DEALS)
    first = ALL_HANDS[numbers]
    chunks = []
    for start in range(0, DEALS, CHUNK):
        own, number = first[start : start + CHUNK], numbers[start : start + CHUNK]
        chunks.append(np.stack([own, _place_among(~own, ALL_HANDS[number])]))
    assert np.abs(pair_scores(chunks, 0, 1)).max() > 60


def _place_among(mask: Masks, chosen: Masks) -> Masks:
    """`deposit` by numpy: bit i of `chosen` to the i-th place of the mask."""
    placed = np.zeros_like(mask)
    rank = np.zeros(len(mask), dtype=np.uint32)
    for place in range(32):
        bit = np.uint32(1) << np.uint32(place)
        in_mask = (mask & bit) != 0
        placed |= np.where(in_mask & ((chosen >> rank & 1) != 0), bit, np.uint32(0))
        rank += in_mask
    return placed
