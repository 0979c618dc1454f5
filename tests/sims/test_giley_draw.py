"""Draws of Giley in deals that fit what a player knows (GY-2.3, GY-2.4), deal by deal.

The second way is in plain Python: hands by `reference.dealing`, cards drawn one by one from a list,
the show by the referee. It shares no code with the kernel.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations, islice
from math import comb
from typing import Any

import numpy as np
import pytest
from reference import dealing as reference
from reference import giley as referee
from statistic import FIVE_SIGMA, chi_square_score

from sims import dealing, giley
from sims.bits import U32, U64
from sims.cards import GILEY
from sims.giley.draw import HANDS, Known, Shown, draw, number_of_hand, shown_after_draws
from sims.giley.draw import _binomials as binomials
from sims.giley.figures import POINTS, outcome_axis
from sims.giley.rules import TIES
from sims.jit import COMPILED, kernel
from sims.streams import Purpose, Stream, stream_word

DEALS = 150 if COMPILED else 6
SEED = 17
STREAM = stream_word(Purpose.CONDITION, Stream.DEALING)
ALL_HANDS = dealing.subsets(28, 4, np.uint32)
CARDS = [referee.card(GILEY.text(bit)) for bit in range(28)]

Cards = list[int]


def bits(mask: int) -> Cards:
    return [bit for bit in range(28) if mask >> bit & 1]


def hand_of(cards: Sequence[int]) -> list[referee.Card]:
    return [CARDS[card] for card in cards]


def keep_counted_suit(hand: Cards) -> Cards:
    """What is discarded of a hand that keeps the suit that counts."""
    suit = referee.counted_suit(hand_of(hand))
    return [card for card in hand if CARDS[card].suit != suit]


def throw_all(hand: Cards) -> Cards:
    return hand


def table_of(rule: Callable[[Cards], Cards]) -> Any:
    """A rule as the kernel takes it."""
    thrown = [sum(1 << card for card in rule(bits(hand))) for hand in ALL_HANDS.tolist()]
    return np.array(thrown, np.uint32)


@pytest.fixture(scope="module")
def tables() -> dict[Any, Any]:
    rules = (keep_counted_suit, throw_all)
    return {rule: table_of(rule) for rule in rules}


# The second way ----------------------------------------------------------------------------------


def first_word(index: int, deal: int) -> int:
    counter = (index & reference.LOW_32, index >> 32, deal << 20, STREAM)
    c = reference.philox(counter, (SEED, 0))
    return c[1] << 32 | c[0]


def dealt(known: Known, players: int, index: int) -> tuple[list[Cards], Cards]:
    """The hands by seat and the stock."""
    unseen = [card for card in range(28) if not (known.held | known.aside) >> card & 1]
    own = 4 - known.held.bit_count()
    sizes = [own] * (own > 0) + [4] * (players - 1)
    words_of = dealing.plan(len(unseen), sizes).word.tolist()
    hands = []
    left = unseen
    for number, size in zip(
        packet_numbers(len(unseen), sizes, words_of, index), sizes, strict=True
    ):
        packet = [left[place] for place in reference.subset(number, size)]
        left = [card for card in left if card not in packet]
        hands.append(packet)
    hands.insert(known.seat, bits(known.held) + (hands.pop(0) if own else []))
    return hands, left


def packet_numbers(cards: int, sizes: list[int], words_of: list[int], index: int) -> list[int]:
    bounds = [comb(cards - sum(sizes[:place]), size) for place, size in enumerate(sizes)]
    words = [*islice(reference.words(SEED, index, 0, STREAM), max(words_of) + 1)]
    found = []
    for bound, word in zip(bounds, words_of, strict=True):
        number, words[word] = divmod(words[word] * bound, 1 << 64)
        found.append(number)
    return found


def drawn(
    hands: list[Cards],
    stock: Cards,
    aside: Cards,
    rules: list[Callable[[Cards], Cards]],
    index: int,
) -> tuple[list[Cards], bool]:
    """GY-2.3, GY-2.4: the hands after all draws, and whether the stock ran out."""
    pile, ran_out, after = list(aside), False, []
    for seat, (hand, rule) in enumerate(zip(hands, rules, strict=True)):
        thrown = rule(hand)
        held = [card for card in hand if card not in thrown]
        word = first_word(index, deal=1 + seat)
        for _ in thrown:
            if not stock:
                stock, pile, ran_out = sorted(pile), [], True
            number, word = divmod(word * len(stock), 1 << 64)
            held.append(stock[number])
            stock = stock[:number] + stock[number + 1 :]
        pile += thrown
        after.append(held)
    return after, ran_out


def judged(rules: giley.Rules, hands: list[Cards], seat: int) -> tuple[str, int, int, int]:
    """The seat's outcome, how many share with it, its points, the best of the others."""
    held = [hand_of(hand) for hand in hands]
    tied = referee.tied_seats(held)
    points = [referee.points(hand) for hand in held]
    if seat not in tied:
        outcome = "lost"
    elif len(tied) == 1:
        outcome = "alone"
    elif rules.tie == "split":
        outcome = "tied"
    else:
        outcome = "tied, won" if referee.show(held, rules.tie) == seat else "tied, lost"
    others = max(points[:seat] + points[seat + 1 :])
    return outcome, len(tied) * (seat in tied), points[seat], others


def counted(rules: giley.Rules, deals: list[tuple[str, int, int, int]]) -> list[list[int]]:
    """Deals as the kernel counts them."""
    labels: list[list[Any]] = [
        [label for (label,) in outcome_axis(rules.tie == "split").labels],
        list(range(rules.players + 1)),
        list(POINTS),
        list(POINTS),
    ]
    return [
        [sum(deal[place] == label for deal in deals) for label in each]
        for place, each in enumerate(labels)
    ]


KNOWN = [
    (2, Known(0, GILEY.read("AO KO 7C 2B"))),
    (2, Known(1, GILEY.read("AO"), GILEY.read("KO CO SO 3O 2O 7O AC KC CC"))),
    (3, Known(1, GILEY.read("KO CO KC CC"), GILEY.read("7O 7C 7E 7B"))),
    (4, Known(3, GILEY.read("AO KC 7E 2B"))),
    (4, Known(1, GILEY.read("AO KO"), GILEY.read("AC KC CC SC"))),
    (5, Known(4, GILEY.read("AO KO CO 2B"))),
    (5, Known(2, 0, GILEY.read("AC KC CC SC 3C 2C 7C AB"))),
]


@pytest.mark.parametrize(("players", "known"), KNOWN)
@pytest.mark.parametrize("rule", [keep_counted_suit, throw_all])
def test_gy_2_4_draws_are_those_of_the_referee(
    players: int, known: Known, rule: Callable[[Cards], Cards], tables: dict[Any, Any]
) -> None:
    """The player keeps the suit that counts; the others do too, or throw all they have."""
    by_seat = [keep_counted_suit if seat == known.seat else rule for seat in range(players)]
    after, emptied = [], 0
    for index in range(DEALS):
        hands, stock = dealt(known, players, index)
        held, ran_out = drawn(hands, stock, bits(known.aside), by_seat, index)
        after.append(held)
        emptied += ran_out
    for tie in TIES:
        rules = giley.Rules(players=players, tie=tie)  # type: ignore[arg-type]
        found = shown_after_draws(
            rules, known, tables[keep_counted_suit], tables[rule], SEED, 0, DEALS
        )
        deals = [judged(rules, hands, known.seat) for hands in after]
        assert [counts.tolist() for counts in found] == counted(rules, deals)
    stock_size = 28 - 4 * players - known.aside.bit_count()
    if stock_size >= 4 * players:
        assert emptied == 0
    elif rule is throw_all and 4 * (players - 1) > stock_size:
        assert emptied == DEALS


def test_gy_2_3_deals_are_counted_once_whatever_the_batch(tables: dict[Any, Any]) -> None:
    known, rules = Known(0, GILEY.read("AO KO 7C 2B")), giley.Rules()
    table = tables[keep_counted_suit]

    def shown(start: int, stop: int) -> list[list[int]]:
        counts: Shown = shown_after_draws(rules, known, table, table, 1, start, stop)
        return [each.tolist() for each in counts]

    end = 1_100 if COMPILED else 20
    whole, first, second = shown(3, end), shown(3, end // 2), shown(end // 2, end)
    for together, one, other in zip(whole, first, second, strict=True):
        assert sum(together) == end - 3
        assert together == [a + b for a, b in zip(one, other, strict=True)]


def test_seeds_make_other_deals(tables: dict[Any, Any]) -> None:
    known, table = Known(0, GILEY.read("AO KO 7C 2B")), tables[keep_counted_suit]
    deals = 2_000 if COMPILED else 40
    found = {
        tuple(shown_after_draws(giley.Rules(), known, table, table, seed, 0, deals).others)
        for seed in (0, 1, 2, (1 << 64) - 1)
    }
    assert len(found) == 4


# One draw ----------------------------------------------------------------------------------------


@kernel
def draw_each(words: Any, cards: Any, stock: Any, pile: Any, found: Any, exact: Any) -> None:
    for lane in range(len(words)):
        drawn, stock_left, pile_left, good = draw(words[lane], cards, stock, pile)
        found[lane, 0], found[lane, 1], found[lane, 2] = drawn, stock_left, pile_left
        exact[lane] = good


def draws(words: Any, cards: int, stock: int, pile: int) -> tuple[Any, Any]:
    found = np.zeros((len(words), 3), np.uint32)
    exact = np.zeros(len(words), np.bool_)
    draw_each(np.array(words, U64), U32(cards), U32(stock), U32(pile), found, exact)
    return found, exact


def test_gy_2_4_the_pile_becomes_the_stock_in_mid_draw() -> None:
    stock, pile = GILEY.read("AO KO"), GILEY.read("7C 2B 3B")
    words = np.random.default_rng(4).integers(0, 1 << 64, 200, dtype=U64)
    found, exact = draws(words, 4, stock, pile)
    assert exact.all()
    for drawn_cards, stock_left, pile_left in found.tolist():
        assert drawn_cards & stock == stock
        assert (drawn_cards & pile).bit_count() == 2
        assert stock_left == pile & ~drawn_cards
        assert pile_left == 0
    assert len(set(found[:, 0].tolist())) == 3
    # With two cards there is no need for the pile.
    found, _ = draws(words, 2, stock, pile)
    assert {tuple(each) for each in found.tolist()} == {(stock, 0, pile)}
    assert (draws(words, 0, stock, pile)[0] == [0, stock, pile]).all()


def test_gy_2_3_words_that_would_bias_the_draw_are_refused() -> None:
    """3 cards of 7: 2^64 mod 210 of the words are one too many; those of lowest remainder go."""
    cards, stock = 3, (1 << 7) - 1
    surplus = (1 << 64) % (7 * 6 * 5)
    # A word times 210, mod 2^64, is what is left at the end; it is below the surplus for these.
    inverse = pow(105, -1, 1 << 63)
    low = [remainder // 2 * inverse % (1 << 63) for remainder in range(0, surplus, 2)]
    high = [remainder // 2 * inverse % (1 << 63) for remainder in range(surplus, 210, 2)]
    assert all(word * 210 % (1 << 64) < surplus for word in low)
    assert not draws(low, cards, stock, 0)[1].any()
    assert draws(high, cards, stock, 0)[1].all()


@pytest.mark.compiled
@pytest.mark.parametrize("biased", [False, True])
def test_gy_2_3_every_draw_is_equally_likely(biased: bool) -> None:
    """A score of 209 degrees, beyond five sigma about once in 200 000 choices of the seed.

    The control: words that leave out the top eighth, so that high numbers are too rare.
    """
    words = np.random.default_rng(5).integers(0, 1 << 64, 210_000, dtype=U64)
    words = words // U64(8) * U64(7) if biased else words
    stock = GILEY.read("AO KO 7C 2B 3B SE KE CE 2C 7E")
    every = {sum(1 << card for card in chosen): 0 for chosen in combinations(bits(stock), 4)}
    assert len(every) == 210
    for drawn_cards in draws(words, 4, stock, 0)[0][:, 0].tolist():
        every[drawn_cards] += 1
    score = chi_square_score(np.array(list(every.values())), 1_000)
    assert (score > FIVE_SIGMA) == biased


# The numbers of hands ----------------------------------------------------------------------------


@kernel
def number_each(hands: Any, table: Any, found: Any) -> None:
    for lane in range(len(hands)):
        found[lane] = number_of_hand(hands[lane], table)


def test_hands_are_numbered_in_colexicographic_order() -> None:
    found = np.zeros(HANDS, np.int64)
    number_each(ALL_HANDS, binomials(), found)
    assert found.tolist() == list(range(HANDS)) == list(range(20_475))
