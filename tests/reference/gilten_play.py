"""Referee for a whole deal of Gilten (GN-1 to GN-5), played from decisions, and for matches.

A deal puts one question at a time and takes one decision at a time:

    deal = PlayedDeal(hands, turnup, rules)
    while (ask := deal.pending()) is not None:
        deal.decide(...)  # one of ask.legal
    record = deal.record()

The betting is in `gilten_betting`, the figures as dealt in `gilten`. Teams are 0 and 1 of the
deal in hand: 0 is seats 0 and 2 (of two players seat 0), 1 is the others.

Readings of the referee, where a clause is silent (R1, R2 and R4 to R10, on the betting, stand in
`gilten_betting`):

R3  GN-4.1 says "at any time", GN-4.7 says when: windows open before a lead only. So the Spiel
    is never settled in mid-trick, and GN-2.4's "a trick once begun" never arises.
R11 GN-4.7(d): a team "reaches the target" in a window only by a concession, and only under
    `settle=first`. Under `higher_total` concessions are not added before the end of the deal,
    so they end neither window nor deal.
R12 GN-5.2: below *Spiel aus* the Spiel scores after the show, although it was won before: a
    team with its third trick can lose the game to the other's Gleich.
R13 GN-4.3: the lift is from the score at that moment, this deal's earlier points included. The
    record counts it as points of that figure. A score already at the target (possible only
    under `higher_total`) is not lowered, and the lift is 0.
R14 GN-5.2: *Spiel aus* decides when its figure's turn to score comes. Under `first` another
    figure that scores before can win the game; under `higher_total` none can, and points added
    before it stay with whoever made them, even beyond the target. The first of two figures
    held at *Spiel aus* decides. What would have scored later is void.
R15 A score may pass the target: 10 and 3 are 13.
R16 GN-5.1: the show's window is held even if Gleich and Hanger are both closed. It is not held
    when the game is over. After it the record says who had the better figure, even where the
    points are void; without it an open Gleich or Hanger is 'undecided'.
R17 GN-5.1: the Spiel's winners are the team with three tricks, or the one it was conceded to.
R18 GN-1.3: the holder is asked once; under any form of signalling he decides alone. He is not
    asked if the 7 is the turn-up or was not dealt.
R19 A deal starts from scores below the target. Under `higher_total` equal scores at or above
    it are possible as well: they are the "another deal" of GN-5.2, which is judged likewise.
R20 GN-1.2 with two players: seat 0 becomes 1 and 1 becomes 0, so teams change as with four.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Literal, NamedTuple

from reference.gilten import PACK, RANKS, Card, card, gleich, hanger, outcome
from reference.gilten_betting import (
    FIGURES,
    SHOW,
    SPIEL_AUS,
    Ask,
    Bet,
    Decision,
    Figure,
    RefRules,
    Window,
    fresh_book,
)

Score = tuple[int, int]  # of team 0 and of team 1


class Trick(NamedTuple):
    """One trick: the cards in the order in which they were played, and the seats."""

    leader: int
    cards: tuple[str, ...]
    winner: int


class Points(NamedTuple):
    """Points as they score."""

    figure: Figure
    team: int
    points: int
    reason: Literal["conceded", "won", "spiel_aus"]


class FigureEnd(NamedTuple):
    """What became of a figure: the value it had reached, and who has it."""

    value: int
    result: Literal["conceded", "won", "stands", "none", "undecided"]
    team: int | None  # it was conceded to, or won by; None: nobody


class DealRecord(NamedTuple):
    """A finished deal."""

    hands: tuple[tuple[str, ...], ...]  # in seat order, after the robbing
    turnup: str  # after the robbing
    robbed_by: int | None
    tricks: tuple[Trick, ...]
    bets: tuple[Bet, ...]
    figures: dict[Figure, FigureEnd]
    points: tuple[Points, ...]  # in the order in which they score
    start: Score
    score: Score
    spiel_aus: Figure | None  # the figure that won the game by *Spiel aus*
    winner: int | None  # the team that has won the game; None: the game goes on
    history: tuple[tuple[Ask, Decision], ...]

    @property
    def over(self) -> bool:
        """Whether the game is over."""
        return self.winner is not None


def text(held: Card) -> str:
    """A card as it is written, rank before suit."""
    return held.rank + held.suit


# --- Play (GN-2) ---------------------------------------------------------------------------


def legal_cards(hand: Sequence[Card], led: str | None, trump: str) -> list[Card]:
    """GN-2.2: follow suit or trump; with no card of the suit led, anything. None: the lead."""
    if all(held.suit != led for held in hand):
        return list(hand)
    return [held for held in hand if held.suit in (led, trump)]


def trick_winner(played: Sequence[Card], trump: str) -> int:
    """GN-2.3: the place in the trick of the card that wins it."""
    trumps = [held for held in played if held.suit == trump]
    contest = trumps or [held for held in played if held.suit == played[0].suit]
    return played.index(max(contest, key=lambda held: RANKS.index(held.rank)))


# --- One deal ------------------------------------------------------------------------------


class PlayedDeal:
    """One deal from the first window to the score.

    `hands` are in seat order, five cards each, as text; `score` is what team 0 and team 1 bring
    along.
    """

    def __init__(
        self,
        hands: Sequence[Sequence[str]],
        turnup: str,
        rules: RefRules,
        score: Score = (0, 0),
    ) -> None:
        self.rules, self.start = rules, score
        self.hands = [[card(word) for word in hand] for hand in hands]
        self.turnup = card(turnup)
        self._check()
        self.trump = self.turnup.suit
        self.book = fresh_book()
        self.window: Window | None = None
        self.played: list[Card] = []  # the trick on the table
        self.leader = 0  # GN-2.1
        self.tricks: list[Trick] = []
        self.bets: list[Bet] = []
        self.points: list[Points] = []
        self.score = list(score)
        self.robbed_by: int | None = None
        self.spiel_aus: Figure | None = None
        self.winner: int | None = None
        self.finished = self.shown = False
        self.history: list[tuple[Ask, Decision]] = []
        self.robber = self._holder_of_the_seven() if rules.turnup_rob else None
        if self.robber is None:
            self._begin()
        self._ask = self._next_ask()

    def _check(self) -> None:
        seen = [held for hand in self.hands for held in hand] + [self.turnup]
        if len(self.hands) != self.rules.players or any(len(hand) != 5 for hand in self.hands):
            raise ValueError(f"GN-1.3, GN-1.4: {self.rules.players} hands of five cards")
        if len(set(seen)) != len(seen):
            raise ValueError("GN-1.1, GN-1.3: no card is there twice, nor the turn-up in a hand")
        target = self.rules.target
        another = self.rules.settle == "higher_total" and self.start[0] == self.start[1]
        if min(self.start) < 0 or (max(self.start) >= target and not another):
            raise ValueError(f"GN-5.2: no deal is played at {self.start} to {target}")

    def _holder_of_the_seven(self) -> int | None:
        seven = Card("7", self.turnup.suit)
        return next((seat for seat, hand in enumerate(self.hands) if seven in hand), None)

    # --- Asking and deciding ---

    def pending(self) -> Ask | None:
        """The decision to be taken now, or None when the deal is over."""
        return self._ask

    def decide(self, choice: Decision) -> None:
        """Take one of the legal decisions.

        Raises
        ------
        ValueError
            The decision is not legal, or the deal is over.
        """
        ask = self._ask
        if ask is None:
            raise ValueError("the deal is over")
        if choice not in ask.legal:
            raise ValueError(f"{choice!r} is not one of {ask.legal}")
        self.history.append((ask, choice))
        if ask.kind == "rob":
            self._rob(choice == "rob")
        elif self.window is None:
            self._play(card(str(choice)))
        else:
            self._bet(self.window, choice)
        self._ask = self._next_ask()

    def _next_ask(self) -> Ask | None:
        if self.finished:
            return None
        if self.robber is not None:
            return Ask("rob", self.robber % 2, self.robber, ("rob", "keep"), 0)
        if self.window is not None:
            return self.window.ask()
        seat = self._seat_to_play()
        led = self.played[0].suit if self.played else None
        legal = legal_cards(self.left[seat], led, self.trump)
        return Ask("card", seat % 2, seat, tuple(map(text, legal)), len(self.tricks) + 1)

    def _seat_to_play(self) -> int:
        return (self.leader + len(self.played)) % self.rules.players

    # --- The phases ---

    def _rob(self, taken: bool) -> None:
        """GN-1.3 `turnup_rob`."""
        seat, seven = self.robber, Card("7", self.trump)
        if taken and seat is not None:
            hand = self.hands[seat]
            hand[hand.index(seven)] = self.turnup
            self.turnup, self.robbed_by = seven, seat
        self.robber = None
        self._begin()

    def _begin(self) -> None:
        """After the robbing: the figures are what they are, and the first window opens."""
        self.left = [list(hand) for hand in self.hands]  # not yet played
        seats = range(self.rules.players)
        self.holders: dict[Figure, list[int]] = {
            "gleich": [seat for seat in seats if gleich(self.hands[seat]) is not None],
            "hanger": [seat for seat in seats if hanger(self.hands[seat]) is not None],
        }
        self._open_window()

    def _open_window(self) -> None:
        """GN-4.7: before the lead to each trick, team 0 on turn."""
        number = len(self.tricks) + 1
        self.window = Window(self.rules, number, 0, self.book, self.holders)

    def _open_show(self, winners: int) -> None:
        """GN-5.1: one more window, on Gleich and Hanger, the Spiel's winners on turn."""
        both: tuple[Figure, ...] = ("gleich", "hanger")
        self.window = Window(self.rules, SHOW, winners, self.book, self.holders, both)

    def _bet(self, window: Window, choice: Decision) -> None:
        bet = window.decide(choice)
        if bet is not None:
            self.bets.append(bet)
            if bet.answer == "gut":  # GN-4.3: the proposal less one, which is the value so far
                self._score(bet.figure, bet.team, bet.value, "conceded")
        if self.finished or not window.over:
            return
        self.window = None
        conceded_to = self.book["spiel"].conceded_to
        if window.number == SHOW:
            self._settle()
        elif conceded_to is not None:
            self._open_show(conceded_to)  # GN-2.4; the trick is not led to

    def _play(self, choice: Card) -> None:
        self.left[self._seat_to_play()].remove(choice)
        self.played.append(choice)
        if len(self.played) < self.rules.players:
            return
        place = trick_winner(self.played, self.trump)
        winner = (self.leader + place) % self.rules.players
        self.tricks.append(Trick(self.leader, tuple(map(text, self.played)), winner))
        self.leader, self.played = winner, []  # GN-2.3
        team = winner % 2
        if self._tricks_of(team) < 3:
            self._open_window()
        elif self.book["spiel"].value == SPIEL_AUS:
            self._win("spiel", team)  # GN-5.2: before any show
        else:
            self._open_show(team)  # GN-2.4

    def _tricks_of(self, team: int) -> int:
        return sum(trick.winner % 2 == team for trick in self.tricks)

    # --- The score (GN-4.3, GN-5.2) ---

    def _settle(self) -> None:
        """After the show: Gleich, Hanger and Spiel score in this order."""
        self.shown = True
        for figure in FIGURES:
            end = self._end_of(figure)
            if end.result == "won" and end.team is not None and not self.finished:
                self._win(figure, end.team)
        self.finished = True
        ours, theirs = self.score
        if self.winner is None and max(ours, theirs) >= self.rules.target and ours != theirs:
            self.winner = 0 if ours > theirs else 1  # only `higher_total` comes here

    def _win(self, figure: Figure, team: int) -> None:
        value = self.book[figure].value
        if value < SPIEL_AUS:
            self._score(figure, team, value, "won")
            return
        lift = max(0, self.rules.target - self.score[team])
        self._score(figure, team, lift, "spiel_aus")
        self.spiel_aus, self.winner, self.finished = figure, team, True

    def _score(
        self,
        figure: Figure,
        team: int,
        points: int,
        reason: Literal["conceded", "won", "spiel_aus"],
    ) -> None:
        self.points.append(Points(figure, team, points, reason))
        self.score[team] += points
        if self.rules.settle == "first" and self.score[team] >= self.rules.target:
            self.winner, self.finished = team, True

    def _end_of(self, figure: Figure) -> FigureEnd:
        stake = self.book[figure]
        if stake.conceded_to is not None:
            return FigureEnd(stake.value, "conceded", stake.conceded_to)
        if figure == "spiel":
            for team in (0, 1):
                if self._tricks_of(team) == 3:
                    return FigureEnd(stake.value, "won", team)
            return FigureEnd(stake.value, "undecided", None)
        if not self.shown:
            return FigureEnd(stake.value, "undecided", None)
        better = outcome(self.hands, self.turnup, figure, self.rules.tie)
        if better in ("ours", "theirs"):
            return FigureEnd(stake.value, "won", 0 if better == "ours" else 1)
        return FigureEnd(stake.value, "stands" if better == "stands" else "none", None)

    def record(self) -> DealRecord:
        """The finished deal.

        Raises
        ------
        ValueError
            A decision is still to be taken.
        """
        if not self.finished:
            raise ValueError("the deal is not over")
        return DealRecord(
            hands=tuple(tuple(map(text, hand)) for hand in self.hands),
            turnup=text(self.turnup),
            robbed_by=self.robbed_by,
            tricks=tuple(self.tricks),
            bets=tuple(self.bets),
            figures={figure: self._end_of(figure) for figure in FIGURES},
            points=tuple(self.points),
            start=self.start,
            score=(self.score[0], self.score[1]),
            spiel_aus=self.spiel_aus,
            winner=self.winner,
            history=tuple(self.history),
        )


# --- Matches (GN-1.2, GN-5.3) --------------------------------------------------------------


class PlayedMatch:
    """Deal after deal until a side has won.

    Sides and persons keep their numbers: side 0 is team 0, and person p has seat p, of the
    first deal. Seats and teams are those of the deal in hand.
    """

    def __init__(self, rules: RefRules, score: Score = (0, 0)) -> None:
        self.rules = rules
        self.score = score  # by side
        self.records: list[DealRecord] = []
        self.winner: int | None = None  # a side
        self.current: PlayedDeal | None = None

    def seat_of(self, person: int) -> int:
        """GN-1.2: the person's seat in the deal in hand, or in the next one if none is."""
        return (person - len(self.records)) % self.rules.players

    def team_of(self, side: int) -> int:
        """GN-1.2: the side's team in the deal in hand, or in the next one if none is."""
        return (side + len(self.records)) % 2

    def deal(self, hands: Sequence[Sequence[str]], turnup: str) -> PlayedDeal:
        """The next deal; hands in the order of its seats."""
        if self.winner is not None:
            raise ValueError("GN-5.3: the match is over")
        score = (self.score[self.team_of(0)], self.score[self.team_of(1)])
        self.current = PlayedDeal(hands, turnup, self.rules, score)
        return self.current

    def write_down(self) -> DealRecord:
        """Score the deal in hand, which must be over."""
        if self.current is None:
            raise ValueError("no deal is in hand")
        record = self.current.record()
        self.score = (record.score[self.team_of(0)], record.score[self.team_of(1)])
        if record.winner is not None:
            self.winner = 0 if self.team_of(0) == record.winner else 1
        self.records.append(record)
        self.current = None
        return record


# --- Random deals, for comparisons ---------------------------------------------------------


def random_deal(rng: random.Random, players: int = 4) -> tuple[list[list[str]], str]:
    """Hands in seat order and a turn-up, every deal alike (GN-1.3, GN-1.4)."""
    dealt = [text(held) for held in rng.sample(PACK, 5 * players + 1)]
    return [dealt[5 * seat : 5 * seat + 5] for seat in range(players)], dealt[-1]


def play_randomly(
    deal: PlayedDeal, rng: random.Random, calm: float = 0.0, bold: float = 0.0
) -> DealRecord:
    """Decide at random to the end of the deal.

    `calm` is the probability with which *pass* or *halten* is chosen outright, `bold` that of a
    raise, each where it is legal; otherwise all legal decisions are equally likely. Calm deals
    go further into the play, bold ones reach *Spiel aus*.
    """
    while (ask := deal.pending()) is not None:
        mood = rng.random()
        wanted = ("pass", "halten") if mood < calm else ("raise",) if mood < calm + bold else ()
        at_once = [choice for choice in ask.legal if choice in wanted]
        deal.decide(rng.choice(at_once or ask.legal))
    return deal.record()
