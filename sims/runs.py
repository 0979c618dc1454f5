"""What is asked of cards as dealt, a study, and running it (`sims.blocks`)."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from concurrent.futures import Executor
from functools import partial
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from sims.blocks import Progress, run_blocks
from sims.figures import Figure, Tally, crossed
from sims.games import game
from sims.predicates import compiled
from sims.streams import SEED_LIMIT, Purpose, Stream, stream_word

DEFAULT_SEED = 1

#: Deals in the first blocks.
_FIRST_BLOCK = 1 << 16


class Study(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What is asked: everything that the numbers depend on, but for how many deals.

    `rules` is the game's own frozen Rules; `seed` is 0 to 2**64 - 1; `by` is a second figure of the
    game, for the joint distribution of both; under `where`, a condition on the first hand, only
    the deals that fulfil it are counted.
    """

    game: str
    figure: str
    rules: Any
    seed: int = DEFAULT_SEED
    purpose: Purpose = Purpose.MEASURE
    by: str | None = None
    where: str | None = None

    def __post_init__(self) -> None:
        if not 0 <= self.seed < SEED_LIMIT:
            raise ValueError(f"seed {self.seed}: allowed are 0 to 2^64 - 1")

    @property
    def id(self) -> str:
        """Twelve hexadecimal digits of the canonical JSON's hash.

        Defaults are left out of it, so that an option of a later version leaves ids as they are.
        """
        return hashlib.sha256(msgspec.json.encode(self, order="sorted")).hexdigest()[:12]

    @property
    def declared(self) -> Figure:
        """The figure's classes and parts. Raises KeyError where the game has no such figure."""
        figures = game(self.game).figures(self.rules)
        figure = figures[self.figure]
        return figure if self.by is None else crossed(figure, figures[self.by])

    def holds(self) -> NDArray[np.bool_] | None:
        """Where the condition holds, of the shape of the hand's basis; None without a condition.

        Raises
        ------
        ConditionError
            The condition cannot be read.
        """
        return compiled(self.where, game(self.game).HAND) if self.where is not None else None


class Run(msgspec.Struct, frozen=True):
    """The tally of the deals `start` to `stop`, fewer than were asked for if it was interrupted.

    `aside` is how many of them did not fulfil the study's condition.
    """

    tally: Tally
    start: int
    stop: int
    interrupted: bool
    aside: int

    @property
    def deals(self) -> int:
        return self.stop - self.start


def run_block(
    study: Study, start: int, stop: int, figure: Figure | None = None
) -> NDArray[np.int64]:
    """Flat counts, int64 (cells + 1,), of a study's figure over the deals `start` to `stop`.

    The last are the deals that do not fulfil the study's condition, once for each part. Another
    `figure` of the game can be read off the same deals.
    """
    stream = stream_word(study.purpose, Stream.DEALING)
    figure = study.declared if figure is None else figure
    return game(study.game).tally_block(
        figure, study.rules, study.seed, stream, start, stop, study.holds()
    )


def run(
    study: Study,
    deals: int,
    start: int = 0,
    jobs: int | None = None,
    executor: Executor | None = None,
    progress: Progress | None = None,
    figure: Figure | None = None,
) -> Run:
    """Run the deals `start` to `start + deals` of a study.

    Parameters
    ----------
    study : Study
    deals, start : int
        How many deals, 1 or more, and the index of the first; indices stay below 2**62.
    jobs : int, optional
        Threads, by default one a core.
    executor : Executor, optional
        Where the blocks go instead of threads of our own; `jobs` says how many run at once.
    progress : callable, optional
        Called with the deals done and asked for after each block.
    figure : Figure, optional
        What is read off the deals, by default the study's own figure.

    Returns
    -------
    Run
        After Ctrl-C what was done so far without a gap: a prefix of the range.

    Raises
    ------
    ValueError
        Fewer than one deal or job, or indices out of range.
    """
    figure = study.declared if figure is None else figure
    done = run_blocks(
        partial(_tallied, study, figure),
        (np.zeros(figure.cells + 1, dtype=np.int64),),
        deals,
        start,
        what="deals",
        first=_FIRST_BLOCK,
        jobs=jobs,
        executor=executor,
        progress=progress,
    )
    (counts,) = done.tallies
    aside = int(counts[-1]) // len(figure.parts)
    return Run(figure.split(counts), start, done.stop, done.interrupted, aside)


def _tallied(study: Study, figure: Figure, start: int, stop: int) -> tuple[NDArray[np.int64]]:
    return (run_block(study, start, stop, figure),)


def run_together(
    studies: Sequence[Study], deals: int, jobs: int | None = None, progress: Progress | None = None
) -> list[Run]:
    """The runs of several studies of the same deals, which are dealt once.

    The same tallies as those of `run`, study by study, from deal 0 on.

    Raises
    ------
    ValueError
        The studies differ in more than the figure; or as `run`.
    """
    first = studies[0]
    if any(msgspec.structs.replace(study, figure=first.figure) != first for study in studies):
        raise ValueError("studies that run together differ in nothing but the figure")
    figures = [study.declared for study in studies]
    parts = tuple(
        msgspec.structs.replace(part, name=f"{number} {part.name}")
        for number, figure in enumerate(figures)
        for part in figure.parts
    )
    every = Figure("together", "Several figures", parts)
    done = run(first, deals, jobs=jobs, progress=progress, figure=every)
    return [
        msgspec.structs.replace(
            done, tally={part.name: done.tally[f"{number} {part.name}"] for part in figure.parts}
        )
        for number, figure in enumerate(figures)
    ]
