"""All tables and charts of all games, and a page that shows them.

The report is the same bytes whoever writes it, but for the versions that its manifest names: any
table can be rebuilt from the manifest and compared.
"""

from __future__ import annotations

import hashlib
import json
import platform
from collections.abc import Callable, Iterator, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import jinja2
import msgspec
import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr

from analysis import charts, files, formats, wording
from analysis.errors import InputError
from analysis.leads import lead
from analysis.settings import rule_changes, rule_values, rules_from
from analysis.studies import exact_counts, study_of
from analysis.tables import Asked, Table, build
from sims import __version__
from sims.blocks import Progress
from sims.games import GAMES, game
from sims.runs import Run, Study, run_together

if TYPE_CHECKING:
    from analysis.exact.counting import Counts

Begin = Callable[[str], Progress]

#: A part of at most this many rows is printed on the page; longer ones are linked.
_PRINTED_ROWS = 80
#: Rows expected less often than this, or missing less often, have no normal z.
_COMMON = 10
_PICTURES = ("svg",)
_TABLE_FORMATS = {"csv": formats.csv, "md": formats.markdown}
_LIBRARIES = ("numpy", "numba", "pandas", "scipy", "matplotlib")


class Entry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One table of the manifest: what makes it, and the hashes of its files."""

    name: str
    game: str
    figure: str
    rules: dict[str, str]
    part: str | None
    study: str
    command: str
    files: dict[str, str]


class Manifest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What makes the report."""

    command: str
    version: str
    deals: int
    seed: int
    python: str
    libraries: dict[str, str]
    tables: list[Entry]


class Asking(NamedTuple):
    """A table of the report: the study, the one part to be shown or None, its exact counts."""

    study: Study
    part: str | None
    exact: Counts | None


def questions(seed: int) -> Iterator[Asking]:
    """Every figure of every game under the default rules, and under each house rule that matters.

    A house rule matters to a figure where it changes exact counts; where these are of one part
    only, that part alone is asked for.
    """
    for name in GAMES:
        known = game(name)
        usual = known.Rules()
        house_rules = [
            rules_from(known, [(key, value)])
            for key, values in rule_values(known).items()
            for value in list(values)[1:]
            if key not in known.PLAY_OPTIONS
        ]
        for figure in known.figures(usual):
            study = study_of(name, figure, usual, seed)
            usually = exact_counts(study)
            yield Asking(study, None, usually)
            for rules in house_rules:
                other = study_of(name, figure, rules, seed)
                exact = exact_counts(other)
                changed = _changed_parts(usually, exact)
                if changed:
                    yield Asking(other, changed[0] if len(changed) == 1 else None, exact)


def _changed_parts(first: Counts | None, second: Counts | None) -> list[str]:
    """The parts in which two exact distributions differ."""
    if first is None or second is None:
        return []
    if first.ways.keys() != second.ways.keys():
        return list(second.ways)
    return [
        part
        for part in first.ways
        if first.ways[part].shape != second.ways[part].shape
        # Cross-multiplied: with the turn-up told apart all counts grow alike, and nothing changes.
        or np.any(
            first.ways[part].astype(object) * second.total
            != second.ways[part].astype(object) * first.total
        )
    ]


def slug(study: Study) -> str:
    """The name of a table's files."""
    rules = [f"{key}-{value}".replace("_", "-") for key, value in rule_changes(study.rules).items()]
    return "-".join([study.game, study.figure, *rules])


def write(
    folder: Path, deals: int, seed: int, jobs: int | None = None, begin: Begin | None = None
) -> None:
    """Write the report.

    Parameters
    ----------
    folder : Path
        Made if need be.
    deals, seed : int
        For each table.
    jobs : int, optional
        Threads.
    begin : callable, optional
        Given a name, returns what is called with the deals done and asked for.

    Raises
    ------
    InputError
        The folder cannot be written.
    KeyboardInterrupt
        If interrupted; nothing is written then.
    """
    files.check_folder(folder)
    made: dict[str, bytes] = {}
    entries, sections, scores = [], [], []
    asking = list(questions(seed))
    for one, table in zip(asking, _tables(asking, deals, jobs, begin), strict=True):
        study, name = one.study, slug(one.study)
        texts = {f"{name}.{kind}": make(table).encode() for kind, make in _TABLE_FORMATS.items()}
        pictures = {
            f"{name}-{part.name}.{kind}": content
            for part in table.parts
            for kind, content in charts.pictures(table, _PICTURES, part=part.name).items()
        }
        scores.append(_scores(table))
        made |= texts | pictures
        entries.append(
            Entry(
                name=name,
                game=study.game,
                figure=study.figure,
                rules=rule_changes(study.rules),
                part=one.part,
                study=study.id,
                command=table.command,
                files={file: _digest(content) for file, content in texts.items()},
            )
        )
        sections.append(_section(name, table))
    manifest = Manifest(
        command=f"mournival report --deals {deals} --seed {seed}",
        version=__version__,
        deals=deals,
        seed=seed,
        python=platform.python_version(),
        libraries={library: version(library) for library in _LIBRARIES},
        tables=entries,
    )
    checked = np.concatenate(scores)
    for kind, content in charts.calibration_pictures(checked, _PICTURES).items():
        made[f"calibration.{kind}"] = content
    made["index.html"] = _page(manifest, sections, checked).encode()
    made["manifest.json"] = (json.dumps(msgspec.to_builtins(manifest), indent=1) + "\n").encode()
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"cannot write {folder}: {error.strerror}") from None
    for file, content in made.items():
        files.write(folder / file, content)


def check(folder: Path, jobs: int | None = None, begin: Begin | None = None) -> list[str]:
    """Rebuild the tables of a report's manifest; returns a line for each file that differs.

    Raises
    ------
    InputError
        There is no manifest, or it cannot be read.
    """
    path = folder / "manifest.json"
    try:
        manifest = msgspec.json.decode(path.read_bytes(), type=Manifest)
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror}") from None
    except msgspec.MsgspecError as error:
        raise InputError(f"{path} is no manifest: {error}") from None
    named = {entry.name for entry in manifest.tables}
    differing = [
        f"{slug(one.study)}: the table is not in the manifest"
        for one in questions(manifest.seed)
        if slug(one.study) not in named
    ]
    studies = [
        study_of(entry.game, entry.figure, entry.rules, manifest.seed) for entry in manifest.tables
    ]
    asking = [
        Asking(study, entry.part, exact_counts(study))
        for study, entry in zip(studies, manifest.tables, strict=True)
    ]
    tables = _tables(asking, manifest.deals, jobs, begin)
    for entry, study, table in zip(manifest.tables, studies, tables, strict=True):
        if study.id != entry.study:
            differing.append(f"{entry.name}: the study is {study.id}, not {entry.study}")
        for kind, make in _TABLE_FORMATS.items():
            file = f"{entry.name}.{kind}"
            content = make(table).encode()
            if _digest(content) != entry.files.get(file):
                differing.append(f"{file}: the rebuilt table is not that of the manifest")
            if not (folder / file).is_file() or (folder / file).read_bytes() != content:
                differing.append(f"{file}: the file is not the rebuilt table")
    return differing


def _tables(
    asking: Sequence[Asking], deals: int, jobs: int | None, begin: Begin | None
) -> list[Table]:
    """The tables, in order; those of one game under the same rules share their deals.

    Raises
    ------
    KeyboardInterrupt
        If interrupted.
    """
    together: dict[tuple[str, Any], list[Study]] = {}
    for one in asking:
        together.setdefault((one.study.game, one.study.rules), []).append(one.study)
    done: dict[Study, Run] = {}
    for (name, rules), studies in together.items():
        words = [name, *(f"{key}={value}" for key, value in rule_changes(rules).items())]
        progress = begin(" ".join(words)) if begin is not None else None
        runs = run_together(studies, deals, jobs, progress)
        if runs[0].interrupted:
            raise KeyboardInterrupt
        done |= dict(zip(studies, runs, strict=True))
    return [
        build(one.study, Asked(deals, part=one.part), done[one.study], one.exact) for one in asking
    ]


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def _section(name: str, table: Table) -> dict[str, Any]:
    """What the page's template shows of a table."""
    parts = []
    for part in table.parts:
        grid = formats.printed(table, part.name)
        parts.append(
            {
                "name": part.name if len(table.parts) > 1 else "",
                "picture": f"{name}-{part.name}.svg",
                "headings": [
                    (heading, side == "left")
                    for heading, side in zip(grid.headings, grid.sides, strict=True)
                ],
                "rows": grid.rows if len(grid.rows) <= _PRINTED_ROWS else [],
                "count": len(grid.rows),
                "note": _note_on_rounding(grid),
            }
        )
    return {
        "name": name,
        "game": table.study.game,
        "title": table.title.partition(": ")[2],
        "lead": lead(table),
        "parts": parts,
        "citation": table.citation,
    }


def _note_on_rounding(grid: formats.Grid) -> str:
    """A sentence where the percentages of a part, as printed, miss 100; else ''."""
    totals = {
        heading: wording.added_up(row[grid.headings.index(heading)] for row in grid.rows)
        for heading in ("exact", "simulated", "held")
        if heading in grid.headings
    }
    missed = [
        f"the {heading} percentages as printed add up to {total}"
        for heading, total in totals.items()
        if total != "100.0000 %"
    ]
    text = ", ".join(missed)
    return f"{text[0].upper()}{text[1:]}: each is rounded." if text else ""


def _scores(table: Table) -> NDArray[np.float64]:
    """The z of the rows that are expected ten times and more: rarer ones cannot be normal."""
    if "z" not in table.numbers:
        return np.empty(0)
    exact, deals = table.numbers["exact"], table.numbers["deals"]
    common = (exact * deals >= _COMMON) & ((1 - exact) * deals >= _COMMON)
    scores: NDArray[np.float64] = table.numbers["z"][common]
    return scores


def _calibrated(scores: NDArray[np.float64]) -> str:
    """A sentence on how the z of all tables lie."""
    within = float(np.mean(np.abs(scores) < 1))
    largest = float(np.abs(scores).max())
    # The chance that the largest of so many independent scores is at least as large.
    chance = -np.expm1(len(scores) * np.log1p(-2 * ndtr(-largest)))
    return (
        f"Of {wording.counted(len(scores))} rows {100 * within:.1f} % lie within one standard "
        f"deviation of their exact chance (chance gives 68.3 %); the largest |z| is {largest:.2f}, "
        f"which the largest of as many independent ones reaches {100 * chance:.0f} times in a "
        "hundred. Rows of one table, and tables of one game, share their deals, so that they are "
        "not quite independent. Rows expected less than ten times are left out."
    )


def _page(manifest: Manifest, sections: list[dict[str, Any]], scores: NDArray[np.float64]) -> str:
    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("analysis"),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=jinja2.StrictUndefined,
    )
    page: str = environment.get_template("report.html").render(
        manifest=manifest,
        calibrated=_calibrated(scores),
        deals=wording.counted(manifest.deals),
        games={
            name: (introduction, [s for s in sections if s["game"] == name])
            for name, introduction in GAMES.items()
        },
    )
    return page + "\n"
