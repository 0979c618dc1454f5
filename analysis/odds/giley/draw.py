"""What the draw of Giley brings, and the best discard for an aim (GY-2.3)."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from analysis.exact.counting import Integers
from analysis.exact.giley_draw import MOST_POINTS, Draws, draws, thrown_for
from analysis.odds.answers import Answer, Piece
from analysis.odds.giley.seen import Seen
from analysis.odds.giley.words import mean_points, piece, text
from analysis.settings import one_of, whole_number
from analysis.wording import how_often
from sims.figures import Axis
from sims.giley.figures import FOUR, POINTS

#: The aims as they are written; N is a number of points.
AIMS = ("most-points", "most-41", "beat=N")


class Aim(NamedTuple):
    """What a discard is to be best for.

    Attributes
    ----------
    worth : int64 array, shape (15,)
        What a hand after the draw is worth to it, by class.
    words : str
        After "best for".
    reached : int64 array, shape (15,), or None
        1 for the hands that reach the aim; None if it is most points.
    """

    worth: Integers
    words: str
    reached: Integers | None


def read_aim(words: str) -> Aim:
    """The aim of its words, by default the most points.

    Raises
    ------
    InputError
        There is no such aim.
    """
    if words.startswith("beat="):
        points = whole_number(words.removeprefix("beat="), 0, POINTS[-1] - 1, "aim beat=N: N")
        return _chance_of(points + 1, f"more than {points} points")
    if one_of(words or AIMS[0], AIMS, "aim") == "most-41":
        return _chance_of(41, "a 41")
    return Aim(MOST_POINTS, "the most points", None)


def _chance_of(points: int, words: str) -> Aim:
    """At least so many points."""
    reached = (points <= MOST_POINTS).astype(np.int64)
    return Aim(reached, words, reached)


def every_discard(seen: Seen, words: str) -> Answer:
    """What each discard of four known cards brings, and which is best for an aim."""
    aim = read_aim(words)
    found = draws(seen.hands(), seen.known)
    order = _ranked(found, aim)
    thrown = [text(int(cards)) for cards in found.thrown[0, order]]
    ways, total = found.of_total[0, order], found.total
    means = [f"{mean / total:.2f}" for mean in (ways @ MOST_POINTS).tolist()]
    now = int(found.ways[0, 0].argmax())  # the first discard is none
    reached = aim.reached if aim.reached is not None else _chance_of(POINTS[now] + 1, "").worth
    chances = ways @ reached

    discards = Axis(
        ("discard", "mean_points"), tuple(zip(thrown, means, strict=True)), ordered=False
    )
    by_discard = Axis(("discard",), tuple((cards,) for cards in thrown), ordered=False)
    pieces = (
        piece("points_after", FOUR, ways[0], total),
        Piece("discards", (discards,), chances, total, choices=True),
        Piece("draw", (by_discard, FOUR), ways, total),
    )
    what = aim.words if aim.reached is not None else f"more points than the {FOUR.text(now)} held"
    each = [
        f"{mean} points on average" if aim.reached is None else how_often(int(chance) / total)
        for mean, chance in zip(means, chances, strict=True)
    ]
    lead = (
        f"The best discard for {aim.words} is {thrown[0]}: {each[0]}."
        f" Next are {thrown[1]}, {each[1]}, and {thrown[2]}, {each[2]}."
    )
    notes = [
        f"discards: the chance of {what} after each discard, the best first; not chances of one"
        " thing, so they do not sum to 1.",
        "draw: for each discard the points after it; the chances of each discard sum to 1.",
    ]
    return Answer(lead, pieces, (*notes, *_notes(seen)))


def best_discards(seen: Seen, words: str) -> Answer:
    """What the best discard brings, on average over all hands that hold the cards known."""
    aim = read_aim(words)
    after = points_after(seen, thrown_for(aim.worth, seen.hands(), seen.known))
    lead = (
        f"After the best discard for {aim.words} it has {mean_points(after):.2f} points on average"
    )
    if aim.reached is not None:
        chance = float(after.chances @ aim.reached)
        lead = f"After the best discard for {aim.words} it has {aim.words} {how_often(chance)}"
    note = "points_after: each hand's best discard is made once all four cards are seen."
    return Answer(f"{lead}.", (after,), (note, *_notes(seen)))


def points_after(seen: Seen, thrown: NDArray[np.uint32]) -> Piece:
    """The points after the draw if so much is thrown of each of `seen.hands()`, as masks."""
    found = draws(seen.hands(), seen.known)
    chosen = (found.thrown == thrown[:, None]).argmax(axis=1)
    ways = found.of_total[np.arange(len(chosen)), chosen].sum(axis=0)
    return piece("points_after", FOUR, ways, found.total * len(chosen))


def _ranked(found: Draws, aim: Aim) -> list[int]:
    """The discards of one hand, the best for the aim first."""
    worth = (found.of_total[0] @ aim.worth).tolist()
    means = (found.of_total[0] @ MOST_POINTS).tolist()
    return sorted(range(len(worth)), key=lambda number: (-worth[number], -means[number], number))


def _notes(seen: Seen) -> list[str]:
    """What was assumed of the cards drawn."""
    lasts = "" if seen.draws_unseen else ", as if the stock lasts (GY-2.4)"
    return [f"You draw from all cards you have not seen{lasts}."]
