"""What there is to ask for, and single deals."""

from __future__ import annotations

import click

from analysis.cli.words import INDEX, rule_options, rules_asked, seed_option


@click.command()
def figures() -> None:
    """List games, figures, rules, conditions and policies."""
    from analysis.policies import shipped_policies, told_of
    from analysis.settings import rule_values
    from sims.games import GAMES, PLAYED, game

    for name, introduction in GAMES.items():
        known = game(name)
        click.echo(f"{name}: {introduction}")
        for figure in known.figures(known.Rules()).values():
            click.echo(f"  {figure.name:18} {figure.title}")
        for key, values in rule_values(known).items():
            in_play = key in known.PLAY_OPTIONS
            if in_play and name not in PLAYED:
                continue
            first, *others = values
            only = "; in play only" if in_play else ""
            click.echo(f"  --rule {key}={first} (default), {', '.join(others)}{only}")
        for atom in known.HAND.atoms.values():
            click.echo(f"  --where {atom.name:10} {atom.meaning}")
        for policy in shipped_policies(name) if name in PLAYED else ():
            click.echo(f"  --policy {policy:9} {told_of(name, policy)}")


@click.command()
@click.argument("game")
@rule_options
@seed_option
@click.option(
    "--index",
    type=INDEX,
    default=0,
    show_default=True,
    help="Which deal of the seed is shown; the first is 0.",
)
@click.option(
    "--format",
    "file_format",
    metavar="NAME",
    default="table",
    show_default=True,
    help="How it is written: table or json.",
)
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
    from analysis.settings import check_as_dealt, game_named, one_of, rules_from

    one_of(file_format, records.FORMATS, "format")
    known = game_named(game)
    given = rules_from(known, rules_asked(rules, players))
    check_as_dealt(known, given)
    record = known.deal_record(given, seed, index)
    click.echo(records.FORMATS[file_format](game, given, seed, index, record), nl=False)
