"""Who makes the Spiel with all hands open and best play by both sides (GN-2, GN-3.3).

With n tricks left, one side takes k of them exactly when the other does not take n - k + 1. So a
position is the hands, the trumps, and how many of the tricks left the leader's side still needs;
the tricks taken before are in that number. The search asks whether it gets them, trick by trick:
is there a lead such that for every card of the second hand there is a card of the third such that
for every card of the fourth the rest can be won?

Four things keep it short, and none of them is a guess:

- Of cards between which nobody holds a card only one is tried.
- What is likely to decide is tried first. A player whose side is losing the trick heads it, if he
  can without a trump; any other throws away a plain card.
- Top cards are counted before a trick begins: k trumps in one hand over all those of the other
  side are k tricks, however they are played.
- The last trick plays itself.

Nothing is remembered from one position to the next: few are met twice, and so a kernel can call
the search with nothing to lend it.

Two players (GN-1.4) are four of whom the third and fourth have no cards and play none. When the
second wins the trick and is the first hand of the next, the old leader is its fourth: still on the
other side.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from sims.bits import U32, popcount
from sims.jit import inlined, kernel
from sims.tricks import (
    beating,
    beats,
    below,
    equals_of,
    follow_or_trump,
    lowest,
    one_of_each,
    suit_of,
    unbeaten,
)

#: GN-3.3: so many of the tricks are the Spiel.
SPIEL, TRICKS = 3, 5

_NO_CARD = U32(0)
_NONE, _ONE, _TWO, _THREE = U32(0), U32(1), U32(2), U32(3)
#: Who is winning a trick, in the order of play: of the leader's side are the even.
_FIRST, _SECOND, _THIRD, _FOURTH = U32(0), U32(1), U32(2), U32(3)


def solve_deals(hands: NDArray[np.uint32], turnups: NDArray[np.uint32]) -> NDArray[np.bool_]:
    """Which deals' Spiel forehand's team makes with best play by both sides (GN-2.1, GN-3.3).

    Parameters
    ----------
    hands : uint32 array, (players, deals)
        Masks of five cards each, by seat; four players or two.
    turnups : uint32 array, (deals,)
        The cards turned up, whose suits are trumps.

    Returns
    -------
    bool array, (deals,)

    Raises
    ------
    ValueError
        The arrays have other shapes, a hand has not five cards, or a card is there twice.

    Examples
    --------
    Five acorns against five leaves, with a leaf turned up; then the other way round, with a heart.

    >>> from sims.cards import GILTEN
    >>> hands = [GILTEN.read("AE KE OE UE 10E"), GILTEN.read("AL KL OL UL 10L")]
    >>> turnups = [GILTEN.read("9L"), GILTEN.read("9H")]
    >>> solve_deals(np.array([hands, hands[::-1]], dtype=U32).T, np.array(turnups, dtype=U32))
    array([False,  True])
    """
    if hands.ndim != 2 or len(hands) not in (2, 4) or turnups.shape != hands.shape[1:]:
        raise ValueError(
            f"hands {hands.shape}, turn-ups {turnups.shape}: allowed are (2 or 4, deals), (deals,)"
        )
    dealt = np.bitwise_count(np.bitwise_or.reduce(hands, axis=0) | turnups)
    if (np.bitwise_count(hands) != TRICKS).any() or (dealt != TRICKS * len(hands) + 1).any():
        raise ValueError("a hand has not five cards, or a card is there twice")
    makes = np.empty(len(turnups), dtype=np.bool_)
    _solve(np.ascontiguousarray(hands, dtype=U32), np.ascontiguousarray(turnups, U32), makes)
    return makes


@kernel
def _solve(hands: Any, turnups: Any, makes: Any) -> None:
    of_four = len(hands) == 4
    for deal in range(len(makes)):
        third = hands[2, deal] if of_four else _NO_CARD
        fourth = hands[3, deal] if of_four else _NO_CARD
        trump = suit_of(turnups[deal])
        makes[deal] = _takes(
            hands[0, deal], hands[1, deal], third, fourth, trump, U32(SPIEL), _NO_CARD
        )


@kernel
def leader_takes(
    first: Any, second: Any, third: Any, fourth: Any, trump: Any, need: Any, table: Any
) -> Any:
    """Whether the leader's side takes the tricks it needs, with best play by both sides.

    Parameters
    ----------
    first, second, third, fourth : uint32
        The hands in the order in which they play to the trick, as they were at its start: of one
        size, cards on the table still counted in. First and third are partners; of two players,
        third and fourth have no cards.
    trump : uint32
        All cards of the trump suit.
    need : uint32
        How many tricks the leader's side needs, of this one and those after it: 0 or more.
    table : uint32
        The cards on the table: those of the first none, one, two or three hands.

    Returns
    -------
    bool
    """
    need = U32(need)
    if need == _NONE or need > popcount(U32(first)):
        return need == _NONE
    return _takes(U32(first), U32(second), U32(third), U32(fourth), U32(trump), need, U32(table))


@kernel
def cards_that_take(
    first: Any, second: Any, third: Any, fourth: Any, trump: Any, need: Any, table: Any
) -> Any:
    """The cards after which the side of the player to act takes the tricks it needs.

    Parameters
    ----------
    first, second, third, fourth, trump, table : uint32
        As for `leader_takes`.
    need : uint32
        How many tricks the side of the player to act needs, of this one and those after it.

    Returns
    -------
    uint32
        Those of the cards that may be played (GN-2.2); none where the tricks cannot be had.
    """
    first, second, third, fourth = U32(first), U32(second), U32(third), U32(fourth)
    trump, need, table = U32(trump), U32(need), U32(table)
    on_table, tricks = popcount(table), popcount(first)
    hand = first if on_table == _NONE else second if on_table == _ONE else third
    hand = fourth if on_table == _THREE else hand
    legal, best = hand, _NO_CARD
    if table:
        best = _best_on_table(first, second, third, trump, table)
        legal = follow_or_trump(hand, suit_of(U32(first & table)), trump)
    if need == _NONE or need > tricks:
        return legal if need == _NONE else _NO_CARD

    leading_side = U32(on_table & _ONE) == _NONE
    leader_needs = need if leading_side else U32(tricks + _ONE - need)
    in_other_hands = U32(U32(first | second | third | fourth) & ~U32(hand | table))
    others = U32(in_other_hands | best)
    choices, good = one_of_each(legal, others), _NO_CARD
    for _ in range(popcount(choices)):
        card = lowest(choices)
        choices = U32(choices ^ card)
        played = U32(table | card)
        if leading_side == _takes(first, second, third, fourth, trump, leader_needs, played):
            good = U32(good | card)
    return equals_of(good, legal, others)


@inlined
def _best_on_table(first: Any, second: Any, third: Any, trump: Any, table: Any) -> Any:
    """The card that is winning the trick so far."""
    best, card_2, card_3 = U32(first & table), U32(second & table), U32(third & table)
    best = card_2 if beats(card_2, best, trump) else best
    return card_3 if beats(card_3, best, trump) else best


@kernel
def _takes(
    first: Any, second: Any, third: Any, fourth: Any, trump: Any, need: Any, table: Any
) -> Any:
    """The search: `leader_takes` for a need of at least one and at most the tricks left.

    All arguments are uint32, here and in the calls of itself, so that there is one such function.
    There is a loop for each hand, over its choices, which a hand without cards goes through once;
    who has a card on the table has no choice. A loop is left by `break` at a card that is good
    enough for its side; its `else` is reached where none was.
    """
    tricks = popcount(first)
    rest = U32(second | third | fourth)
    tops = unbeaten(first, rest)
    if table == _NO_CARD:
        if _sure_on_lead(first, second, third, fourth, trump, tops) >= need:
            return True
        if U32(_sure_trumps(second, fourth, U32(first | third), trump) + need) > tricks:
            return False

    leads = _unless_laid(one_of_each(first, rest), first, table)
    likely_leads = _likely_leads(leads, tops, trump, U32(second | fourth))
    for _ in range(popcount(leads)):
        led = _next(leads, likely_leads)
        leads = U32(leads ^ led)
        suit = suit_of(led)
        held_1 = U32(U32(first | rest) ^ led)
        choices_2, better_2, likely_2 = _choices(second, held_1, suit, trump, led, True, table)
        for _ in range(_more(popcount(choices_2), _ONE)):
            card_2 = _next(choices_2, likely_2)
            choices_2 = U32(choices_2 ^ card_2)
            best_2, winner_2 = (card_2, _SECOND) if U32(card_2 & better_2) else (led, _FIRST)
            held_2 = U32(held_1 ^ card_2)
            losing_3 = winner_2 == _SECOND
            choices_3, better_3, likely_3 = _choices(
                third, held_2, suit, trump, best_2, losing_3, table
            )
            for _ in range(_more(popcount(choices_3), _ONE)):
                card_3 = _next(choices_3, likely_3)
                choices_3 = U32(choices_3 ^ card_3)
                best_3, winner_3 = (
                    (card_3, _THIRD) if U32(card_3 & better_3) else (best_2, winner_2)
                )
                held_3 = U32(held_2 ^ card_3)
                losing_4 = winner_3 != _SECOND
                choices_4, better_4, likely_4 = _choices(
                    fourth, held_3, suit, trump, best_3, losing_4, table
                )
                for _ in range(_more(popcount(choices_4), _ONE)):
                    card_4 = _next(choices_4, likely_4)
                    choices_4 = U32(choices_4 ^ card_4)
                    winner = _FOURTH if U32(card_4 & better_4) else winner_3
                    leader_wins = U32(winner & _ONE) == _NONE
                    winner_needs = U32(need - _ONE) if leader_wins else U32(tricks - need)
                    a, b, c, d = _from_winner(
                        winner,
                        U32(first ^ led),
                        U32(second ^ card_2),
                        U32(third ^ card_3),
                        U32(fourth ^ card_4),
                    )
                    if winner_needs == _NONE:
                        winner_makes_it = True
                    elif tricks == _TWO:
                        winner_makes_it = _single_lead_holds(a, b, c, d, trump)
                    else:
                        winner_makes_it = _takes(a, b, c, d, trump, winner_needs, _NO_CARD)
                    if leader_wins != winner_makes_it:
                        break
                else:
                    break
            else:
                break
        else:
            return True
    return False


# The choices of a hand, and which of them are tried first


@inlined
def _next(untried: Any, likely: Any) -> Any:
    """One of the cards still to be tried, a likely one if there is any."""
    likely_untried = U32(untried & likely)
    return lowest(likely_untried if likely_untried else untried)


@inlined
def _unless_laid(choices: Any, hand: Any, table: Any) -> Any:
    """What a hand may play: the card that it has laid, or else its choices."""
    laid = U32(hand & table)
    return laid if laid else choices


@inlined
def _choices(
    hand: Any, held: Any, suit: Any, trump: Any, best: Any, losing: Any, table: Any
) -> tuple[Any, Any, Any]:
    """What a hand may play to a suit; which of it beats the best card; what to try first.

    `held` are all cards still in hands; `losing` is whether the other side is winning the trick.
    """
    legal = follow_or_trump(hand, suit, trump)
    others = U32(U32(held & ~hand) | best)
    choices = _unless_laid(one_of_each(legal, others), hand, table)
    better = beating(choices, best, trump)
    wanted = better if losing else U32(choices & ~better)
    plain = U32(wanted & ~trump)
    wanted = wanted if wanted else U32(choices & ~trump)
    return choices, better, plain if plain else wanted


@inlined
def _likely_leads(leads: Any, tops: Any, trump: Any, theirs: Any) -> Any:
    """Top trumps while the other side has trumps; without, top cards; without, trumps."""
    top_leads = U32(leads & tops)
    top_trumps = U32(top_leads & trump) if U32(theirs & trump) else _NO_CARD
    likely = top_leads if top_leads else U32(leads & trump)
    return top_trumps if top_trumps else likely


# Tricks that a side is sure of before a card is played


@inlined
def _sure_on_lead(first: Any, second: Any, third: Any, fourth: Any, trump: Any, tops: Any) -> Any:
    """How many tricks the leader's side is sure of; `tops` are his that nobody's card can beat.

    With as many top trumps as either opponent has trumps, he draws them all, for a trump led must
    be followed; then nothing beats his other tops. A partner who has to trump one of them has only
    trumps, the last there are, and goes on winning.
    """
    top_trumps = popcount(U32(tops & trump))
    to_draw = _more(popcount(U32(second & trump)), popcount(U32(fourth & trump)))
    cashed = popcount(tops) if top_trumps >= to_draw else top_trumps
    return _more(cashed, _sure_trumps(first, third, U32(second | fourth), trump))


@inlined
def _sure_trumps(one: Any, partner: Any, theirs: Any, trump: Any) -> Any:
    """How many tricks two partners are sure of, whoever leads.

    A trump over all those of the other side wins the trick for its own, whenever it is played. Two
    in one hand win two; one in each may fall together.
    """
    over_theirs = U32(trump & ~below(theirs))
    return _more(popcount(U32(one & over_theirs)), popcount(U32(partner & over_theirs)))


@inlined
def _more(one: Any, other: Any) -> Any:
    return one if one > other else other


# After a trick


@inlined
def _from_winner(winner: Any, a: Any, b: Any, c: Any, d: Any) -> tuple[Any, Any, Any, Any]:
    """The hands in the order in which they play to the next trick."""
    if winner == _FOURTH:
        return d, a, b, c
    if winner == _THIRD:
        return c, d, a, b
    if winner == _SECOND:
        return b, c, d, a
    return a, b, c, d


@inlined
def _single_lead_holds(led: Any, card_2: Any, card_3: Any, card_4: Any, trump: Any) -> Any:
    """Whether the leader's side wins a last trick, of single cards or none in a hand."""
    best, holds = led, True
    best, holds = (card_2, False) if beats(card_2, best, trump) else (best, holds)
    best, holds = (card_3, True) if beats(card_3, best, trump) else (best, holds)
    return holds and not beats(card_4, best, trump)
