"""The tables of chances that policies go by, worked out once for a game's rules and a policy."""

from __future__ import annotations

import hashlib
from functools import lru_cache
from importlib import import_module
from typing import Any

from sims.streams import Purpose

#: Deals in which the chances are learned, and their seed: they do not depend on the seed asked for.
_DEALS, _SEED = 1 << 20, 1


@lru_cache(maxsize=64)
def chances_for(game: str, rules: Any, policy: Any) -> Any:
    """The chances in a game under some rules, learned from deals played in a policy's style."""
    learned = import_module(f"sims.{game}.chances")
    found = learned.counts(rules, policy, _SEED, Purpose.CONDITION, 0, _DEALS)
    return learned.chances_from(found)


def digest(chances: Any) -> str:
    """Twelve hexadecimal digits of the tables' hash."""
    content = hashlib.sha256()
    for table in chances:
        content.update(table.tobytes())
    return content.hexdigest()[:12]
