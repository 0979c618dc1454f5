"""The sentence that leads a table in print; its numbers come from the table."""

from __future__ import annotations

from typing import Any

from analysis.tables import Table
from analysis.wording import how_often

#: By game and figure: a sentence, and for each of its gaps the part and the labels, by column, of
#: the classes whose chances are added up.
SENTENCES: dict[tuple[str, str], tuple[str, tuple[tuple[str, dict[str, Any]], ...]]] = {
    ("gilten", "gleich"): (
        "A hand holds a pair {}, a triplet {} and a quartet {}; it holds no Gleich {}.",
        tuple(("hand", {"size": size}) for size in ("pair", "triplet", "quartet", "none")),
    ),
    ("gilten", "hanger"): (
        "A hand's longest run has two cards {}, three {}, four {} and five {}; there is none {}.",
        tuple(("hand", {"length": length}) for length in ("2", "3", "4", "5", "none")),
    ),
    ("gilten", "gleich-hanger"): (
        "A hand holds neither a Gleich nor a Hanger {}.",
        (("hand", {"size": "none", "length": "none"}),),
    ),
    ("gilten", "team-gleich"): (
        "Forehand's team wins the Gleich {}, the other {}; it stands {}, and nobody has one {}.",
        tuple(("outcome", {"outcome": o}) for o in ("ours", "theirs", "stands", "none")),
    ),
    ("gilten", "team-hanger"): (
        "Forehand's team wins the Hanger {}, the other {}; it stands {}, and nobody has one {}.",
        tuple(("outcome", {"outcome": o}) for o in ("ours", "theirs", "stands", "none")),
    ),
    ("giley", "two"): (
        "Two cards are worth 21 {} and 20 {}; they are of different suits, worth 11 or less, {}.",
        (
            ("hand", {"points": (21,)}),
            ("hand", {"points": (20,)}),
            ("hand", {"points": (7, 10, 11)}),
        ),
    ),
    ("giley", "four"): (
        "Four cards as dealt are a 41 {}, another four of a suit {}, and a 31 {}.",
        (
            ("hand", {"points": (41,)}),
            ("hand", {"points": (37, 38, 40)}),
            ("hand", {"points": (31,)}),
        ),
    ),
    ("giley", "best"): (
        "The dealer wins {}, mano {}; a 41 lies at the table {} and one hand alone is best {}.",
        (
            ("winner", {"seat": "dealer"}),
            ("winner", {"seat": "mano"}),
            ("points", {"points": (41,)}),
            ("tie", {"tied": (1,)}),
        ),
    ),
    ("gleek", "ruff"): (
        "A hand's ruff is 41 or more {}, 50 or more {}; four aces are held {}.",
        (
            ("hand", {"ruff": (*range(41, 91), "four aces")}),
            ("hand", {"ruff": (*range(50, 91), "four aces")}),
            ("hand", {"ruff": ("four aces",)}),
        ),
    ),
    ("gleek", "best-ruff"): (
        "Eldest has the best ruff {}, the second player {}, the dealer {}; two or three tie {}.",
        (
            *(("winner", {"seat": seat}) for seat in ("eldest", "second", "dealer")),
            ("tie", {"tied": (2, 3)}),
        ),
    ),
    ("gleek", "sets"): (
        "A hand of Gleek holds a gleek of aces {} and a mournival of aces {}; it holds no set {}.",
        (
            ("A", {"set": "gleek"}),
            ("A", {"set": "mournival"}),
            ("number", {"sets": (0,)}),
        ),
    ),
    ("gleek", "aces"): (
        "A hand holds no ace {}, three {} and all four {}.",
        tuple(("hand", {"aces": (number,)}) for number in (0, 3, 4)),
    ),
    ("gleek", "honours"): (
        "A hand holds no trump honour {}; one is turned up {}, and none lies in the stock {}.",
        (
            ("hand", {"number": (0,)}),
            ("turnup", {"turnup": ("A", "K", "Q", "J")}),
            ("stock", {"number": (0,)}),
        ),
    ),
    ("gilten", "odds-gleich"): (
        "A hand's pair of sevens wins its team the Gleich {}, a pair of aces {} and a triplet of "
        "sevens {}.",
        tuple(
            ("hand", {"size": size, "rank": rank, "outcome": "ours"})
            for size, rank in (("pair", "7"), ("pair", "A"), ("triplet", "7"))
        ),
    ),
    ("gilten", "odds-hanger"): (
        "A hand's two up to the eight win its team the Hanger {}, two up to the ace {} and three "
        "up to the nine {}.",
        tuple(
            ("hand", {"length": length, "top": top, "outcome": "ours"})
            for length, top in (("2", "8"), ("2", "A"), ("3", "9"))
        ),
    ),
    ("giley", "odds-two"): (
        "Where nobody drops, mano's first two cards win the show with 11 points {}, with 20 {} and "
        "with 21 {}.",
        tuple(
            ("mano", {"points": (points,), "outcome": ("alone", "tied, won")})
            for points in (11, 20, 21)
        ),
    ),
    ("giley", "odds-four"): (
        "Where nobody drops, mano wins the show with 21 points {}, with 30 {} and with 31 {}.",
        tuple(
            ("mano", {"points": (points,), "outcome": ("alone", "tied, won")})
            for points in (21, 30, 31)
        ),
    ),
    ("gleek", "odds-ruff"): (
        "Eldest's ruff of 40 is the best, or tied and wins, {}, one of 50 {} and one of 60 {}.",
        tuple(
            ("eldest", {"ruff": (total,), "outcome": ("alone", "tied, won")})
            for total in (40, 50, 60)
        ),
    ),
}


def lead(table: Table) -> str:
    """The leading sentence of a table that shows all that the sentence speaks of, else ''."""
    sentence = SENTENCES.get((table.study.game, table.study.figure))
    shown = {part.name for part in table.parts}
    if sentence is None or any(part not in shown for part, _ in sentence[1]):
        return ""
    text, gaps = sentence
    return text.format(*(how_often(_chance(table, *gap)) for gap in gaps))


def _chance(table: Table, part: str, labels: dict[str, Any]) -> float:
    rows = table.part(part)
    for column, wanted in labels.items():
        allowed = (wanted,) if isinstance(wanted, str) else wanted
        rows = rows[rows[column].isin(list(allowed))]
    return float(rows["exact" if "exact" in rows else "estimate"].sum())
