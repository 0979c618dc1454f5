"""Joint tables and conditions: exact against enumeration, simulated against exact."""

from math import comb

import numpy as np
import pytest
from statistic import FIVE_SIGMA

from analysis import table
from analysis.errors import InputError

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
        table("gilten", "gleich", deals=10, where="hanger>=5")


def test_the_citation_makes_the_same_table() -> None:
    found = table("gilten", "gleich", deals=0, by="hanger", where="gleich>pair")
    assert found.command == (
        "mournival table gilten gleich --by hanger --where 'gleich>pair' --exact-only"
    )
