"""Gilten played: what its tallies say."""

from __future__ import annotations

from functools import partial
from itertools import product

from analysis.chances import chances_for
from analysis.errors import InputError
from analysis.means import Estimate, mean
from analysis.play.contests import Contest
from analysis.play.sections import Measure, Section, share
from sims.blocks import Block
from sims.gilten.ladder import SPIEL_AUS
from sims.gilten.matches import TOTAL, Tallies, no_tallies, tally_units
from sims.gilten.policies import book
from sims.gilten.rules import Rules
from sims.gilten.table import BETS, CONCEDED, HELD, RAISED

CHIPS = "points"
WHOLE, WHOLES = "match", "matches"
SCORED = True
TWO_SIDES = True

_FIGURES = ("Gleich", "Hanger", "Spiel")
_COLUMNS = (*_FIGURES, "all")
_TEAMS = ("forehand's", "dealer's")
_ANSWERS = ((CONCEDED, "gut"), (HELD, "halten"), (RAISED, "raised"))


def check(rules: Rules, scores: tuple[int, int]) -> None:
    """Raises InputError where a score is not below the target."""
    most = rules.target - 1
    if not all(0 <= score <= most for score in scores):
        ours, theirs = scores
        raise InputError(f"score {ours}:{theirs}: allowed are 0 to {most} for each side (GN-5.3)")


def block(contest: Contest) -> Block[Tallies]:
    """Tallies a range of deals or matches."""
    ours, theirs = contest.policies
    chances = [chances_for("gilten", contest.rules, policy) for policy in contest.policies]
    return partial(
        tally_units,
        contest.rules,
        book((ours, theirs), (chances[0], chances[1])),
        contest.seed,
        contest.purpose,
        matches=contest.whole,
        seatings=_seatings(contest),
        scores=contest.scores,
    )


def nothing(contest: Contest) -> Tallies:
    """The tallies of no units."""
    return no_tallies()


def lead(contest: Contest, tallies: Tallies, level: float) -> Estimate:
    """Side 0's points less side 1's, a deal; of matches, those won less those lost, a match."""
    units = int(tallies.units[0])
    if contest.whole:
        sums = tallies.won_lead[0], tallies.won_lead_squares[0]
    else:
        sums = tallies.lead[TOTAL], tallies.lead_squares[TOTAL]
    return mean(int(sums[0]), int(sums[1]), units, level, _seatings(contest))


def sections(
    contest: Contest, names: tuple[str, str], tallies: Tallies, level: float
) -> list[Section]:
    """Points by figure and seat, the lead, matches won, the Spiel, and what was said."""
    parts = [_won(contest, names, tallies, level)] if contest.whole else []
    parts.append(_points(contest, names, tallies, level))
    if contest.against:
        parts.append(_lead(contest, names, tallies, level))
    if not contest.whole:
        parts.append(_spiel(contest, names, tallies, level))
    return [*parts, _said(contest, names, tallies, level)]


def _seatings(contest: Contest) -> int:
    return 2 if contest.against else 1


def _sides(contest: Contest, names: tuple[str, str]) -> tuple[str, tuple[str, str]]:
    """What tells the sides apart: their policies or, of a policy by itself, who began."""
    if contest.against:
        return "policy", names
    return ("first forehand", ("has it", "has it not")) if contest.whole else ("team", _TEAMS)


def _won(contest: Contest, names: tuple[str, str], tallies: Tallies, level: float) -> Section:
    """Every match is won by one side: the share is half of one more than the lead."""
    value, low, high = lead(contest, tallies, level)
    units = int(tallies.units[0]) * _seatings(contest)
    ours = Estimate((1 + value) / 2, (1 + low) / 2, (1 + high) / 2)
    theirs = Estimate((1 - value) / 2, (1 - high) / 2, (1 - low) / 2)
    key, sides = _sides(contest, names)
    measures = [
        Measure((side,), "matches won", "share", units, won)
        for side, won in zip(sides, (ours, theirs), strict=True)
    ]
    return Section("matches won", (key,), measures)


def _points(contest: Contest, names: tuple[str, str], tallies: Tallies, level: float) -> Section:
    if contest.whole:
        return _points_of_matches(contest, names, tallies, level)
    keys = ("policy", "team") if contest.against else ("team",)
    measures = []
    for side, team in _places(contest):
        # Side 0 is forehand's team in the first seating, side 1 in the second.
        deals = int(tallies.deals[side ^ team])
        where = (names[side], _TEAMS[team]) if contest.against else (_TEAMS[team],)
        for column, name in enumerate(_COLUMNS):
            sums = tallies.seat_points[side, team, column], tallies.seat_squares[side, team, column]
            found = mean(int(sums[0]), int(sums[1]), deals, level)
            measures.append(Measure(where, name, "amount", deals, found))
    return Section("points a deal", keys, measures)


def _points_of_matches(
    contest: Contest, names: tuple[str, str], tallies: Tallies, level: float
) -> Section:
    key, sides = _sides(contest, names)
    units, measures = int(tallies.units[0]), []
    for side, (column, name) in product(range(2), enumerate(_COLUMNS)):
        sums = int(tallies.points[side, column]), int(tallies.squares[side, column])
        found = mean(*sums, units, level, _seatings(contest))
        measures.append(Measure((sides[side],), name, "amount", units, found))
    return Section("points a match", (key,), measures)


def _places(contest: Contest) -> list[tuple[int, int]]:
    """Sides and teams as rows have them; a policy by itself has a side in each team."""
    return list(product(range(2), range(2))) if contest.against else [(0, 0), (1, 1)]


def _lead(contest: Contest, names: tuple[str, str], tallies: Tallies, level: float) -> Section:
    units, measures = int(tallies.units[0]), []
    for column, name in enumerate(_COLUMNS):
        sums = int(tallies.lead[column]), int(tallies.lead_squares[column])
        found = mean(*sums, units, level, _seatings(contest))
        measures.append(Measure(names[:1], name, "difference", units, found))
    unit = "match" if contest.whole else "deal"
    return Section(f"lead of {names[0]} over {names[1]}, points a {unit}", ("policy",), measures)


def _spiel(contest: Contest, names: tuple[str, str], tallies: Tallies, level: float) -> Section:
    keys = ("policy", "team") if contest.against else ("team",)
    measures = []
    for side, team in _places(contest):
        where = (names[side], _TEAMS[team]) if contest.against else (_TEAMS[team],)
        won, deals = int(tallies.spiel[side, team]), int(tallies.deals[side ^ team])
        measures.append(share(where, "made or conceded to it", won, deals, level))
    return Section("the Spiel", keys, measures)


def _said(contest: Contest, names: tuple[str, str], tallies: Tallies, level: float) -> Section:
    """In how many deals each value is proposed, and what is answered.

    In a deal a value of a figure is proposed at most once (GN-4.7). The deals of a match are not
    independent, so that nothing is said there of how far chance goes.
    """
    key, sides = _sides(contest, names)
    deals = int(tallies.deals.sum())
    copies = 0 if contest.whole else _seatings(contest)
    measures = []
    for side, figure, value in product(range(2), range(3), range(2, SPIEL_AUS + 1)):
        own, other = tallies.actions[side, figure], tallies.actions[1 - side, figure]
        proposed = int(own[BETS, value] + own[RAISED, value - 1])
        if proposed == 0:
            continue
        where = sides[side], _FIGURES[figure], "Spiel aus" if value == SPIEL_AUS else str(value)
        measures.append(share(where, "proposed", proposed, deals, level, copies))
        for answer, name in _ANSWERS:
            times = int(other[answer, value])
            measures.append(share(where, name, times, proposed, level, copies))
    return Section("what is proposed, and the answers", (key, "figure", "value"), measures)
