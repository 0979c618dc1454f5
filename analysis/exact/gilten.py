"""Exact counts for Gilten: Gleich and Hanger of one hand and of both teams (GN-3).

A hand's Gleich is the best of its eight ranks, its Hanger the best of its four suits, so all rests
on `analysis.exact.counting`, with the ranks or the suits as groups. It is asked three questions:

- One hand: in how many hands is the class at most t? (One variable, one threshold.)
- Both teams: in how many deals is the best class of our team at most x and that of theirs at most
  y? The four hands are four variables, though partners share a threshold, for each hand must end
  with five cards.
- Who scores under a tie option (GN-3.5)? Each option ranks the hands that hold a figure in one
  strict order: by class, then (`trump_then_forehand`) trumps before the rest, then the lower seat.
  Number the places of that order upwards, give each hand its place, and ask in how many deals the
  highest place is at most p. The option speaks only of figures tied between the teams; but
  if one team alone has the best class, the first hand in the order is of that team anyway.

The joint distribution of one hand's Gleich and Hanger is taken from a list of all hands instead.
Who scores by what is held (the class tables) is counted in `analysis.exact.gilten_odds`.

"Ours" is the team of forehand, seat 0. Classes are numbered as in `sims.gilten.figures`.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

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
    subsets,
)
from analysis.exact.gilten_classes import (
    GILTEN,
    Dimensions,
    Figure,
    Groups,
    Tie,
    classify,
    judged_groups,
)
from analysis.exact.gilten_odds import ODDS_TABLES, class_table
from sims.gilten.rules import Rules

#: The figures that `counts` can count, under any rules.
COUNTED = ("gleich", "hanger", "gleich-hanger", "team-gleich", "team-hanger", *ODDS_TABLES)


def counts(figure: str, rules: Rules) -> Counts:
    """Count all hands, or all deals, by the class of a figure.

    Parameters
    ----------
    figure : str
        One of `COUNTED`.
    rules : Rules
        `players` and `tie` are used by the figures of teams; one hand depends on neither.

    Returns
    -------
    Counts
        Parts, each summing to the number of hands or deals:

        - 'gleich', 'hanger': `hand`, shape (25,) or (23,), over the 201 376 hands.
        - 'gleich-hanger': `hand`, shape (25, 23), likewise.
        - 'team-gleich', 'team-hanger': `outcome`, shape (4,), in the order of
          `sims.gilten.figures.OUTCOME`; and `classes`, shape (25, 25) or (23, 23), the best class
          of our team by that of theirs. Over all deals of all hands; under `trump_then_forehand`
          over all deals and turn-ups, which passes 2^63 with four players.
        - 'odds-gleich', 'odds-hanger': a part for each of `sims.gilten.figures.holders`, shape
          (25, 4) or (23, 4): the best class held by the outcome, seen from the holder's team; over
          all deals, or deals and turn-ups, likewise.

    Raises
    ------
    ValueError
        If there is no such figure.

    Examples
    --------
    >>> from sims.gilten.rules import Rules
    >>> counts("hanger", Rules()).ways["hand"][[0, 22]]  # no Hanger; five in a row up to the ace
    array([106224,      4])
    """
    match figure:
        case "gleich" | "hanger":
            return hand_counts(figure, GILTEN)
        case "gleich-hanger":
            return joint_hand_counts(GILTEN)
        case "team-gleich":
            return team_counts("gleich", rules.players, rules.tie, GILTEN)
        case "team-hanger":
            return team_counts("hanger", rules.players, rules.tie, GILTEN)
        case "odds-gleich":
            return class_table("gleich", rules.players, rules.tie, GILTEN)
        case "odds-hanger":
            return class_table("hanger", rules.players, rules.tie, GILTEN)
    raise ValueError(f"no exact counts of {figure!r} in Gilten; there are {', '.join(COUNTED)}")


def basis_counts(rules: Rules) -> NDArray[np.int64]:
    """All hands by the classes of Gleich and Hanger, the basis of a hand: int64, (25, 23)."""
    return joint_hand_counts(GILTEN).ways["hand"]


def hand_counts(figure: Figure, dimensions: Dimensions) -> Counts:
    """The classes of one hand (GN-3.1, GN-3.2): part `hand`, shape (classes,)."""
    groups = judged_groups(figure, dimensions)
    sizes = (dimensions.hand,)
    shares = share_out(groups.cards, sizes)
    within = [
        shares.tally(table[shares.holdings[0]], groups.classes).at_most(groups.classes)
        for table in groups.tables
    ]
    ways = differences(count_deals(within * groups.alike))
    total = deals(dimensions.cards, sizes)
    return Counts({"hand": exact_integers(ways, total)}, total)


def joint_hand_counts(dimensions: Dimensions) -> Counts:
    """Gleich by Hanger of one hand (GN-3.4), from a list of all hands: part `hand`."""
    hands = subsets(dimensions.cards, dimensions.hand)
    shape = tuple(judged_groups(figure, dimensions).classes for figure in ("gleich", "hanger"))
    gleich, hanger = classify("gleich", hands, dimensions), classify("hanger", hands, dimensions)
    ways = np.bincount(gleich * shape[1] + hanger, minlength=shape[0] * shape[1])
    return Counts({"hand": ways.reshape(shape)}, hands.size)


def team_counts(figure: Figure, players: int, tie: Tie, dimensions: Dimensions) -> Counts:
    """Both teams' best classes and who scores (GN-3.5): parts `outcome` and `classes`.

    Four players make the teams {0, 2} and {1, 3}, two players {0} and {1}. Under
    `trump_then_forehand` every deal counts once for each card that can be turned up.
    """
    sizes = (dimensions.hand,) * players
    total = deals(dimensions.cards, sizes)
    groups = judged_groups(figure, dimensions)
    shares = share_out(groups.cards, sizes)
    classes = _team_classes(groups, shares)
    if tie == "stands":
        outcome = _outcome_stands(classes)
    elif tie == "forehand":
        outcome = _outcome_forehand(groups, shares)
    else:
        turnups = dimensions.cards - players * dimensions.hand
        total, classes = total * turnups, classes * turnups
        if figure == "hanger":
            outcome = _outcome_trump_hanger(groups, shares)
        else:
            outcome = _outcome_trump_gleich(classes)
    parts = {"outcome": outcome, "classes": classes}
    return Counts({part: exact_integers(ways, total) for part, ways in parts.items()}, total)


# Both teams (GN-3.5) -----------------------------------------------------------------------------


def _team_classes(groups: Groups, shares: Shares) -> Exact:
    """Deals by the best class of our team and of theirs, shape (classes, classes).

    The teams have equally many hands, so only thresholds x >= y are counted, and mirrored.
    """
    shape = (groups.classes, groups.classes)
    ours_above = np.tril_indices(groups.classes)
    within = []
    for table in groups.tables:
        teams = shares.holdings[0::2], shares.holdings[1::2]
        ours, theirs = (highest(team, [table] * len(team)) for team in teams)
        tally = shares.tally(ours * groups.classes + theirs, shape[0] * shape[1])
        within.append(tally.at_most(*shape).take(np.ravel_multi_index(ours_above, shape)))
    up_to = np.zeros(shape, np.object_)
    up_to[ours_above] = up_to.T[ours_above] = count_deals(within * groups.alike)
    return differences(up_to)


def _outcome_stands(classes: Exact) -> Exact:
    """The outcome without a tie option: the diagonal stands, except where nobody has anything."""
    ours, theirs = np.tril(classes, -1).sum(), np.triu(classes, 1).sum()
    none = classes[0, 0]
    return _outcome(ours=ours, theirs=theirs, stands=np.trace(classes) - none, none=none)


def _outcome_forehand(groups: Groups, shares: Shares) -> Exact:
    """The outcome if the first of the hands with the best class takes the figure."""
    within = [_up_to_place(table, groups.classes, shares) for table in groups.tables]
    return _outcome_by_place(differences(count_deals(within * groups.alike)), shares)


def _outcome_trump_hanger(groups: Groups, shares: Shares) -> Exact:
    """The outcome if a best Hanger in trumps goes before those in other suits, counted by turn-ups.

    A hand that holds its best Hanger in two suits, one of them trumps, has it in trumps. Whichever
    suit is trumps, the counts are the same. Inside the trump suit, each card that no hand holds can
    be the turn-up.
    """
    (table,) = groups.tables
    strengths = 2 * groups.classes
    trumps = _up_to_place(np.where(table > 0, 2 * table + 1, 0), strengths, shares)
    plain = _up_to_place(2 * table, strengths, shares)
    within = [trumps.with_turnup(groups.cards)] + [plain] * (groups.alike - 1)
    ways = differences(count_deals(within)) * groups.alike
    return _outcome_by_place(ways, shares)


def _outcome_trump_gleich(classes: Exact) -> Exact:
    """The outcome if a best Gleich with the trump of its rank goes first.

    Two hands can only tie with two cards each of one rank. Between them they hold all four, the
    trump among them; so only one rank and two hands are tied, and the turn-up is of another rank.
    Dealing the same four cards to the same two hands in another of the six ways changes nothing
    else, and in three of the six each hand has the trump: half of the tied deals go to each team.
    """
    ours, theirs, tied, none = _outcome_stands(classes)
    return _outcome(ours=ours + tied // 2, theirs=theirs + tied // 2, stands=0, none=none)


def _up_to_place(strength: Integers, strengths: int, shares: Shares) -> Polynomials:
    """The ways to share a group out in which no hand is above a place, for every place.

    Hands are placed by `strength` (an int64 array over holdings, 0 for no figure, below
    `strengths`), then the lower seat first: place = strength * hands + hands - 1 - seat.
    """
    hands = len(shares.sizes)
    places = [strength * hands + hands - 1 - seat for seat in range(hands)]
    lanes = strengths * hands
    return shares.tally(highest(shares.holdings, places), lanes).at_most(lanes)


def _outcome_by_place(ways: Exact, shares: Shares) -> Exact:
    """The outcome from the number of deals at each highest place, see `_up_to_place`."""
    by_strength = ways.reshape(-1, len(shares.sizes))
    by_seat = by_strength[1:].sum(axis=0)[::-1]
    ours, theirs = by_seat[0::2].sum(), by_seat[1::2].sum()
    return _outcome(ours=ours, theirs=theirs, stands=0, none=by_strength[0].sum())


def _outcome(*, ours: int, theirs: int, stands: int, none: int) -> Exact:
    """Python integers in an object array, in the order of `sims.gilten.figures.OUTCOME`."""
    return np.array([ours, theirs, stands, none], np.object_)
