"""Tables: known counts beside the right labels, and columns that keep their promises."""

from __future__ import annotations

import shlex
from collections.abc import Callable
from fractions import Fraction
from math import comb
from typing import Any, NoReturn

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analysis import estimates, studies, table
from analysis.errors import InputError
from analysis.tables import Table
from sims import gilten
from sims.games import GAMES, game

Mournival = Callable[..., tuple[int, str, str]]

EXACT = ["ways", "total", "exact"]
SIMULATED = ["count", "deals", "estimate", "low", "high"]
HANDS = comb(32, 5)
DEALS = HANDS * comb(27, 5) * comb(22, 5) * comb(17, 5)
DEALS_OF_TWO = HANDS * comb(27, 5)
RANKS = ["7", "8", "9", "10", "U", "O", "K", "A"]

EVERY_FIGURE = [
    (name, figure) for name in GAMES for figure in game(name).figures(game(name).Rules())
]


def frame(figure: str, **asked: Any) -> pd.DataFrame:
    return table("gilten", figure, **asked).to_frame()


def ways_by(frame: pd.DataFrame, column: str) -> dict[str, int]:
    sums = frame.groupby(column, observed=False, sort=False)["ways"].sum()
    return {str(label): int(ways) for label, ways in sums.items()}


# Known counts ------------------------------------------------------------------------------------


def test_gn_3_1_gleich_of_all_hands() -> None:
    rows = frame("gleich", deals=0)
    ways = {"none": 57_344, "pair": 131_712, "triplet": 12_096, "quartet": 224}
    assert ways_by(rows, "size") == ways
    assert set(rows["total"]) == {HANDS} == {201_376}
    assert rows["exact"].tolist() == [way / 201_376 for way in rows["ways"]]
    assert rows["size"].tolist() == ["none"] + 8 * ["pair"] + 8 * ["triplet"] + 8 * ["quartet"]
    assert rows["rank"].tolist()[1:] == 3 * RANKS
    assert pd.isna(rows["rank"][0])


def test_gn_3_2_hanger_of_all_hands() -> None:
    rows = frame("hanger", deals=0)
    ways = {"none": 106_224, "2": 85_968, "3": 8_640, "4": 528, "5": 16}
    assert ways_by(rows, "length") == ways
    assert rows["top"].tolist()[1:] == [*RANKS[1:], *RANKS[2:], *RANKS[3:], *RANKS[4:]]


def test_gn_3_4_both_figures_of_a_hand_add_up_to_each() -> None:
    rows = frame("gleich-hanger", deals=0)
    assert len(rows) == 25 * 23
    assert ways_by(rows, "size") == ways_by(frame("gleich", deals=0), "size")
    assert ways_by(rows, "length") == ways_by(frame("hanger", deals=0), "length")
    neither = rows[(rows["size"] == "none") & (rows["length"] == "none")]
    assert neither["ways"].tolist() == [28_560]


@pytest.mark.parametrize("figure", ["team-gleich", "team-hanger"])
def test_gn_3_5_outcomes_of_all_deals(figure: str) -> None:
    stands, forehand, trump, of_two = (
        ways_by(table("gilten", figure, deals=0, rules=rules).part("outcome"), "outcome")
        for rules in (
            {},
            {"tie": "forehand"},
            {"tie": "trump_then_forehand"},
            {"players": 2, "tie": "forehand"},
        )
    )
    assert list(stands) == ["ours", "theirs", "stands", "none"]
    assert sum(stands.values()) == sum(forehand.values()) == DEALS
    assert sum(trump.values()) == 12 * DEALS > 1 << 64
    assert sum(of_two.values()) == DEALS_OF_TWO
    assert stands["ours"] == stands["theirs"]
    assert forehand["none"] == stands["none"]
    assert forehand["stands"] == trump["stands"] == of_two["stands"] == 0
    if figure == "team-gleich":
        assert 4 * (forehand["ours"] - stands["ours"]) == 3 * stands["stands"]
    else:
        assert stands["ours"] == 1_145_128_118_764_531_368


@pytest.mark.parametrize("figure", ["team-gleich", "team-hanger"])
def test_gn_3_5_the_diagonal_of_the_classes_stands(figure: str) -> None:
    made = table("gilten", figure, deals=0)
    outcome = ways_by(made.part("outcome"), "outcome")
    classes = made.part("classes")
    first, second = ("size", "rank") if figure == "team-gleich" else ("length", "top")
    same = [
        all(one == other or (pd.isna(one) and pd.isna(other)) for one, other in pairs)
        for pairs in zip(
            zip(classes[f"ours_{first}"], classes[f"theirs_{first}"], strict=True),
            zip(classes[f"ours_{second}"], classes[f"theirs_{second}"], strict=True),
            strict=True,
        )
    ]
    assert int(classes["ways"][same].sum()) == outcome["stands"] + outcome["none"]


# Columns and rows, of every game -----------------------------------------------------------------


@pytest.mark.parametrize(("name", "figure"), EVERY_FIGURE)
def test_columns_and_rows_of_every_figure(name: str, figure: str) -> None:
    made = table(name, figure, deals=500)
    rows = made.to_frame()
    counted = studies.exact_counts(made.study) is not None
    classes = list(dict.fromkeys(c for part in made.parts for a in part.axes for c in a.columns))
    expected = ["part", *classes, *(EXACT if counted else []), *SIMULATED]
    assert list(rows.columns) == [*expected, *(["z"] if counted else [])]
    assert len(rows) == sum(part.cells for part in made.parts)
    assert list(rows.index) == list(range(len(rows)))
    for column in ["part", *classes]:
        assert isinstance(rows[column].dtype, pd.CategoricalDtype)
    for part in made.parts:
        for axis in part.axes:
            assert all(rows[column].cat.ordered == axis.ordered for column in axis.columns)
    assert rows["count"].dtype == rows["deals"].dtype == np.int64
    sums = rows.groupby("part", observed=False)["count"].sum()
    assert (sums == 500).all()
    for part in made.parts:
        own = made.part(part.name)
        given = [own[c] for axis in part.axes[: part.given] for c in axis.columns]
        whole = (
            own.groupby(given, observed=True, dropna=False)["count"].transform("sum")
            if given
            else 500
        )
        assert (own["deals"] == whole).all()
    dealt = rows[rows["deals"] > 0]
    assert (dealt["estimate"] == dealt["count"] / dealt["deals"]).all()
    assert (dealt["low"] <= dealt["estimate"]).all()
    assert (dealt["estimate"] <= dealt["high"]).all()
    assert rows.loc[rows["deals"] == 0, "estimate"].isna().all()
    assert rows["low"].min() >= 0
    assert rows["high"].max() <= 1


@pytest.mark.parametrize(("name", "figure"), EVERY_FIGURE)
def test_rows_can_be_sorted_by_their_classes(name: str, figure: str) -> None:
    """The order of the rows is that of the ordered categories, the best class last."""
    made = table(name, figure, deals=100)
    for part in made.parts:
        if all(axis.ordered and len(axis.columns) == 1 for axis in part.axes):
            rows = made.part(part.name)
            by = [column for axis in part.axes for column in axis.columns]
            assert rows.sort_values(by, kind="stable").index.tolist() == list(range(len(rows)))


def test_categories_stand_in_the_order_of_the_classes() -> None:
    rows = frame("gleich-hanger", deals=0)
    assert list(rows["size"].cat.categories) == ["none", "pair", "triplet", "quartet"]
    assert list(rows["rank"].cat.categories) == RANKS
    assert list(rows["length"].cat.categories) == ["none", "2", "3", "4", "5"]
    assert list(rows["top"].cat.categories) == RANKS[1:]
    assert (rows["size"] >= "triplet").sum() == 16 * 23


def test_classes_never_dealt_are_kept() -> None:
    rows = frame("gleich-hanger", deals=1)
    assert len(rows) == 575
    assert (rows["count"] == 0).sum() == 574
    assert (rows["exact"] == 0).any()  # a quartet and five in a row


def test_a_column_that_applies_to_no_row_is_absent() -> None:
    assert list(frame("gleich", deals=0).columns) == ["part", "size", "rank", *EXACT]
    assert list(table("gilten", "team-gleich", deals=0).part("outcome").columns) == [
        "outcome",
        *EXACT,
    ]
    classes = table("gilten", "team-gleich", deals=5).part("classes")
    ours_theirs = ["ours_size", "ours_rank", "theirs_size", "theirs_rank"]
    assert list(classes.columns) == [*ours_theirs, *EXACT, *SIMULATED, "z"]
    assert list(classes.index) == list(range(625))


def test_without_exact_counts_there_are_only_simulated_columns(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with_counts = frame("gleich", deals=1_000)
    monkeypatch.setattr(studies, "exact_counts", lambda study: None)
    without = frame("gleich", deals=1_000)
    assert list(without.columns) == ["part", "size", "rank", *SIMULATED]
    pd.testing.assert_frame_equal(without, with_counts[without.columns])
    with pytest.raises(InputError, match="no exact counts for gleich"):
        table("gilten", "gleich", deals=0)


def test_counts_beyond_2_63_are_whole() -> None:
    rows = frame("team-gleich", deals=0, rules={"tie": "trump_then_forehand"})
    assert {type(number) for column in ("ways", "total") for number in rows[column]} == {int}
    assert set(rows["total"]) == {12 * DEALS}
    exact = [float(Fraction(way, 12 * DEALS)) for way in rows["ways"]]
    assert rows["exact"].tolist() == exact


@pytest.mark.parametrize(
    ("asked", "method", "level", "rows"),
    [
        ({}, "wilson", 0.95, 1),
        ({"level": 0.5}, "wilson", 0.5, 1),
        ({"interval": "clopper-pearson"}, "clopper-pearson", 0.95, 1),
    ],
)
def test_intervals_and_z_are_those_of_the_estimates(
    asked: dict[str, Any], method: str, level: float, rows: int
) -> None:
    made = frame("gleich", deals=20_000, seed=3, **asked)
    low, high = estimates.interval(made["count"].to_numpy(), 20_000, level, method, rows)
    np.testing.assert_array_equal(made["low"], low)
    np.testing.assert_array_equal(made["high"], high)
    z = estimates.midp_z(made["count"].to_numpy(), made["ways"].to_numpy(), HANDS, 20_000)
    np.testing.assert_array_equal(made["z"], z.round(6))


def test_z_hangs_on_no_processor_and_plain_zero_has_no_sign() -> None:
    # A low ruff is as good as sure to lose: of such rows z is next to nothing.
    z = table("gleek", "odds-ruff", deals=1_000_000, seed=1).frame["z"].dropna()
    np.testing.assert_array_equal(z, z.round(6))
    nothing = z[z == 0]
    assert len(nothing) > 0
    assert not np.signbit(nothing).any()


def test_simultaneous_intervals_are_wider_by_the_number_of_rows() -> None:
    pointwise = frame("gleich", deals=20_000, interval="clopper-pearson")
    together = frame("gleich", deals=20_000, interval="clopper-pearson", simultaneous=True)
    assert (together["low"] <= pointwise["low"]).all()
    assert (together["high"] > pointwise["high"]).all()
    low, high = estimates.interval(
        pointwise["count"].to_numpy(), 20_000, 0.95, "clopper-pearson", 25
    )
    np.testing.assert_array_equal(together["low"], low)
    np.testing.assert_array_equal(together["high"], high)


def test_z_is_empty_where_the_count_must_be_none_or_all() -> None:
    rows = frame("gleich-hanger", deals=1_000)
    assert (rows["z"].isna() == rows["exact"].isin([0.0, 1.0])).all()
    rows = frame("gleich", deals=1_000, at_least=True)
    assert rows["z"].isna().tolist() == [True] + 24 * [False]


# Which deals -------------------------------------------------------------------------------------


@settings(max_examples=15)
@given(st.integers(0, (1 << 64) - 1), st.integers(1, 3_000), st.integers(1, 3_000))
def test_n_deals_and_m_more_add_up(seed: int, first: int, more: int) -> None:
    counts = [
        frame("team-gleich", deals=deals, start=start, seed=seed)["count"]
        for start, deals in ((0, first), (first, more), (0, first + more))
    ]
    assert (counts[0] + counts[1] == counts[2]).all()


def test_seed_nought_is_a_seed() -> None:
    nought = frame("hanger", deals=5_000, seed=0)
    pd.testing.assert_frame_equal(nought, frame("hanger", deals=5_000, seed=0))
    for other in (1, (1 << 64) - 1):
        assert (nought["count"] != frame("hanger", deals=5_000, seed=other)["count"]).any()
    assert "seed 0:" in table("gilten", "hanger", deals=5, seed=0).citation


@pytest.mark.parametrize("jobs", [1, 2, 5])
def test_threads_change_nothing(jobs: int) -> None:
    pd.testing.assert_frame_equal(
        frame("team-hanger", deals=300_000, jobs=jobs), frame("team-hanger", deals=300_000)
    )


def test_the_last_deals_can_be_asked_for() -> None:
    assert frame("gleich", deals=10, start=(1 << 62) - 10)["count"].sum() == 10
    with pytest.raises(InputError, match="indices are 0 to 2\\^62 - 1"):
        table("gilten", "gleich", deals=11, start=(1 << 62) - 10)


# At least ----------------------------------------------------------------------------------------


@settings(max_examples=15)
@given(st.integers(0, 1 << 32), st.integers(1, 5_000), st.sampled_from(["gleich", "hanger"]))
def test_at_least_accumulates_from_the_best_class(seed: int, deals: int, figure: str) -> None:
    each = frame(figure, deals=deals, seed=seed)
    least = frame(figure, deals=deals, seed=seed, at_least=True)
    for column in ("ways", "count"):
        assert least[column].tolist() == each[column][::-1].cumsum()[::-1].tolist()
        assert (np.diff(least[column]) <= 0).all()
    assert (least["ways"][0], least["count"][0]) == (HANDS, deals)
    assert least["exact"][0] == least["estimate"][0] == 1.0
    # The rest is worked out from the sums.
    low, high = estimates.interval(least["count"].to_numpy(), deals)
    np.testing.assert_array_equal(least["low"], low)
    np.testing.assert_array_equal(least["high"], high)
    classes = list(each.columns[:3])
    pd.testing.assert_frame_equal(least[classes], each[classes])


def test_at_least_of_two_figures_means_both() -> None:
    each = frame("gleich-hanger", deals=2_000)
    least = frame("gleich-hanger", deals=2_000, at_least=True)
    for column in ("ways", "count"):
        values = each[column].to_numpy().reshape(25, 23)
        sums = [[values[i:, j:].sum() for j in range(23)] for i in range(25)]
        assert least[column].tolist() == np.ravel(sums).tolist()


def test_at_least_holds_for_counts_beyond_2_63() -> None:
    rows = frame("team-gleich", deals=0, at_least=True, rules={"tie": "trump_then_forehand"})
    assert rows["ways"][0] == 12 * DEALS
    assert {type(way) for way in rows["ways"]} == {int}


def test_what_has_no_order_is_left_out_of_at_least() -> None:
    assert set(frame("team-gleich", deals=5, at_least=True)["part"]) == {"classes"}


# Two figures of one deal -------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "figure"), EVERY_FIGURE)
def test_any_two_figures_can_be_crossed_or_are_refused(name: str, figure: str) -> None:
    for other in game(name).figures(game(name).Rules()):
        try:
            made = table(name, figure, by=other, deals=50)
        except InputError:
            continue
        rows = made.to_frame()
        classes = [column for part in made.parts for axis in part.axes for column in axis.columns]
        assert len(set(rows.columns)) == len(rows.columns)
        assert set(classes) == set(rows.columns[1 : 1 + len(classes)])
        assert len(rows) == sum(part.cells for part in made.parts)
        assert (rows.groupby("part", observed=False)["count"].sum() == 50).all()


# What is said about a table ----------------------------------------------------------------------


def test_titles_name_the_rules_that_are_not_the_usual() -> None:
    made = table("gilten", "team-gleich", deals=0)
    assert made.title == "Gilten: The better Gleich of two teams"
    rules = gilten.Rules(players=2, tie="trump_then_forehand")
    changed = table("gilten", "team-gleich", deals=0, rules=rules, at_least=True)
    assert "players 2" in changed.title
    assert "trump then forehand" in changed.title
    assert "at least" in changed.title


@pytest.mark.parametrize(
    "words",
    [
        "gilten gleich --deals 1e4 --seed 0",
        "gilten gleich --deals 1_000 --start 2e3 --seed 18446744073709551615",
        "gilten hanger --deals 1e3 --interval clopper-pearson --level 0.9",
        "gilten hanger --deals 1e3 --level 0.99999999 --simultaneous --at-least",
        "gilten hanger --deals 1e3 --level 1e-7",
        "gilten team-gleich --deals 1e3 --players 2 --rule tie=forehand --part outcome",
        "gilten team-gleich --exact-only --rule tie=trump_then_forehand",
        "gilten team-gleich --exact-only --at-least",
        "gilten gleich --exact-only --level 0.9",
        "gilten hanger --deals 1e3 --where 'gleich>=triplet or not hanger' --part hand",
        "gilten gleich --deals 1e3 --by hanger --at-least",
    ],
)
@pytest.mark.parametrize("kind", ["table", "json"])
def test_the_citation_makes_the_same_bytes_again(
    mournival: Mournival, words: str, kind: str
) -> None:
    code, first, _ = mournival("table", *shlex.split(words), "--format", kind)
    assert code == 0
    command = first.splitlines()[-1].partition(": ")[2] if kind == "table" else _command_of(first)
    program, *cited = shlex.split(command)
    assert program == "mournival"
    code, again, _ = mournival(*cited, "--format", kind)
    assert (code, again) == (0, first)


def test_a_condition_is_one_line_however_it_is_written() -> None:
    """Or the second line of a title would be code in LaTeX and typst."""
    made, same = (
        table("gilten", "hanger", deals=10, where=where)
        for where in ("gleich>=triplet\n  or hanger", "gleich>=triplet or hanger")
    )
    assert made.title == same.title
    assert made.citation == same.citation
    assert "\n" not in made.title + made.citation


def _command_of(text: str) -> str:
    (line,) = (line for line in text.splitlines() if '"command": ' in line)
    return line.partition('"command": "')[2].rstrip(',"')


def test_the_study_does_not_depend_on_how_it_is_shown() -> None:
    asked: list[dict[str, Any]] = [
        {},
        {"level": 0.5},
        {"at_least": True},
        {"deals": 7},
        {"start": 3},
    ]
    assert len({table("gilten", "gleich", **{"deals": 5, **a}).study.id for a in asked}) == 1
    others: list[dict[str, Any]] = [{"seed": 2}, {"rules": {"players": 2}}]
    assert (
        len({table("gilten", "gleich", **{"deals": 5, **a}).study.id for a in [{}, *others]}) == 3
    )


def test_a_table_is_shown_with_title_and_citation() -> None:
    made = table("gilten", "gleich", deals=100)
    assert repr(made).startswith(made.title)
    assert repr(made).endswith(made.citation)
    shown = made._repr_html_()
    assert made.title in shown
    assert "quartet" in shown


def test_a_frame_is_the_readers_own() -> None:
    made = table("gilten", "gleich", deals=100)
    mine = made.to_frame()
    mine["count"] = 0
    del mine["ways"]
    assert made.to_frame()["count"].sum() == 100
    assert "ways" in made.to_frame()


def test_a_part_that_is_none_is_refused() -> None:
    made: Table = table("gilten", "team-gleich", deals=5)
    with pytest.raises(ValueError, match="outcome, classes"):
        made.part("outcomes")


# What a caller in Python may get wrong -----------------------------------------------------------


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ({"deals": -1}, "-1"),
        ({"deals": 1.5}, "1.5"),
        ({"deals": 2**62 + 1}, "4611686018427387905"),
        ({"deals": "100"}, "100"),
        ({"start": -1}, "-1"),
        ({"start": 0.5}, "0.5"),
        ({"seed": -1}, "-1"),
        ({"seed": 2**64}, "18446744073709551616"),
        ({"seed": 1.5}, "1.5"),
        ({"seed": "1"}, "'1'"),
        ({"jobs": 0}, "0"),
        ({"level": 0}, "0"),
        ({"level": 1.0}, "1"),
        ({"level": float("nan")}, "nan"),
        ({"level": "0.9"}, "0.9"),
        ({"interval": "wald"}, "wilson"),
        ({"rules": {"tie": "foo"}}, "foo"),
        ({"rules": gilten.Rules(players=3)}, "3"),  # type: ignore[arg-type]
    ],
    ids=str,
)
def test_what_cannot_be_is_named(asked: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        table("gilten", "gleich", **{"deals": 100, **asked})


@pytest.mark.parametrize(
    "asked",
    [
        {"seed": np.int64(3)},
        {"seed": np.uint64(3)},
        {"deals": np.int64(100)},
        {"start": np.int64(0)},
    ],
    ids=str,
)
def test_integers_of_numpy_are_integers(asked: dict[str, Any]) -> None:
    usual: dict[str, Any] = {"deals": 100, "seed": 3, "start": 0}
    made, same = table("gilten", "gleich", **{**usual, **asked}), table("gilten", "gleich", **usual)
    assert made.citation == same.citation
    pd.testing.assert_frame_equal(made.frame, same.frame)


@pytest.mark.parametrize(
    "asked", [{"level": 2}, {"interval": "wald"}, {"seed": -1}, {"start": -1}], ids=str
)
def test_mistakes_are_told_before_anything_is_dealt(
    monkeypatch: pytest.MonkeyPatch, asked: dict[str, Any]
) -> None:
    """Not after an hour."""
    monkeypatch.setattr("sims.runs.run_block", _nothing_may_be_dealt)
    with pytest.raises(InputError):
        table("gilten", "gleich", **asked)


def _nothing_may_be_dealt(*_: object) -> NoReturn:
    raise AssertionError("dealt before the question was found wrong")


def test_an_impossible_class_that_was_dealt_is_not_passed_over(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    counted = studies.exact_counts(studies.study_of("gilten", "gleich", None))
    assert counted is not None
    ways = counted.ways["hand"].copy()
    ways[[0, 1]] = ways[0] + ways[1], 0
    broken = type(counted)({"hand": ways}, counted.total)
    monkeypatch.setattr(studies, "exact_counts", lambda study: broken)
    with pytest.raises(ArithmeticError):
        table("gilten", "gleich", deals=1_000)


def test_a_seed_says_nothing_where_nothing_is_dealt() -> None:
    counted = table("gilten", "gleich", deals=0, seed=7, start=3)
    assert counted.command == "mournival table gilten gleich --exact-only"
    assert counted.citation == table("gilten", "gleich", deals=0).citation
