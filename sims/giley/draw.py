"""The draw of Giley (GY-2.3, GY-2.4), in deals that fit what one player knows.

A batch of deals goes through these stages: the others' hands, and what the player does not know of
his own, are dealt from the cards he has not seen; in seat order each discards and draws; the hands
are shown. What is discarded of each hand is looked up in tables that the caller passes in.

A card is drawn by its number among those left in the stock, so the stock is never put in order.
Each seat's draw has words of its own (`streams.place_word`, deal in the unit: seat + 1; the hands
are deal 0). So a seat draws by the same words whatever others do.
"""

from __future__ import annotations

from functools import cache
from math import comb
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sims import dealing
from sims.bits import U32, U64, deposit, popcount, trailing_zeros, wide_product
from sims.cards import GILEY
from sims.dealing import LANES, Plan
from sims.giley.deals import outcome_of_seat, show
from sims.giley.figures import FOUR, PRECEDENCE, best_points, outcome_axis
from sims.giley.rules import Rules
from sims.jit import inlined, kernel
from sims.streams import Purpose, Stream, fill, place_word, stream_word, with_attempt

HAND = 4
#: How many hands of four there are.
HANDS = comb(GILEY.size, HAND)

_ALL_ONES = U64((1 << 64) - 1)


class Known(NamedTuple):
    """What a player knows of a deal.

    Attributes
    ----------
    seat : int
        His seat.
    held : int
        His cards, up to four, as a mask; those that he does not know are dealt to him.
    aside : int
        Cards that lie aside: in no hand, and in the stock only after it has run out (GY-2.4).
    """

    seat: int
    held: int
    aside: int = 0


class Shown(NamedTuple):
    """How some deals ended, as int64 counts that each sum to the number of deals.

    Attributes
    ----------
    outcome : (4,) or (3,)
        What becomes of the player's hand, as `figures.outcome_axis`.
    sharing : (players + 1,)
        How many hands have the best points, his among them; 0 where his is beaten.
    points : (15,)
        The class of his hand.
    others : (15,)
        The best class of the others.
    """

    outcome: NDArray[np.int64]
    sharing: NDArray[np.int64]
    points: NDArray[np.int64]
    others: NDArray[np.int64]


def shown_after_draws(
    rules: Rules,
    known: Known,
    thrown: NDArray[np.uint32],
    thrown_by_others: NDArray[np.uint32],
    seed: int,
    start: int,
    stop: int,
) -> Shown:
    """Deal, draw and show the deals `start` to `stop` that fit what a player knows.

    Parameters
    ----------
    rules : Rules
    known : Known
    thrown, thrown_by_others : uint32 arrays, (20475,)
        What the player, and what each other, discards of every hand of four, as masks, by the
        number of the hand in colexicographic order.
    seed : int
    start, stop : int
        Indices of deals.
    """
    own = HAND - known.held.bit_count()
    unseen = GILEY.mask & ~(known.held | known.aside)
    packets = [own] * (own > 0) + [HAND] * (rules.players - 1)
    shown = Shown(
        np.zeros(len(outcome_axis(rules.tie == "split")), np.int64),
        np.zeros(rules.players + 1, np.int64),
        np.zeros(len(FOUR), np.int64),
        np.zeros(len(FOUR), np.int64),
    )
    _tally(
        U64(seed),
        U64(stream_word(Purpose.CONDITION, Stream.DEALING)),
        np.array([place_word(deal=1 + seat) for seat in range(rules.players)], dtype=U64),
        start,
        stop,
        dealing.plan(unseen.bit_count(), packets),
        U32(unseen),
        U32(known.held),
        U32(known.aside),
        known.seat,
        rules.players,
        np.stack([thrown, thrown_by_others]),
        _binomials(),
        U32(PRECEDENCE if rules.tie == "suit_rank" else 0),
        U32(rules.tie == "dealer"),
        rules.tie == "split",
        shown,
    )
    return shown


@cache
def _binomials() -> NDArray[np.int64]:
    """n over k, (cards of the pack, hand + 1)."""
    return np.array([[comb(n, k) for k in range(HAND + 1)] for n in range(GILEY.size)])


@kernel
def _tally(
    seed: Any,
    stream: Any,
    places: Any,
    start: Any,
    stop: Any,
    plan: Plan,
    unseen: Any,
    held: Any,
    aside: Any,
    own_seat: Any,
    players: Any,
    thrown: Any,
    binomials: Any,
    precedence: Any,
    privilege: Any,
    shares: Any,
    shown: Any,
) -> None:
    words = np.empty((plan.words, LANES), dtype=np.uint64)
    numbers = np.empty((len(plan.bound), LANES), dtype=np.uint32)
    packets = np.empty((len(plan.bound) + 1, LANES), dtype=np.uint32)
    # The show takes a hand in two packets: the second ones are empty.
    hands = np.zeros((2 * players, LANES), dtype=np.uint32)
    stock = np.empty(LANES, dtype=np.uint32)
    pile = np.empty(LANES, dtype=np.uint32)
    best = np.empty(LANES, dtype=np.uint32)
    tied = np.empty(LANES, dtype=np.uint32)
    outcome = np.empty(LANES, dtype=np.uint32)
    for first in range(start, stop, LANES):
        lanes = min(LANES, stop - first)
        dealing.deal(seed, stream, U64(0), U64(first), lanes, plan, words, numbers, packets)
        _hand_out(packets, unseen, held, own_seat, players, lanes, hands, stock)
        pile[:lanes] = aside
        for seat in range(players):
            discards = thrown[0 if seat == own_seat else 1]
            _exchange(
                seed,
                stream,
                places[seat],
                U64(first),
                discards,
                binomials,
                lanes,
                hands[seat],
                stock,
                pile,
            )
        show(hands, players, precedence, privilege, lanes, best, tied)
        own, nothing = hands[own_seat], hands[players]
        outcome_of_seat(own, nothing, best, tied, own_seat, shares, lanes, outcome)
        _count(hands, own_seat, players, best, tied, outcome, lanes, shown)


@kernel
def _hand_out(
    packets: Any,
    unseen: Any,
    held: Any,
    own_seat: Any,
    players: Any,
    lanes: Any,
    hands: Any,
    stock: Any,
) -> None:
    """Deal packets of the unseen cards: to the player what he does not know, then to the others."""
    packet = 0
    for lane in range(lanes):
        hands[own_seat, lane] = held
    if popcount(held) < U32(HAND):
        for lane in range(lanes):
            hands[own_seat, lane] = U32(held | deposit(packets[packet, lane], unseen))
        packet += 1
    for seat in range(players):
        if seat != own_seat:
            for lane in range(lanes):
                hands[seat, lane] = deposit(packets[packet, lane], unseen)
            packet += 1
    for lane in range(lanes):
        stock[lane] = deposit(packets[packet, lane], unseen)


@kernel
def _exchange(
    seed: Any,
    stream: Any,
    place: Any,
    start: Any,
    discards: Any,
    binomials: Any,
    lanes: Any,
    hand: Any,
    stock: Any,
    pile: Any,
) -> None:
    """GY-2.3: one seat discards and draws, in all lanes.

    Parameters
    ----------
    seed, stream, place, start : uint64
        As in `streams.fill`.
    discards : uint32 array, (20475,)
        What is thrown of each hand.
    binomials : int64 array
        As `_binomials`.
    lanes : int
    hand, stock, pile : uint32 arrays, (lanes,)
        Masks, changed. The pile are the cards aside and the discards of seats before.
    """
    words = np.empty((2, LANES), dtype=np.uint64)
    more = np.empty((2, 1), dtype=np.uint64)
    fill(seed, stream, place, start, lanes, words)
    for lane in range(lanes):
        discard = discards[number_of_hand(hand[lane], binomials)]
        cards = popcount(discard)
        drawn, stock_left, pile_left, exact = draw(words[0, lane], cards, stock[lane], pile[lane])
        attempt = U64(0)
        while not exact:
            attempt += U64(1)
            fill(seed, stream, with_attempt(place, attempt), start + U64(lane), 1, more)
            drawn, stock_left, pile_left, exact = draw(more[0, 0], cards, stock[lane], pile[lane])
        hand[lane] = U32(U32(hand[lane] ^ discard) | drawn)
        stock[lane] = stock_left
        pile[lane] = U32(pile_left | discard)


@inlined
def draw(word: Any, cards: Any, stock: Any, pile: Any) -> tuple[Any, Any, Any, Any]:
    """GY-2.4: some cards off the stock; when it runs out, the pile becomes the stock.

    The word gives all the numbers drawn by repeated wide products, as in `sims.dealing`: exactly
    uniform, unless the low half left at the end is below 2**64 mod (product of the bounds).

    Parameters
    ----------
    word : uint64
    cards : uint32
        How many, at most four.
    stock, pile : uint32
        Masks.

    Returns
    -------
    uint32, uint32, uint32, bool
        The cards drawn, the stock and the pile left, and whether the word may be used.
    """
    drawn, low, product = U32(0), word, U64(1)
    for _ in range(cards):
        if stock == U32(0):
            stock, pile = pile, U32(0)
        bound = U64(popcount(stock))
        number, low = wide_product(low, bound)
        product = U64(product * bound)
        card = deposit(U32(U64(1) << number), stock)
        stock = U32(stock ^ card)
        drawn = U32(drawn | card)
    # 2**64 mod product, without a number that wide.
    below = U64(U64(_ALL_ONES % product) + U64(1)) % product
    return drawn, stock, pile, low >= below


@inlined
def number_of_hand(hand: Any, binomials: Any) -> Any:
    """The number of a hand of four in colexicographic order."""
    number, rest = 0, hand
    for k in range(1, HAND + 1):
        number += binomials[trailing_zeros(rest), k]
        rest = U32(rest & U32(rest - U32(1)))
    return number


@kernel
def _count(
    hands: Any,
    own_seat: Any,
    players: Any,
    best: Any,
    tied: Any,
    outcome: Any,
    lanes: Any,
    shown: Any,
) -> None:
    for lane in range(lanes):
        shown.outcome[outcome[lane]] += 1
        own = best_points(hands[own_seat, lane])
        shown.points[own] += 1
        others = U32(0)
        for seat in range(players):
            if seat != own_seat:
                others = max(others, best_points(hands[seat, lane]))
        shown.others[others] += 1
        shown.sharing[tied[lane] if own >= others else U32(0)] += 1
