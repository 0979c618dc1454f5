"""The betting window of Gilten (GN-4.7): who may say what, and what comes of it.

The betting of a deal is a column of an int64 array `state`, (STATE, lanes), with a row for each of
the numbers named below; so a batch of deals has its betting side by side. A window is opened with
`open_window`; then, until `state[CLOSED]`, the seat `state[ASKED]` says one of the actions that
`legal` allows, and `say` does what follows from it.

A seat's team is its last bit (GN-1.2). Where a team decides as one (`signalling=full`), its lower
seat, 0 or 1, stands for both.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from sims.gilten.rules import Rules
from sims.jit import inlined, kernel

GLEICH, HANGER, SPIEL = range(3)
FIGURES = 3
NO_FIGURE = 3

#: GN-4.2: the value of *Spiel aus*.
SPIEL_AUS = 8

#: The windows: before each of the five tricks, and the show.
TRICKS = 5
SHOW = 5

# What can be said. A bet on figure f is BET + f; LEAVE leaves the answer to the partner.
PASS, BET = 0, 1
GUT, HALTEN, RAISE, LEAVE = range(4, 8)
ACTIONS = 8
ACTION_NAMES = (
    "pass",
    "bet Gleich",
    "bet Hanger",
    "bet Spiel",
    "gut",
    "halten",
    "raise",
    "leave to partner",
)

#: A right to bet, and a winner, besides the teams 0 and 1.
EITHER = NOBODY = 2

# The rows of the state. VALUE, RIGHT and POINTS are the first of several: a row a figure, and
# for the points a row a team and figure.
VALUE = 0  # GN-4.2: what the figure is worth, 1 to 8
RIGHT = 3  # who may bet it: a team, or EITHER
OPEN = 6  # a bit a figure: neither conceded nor settled
EXCHANGED = 7  # a bit a figure: was bet in this window
WINDOW = 8  # 0 to 4, or SHOW
TURN = 9  # the team on turn; during an exchange, the one that opened it
PASSES = 10  # teams that passed, running
ASKED = 11  # the seat that is asked
FIGURE = 12  # the figure of the proposal that has to be answered, or NO_FIGURE
PROPOSED = 13  # the value proposed
PROPOSER = 14  # the seat that proposed it
CLOSED = 15  # 1 when the window is over
SPIEL_WINNER = 16  # the team that has made or been conceded the Spiel, or NOBODY
SCORE = 17  # two rows: each team's score before the deal
POINTS = 19  # six rows: what the teams have scored in this deal, by figure
STATE = POINTS + 2 * FIGURES


class Terms(NamedTuple):
    """The rules of betting and scoring as whole numbers for the kernels; switches are 0 or 1."""

    players: int
    target: int
    either_may_raise: int
    must_hold: int
    partners_speak: int
    late_spiel_limit: int
    at_once: int


def terms(rules: Rules) -> Terms:
    """The rules of betting and scoring; `at_once`: points score as they fall (GN-5.2)."""
    return Terms(
        players=rules.players,
        target=rules.target,
        either_may_raise=int(rules.either_may_raise),
        must_hold=int(rules.must_hold),
        partners_speak=int(rules.signalling == "none"),
        late_spiel_limit=int(rules.late_spiel_limit),
        at_once=int(rules.settle == "first"),
    )


@kernel
def open_deals(state: Any, lanes: Any, scores_0: Any, scores_1: Any) -> None:
    """GN-4.1: each figure is worth 1, and either team may bet it.

    `scores_0` and `scores_1` are the teams' scores before the deal, int64 (lanes,).
    """
    for figure in range(FIGURES):
        _fill(state[VALUE + figure], lanes, 1)
        _fill(state[RIGHT + figure], lanes, EITHER)
    _fill(state[OPEN], lanes, (1 << FIGURES) - 1)
    _fill(state[SPIEL_WINNER], lanes, NOBODY)
    for row in range(POINTS, STATE):
        _fill(state[row], lanes, 0)
    first, second = state[SCORE], state[SCORE + 1]
    for lane in range(lanes):
        first[lane] = scores_0[lane]
        second[lane] = scores_1[lane]


@inlined
def _fill(row: Any, lanes: Any, number: Any) -> None:
    for lane in range(lanes):
        row[lane] = number


@inlined
def open_window(state: Any, lane: Any, window: Any, first: Any) -> None:
    """GN-4.7, GN-5.1: a window opens, team `first` on turn."""
    state[WINDOW, lane] = window
    state[EXCHANGED, lane] = 0
    state[FIGURE, lane] = NO_FIGURE
    state[CLOSED, lane] = 0
    _turn_to(state, lane, first)


@inlined
def _turn_to(state: Any, lane: Any, team: Any) -> None:
    state[TURN, lane] = team
    state[ASKED, lane] = team
    state[PASSES, lane] = 0


@inlined
def total(state: Any, lane: Any, team: Any) -> Any:
    """A team's score before the deal and what it has scored in it."""
    points = POINTS + FIGURES * team
    return (
        state[SCORE + team, lane]
        + state[points, lane]
        + state[points + 1, lane]
        + state[points + 2, lane]
    )


@inlined
def bettable(state: Any, lane: Any, team: Any, terms: Any) -> Any:
    """The figures that a team on turn may bet, a bit each, whatever it holds (GN-4.7 (a))."""
    window = state[WINDOW, lane]
    figures = 0
    for figure in range(FIGURES):
        right = state[RIGHT + figure, lane]
        allowed = (right == EITHER) | (right == team)
        allowed &= state[VALUE + figure, lane] < SPIEL_AUS
        figures |= allowed << figure
    figures &= state[OPEN, lane] & ~state[EXCHANGED, lane]
    # GN-5.1: the Spiel is settled before the show. GN-4.8.
    late = (window == SHOW) | ((terms.late_spiel_limit == 1) & (window == TRICKS - 1))
    return figures & ~(late << SPIEL)


@inlined
def legal(state: Any, lane: Any, terms: Any, held: Any) -> Any:
    """What the seat that is asked may say, a bit an action.

    `held` has a bit for each figure that the speaker can bet under `must_hold` (GN-4.5): Gleich and
    Hanger if he has one, the Spiel always.
    """
    figure, asked = state[FIGURE, lane], state[ASKED, lane]
    if figure == NO_FIGURE:
        return (1 << PASS) | ((bettable(state, lane, asked & 1, terms) & held) << BET)
    raises = (state[PROPOSED, lane] < SPIEL_AUS) & (held >> figure & 1)
    first = asked == _next_seat(state[PROPOSER, lane], terms)
    leaves = (terms.partners_speak == 1) & first
    return (1 << GUT) | (1 << HALTEN) | (raises << RAISE) | (leaves << LEAVE)


@inlined
def _next_seat(proposer: Any, terms: Any) -> Any:
    """The seat that is asked first for an answer (GN-4.7 (e))."""
    return (proposer + 1) & 3 if terms.partners_speak == 1 else 1 - (proposer & 1)


@inlined
def say(state: Any, lane: Any, terms: Any, action: Any) -> None:
    """The seat that is asked says something legal (GN-4.7 (a) to (e))."""
    if action == PASS:
        _pass(state, lane, terms)
    elif action < GUT:
        figure = action - BET
        state[FIGURE, lane] = figure
        state[EXCHANGED, lane] |= 1 << figure
        _propose(state, lane, terms, state[VALUE + figure, lane] + 1)
    elif action == GUT:
        _concede(state, lane, terms)
    elif action == HALTEN:
        holders = state[ASKED, lane] & 1
        figure = state[FIGURE, lane]
        state[VALUE + figure, lane] = state[PROPOSED, lane]
        state[RIGHT + figure, lane] = EITHER if terms.either_may_raise == 1 else holders
        _end_exchange(state, lane)
    elif action == RAISE:
        value = state[PROPOSED, lane]
        state[VALUE + state[FIGURE, lane], lane] = value
        _propose(state, lane, terms, value + 1)
    else:
        state[ASKED, lane] = (state[ASKED, lane] + 2) & 3


@inlined
def _pass(state: Any, lane: Any, terms: Any) -> None:
    """A team has passed when both its seats have; two passes running close the window."""
    team = state[TURN, lane]
    if terms.partners_speak == 1 and state[ASKED, lane] == team:
        state[ASKED, lane] = team + 2
        return
    passes = state[PASSES, lane] + 1
    _turn_to(state, lane, 1 - team)
    state[PASSES, lane] = passes
    state[CLOSED, lane] = passes >> 1


@inlined
def _propose(state: Any, lane: Any, terms: Any, value: Any) -> None:
    proposer = state[ASKED, lane]
    state[PROPOSED, lane] = value
    state[PROPOSER, lane] = proposer
    state[ASKED, lane] = _next_seat(proposer, terms)


@inlined
def _concede(state: Any, lane: Any, terms: Any) -> None:
    """GN-4.3: the proposers score one less than they proposed."""
    figure, winners = state[FIGURE, lane], state[PROPOSER, lane] & 1
    state[POINTS + FIGURES * winners + figure, lane] += state[PROPOSED, lane] - 1
    state[OPEN, lane] &= ~(1 << figure)
    _end_exchange(state, lane)
    if figure == SPIEL:
        state[SPIEL_WINNER, lane] = winners
        state[CLOSED, lane] = 1
    if terms.at_once == 1 and total(state, lane, winners) >= terms.target:
        state[CLOSED, lane] = 1


@inlined
def _end_exchange(state: Any, lane: Any) -> None:
    """GN-4.7 (c): the turn is with the team that did not open the exchange."""
    state[FIGURE, lane] = NO_FIGURE
    _turn_to(state, lane, 1 - state[TURN, lane])


@kernel
def next_legal(state: Any, lane: Any, terms: Any, held: Any) -> Any:
    """`legal` for callers in Python."""
    return legal(state, lane, terms, held)


@kernel
def next_said(state: Any, lane: Any, terms: Any, action: Any) -> None:
    """`say` for callers in Python."""
    say(state, lane, terms, action)


@kernel
def next_window(state: Any, lane: Any, window: Any, first: Any) -> None:
    """`open_window` for callers in Python."""
    open_window(state, lane, window, first)
