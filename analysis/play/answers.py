"""What a contest has brought, to be written in every format."""

from __future__ import annotations

import shlex
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import msgspec

from analysis.play.contests import Asked, Contest, contest_of, played_game, run_contest
from analysis.play.sections import Section, frame_of
from analysis.settings import rule_words, rules_told
from sims import __version__
from sims.blocks import Progress
from sims.runs import DEFAULT_SEED

if TYPE_CHECKING:
    import pandas as pd

    from analysis.formats import Grid
    from analysis.means import Estimate

DEFAULT_DEALS = 1_000_000
DEFAULT_WHOLE = 100_000


def words_of(contest: Contest, asked: Asked) -> list[str]:
    """The words of a command that do not name the policies."""
    words = [f"--{played_game(contest.game).WHOLES}"] if contest.whole else []
    words += ["--score", "{}:{}".format(*contest.scores)] if contest.scores != (0, 0) else []
    words += ["--deals", str(asked.units)]
    words += ["--start", str(asked.start)] if asked.start else []
    words += ["--seed", str(contest.seed), *rule_words(contest.rules)]
    return words + (["--level", repr(asked.level)] if asked.level != 0.95 else [])


def units_by_default(whole: bool) -> int:
    """How many deals are played, or matches or sessions, where nobody says."""
    return DEFAULT_WHOLE if whole else DEFAULT_DEALS


class Answer(ABC):
    """What is told in sections: `analysis.formats.Printable`, and at home in a notebook."""

    @property
    @abstractmethod
    def sections(self) -> list[Section]:
        """The numbers."""

    @property
    @abstractmethod
    def title(self) -> str:
        """Who played what, under which rules."""

    @property
    @abstractmethod
    def citation(self) -> str:
        """One line by which anyone can make the numbers again."""

    @abstractmethod
    def described(self) -> dict[str, Any]:
        """What was played, as plain data for JSON."""

    @cached_property
    def frame(self) -> pd.DataFrame:
        """A row a number; columns as `analysis.play.sections.frame_of`."""
        return frame_of(self.sections)

    def to_frame(self) -> pd.DataFrame:
        """A copy of the frame."""
        return self.frame.copy()

    def grids(self) -> Iterator[tuple[str, Grid]]:
        """Every section as a reader sees it, with its heading."""
        for section in self.sections:
            yield section.name, section.grid()

    def __repr__(self) -> str:
        return f"{self.title}\n{self.frame}\n{self.citation}"

    def _repr_html_(self) -> str:
        from analysis.formats import html

        return html(self)


@dataclass(frozen=True, eq=False, repr=False)
class Played(Answer):
    """A contest, played.

    Attributes
    ----------
    contest : Contest
    names : pair of str
        What the user calls the policies of side 0 and side 1.
    asked : Asked
        With the units that were played, which are fewer than wanted after Ctrl-C.
    tallies : tuple of int64 arrays
        As the game's `tally_units` gives them.
    """

    contest: Contest
    names: tuple[str, str]
    asked: Asked
    tallies: Any

    @cached_property
    def sections(self) -> list[Section]:
        """What the tallies say."""
        played = played_game(self.contest.game)
        return played.sections(self.contest, self.names, self.tallies, self.asked.level)

    @property
    def lead(self) -> Estimate:
        """What side 0 is ahead by, a deal in points or chips; of matches and sessions in those won.

        Each unit is worth the same, played in however many seatings.
        """
        return played_game(self.contest.game).lead(self.contest, self.tallies, self.asked.level)

    @property
    def title(self) -> str:
        """Who played what, under which rules."""
        contest = self.contest
        units = played_game(contest.game).WHOLES if contest.whole else "deals"
        who = f"{self.names[0]} against {self.names[1]}" if contest.against else self.names[0]
        seats = ", seats exchanged" if contest.against else ""
        scores = " from {}:{}".format(*contest.scores) if contest.scores != (0, 0) else ""
        count = f"{self.asked.units:,} {units}{scores}{seats}"
        return f"{contest.game.capitalize()} played: {who}, {count}{rules_told(contest.rules)}"

    @property
    def command(self) -> str:
        """The command that plays it again."""
        words = ["mournival", "play", self.contest.game, "--policy", self.names[0]]
        words += ["--against", self.names[1]] if self.contest.against else []
        return shlex.join([*words, *words_of(self.contest, self.asked)])

    @property
    def citation(self) -> str:
        """One line by which anyone can make the numbers again."""
        contest = self.contest
        return f"mournival {__version__}, contest {contest.id}, seed {contest.seed}: {self.command}"

    def described(self) -> dict[str, Any]:
        """The contest, its policies in full, and how it is shown, as plain data for JSON."""
        told: dict[str, Any] = msgspec.to_builtins(self.contest)
        return {
            "id": self.contest.id,
            **told,
            "rules": msgspec.structs.asdict(self.contest.rules),
            "purpose": self.contest.purpose.name.lower(),
            "names": list(self.names),
            **self.asked._asdict(),
            "version": __version__,
            "command": self.command,
        }


def play(
    game: str,
    policy: str = "steady",
    against: str | None = None,
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
) -> Played:
    """Play deals, or whole matches or sessions, with policies.

    Parameters
    ----------
    game : str
    policy : str
        The policy of all players or, with `against`, of one side: a shipped one's name, or a path
        that ends in `.toml`.
    against : str, optional
        The other side's policy; every deal is then played with the seats exchanged as well.
    deals : int, optional
        How many deals, by default a million; or matches or sessions, by default 100 000.
    whole : bool
        Whether whole matches (Gilten) or sessions are played.
    scores : pair of int
        The sides' scores at the beginning, points (Gilten).
    rules : Rules or mapping, optional
    seed, start : int
        Which shuffles, and the first deal.
    level : float
        The probability with which an interval holds.
    jobs : int, optional
        Threads; no number depends on them.
    progress : callable, optional
        Called with the units done and asked for.

    Returns
    -------
    Played

    Raises
    ------
    InputError
        One line that says what was wrong and what is allowed. It is a ValueError.
    KeyboardInterrupt
        If interrupted.
    """
    contest = contest_of(game, policy, against, rules=rules, seed=seed, whole=whole, scores=scores)
    units = units_by_default(whole) if deals is None else deals
    names = (policy, policy if against is None else against)
    made, interrupted = run_played(contest, names, Asked(units, start, level), jobs, progress)
    if interrupted:
        raise KeyboardInterrupt
    return made


def run_played(
    contest: Contest,
    names: tuple[str, str],
    asked: Asked,
    jobs: int | None = None,
    progress: Progress | None = None,
) -> tuple[Played, bool]:
    """The contest played, and whether it was interrupted and shows only what was done so far.

    Raises
    ------
    InputError, KeyboardInterrupt
        As `run_contest`.
    """
    done = run_contest(contest, asked, jobs, progress)
    made = asked._replace(units=done.stop - done.start)
    return Played(contest, names, made, done.tallies), done.interrupted
