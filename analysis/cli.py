"""The command line. Heavy imports stand inside the commands, so that help is there at once."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn, TextIO, TypeVar

import click

if TYPE_CHECKING:
    from analysis.tables import Table
    from sims.figures import Part
    from sims.runs import Progress, Study

DONE, FAILED, WRONG, INTERRUPTED = 0, 1, 2, 130

_Command = TypeVar("_Command", bound=Callable[..., Any])

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


def main() -> NoReturn:
    """Run the command; every error is one line, and none is a traceback."""
    from analysis.errors import InputError

    if sys.stdout is None:
        _say("cannot write the output: there is none")
        sys.exit(WRONG)
    if isinstance(sys.stdout, io.TextIOWrapper):
        # A terminal that cannot show a dash or a suit sign gets a question mark.
        sys.stdout.reconfigure(errors="replace")
    try:
        code = cli.main(prog_name="mournival", standalone_mode=False)
        sys.stdout.flush()
    except SystemExit:  # click's way to end where the pipe is closed
        _give_up(sys.stdout)
        code = DONE
    except (KeyboardInterrupt, _InterruptedError):
        _say("interrupted")
        code = INTERRUPTED
    except (InputError, click.ClickException) as error:
        text = error.format_message() if isinstance(error, click.ClickException) else str(error)
        _say(" ".join(text.split()))
        code = WRONG
    except BrokenPipeError:
        _give_up(sys.stdout)
        code = DONE
    except OSError as error:
        _give_up(sys.stdout)
        _say(f"cannot write the output: {error.strerror}")
        code = WRONG
    sys.exit(code or DONE)


def _say(text: str) -> None:
    """One line to stderr, if there is one."""
    if sys.stderr is None:
        return
    try:
        print(f"mournival: {text}", file=sys.stderr, flush=True)
    except OSError:
        _give_up(sys.stderr)


def _give_up(stream: TextIO) -> None:
    """Send what is still in the buffer nowhere, so that Python's exit does not trip over it."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


class _WholeNumber(click.ParamType[int]):
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


class _Rule(click.ParamType[tuple[str, str]]):
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


class _Level(click.ParamType[float]):
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


class _Width(click.ParamType[float]):
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
        if not 60 <= width <= 1000:
            self.fail(f"{value!r}: allowed are 60mm to 1000mm")
        return width


class _InterruptedError(Exception):
    """Ctrl-C; click would answer a KeyboardInterrupt with an empty line."""


class _Commands(click.Group):
    """A group that names the nearest command for a misspelt one."""

    def invoke(self, context: click.Context) -> Any:
        try:
            return super().invoke(context)
        except KeyboardInterrupt:
            raise _InterruptedError from None

    def resolve_command(
        self, context: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        from analysis.settings import one_of

        if not args[0].startswith("-"):
            one_of(args[0], list(self.commands), "command")
        return super().resolve_command(context, args)


INDEX = _WholeNumber(0, (1 << 62) - 1)
DEALS = _WholeNumber(1, 1 << 62)
SEED = _WholeNumber(0, (1 << 64) - 1)
JOBS = _WholeNumber(1, 1024)


def _options(*options: Callable[[_Command], _Command]) -> Callable[[_Command], _Command]:
    """Several options as one decorator."""

    def decorate(command: _Command) -> _Command:
        for option in reversed(options):
            command = option(command)
        return command

    return decorate


_rule_options = _options(
    click.option("--rule", "rules", type=_Rule(), multiple=True, help="An option of the rules."),
    click.option("--players", type=str, metavar="N", help="Short for --rule players=N."),
)
_run_options = _options(
    click.option("--deals", type=DEALS, default=1_000_000, show_default=True, help="How many."),
    click.option("--start", type=INDEX, default=0, help="Index of the first deal."),
    click.option("--seed", type=SEED, default=1, show_default=True, help="0 to 2^64 - 1."),
    click.option("--jobs", type=JOBS, help="Threads; by default one a core."),
    click.option("--exact-only", is_flag=True, help="Deal nothing, count only."),
    click.option("--by", metavar="FIGURE", help="Jointly with a second figure."),
    click.option("--where", metavar="CONDITION", help="Only deals that fulfil a condition."),
    click.option("--part", metavar="NAME", help="One part of the figure."),
    click.option("--level", type=_Level(), default=0.95, show_default=True, help="Of intervals."),
    click.option(
        "--interval",
        type=click.Choice(["wilson", "clopper-pearson"]),
        default="wilson",
        show_default=True,
        help="Kind of interval.",
    ),
    click.option(
        "--simultaneous",
        is_flag=True,
        help="Clopper-Pearson intervals that hold for all rows at once.",
    ),
    click.option("--at-least", is_flag=True, help="Each class or better."),
    click.option("--quiet", is_flag=True, help="No progress bar."),
)


@click.group(
    cls=_Commands, invoke_without_command=True, context_settings={"max_content_width": 100}
)
@click.version_option(package_name="mournival", message="mournival %(version)s")
@click.pass_context
def cli(context: click.Context) -> None:
    """How often, how good: the figures of old vying games, exact and simulated.

    \b
    mournival table gilten gleich          how often a hand holds which Gleich
    mournival chart gilten team-hanger     who has the better Hanger, as a picture
    mournival report                       all tables and charts, as a page
    """
    if context.invoked_subcommand is None:
        click.echo(context.get_help())


@cli.command()
def figures() -> None:
    """List the games, their figures and the options of their rules."""
    from analysis.settings import rule_values
    from sims.games import GAMES, game

    for name, introduction in GAMES.items():
        known = game(name)
        click.echo(f"{name}: {introduction}")
        for figure in known.figures(known.Rules()).values():
            click.echo(f"  {figure.name:18} {figure.title}")
        for key, values in rule_values(known).items():
            first, *others = values
            click.echo(f"  --rule {key}={first} (default), {', '.join(others)}")
        for atom in known.HAND.atoms.values():
            click.echo(f"  --where {atom.name:10} {atom.meaning}")


@cli.command()
@click.argument("game")
@click.argument("figure")
@_rule_options
@_run_options
@click.option(
    "--format",
    "file_format",
    metavar="NAME",
    help="table, csv, json, markdown, latex, html, typst, parquet.",
)
@click.option("--out", type=click.Path(path_type=Path), help="A file instead of the terminal.")
@click.pass_context
def table(
    context: click.Context, /, file_format: str | None, out: Path | None, **asked: Any
) -> None:
    """How often each class of FIGURE is dealt in GAME: exact beside simulated."""
    from analysis import files
    from analysis.errors import InputError
    from analysis.formats import FORMATS
    from analysis.settings import one_of

    if file_format is None:
        file_format = FORMAT_OF_SUFFIX.get(out.suffix.lower(), "table") if out else "table"
    one_of(file_format, FORMATS, "format")
    if file_format == "parquet" and out is None and sys.stdout.isatty():
        raise InputError("parquet is not for a terminal: name a file with --out")
    if out is not None:
        files.check_target(out)
    made, interrupted = _table_asked(context, None, **asked)
    content = FORMATS[file_format](made)
    if out is not None:
        files.write(out, content if isinstance(content, bytes) else content.encode())
    elif isinstance(content, bytes):
        sys.stdout.buffer.write(content)
    else:
        sys.stdout.write(content)
    if interrupted:
        context.exit(INTERRUPTED)


@cli.command()
@click.argument("game")
@click.argument("figure")
@_rule_options
@_run_options
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    help="FILE.svg, FILE.pdf or FILE.png; by default GAME-FIGURE.svg.",
)
@click.option("--width", type=_Width(), default=150.0, show_default="150mm", help="As 84mm.")
@click.pass_context
def chart(context: click.Context, /, out: Path | None, width: float, **asked: Any) -> None:
    """Draw a figure's first part, or the part named."""
    from analysis import files
    from analysis.charts import UNDATED, drawn, first_part_drawn
    from analysis.settings import one_of

    out = out or Path(f"{asked['game']}-{asked['figure']}.svg")
    kind = one_of(out.suffix.lower().removeprefix("."), UNDATED, "chart format")
    files.check_target(out)
    made, interrupted = _table_asked(context, first_part_drawn, **asked)
    files.write(out, drawn(made, kind, width))
    click.echo(str(out))
    if interrupted:
        context.exit(INTERRUPTED)


@cli.command()
@click.argument("game")
@_rule_options
@click.option("--seed", type=SEED, default=1, show_default=True, help="0 to 2^64 - 1.")
@click.option("--index", type=INDEX, default=0, show_default=True, help="Which deal.")
@click.option("--format", "file_format", default="table", help="table or json.")
def deal(
    game: str,
    rules: tuple[tuple[str, str], ...],
    players: str | None,
    seed: int,
    index: int,
    file_format: str,
) -> None:
    """Show one deal: the hands, and what they are worth."""
    from analysis import records
    from analysis.settings import game_named, one_of, rules_from

    one_of(file_format, records.FORMATS, "format")
    known = game_named(game)
    given = rules_from(known, _rules(rules, players))
    record = known.deal_record(given, seed, index)
    click.echo(records.FORMATS[file_format](game, given, seed, index, record), nl=False)


@cli.command()
@click.option("--deals", type=DEALS, default=100_000_000, show_default=True, help="A table.")
@click.option("--seed", type=SEED, default=1, show_default=True, help="0 to 2^64 - 1.")
@click.option("--jobs", type=JOBS, help="Threads; by default one a core.")
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    default=Path("reports"),
    show_default=True,
    help="The folder.",
)
@click.option("--check", is_flag=True, help="Rebuild the tables there and compare every byte.")
@click.option("--quiet", is_flag=True, help="No progress bar.")
@click.pass_context
def report(
    context: click.Context,
    /,
    deals: int,
    seed: int,
    jobs: int | None,
    out: Path,
    check: bool,
    quiet: bool,
) -> None:
    """Write all tables and charts, and a page that shows them."""
    from analysis import report as reports
    from analysis.errors import InputError

    for name in ("deals", "seed") if check else ():
        if _is_given(context, name):
            raise InputError(f"--check takes deals and seed from the manifest: leave --{name} out")
    with _progress_bar(quiet) as progress:
        if check:
            differing = reports.check(out, jobs, progress)
        else:
            reports.write(out, deals, seed, jobs, progress)
    if not check:
        click.echo(str(out / "index.html"))
        return
    for line in differing:
        _say(line)
    if differing:
        context.exit(FAILED)
    click.echo(f"{out}: every table is what its manifest makes")


@cli.command()
@click.pass_context
def bench(context: click.Context, /) -> None:
    """Measure the speed: each figure beside its bar; fails if a bar is missed."""
    from analysis.bench import bars

    if not bars.measure_and_print():
        context.exit(FAILED)


def _is_given(context: click.Context, option: str) -> bool:
    return context.get_parameter_source(option) is not click.core.ParameterSource.DEFAULT


def _rules(rules: tuple[tuple[str, str], ...], players: str | None) -> list[tuple[str, str]]:
    return [*rules, *([("players", players)] if players is not None else [])]


def _table_asked(
    context: click.Context,
    check: Callable[[tuple[Part, ...]], Any] | None,
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
) -> tuple[Table, bool]:
    """The table that the options ask for, and whether it was interrupted.

    `check` is given the parts to be shown before anything is dealt.
    """
    from analysis.errors import InputError
    from analysis.settings import game_named, rules_from
    from analysis.studies import run_table, study_of
    from analysis.tables import Asked, figure_of, shown_parts

    if exact_only and _is_given(context, "deals"):
        raise InputError("--exact-only deals nothing: leave --deals out")
    chosen = rules_from(game_named(game), _rules(rules, players))
    study = study_of(game, figure, chosen, seed, by, where)
    asked = Asked(0 if exact_only else deals, **shown)
    if check is not None:
        check(shown_parts(figure_of(study), asked))
    with _progress_bar(quiet) as progress:
        made, interrupted = run_table(study, asked, jobs, _named(progress, study))
    if interrupted:
        _say(f"interrupted after {made.asked.deals:,} of {deals:,} deals, which are shown")
    return made, interrupted


@contextmanager
def _progress_bar(quiet: bool) -> Iterator[Callable[[str], Progress] | None]:
    """A bar on stderr with rate and time left; none where nobody watches."""
    if quiet or sys.stderr is None or not sys.stderr.isatty():
        yield None
        return
    from analysis.progress import bar

    with bar() as progress:
        yield progress


def _named(progress: Callable[[str], Progress] | None, study: Study) -> Progress | None:
    return progress(f"{study.game} {study.figure}") if progress is not None else None


if __name__ == "__main__":
    main()
