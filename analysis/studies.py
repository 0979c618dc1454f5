"""From a question to a table: run the deals, count exactly, join the two."""

from __future__ import annotations

import operator
from collections.abc import Mapping
from importlib import import_module
from typing import Any

import msgspec
import numpy as np

from analysis.errors import InputError
from analysis.exact.conditions import are_determined, projected
from analysis.exact.counting import Counts, exact_integers
from analysis.settings import check_as_dealt, game_named, one_of, rules_given
from analysis.tables import CONDITION, Asked, Table, build, figure_of, shown_parts
from sims.blocks import Progress
from sims.runs import DEFAULT_SEED, Run, Study, run

DEFAULT_DEALS = 1_000_000


def table(
    game: str,
    figure: str,
    *,
    deals: int = DEFAULT_DEALS,
    seed: int = DEFAULT_SEED,
    start: int = 0,
    by: str | None = None,
    where: str | None = None,
    rules: Any | Mapping[str, Any] | None = None,
    level: float = 0.95,
    interval: str = "wilson",
    simultaneous: bool = False,
    at_least: bool = False,
    jobs: int | None = None,
    progress: Progress | None = None,
) -> Table:
    """How often each class of a figure is dealt.

    Parameters
    ----------
    game, figure : str
        As `mournival figures` lists them.
    deals : int
        How many deals are simulated; 0 for exact counts alone.
    seed : int
        0 to 2**64 - 1.
    start : int
        Index of the first deal: n deals, and m more from `start=n`, are n + m deals.
    by : str, optional
        A second figure of the game, for the joint distribution of both.
    where : str, optional
        A condition on the first hand, as `gleich>=triplet and not hanger` (`sims.predicates`): the
        figure among the deals that fulfil it, and how often it is fulfilled.
    rules : Rules or mapping, optional
        The game's options, as `gilten.Rules(tie="forehand")` or `{"tie": "forehand"}`.
    level : float
        Probability with which an interval holds.
    interval : str
        `wilson` or `clopper-pearson`.
    simultaneous : bool
        Whether the intervals of all rows hold together; they are Clopper and Pearson's then.
    at_least : bool
        Accumulate from the best class down.
    jobs : int, optional
        Threads, by default one a core; the numbers do not depend on it.
    progress : callable, optional
        Called with the deals done and asked for.

    Returns
    -------
    Table

    Raises
    ------
    InputError
        An unknown game, figure or rule, or a number out of range: one line that says what is
        allowed. It is a ValueError.
    KeyboardInterrupt
        If interrupted; `run_table` gives the deals done so far instead.
    """
    seed = _whole(seed, "seed")
    # Where nothing is dealt the seed says nothing, and must not tell one study from another.
    study = study_of(game, figure, rules, seed if deals else DEFAULT_SEED, by, where)
    try:
        asked = Asked(
            _whole(deals, "deals"),
            _whole(start, "start"),
            level,
            simultaneous,
            at_least,
            interval,
        )
    except ValueError as error:
        raise InputError(str(error)) from None
    made, interrupted = run_table(study, asked, jobs, progress)
    if interrupted:
        raise KeyboardInterrupt
    return made


def _whole(number: Any, what: str) -> int:
    try:
        return operator.index(number)
    except TypeError:
        raise InputError(f"{what} {number!r}: allowed are whole numbers") from None


def study_of(
    game: str,
    figure: str,
    rules: Any | Mapping[str, Any] | None,
    seed: int = DEFAULT_SEED,
    by: str | None = None,
    where: str | None = None,
) -> Study:
    """The study of a figure; errors as `table`."""
    known = game_named(game)
    given = rules_given(known, rules)
    check_as_dealt(known, given)
    figures = known.figures(given)
    for name in (figure, by):
        if name is not None:
            one_of(name, figures, f"figure of {game}")
    if by == figure:
        raise InputError(f"{figure} by itself: name another figure of {game}")
    # One line, however it was written: it stands in titles and citations.
    where = " ".join(where.split()) if where is not None else None
    try:
        study = Study(game, figure, given, seed, by=by, where=where)
        study.holds()
    except ValueError as error:
        raise InputError(str(error)) from None
    return study


def run_table(
    study: Study, asked: Asked, jobs: int | None = None, progress: Progress | None = None
) -> tuple[Table, bool]:
    """The table of a study, and whether it was interrupted and shows only the deals done so far.

    Raises
    ------
    InputError
        As `table`.
    KeyboardInterrupt
        If interrupted before any deal to be shown was done.
    """
    shown_parts(figure_of(study), asked)  # before anything is dealt
    exact, condition = exact_counts(study), exact_condition(study)
    if condition is not None and not condition.ways[CONDITION.name][0]:
        raise InputError(f"condition {study.where!r} holds for no hand")
    done: Run | None = None
    if asked.deals:
        try:
            done = run(study, asked.deals, asked.start, jobs, progress=progress)
        except ValueError as error:
            raise InputError(str(error)) from None
        if done.interrupted:
            if done.deals == done.aside:
                raise KeyboardInterrupt
            asked = msgspec.structs.replace(asked, deals=done.deals)
    made = build(study, asked, done, exact, condition)
    return made, done is not None and done.interrupted


def exact_counts(study: Study) -> Counts | None:
    """Exact counts of a study's figure, under its condition; None where there are none."""
    counting = import_module(f"analysis.exact.{study.game}")
    if study.by is None and study.where is None:
        if study.figure not in counting.COUNTED:
            return None
        counts: Counts = counting.counts(study.figure, study.rules)
        return counts
    parts, hand = study.declared.parts, game_named(study.game).HAND
    if not are_determined(parts, hand):
        return None
    return projected(parts, hand, counting.basis_counts(study.rules), study.holds())


def exact_condition(study: Study) -> Counts | None:
    """How many hands fulfil a study's condition and how many do not; None without one."""
    holds = study.holds()
    if holds is None:
        return None
    ways = import_module(f"analysis.exact.{study.game}").basis_counts(study.rules)
    fulfilled, total = int(ways[holds].sum()), int(ways.sum())
    found = exact_integers(np.array([fulfilled, total - fulfilled], dtype=object), total)
    return Counts({CONDITION.name: found}, total)
