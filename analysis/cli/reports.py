"""All tables at once, and how fast they are made."""

from __future__ import annotations

from pathlib import Path

import click

from analysis.cli.endings import FAILED, say
from analysis.cli.words import (
    DEALS,
    is_given,
    jobs_option,
    progress_bar,
    quiet_option,
    seed_option,
)


@click.command()
@click.option(
    "--deals",
    type=DEALS,
    default=100_000_000,
    show_default=True,
    help="How many deals are simulated for each table.",
)
@seed_option
@jobs_option
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    default=Path("reports"),
    show_default=True,
    help="The folder that is written.",
)
@click.option(
    "--check",
    is_flag=True,
    help="Write nothing: make the folder's tables again and compare every byte.",
)
@quiet_option
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
        if is_given(context, name):
            raise InputError(f"--check takes deals and seed from the manifest: leave --{name} out")
    with progress_bar(quiet) as progress:
        if check:
            differing = reports.check(out, jobs, progress)
        else:
            reports.write(out, deals, seed, jobs, progress)
    if not check:
        click.echo(str(out / "index.html"))
        return
    for line in differing:
        say(line)
    if differing:
        context.exit(FAILED)
    click.echo(f"{out}: every table is what its manifest makes")


@click.command()
@click.pass_context
def bench(context: click.Context, /) -> None:
    """Measure the speed, each figure beside its bar.

    It fails if a bar is missed.
    """
    from analysis.bench import bars

    if not bars.measure_and_print():
        context.exit(FAILED)
