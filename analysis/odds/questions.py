"""What a player knows and asks."""

from __future__ import annotations

from typing import Any

import msgspec

from analysis.errors import InputError
from analysis.settings import one_of
from sims.cards import Pack
from sims.runs import DEFAULT_SEED

DEFAULT_DEALS = 1_000_000


class Question(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a player knows and asks; cards are text, as in `UE UL UH 7S 8S`.

    Attributes
    ----------
    game : str
    hand : str
        The player's cards; fewer than a hand are "at least these".
    rules : Rules of the game
    seat : str, optional
        By name; by default the first to speak or play.
    turnup : str
        The card turned up; not known if empty.
    partner : str
        The partner's cards, if the player knows them (Gilten).
    known : str
        Cards seen elsewhere, in no hand of this question.
    cards : int, optional
        How many cards the hand has in the end (Giley: 2 or 4), if not told by `hand`.
    stock : str
        'none': nobody has bought it; 'mine': the player has (Gleek).
    laid_out : str
        The cards he laid out for it.
    aim : str
        What a discard or lay-out is to be best for; none if empty.
    against : str
        The rule by which the others draw (Giley); they do not draw if empty.
    by_class : bool
        Average over all hands of the same class.
    deals, seed : int
        Where counting cannot answer.
    """

    game: str
    hand: str
    rules: Any
    seat: str = ""
    turnup: str = ""
    partner: str = ""
    known: str = ""
    cards: int | None = None
    stock: str = "none"
    laid_out: str = ""
    aim: str = ""
    against: str = ""
    by_class: bool = False
    deals: int = DEFAULT_DEALS
    seed: int = DEFAULT_SEED

    def only(self, *taken: str) -> None:
        """Refuse what a game does not ask: all fields but the common ones and those `taken`.

        Raises
        ------
        InputError
            A field that is not taken was given.
        """
        common = {"game", "hand", "rules", "seat", "known", "by_class", "deals", "seed"}
        default = Question(self.game, self.hand, self.rules)
        for name in self.__struct_fields__:
            if name in common or name in taken:
                continue
            if getattr(self, name) != getattr(default, name):
                option = "--" + name.replace("_", "-")
                allowed = ", ".join("--" + each.replace("_", "-") for each in taken) or "none"
                raise InputError(
                    f"{option} says nothing in {self.game}; besides the hand: {allowed}"
                )

    def seat_number(self, seats: tuple[str, ...]) -> int:
        """The number of the seat, by name or by number.

        Raises
        ------
        InputError
            There is no such seat.
        """
        if not self.seat:
            return 0
        if self.seat.isdecimal() and int(self.seat) < len(seats):
            return int(self.seat)
        return seats.index(one_of(self.seat, seats, "seat"))


def read_cards(pack: Pack, text: str, what: str, most: int, seen: int = 0) -> int:
    """The mask of some cards, none of which may be among those seen.

    Parameters
    ----------
    pack : Pack
    text : str
    what : str
        For the message: `hand`, `turn-up`.
    most : int
        How many cards are allowed.
    seen : int
        The cards that lie elsewhere, as a mask.

    Raises
    ------
    InputError
        No card of the pack, a card twice or elsewhere, too many cards; the message names it.
    """
    try:
        mask = pack.read(text)
    except ValueError as error:
        raise InputError(f"{what}: {error}") from None
    if mask & seen:
        raise InputError(f"{what}: {' '.join(pack.cards(mask & seen))} is there already")
    if mask.bit_count() > most:
        cards = "one card" if most == 1 else f"{most} cards"
        raise InputError(f"{what} {text!r} has {mask.bit_count()} cards: at most {cards}")
    return mask
