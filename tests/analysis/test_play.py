"""`mournival play`: what contests bring, in every format, and how it is asked for."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow.parquet as pq
import pytest

from analysis import formats
from analysis.chances import chances_for
from analysis.errors import InputError
from analysis.means import Estimate
from analysis.play.answers import Played, play
from analysis.play.sections import share
from analysis.play.tournaments import tournament
from analysis.policies import policy_named
from sims.gilten.ladder import POINTS, SPIEL_WINNER
from sims.gilten.play import deal_batch
from sims.gilten.policies import book
from sims.gilten.rules import Rules
from sims.jit import COMPILED
from sims.streams import Purpose

Mournival = Callable[..., tuple[int, str, str]]

pytestmark = pytest.mark.skipif(not COMPILED, reason="whole deals are too many for plain Python")

DEALS = 3_000


@pytest.fixture(scope="module")
def alone() -> Played:
    return play("gilten", deals=DEALS, seed=3)


@pytest.fixture(scope="module")
def against() -> Played:
    return play("gilten", "bold", "cautious", deals=DEALS, seed=3)


def test_points_and_spiele_are_those_of_the_deals(alone: Played) -> None:
    """Second source: the deals played one batch at a time, each decision written down."""
    steady = policy_named("gilten", "steady")
    chances = chances_for("gilten", Rules(), steady)
    table, _ = deal_batch(
        Rules(), book((steady, steady), (chances, chances)), 3, Purpose.MEASURE, 0, DEALS,
        traced=True,
    )  # fmt: skip
    frame = alone.frame
    for team, name in enumerate(["forehand's", "dealer's"]):
        points = table.state[POINTS + 3 * team : POINTS + 3 * team + 3, :DEALS]
        rows = frame[(frame["section"] == "points a deal") & (frame["team"] == name)]
        expected = [*points.mean(axis=1), points.sum(axis=0).mean()]
        assert rows["estimate"].tolist() == pytest.approx(expected)
        spread = 1.9604 * points.sum(axis=0).std() / np.sqrt(DEALS)
        assert rows["high"].iloc[3] - rows["estimate"].iloc[3] == pytest.approx(spread, rel=1e-2)
        made = frame[(frame["section"] == "the Spiel") & (frame["team"] == name)]
        won = (table.state[SPIEL_WINNER, :DEALS] == team).mean()
        assert made["estimate"].tolist() == pytest.approx([won])


def test_gn_4_2_every_proposal_is_answered(alone: Played, against: Played) -> None:
    for played in (alone, against):
        frame = played.frame[played.frame["section"].str.startswith("what is proposed")]
        answers = frame[frame["what"].isin(["gut", "halten", "raised"])]
        keys = ["policy" if "policy" in frame else "team", "figure", "value"]
        assert answers.groupby(keys)["estimate"].sum().tolist() == pytest.approx(
            [1] * (len(answers) // 3)
        )


def test_a_lead_is_the_difference_of_the_points(against: Played) -> None:
    frame = against.frame
    points = frame[(frame["section"] == "points a deal") & (frame["what"] == "all")]
    of = points.groupby("policy")["estimate"].mean()
    assert against.lead.value == pytest.approx(of["bold"] - of["cautious"])


def test_sides_exchanged_lead_by_as_much_less(against: Played) -> None:
    """The same cards and numbers drawn: what one side gains the other loses, to the point."""
    other = play("gilten", "cautious", "bold", deals=DEALS, seed=3)
    assert other.tallies.lead.tolist() == (-against.tallies.lead).tolist()


def test_a_policy_against_itself_is_not_ahead() -> None:
    assert play("gilten", "bold", "bold", deals=500).lead == Estimate(0.0, 0.0, 0.0)


def test_deals_go_on_where_others_stopped(alone: Played) -> None:
    first = play("gilten", deals=1_000, seed=3, jobs=1)
    rest = play("gilten", deals=DEALS - 1_000, seed=3, start=1_000, jobs=3)
    for one, two, both in zip(first.tallies, rest.tallies, alone.tallies, strict=True):
        assert (one + two == both).all()


def test_gn_5_3_every_match_is_won_by_one_side() -> None:
    played = play("gilten", "steady", "random", deals=400, whole=True, scores=(3, 5))
    won = played.frame[played.frame["section"] == "matches won"]
    assert won["estimate"].sum() == pytest.approx(1)
    assert int(played.tallies.won.sum()) == 2 * 400
    assert won["low"].iloc[0] > 0.5


def test_a_tournament_is_its_contests() -> None:
    held = tournament("gilten", ["bold", "cautious", "steady"], deals=1_000, seed=3)
    alone = play("gilten", "bold", "steady", deals=1_000, seed=3)
    assert held.lead("bold", "steady") == alone.lead
    value, low, high = alone.lead
    assert held.lead("steady", "bold") == (-value, -high, -low)
    assert len(held.contests) == 3
    with pytest.raises(InputError, match="has not played"):
        held.lead("bold", "random")


@pytest.mark.parametrize("level", [0, 1, 2, -0.5, float("nan"), "0.9"])
def test_a_level_is_between_0_and_1(level: Any) -> None:
    with pytest.raises(InputError, match="allowed are numbers between 0 and 1"):
        play("gilten", "bold", deals=10, level=level)


@pytest.mark.parametrize("policies", [["bold"], ["bold", "bold"]])
def test_a_tournament_needs_two(policies: list[str]) -> None:
    with pytest.raises(InputError, match="two policies or more"):
        tournament("gilten", policies, deals=10)


def test_groups_that_go_alike_have_wider_intervals() -> None:
    single, double = (share((), "x", 300, 1_000, 0.95, copies) for copies in (1, 2))
    assert single.estimate.value == double.estimate.value == 0.3
    width = [each.estimate.high - each.estimate.low for each in (single, double)]
    assert width[1] / width[0] == pytest.approx(2**0.5, rel=0.01)
    assert np.isnan(share((), "x", 300, 1_000, 0.95, 0).estimate.low)


@pytest.mark.parametrize("file_format", formats.FORMATS)
def test_answers_are_written_in_every_format(against: Played, file_format: str) -> None:
    content = formats.FORMATS[file_format](against)
    if isinstance(content, bytes):
        read = pq.read_table(io.BytesIO(content))
        assert read["estimate"].to_pylist() == against.frame["estimate"].tolist()
    elif file_format == "csv":
        read = pd.read_csv(io.StringIO(content))
        assert read["estimate"].to_numpy() == pytest.approx(against.frame["estimate"].to_numpy())
    else:
        assert against.contest.id in content


def test_the_citation_plays_it_again(mournival: Mournival) -> None:
    words = "gilten --policy bold --against steady --deals 200 --rule tie=forehand --format json"
    code, out, err = mournival("play", *words.split())
    assert (code, err) == (0, "")
    command = json.loads(out)["study"]["command"]
    again = mournival(*command.split()[1:], "--format", "json")
    assert again == (0, out, "")


def test_a_users_policy_plays_by_its_file_name(mournival: Mournival, tmp_path: Path) -> None:
    from importlib.resources import files

    text = (files("sims.gilten") / "policies" / "bold.toml").read_text()
    own = tmp_path / "mine.toml"
    own.write_text(text)
    words = ("gilten", "--deals", "300", "--format", "csv")
    shipped = mournival("play", *words, "--policy", "bold")
    assert mournival("play", *words, "--policy", str(own)) == shipped
    own.write_text(text.replace("margin = ", "margin = 9"))
    code, out, err = mournival("play", *words, "--policy", str(own))
    assert (code, out) == (2, "")
    assert "margin" in err
    assert "allowed are whole numbers from 1 to 15" in err


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("giley", "giley is not played yet"),
        ("gilten --policy brave", "no policy"),
        ("gilten --policy none.toml", "policy file none.toml"),
        ("gilten --policy bold --policy steady", "one --policy"),
        ("gilten --tournament --against bold", "leave --against out"),
        ("gilten --score 11:0", "allowed are 0 to 10"),
        ("gilten --score 5", "OURS:THEIRS"),
        ("gilten --deals 0", "allowed are whole numbers"),
        ("gilten --rule players=2 --rule signalling=none", "GN-5.4"),
        ("gilten --out here.xyz", "no format"),
    ],
)
def test_a_mistake_is_one_line(mournival: Mournival, words: str, message: str) -> None:
    code, out, err = mournival("play", *words.split())
    assert (code, out) == (2, "")
    assert err.count("\n") == 1
    assert message in err
