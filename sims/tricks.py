"""One trick: which cards may be played, which beat which, and which are as good as each other.

Cards are bits, in masks of two kinds: a suit is eight neighbouring bits of a uint32 in Gilten and
eleven of a uint64 in Gleek, its lowest rank in its lowest bit. The dtype says which is meant, and
results keep it. A *card* is a mask of one bit; *led* and *trump* are masks of a whole suit.

All functions are compiled into their callers, and none looks anything up, so that a loop over many
tricks vectorises.
"""

from __future__ import annotations

from typing import Any

from numba.extending import overload

from sims.bits import U32, U64, bit_length, trailing_zeros
from sims.jit import inlined

# Of each kind of mask: the ranks of a suit; their reciprocal in 512ths, near enough to divide the
# places of a pack; the first suit; the lowest card of every suit.
_EIGHTS = (U32(8), U32(64), U32(0xFF), U32(0x01010101))
_ELEVENS = (U64(11), U64(47), U64(0x7FF), U64(1 | 1 << 11 | 1 << 22 | 1 << 33))


# Three plain functions whose compiled forms depend on the dtype, as in `sims.bits`.


def _layout(mask: Any) -> tuple[Any, Any, Any, Any]:
    return _EIGHTS if isinstance(mask, U32) else _ELEVENS


def _compiled_layout(mask: Any) -> Any:
    layout = _EIGHTS if mask.bitwidth == 32 else _ELEVENS
    return lambda mask: layout


def like(value: Any, mask: Any) -> Any:
    """`value` in the dtype of `mask`: compiled, the union of two uint32 is a uint64."""
    return type(mask)(value)


def _compiled_like(value: Any, mask: Any) -> Any:
    kind = U32 if mask.bitwidth == 32 else U64
    return lambda value, mask: kind(value)


def lowest(cards: Any) -> Any:
    """The lowest card of the first suit held; of no cards, none."""
    return type(cards)(int(cards) & -int(cards))


def _compiled_lowest(cards: Any) -> Any:
    kind = U32 if cards.bitwidth == 32 else U64
    return lambda cards: kind(cards & kind(kind(0) - cards))


for _plain, _compiled in (
    (_layout, _compiled_layout),
    (like, _compiled_like),
    (lowest, _compiled_lowest),
):
    overload(_plain, strict=False, jit_options={"forceinline": True})(_compiled)


# Cards and suits


@inlined
def suit_of(card: Any) -> Any:
    """All cards of a card's suit."""
    ranks, reciprocal, suit, _ = _layout(card)
    number = like(like(trailing_zeros(card) * reciprocal, card) >> like(9, card), card)
    return like(suit << like(number * ranks, card), card)


@inlined
def above(card: Any) -> Any:
    """The cards that beat a card in its own suit."""
    up_to_card = like(card | like(card - like(1, card), card), card)
    return like(suit_of(card) & ~up_to_card, card)


@inlined
def below(cards: Any) -> Any:
    """The cards themselves and all that they beat in their own suits."""
    cards = like(cards | _down(cards, like(1, cards)), cards)
    cards = like(cards | _down(cards, like(2, cards)), cards)
    cards = like(cards | _down(cards, like(4, cards)), cards)
    return like(cards | _down(cards, like(8, cards)), cards)


@inlined
def unbeaten(cards: Any, others: Any) -> Any:
    """Those of the cards over which there is none of the others in the same suit."""
    return like(cards & ~below(others), cards)


@inlined
def low_card(cards: Any) -> Any:
    """A card of the lowest rank there is, in the first suit that has it; of no cards, none."""
    return _first_of_rank(cards, lowest(_ranks_of(cards)))


@inlined
def high_card(cards: Any) -> Any:
    """A card of the highest rank there is, in the first suit that has it; of no cards, none."""
    over = like(like(1, cards) << bit_length(_ranks_of(cards)), cards)
    return _first_of_rank(cards, like(over >> like(1, cards), cards))


@inlined
def _ranks_of(cards: Any) -> Any:
    """The ranks of the cards, whatever their suits, as cards of the first suit."""
    ranks, _, suit, _ = _layout(cards)
    two_suits = like(cards | like(cards >> like(ranks + ranks, cards), cards), cards)
    return like(like(two_suits | like(two_suits >> ranks, cards), cards) & suit, cards)


@inlined
def _first_of_rank(cards: Any, rank: Any) -> Any:
    """`rank` is a card of the first suit, or none."""
    _, _, _, lowest_of_each = _layout(cards)
    return lowest(like(cards & like(rank * lowest_of_each, cards), cards))


# What may be played, and what beats what


@inlined
def follow(hand: Any, led: Any) -> Any:
    """GK-5.1: what may be played to a suit led: cards of the suit, or without any, all cards."""
    of_suit = like(hand & led, hand)
    return of_suit if of_suit else hand


@inlined
def follow_or_trump(hand: Any, led: Any, trump: Any) -> Any:
    """GN-2.2: what may be played to a suit led: the suit or trumps, or without the suit, all."""
    return like(hand & like(led | trump, hand), hand) if like(hand & led, hand) else hand


@inlined
def follow_and_head(hand: Any, led: Any, trump: Any, best: Any) -> Any:
    """GK-5.1, `must_head`: what may be played where the best card so far must be beaten if it can.

    Without the suit led, what beats the best card so far are trumps, or higher ones.
    """
    legal = follow(hand, led)
    heading = beating(legal, best, trump)
    return heading if heading else legal


@inlined
def beating(cards: Any, best: Any, trump: Any) -> Any:
    """GN-2.3, GK-5.2: those of the cards that beat the best card played so far."""
    trumps = like(0, cards) if like(best & trump, cards) else trump
    return like(cards & like(above(best) | trumps, cards), cards)


@inlined
def beats(card: Any, best: Any, trump: Any) -> Any:
    """GN-2.3, GK-5.2: whether a card beats the best card played so far."""
    return beating(card, best, trump) != like(0, card)


# Cards that are as good as each other: no card of the others lies between them in their suit


@inlined
def one_of_each(hand: Any, others: Any) -> Any:
    """The lowest card of each group of equals in a hand.

    Whichever card of a group is played, the same cards of the others beat it and are beaten; so
    the trick and all tricks to come can be won by the same players.
    """
    return like(hand & ~_up(_up_to_next(hand, others), like(1, hand)), hand)


@inlined
def equals_of(cards: Any, hand: Any, others: Any) -> Any:
    """All cards of a hand in the groups whose lowest cards are given."""
    return like(hand & _up_to_next(cards, others), hand)


@inlined
def _up_to_next(cards: Any, others: Any) -> Any:
    """The cards and all places above them, up to the next of the others' cards in the suit."""
    free = like(~others, cards)
    cards = like(cards | like(free & _up(cards, like(1, cards)), cards), cards)
    free = like(free & _up(free, like(1, cards)), cards)
    cards = like(cards | like(free & _up(cards, like(2, cards)), cards), cards)
    free = like(free & _up(free, like(2, cards)), cards)
    cards = like(cards | like(free & _up(cards, like(4, cards)), cards), cards)
    free = like(free & _up(free, like(4, cards)), cards)
    return like(cards | like(free & _up(cards, like(8, cards)), cards), cards)


@inlined
def _down(cards: Any, ranks: Any) -> Any:
    """The cards so many ranks lower, as far as their suits go."""
    _, _, suit, lowest_of_each = _layout(cards)
    room = like(like(suit >> ranks, cards) * lowest_of_each, cards)
    return like(like(cards >> ranks, cards) & room, cards)


@inlined
def _up(cards: Any, ranks: Any) -> Any:
    """The cards so many ranks higher, as far as their suits go."""
    _, _, suit, lowest_of_each = _layout(cards)
    room = like(like(suit & like(suit << ranks, cards), cards) * lowest_of_each, cards)
    return like(like(cards << ranks, cards) & room, cards)
