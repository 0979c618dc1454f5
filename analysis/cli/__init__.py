"""The command line. Heavy imports stand inside the commands, so that help is there at once.

`words` reads what options say; `tables`, `deals`, `plays`, `odds` and `reports` hold the commands;
`endings` says how a command ends. A new command is written in a room of its kind and named in
`COMMANDS`.
"""

from __future__ import annotations

import codecs
import io
import sys
from typing import Any, NoReturn

import click

from analysis.cli import endings
from analysis.cli.deals import deal, figures
from analysis.cli.odds import odds
from analysis.cli.plays import play
from analysis.cli.reports import bench, report
from analysis.cli.tables import chart, table

#: In the order in which the help lists them.
COMMANDS = (figures, table, chart, deal, play, odds, report, bench)

#: What stands for a dash and a minus sign where they cannot be shown; a question mark for the rest.
_PLAIN_SIGNS = {"–": "-", "−": "-"}


def main() -> NoReturn:
    """Run the command; every error is one line, and none is a traceback."""
    from analysis.errors import InputError

    if sys.stdout is None:
        endings.say("cannot write the output: there is none")
        sys.exit(endings.WRONG)
    if isinstance(sys.stdout, io.TextIOWrapper):
        codecs.register_error("plain signs", _in_plain_signs)
        sys.stdout.reconfigure(errors="plain signs")
    try:
        code = cli.main(prog_name="mournival", standalone_mode=False)
        sys.stdout.flush()
    except SystemExit:  # click's way to end where the pipe is closed
        endings.give_up(sys.stdout)
        code = endings.DONE
    except (KeyboardInterrupt, _InterruptedError):
        endings.say("interrupted")
        code = endings.INTERRUPTED
    except (InputError, click.ClickException) as error:
        text = error.format_message() if isinstance(error, click.ClickException) else str(error)
        endings.say(" ".join(text.split()))
        code = endings.WRONG
    except BrokenPipeError:
        endings.give_up(sys.stdout)
        code = endings.DONE
    except OSError as error:
        endings.give_up(sys.stdout)
        endings.say(f"cannot write the output: {error.strerror}")
        code = endings.WRONG
    sys.exit(code or endings.DONE)


def _in_plain_signs(error: UnicodeError) -> tuple[str, int]:
    """What is written instead of signs that the terminal's encoding does not have."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    signs = error.object[error.start : error.end]
    return "".join(_PLAIN_SIGNS.get(sign, "?") for sign in signs), error.end


class _InterruptedError(Exception):
    """Ctrl-C; click would answer a KeyboardInterrupt with an empty line."""


class _Commands(click.Group):
    """A group that names the nearest command for a misspelt one."""

    def invoke(self, context: click.Context) -> Any:
        try:
            return super().invoke(context)
        except KeyboardInterrupt:
            raise _InterruptedError from None

    def list_commands(self, context: click.Context) -> list[str]:
        return list(self.commands)

    def resolve_command(
        self, context: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        from analysis.settings import one_of

        if not args[0].startswith("-"):
            one_of(args[0], list(self.commands), "command")
        return super().resolve_command(context, args)


@click.group(
    cls=_Commands, invoke_without_command=True, context_settings={"max_content_width": 100}
)
@click.version_option(
    package_name="mournival", message="mournival %(version)s", help="Show the version and exit."
)
@click.pass_context
def cli(context: click.Context) -> None:
    """How often, how good: the figures of old vying games, exact and simulated.

    \b
    mournival table gilten gleich          how often a hand holds which Gleich
    mournival chart gilten team-hanger     who has the better Hanger, as a picture
    mournival odds gilten --hand "UE UL UH 7S 8S"   what these cards are worth
    mournival play gilten --policy bold --against steady   what boldness brings
    mournival report                       all tables and charts, as a page
    """
    if context.invoked_subcommand is None:
        click.echo(context.get_help())


for command in COMMANDS:
    cli.add_command(command)
