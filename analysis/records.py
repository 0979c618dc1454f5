"""One deal, readably and as JSON."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import msgspec

from sims import __version__


def readable(game: str, rules: Any, seed: int, index: int, record: dict[str, Any]) -> str:
    """A line a seat, then what concerns the whole deal."""
    hands = record["hands"]
    headings = list(hands[0])
    rows = [headings] + [[_words(hand[name]) for name in headings] for hand in hands]
    widths = [max(len(row[column]) for row in rows) for column in range(len(headings))]
    lines = [f"{game.capitalize()}, deal {index} of seed {seed}", ""]
    for row in rows:
        cells = (cell.ljust(width) for cell, width in zip(row, widths, strict=True))
        lines.append("  ".join(cells).rstrip())
    lines.append("")
    lines += [
        f"{name.replace('_', ' ')}: {_words(value)}"
        for name, value in record.items()
        if name != "hands"
    ]
    return "\n".join(lines) + "\n"


def _words(value: Any) -> str:
    if isinstance(value, (list, tuple)):
        return " ".join(map(str, value)) or "none"
    return str(value)


def as_json(game: str, rules: Any, seed: int, index: int, record: dict[str, Any]) -> str:
    """The record with what identifies it."""
    document = {
        "game": game,
        "rules": msgspec.structs.asdict(rules),
        "seed": seed,
        "index": index,
        "version": __version__,
        **record,
    }
    return json.dumps(document, ensure_ascii=False, indent=1) + "\n"


#: By the name that `--format` takes.
FORMATS: dict[str, Callable[[str, Any, int, int, dict[str, Any]], str]] = {
    "table": readable,
    "json": as_json,
}
