"""Odds of Gilten against all deals that fit, and against simulated ones.

Where few cards are unseen, every deal that fits is judged by the referee, or by the same in numpy
(`reference.gilten_arrays`, checked against it here). Where many are, deals that fit are drawn at
random, the known cards lying where they are known to lie.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations
from typing import NamedTuple, get_args

import numpy as np
import pytest
from reference import gilten as referee
from reference import gilten_arrays as arrays

from analysis.odds import Odds, odds
from sims.gilten.figures import SEATS
from sims.gilten.rules import TIES

FIGURES: tuple[referee.Figure, ...] = get_args(referee.Figure)
SWAPPED = [1, 0, 2, 3]  # the outcome as the other team sees it


class Known(NamedTuple):
    """What a player knows, in text."""

    hand: str
    partner: str = ""
    turnup: str = ""
    known: str = ""
    seat: str = "forehand"
    players: int = 4

    def asked(self, tie: str) -> Odds:
        return odds(
            "gilten",
            self.hand,
            rules={"players": self.players, "tie": tie},
            seat=self.seat,
            **{name: getattr(self, name) for name in ("partner", "turnup", "known")},
        )

    @property
    def seat_number(self) -> int:
        return SEATS[self.players].index(self.seat)

    def places(self) -> tuple[list[list[int]], list[int]]:
        """The cards known in each hand and as turn-up, and those nobody has seen, as numbers."""
        held: list[list[int]] = [[] for _ in range(self.players + 1)]
        held[self.seat_number] = numbers(self.hand)
        if self.partner:
            held[(self.seat_number + 2) % 4] = numbers(self.partner)
        held[-1] = numbers(self.turnup)
        seen = {card for cards in held for card in cards} | set(numbers(self.known))
        return held, [card for card in range(32) if card not in seen]


def numbers(text: str) -> list[int]:
    return [
        referee.SUITS.index(card.suit) * 8 + referee.RANKS.index(card.rank)
        for card in referee.cards(text)
    ]


def all_deals(known: Known) -> tuple[arrays.Numbers, arrays.Numbers]:
    """Every deal that fits, with every card that may be turned up."""
    held, unseen = known.places()
    wanted = [5 - len(cards) for cards in held[:-1]] + [1 - len(held[-1])]
    dealt, left = np.zeros((1, 0), np.int64), np.array([unseen])
    for number in wanted:
        chosen = list(combinations(range(left.shape[1]), number))
        others = [sorted({*range(left.shape[1])} - {*each}) for each in chosen]
        taken, left = (
            left[:, np.array(cards, np.int64)].reshape(len(left) * len(chosen), len(cards[0]))
            for cards in (chosen, others)
        )
        dealt = np.concatenate([np.repeat(dealt, len(chosen), axis=0), taken], axis=1)
    return laid(held, dealt)


def random_deals(known: Known, deals: int, seed: int) -> tuple[arrays.Numbers, arrays.Numbers]:
    """Deals that fit: the unseen cards shuffled, the known ones where they are."""
    held, unseen = known.places()
    rng = np.random.default_rng(seed)
    return laid(held, rng.permuted(np.tile(unseen, (deals, 1)), axis=1))


def laid(held: list[list[int]], dealt: arrays.Numbers) -> tuple[arrays.Numbers, arrays.Numbers]:
    """Hands, shape (deals, players, 5), and turn-ups, (deals,), of cards in order of dealing."""
    places = []
    for cards, size in zip(held, [5] * (len(held) - 1) + [1], strict=True):
        wanted, dealt = np.split(dealt, [size - len(cards)], axis=1)
        known = np.tile(np.array(cards, np.int64), (len(wanted), 1))
        places.append(np.concatenate([known, wanted], axis=1))
    return np.stack(places[:-1], axis=1), places[-1][:, 0]


def judged(
    known: Known, hands: arrays.Numbers, turnups: arrays.Numbers
) -> Iterator[tuple[str, str, arrays.Numbers]]:
    """The tie option, the name of a piece, and in how many of the deals each class occurs."""
    team, size = known.seat_number % 2, {"gleich": 25, "hanger": 23}
    for figure in FIGURES:
        of_hand = arrays.classes(hands, figure)
        best = {
            "own": of_hand[:, known.seat_number],
            "team": of_hand[:, team::2].max(axis=1),
            "their": of_hand[:, 1 - team :: 2].max(axis=1),
        }
        held = {whose: np.bincount(each, minlength=size[figure]) for whose, each in best.items()}
        for tie, outcomes in arrays.outcomes(hands, turnups, figure).items():
            who = np.bincount(outcomes, minlength=4)
            yield tie, figure, who[SWAPPED] if team else who
            for whose, ways in held.items():
                yield tie, f"{whose}_{figure}", ways


# All deals ---------------------------------------------------------------------------------------

FEW_UNSEEN = {
    "partner known": Known(
        "UE UL 7S 8S 9S", "AE 7L 9E 10E KH", "9H", "7E 8E OE KE AH 10H OS AS KS", "third"
    ),
    "partner known, turn-up not": Known(
        "9E 10E 7L AL KH", "9S 10S UH OH KE", "", "7E 8E OE KL AH 10H US AS KS 8H", "dealer"
    ),
    "both hands partial": Known(
        "KL AL KS 7E", "9S 8S UH OH", "OL", "9E 8E OE 7H AH 10H US AS 7S 8H AE", "second"
    ),
    "partner partial": Known(
        "KL AL KS AS 7E", "8S UH OH", "OL", "9E 8E OE 7H AH 10H US 9S 7S 8H AE", "forehand"
    ),
    "everything known but one card": Known(
        "9E 10E 7L AL KH", "9S 10S UH OH", "", "7E 8E OE KL AH 10H US AS KS 8H UL", "second"
    ),
    "two players": Known("9E 10E KL KS AH", turnup="8H", seat="dealer", players=2),
    "two players, turn-up not known": Known(
        "9E 10E KL KS AH", known="7E 7L 7H 7S 8E 8L 8H 8S AE AL UE US", players=2
    ),
    "two players, hand partial": Known(
        "KE AE", "", "AS", "7E 7L 7H 7S 8E 8L 8H 8S OL OH US UH 9S 9H 9E 9L 10H", players=2
    ),
}


@pytest.mark.parametrize("known", FEW_UNSEEN.values(), ids=list(FEW_UNSEEN))
def test_gn_3_5_odds_are_those_of_all_deals_that_fit(known: Known) -> None:
    hands, turnups = all_deals(known)
    answers = {tie: known.asked(tie) for tie in TIES}
    met = {tie: set[str]() for tie in TIES}
    for tie, name, ways in judged(known, hands, turnups):
        pieces = {piece.name: piece for piece in answers[tie].answer.pieces}
        if name not in pieces:
            continue
        met[tie].add(name)
        found = pieces[name]
        # A piece may count hands, or deals without their turn-ups: the chances are compared.
        assert [Fraction(int(way), len(hands)) for way in ways] == [
            Fraction(int(way), found.total) for way in found.ways
        ]
    for tie, answer in answers.items():
        assert met[tie] == {piece.name for piece in answer.answer.pieces}


def test_gn_3_5_the_judge_of_many_deals_agrees_with_the_referee() -> None:
    """On random deals, and on those of a position in which many are tied."""
    many = [random_deals(Known("", players=players), 150, players) for players in (2, 4)]
    hands, turnups = all_deals(FEW_UNSEEN["two players, turn-up not known"])
    some = np.random.default_rng(3).integers(len(hands), size=150)
    tied = dict.fromkeys(FIGURES, 0)
    for batch, ups in [*many, (hands[some], turnups[some])]:
        for figure in FIGURES:
            by_tie = arrays.outcomes(batch, ups, figure)
            for deal, (cards, up) in enumerate(zip(batch.tolist(), ups.tolist(), strict=True)):
                by_seat = [[referee.PACK[card] for card in hand] for hand in cards]
                for tie, who in by_tie.items():
                    expected = referee.outcome(by_seat, referee.PACK[up], figure, tie)
                    assert arrays.OUTCOMES[who[deal]] == expected
            tied[figure] += int((by_tie["stands"] == 2).sum())
            for number, cards in enumerate(batch[:, 0].tolist()):
                key = [referee.PACK[card] for card in cards]
                value = referee.gleich(key) if figure == "gleich" else referee.hanger(key)
                assert LADDERS[figure][arrays.classes(batch[number, 0], figure)] == value
    assert min(tied.values()) > 10


LADDERS: dict[referee.Figure, list[referee.Value | None]] = {
    "gleich": [None, *((size, rank) for size in (2, 3, 4) for rank in referee.RANKS)],
    "hanger": [None, *((size, top) for size in (2, 3, 4, 5) for top in referee.RANKS[size - 1 :])],
}


# Simulation --------------------------------------------------------------------------------------

DEALS = 20_000
MANY_UNSEEN = [
    Known("UE UL UH 7S 8S", turnup="9H"),
    Known("9E 10E KL KS 7H", seat="second"),
    Known("9E 10E KL KS 7H", turnup="7E", seat="third"),
    Known("KE AE", turnup="10H", seat="dealer"),
    Known("8L 10L", "8E UE", known="AE AL AH", seat="second"),
    Known("KE AE UL", seat="dealer", players=2),
]


@pytest.mark.parametrize("known", MANY_UNSEEN, ids=str)
def test_gn_3_5_odds_are_those_of_simulated_deals(known: Known) -> None:
    """About 300 cells, of which none may be beyond 5 sigma: a false alarm once in 6 000 runs."""
    hands, turnups = random_deals(known, DEALS, 1)
    assert worst_score(known, known, hands, turnups) < 5


@pytest.mark.parametrize(
    ("known", "believed"),
    [
        (MANY_UNSEEN[0], MANY_UNSEEN[0]._replace(seat="dealer")),
        (MANY_UNSEEN[0], MANY_UNSEEN[0]._replace(turnup="KH")),
        (MANY_UNSEEN[4], MANY_UNSEEN[4]._replace(known="AE AL")),
    ],
)
def test_odds_of_another_position_are_caught(known: Known, believed: Known) -> None:
    """The control: another seat, another turn-up, a card fewer known."""
    hands, turnups = random_deals(known, DEALS, 1)
    assert worst_score(known, believed, hands, turnups) > 5


def worst_score(
    known: Known, believed: Known, hands: arrays.Numbers, turnups: arrays.Numbers
) -> float:
    """The largest deviation, in sigmas, of the simulated deals from the odds that are believed.

    Cells of fewer than 50 expected deals are not near enough to normal, and are left out; a cell
    with no chance must be empty.
    """
    answers = {tie: believed.asked(tie) for tie in TIES}
    worst = 0.0
    for tie, name, ways in judged(known, hands, turnups):
        pieces = {piece.name: piece for piece in answers[tie].answer.pieces}
        if name not in pieces:
            continue
        chances = pieces[name].chances
        if ways[chances == 0].any():
            return np.inf
        expected = chances * len(hands)
        spread = np.sqrt(expected * (1 - chances))
        near = (expected >= 50) & (chances < 1)
        scores = np.abs(ways - expected)[near] / spread[near]
        worst = max(worst, float(scores.max(initial=0)))
    return worst
