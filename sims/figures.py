"""What a figure is to the rest of the house: ordered classes with labelled columns.

A *reading* is what a kernel reads off each deal: a class number 0 to K - 1 on an axis. A figure is
tallied in one or more *parts*; a part is the distribution of one reading, or the joint distribution
of several. Kernels and exact counts speak in class numbers, best highest where classes are ordered;
the labels here turn them into the columns of a table.
"""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from typing import Any, NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

#: Named arrays of int64 counts, one a part; tallies of disjoint ranges of deals add.
Tally = dict[str, NDArray[np.int64]]

Label = str | int | None


class Axis(msgspec.Struct, frozen=True):
    """Classes 0 to K - 1, each with one label a column (None: the column does not apply)."""

    columns: tuple[str, ...]
    labels: tuple[tuple[Label, ...], ...]
    ordered: bool = True

    def __len__(self) -> int:
        return len(self.labels)

    def named(self, prefix: str) -> Axis:
        """The same classes under columns of other names, as in `ours_size`."""
        return msgspec.structs.replace(self, columns=tuple(f"{prefix}_{c}" for c in self.columns))

    def text(self, number: int) -> str:
        """A class in words, as in `triplet A`."""
        return " ".join(str(label) for label in self.labels[number] if label is not None)


class Reading(msgspec.Struct, frozen=True):
    """One class number a deal; `code` is the number by which the game's kernel knows it."""

    code: int
    axis: Axis


#: Classes of the basis, an array a reading, to the classes of something that they determine.
FromBasis = Callable[..., NDArray[Any]]


class Atom(msgspec.Struct, frozen=True):
    """What a condition can speak of: classes on an axis, determined by the basis of a hand.

    A game's *basis* are the readings of a hand that determine all its figures. `of` takes their
    classes. An atom without order among its classes is a plain yes or no.
    """

    name: str
    meaning: str
    axis: Axis
    of: FromBasis


#: The axis of an atom that is true or not.
TRUTH = Axis(columns=("true",), labels=(("no",), ("yes",)), ordered=False)


class Hand(msgspec.Struct, frozen=True):
    """What is known of one hand (forehand's, eldest's, mano's) as dealt.

    `basis` are the readings that determine all figures of the hand; `of_basis` says how, by the
    code of a figure's reading; `atoms` are what conditions can speak of, by name.
    """

    basis: tuple[Reading, ...]
    of_basis: dict[int, FromBasis]
    atoms: dict[str, Atom]

    @property
    def shape(self) -> tuple[int, ...]:
        return tuple(len(reading.axis) for reading in self.basis)

    def classes(self) -> tuple[NDArray[Any], ...]:
        """The classes of the basis over all its cells, an array of `shape` a reading."""
        return tuple(np.indices(self.shape))


class Part(msgspec.Struct, frozen=True):
    """One distribution of a figure: of a reading, or of several jointly.

    With `given`, the first so many readings are conditions: the part holds a distribution of the
    other readings for each of their classes, as in the chance to win with each ruff.
    """

    name: str
    readings: tuple[Reading, ...]
    given: int = 0

    @property
    def axes(self) -> tuple[Axis, ...]:
        return tuple(reading.axis for reading in self.readings)

    @property
    def shape(self) -> tuple[int, ...]:
        return tuple(len(axis) for axis in self.axes)

    @property
    def cells(self) -> int:
        return prod(self.shape)

    @property
    def distributions(self) -> int:
        """How many distributions the part holds: one, or one for each class that is given."""
        return prod(self.shape[: self.given])


class Layout(NamedTuple):
    """A figure's parts as arrays for the kernels, a row a part.

    Attributes
    ----------
    readings : int64 array, (parts,)
        How many readings the part has.
    code, classes : int64 arrays, (parts, most readings)
        Each reading's code and its number of classes.
    offset : int64 array, (parts,)
        Where the part's cells begin among the figure's.
    basis, basis_classes : int64 arrays, (readings of the basis,)
        Under a condition the codes and numbers of classes of the hand's basis, else empty.
    holds : bool array, (cells of the basis,)
        Whether the condition holds there.
    aside : int
        The cell after the figure's last: deals that do not fulfil the condition are counted there.
    """

    readings: NDArray[np.int64]
    code: NDArray[np.int64]
    classes: NDArray[np.int64]
    offset: NDArray[np.int64]
    basis: NDArray[np.int64]
    basis_classes: NDArray[np.int64]
    holds: NDArray[np.bool_]
    aside: int


class Figure(msgspec.Struct, frozen=True):
    """A figure that can be tallied."""

    name: str
    title: str
    parts: tuple[Part, ...]

    @property
    def cells(self) -> int:
        return sum(part.cells for part in self.parts)

    def layout(self, hand: Hand, holds: NDArray[np.bool_] | None = None) -> Layout:
        """The parts as arrays for the kernels.

        `holds`, of the shape of the hand's basis, says where a condition holds; without it every
        deal is counted.
        """
        most = max(len(part.readings) for part in self.parts)
        code = np.zeros((len(self.parts), most), dtype=np.int64)
        classes = np.zeros_like(code)
        for row, part in enumerate(self.parts):
            code[row, : len(part.readings)] = [reading.code for reading in part.readings]
            classes[row, : len(part.readings)] = part.shape
        cells = [part.cells for part in self.parts]
        return Layout(
            readings=np.array([len(part.readings) for part in self.parts], dtype=np.int64),
            code=code,
            classes=classes,
            offset=np.cumsum([0, *cells[:-1]], dtype=np.int64),
            basis=np.array([r.code for r in hand.basis] if holds is not None else [], np.int64),
            basis_classes=np.array(hand.shape if holds is not None else [], dtype=np.int64),
            holds=np.ravel(holds) if holds is not None else np.zeros(0, dtype=np.bool_),
            aside=self.cells,
        )

    def split(self, counts: NDArray[np.int64]) -> Tally:
        """A kernel's flat counts, (cells,) or with the deals set aside, as one array a part."""
        ends = np.cumsum([part.cells for part in self.parts])
        pieces = np.split(counts[: self.cells], ends[:-1])
        return {
            part.name: piece.reshape(part.shape)
            for part, piece in zip(self.parts, pieces, strict=True)
        }


def crossed(first: Figure, second: Figure) -> Figure:
    """The joint distribution of two figures of one game, each by its first part.

    Where both have a column of one name, all columns are named after their figures.
    """
    parts = first.parts[0], second.parts[0]
    columns = [name for part in parts for axis in part.axes for name in axis.columns]
    readings = parts[0].readings + parts[1].readings
    if len(set(columns)) < len(columns):
        readings = tuple(
            msgspec.structs.replace(reading, axis=reading.axis.named(figure.name.replace("-", "_")))
            for figure, part in zip((first, second), parts, strict=True)
            for reading in part.readings
        )
    return Figure(
        name=f"{first.name} by {second.name}",
        title=f"{first.title}, by {second.title[0].lower()}{second.title[1:]}",
        parts=(Part("joint", readings),),
    )
