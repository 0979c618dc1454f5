"""Run as a script: prints what the first deals of every game are and hold, as one JSON line.

The tests run it in processes with other processors and with the compiler off.
"""

import hashlib
import json
import sys

from sims.games import GAMES, game


def fingerprint(deals: int) -> dict[str, str]:
    """A hash of every figure's counts over the first deals, by game and figure."""
    found = {}
    for name in GAMES:
        known = game(name)
        rules = known.Rules()
        for figure in known.figures(rules).values():
            counts = known.tally_block(figure, rules, 1, 0, 0, deals)
            found[f"{name} {figure.name}"] = hashlib.sha256(counts.tobytes()).hexdigest()
    return found


if __name__ == "__main__":
    print(json.dumps(fingerprint(int(sys.argv[1]))))
