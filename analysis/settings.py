"""Rules, names and numbers from text, validated; an error is one line that says what is allowed."""

from __future__ import annotations

import difflib
import re
from collections.abc import Collection, Iterable, Mapping
from decimal import Decimal, InvalidOperation
from typing import TYPE_CHECKING, Annotated, Any, Literal, get_args, get_origin, get_type_hints

from analysis.errors import InputError

if TYPE_CHECKING:
    from sims.games import Game

_NUMBER = re.compile(r"[+-]?\d+(_\d+)*(\.\d*)?([eE][+-]?\d+)?", re.ASCII)


def whole_number(text: str, least: int, most: int, what: str) -> int:
    """A whole number from text such as `250`, `1e6` or `1_000_000`.

    Raises
    ------
    InputError
        The text is no whole number from `least` to `most`.
    """
    allowed = f"allowed are whole numbers from {_shown(least)} to {_shown(most)}"
    if not _NUMBER.fullmatch(text.strip()):
        raise InputError(f"{what} {text!r} is no number: {allowed}")
    try:
        number = Decimal(text.strip())
    except InvalidOperation:
        raise InputError(f"{what} {text!r}: {allowed}") from None
    # Compared before anything is made an integer: 1e999999999 must not be written out.
    if not least <= number <= most or number != int(number):
        raise InputError(f"{what} {text!r}: {allowed}")
    return int(number)


def _shown(number: int) -> str:
    """Large limits as powers of two, which is what they are."""
    for power in (62, 64):
        for offset, sign in ((0, ""), (-1, " - 1")):
            if number == (1 << power) + offset:
                return f"2^{power}{sign}"
    return str(number)


def one_of(word: str, allowed: Collection[str], what: str) -> str:
    """The word itself if it is allowed.

    Raises
    ------
    InputError
        It is not; the message names the nearest, or all there are.
    """
    if word in allowed:
        return word
    near = difflib.get_close_matches(word.lower(), allowed, n=1)
    hint = f"did you mean {near[0]!r}? " if near else ""
    raise InputError(f"no {what} {word!r}: {hint}allowed are {', '.join(allowed)}")


def check_level(level: object) -> None:
    """Refuse a level of intervals that is not a probability strictly between 0 and 1.

    Raises
    ------
    InputError
        One line that says what is allowed.
    """
    if not isinstance(level, float | int) or not 0 < level < 1:
        raise InputError(f"level {level!r}: allowed are numbers between 0 and 1")


def game_named(name: str) -> Game:
    """The game of a name. Raises InputError where there is none."""
    from sims.games import GAMES, game

    return game(one_of(name, GAMES, "game"))


def rules_from(game: Game, options: Iterable[tuple[str, str]]) -> Any:
    """A game's Rules from pairs of key and value in text; later pairs win.

    Raises
    ------
    InputError
        A key the game does not have, or a value the key does not allow.
    """
    allowed = rule_values(game)
    chosen: dict[str, Any] = {}
    for key, text in options:
        values = allowed[one_of(key, allowed, "rule")]
        chosen[key] = values[one_of(text, values, f"value of {key}")]
    try:
        return game.Rules(**chosen)
    except ValueError as error:  # options that contradict each other
        raise InputError(str(error)) from None


def check_as_dealt(game: Game, rules: Any) -> None:
    """Refuse options that cards and figures as dealt do not depend on.

    Raises
    ------
    InputError
        One of them differs from its default.
    """
    for key, value in rule_changes(rules).items():
        if key in game.PLAY_OPTIONS:
            raise InputError(f"rule {key}={value} is one of play: nothing as dealt depends on it")


def rule_values(game: Game) -> dict[str, dict[str, Any]]:
    """For each option of a game's rules its values by the text that means them, default first."""
    hints = get_type_hints(game.Rules, include_extras=True)
    values = {}
    for key, default in _options(game.Rules()).items():
        every = _values_of(hints[key])
        ordered = [default, *(value for value in every if value != default)]
        values[key] = {_text_of(value): value for value in ordered}
    return values


def rule_changes(rules: Any) -> dict[str, str]:
    """The options that differ from the default, as text."""
    defaults = _options(type(rules)())
    return {
        key: _text_of(value) for key, value in _options(rules).items() if value != defaults[key]
    }


def rules_told(rules: Any) -> str:
    """The options that differ from the default, in parentheses for a title; else nothing."""
    changes = rule_changes(rules).items()
    told = ", ".join(f"{key} {value}".replace("_", " ") for key, value in changes)
    return f" ({told})" if told else ""


def rule_words(rules: Any) -> list[str]:
    """The words of a command that ask for the options that differ from the default."""
    return [
        word for key, value in rule_changes(rules).items() for word in ("--rule", f"{key}={value}")
    ]


def rules_given(game: Game, rules: Any | Mapping[str, Any] | None) -> Any:
    """Rules from what a Python caller may give: Rules, a mapping of options, or nothing.

    Raises
    ------
    InputError
        As `rules_from`; or Rules of another game.
    """
    if rules is None:
        return game.Rules()
    if isinstance(rules, Mapping):
        return rules_from(game, ((key, _text_of(value)) for key, value in rules.items()))
    if not isinstance(rules, game.Rules):
        raise InputError(f"rules of another game: {type(rules).__module__}.{type(rules).__name__}")
    # Made in Python, a value was not checked.
    for key, value in _options(rules).items():
        allowed = rule_values(game)[key]
        if value not in allowed.values():
            raise InputError(f"rule {key} {value!r}: allowed are {', '.join(allowed)}")
    return rules


def _options(rules: Any) -> dict[str, Any]:
    return {key: getattr(rules, key) for key in rules.__struct_fields__}


def _values_of(hint: Any) -> tuple[Any, ...]:
    if get_origin(hint) is Literal:
        return get_args(hint)
    if hint is bool:
        return (False, True)
    if get_origin(hint) is Annotated:
        _, bounds = get_args(hint)
        return tuple(range(bounds.ge, bounds.le + 1))
    raise TypeError(f"a rule must be a choice, a switch or a bounded number, not {hint}")


def _text_of(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
