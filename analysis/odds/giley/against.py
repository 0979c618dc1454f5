"""What becomes of a hand of Giley once all have drawn, the others by a rule (GY-2.3, GY-4)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from analysis.errors import InputError
from analysis.exact.giley_draw import (
    MOST_POINTS,
    RULES,
    Rule,
    all_hands,
    thrown_by,
    thrown_for,
)
from analysis.exact.giley_duel import LEAST_STOCK, duel_counts
from analysis.exact.giley_points import FOUR as FOUR_CARDS
from analysis.odds.answers import Answer, Piece
from analysis.odds.giley.draw import Aim, points_after, read_aim
from analysis.odds.giley.seen import Seen
from analysis.odds.giley.words import outcome_sentence, piece, share_axis, text
from analysis.odds.questions import Question
from analysis.settings import one_of
from analysis.wording import counted
from sims.giley.draw import HANDS, Known, Shown, shown_after_draws
from sims.giley.figures import FOUR, outcome_axis
from sims.streams import SEED_LIMIT

#: Deals simulated at a time, so that Ctrl-C is soon heard.
_BLOCK = 1 << 20

_IN_WORDS = {
    "best-suit": "to keep the suit that is worth most",
    "most-points": "for the most points on average",
}


def after_all_draws(seen: Seen, question: Question) -> Answer:
    """What becomes of the hand, counted for two players, simulated for more.

    Raises
    ------
    InputError
        There is no such rule or aim, no such seed, or less than one deal.
    """
    one_of(question.against, RULES, "rule to draw by")
    rule: Rule = question.against  # type: ignore[assignment]
    aim = read_aim(question.aim) if question.aim else None
    thrown = _own_discards(seen, rule, aim)
    if seen.rules.players == 2 and seen.stock >= LEAST_STOCK:
        pieces = _counted(seen, rule, thrown)
        how = "Counted exactly, over every hand of the other and all that both may draw."
    else:
        pieces = _simulated(seen, rule, thrown, question)
        how = f"After the draws: {counted(question.deals)} deals simulated, seed {question.seed}."
    own = f"for {aim.words}" if aim is not None else "by the same rule"
    who = "The other player discards" if seen.rules.players == 2 else "The others discard"
    notes = [
        f"{who} {_IN_WORDS[rule]}, seeing no cards but their own; you discard {own}.",
        how,
        _stock_note(seen),
    ]
    return Answer(_lead(seen, thrown, pieces), tuple(pieces.values()), tuple(notes))


def _own_discards(seen: Seen, rule: Rule, aim: Aim | None) -> NDArray[np.uint32]:
    """What the player discards of each of `seen.hands()`: for the aim, else by the others' rule."""
    hands = seen.hands()
    if aim is not None:
        return thrown_for(aim.worth, hands, seen.known)
    if rule == "most-points":
        return thrown_for(MOST_POINTS, hands, seen.known)
    discards: NDArray[np.uint32] = thrown_by(rule)[np.searchsorted(all_hands(), hands)]
    return discards


def _counted(seen: Seen, rule: Rule, thrown: NDArray[np.uint32]) -> dict[str, Piece]:
    """Two players: the pieces by name, exactly."""
    shares = seen.rules.tie == "split"
    found = duel_counts(seen.hands(), thrown, seen.known, rule, seen.seat, seen.rules.tie)
    outcome = found.ways["outcome"]
    pieces = [piece("best_after", outcome_axis(shares), outcome, found.total)]
    if shares:
        alone, tied, lost = outcome
        taken = np.array([lost, alone, tied])
        pieces.append(piece("share_after", share_axis(2), taken, found.total))
    pieces.append(points_after(seen, thrown))
    pieces.append(piece("others_after", FOUR, found.ways["others"], found.total))
    return {each.name: each for each in pieces}


def _simulated(
    seen: Seen, rule: Rule, thrown: NDArray[np.uint32], question: Question
) -> dict[str, Piece]:
    """The pieces by name, of deals that fit; but what can be counted is."""
    if question.deals < 1:
        raise InputError(f"deals {question.deals}: at least 1")
    if not 0 <= question.seed < SEED_LIMIT:
        raise InputError(f"seed {question.seed}: allowed are 0 to 2^64 - 1")
    players, shares = seen.rules.players, seen.rules.tie == "split"
    by_hand = np.zeros(HANDS, np.uint32)
    by_hand[np.searchsorted(all_hands(), seen.hands())] = thrown
    known = Known(seen.seat, seen.hand, seen.known)
    blocks = [
        shown_after_draws(
            seen.rules,
            known,
            by_hand,
            thrown_by(rule),
            question.seed,
            start,
            min(start + _BLOCK, question.deals),
        )
        for start in range(0, question.deals, _BLOCK)
    ]
    shown = Shown(*(np.sum(counts, axis=0) for counts in zip(*blocks, strict=True)))
    axes = {"best_after": (outcome_axis(shares), shown.outcome)}
    axes |= {"share_after": (share_axis(players), shown.sharing)} if shares else {}
    axes |= {"points_after": (FOUR, shown.points), "others_after": (FOUR, shown.others)}
    pieces = {
        name: Piece(name, (axis,), counts, question.deals, simulated=True)
        for name, (axis, counts) in axes.items()
    }
    if seen.draws_unseen:
        pieces["points_after"] = points_after(seen, thrown)
    return pieces


def _lead(seen: Seen, thrown: NDArray[np.uint32], pieces: dict[str, Piece]) -> str:
    discard = f"You discard {text(int(thrown[0]))}. " if seen.is_whole else ""
    outcome = outcome_sentence(
        "After all draws your hand", pieces["best_after"], pieces.get("share_after")
    )
    return discard + outcome


def _stock_note(seen: Seen) -> str:
    """GY-2.4: whether the stock can run out."""
    most = seen.rules.players * FOUR_CARDS.hand
    if seen.stock >= most:
        return f"The stock of {seen.stock} cards cannot run out: at most {most} are drawn (GY-2.4)."
    aside = " and the known cards" if seen.known else ""
    return (
        f"When the stock of {seen.stock} cards runs out, the earlier discards{aside} are shuffled"
        " into a new one (GY-2.4)."
    )
