"""Policies of Gilten as books: which rungs are bet, held and raised to in which cell."""

from __future__ import annotations

import msgspec
import numpy as np
import pytest

from sims.gilten.policies import (
    AHEAD,
    ALL_CELLS,
    BEHIND,
    BLUFF,
    CELLS,
    CHANCE_SHAPES,
    GLEICH_CLASSES,
    HOLDS,
    LEVEL,
    MARGIN,
    RAISES,
    RANDOM,
    STANDINGS,
    Betting,
    Chances,
    Random,
    Style,
    Thresholds,
    book,
)

BETTING = Betting(
    bet=0.5, hold=0.2, raise_=0.7, rise=0.1, hold_rise=0.05, aus=0.95, hold_aus=0.9, bluff=0.1
)
STYLE = Style(
    lead_trumps=3,
    lead="high",
    beat="low",
    trump_in="always",
    overtake=False,
    keep_trumps=True,
)
POLICY = Thresholds(
    margin=4, ahead=0.1, behind=-0.1, gleich=BETTING, hanger=BETTING, spiel=BETTING, style=STYLE
)


def all_alike(chance: float) -> Chances:
    return Chances(*(np.full(shape, chance) for shape in CHANCE_SHAPES))


def rungs(chance: float, place: int, standing: int = LEVEL) -> set[int]:
    """The rungs that the policy bets, holds or raises to where all chances are alike."""
    words = book((POLICY, POLICY), (all_alike(chance), all_alike(chance))).words
    assert (words[0] == words[1]).all()
    of_standing = words[0].reshape(STANDINGS, ALL_CELLS)[standing]
    assert (of_standing == of_standing[0]).all()
    return {rung for rung in range(1, 9) if int(of_standing[0]) >> (place + rung - 1) & 1}


def test_a_rung_is_bet_at_its_chance_and_above() -> None:
    assert rungs(0.49, 0) == set()
    assert rungs(0.5, 0) == {2}
    assert rungs(0.75, 0) == {2, 3, 4}
    assert rungs(0.95, 0) == {2, 3, 4, 5, 6, 8}
    assert rungs(1.0, 0) == {2, 3, 4, 5, 6, 7, 8}


def test_a_rung_is_held_at_its_chance_and_above() -> None:
    assert rungs(0.19, HOLDS) == set()
    assert rungs(0.31, HOLDS) == {2, 3, 4}
    assert rungs(0.9, HOLDS) == {2, 3, 4, 5, 6, 7, 8}


def test_a_raise_goes_to_three_and_higher() -> None:
    # The threshold of a raise to three is `raise` itself; below, two is nothing one raises to.
    assert rungs(0.69, RAISES) - {2} == set()
    assert rungs(0.85, RAISES) - {2} == {3, 4}
    assert rungs(0.95, RAISES) - {2} == {3, 4, 5, 8}


def test_a_team_ahead_or_behind_asks_for_more_or_less() -> None:
    assert rungs(0.55, 0, AHEAD) == set()
    assert rungs(0.55, 0, LEVEL) == {2}
    assert rungs(0.55, 0, BEHIND) == {2, 3}


def test_each_figure_has_its_own_thresholds_and_each_cell_its_own_chance() -> None:
    policy = msgspec.structs.replace(POLICY, hanger=msgspec.structs.replace(BETTING, bet=0.0))
    chances = all_alike(0.0)
    chances.gleich[2, 7] = 1.0
    words = book((policy, Random()), (chances, chances)).words
    bets_two = words[0].reshape(STANDINGS, ALL_CELLS)[LEVEL] >> 1 & 1
    gleich, hanger, spiel = np.split(bets_two, CELLS[1:])
    assert gleich.nonzero()[0].tolist() == [2 * GLEICH_CLASSES + 7]
    assert hanger.all()
    assert not spiel.any()
    assert not words[1].any()


def test_bluffs_are_shares_of_the_numbers_drawn() -> None:
    traits = book((POLICY, Random()), (all_alike(0.5), all_alike(0.5))).traits
    for share, drawn in zip((0.1, 0.2, 0.3), traits[0, BLUFF : BLUFF + 3], strict=True):
        assert abs(int(drawn) - share * 2**32) <= 1
    assert not traits[1, BLUFF : BLUFF + 3].any()
    assert traits[:, RANDOM].tolist() == [0, 1]
    assert traits[0, MARGIN] == 4


def test_chances_of_another_shape_or_beyond_one_are_refused() -> None:
    good = all_alike(0.5)
    with pytest.raises(ValueError, match=r"chances of hanger have the shape \(6, 22\)"):
        book((POLICY, POLICY), (good, good._replace(hanger=np.zeros((6, 22)))))
    with pytest.raises(ValueError, match="chances of spiel are not all from 0 to 1"):
        book((POLICY, POLICY), (all_alike(0.5)._replace(spiel=good.spiel + 0.6), good))
    with pytest.raises(ValueError, match="chances of gleich are not all from 0 to 1"):
        book((POLICY, POLICY), (all_alike(float("nan")), good))
