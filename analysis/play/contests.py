"""A contest: a policy by itself or against another, over so many deals, and running it."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from importlib import import_module
from typing import Any, NamedTuple, Protocol

import msgspec

from analysis.chances import chances_for, digest
from analysis.errors import InputError
from analysis.means import Estimate
from analysis.play.sections import Section
from analysis.policies import policy_named
from analysis.settings import check_level, game_named, rules_given
from sims.blocks import Block, Done, Progress, run_blocks
from sims.games import PLAYED
from sims.runs import DEFAULT_SEED
from sims.streams import SEED_LIMIT, Purpose


class Contest(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Who plays, and what: everything that the numbers depend on, but for how many units.

    Attributes
    ----------
    game : str
    rules : Rules
        The game's own.
    policies : pair of Policy
        Of side 0 and side 1; what they say, not their names.
    chances : pair of str
        The hashes of the tables of chances they go by.
    seed : int
        0 to 2**64 - 1.
    purpose : Purpose
    whole : bool
        Whether a unit is a whole match or session, not a single deal.
    scores : pair of int
        The sides' scores at the beginning of a unit, points.
    against : bool
        Whether the sides change seats: each unit is played once for every seat that side 0 may
        have, with the same cards.
    """

    game: str
    rules: Any
    policies: tuple[Any, Any]
    chances: tuple[str, str]
    seed: int = DEFAULT_SEED
    purpose: Purpose = Purpose.MEASURE
    whole: bool = False
    scores: tuple[int, int] = (0, 0)
    against: bool = False

    def __post_init__(self) -> None:
        if not 0 <= self.seed < SEED_LIMIT:
            raise ValueError(f"seed {self.seed}: allowed are 0 to 2^64 - 1")

    @property
    def id(self) -> str:
        """Twelve hexadecimal digits of the canonical JSON's hash."""
        return hashlib.sha256(msgspec.json.encode(self, order="sorted")).hexdigest()[:12]


class PlayedGame(Protocol):
    """What `analysis.play` has to know of a game: the module there that bears its name."""

    #: What a deal brings, in the plural.
    CHIPS: str
    #: What a whole unit is called, one and many.
    WHOLE: str
    WHOLES: str
    #: Whether a unit can begin at other scores than 0.
    SCORED: bool
    #: Whether side 1 leads by what side 0 trails: of two sides, not of one player among others.
    TWO_SIDES: bool

    def check(self, rules: Any, scores: tuple[int, int]) -> None:
        """Raises InputError where the game cannot begin at these scores."""

    def block(self, contest: Contest) -> Block[Any]:
        """Tallies a range of units."""

    def nothing(self, contest: Contest) -> Any:
        """The tallies of no units."""

    def sections(
        self, contest: Contest, names: tuple[str, str], tallies: Any, level: float
    ) -> list[Section]:
        """What the tallies say, for readers."""

    def lead(self, contest: Contest, tallies: Any, level: float) -> Estimate:
        """What side 0 is ahead by, a deal; of whole units in those won."""


def played_game(name: str) -> PlayedGame:
    """The game as `analysis.play` knows it.

    Raises
    ------
    InputError
        No such game, or none that is played.
    """
    game_named(name)
    if name not in PLAYED:
        raise InputError(f"{name} is not played yet: allowed are {', '.join(PLAYED)}")
    module: Any = import_module(f"analysis.play.{name}")
    return module  # type: ignore[no-any-return]


class Asked(NamedTuple):
    """How much is played, and how it is shown; `level` is a probability."""

    units: int
    start: int = 0
    level: float = 0.95


def contest_of(
    game: str,
    policy: str,
    against: str | None = None,
    *,
    rules: Any | Mapping[str, Any] | None = None,
    seed: int = DEFAULT_SEED,
    whole: bool = False,
    scores: tuple[int, int] = (0, 0),
) -> Contest:
    """The contest of a policy with itself, or against another.

    Parameters
    ----------
    game : str
    policy, against : str
        Names of shipped policies, or paths that end in `.toml`.
    rules, seed, whole, scores
        As `Contest`.

    Raises
    ------
    InputError
        An unknown game, policy or rule, a policy file with a fault, a seed or score out of range.
    """
    played = played_game(game)
    given = rules_given(game_named(game), rules)
    played.check(given, scores)  # before chances are learned, which takes its time
    ours = policy_named(game, policy)
    theirs = ours if against is None else policy_named(game, against)
    try:
        return Contest(
            game,
            given,
            policies=(ours, theirs),
            chances=(
                digest(chances_for(game, given, ours)),
                digest(chances_for(game, given, theirs)),
            ),
            seed=seed,
            whole=whole,
            scores=scores,
            against=against is not None,
        )
    except ValueError as error:
        raise InputError(str(error)) from None


def run_contest(
    contest: Contest, asked: Asked, jobs: int | None = None, progress: Progress | None = None
) -> Done[Any]:
    """Play the contest's units; after Ctrl-C those that were done.

    Raises
    ------
    InputError
        Units, level or jobs out of range.
    KeyboardInterrupt
        If interrupted before the first unit was done.
    """
    # Before anything is played: a wrong level would be noticed only when the answer is shown.
    check_level(asked.level)
    played = played_game(contest.game)
    try:
        done = run_blocks(
            played.block(contest),
            played.nothing(contest),
            asked.units,
            asked.start,
            what=played.WHOLES if contest.whole else "deals",
            jobs=jobs,
            progress=progress,
        )
    except ValueError as error:
        raise InputError(str(error)) from None
    if done.stop == done.start:
        raise KeyboardInterrupt
    return done
