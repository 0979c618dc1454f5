"""What a player asks who holds some cards."""

from __future__ import annotations

from pathlib import Path

import click

from analysis.cli.words import DEALS, rule_options, rules_asked, seed_option


@click.command()
@click.argument("game")
@click.option("--hand", required=True, metavar="CARDS", help='Your cards, as "UE UL UH 7S 8S".')
@click.option("--turnup", default="", metavar="CARD", help="The card turned up (Gilten, Gleek).")
@click.option("--partner", default="", metavar="CARDS", help="Your partner's cards (Gilten).")
@click.option("--known", default="", metavar="CARDS", help="Cards you have seen elsewhere.")
@click.option("--seat", default="", metavar="SEAT", help="Yours, as forehand, mano or dealer.")
@rule_options
@click.option("--cards", type=click.Choice(["2", "4"]), help="Two or four cards (Giley).")
@click.option(
    "--stock",
    type=click.Choice(["none", "mine"]),
    default="none",
    show_default=True,
    help="Who has bought the stock (Gleek).",
)
@click.option("--laid-out", default="", metavar="CARDS", help="What you lay out for it (Gleek).")
@click.option(
    "--aim",
    default="",
    metavar="AIM",
    help="The best discard for most-points, most-41 or beat=N (Giley), the best lay-out for ruff"
    " or sets (Gleek).",
)
@click.option(
    "--against",
    default="",
    metavar="RULE",
    help="How the others draw: best-suit or most-points (Giley).",
)
@click.option(
    "--by", "by", type=click.Choice(["class"]), help="Average over all hands of the same class."
)
@click.option(
    "--deals",
    type=DEALS,
    default=1_000_000,
    show_default=True,
    help="How many deals are simulated where counting cannot answer.",
)
@seed_option
@click.option(
    "--format",
    "file_format",
    metavar="NAME",
    default="table",
    show_default=True,
    help="How it is written: table or json.",
)
@click.option(
    "--out", type=click.Path(path_type=Path), help="Write to a file instead of the terminal."
)
def odds(
    game: str,
    hand: str,
    rules: tuple[tuple[str, str], ...],
    players: str | None,
    cards: str | None,
    by: str | None,
    file_format: str,
    out: Path | None,
    **known: str | int,
) -> None:
    """What your cards are worth: exact chances for who holds this hand.

    Fewer cards than a hand are "at least these": the answer averages over the others.
    """
    from analysis import files
    from analysis.odds import answers, asking
    from analysis.odds.questions import Question
    from analysis.settings import game_named, one_of, rules_from

    one_of(file_format, answers.FORMATS, "format")
    if out is not None:
        files.check_target(out)
    chosen = rules_from(game_named(game), rules_asked(rules, players))
    question = Question(
        game,
        hand,
        chosen,
        cards=int(cards) if cards is not None else None,
        by_class=by is not None,
        **known,  # type: ignore[arg-type]
    )
    text = answers.FORMATS[file_format](asking.answered(question))
    if out is not None:
        files.write(out, text.encode())
    else:
        click.echo(text, nl=False)
