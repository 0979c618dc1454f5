"""A figure's table, and its chart."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from analysis.cli.endings import INTERRUPTED, say
from analysis.cli.words import (
    DEALS,
    LEAST_WIDTH,
    Width,
    is_given,
    jobs_option,
    level_option,
    options,
    progress_bar,
    quiet_option,
    rule_options,
    rules_asked,
    seed_option,
    start_option,
    written_options,
)

if TYPE_CHECKING:
    from analysis.formats import Printable
    from analysis.tables import Asked, Table
    from sims.runs import Study

FORMAT_OF_SUFFIX = {
    ".txt": "table",
    ".csv": "csv",
    ".json": "json",
    ".md": "markdown",
    ".tex": "latex",
    ".html": "html",
    ".typ": "typst",
    ".parquet": "parquet",
}

#: How the relations of a condition are written in the name of a file.
_RELATIONS = {">=": "at least", "<=": "at most", "!=": "not", ">": "above", "<": "below", "=": ""}

#: What `--exact-only` leaves without a meaning.
_ONLY_OF_DEALS = ("deals", "start", "seed", "jobs")

_question_options = options(
    rule_options,
    click.option(
        "--deals",
        type=DEALS,
        default=1_000_000,
        show_default=True,
        help="How many deals are simulated.",
    ),
    start_option,
    seed_option,
    jobs_option,
    click.option("--exact-only", is_flag=True, help="Deal nothing and show exact counts alone."),
    click.option(
        "--by", metavar="FIGURE", help="A second figure, to see how often both go together."
    ),
    click.option(
        "--where",
        metavar="CONDITION",
        help="Keep only the deals whose first hand fulfils a condition, as 'gleich>=triplet'; "
        "`mournival figures` lists what it may speak of.",
    ),
    click.option("--part", metavar="NAME", help="Show one part of the figure, as outcome."),
    level_option,
    click.option(
        "--interval",
        type=click.Choice(["wilson", "clopper-pearson"]),
        default="wilson",
        show_default=True,
        help="How intervals are reckoned: Wilson's are near the level, Clopper and Pearson's "
        "never below it.",
    ),
    click.option(
        "--simultaneous",
        is_flag=True,
        help="Make the intervals of all rows hold at once; they are Clopper and Pearson's then.",
    ),
    click.option(
        "--at-least", is_flag=True, help="Count with each class all that are better than it."
    ),
    quiet_option,
)


@click.command()
@click.argument("game")
@click.argument("figure")
@_question_options
@written_options
@click.pass_context
def table(
    context: click.Context, /, file_format: str | None, out: Path | None, **asked: Any
) -> None:
    """How often each class of FIGURE is dealt in GAME.

    Exact counts stand beside what a simulation dealt.
    """
    file_format = format_of(file_format, out)
    made, interrupted = _made(_question(context, **asked))
    write_made(made, file_format, out)
    if interrupted:
        context.exit(INTERRUPTED)


def format_of(file_format: str | None, out: Path | None) -> str:
    """The format that is asked for, by name or by the file's suffix, where it can be written."""
    from analysis import files
    from analysis.errors import InputError
    from analysis.formats import FORMATS
    from analysis.settings import one_of

    file_format = _format_of(out) if file_format is None else file_format
    one_of(file_format, FORMATS, "format")
    if file_format == "parquet" and out is None and sys.stdout.isatty():
        raise InputError("parquet is not for a terminal: name a file with --out")
    if out is not None:
        files.check_target(out)
    return file_format


def write_made(made: Printable, file_format: str, out: Path | None) -> None:
    """Write an answer to a file, or to the terminal."""
    from analysis import files
    from analysis.formats import FORMATS

    content = FORMATS[file_format](made)
    if out is not None:
        files.write(out, content if isinstance(content, bytes) else content.encode())
    elif isinstance(content, bytes):
        sys.stdout.buffer.write(content)
    else:
        sys.stdout.write(content)


def _format_of(out: Path | None) -> str:
    """The format that a file's suffix means; a table as the terminal's where it has none."""
    from analysis.errors import InputError

    if out is None or not out.suffix:
        return "table"
    if out.suffix.lower() not in FORMAT_OF_SUFFIX:
        allowed = ", ".join(FORMAT_OF_SUFFIX)
        raise InputError(f"no format of {out.suffix!r}: allowed are {allowed}, or name a --format")
    return FORMAT_OF_SUFFIX[out.suffix.lower()]


@click.command()
@click.argument("game")
@click.argument("figure")
@_question_options
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    help="Write FILE.svg, FILE.pdf or FILE.png; by default an svg named after what is drawn.",
)
@click.option(
    "--width",
    type=Width(),
    default=150.0,
    show_default="150mm",
    help=f"How wide the picture is, from {LEAST_WIDTH}mm, a column of print.",
)
@click.pass_context
def chart(context: click.Context, /, out: Path | None, width: float, **asked: Any) -> None:
    """Draw a figure's first part, or the part named."""
    from analysis import files
    from analysis.charts import UNDATED, drawn, first_part_drawn
    from analysis.settings import one_of
    from analysis.tables import figure_of, shown_parts

    kind = one_of(out.suffix.lower().removeprefix("."), UNDATED, "chart format") if out else "svg"
    question = _question(context, **asked)
    first_part_drawn(shown_parts(figure_of(question.study), question.asked))
    out = out or Path(_name_of_chart(question.study, question.asked))
    files.check_target(out)
    made, interrupted = _made(question)
    files.write(out, drawn(made, kind, width))
    click.echo(str(out))
    if interrupted:
        context.exit(INTERRUPTED)


def _name_of_chart(study: Study, asked: Asked) -> str:
    """The name of the file where none is given: charts of other questions have other names."""
    import re

    from analysis.settings import rule_changes

    words = [study.game, study.figure]
    words += ["by", study.by] if study.by is not None else []
    words += [asked.part] if asked.part is not None else []
    for key, value in rule_changes(study.rules).items():
        words += [key, value]
    words += ["at least"] if asked.at_least else []
    if study.where is not None:
        words += [
            "where",
            re.sub("[<>!]?=|[<>]", lambda sign: f" {_RELATIONS[sign[0]]} ", study.where),
        ]
    return re.sub(r"[\W_]+", "-", " ".join(words)).strip("-") + ".svg"


class _Question(NamedTuple):
    """A table that is asked for, and how it is to be worked out."""

    study: Study
    asked: Asked
    jobs: int | None
    quiet: bool


def _question(
    context: click.Context,
    /,
    game: str,
    figure: str,
    rules: tuple[tuple[str, str], ...],
    players: str | None,
    jobs: int | None,
    exact_only: bool,
    quiet: bool,
    deals: int,
    seed: int,
    by: str | None,
    where: str | None,
    **shown: Any,
) -> _Question:
    """The question that the options put; nothing is dealt yet.

    Parts that "at least" leaves out are named on stderr.
    """
    from analysis.errors import InputError
    from analysis.settings import game_named, rules_from
    from analysis.studies import study_of
    from analysis.tables import Asked, figure_of, shown_parts

    for name in _ONLY_OF_DEALS if exact_only else ():
        if is_given(context, name):
            raise InputError(f"--exact-only deals nothing: leave --{name} out")
    if shown["simultaneous"] and is_given(context, "interval") and shown["interval"] == "wilson":
        raise InputError(
            "--simultaneous intervals are clopper-pearson: leave --interval wilson out"
        )
    chosen = rules_from(game_named(game), rules_asked(rules, players))
    study = study_of(game, figure, chosen, seed, by, where)
    asked = Asked(0 if exact_only else deals, **shown)
    parts = shown_parts(figure_of(study), asked)
    if asked.part is None:
        left_out = [part.name for part in figure_of(study).parts if part not in parts]
        if left_out:
            say(f"--at-least leaves out what has no order: {', '.join(left_out)}")
    return _Question(study, asked, jobs, quiet)


def _made(question: _Question) -> tuple[Table, bool]:
    """The table, and whether it was interrupted and shows the deals done so far."""
    from analysis.studies import run_table

    study, asked, jobs, quiet = question
    with progress_bar(quiet) as bar:
        progress = bar(f"{study.game} {study.figure}") if bar is not None else None
        made, interrupted = run_table(study, asked, jobs, progress)
    if interrupted:
        say(f"interrupted after {made.asked.deals:,} of {asked.deals:,} deals, which are shown")
    return made, interrupted
