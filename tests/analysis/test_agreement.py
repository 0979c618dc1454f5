"""Simulated against exact, row by row, for every figure of every game under every single option.

Seed and deals are fixed. A row beyond five sigma is a false alarm once in 1.7 million rows; the
some twenty thousand rows here make it one run in a hundred, for a seed nobody chose.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from statistic import FIVE_SIGMA, chi_square_score

from analysis.estimates import midp_z
from analysis.settings import rule_values, rules_from
from analysis.studies import exact_counts
from sims.games import GAMES, game
from sims.runs import Study, run

pytestmark = pytest.mark.compiled

DEALS, SEED = 1 << 20, 20_261_129


def options(name: str) -> Iterator[list[tuple[str, str]]]:
    """The default rules, each option alone, and all last values together."""
    yield []
    known = game(name)
    every = rule_values(known).items()
    values = {key: texts for key, texts in every if key not in known.PLAY_OPTIONS}
    for key, texts in values.items():
        for text in list(texts)[1:]:
            yield [(key, text)]
    yield [(key, list(texts)[-1]) for key, texts in values.items()]


QUESTIONS = [
    pytest.param(name, figure, chosen, id=f"{name}-{figure}-{chosen}")
    for name in GAMES
    for figure in game(name).figures(game(name).Rules())
    for chosen in options(name)
]


@pytest.mark.parametrize(("name", "figure", "chosen"), QUESTIONS)
def test_every_row_is_within_five_sigma(
    name: str, figure: str, chosen: list[tuple[str, str]]
) -> None:
    study = Study(name, figure, rules_from(game(name), chosen), SEED)
    exact = exact_counts(study)
    assert exact is not None
    tally = run(study, DEALS).tally
    assert set(tally) == set(exact.ways)
    for part, counts in tally.items():
        assert counts.sum() == DEALS
        assert sum(int(way) for way in np.ravel(exact.ways[part])) == exact.total
        scores = midp_z(counts, exact.ways[part], exact.total, DEALS)
        assert np.nanmax(np.abs(scores), initial=0) < FIVE_SIGMA
        assert abs(whole_score(counts, exact.ways[part], exact.total)) < FIVE_SIGMA


def whole_score(counts: Any, ways: Any, total: int) -> float:
    """Chi-square over all classes expected ten times and more, the rest as one class."""
    expected = np.array([int(way) / total * DEALS for way in np.ravel(ways)])
    common = expected >= 10
    found = np.append(np.ravel(counts)[common], np.ravel(counts)[~common].sum())
    awaited = np.append(expected[common], expected[~common].sum())
    some = awaited >= 10
    if some.sum() < 3:
        return 0.0
    return chi_square_score(found[some], awaited[some])


def test_exact_counts_of_another_option_are_caught() -> None:
    """The control: deals under one rule against the counts of another."""
    known = game("gilten")
    study = Study("gilten", "team-hanger", known.Rules(), SEED)
    other = Study("gilten", "team-hanger", rules_from(known, [("tie", "forehand")]), SEED)
    counts, exact = run(study, DEALS).tally["outcome"], exact_counts(other)
    assert exact is not None
    with pytest.raises(ArithmeticError, match="ways in"):
        midp_z(counts, exact.ways["outcome"], exact.total, DEALS)
    scores = midp_z(counts[:2], exact.ways["outcome"][:2], exact.total, DEALS)
    assert np.abs(scores).min() > FIVE_SIGMA


def test_one_deal_in_a_hundred_counted_wrong_is_caught() -> None:
    """The control: a hundredth of the hands of one class slips into the next."""
    study = Study("gilten", "gleich", game("gilten").Rules(), SEED)
    counts, exact = run(study, DEALS).tally["hand"].copy(), exact_counts(study)
    assert exact is not None
    slipped = counts[0] // 100
    counts[0] -= slipped
    counts[1] += slipped
    scores = midp_z(counts, exact.ways["hand"], exact.total, DEALS)
    assert np.abs(scores[:2]).min() > FIVE_SIGMA
