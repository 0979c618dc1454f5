"""Who scores a figure of Gilten, by what is known or held (GN-3.5): odds and class tables.

Everything follows from one question. Give each holding a *strength*: its class, or, where trumps go
first, twice its class and one more if it is in trumps. For some seats B, in how many deals is
somebody's best strength above 0, and none of the seats in B has the best? Call that number W(B).

- Ties that stand: our team scores in W(theirs) deals, theirs in W(ours), somebody has a figure in
  W(nobody).
- Ties that are broken by seat: the first to hold the best is forehand in W(nobody) - W(0) deals,
  the second in W(0) - W(0, 1), and so on; his team scores. The option speaks only of figures tied
  between the teams; but if one team alone has the best, the first to hold it is of that team
  anyway.

`analysis.exact.counting` gives W, with the ranks (Gleich) or the suits (Hanger) as groups. It
counts the deals D(B, z) in which the seats in B stay below strength z and the others do not pass
it. A deal whose best strength is m > 0 is in D(B, z) for every z > m, and for z = m just if no seat
in B has the best. So W(B) is the sum of D(B, z) over all z > 0, less that of D(everybody, z), which
is D(nobody, z - 1).

A class table asks the same of the deals in which a hand, or the better of two, is at most of class
a, for every a. The trumps may be unknown; then every deal counts once for each card that may be
turned up.

Classes and outcomes are numbered as in `sims.gilten.figures`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from analysis.exact.counting import (
    Counts,
    Exact,
    Integers,
    Polynomials,
    Shares,
    count_deals,
    deals,
    differences,
    exact_integers,
    highest,
    share_out,
)
from analysis.exact.gilten_classes import GILTEN, Dimensions, Figure, Tie, judged_groups
from analysis.exact.positions import Position
from sims.cards import GILTEN as PACK
from sims.gilten.figures import NONE, OURS, STANDS, THEIRS, holders

#: The class tables.
ODDS_TABLES = ("odds-gleich", "odds-hanger")

Seats = tuple[int, ...]


def class_table(figure: Figure, players: int, tie: Tie, dimensions: Dimensions) -> Counts:
    """Who scores a figure, by the best class that a hand or a team holds (GN-3.5).

    Parameters
    ----------
    figure : str
    players : 4 or 2
    tie : str
    dimensions : Dimensions

    Returns
    -------
    Counts
        A part for each of `sims.gilten.figures.holders`, shape (classes, 4): the class that is
        held, by the outcome seen from the holder's team. Each sums to the number of deals; under
        `trump_then_forehand` to that of deals and turn-ups.
    """
    total = deals(dimensions.cards, (dimensions.hand,) * players)
    if tie == "trump_then_forehand":
        total *= dimensions.cards - players * dimensions.hand
    ways = _class_outcomes(figure, players, tie, dimensions)
    return Counts({part: exact_integers(each, total) for part, each in ways.items()}, total)


def outcome_counts(
    figure: Figure, position: Position, tie: Tie, trumps: int | None = None, viewer: int = 0
) -> Counts:
    """Who scores a figure in the deals that fit what is known: part `outcome`, shape (4,).

    Parameters
    ----------
    figure : str
    position : Position
        Of all hands, in the order of the seats; a turn-up that is known is among the cards gone.
    tie : str
    trumps : int, optional
        The trump suit, if known. It matters under `trump_then_forehand` only; there, if it is not
        known, every deal counts once for each card that may be turned up.
    viewer : int
        The outcome is seen from the team of this seat.
    """
    total = position.total
    if tie == "trump_then_forehand" and trumps is None:
        total *= position.unseen.bit_count() - sum(position.wanted)
    contests = _contests(figure, position, tie, trumps)
    ways = [_outcome(contest, tie, (), viewer)[0] for contest in contests]
    return Counts({"outcome": exact_integers(np.sum(ways, axis=0), total)}, total)


def best_counts(figure: Figure, position: Position) -> Counts:
    """The best class among the hands of a position: part `best`, shape (classes,).

    Examples
    --------
    A hand of three Unters and two other cards, its partner's not known:

    >>> from sims.cards import GILTEN
    >>> held = (GILTEN.read("UE UL UH 7S 8S"), 0)
    >>> team = best_counts("gleich", Position(GILTEN, held, (0, 5)))
    >>> int(team.ways["best"][13]), team.total  # class 13: a triplet of Unters
    (77579, 80730)
    """
    (contest,) = _contests(figure, position, "stands")
    ways = differences(contest.up_to((), ())[0])
    return Counts({"best": exact_integers(ways, position.total)}, position.total)


# Contests ----------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Group:
    """One rank or suit: how it may lie, and what its holdings are worth.

    Attributes
    ----------
    shares : Shares
        Hands in the order of the seats, perhaps followed by others that have no part in it.
    classes, strengths : int64 arrays, shape (2^cards,)
        The class and the strength of every holding.
    turnups : int, optional
        Where each card of the group that no hand holds may be the turn-up: the cards not known to
        lie anywhere.
    """

    shares: Shares
    classes: Integers
    strengths: Integers
    turnups: int | None = None


class Contest:
    """In how many deals do some seats stay below a strength, and the others not pass it?

    Parameters
    ----------
    groups : sequence of Group
        All of the pack. A group may stand there more than once.
    players : int
    classes : int
        The number of classes, of which 0 is nothing.
    per_class : int
        A class has so many strengths: 2 where trumps go first, else 1.
    alike : bool
        Whether nothing is known of any hand, so that they can stand for one another.
    """

    def __init__(
        self,
        groups: Sequence[Group],
        players: int,
        classes: int,
        per_class: int,
        alike: bool = False,
    ) -> None:
        self.players, self._groups, self._classes, self._alike = players, groups, classes, alike
        self._class_of = np.arange(classes * per_class) // per_class
        self._known: dict[tuple[Seats, Seats], Exact] = {}

    def best_elsewhere(self, seats: Seats, given: Seats) -> Exact:
        """W: the deals in which somebody has a figure, and none of these seats has the best.

        Returns
        -------
        object array
            By the highest class that the `given` seats may have, shape (classes,); without such
            seats of shape (1,).
        """
        if len(seats) == self.players:
            return 0 * self.all_deals(given)
        at_best_or_above: Exact = self.up_to(seats, given)[:, 1:].sum(axis=1)
        above_best: Exact = self.up_to((), given)[:, :-1].sum(axis=1)
        return at_best_or_above - above_best

    def all_deals(self, given: Seats) -> Exact:
        """All deals, by the highest class that the given seats may have."""
        return self.up_to((), given)[:, -1]

    def up_to(self, below: Seats, given: Seats) -> Exact:
        """D: the deals in which seats stay below a strength, and the others do not pass it.

        Returns
        -------
        object array
            By the highest class that the `given` seats may have, and by strength; shape
            (classes, strengths), or (1, strengths) without such seats.
        """
        if self._alike:
            below, given = _relabelled(below, given)
        if (below, given) not in self._known:
            self._known[below, given] = self._counted(below, given)
        return self._known[below, given]

    def _counted(self, below: Seats, given: Seats) -> Exact:
        classes, strengths = self._classes if given else 1, self._class_of.size
        # Nobody has a higher class than that of the strength which nobody passes.
        highest_given = np.minimum(np.arange(classes)[:, None], self._class_of)
        lanes = highest_given * (strengths + 1) + np.arange(strengths)
        different, place = np.unique(lanes, return_inverse=True)
        within = {
            id(group): self._within(group, below, given, classes).take(different)
            for group in self._groups
        }
        counted: Exact = count_deals([within[id(group)] for group in self._groups])[place]
        return counted

    def _within(self, group: Group, below: Seats, given: Seats, classes: int) -> Polynomials:
        """The ways of a group within each class and strength: lanes (classes, strengths + 1).

        To stay below a strength is to stay within it with one more.
        """
        hands = group.shares.holdings[: self.players]
        strengths = [(group.strengths + (s in below)).astype(np.uint8) for s in range(self.players)]
        lanes = classes, self._class_of.size + 1
        codes = highest(hands, strengths).astype(np.int64)
        if given:
            held = highest(hands[list(given)], [group.classes.astype(np.uint8)] * len(given))
            codes += lanes[1] * held.astype(np.int64)
        within = group.shares.tally(codes, lanes[0] * lanes[1]).at_most(*lanes)
        return within if group.turnups is None else within.with_turnup(group.turnups)


def _relabelled(below: Seats, given: Seats) -> tuple[Seats, Seats]:
    """The same question of other seats, the given ones first and of all others the lower ones."""
    both = len(set(below) & set(given))
    others = range(len(given), len(given) + len(below) - both)
    return (*range(both), *others), tuple(range(len(given)))


def _outcome(contest: Contest, tie: Tie, given: Seats, viewer: int) -> Exact:
    """GN-3.5: who scores, seen from the team of the seat `viewer`.

    By the best class of the given seats, shape (classes, 4); without such seats (1, 4).
    """
    players, team = contest.players, viewer % 2
    teams = tuple(range(0, players, 2)), tuple(range(1, players, 2))
    contested = contest.best_elsewhere((), given)
    if tie == "stands":
        scored = [contest.best_elsewhere(others, given) for others in reversed(teams)]
    else:
        scored = [0 * contested, 0 * contested]
        for seat in range(players):
            before, and_this = tuple(range(seat)), tuple(range(seat + 1))
            scored[seat % 2] = scored[seat % 2] + (
                contest.best_elsewhere(before, given) - contest.best_elsewhere(and_this, given)
            )
    up_to = np.zeros((contested.size, 4), np.object_)
    up_to[:, OURS], up_to[:, THEIRS] = scored[team], scored[1 - team]
    up_to[:, STANDS] = contested - scored[0] - scored[1]
    up_to[:, NONE] = contest.all_deals(given) - contested
    return np.diff(up_to, axis=0, prepend=0)


# What is known -----------------------------------------------------------------------------------


def _contests(
    figure: Figure, position: Position, tie: Tie, trumps: int | None = None
) -> list[Contest]:
    """The contests that a position leaves open, one for each suit that trumps may have to be."""
    players, classes = len(position.held), judged_groups(figure, GILTEN).classes
    if tie != "trump_then_forehand":
        return [Contest(_groups(figure, position, None), players, classes, 1)]
    if trumps is not None:
        return [Contest(_groups(figure, position, trumps), players, classes, 2)]
    turned_up = _ranks_with_turnup if figure == "gleich" else _suits_with_turnup
    groups = [turned_up(position, suit) for suit in range(GILTEN.suits)]
    return [Contest(each, players, classes, 2) for each in groups]


def _groups(figure: Figure, position: Position, trumps: int | None) -> list[Group]:
    """All ranks or suits, as they may lie; with trumps, they go first."""
    if figure == "gleich":
        shares = [position.rank(rank) for rank in range(GILTEN.ranks)]
    else:
        shares = [position.suit(suit) for suit in range(GILTEN.suits)]
    judged = judged_groups(figure, GILTEN)
    groups = []
    for number, (share, table) in enumerate(zip(shares, judged.tables * judged.alike, strict=True)):
        strengths = table
        if trumps is not None:
            holdings = np.arange(table.size)
            favoured = holdings >> trumps & 1 if figure == "gleich" else number == trumps
            strengths = _trumps_first(table, favoured)
        groups.append(Group(share, table, strengths))
    return groups


def _trumps_first(classes: Integers, favoured: Integers | bool) -> Integers:
    """GN-3.5: the strengths of holdings, some of which are favoured among their equals."""
    return np.where(classes > 0, 2 * classes + favoured, 0)


def _suits_with_turnup(position: Position, trumps: int) -> list[Group]:
    """The groups of Hanger, each deal once for every card of a suit that may be turned up."""
    groups = _groups("hanger", position, trumps)
    unseen = position.unseen & PACK.suit_mask(trumps)
    groups[trumps] = replace(groups[trumps], turnups=unseen.bit_count())
    return groups


def _ranks_with_turnup(position: Position, trumps: int) -> list[Group]:
    """The groups of Gleich, with the turn-up for one more hand, of one card of a suit.

    Trumps favour holdings in ranks of which the turn-up is not, so it is dealt together with them.
    """
    dealt = replace(position, held=(*position.held, 0), wanted=(*position.wanted, 1))
    groups = []
    for group in _groups("gleich", dealt, trumps):
        shares = group.shares
        kept = shares.holdings[-1] & ~np.uint16(1 << trumps) == 0
        held, terms = shares.holdings.compress(kept, axis=1), shares.term_of.compress(kept)
        groups.append(replace(group, shares=replace(shares, holdings=held, term_of=terms)))
    return groups


# Class tables ------------------------------------------------------------------------------------


def _class_outcomes(
    figure: Figure, players: int, tie: Tie, dimensions: Dimensions
) -> dict[str, Exact]:
    """The outcomes by class of all parts, each of shape (classes, 4)."""
    turnups = dimensions.cards - players * dimensions.hand
    parts = holders(players, tie)
    if tie == "trump_then_forehand" and figure == "gleich":
        contest = _whole_deal(figure, players, dimensions)
        return {
            part: _halved(_outcome(contest, "stands", given, given[0])) * turnups
            for part, given in parts.items()
        }
    trumps = tie == "trump_then_forehand"
    contest = _whole_deal(figure, players, dimensions, trumps)
    # Any of the suits may be trumps, and all are alike.
    times = dimensions.suits if trumps else 1
    return {part: _outcome(contest, tie, given, given[0]) * times for part, given in parts.items()}


def _whole_deal(
    figure: Figure, players: int, dimensions: Dimensions, trumps: bool = False
) -> Contest:
    """All deals; or of Hanger with the first suit trumps, once for each that may be turned up."""
    judged = judged_groups(figure, dimensions)
    shares = share_out(judged.cards, (dimensions.hand,) * players)
    if trumps:
        (table,) = judged.tables
        first = Group(shares, table, _trumps_first(table, True), judged.cards)
        other = Group(shares, table, _trumps_first(table, False))
        groups = [first] + [other] * (judged.alike - 1)
    else:
        groups = [Group(shares, table, table) for table in judged.tables] * judged.alike
    return Contest(groups, players, judged.classes, 1 + trumps, alike=True)


def _halved(outcome: Exact) -> Exact:
    """What stands, shared out equally: the outcome if a Gleich with the trump of its rank is first.

    Two hands can only tie with two cards each of one rank. Between them they hold all four, the
    trump among them; so only one rank and two hands are tied, and the turn-up is of another rank.
    Dealing the same four cards to the same two hands in another of the six ways changes no hand's
    class, and in three of the six each hand has the trump: half of the tied deals go to each team.
    """
    halved = outcome.copy()
    halved[:, [OURS, THEIRS]] += outcome[:, [STANDS]] // 2
    halved[:, STANDS] = 0
    return halved
