"""Conditions on a hand in words: `gleich>=triplet and not hanger`, compiled to a mask.

A condition speaks of a game's atoms and is true or false of every cell of a hand's basis, so that
it can be counted exactly wherever the basis can, and looked up in a kernel.

    condition  =  all { "or" all }
    all        =  one { "and" one }
    one        =  "not" one  |  "(" condition ")"  |  atom [ relation value ]
    relation   =  ">="  |  "<="  |  ">"  |  "<"  |  "=="  |  "="  |  "!="

An atom is a name, with an argument in brackets where the game has it so: `gleek(A)`. A value is one
of the atom's classes, its labels joined by hyphens (`pair-A`), or the beginning of such: `pair` are
all pairs, and `>pair` is better than any of them. An atom alone is true of every class but the
lowest: `hanger` is any Hanger.
"""

from __future__ import annotations

import difflib
import re
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sims.figures import Atom, Axis, Hand

Mask = NDArray[np.bool_]

_WORD = re.compile(r"\s*(>=|<=|==|!=|[><=]|[()]|[^\s()<>=!]+)")
_RELATIONS = (">=", "<=", "==", "!=", ">", "<", "=")


class _Word(NamedTuple):
    text: str
    place: int


class ConditionError(ValueError):
    """A condition that cannot be read; the message points at the word that is wrong."""


def compiled(text: str, hand: Hand) -> Mask:
    """Where a condition holds: bool, of the shape of the hand's basis.

    Raises
    ------
    ConditionError
        A word that cannot stand where it stands; the message names it, its place counted from 1,
        and what is allowed.
    """
    reader = _Reader(text, hand)
    try:
        mask = reader.condition()
    except RecursionError:
        raise ConditionError(f"condition {text[:40]!r}...: nested too deeply") from None
    reader.expect_end()
    return mask


class _Reader:
    """Reads a condition from left to right."""

    def __init__(self, text: str, hand: Hand) -> None:
        self.text, self.hand = text, hand
        self.words = _split(text)
        self.classes = hand.classes()

    def condition(self) -> Mask:
        mask = self._all()
        while self._take("or"):
            mask = mask | self._all()
        return mask

    def expect_end(self) -> None:
        if self.words[0].text:
            raise self._wrong("allowed here are and, or and the end")

    def _all(self) -> Mask:
        mask = self._one()
        while self._take("and"):
            mask = mask & self._one()
        return mask

    def _one(self) -> Mask:
        if self._take("not"):
            return ~self._one()
        if self._take("("):
            mask = self.condition()
            if not self._take(")"):
                raise self._wrong("a bracket is not closed")
            return mask
        return self._atom()

    def _atom(self) -> Mask:
        atom = self._named_atom()
        found = np.broadcast_to(atom.of(*self.classes), self.hand.shape)
        relation = self.words[0].text
        if relation not in _RELATIONS:
            return np.asarray(found > 0)
        if not atom.axis.ordered:
            raise self._wrong(f"{atom.name} is true or not and takes no relation")
        self.words.pop(0)
        return _related(found, relation, *self._value(atom))

    def _named_atom(self) -> Atom:
        word = self.words[0]
        name = word.text.lower()
        if len(self.words) > 3 and (self.words[1].text, self.words[3].text) == ("(", ")"):
            name = f"{name}({self.words[2].text.upper()})"
        atoms = self.hand.atoms
        if name not in atoms:
            near = difflib.get_close_matches(name, atoms, n=1)
            hint = f"did you mean {near[0]}? " if near else ""
            raise self._wrong(f"{hint}allowed are {', '.join(atoms)}", name)
        del self.words[: 4 if "(" in name else 1]
        return atoms[name]

    def _value(self, atom: Atom) -> tuple[int, int]:
        """The first and the last class that a value names."""
        word = self.words[0].text.lower()
        known = _values(atom.axis)
        if word not in known:
            near = difflib.get_close_matches(word, known, n=1)
            hint = f"did you mean {near[0]}? " if near else ""
            raise self._wrong(f"{hint}values of {atom.name} are {', '.join(known)}")
        self.words.pop(0)
        return known[word]

    def _take(self, text: str) -> bool:
        if self.words[0].text.lower() != text:
            return False
        self.words.pop(0)
        return True

    def _wrong(self, why: str, shown: str | None = None) -> ConditionError:
        word = self.words[0]
        what = repr(shown or word.text) if word.text else "the end"
        return ConditionError(f"condition {self.text!r}: {what} at place {word.place + 1}: {why}")


def _split(text: str) -> list[_Word]:
    """The words of a condition, and an empty one at its end."""
    words, place = [], 0
    while place < len(text.rstrip()):
        match = _WORD.match(text, place)
        if match is None:
            place += len(text[place:]) - len(text[place:].lstrip())
            what = f"{text[place]!r} at place {place + 1}"
            raise ConditionError(f"condition {text!r}: {what} is no word")
        words.append(_Word(match[1], match.start(1)))
        place = match.end()
    return [*words, _Word("", len(text.rstrip()))]


def _values(axis: Axis) -> dict[str, tuple[int, int]]:
    """Every way to name classes, and the first and last of them: `pair`, `pair-A`."""
    known: dict[str, tuple[int, int]] = {}
    for number, labels in enumerate(axis.labels):
        said = [str(label).lower().replace(" ", "-") for label in labels if label is not None]
        for length in range(1, len(said) + 1):
            name = "-".join(said[:length])
            known[name] = (known.get(name, (number, number))[0], number)
    return known


def _related(found: NDArray[Any], relation: str, first: int, last: int) -> Mask:
    masks = {
        ">=": found >= first,
        "<=": found <= last,
        ">": found > last,
        "<": found < first,
        "!=": (found < first) | (found > last),
    }
    return masks.get(relation, (found >= first) & (found <= last))
