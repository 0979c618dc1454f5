"""The style of card play: which card is led, and which is played to a trick (GN-2).

A style is a row of small numbers (`policies.Style`). The cards of a batch of deals are chosen lane
by lane without a branch, so that the loops vectorise: both what to play if the trick can be taken
and what if not are worked out, and one is selected. Cards are masks of one bit, uint32.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from sims.bits import U32, U64, popcount
from sims.gilten.policies import (
    BEAT_HIGH,
    KEEP_TRUMPS,
    LEAD_LOW,
    LEAD_TRUMPS,
    OVERTAKE,
    TRUMP_IN,
)
from sims.jit import inlined
from sims.tricks import high_card, low_card, lowest

_NONE = U32(0)
_ONE = U32(1)


@inlined
def highest_of_suit(cards: Any) -> Any:
    """The highest of some cards of one suit; none of none."""
    below = U32(cards | U32(cards >> U32(1)))
    below = U32(below | U32(below >> U32(2)))
    below = U32(below | U32(below >> U32(4)))
    return U32(below & U32(~U32(below >> _ONE)))


@inlined
def beating(cards: Any, best: Any, led: Any, trumps: Any) -> tuple[Any, Any]:
    """GN-2.3: the cards that beat the best so far, in its suit and by trumping."""
    trumped = U32(best & trumps) != _NONE
    up_to_best = U32(best | U32(best - _ONE))
    higher = U32(U32(cards & (trumps if trumped else led)) & U32(~up_to_best))
    return higher, (_NONE if trumped else U32(cards & trumps))


class Habits(NamedTuple):
    """The style of one player as the kernels read it: each uint32, a number or 0 and 1.

    The fields are those of `policies.Style`, in order.
    """

    lead_trumps: Any
    lead_low: Any
    beat_high: Any
    trump_in: Any
    overtake: Any
    keep_trumps: Any


@inlined
def habits_of(traits: Any, side: Any) -> Any:
    """The style of a side, out of the traits of a book."""
    return Habits(
        U32(traits[side, LEAD_TRUMPS]),
        U32(traits[side, LEAD_LOW]),
        U32(traits[side, BEAT_HIGH]),
        U32(traits[side, TRUMP_IN]),
        U32(traits[side, OVERTAKE]),
        U32(traits[side, KEEP_TRUMPS]),
    )


@inlined
def either(first: Any, one: Any, other: Any) -> Any:
    """One style or the other, field by field, without a branch."""
    return Habits(
        one.lead_trumps if first else other.lead_trumps,
        one.lead_low if first else other.lead_low,
        one.beat_high if first else other.beat_high,
        one.trump_in if first else other.trump_in,
        one.overtake if first else other.overtake,
        one.keep_trumps if first else other.keep_trumps,
    )


@inlined
def led_card(hand: Any, trumps: Any, own: Any) -> Any:
    """The card that a style leads."""
    own_trumps, others = U32(hand & trumps), U32(hand & U32(~trumps))
    other = low_card(others) if own.lead_low != _NONE else high_card(others)
    trump_led = (popcount(own_trumps) >= own.lead_trumps) | (others == _NONE)
    return highest_of_suit(own_trumps) if trump_led else other


@inlined
def followed_card(
    legal: Any,
    follows: Any,
    higher: Any,
    trumping: Any,
    trumps: Any,
    partner_best: Any,
    last: Any,
    own: Any,
) -> Any:
    """The card that a style plays to a trick.

    Parameters
    ----------
    legal, higher, trumping : uint32
        The legal cards, and those of them that beat the best so far in suit or by trumping.
    follows, partner_best, last : bool
        Whether he can follow suit, the best card is his partner's, his is the last of the trick.
    trumps : uint32
    own : Habits
    """
    trumping = _NONE if follows & (own.trump_in == _NONE) else trumping
    taking = higher if higher != _NONE else trumping
    low = (own.beat_high == _NONE) | last
    taken = lowest(taking) if low else highest_of_suit(taking)
    overtaken = lowest(U32(higher & U32(~trumps)))
    overtaken = _NONE if (own.overtake == _NONE) | last else overtaken
    wanted = overtaken if partner_best else taken
    others = U32(legal & U32(~trumps))
    others = others if (own.keep_trumps != _NONE) & (others != _NONE) else legal
    return wanted if wanted != _NONE else low_card(others)


@inlined
def any_card(legal: Any, draw: Any) -> Any:
    """Any legal card, each with the same chance (but for 1 in 2**29); `draw` is below 2**32.

    The lowest card is put aside as often as the number drawn says; at most five are held.
    """
    cards = popcount(legal)
    number = U32((U64(draw) * U64(cards)) >> U64(32))
    for turn in range(4):
        legal = U32(legal ^ lowest(legal)) if number > U32(turn) else legal
    return lowest(legal)
