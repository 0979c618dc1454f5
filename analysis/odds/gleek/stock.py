"""What the stock of Gleek brings for a lay-out, and the best lay-out for an aim (GK-2)."""

from __future__ import annotations

from analysis.exact.gleek_ruff import GLEEK
from analysis.exact.gleek_stock import best_ruff_ways, income_ways, layouts, set_counts
from analysis.odds.answers import Answer, Piece
from analysis.odds.gleek.seen import Seen, trump_honours
from analysis.odds.gleek.words import (
    RANKS,
    outcome_piece,
    outcome_sentence,
    piece,
    ruff_piece,
    text,
)
from analysis.wording import how_often
from sims.gleek.figures import INCOME, SET, SETS

#: What a lay-out can be best for.
AIMS = {"ruff": "the ruff", "sets": "sets"}


def after_the_stock(seen: Seen) -> Answer:
    """What the stock brings for the cards laid out."""
    lead, pieces = _after(seen, seen.laid_out)
    return Answer(f"You lay out {text(seen.laid_out)}. {lead}", pieces, tuple(_notes(seen)))


def best_layout(seen: Seen, aim: str) -> Answer:
    """The lay-out that is best for an aim, and what the stock brings for it.

    For `ruff` it is the one with the highest chance of the best ruff of three, for `sets` that with
    the highest expected income from sets. Of several as good, it is the best for the other aim.
    """
    choices = layouts(seen.hand, trump_honours(seen.turnup))
    hands = [seen.hands(*seen.kept(laid_out)) for laid_out in choices]
    own = [seen.one_hand(*seen.kept(laid_out)) for laid_out in choices]
    others = seen.without(hands[0])
    kept = [position.held[seen.seat] for position in hands]
    values = {
        "ruff": best_ruff_ways(others, seen.seat, kept, GLEEK.points).tolist(),
        "sets": [income_ways(position) for position in own],
    }
    value, (other,) = values[aim], values.keys() - {aim}
    order = sorted(range(len(choices)), key=lambda choice: (-value[choice], -values[other][choice]))
    best = choices[order[0]]
    lead, pieces = _after(seen, best)
    notes = _notes(seen)
    equal = value.count(value[order[0]])
    if equal > 1:
        notes.append(
            f"{equal} lay-outs are as good for {AIMS[aim]}; this is the best of them for"
            f" {AIMS[other]}."
        )
    if equal < len(order):
        following = order[equal]
        if aim == "ruff":
            worth = f"its ruff wins {how_often(value[following] / others.total)}"
        else:
            worth = f"its sets bring {_chips(value[following], own[0].total)}"
        notes.append(f"The next best is {text(choices[following])}: {worth}.")
    lead = f"The best lay-out for {AIMS[aim]} is {text(best)}. {lead}"
    return Answer(lead, pieces, tuple(notes))


def _after(seen: Seen, laid_out: int) -> tuple[str, tuple[Piece, ...]]:
    """Sentences and pieces on what the player holds after the stock."""
    own, wanted = seen.kept(laid_out)
    hands, hand = seen.hands(own, wanted), seen.one_hand(own, wanted)
    ruff, sets = outcome_piece(hands, seen.seat), set_counts(hand)
    axes = {rank: (f"{name}_after", SET) for rank, name in RANKS.items()}
    axes |= {"number": ("sets_after", SETS), "income": ("income_after", INCOME)}
    pieces = (
        ruff,
        ruff_piece("ruff_after", hands, seen.seat),
        *(piece(*axes[part], ways, sets.total) for part, ways in sets.ways.items()),
    )
    sentence = outcome_sentence("The ruff you then hold", ruff)
    return f"{sentence} Your sets bring {_chips(income_ways(hand), hand.total)}.", pieces


def _chips(ways: int, total: int) -> str:
    return f"{ways / total:.3f} chips from each of the others on average"


def _notes(seen: Seen) -> list[str]:
    """What was assumed."""
    notes = ["The others hold their cards as dealt; what the bidding tells is not counted."]
    if seen.known:
        notes.append(
            "The known cards, revealed at random, lie in the stock: you take them with it."
        )
    return notes
