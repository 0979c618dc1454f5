"""Names, numbers and rules from text: what is allowed is read, and nothing else."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product
from math import prod
from random import Random
from types import SimpleNamespace
from typing import Any, cast

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.errors import InputError
from analysis.settings import (
    game_named,
    one_of,
    rule_changes,
    rule_values,
    rules_from,
    rules_given,
    whole_number,
)
from analysis.studies import table
from sims import gilten
from sims.games import GAMES, Game, game

MOST = (1 << 64) - 1


def read(text: str) -> int:
    return whole_number(text, 0, MOST, "--seed")


# Whole numbers -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("0", 0),
        ("250", 250),
        ("1e6", 1_000_000),
        ("1E6", 1_000_000),
        ("1e+6", 1_000_000),
        ("1.5e3", 1_500),
        ("1_000_000", 1_000_000),
        ("007", 7),
        (" 12 ", 12),
        ("18446744073709551615", MOST),
    ],
)
def test_whole_numbers_are_read(text: str, number: int) -> None:
    assert read(text) == number


@given(st.integers(0, MOST))
def test_every_number_is_read_as_python_writes_it(number: int) -> None:
    assert read(str(number)) == read(f"{number:_}") == read(f" {number}") == number


@given(st.integers(1, 999), st.integers(0, 16))
def test_powers_of_ten_are_exact(digits: int, power: int) -> None:
    assert read(f"{digits}e{power}") == digits * 10**power
    assert read(f"{digits}e-0") == digits
    assert read(f"{digits * 10**power}e-{power}") == digits


NO_WHOLE_NUMBERS = ["-1", "1.5", "1e-3", "0.1", "nan", "inf", "-inf", "sNaN", "1e20", str(MOST + 1)]
NO_NUMBERS = [
    "",
    " ",
    "x",
    "1e",
    "e6",
    "0x10",
    "1,000",
    "12 34",
    "5\n6",
    "½",
    "1e6x",
    "--1",
    "1e2.0",
]


@pytest.mark.parametrize("text", [*NO_WHOLE_NUMBERS, *NO_NUMBERS])
def test_other_texts_are_refused_with_what_is_allowed(text: str) -> None:
    with pytest.raises(InputError) as caught:
        read(text)
    assert str(caught.value).startswith(f"--seed {text!r}")
    assert "allowed are whole numbers from 0 to 2^64 - 1" in str(caught.value)


@pytest.mark.parametrize("text", ["1__000", "_1000", "1000_", "_", "1_e6"])
def test_underscores_stand_between_digits_only(text: str) -> None:
    """As in Python: anything else is a slip of the finger."""
    with pytest.raises(InputError):
        read(text)


@pytest.mark.parametrize(
    "text", ["1e999999999", "1e-999999999", "1e" + "9" * 40, "9" * 5_000, "0." + "9" * 5_000]
)
def test_enormous_numbers_are_refused_without_writing_them_out(text: str) -> None:
    with pytest.raises(InputError, match="allowed are"):
        read(text)


@given(st.text("0123456789eE+-._ nanif٣", max_size=8))
def test_no_text_makes_it_fail_in_another_way(text: str) -> None:
    try:
        number = read(text)
    except InputError:
        return
    assert 0 <= number <= MOST


@given(st.integers(), st.integers(-50, 50), st.integers(0, 100))
def test_the_limits_are_allowed_and_nothing_beyond(number: int, least: int, width: int) -> None:
    most = least + width
    if least <= number <= most:
        assert whole_number(str(number), least, most, "n") == number
    else:
        with pytest.raises(InputError, match=f"from {least} to {most}$"):
            whole_number(str(number), least, most, "n")


# Names -------------------------------------------------------------------------------------------

FIGURES = ("gleich", "hanger", "gleich-hanger", "team-gleich", "team-hanger")


@pytest.mark.parametrize("word", FIGURES)
def test_an_allowed_word_is_itself(word: str) -> None:
    assert one_of(word, FIGURES, "figure") == word


@pytest.mark.parametrize(
    ("word", "nearest"),
    [
        ("gliech", "gleich"),
        ("hangar", "hanger"),
        ("team_hanger", "team-hanger"),
        ("Gleich", "gleich"),
        ("GLEICH", "gleich"),
        ("Team-Hanger", "team-hanger"),
    ],
)
def test_a_near_miss_is_told_the_nearest(word: str, nearest: str) -> None:
    with pytest.raises(InputError, match=f"no figure '{word}'.*did you mean '{nearest}'"):
        one_of(word, FIGURES, "figure")


def test_all_allowed_words_are_named_and_no_hint_is_made_up() -> None:
    with pytest.raises(InputError) as caught:
        one_of("poker", FIGURES, "figure")
    assert "did you mean" not in str(caught.value)
    assert all(figure in str(caught.value) for figure in FIGURES)


@given(st.text(max_size=12))
def test_an_error_is_one_line_whatever_the_word(word: str) -> None:
    if word not in FIGURES:
        with pytest.raises(InputError) as caught:
            one_of(word, FIGURES, "figure")
        assert len(str(caught.value).splitlines()) == 1


@pytest.mark.parametrize("name", list(GAMES))
def test_games_have_names(name: str) -> None:
    assert game_named(name) is game(name)


def test_an_unknown_game_is_told_the_nearest() -> None:
    with pytest.raises(InputError, match=r"no game 'giltn'.*did you mean 'gilten'"):
        game_named("giltn")


# Rules -------------------------------------------------------------------------------------------


def all_rules(known: Game) -> list[Any]:
    """Every combination of a game's options, as Rules; of very many, a thousand at random."""
    values = rule_values(known)
    every = [list(choices.values()) for choices in values.values()]
    combinations: Iterable[tuple[Any, ...]] = product(*every)
    if prod(map(len, every)) > 1_000:
        chance = Random(1)
        combinations = [tuple(map(chance.choice, every)) for _ in range(1_000)]
    return [
        known.Rules(**options)
        for options in (dict(zip(values, chosen, strict=True)) for chosen in combinations)
        if not contradictory(options)
    ]


def contradictory(options: dict[str, Any]) -> bool:
    """GN-5.4: two players have no partners."""
    return options.get("players") == 2 and options.get("signalling") == "none"


def test_gilten_has_these_options() -> None:
    values = rule_values(game("gilten"))
    assert list(values["players"].items()) == [("4", 4), ("2", 2)]
    assert list(values["tie"]) == ["stands", "forehand", "trump_then_forehand"]


@pytest.mark.parametrize("name", list(GAMES))
def test_no_options_are_the_usual_rules(name: str) -> None:
    known = game(name)
    assert rules_from(known, []) == rules_given(known, None) == known.Rules()
    assert rule_changes(known.Rules()) == {}


@pytest.mark.parametrize("name", list(GAMES))
def test_the_default_of_an_option_stands_first(name: str) -> None:
    known = game(name)
    usual = msgspec.structs.asdict(known.Rules())
    assert {key: next(iter(values.values())) for key, values in rule_values(known).items()} == usual


@pytest.mark.parametrize("name", list(GAMES))
def test_rules_go_to_text_and_back(name: str) -> None:
    known = game(name)
    for rules in all_rules(known):
        assert rules_from(known, rule_changes(rules).items()) == rules
        assert rules_given(known, rule_changes(rules)) == rules
        assert rules_given(known, msgspec.structs.asdict(rules)) == rules
        assert rules_given(known, rules) == rules


def test_the_last_of_two_values_wins() -> None:
    options = [("tie", "forehand"), ("players", "2"), ("tie", "stands")]
    assert rules_from(game("gilten"), options) == gilten.Rules(players=2)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"tei": "forehand"}, "no rule 'tei'.*did you mean 'tie'.*allowed are .*players, tie"),
        ({"": "2"}, "no rule ''.*allowed are .*players, tie"),
        ({"tie": "forhand"}, "tie 'forhand'.*did you mean 'forehand'"),
        ({"players": "3"}, "players '3'.*allowed are 4, 2"),
        ({"players": 3}, "players '3'.*allowed are 4, 2"),
        ({"players": "04"}, "players '04'.*allowed are 4, 2"),
    ],
)
def test_other_rules_are_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        rules_given(game("gilten"), options)


@pytest.mark.parametrize("rules", [{"players": 3}, {"players": "2"}, {"tie": "foo"}])
def test_rules_made_in_python_are_checked_too(rules: dict[str, Any]) -> None:
    """msgspec checks what it decodes, not what is constructed."""
    with pytest.raises(InputError, match="allowed are"):
        rules_given(game("gilten"), gilten.Rules(**rules))


def test_rules_of_another_game_are_refused() -> None:
    class Rules(msgspec.Struct):
        players: int = 4

    with pytest.raises(InputError, match="rules of another game"):
        rules_given(game("gilten"), Rules())


def test_an_option_that_is_neither_choice_nor_switch_is_a_mistake_of_ours() -> None:
    class Rules(msgspec.Struct):
        stake: int = 1

    with pytest.raises(TypeError, match="a choice, a switch or a bounded number"):
        rule_values(cast(Game, SimpleNamespace(Rules=Rules)))


def test_a_bounded_number_is_each_number_the_default_first() -> None:
    values = rule_values(game("gleek"))["max_price"]
    assert list(values.values()) == [40, *range(12, 40), *range(41, 61)]
    with pytest.raises(InputError, match="no value of max_price '61'"):
        rules_from(game("gleek"), [("max_price", "61")])


def test_a_switch_is_false_or_true() -> None:
    class Rules(msgspec.Struct):
        vying: bool = True

    known = cast(Game, SimpleNamespace(Rules=Rules))
    assert rule_values(known) == {"vying": {"true": True, "false": False}}
    assert rules_from(known, [("vying", "false")]) == Rules(vying=False)
    assert rules_given(known, {"vying": False}) == Rules(vying=False)
    assert rule_changes(Rules(vying=False)) == {"vying": "false"}


def test_options_of_play_are_refused_where_cards_are_as_dealt() -> None:
    with pytest.raises(InputError, match="rule target=15 is one of play: nothing as dealt"):
        table("gilten", "gleich", deals=0, rules={"target": 15})


def test_options_that_contradict_each_other_are_refused_with_their_clause() -> None:
    with pytest.raises(InputError, match=r"GN-5\.4"):
        rules_from(game("gilten"), [("players", "2"), ("signalling", "none")])
