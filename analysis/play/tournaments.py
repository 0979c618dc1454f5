"""Every policy against every other, on the same deals."""

from __future__ import annotations

import hashlib
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, permutations
from typing import Any

from analysis.errors import InputError
from analysis.means import UNKNOWN, Estimate
from analysis.play.answers import Answer, Played, run_played, units_by_default, words_of
from analysis.play.contests import Asked, contest_of, played_game
from analysis.play.sections import Measure, Section
from analysis.policies import shipped_policies
from analysis.settings import rules_told
from sims import __version__
from sims.blocks import Progress
from sims.runs import DEFAULT_SEED


@dataclass(frozen=True, eq=False, repr=False)
class Tournament(Answer):
    """All contests of several policies; of two sides each pair is played once, else both ways.

    Attributes
    ----------
    names : tuple of str
        The policies, in the order of the rows.
    contests : tuple of Played
    """

    names: tuple[str, ...]
    contests: tuple[Played, ...]

    @property
    def id(self) -> str:
        """Twelve hexadecimal digits of the hash of all contests' ids."""
        every = " ".join(played.contest.id for played in self.contests)
        return hashlib.sha256(every.encode()).hexdigest()[:12]

    def lead(self, policy: str, against: str) -> Estimate:
        """What a policy is ahead by. Raises InputError where the two have not met."""
        for played in self.contests:
            if played.names == (policy, against):
                return played.lead
            if played.names == (against, policy) and self._game.TWO_SIDES:
                value, low, high = played.lead
                return Estimate(-value, -high, -low)
        raise InputError(f"{policy} has not played against {against}")

    @cached_property
    def sections(self) -> list[Section]:
        """One, the matrix: what the row's policy is ahead by, against the column's."""
        first = self.contests[0]
        whole = first.contest.whole
        game = self._game
        what = f"{game.WHOLES} won less lost, a {game.WHOLE}" if whole else f"{game.CHIPS} a deal"
        name = f"lead of the row's policy, {what}"
        measures = [
            Measure(
                (policy,),
                f"against {other}",
                "difference",
                first.asked.units,
                self.lead(policy, other) if other != policy else UNKNOWN,
            )
            for policy in self.names
            for other in self.names
        ]
        return [Section(name, ("policy",), measures)]

    @property
    def _game(self) -> Any:
        return played_game(self.contests[0].contest.game)

    @property
    def title(self) -> str:
        """Which game, and under which rules."""
        contest = self.contests[0].contest
        return f"{contest.game.capitalize()}: tournament of policies{rules_told(contest.rules)}"

    @property
    def command(self) -> str:
        """The command that plays it again."""
        first = self.contests[0]
        words = ["mournival", "play", first.contest.game, "--tournament"]
        for name in self.names:
            if name not in shipped_policies(first.contest.game):
                words += ["--policy", name]
        return shlex.join([*words, *words_of(first.contest, first.asked)])

    @property
    def citation(self) -> str:
        """One line by which anyone can make the numbers again."""
        seed = self.contests[0].contest.seed
        return f"mournival {__version__}, tournament {self.id}, seed {seed}: {self.command}"

    def described(self) -> dict[str, Any]:
        """All contests, as plain data for JSON."""
        return {
            "id": self.id,
            "names": list(self.names),
            "contests": [played.described() for played in self.contests],
            "version": __version__,
            "command": self.command,
        }


def tournament(
    game: str,
    policies: Sequence[str] | None = None,
    *,
    deals: int | None = None,
    whole: bool = False,
    scores: tuple[int, int] = (0, 0),
    rules: Any | Mapping[str, Any] | None = None,
    seed: int = DEFAULT_SEED,
    start: int = 0,
    level: float = 0.95,
    jobs: int | None = None,
    progress: Progress | None = None,
) -> Tournament:
    """Every policy against every other.

    Parameters
    ----------
    game : str
    policies : sequence of str, optional
        Shipped policies and paths that end in `.toml`; by default all that are shipped.
    deals : int, optional
        For each contest, by default as many as `play` plays; or matches or sessions.
    progress : callable, optional
        Called with the units done and asked for, of all contests together.
    whole, scores, rules, seed, start, level, jobs
        As `analysis.play.answers.play`.

    Raises
    ------
    InputError
        Fewer than two policies, one of them twice, or as `play`.
    KeyboardInterrupt
        If interrupted.
    """
    names = tuple(shipped_policies(game) if policies is None else policies)
    if len(names) < 2 or len(set(names)) < len(names):
        raise InputError("a tournament is of two policies or more, each named once")
    meeting = combinations if played_game(game).TWO_SIDES else permutations
    pairs = list(meeting(names, 2))
    contests = [
        contest_of(game, ours, theirs, rules=rules, seed=seed, whole=whole, scores=scores)
        for ours, theirs in pairs
    ]
    asked = Asked(units_by_default(whole) if deals is None else deals, start, level)
    played = []
    for number, (pair, contest) in enumerate(zip(pairs, contests, strict=True)):
        within = _part_of(progress, number, len(pairs)) if progress is not None else None
        made, interrupted = run_played(contest, pair, asked, jobs, within)
        if interrupted:
            raise KeyboardInterrupt
        played.append(made)
    return Tournament(names, tuple(played))


def _part_of(progress: Progress, number: int, parts: int) -> Progress:
    """Progress within one of several parts of the same length."""

    def report(done: int, asked: int) -> None:
        progress(number * asked + done, parts * asked)

    return report
