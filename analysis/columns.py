"""The columns that say which class a row of a table is of."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from sims.figures import Axis, Label, Part


@dataclass
class ClassColumn:
    """A column of labels, one a row, None where it does not apply; and their order."""

    labels: list[Label]
    order: list[Label]
    ordered: bool


def class_columns(parts: tuple[Part, ...]) -> dict[str, ClassColumn]:
    """The columns that say which class a row is of: `part`, then the axes' own."""
    names: list[Label] = [part.name for part in parts for _ in range(part.cells)]
    columns = {"part": ClassColumn(names, [part.name for part in parts], ordered=False)}
    done = 0
    for part in parts:
        classes = np.indices(part.shape).reshape(len(part.axes), -1)
        for axis, numbers in zip(part.axes, classes, strict=True):
            for position, name in enumerate(axis.columns):
                column = columns.setdefault(name, ClassColumn([], [], axis.ordered))
                column.labels += [None] * (done - len(column.labels))
                column.labels += [axis.labels[number][position] for number in numbers]
                known = dict.fromkeys([*column.order, *_in_order(axis, position)])
                column.order = list(known)
                column.ordered &= axis.ordered
        done += part.cells
    for column in columns.values():
        column.labels += [None] * (done - len(column.labels))
    return columns


def _in_order(axis: Axis, position: int) -> list[Label]:
    """The labels of one column in the order in which the classes bring them up."""
    return [row[position] for row in axis.labels if row[position] is not None]
