"""The words of the command line: what options may say, and the options that commands share."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

if TYPE_CHECKING:
    from sims.blocks import Progress

Command = TypeVar("Command", bound=Callable[..., Any])

#: Millimetres. Where less room is, the labels of a chart crowd each other.
LEAST_WIDTH, MOST_WIDTH = 84, 1000


class WholeNumber(click.ParamType[int]):
    """A whole number such as `250`, `1e6` or `1_000_000`."""

    name = "number"

    def __init__(self, least: int, most: int) -> None:
        self.least, self.most = least, most

    def convert(
        self, value: Any, param: click.Parameter | None, context: click.Context | None
    ) -> int:
        from analysis.settings import whole_number

        if isinstance(value, int):
            return value
        name = param.opts[0] if param is not None else "number"
        return whole_number(value, self.least, self.most, name)


class Rule(click.ParamType[tuple[str, str]]):
    """KEY=VALUE."""

    name = "key=value"

    def convert(
        self, value: Any, param: click.Parameter | None, context: click.Context | None
    ) -> tuple[str, str]:
        if isinstance(value, tuple):
            return value
        key, sign, text = value.partition("=")
        if not sign:
            self.fail(f"{value!r}: a rule is written KEY=VALUE, as in tie=forehand")
        return key.strip(), text.strip()


class Level(click.ParamType[float]):
    """A probability between 0 and 1."""

    name = "probability"

    def convert(
        self, value: Any, param: click.Parameter | None, context: click.Context | None
    ) -> float:
        try:
            level = float(value)
        except ValueError:
            level = -1.0
        if not 0 < level < 1:
            self.fail(f"{value!r}: allowed are numbers between 0 and 1, as 0.95")
        return level


class Width(click.ParamType[float]):
    """A width such as `84mm`."""

    name = "width"

    def convert(
        self, value: Any, param: click.Parameter | None, context: click.Context | None
    ) -> float:
        if isinstance(value, float):
            return value
        text = value.strip().lower().removesuffix("mm")
        try:
            width = float(text)
        except ValueError:
            width = -1.0
        if not LEAST_WIDTH <= width <= MOST_WIDTH:
            self.fail(f"{value!r}: allowed are {LEAST_WIDTH}mm to {MOST_WIDTH}mm")
        return width


INDEX = WholeNumber(0, (1 << 62) - 1)
DEALS = WholeNumber(1, 1 << 62)
SEED = WholeNumber(0, (1 << 64) - 1)
JOBS = WholeNumber(1, 1024)


def options(*each: Callable[[Command], Command]) -> Callable[[Command], Command]:
    """Several options as one decorator."""

    def decorate(command: Command) -> Command:
        for option in reversed(each):
            command = option(command)
        return command

    return decorate


seed_option = click.option(
    "--seed",
    type=SEED,
    default=1,
    show_default=True,
    help="Which shuffles are dealt: 0 to 2^64 - 1. The same seed deals the same cards.",
)
jobs_option = click.option(
    "--jobs",
    type=JOBS,
    help="How many threads work; by default one a core. No number depends on it.",
)
start_option = click.option(
    "--start",
    type=INDEX,
    default=0,
    show_default=True,
    help="The first deal: n deals, and m more with --start n, are n + m deals.",
)
level_option = click.option(
    "--level",
    type=Level(),
    default=0.95,
    show_default=True,
    help="The probability with which an interval holds.",
)
quiet_option = click.option("--quiet", is_flag=True, help="Show no progress bar.")
written_options = options(
    click.option(
        "--format",
        "file_format",
        metavar="NAME",
        help="How it is written: table, csv, json, markdown, latex, html, typst or parquet; by "
        "default as the file's suffix says.",
    ),
    click.option(
        "--out",
        type=click.Path(path_type=Path),
        help="Write a file: .txt, .csv, .json, .md, .tex, .html, .typ or .parquet.",
    ),
)
rule_options = options(
    click.option(
        "--rule",
        "rules",
        type=Rule(),
        multiple=True,
        help="Play by a house rule, as tie=forehand; `mournival figures` lists them.",
    ),
    click.option("--players", metavar="N", help="How many play; short for --rule players=N."),
)


def rules_asked(rules: tuple[tuple[str, str], ...], players: str | None) -> list[tuple[str, str]]:
    """What `rule_options` say, as pairs of key and value."""
    return [*rules, *([("players", players)] if players is not None else [])]


def is_given(context: click.Context, option: str) -> bool:
    """Whether the user wrote an option, be it the default's value."""
    return context.get_parameter_source(option) is not click.core.ParameterSource.DEFAULT


@contextmanager
def progress_bar(quiet: bool) -> Iterator[Callable[[str], Progress] | None]:
    """A bar on stderr with rate and time left; none where nobody watches."""
    if quiet or sys.stderr is None or not sys.stderr.isatty():
        yield None
        return
    from analysis.progress import bar

    with bar() as progress:
        yield progress
