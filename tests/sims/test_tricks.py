"""One trick, in both packs: the compiled functions against plain Python.

All cases are tried where they are few. The plain Python takes cards as pairs of suit and rank.
"""

from itertools import product
from random import Random
from typing import Any

import numpy as np
import pytest

from sims import tricks
from sims.bits import U32, U64
from sims.cards import GILTEN, GLEEK
from sims.jit import COMPILED, kernel

Card = tuple[int, int]
Cards = set[Card]

PACKS = {U32: GILTEN, U64: GLEEK}
SUITS = range(4)
HANDS = 2_000 if COMPILED else 200

in_both_packs = pytest.mark.parametrize("kind", PACKS, ids=["gilten", "gleek"])


def ranks_of(kind: Any) -> int:
    return len(PACKS[kind].ranks)


def pack(kind: Any) -> list[Card]:
    return list(product(SUITS, range(ranks_of(kind))))


def mask_of(cards: Any, kind: Any) -> int:
    return sum(1 << (suit * ranks_of(kind) + rank) for suit, rank in cards)


def cards_of(mask: Any, kind: Any) -> Cards:
    held, cards = int(mask), set()
    while held:
        cards.add(divmod(held.bit_length() - 1, ranks_of(kind)))
        held &= ~(1 << held.bit_length() - 1)
    return cards


def random_hands(kind: Any, cards: int) -> list[Cards]:
    """Hands of none to `cards` cards."""
    chance = Random(cards)
    return [set(chance.sample(pack(kind), number % (cards + 1))) for number in range(HANDS)]


def found(function: Any, kind: Any, *cases: list[Any]) -> list[list[Cards]]:
    """What a kernel fills two rows with, case by case; a case is a set of cards in each column."""
    columns = [np.array([mask_of(case, kind) for case in column], dtype=kind) for column in cases]
    rows = np.zeros((2, len(columns[0])), dtype=kind)
    function(*columns, rows)
    return [[cards_of(mask, kind) for mask in row] for row in rows]


# Cards and suits


@kernel
def suit_and_above(cards: Any, rows: Any) -> None:
    for case in range(len(cards)):
        rows[0, case] = tricks.suit_of(cards[case])
        rows[1, case] = tricks.above(cards[case])


@in_both_packs
def test_the_suit_of_every_card_and_the_cards_above_it(kind: Any) -> None:
    suits, above = found(suit_and_above, kind, [[card] for card in pack(kind)])
    for case, (suit, rank) in enumerate(pack(kind)):
        assert suits[case] == {(suit, other) for other in range(ranks_of(kind))}
        assert above[case] == {(suit, other) for other in range(rank + 1, ranks_of(kind))}


@kernel
def lowest_and_below(cards: Any, rows: Any) -> None:
    for case in range(len(cards)):
        rows[0, case] = tricks.lowest(cards[case])
        rows[1, case] = tricks.below(cards[case])


@in_both_packs
def test_the_lowest_card_and_all_that_some_cards_beat(kind: Any) -> None:
    hands = random_hands(kind, 12)
    lowest, below = found(lowest_and_below, kind, hands)
    for case, hand in enumerate(hands):
        assert lowest[case] == {*sorted(hand)[:1]}
        assert below[case] == {(suit, low) for suit, rank in hand for low in range(rank + 1)}


@kernel
def low_and_high(cards: Any, rows: Any) -> None:
    for case in range(len(cards)):
        rows[0, case] = tricks.low_card(cards[case])
        rows[1, case] = tricks.high_card(cards[case])


@in_both_packs
def test_the_card_of_the_lowest_and_of_the_highest_rank(kind: Any) -> None:
    hands = random_hands(kind, 12)
    low, high = found(low_and_high, kind, hands)
    for case, hand in enumerate(hands):
        assert low[case] == {*sorted(hand, key=lambda card: (card[1], card[0]))[:1]}
        assert high[case] == {*sorted(hand, key=lambda card: (-card[1], card[0]))[:1]}


# What may be played, and what beats what


def beats(card: Card, best: Card, trump: int) -> bool:
    if card[0] == best[0]:
        return card[1] > best[1]
    return card[0] == trump


def whole_suit(suit: int, kind: Any) -> Cards:
    return {(suit, rank) for rank in range(ranks_of(kind))}


@kernel
def beating_and_beats(cards: Any, best: Any, trumps: Any, rows: Any) -> None:
    for case in range(len(cards)):
        rows[0, case] = tricks.beating(cards[case], best[case], trumps[case])
        rows[1, case] = tricks.beats(cards[case], best[case], trumps[case])


@in_both_packs
@pytest.mark.parametrize("trump", SUITS)
def test_gn_2_3_and_gk_5_2_which_card_beats_which(kind: Any, trump: int) -> None:
    pairs = [(card, best) for card in pack(kind) for best in pack(kind) if card != best]
    pairs = pairs if COMPILED else pairs[::7]
    trumps = whole_suit(trump, kind)
    columns = [[card] for card, _ in pairs], [[best] for _, best in pairs], [trumps] * len(pairs)
    beating, beaten = found(beating_and_beats, kind, *columns)
    for case, (card, best) in enumerate(pairs):
        assert beating[case] == ({card} if beats(card, best, trump) else set())
        assert bool(beaten[case]) == beats(card, best, trump)


@in_both_packs
def test_gn_2_3_and_gk_5_2_which_of_a_hand_s_cards_beat_the_best(kind: Any) -> None:
    chance, hands = Random(1), random_hands(kind, 12)
    best = [chance.choice([card for card in pack(kind) if card not in hand]) for hand in hands]
    trumps = [chance.choice(SUITS) for _ in hands]
    beating, beaten = found(
        beating_and_beats, kind, hands, [[b] for b in best], [whole_suit(t, kind) for t in trumps]
    )
    for case, hand in enumerate(hands):
        expected = {card for card in hand if beats(card, best[case], trumps[case])}
        assert beating[case] == expected
        assert bool(beaten[case]) == bool(expected)


@kernel
def legal(hands: Any, led: Any, trumps: Any, rows: Any) -> None:
    for case in range(len(hands)):
        rows[0, case] = tricks.follow(hands[case], led[case])
        rows[1, case] = tricks.follow_or_trump(hands[case], led[case], trumps[case])


@in_both_packs
def test_gk_5_1_and_gn_2_2_what_may_be_played(kind: Any) -> None:
    hands = random_hands(kind, 12)
    cases = [(hand, led, trump) for hand in hands[::10] for led in SUITS for trump in SUITS]
    follow, follow_or_trump = found(
        legal,
        kind,
        [hand for hand, _, _ in cases],
        [whole_suit(led, kind) for _, led, _ in cases],
        [whole_suit(trump, kind) for _, _, trump in cases],
    )
    for case, (hand, led, trump) in enumerate(cases):
        can_follow = any(suit == led for suit, _ in hand)
        allowed = {card for card in hand if not can_follow or card[0] == led}
        assert follow[case] == allowed
        assert follow_or_trump[case] == allowed | {card for card in hand if card[0] == trump}


@kernel
def legal_where_the_best_must_be_beaten(
    hands: Any, led: Any, trumps: Any, best: Any, rows: Any
) -> None:
    for case in range(len(hands)):
        rows[0, case] = tricks.follow_and_head(hands[case], led[case], trumps[case], best[case])


@in_both_packs
def test_gk_5_1_must_head(kind: Any) -> None:
    """The clause word by word: the best card is of the suit led, or a trump."""
    hands, chance = random_hands(kind, 12), Random(2)
    cases = []
    for hand in hands:
        led, trump = chance.choice(SUITS), chance.choice(SUITS)
        others = [card for card in pack(kind) if card not in hand and card[0] in (led, trump)]
        cases.append((hand, led, trump, chance.choice(others)))
    columns = (
        [hand for hand, _, _, _ in cases],
        [whole_suit(led, kind) for _, led, _, _ in cases],
        [whole_suit(trump, kind) for _, _, trump, _ in cases],
        [[best] for _, _, _, best in cases],
    )
    allowed, _ = found(legal_where_the_best_must_be_beaten, kind, *columns)
    for case, (hand, led, trump, best) in enumerate(cases):
        of_suit = {card for card in hand if card[0] == led}
        trumps = {card for card in hand if card[0] == trump}
        if of_suit:
            must = {card for card in of_suit if beats(card, best, trump)}
            assert allowed[case] == (must or of_suit)
        else:
            must = {card for card in trumps if best[0] != trump or card[1] > best[1]}
            assert allowed[case] == (must or hand)


# Cards that are as good as each other


def shared_packs(kind: Any) -> list[tuple[Cards, Cards]]:
    """Cards of mine and of others, every suit shared out differently.

    Over all cases each suit is met in all the 6 561 ways in which its eight cards can be mine,
    others' or nobody's; of the 177 147 ways of eleven cards, and with the compiler off, in some.
    """
    ways = list(product(("mine", "others", "nobody's"), repeat=ranks_of(kind)))
    step = (1 if kind is U32 else 101) * (1 if COMPILED else 40)
    cases = []
    for number in range(0, len(ways), step):
        held = {
            (suit, rank): holder
            for suit in SUITS
            for rank, holder in enumerate(ways[number * 7**suit % len(ways)])
        }
        cases.append(
            (
                {card for card, holder in held.items() if holder == "mine"},
                {card for card, holder in held.items() if holder == "others"},
            )
        )
    return cases


def groups(mine: Cards, others: Cards) -> list[Cards]:
    """Cards of mine in one suit with none of the others' between them, from low to high."""
    found: list[Cards] = []
    for card in sorted(mine):
        suit, rank = card
        last = max(found[-1]) if found else (-1, -1)
        between = {(suit, between) for between in range(last[1], rank)}
        if last[0] == suit and not between & others:
            found[-1].add(card)
        else:
            found.append({card})
    return found


@kernel
def different_and_unbeaten(mine: Any, others: Any, rows: Any) -> None:
    for case in range(len(mine)):
        rows[0, case] = tricks.one_of_each(mine[case], others[case])
        rows[1, case] = tricks.unbeaten(mine[case], others[case])


@kernel
def equals(some: Any, mine: Any, others: Any, rows: Any) -> None:
    for case in range(len(mine)):
        rows[0, case] = tricks.equals_of(some[case], mine[case], others[case])


@in_both_packs
def test_equal_cards_and_those_that_no_other_beats(kind: Any) -> None:
    cases = shared_packs(kind)
    mine, others = [case[0] for case in cases], [case[1] for case in cases]
    different, unbeaten = found(different_and_unbeaten, kind, mine, others)
    grouped = [groups(*case) for case in cases]
    some = [group[:: 1 + case % 3] for case, group in enumerate(grouped)]
    lowest_of_some = [[min(group) for group in of_case] for of_case in some]
    equal, _ = found(equals, kind, lowest_of_some, mine, others)
    for case, (held, other) in enumerate(cases):
        assert different[case] == {min(group) for group in grouped[case]}
        assert equal[case] == {card for group in some[case] for card in group}
        assert unbeaten[case] == {
            (suit, rank) for suit, rank in held if not any(s == suit and r > rank for s, r in other)
        }


# The dtype


@kernel
def all_of_them(hand: Any, others: Any, suit: Any, card: Any) -> Any:
    return (
        tricks.suit_of(card),
        tricks.above(card),
        tricks.below(hand),
        tricks.unbeaten(hand, others),
        tricks.lowest(hand),
        tricks.low_card(hand),
        tricks.high_card(hand),
        tricks.follow(hand, suit),
        tricks.follow_or_trump(hand, suit, suit),
        tricks.follow_and_head(hand, suit, suit, card),
        tricks.beating(hand, card, suit),
        tricks.one_of_each(hand, others),
        tricks.equals_of(card, hand, others),
    )


@in_both_packs
def test_results_keep_the_dtype(kind: Any) -> None:
    """A uint32 that became a uint64 on the way would halve the lanes of a vector."""
    given = kind(0b1011), kind(0b0100), kind(0xFF), kind(0b0010)
    results = all_of_them(*given)
    if COMPILED:
        (returned,) = {
            signature.return_type
            for signature in all_of_them.nopython_signatures  # type: ignore[attr-defined]
            if str(signature.args[0]) == kind.__name__
        }
        assert {str(part) for part in returned} == {kind.__name__}
    else:
        assert {type(result) for result in results} == {kind}
