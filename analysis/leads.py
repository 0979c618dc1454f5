"""The sentence that leads a table in print; its numbers come from the table."""

from __future__ import annotations

from typing import Any

from analysis import wording
from analysis.tables import Table

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
}


def lead(table: Table) -> str:
    """The leading sentence of a table that shows all that the sentence speaks of, else ''."""
    sentence = SENTENCES.get((table.study.game, table.study.figure))
    shown = {part.name for part in table.parts}
    if sentence is None or any(part not in shown for part, _ in sentence[1]):
        return ""
    text, gaps = sentence
    return text.format(*(how_often(_chance(table, *gap)) for gap in gaps))


def how_often(chance: float) -> str:
    """A chance within a sentence.

    Examples
    --------
    >>> how_often(0.65406), how_often(0.0145688), how_often(0.00013904), how_often(0.0)
    ('65.4 % of the time', 'once in 69', 'once in 7,192', 'never')
    """
    if chance == 0:
        return "never"
    if chance >= 0.1:
        return f"{100 * chance:.1f} % of the time"
    return f"once in {wording.one_in(chance).removeprefix('1 in ')}"


def _chance(table: Table, part: str, labels: dict[str, Any]) -> float:
    rows = table.part(part)
    for column, wanted in labels.items():
        allowed = (wanted,) if isinstance(wanted, str) else wanted
        rows = rows[rows[column].isin(list(allowed))]
    return float(rows["exact" if "exact" in rows else "estimate"].sum())
