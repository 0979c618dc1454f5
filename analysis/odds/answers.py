"""An answer: distributions of what can be, a sentence that says it, and how it was found."""

from __future__ import annotations

import json
import shlex
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from analysis import wording
from analysis.columns import class_columns
from analysis.odds.questions import DEFAULT_DEALS, Question
from analysis.settings import rule_changes
from sims import __version__
from sims.figures import Axis, Label, Part, Reading
from sims.runs import DEFAULT_SEED

if TYPE_CHECKING:
    import pandas as pd

_LEVEL = 0.95
#: A piece of more rows than this is not shown on a terminal.
_PRINTED_ROWS = 60


class Piece(NamedTuple):
    """One distribution of an answer.

    Attributes
    ----------
    name : str
    axes : tuple of Axis
        Whose classes the distribution is over.
    ways : integer array, of the axes' shape
        How many of the `total` deals there are at each class: of all that fit what is known, or of
        those dealt at random if `simulated`.
    total : int
        All deals; where it is above 2^63, `ways` are Python integers.
    simulated : bool
        Whether the deals were drawn at random, so that the chances are estimates.
    choices : bool
        Whether the rows are choices, which are shown though their chance be 0.
    """

    name: str
    axes: tuple[Axis, ...]
    ways: NDArray[Any]
    total: int
    simulated: bool = False
    choices: bool = False

    @property
    def part(self) -> Part:
        return Part(self.name, tuple(Reading(-1, axis) for axis in self.axes))

    @property
    def chances(self) -> NDArray[np.float64]:
        """Exact or estimated, of the axes' shape; probability."""
        flat = [int(way) / self.total for way in np.ravel(self.ways)]
        return np.array(flat, dtype=np.float64).reshape(self.ways.shape)

    def chance(self, *labels: Label) -> float:
        """The chance of a class of the first axis, by its labels."""
        return float(self.chances[self.axes[0].labels.index(labels)].sum())

    def ends(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """The intervals of a simulated piece, Wilson's at 95 %, of the axes' shape."""
        from analysis import estimates  # loads scipy, which counting does without

        return estimates.interval(self.ways.astype(np.int64), self.total, _LEVEL)


class Answer(NamedTuple):
    """What a game's module answers.

    `lead` are sentences with the chances that matter most; `notes` say what was assumed.
    """

    lead: str
    pieces: tuple[Piece, ...]
    notes: tuple[str, ...] = ()


class Odds:
    """The answer to a question.

    Attributes
    ----------
    question : Question
    answer : Answer
    """

    def __init__(self, question: Question, answer: Answer) -> None:
        self.question, self.answer = question, answer

    def piece(self, name: str) -> Piece:
        """The distribution of a name; raises KeyError where there is none."""
        return {piece.name: piece for piece in self.answer.pieces}[name]

    @property
    def title(self) -> str:
        """The game and the cards held."""
        return f"{self.question.game.capitalize()}: {self.question.hand}"

    @property
    def command(self) -> str:
        """The command that answers this again."""
        question = self.question
        words = ["mournival", "odds", question.game, "--hand", question.hand]
        for key, value in rule_changes(question.rules).items():
            words += ["--rule", f"{key}={value}"]
        texts = ("seat", "turnup", "partner", "known", "laid_out", "aim", "against")
        for name in texts:
            if getattr(question, name):
                words += [f"--{name.replace('_', '-')}", getattr(question, name)]
        words += ["--cards", str(question.cards)] if question.cards is not None else []
        words += ["--stock", question.stock] if question.stock != "none" else []
        words += ["--by", "class"] if question.by_class else []
        if any(piece.simulated for piece in self.answer.pieces):
            words += ["--deals", str(question.deals)] if question.deals != DEFAULT_DEALS else []
            words += ["--seed", str(question.seed)] if question.seed != DEFAULT_SEED else []
        return shlex.join(words)

    @property
    def citation(self) -> str:
        """One line by which anyone can make the numbers again."""
        return f"mournival {__version__}: {self.command}"

    @cached_property
    def frame(self) -> pd.DataFrame:
        """One row a class, piece after piece.

        Columns `part`, the classes', then `ways`, `total`, `exact` of what was counted and `count`,
        `deals`, `estimate`, `low`, `high` of what was simulated.
        """
        import pandas as pd

        parts = tuple(piece.part for piece in self.answer.pieces)
        columns: dict[str, Any] = {
            name: pd.Categorical(column.labels, categories=column.order, ordered=column.ordered)
            for name, column in class_columns(parts).items()
        }
        numbers = [_numbers(piece) for piece in self.answer.pieces]
        names = list(dict.fromkeys(name for piece in numbers for name in piece))
        for name in names:
            values = [
                value
                for piece, own in zip(self.answer.pieces, numbers, strict=True)
                for value in own.get(name, [None] * piece.ways.size)
            ]
            columns[name] = pd.Series(values, dtype="object" if name in _WHOLE else "float64")
        return pd.DataFrame(columns)

    def __repr__(self) -> str:
        return readable(self)


#: Columns of whole numbers of any size.
_WHOLE = ("ways", "total", "count", "deals")


def _numbers(piece: Piece) -> dict[str, list[Any]]:
    """The columns of a piece after those of its classes."""
    ways = [int(way) for way in np.ravel(piece.ways)]
    totals, chances = [piece.total] * len(ways), np.ravel(piece.chances).tolist()
    if not piece.simulated:
        return {"ways": ways, "total": totals, "exact": chances}
    low, high = (np.ravel(end).tolist() for end in piece.ends())
    return {"count": ways, "deals": totals, "estimate": chances, "low": low, "high": high}


def readable(odds: Odds) -> str:
    """For a terminal: the lead, a table of what can happen a piece, the notes, the citation."""
    from tabulate import tabulate

    blocks = [odds.title, odds.answer.lead]
    for piece in odds.answer.pieces:
        columns = {
            name.replace("_", " "): ["" if label is None else str(label) for label in column.labels]
            for name, column in class_columns((piece.part,)).items()
            if name != "part"
        }
        labels = len(columns)
        chances = np.ravel(piece.chances)
        heading = "simulated" if piece.simulated else "exact"
        columns[heading] = [wording.percent(chance) for chance in chances]
        if piece.simulated:
            low, high = (np.ravel(end) for end in piece.ends())
            columns[f"{100 * _LEVEL:.12g} % interval"] = [
                wording.interval(*ends) for ends in zip(low, high, strict=True)
            ]
        else:
            columns["about"] = [wording.one_in(chance) for chance in chances]
        rows = [
            row
            for row, way in zip(
                zip(*columns.values(), strict=True), np.ravel(piece.ways), strict=True
            )
            if way or piece.choices
        ]
        name = piece.name.replace("_", " ")
        if len(rows) > _PRINTED_ROWS:
            blocks.append(f"{name}: {len(rows)} rows, which --format json shows")
            continue
        sides = ["left"] * labels + ["right"] * (len(columns) - labels)
        text = tabulate(rows, list(columns), "simple", colalign=sides, disable_numparse=True)
        blocks.append(f"{name}\n\n{text}")
    return "\n\n".join([*blocks, *odds.answer.notes, odds.citation]) + "\n"


def as_json(odds: Odds) -> str:
    """The question, the lead, the notes, the columns and the rows, a class of chance 0 too."""
    columns = list(odds.frame.columns)
    rows = [
        {name: None if value != value else value for name, value in zip(columns, row, strict=True)}
        for row in odds.frame.itertuples(index=False, name=None)
    ]
    document = {
        "question": {
            **msgspec.structs.asdict(odds.question),
            "rules": msgspec.structs.asdict(odds.question.rules),
            "version": __version__,
            "command": odds.command,
        },
        "lead": odds.answer.lead,
        "notes": list(odds.answer.notes),
        "columns": columns,
        "rows": rows,
    }
    return json.dumps(document, ensure_ascii=False, indent=1, allow_nan=False) + "\n"


#: By the name that `--format` takes.
FORMATS = {"table": readable, "json": as_json}
