"""Joint tables and conditions: exact against enumeration, simulated against exact."""

from math import comb

import numpy as np
import pytest
from statistic import FIVE_SIGMA

from analysis import table
from analysis.errors import InputError
from analysis.estimates import midp_z

HANDS = comb(32, 5)


def test_gn_3_neither_figure_is_counted() -> None:
    found = table("gilten", "gleich", deals=0, where="not gleich and not hanger")
    condition = found.part("condition")
    assert condition["ways"].tolist() == [28_560, HANDS - 28_560]
    hand = found.part("hand")
    assert hand["ways"].iloc[0] == hand["total"].iloc[0] == 28_560
    assert hand["ways"].iloc[1:].sum() == 0


def test_by_is_the_joint_distribution() -> None:
    crossed = table("gilten", "gleich", by="hanger", deals=0).part("joint")
    joint = table("gilten", "gleich-hanger", deals=0).part("hand")
    assert crossed["ways"].tolist() == joint["ways"].tolist()
    turned = table("gilten", "hanger", by="gleich", deals=0).part("joint")["ways"].to_numpy()
    assert turned.reshape(23, 25).T.ravel().tolist() == joint["ways"].tolist()


@pytest.mark.compiled
@pytest.mark.parametrize("where", ["hanger>=3", "gleich==pair-A or hanger", "gleich>=triplet"])
def test_deals_under_a_condition_agree_with_the_exact_counts(where: str) -> None:
    """Three conditions, 27 rows each at five sigma: a false alarm once in 20 000 runs."""
    found = table("gilten", "gleich", where=where, deals=400_000, seed=3)
    assert found.frame["z"].abs().max() < FIVE_SIGMA
    condition, hand = found.part("condition"), found.part("hand")
    assert condition["count"].sum() == 400_000
    assert set(condition["deals"]) == {400_000}
    assert hand["count"].sum() == condition["count"].iloc[0]
    assert set(hand["deals"]) == {condition["count"].iloc[0]}
    assert int(hand["ways"].sum()) == int(hand["total"].iloc[0]) == int(condition["ways"].iloc[0])


@pytest.mark.compiled
@pytest.mark.parametrize(
    ("figure", "where"),
    [
        ("four", "two>=20"),
        ("two", "points>=30 and not points==41"),
        ("four", "two=11 or points<20"),
        ("two", "points==41"),
    ],
)
def test_gy_1_2_deals_of_giley_under_a_condition_agree_with_the_exact_counts(
    figure: str, where: str
) -> None:
    """Four conditions, up to 17 rows each at five sigma: a false alarm once in 30 000 runs."""
    found = table("giley", figure, where=where, deals=400_000, seed=5)
    assert found.frame["z"].abs().max() < FIVE_SIGMA
    condition, hand = found.part("condition"), found.part("hand")
    assert condition["count"].sum() == 400_000
    assert hand["count"].sum() == condition["count"].iloc[0]
    assert int(hand["ways"].sum()) == int(hand["total"].iloc[0]) == int(condition["ways"].iloc[0])


def test_gy_1_2_a_41_falls_into_two_cards_and_two_more_in_six_ways() -> None:
    """An ace and three tens of its suit: comb(5, 3) in each of four, halved in six ways."""
    condition = table("giley", "two", deals=0, where="points==41").part("condition")
    hands = 4 * comb(5, 3)
    assert condition["ways"].tolist() == [6 * hands, comb(28, 2) * comb(26, 2) - 6 * hands]


@pytest.mark.compiled
def test_gy_1_2_deals_under_another_condition_are_caught() -> None:
    """The control: deals with 20 or more in two cards against the counts of 21."""
    dealt = table("giley", "four", where="two>=20", deals=400_000, seed=5).part("hand")
    other = table("giley", "four", where="two>=21", deals=0).part("hand")
    deals = int(dealt["deals"].iloc[0])
    possible = other["ways"].to_numpy() > 0
    scores = midp_z(
        dealt["count"].to_numpy()[possible],
        other["ways"].to_numpy()[possible],
        int(other["total"].iloc[0]),
        deals,
    )
    assert np.abs(scores).max() > FIVE_SIGMA


@pytest.mark.compiled
def test_a_condition_on_one_hand_narrows_a_table_of_teams() -> None:
    found = table("gilten", "team-gleich", where="gleich>=triplet", deals=200_000)
    outcome = found.part("outcome").set_index("outcome")["count"]
    assert outcome["none"] == 0
    classes = found.part("classes")
    ours = classes.groupby("ours_size", observed=False)["count"].sum()
    assert ours["none"] == ours["pair"] == 0
    assert ours.sum() == outcome.sum()
    assert "exact" not in found.frame


def test_conditions_of_all_hands_and_their_opposites_add_up() -> None:
    def ways(where: str) -> "np.ndarray[tuple[int], np.dtype[np.int64]]":
        part = table("gilten", "hanger", deals=0, where=where).part("hand")
        return part["ways"].to_numpy()

    whole = table("gilten", "hanger", deals=0).part("hand")["ways"].to_numpy()
    assert (ways("gleich>pair-K") + ways("not gleich>pair-K") == whole).all()


@pytest.mark.parametrize(
    ("where", "said"),
    [
        ("gleich and not gleich", "holds for no hand"),
        ("gleich>>pair", "'>' at place 8"),
        ("ruff>=40", "'ruff' at place 1: allowed are gleich, hanger"),
    ],
)
def test_conditions_that_cannot_be_are_refused(where: str, said: str) -> None:
    with pytest.raises(InputError, match=said):
        table("gilten", "gleich", deals=0, where=where)


def test_a_figure_by_itself_or_by_none_is_refused() -> None:
    with pytest.raises(InputError, match="gleich by itself: name another"):
        table("gilten", "gleich", deals=0, by="gleich")
    with pytest.raises(InputError, match="no figure of gilten 'honger': did you mean 'hanger'"):
        table("gilten", "gleich", deals=0, by="honger")


@pytest.mark.compiled
def test_too_few_deals_for_a_condition_are_said_to_be() -> None:
    with pytest.raises(InputError, match="not one deal fulfils the condition"):
        table("gilten", "team-gleich", deals=10, where="hanger>=5")


@pytest.mark.compiled
def test_exact_chances_stand_where_no_deal_fulfils_a_condition() -> None:
    found = table("gilten", "gleich", deals=10, where="hanger>=5").part("hand")
    assert found["ways"].sum() == 16  # GN worked values: five in a row, so no Gleich
    assert found["exact"][0] == 1
    assert found["deals"].eq(0).all()
    assert found["low"].eq(0).all()
    assert found["high"].eq(1).all()
    assert "estimate" not in found  # it applies to no row


def test_the_citation_makes_the_same_table() -> None:
    found = table("gilten", "gleich", deals=0, by="hanger", where="gleich>pair")
    assert found.command == (
        "mournival table gilten gleich --by hanger --where 'gleich>pair' --exact-only"
    )
