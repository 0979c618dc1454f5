"""Pieces and sentences that several of Giley's answers share."""

from __future__ import annotations

from fractions import Fraction

from analysis.exact.counting import Exact, exact_integers
from analysis.odds.answers import Piece
from analysis.wording import how_often
from sims.cards import GILEY as PACK
from sims.figures import Axis
from sims.giley.figures import POINTS


def piece(name: str, axis: Axis, ways: Exact, total: int) -> Piece:
    """A counted piece with one axis."""
    return Piece(name, (axis,), exact_integers(ways, total), total)


def share_axis(players: int) -> Axis:
    """What a hand takes of the pot: nothing, or all, 1/2, 1/3 ... if so many hands share it."""
    parts = ["nothing", "all", *(f"1/{hands}" for hands in range(2, players + 1))]
    return Axis(columns=("share",), labels=tuple((part,) for part in parts), ordered=False)


def mean_share(share: Piece) -> Fraction:
    """What a hand takes of the pot on average, exactly."""
    taken = [Fraction(int(way), hands) for hands, way in enumerate(share.ways) if hands]
    return sum(taken, Fraction(0)) / share.total


def mean_points(points: Piece) -> float:
    """The points of four cards on average."""
    total = sum(int(way) * each for way, each in zip(points.ways, POINTS, strict=True))
    return total / points.total


def outcome_sentence(whose: str, best: Piece, share: Piece | None) -> str:
    """How often a hand wins and loses, as far as it can; and its part of pots that are shared."""
    if share is not None:
        return _sharing_sentence(whose, best, share)
    alone, won, lost, beaten = (int(way) for way in best.ways)
    wins = f"{whose} wins {how_often((alone + won) / best.total)}"
    if won:
        wins += f", in a tie {how_often(won / best.total)}"
    losses = _if_ever({"loses a tie": lost, "is beaten": beaten}, best.total)
    return f"{wins}; it {losses}." if losses else f"{wins}."


def _sharing_sentence(whose: str, best: Piece, share: Piece) -> str:
    alone, tied, beaten = (int(way) for way in best.ways)
    wins = f"{whose} wins alone {how_often(alone / best.total)}"
    rest = _if_ever({"shares the pot": tied, "is beaten": beaten}, best.total)
    clauses = [wins, f"it {rest}"] if rest else [wins]
    takes = f"It takes {100 * float(mean_share(share)):.1f} % of the pot on average."
    return f"{'; '.join(clauses)}. {takes}"


def _if_ever(clauses: dict[str, int], total: int) -> str:
    """How often things happen, those left out that never do."""
    happen = [f"{clause} {how_often(way / total)}" for clause, way in clauses.items() if way]
    return " and ".join(happen)


def text(cards: int) -> str:
    """Some cards, as in `AO KO 7C`; `nothing` for none."""
    return " ".join(PACK.cards(cards)) or "nothing"
