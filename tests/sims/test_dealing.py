"""Dealing against the plain-Python dealer: every packet, and the rejected words."""

from math import comb
from typing import Any

import numpy as np
import pytest
from reference import dealing as plain

from sims import dealing
from sims.dealing import Plan

U32, U64 = np.uint32, np.uint64

PACKS = {
    "gilten": (32, (5, 5, 5, 5, 1)),
    "gilten for two": (32, (5, 5, 1)),
    "giley for five": (28, (2,) * 10),
    "gleek": (44, (3,) * 12 + (1,)),
}


def dealt(plan: Plan, seed: int, start: int, deals: int) -> np.ndarray[Any, Any]:
    """The packets and the rest as masks, (packets + 1, deals)."""
    words = np.empty((plan.words, deals), dtype=U64)
    numbers = np.empty((len(plan.bound), deals), dtype=U32)
    packets = np.empty((len(plan.bound) + 1, deals), dtype=plan.subsets.dtype)
    dealing.deal(U64(seed), U64(0), U64(0), U64(start), deals, plan, words, numbers, packets)
    return packets


def mask(cards: list[int]) -> int:
    return sum(1 << card for card in cards)


@pytest.mark.parametrize("name", PACKS)
@pytest.mark.parametrize(("seed", "start"), [(0, 0), (1, 1 << 40), ((1 << 64) - 1, (1 << 62) - 60)])
def test_every_packet_is_the_plain_dealers(name: str, seed: int, start: int) -> None:
    size, packets = PACKS[name]
    plan = dealing.plan(size, packets)
    deals = 60
    masks = dealt(plan, seed, start, deals)
    for lane in range(deals):
        expected, _ = plain.packets(size, packets, list(plan.word), seed, start + lane)
        assert [int(m) for m in masks[:-1, lane]] == [mask(cards) for cards in expected]


@pytest.mark.parametrize("name", PACKS)
def test_cards_are_conserved(name: str) -> None:
    size, packets = PACKS[name]
    plan = dealing.plan(size, packets)
    masks = dealt(plan, 3, 0, 500)
    assert (np.bitwise_xor.reduce(masks, axis=0) == plan.pack).all()
    assert (np.bitwise_or.reduce(masks, axis=0) == plan.pack).all()
    for row, cards in zip(masks, (*packets, size - sum(packets)), strict=True):
        assert (np.bitwise_count(row) == cards).all()


def test_words_are_rejected_at_most_once_in_65536() -> None:
    for size, packets in PACKS.values():
        plan = dealing.plan(size, packets)
        assert int(plan.reject_below.max()) < 1 << 48
        assert plan.words % 2 == 0
        assert plan.words > plan.word[-1]


def test_bounds_and_rejection_of_gilten() -> None:
    plan = dealing.plan(32, (5, 5, 5, 5, 1))
    assert plan.bound.tolist() == [comb(32, 5), comb(27, 5), comb(22, 5), comb(17, 5), 12]
    assert plan.word.tolist() == [0, 0, 1, 1, 1]
    first, second = comb(32, 5) * comb(27, 5), comb(22, 5) * comb(17, 5) * 12
    assert plan.reject_below.tolist() == [0, 2**64 % first, 0, 0, 2**64 % second]


def test_a_rejected_word_is_redrawn_from_the_next_attempt() -> None:
    """Word 0 has low half 0, below every threshold; the largest word has none below."""
    size, packets = PACKS["gilten"]
    plan = dealing.plan(size, packets)
    seed, start, lanes = 9, 100, 4
    chosen = np.full((plan.words, lanes), (1 << 64) - 1, dtype=U64)
    chosen[0, 1] = 0
    chosen[1, 3] = 0
    numbers = np.empty((len(packets), lanes), dtype=U32)
    assert dealing.draw(plan, lanes, chosen, numbers)
    untouched = numbers[:, [0, 2]].copy()
    assert (untouched == plan.bound[:, None] - U64(1)).all()
    dealing.redraw(U64(seed), U64(0), U64(0), U64(start), plan, lanes, chosen, numbers)
    assert (numbers[:, [0, 2]] == untouched).all()
    masks = np.empty((len(packets) + 1, lanes), dtype=U32)
    dealing.take(plan, lanes, numbers, masks)
    for lane in (1, 3):
        bounds = [int(bound) for bound in plan.bound]
        source = plain.words(seed, start + lane, attempt=1)
        assert numbers[:, lane].tolist() == plain._numbers(bounds, list(plan.word), source)


@pytest.mark.parametrize("below", [False, True])
def test_only_words_below_the_threshold_are_rejected(below: bool) -> None:
    plan = dealing.plan(32, (5, 5))
    product = comb(32, 5) * comb(27, 5)
    # The low half left by word w is w * product mod 2^64: a multiple of the power of two in the
    # product, and the inverse of the odd rest finds the word for any such multiple.
    step = product & -product
    threshold = 2**64 % product
    low = threshold - step if below else threshold
    word = low // step * pow(product // step, -1, 2**64) % (2**64 // step)
    assert threshold % step == 0
    assert word * product % 2**64 == low
    words = np.array([[word], [0]], dtype=U64)
    numbers = np.empty((2, 1), dtype=U32)
    assert bool(dealing.draw(plan, 1, words, numbers)) is below


def test_one_word_for_a_whole_deal_is_rejected_often_and_still_the_plain_dealers(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Four hands from one word: 2^64 mod 2.65e18 rejects one deal in seven, some twice."""
    monkeypatch.setattr(dealing, "_WORD_LIMIT", 1 << 63)
    plan = dealing.plan(32, (5, 5, 5, 5))
    assert plan.word.tolist() == [0, 0, 0, 0]
    deals = 300
    masks = dealt(plan, 4, 0, deals)
    attempts = []
    for lane in range(deals):
        expected, rejected = plain.packets(32, (5, 5, 5, 5), list(plan.word), 4, lane)
        assert [int(m) for m in masks[:-1, lane]] == [mask(cards) for cards in expected]
        attempts.append(rejected)
    assert attempts.count(1) > 20
    assert max(attempts) >= 2


def test_subsets_are_all_and_in_colexicographic_order() -> None:
    for size in (1, 2, 3, 5):
        table = dealing.subsets(12, size, U32)
        assert len(table) == len(set(table.tolist())) == comb(12, size)
        assert [mask(plain.subset(number, size)) for number in range(len(table))] == table.tolist()


def test_subsets_of_fewer_cards_come_first() -> None:
    assert (dealing.subsets(20, 5, U32)[: comb(9, 5)] == dealing.subsets(9, 5, U32)).all()


def test_more_cards_than_the_pack_holds_are_refused() -> None:
    with pytest.raises(ValueError, match="packets of 33 cards from a pack of 32"):
        dealing.plan(32, (5,) * 6 + (3,))
