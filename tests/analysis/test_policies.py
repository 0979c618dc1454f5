"""Policies from TOML: what is shipped can be read, and what is wrong is said in one line."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest

from analysis.errors import InputError
from analysis.policies import policy_from, policy_named, shipped_policies
from sims.gilten.policies import Random, Thresholds

BETTING = "bet = 0.6\nhold = 0.3\nraise = 0.8\nrise = 0.0\nhold_rise = 0.0\naus = 1.0\n"
REST = "hold_aus = 0.9\nbluff = 0.0\n"
STYLE = (
    'lead_trumps = 3\nlead = "high"\nbeat = "low"\ntrump_in = "void"\novertake = false\n'
    "keep_trumps = true\n"
)
GOOD = (
    'kind = "thresholds"\nmargin = 4\nahead = 0.0\nbehind = 0.0\n'
    + "".join(f"[{figure}]\n{BETTING}{REST}" for figure in ("gleich", "hanger", "spiel"))
    + f"[style]\n{STYLE}"
)


def read(text: str) -> Any:
    return policy_from("gilten", text, "mine.toml")


def refused(text: str) -> str:
    with pytest.raises(InputError) as caught:
        read(text)
    message = str(caught.value)
    assert "\n" not in message
    assert message.startswith("mine.toml: ")
    return message


def test_a_policy_is_read_as_it_stands() -> None:
    policy = read(GOOD)
    assert isinstance(policy, Thresholds)
    assert (policy.margin, policy.spiel.raise_, policy.style.lead) == (4, 0.8, "high")
    assert read('kind = "random"') == Random()


def test_shipped_policies_are_read_and_written_back() -> None:
    names = shipped_policies("gilten")
    assert names == ("bold", "cautious", "random", "steady")
    for name in names:
        policy = policy_named("gilten", name)
        assert msgspec.convert(msgspec.to_builtins(policy), type(policy)) == policy


def test_a_users_file_is_read_by_its_name(tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text(GOOD)
    assert policy_named("gilten", str(tmp_path / "mine.toml")) == read(GOOD)


def test_a_missing_file_and_an_unknown_name_are_said(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"none\.toml: No such file"):
        policy_named("gilten", str(tmp_path / "none.toml"))
    with pytest.raises(InputError, match="did you mean 'steady'"):
        policy_named("gilten", "stedy")
    (tmp_path / "bad.toml").write_bytes(b"\xff\xfe")
    with pytest.raises(InputError, match="not text in UTF-8"):
        policy_named("gilten", str(tmp_path / "bad.toml"))


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        (
            "[spiel]\nbet = 0.6",
            "[spiel]\nbet = 1.5",
            "spiel.bet 1.5: allowed are numbers from 0 to 1",
        ),
        (
            "[spiel]\nbet = 0.6",
            "[spiel]\nbet = nan",
            "spiel.bet nan: allowed are numbers from 0 to 1",
        ),
        ("[spiel]\nbet = 0.6", "[spiel]\nbet = true", "spiel.bet True: allowed are numbers"),
        ("[spiel]\nbet = 0.6", '[spiel]\nbet = "x"', "spiel.bet 'x': allowed are numbers"),
        (
            "[spiel]\nbet = 0.6",
            "[spiel]",
            "key spiel.bet is missing: allowed are numbers from 0 to 1",
        ),
        (
            "[spiel]\n",
            "[spiel]\nbluf = 0\n",
            "no key spiel.bluf: did you mean 'bluff'? allowed are bet",
        ),
        ("margin = 4", "margin = 4.5", "margin 4.5: allowed are whole numbers from 1 to 15"),
        ("margin = 4", "margin = 16", "margin 16: allowed are whole numbers from 1 to 15"),
        ("ahead = 0.0", "ahead = -1.1", "ahead -1.1: allowed are numbers from -1 to 1"),
        ('lead = "high"', 'lead = "ace"', "style.lead 'ace': allowed are high, low"),
        ("overtake = false", "overtake = 0", "style.overtake 0: allowed are true, false"),
        ('"thresholds"', '"equilibrium"', "kind 'equilibrium': allowed are thresholds, random"),
        ('kind = "thresholds"\n', "", "key kind is missing: allowed are thresholds, random"),
        ("[style]", "[styles]", "no key styles: did you mean 'style'?"),
        (f"[style]\n{STYLE}", "", "key style is missing: allowed is a table"),
        ("margin = 4", "margin = 4\nspiel = 3", "not TOML"),
        ("margin = 4", "margin =", "not TOML"),
    ],
)
def test_what_is_wrong_is_said_in_one_line(old: str, new: str, said: str) -> None:
    assert old in GOOD
    assert said in refused(GOOD.replace(old, new, 1))


def test_a_table_that_is_a_number_is_said() -> None:
    text = GOOD.replace(f"[style]\n{STYLE}", "").replace("margin = 4", "margin = 4\nstyle = 3")
    assert "style 3: allowed is a table [style]" in refused(text)


def test_contradictions_are_said() -> None:
    said = refused(
        GOOD.replace("[hanger]\nbet = 0.6\nhold = 0.3", "[hanger]\nbet = 0.6\nhold = 0.9")
    )
    assert said == "mine.toml: hanger: raise 0.8 is below hold 0.9"
    said = refused(GOOD.replace("aus = 1.0", "aus = 0.8", 1))
    assert said == "mine.toml: gleich: aus 0.8 is below hold_aus 0.9"
    said = refused(GOOD.replace("bluff = 0.0", "bluff = 0.4"))
    assert said == "mine.toml: the bluff rates of the figures sum to 1.2: at most 1"


def test_random_takes_no_thresholds() -> None:
    assert "no key margin" in refused('kind = "random"\nmargin = 3')
