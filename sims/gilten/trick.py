"""One trick of Gilten, a batch of deals at a time (GN-2).

The players sit by seat; a trick goes by place, the leader's first. So the hands are turned to
places, a card is chosen at each place in turn, and the cards are turned back to seats. All this is
one loop without a branch: with two players, seats 2 and 3 hold no cards, and the card played there
is none.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from sims.bits import U32, U64, trailing_zeros
from sims.gilten.figures import trump_suit
from sims.gilten.policies import RANDOM
from sims.gilten.style import (
    any_card,
    beating,
    either,
    followed_card,
    habits_of,
    led_card,
)
from sims.gilten.table import CARDS, HANDS, LEADER, PLAYED, PLAYING, TAKER, TRUMPS, WON, trace
from sims.jit import inlined, kernel
from sims.streams import Stream, fill
from sims.tricks import follow_or_trump

_NONE, _ONE, _TWO, _THREE = U32(0), U32(1), U32(2), U32(3)
_LOW_HALF, _HALF = U64(0xFFFF_FFFF), U64(32)
_CARD = U64(Stream.GILTEN_CARD)


@kernel
def play_trick(
    trick: Any, counter: Any, lanes: Any, traits: Any, flip: Any, table: Any, traces: Any
) -> None:
    """GN-2.1 to GN-2.3: one trick in all lanes that are still playing.

    Parameters
    ----------
    trick : int
        Its number, 0 to 4.
    counter, lanes, flip, table
        As in `play.play`.
    traits : int64 array, (2, TRAITS)
        Of the sides (`Book`).
    traces : int64 array
        `Records.trace`.
    """
    masks = table.masks
    if traits[0, RANDOM] == 1 or traits[1, RANDOM] == 1:
        word, block = counter.purpose | _CARD, counter.deal + U64(trick)
        fill(counter.seed, word, block, U64(counter.start), lanes, table.draws)
        _choose(masks, traits, flip, lanes, table.draws)
    else:
        _choose(masks, traits, flip, lanes, None)
    if len(traces) > 0:
        _trace_cards(trick, lanes, masks, traces)
    _lay(masks, lanes)


@kernel
def _choose(masks: Any, traits: Any, flip: Any, lanes: Any, draws: Any) -> None:
    """The cards of all four seats, and who wins the trick.

    `draws` are None where nobody plays whatever is legal: that case is compiled without them.
    """
    even, odd = habits_of(traits, flip), habits_of(traits, 1 - flip)
    random_even, random_odd = traits[flip, RANDOM] == 1, traits[1 - flip, RANDOM] == 1
    for lane in range(lanes):
        leader, trumps = masks[LEADER, lane], masks[TRUMPS, lane]
        hand_0, hand_1, hand_2, hand_3 = turned(
            masks[HANDS, lane],
            masks[HANDS + 1, lane],
            masks[HANDS + 2, lane],
            masks[HANDS + 3, lane],
            leader,
        )
        leader_odd = U32(leader & _ONE) != _NONE
        ours, theirs = either(leader_odd, odd, even), either(leader_odd, even, odd)
        card_0 = led_card(hand_0, trumps, ours)
        if draws is not None:
            draw_0, draw_1, draw_2, draw_3 = turned(
                U32(draws[0, lane] & _LOW_HALF),
                U32(draws[0, lane] >> _HALF),
                U32(draws[1, lane] & _LOW_HALF),
                U32(draws[1, lane] >> _HALF),
                leader,
            )
            ours_random = random_odd if leader_odd else random_even
            theirs_random = random_even if leader_odd else random_odd
            card_0 = any_card(hand_0, draw_0) if ours_random else card_0
        led, best, place = trump_suit(card_0), card_0, _NONE

        last = U32(hand_2 | hand_3) == _NONE
        legal, follows, higher, trumping = _choice(hand_1, led, trumps, best)
        card_1 = followed_card(legal, follows, higher, trumping, trumps, False, last, theirs)
        if draws is not None:
            card_1 = any_card(legal, draw_1) if theirs_random else card_1
        beats = U32(card_1 & U32(higher | trumping)) != _NONE
        best, place = (card_1 if beats else best), (_ONE if beats else place)

        last, partner = hand_3 == _NONE, place == _NONE
        legal, follows, higher, trumping = _choice(hand_2, led, trumps, best)
        card_2 = followed_card(legal, follows, higher, trumping, trumps, partner, last, ours)
        if draws is not None:
            card_2 = any_card(legal, draw_2) if ours_random else card_2
        beats = U32(card_2 & U32(higher | trumping)) != _NONE
        best, place = (card_2 if beats else best), (_TWO if beats else place)

        partner = place == _ONE
        legal, follows, higher, trumping = _choice(hand_3, led, trumps, best)
        card_3 = followed_card(legal, follows, higher, trumping, trumps, partner, True, theirs)
        if draws is not None:
            card_3 = any_card(legal, draw_3) if theirs_random else card_3
        beats = U32(card_3 & U32(higher | trumping)) != _NONE
        place = _THREE if beats else place

        card_0, card_1, card_2, card_3 = turned(card_0, card_1, card_2, card_3, U32(4 - leader))
        masks[CARDS, lane] = card_0
        masks[CARDS + 1, lane] = card_1
        masks[CARDS + 2, lane] = card_2
        masks[CARDS + 3, lane] = card_3
        masks[TAKER, lane] = U32(U32(leader + place) & _THREE)


@inlined
def turned(first: Any, second: Any, third: Any, fourth: Any, by: Any) -> tuple[Any, Any, Any, Any]:
    """Four things in a circle, beginning with number `by`, of which the last two bits count."""
    odd, half = U32(by & _ONE) != _NONE, U32(by & _TWO) != _NONE
    zero, one = (second if odd else first), (third if odd else second)
    two, three = (fourth if odd else third), (first if odd else fourth)
    return (
        two if half else zero,
        three if half else one,
        zero if half else two,
        one if half else three,
    )


@inlined
def _choice(hand: Any, led: Any, trumps: Any, best: Any) -> tuple[Any, Any, Any, Any]:
    """The legal cards, whether the suit led is held, and what beats the best so far."""
    legal = follow_or_trump(hand, led, trumps)
    higher, trumping = beating(legal, best, led, trumps)
    return legal, U32(hand & led) != _NONE, higher, trumping


@kernel
def _trace_cards(trick: Any, lanes: Any, masks: Any, traces: Any) -> None:
    for lane in range(lanes):
        if masks[PLAYING, lane] != _NONE:
            for place in range(4):
                seat = (np.int64(masks[LEADER, lane]) + place) & 3
                card = masks[CARDS + seat, lane]
                if card != _NONE:
                    trace(traces, lane, PLAYED, trick, seat, np.int64(trailing_zeros(card)), 0)


@kernel
def _lay(masks: Any, lanes: Any) -> None:
    """The cards leave the hands, the trick is the winner's, and he leads next."""
    for seat in range(4):
        for lane in range(lanes):
            played = U32(masks[CARDS + seat, lane] & masks[PLAYING, lane])
            masks[HANDS + seat, lane] = U32(masks[HANDS + seat, lane] ^ played)
    for lane in range(lanes):
        plays, winner = U32(masks[PLAYING, lane] & _ONE), masks[TAKER, lane]
        odd = U32(winner & _ONE)
        masks[LEADER, lane] = winner
        masks[WON, lane] = U32(masks[WON, lane] + U32(U32(odd ^ _ONE) & plays))
        masks[WON + 1, lane] = U32(masks[WON + 1, lane] + U32(odd & plays))
