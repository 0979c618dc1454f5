"""Referee for the betting of Gilten (GN-4): one window, and the book that all windows share.

A window puts one question at a time. `Window.ask` says who is asked and what may be answered,
`Window.decide` takes the answer, and so on until there is nothing left to ask. Nothing here
knows of cards: what a seat holds matters only to the option `must_hold`, and is given.

Readings of the referee, where a clause is silent (the others stand in `gilten_play`):

R1  Every decision is asked for, also where only one is legal (a forced pass, a forced card).
R2  Under `signalling=full` a turn and an answer are the team's: no seat is named, and none is
    kept as proposer. Cards and the robbing are a seat's under either form.
R4  GN-4.7: each window starts afresh. Team 0 is first on turn whoever leads and whoever spoke
    last; passes and exchanges are forgotten; values, rights and closed figures stay.
R5  GN-4.7(b): the right moves when an exchange ends with *halten*, to the team that held the
    last proposal. A raise proposes and keeps nobody's right.
R6  A figure held at *Spiel aus* stays open (it is not conceded), but cannot be bet.
R7  GN-4.7(e): the seats of a team that is on turn are asked afresh each time it has the turn.
    Once the first seat bets the second is not asked. Both must pass for the team to pass.
R8  GN-4.7(e): whoever raised is the proposer for the next answer, though his partner may have
    made the bet before. The one asked first may leave it once; "must" then rules out leaving it
    back. With two players nobody can leave an answer.
R9  GN-4.5: what a hand holds is judged on its five cards after the robbing. Under
    `signalling=none` a seat without the figure may leave the raise to a partner with it.
R10 GN-4.8: an opening bet is one that opens an exchange (GN-4.7c), at any value. So the Spiel
    is not bet at all in the fifth window; that answers are free then only says that the other
    figures are as before. (The other reading: only the first bet of the deal on the Spiel.)
"""

from __future__ import annotations

import copy
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple

from reference.gilten import Tie

Figure = Literal["gleich", "hanger", "spiel"]
FIGURES: tuple[Figure, ...] = ("gleich", "hanger", "spiel")  # also the order of scoring, GN-5.2
SPIEL_AUS = 8  # GN-4.2
SHOW = 6  # the number of the show's window; windows 1 to 5 precede the tricks 1 to 5

# 'pass' or ('bet', figure); 'gut', 'halten', 'raise', 'leave'; 'rob', 'keep'; a card, as in '10H'
Decision = str | tuple[str, str]


@dataclass(frozen=True)
class RefRules:
    """The options of the clauses, each at its default."""

    players: int = 4  # GN-1.4: or 2
    target: int = 11  # GN-5.3: or 15
    tie: Tie = "stands"  # GN-3.5
    turnup_rob: bool = False  # GN-1.3
    either_may_raise: bool = False  # GN-4.4
    must_hold: bool = False  # GN-4.5
    signalling: Literal["full", "none"] = "full"  # GN-4.7(e), GN-5.4
    late_spiel_limit: bool = False  # GN-4.8
    settle: Literal["first", "higher_total"] = "first"  # GN-5.2

    def __post_init__(self) -> None:
        allowed: dict[str, tuple[object, ...]] = {
            "players": (4, 2),
            "target": (11, 15),
            "tie": ("stands", "forehand", "trump_then_forehand"),
            "signalling": ("full", "none"),
            "settle": ("first", "higher_total"),
        }
        for name, values in allowed.items():
            if getattr(self, name) not in values:
                raise ValueError(f"{name} is one of {values}, not {getattr(self, name)!r}")


@dataclass(frozen=True)
class Stake:
    """One figure in the book (GN-4.7): its value, who may bet it, and whether it is closed."""

    value: int = 1
    right: int | None = None  # the only team that may bet it; None: either
    conceded_to: int | None = None  # the team that has scored it; None: open

    @property
    def open(self) -> bool:
        return self.conceded_to is None


Book = dict[Figure, Stake]


def fresh_book() -> Book:
    """GN-4.1, GN-4.7: every figure is worth 1, open, and either team's to bet."""
    return {figure: Stake() for figure in FIGURES}


class Ask(NamedTuple):
    """A decision to be taken: by whom, and out of which legal ones."""

    kind: Literal["rob", "turn", "answer", "card"]
    team: int
    seat: int | None  # None: the team decides as one (GN-4.7e, `signalling=full`)
    legal: tuple[Decision, ...]
    number: int  # the trick, or the window before it: 1 to 5; SHOW; 0 for the robbing
    figure: Figure | None = None  # of an answer: the figure that was bet
    value: int | None = None  # of an answer: the proposal k


class Bet(NamedTuple):
    """One proposal and its answer. An answer 'raise' is followed by the Bet that it makes."""

    window: int
    figure: Figure
    proposal: int  # k
    team: int  # the proposers
    seat: int | None  # None: the team as one
    answer: Literal["gut", "halten", "raise"]
    answered_by: int | None  # a seat; None: the team as one
    value: int  # of the figure after the answer: k, and k - 1 after 'gut'


class Proposal(NamedTuple):
    """A bet that waits for its answer."""

    figure: Figure
    value: int
    team: int
    seat: int | None
    opener: int  # the team whose bet opened the exchange


class Window:
    """One betting window (GN-4.7), or the show's (GN-5.1). It writes into the book it is given.

    `holders` says for Gleich and Hanger which seats have one.
    """

    def __init__(
        self,
        rules: RefRules,
        number: int,
        first: int,
        book: Book,
        holders: Mapping[Figure, Collection[int]],
        figures: Collection[Figure] = FIGURES,
    ) -> None:
        self.rules, self.number, self.book, self.holders = rules, number, book, holders
        self.figures = frozenset(figures)
        self.exchanged: frozenset[Figure] = frozenset()
        self.proposal: Proposal | None = None
        self.over = False
        self.queue: tuple[int | None, ...] = ()  # who is asked, and who after him
        self._give_turn(first, passes=0)

    def copy(self) -> Window:
        """The same window with a book of its own, to try out a decision."""
        other = copy.copy(self)
        other.book = dict(self.book)
        return other

    # --- What is asked -----------------------------------------------------------------------

    def ask(self) -> Ask | None:
        """The next decision, or None when the window has closed."""
        if self.over:
            return None
        seat = self.queue[0]
        if self.proposal is None:
            bets = [("bet", figure) for figure in FIGURES if self._may_bet(figure, seat)]
            return Ask("turn", self.turn, seat, ("pass", *bets), self.number)
        figure, value, proposers = self.proposal[:3]
        legal = ["gut", "halten"]
        if value < SPIEL_AUS and self._may_speak_for(figure, 1 - proposers, seat):
            legal.append("raise")
        if len(self.queue) > 1:
            legal.append("leave")
        return Ask("answer", 1 - proposers, seat, tuple(legal), self.number, figure, value)

    def _may_bet(self, figure: Figure, seat: int | None) -> bool:
        """GN-4.7(a), with GN-4.5 and GN-4.8."""
        stake = self.book[figure]
        late = self.rules.late_spiel_limit and self.number == 5 and figure == "spiel"
        return (
            figure in self.figures
            and figure not in self.exchanged
            and stake.open
            and stake.value < SPIEL_AUS
            and stake.right in (None, self.turn)
            and not late
            and self._may_speak_for(figure, self.turn, seat)
        )

    def _may_speak_for(self, figure: Figure, team: int, seat: int | None) -> bool:
        """GN-4.5 `must_hold`: the speaker has one, or either of a team that decides as one."""
        if not self.rules.must_hold or figure == "spiel":
            return True
        speakers = range(team, self.rules.players, 2) if seat is None else [seat]
        return any(speaker in self.holders[figure] for speaker in speakers)

    # --- What is decided ---------------------------------------------------------------------

    def decide(self, choice: Decision) -> Bet | None:
        """Take a legal decision; returns the Bet if one was answered by it."""
        if self.proposal is None:
            self._take_turn(choice)
            return None
        if choice == "leave":
            self.queue = self.queue[1:]
            return None
        return self._take_answer(self.proposal, choice)

    def _take_turn(self, choice: Decision) -> None:
        if choice != "pass":
            figure = next(figure for figure in FIGURES if choice == ("bet", figure))
            self._propose(figure, self.book[figure].value + 1, self.turn, opener=self.turn)
        elif len(self.queue) > 1:
            self.queue = self.queue[1:]  # GN-4.7(e): the partner may still bet
        else:
            self.over = self.passes == 1  # GN-4.7(a): two passes running
            self._give_turn(1 - self.turn, self.passes + 1)

    def _take_answer(self, proposal: Proposal, choice: Decision) -> Bet:
        """GN-4.7(b)."""
        figure, value, proposers, seat, opener = proposal
        by, stake, answerers = self.queue[0], self.book[figure], 1 - proposers
        if choice == "gut":
            self.book[figure] = replace(stake, conceded_to=proposers)
            self._end_exchange(figure, opener)
            return Bet(self.number, figure, value, proposers, seat, "gut", by, stake.value)
        if choice == "halten":
            right = None if self.rules.either_may_raise else answerers
            self.book[figure] = Stake(value, right)
            self._end_exchange(figure, opener)
            return Bet(self.number, figure, value, proposers, seat, "halten", by, value)
        self.book[figure] = replace(stake, value=value)
        self._propose(figure, value + 1, answerers, opener)
        return Bet(self.number, figure, value, proposers, seat, "raise", by, value)

    def _propose(self, figure: Figure, value: int, team: int, opener: int) -> None:
        """GN-4.7(e): the next seat clockwise is asked for an answer, then that seat's partner."""
        seat = self.queue[0]
        self.proposal = Proposal(figure, value, team, seat, opener)
        if seat is not None:
            players = self.rules.players
            self.queue = tuple((seat + step) % players for step in range(1, players, 2))

    def _end_exchange(self, figure: Figure, opener: int) -> None:
        """GN-4.7(c), GN-4.7(d)."""
        self.exchanged |= {figure}
        self.proposal = None
        self.over = figure == "spiel" and not self.book["spiel"].open
        self._give_turn(1 - opener, passes=0)

    def _give_turn(self, team: int, passes: int) -> None:
        """GN-4.7(e): a team is asked as one, or its seats in seat order."""
        self.turn, self.passes = team, passes
        self.queue = (None,)
        if self.rules.signalling == "none":
            self.queue = tuple(range(team, self.rules.players, 2))


def window_histories(
    figures: Collection[Figure], rules: RefRules
) -> Iterator[tuple[Decision, ...]]:
    """Every history of one window, as its decisions in order (the tests of GN-4.7).

    The figures given are open and fresh, every seat has one, and the scores are far from the
    target. Every decision is tried at every ask; nothing is counted by a formula.
    """
    everybody = range(rules.players)
    holders = dict.fromkeys(FIGURES, everybody)
    tree: list[tuple[Window, tuple[Decision, ...]]] = [
        (Window(rules, 1, 0, fresh_book(), holders, figures), ())
    ]
    while tree:
        window, so_far = tree.pop()
        ask = window.ask()
        if ask is None:
            yield so_far
            continue
        for choice in ask.legal:
            branch = window.copy()
            branch.decide(choice)
            tree.append((branch, (*so_far, choice)))
