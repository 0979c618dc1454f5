"""The cards that a player of Gleek has seen, read from a question."""

from __future__ import annotations

from dataclasses import dataclass, replace

from analysis.errors import InputError
from analysis.exact.gleek_ruff import GLEEK
from analysis.exact.gleek_stock import LAID_OUT, rank_mask
from analysis.exact.positions import Position
from analysis.odds.questions import Question, read_cards
from sims.cards import GLEEK as PACK
from sims.gleek.figures import HONOUR_RANKS, SEATS
from sims.gleek.rules import Rules

HAND, DEALER = GLEEK.hand, len(SEATS) - 1


@dataclass(frozen=True)
class Seen:
    """The cards a player has seen, as masks, and where he sits.

    Attributes
    ----------
    rules : Rules
    seat : int
    hand : int
        His own, with those he is about to lay out.
    turnup : int
        0 if it is not known.
    laid_out : int
    known : int
        In none of the hands as they are.
    """

    rules: Rules
    seat: int
    hand: int
    turnup: int
    laid_out: int = 0
    known: int = 0

    @property
    def partial(self) -> bool:
        """Whether not all of the own hand is known."""
        return self.hand.bit_count() < HAND

    @property
    def cards(self) -> int:
        """All of them."""
        return self.hand | self.turnup | self.laid_out | self.known

    def hands(self, own: int, wanted: int) -> Position:
        """The three hands, with all that each counts in the ruff (GK-3.1).

        Parameters
        ----------
        own : int
            The cards that the player has for certain.
        wanted : int
            How many he has besides.
        """
        held, wants = [0] * len(SEATS), [HAND] * len(SEATS)
        held[self.seat], wants[self.seat] = own, wanted
        if self.rules.turnup_in_ruff:
            held[DEALER] |= self.turnup
            wants[DEALER] += not self.turnup
        gone = self.cards & ~(own | held[DEALER])
        return Position(PACK, tuple(held), tuple(wants), gone)

    def one_hand(self, own: int, wanted: int) -> Position:
        """One hand without the turn-up, the cards seen not in it being elsewhere."""
        return Position(PACK, (own,), (wanted,), self.cards & ~own)

    def as_held(self) -> Position:
        """The hands as they are, the rest of a partial one unseen."""
        return self.hands(self.hand, HAND - self.hand.bit_count())

    def kept(self, laid_out: int) -> tuple[int, int]:
        """What is certain of the own hand after the stock, and how many cards it has besides.

        The known cards lie in the stock, as they are in none of the hands.
        """
        return self.hand & ~laid_out | self.known, LAID_OUT - self.known.bit_count()

    def without(self, position: Position) -> Position:
        """The hands of the others alone, in the order of their seats."""
        held, wanted = list(position.held), list(position.wanted)
        gone = position.gone | held.pop(self.seat)
        del wanted[self.seat]
        return Position(PACK, tuple(held), tuple(wanted), gone)


def read(question: Question) -> Seen:
    """The cards of a question.

    Raises
    ------
    InputError
        A card that is impossible, in two places or one too many, or an option that contradicts
        another.
    """
    hand = read_cards(PACK, question.hand, "hand", HAND)
    turnup = read_cards(PACK, question.turnup, "turn-up", 1, hand)
    laid_out = _read_laid_out(question, hand, turnup)
    if question.stock == "mine" and question.known:
        raise InputError("--known says nothing with --stock mine: the others hold all other cards")
    seen = Seen(question.rules, question.seat_number(SEATS), hand, turnup, laid_out)
    known = read_cards(PACK, question.known, "known cards", GLEEK.stock, seen.cards)
    return replace(seen, known=known)


def _read_laid_out(question: Question, hand: int, turnup: int) -> int:
    """The cards laid out: of the hand before the stock, or besides the hand after it (GK-2.3)."""
    mine = question.stock == "mine"
    if question.aim and (mine or question.laid_out):
        other = "--stock mine" if mine else "--laid-out"
        raise InputError(f"{other} contradicts --aim, which asks what to lay out")
    if not (mine or question.aim or question.laid_out):
        return 0
    if not turnup:
        raise InputError("a lay-out needs --turnup: it may contain no trump A, K, Q or J")
    if not mine and hand.bit_count() < HAND:
        raise InputError(f"a lay-out needs all {HAND} cards of the hand, not {hand.bit_count()}")
    if question.aim:
        return 0
    seen = hand | turnup if mine else turnup
    laid_out = read_cards(PACK, question.laid_out, "laid-out cards", LAID_OUT, seen)
    if laid_out.bit_count() < LAID_OUT:
        raise InputError(f"laid-out cards: {LAID_OUT} are needed, not {laid_out.bit_count()}")
    for cards, fault in (
        (laid_out & trump_honours(turnup), "may not be laid out: a trump honour"),
        (0 if mine else laid_out & ~hand, "is not in the hand"),
    ):
        if cards:
            raise InputError(f"laid-out cards: {PACK.cards(cards)[0]} {fault}")
    return laid_out


def trump_honours(turnup: int) -> int:
    """GK-2.4: the cards that may not be laid out, as a mask."""
    trumps = PACK.suit_mask((turnup.bit_length() - 1) // len(PACK.ranks))
    return sum(trumps & rank_mask(PACK, rank) for rank in HONOUR_RANKS)
