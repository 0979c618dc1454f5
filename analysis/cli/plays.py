"""Deals, matches and sessions played by policies."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import click

from analysis.cli.endings import INTERRUPTED, say
from analysis.cli.tables import format_of, write_made
from analysis.cli.words import (
    DEALS,
    is_given,
    jobs_option,
    level_option,
    progress_bar,
    quiet_option,
    rule_options,
    rules_asked,
    seed_option,
    start_option,
    written_options,
)


class Score(click.ParamType[tuple[int, int]]):
    """Two scores such as `9:7`."""

    name = "ours:theirs"

    def convert(
        self, value: Any, param: click.Parameter | None, context: click.Context | None
    ) -> tuple[int, int]:
        if isinstance(value, tuple):
            return value
        found = re.fullmatch(r"\s*(\d{1,3})\s*:\s*(\d{1,3})\s*", value, re.ASCII)
        if found is None:
            self.fail(f"{value!r}: two scores are written OURS:THEIRS, as 9:7")
        return int(found[1]), int(found[2])


@click.command()
@click.argument("game")
@click.option(
    "--policy",
    "policies",
    metavar="NAME",
    multiple=True,
    help="How all players play or, beside --against, one side: a shipped policy, or a file ending "
    "in .toml; by default steady.",
)
@click.option("--against", metavar="NAME", help="The policy of the other side, on the same cards.")
@click.option(
    "--tournament",
    is_flag=True,
    help="Every shipped policy, and those named with --policy, against every other.",
)
@click.option(
    "--matches",
    "--sessions",
    "whole",
    is_flag=True,
    help="Play whole matches (Gilten) or sessions, not single deals.",
)
@click.option(
    "--score",
    "scores",
    type=Score(),
    default=(0, 0),
    help="Begin at these scores, of the first policy and of the other (Gilten).",
)
@click.option(
    "--deals",
    type=DEALS,
    help="How many deals, by default 1,000,000; or matches or sessions, by default 100,000.",
)
@start_option
@seed_option
@rule_options
@level_option
@jobs_option
@quiet_option
@written_options
@click.pass_context
def play(
    context: click.Context,
    /,
    game: str,
    policies: tuple[str, ...],
    against: str | None,
    tournament: bool,
    deals: int | None,
    start: int,
    level: float,
    jobs: int | None,
    quiet: bool,
    file_format: str | None,
    out: Path | None,
    rules: tuple[tuple[str, str], ...],
    players: str | None,
    **asked: Any,
) -> None:
    """Play GAME with policies: what deals bring, and what is said.

    \b
    mournival play gilten                                steady by itself
    mournival play gilten --policy bold --against steady   on the same cards
    mournival play gilten --tournament                   every policy against every other
    """
    from analysis.errors import InputError
    from analysis.play.answers import run_played, units_by_default
    from analysis.play.contests import Asked, contest_of, played_game
    from analysis.play.tournaments import tournament as held
    from analysis.policies import shipped_policies
    from analysis.settings import game_named, rules_from

    played = played_game(game)
    file_format = format_of(file_format, out)
    if is_given(context, "scores") and not played.SCORED:
        raise InputError(f"--score: in {game} there are no scores to begin from")
    asked["rules"] = rules_from(game_named(game), rules_asked(rules, players))
    deals = units_by_default(asked["whole"]) if deals is None else deals
    if tournament:
        if against is not None:
            raise InputError("--tournament plays all against all: leave --against out")
        shipped = shipped_policies(game)
        names = [*shipped, *(name for name in policies if name not in shipped)]
        with progress_bar(quiet) as bar:
            progress = bar(f"{game} tournament") if bar is not None else None
            made: Any = held(
                game,
                names,
                deals=deals,
                start=start,
                level=level,
                jobs=jobs,
                progress=progress,
                **asked,
            )
        write_made(made, file_format, out)
        return
    if len(policies) > 1:
        raise InputError("one --policy, and the other side's with --against; or --tournament")
    policy = policies[0] if policies else "steady"
    contest = contest_of(game, policy, against, **asked)
    names_of_sides = (policy, policy if against is None else against)
    with progress_bar(quiet) as bar:
        progress = bar(f"{game} {policy}") if bar is not None else None
        made, interrupted = run_played(
            contest, names_of_sides, Asked(deals, start, level), jobs, progress
        )
    if interrupted:
        say(f"interrupted after {made.asked.units:,} of {deals:,}, which are shown")
    write_made(made, file_format, out)
    if interrupted:
        context.exit(INTERRUPTED)
