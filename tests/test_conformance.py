"""What every game must pass. Adding a game means passing this.

A game is taken as `sims.games` registers it: its cards are conserved, its classes are complete, its
exact counts sum to all deals, its kernel counts what a referee in plain Python counts, its hand's
basis determines what it says it does, and each of its figures has a table in every format and a
chart. A new game adds its referee to `REFEREES` below, in the words of its own labels.

Simulated counts are held against exact ones in `tests/analysis/test_agreement.py`, which runs over
all games as well.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import numpy as np
import pyarrow.parquet as pq
import pytest
from numpy.typing import NDArray
from reference import giley as giley_referee
from reference import gilten as gilten_referee
from reference import gleek as gleek_referee

from analysis import charts, formats, studies, table
from analysis.settings import rule_values, rules_from
from sims import giley
from sims.figures import Axis, Figure, Label, Part, Reading
from sims.games import GAMES, game
from sims.jit import COMPILED
from sims.streams import Purpose, Stream, stream_word

SEED = 6
#: Deals held against the referee, dealt for the limits of the classes, and in a table.
JUDGED, DEALT, SHOWN = (300, 4_000, 200) if COMPILED else (40, 60, 3)
STREAM = stream_word(Purpose.MEASURE, Stream.DEALING)

#: The labels of a class on each axis of a part, by figure and part.
Judged = dict[str, dict[str, tuple[tuple[Label, ...], ...]]]


# Referees ----------------------------------------------------------------------------------------


def judged_gilten(rules: Any, record: dict[str, Any]) -> Judged:
    seats = [hand["seat"] for hand in record["hands"]]
    hands = [gilten_referee.cards(" ".join(hand["cards"])) for hand in record["hands"]]
    turnup = gilten_referee.card(record["turnup"])
    sizes = {2: "pair", 3: "triplet", 4: "quartet"}

    def gleich(value: gilten_referee.Value | None) -> tuple[Label, ...]:
        return ("none", None) if value is None else (sizes[value[0]], value[1])

    def hanger(value: gilten_referee.Value | None) -> tuple[Label, ...]:
        return ("none", None) if value is None else (str(value[0]), value[1])

    own = gleich(gilten_referee.gleich(hands[0])), hanger(gilten_referee.hanger(hands[0]))
    judged: Judged = {
        "gleich": {"hand": own[:1]},
        "hanger": {"hand": own[1:]},
        "gleich-hanger": {"hand": own},
    }
    labels: list[tuple[gilten_referee.Figure, Callable[..., tuple[Label, ...]]]]
    labels = [("gleich", gleich), ("hanger", hanger)]
    for name, label in labels:
        teams = [gilten_referee.team_figure(hands[team::2], name) for team in (0, 1)]
        outcome = gilten_referee.outcome(hands, turnup, name, rules.tie)
        judged[f"team-{name}"] = {
            "outcome": ((outcome,),),
            "classes": (label(teams[0]), label(teams[1])),
        }
        # What becomes of each hand's best and of each team's, in the words of its own team.
        swapped = {"ours": "theirs", "theirs": "ours"}.get(outcome, outcome)
        seen = [(outcome,), (swapped,)]
        held = {f"hand {seat}": hand for seat, hand in zip(seats, hands, strict=True)}
        odds: dict[str, tuple[tuple[Label, ...], ...]] = {
            part: (label(gilten_referee.team_figure([hand], name)), seen[number % 2])
            for number, (part, hand) in enumerate(held.items())
        }
        odds |= {
            f"team {seat}": (label(best), own)
            for seat, best, own in zip(seats, teams, seen, strict=False)
        }
        judged[f"odds-{name}"] = odds
        if rules.tie == "stands":
            # The seats are alike.
            judged[f"odds-{name}"] = {
                part: odds[f"{part} forehand"] for part in ("hand", "team")[: len(hands) // 2]
            }
        elif len(hands) == 2:
            judged[f"odds-{name}"] = {part: odds[part] for part in held}
    return judged


def judged_giley(rules: Any, record: dict[str, Any]) -> Judged:
    seats = [hand["seat"] for hand in record["hands"]]
    hands = [giley_referee.cards(" ".join(hand["cards"])) for hand in record["hands"]]
    firsts = [giley_referee.cards(" ".join(hand["first"])) for hand in record["hands"]]
    shown = giley_referee.show(hands, rules.tie)
    sharing = shown if isinstance(shown, tuple) else (shown,)
    tied = giley_referee.tied_seats(hands)

    def outcome(seat: int) -> tuple[Label, ...]:
        if seat not in tied:
            return ("lost",)
        if len(tied) == 1:
            return ("alone",)
        if rules.tie == "split":
            return ("tied",)
        return ("tied, won" if seat == shown else "tied, lost",)

    return {
        "two": {"hand": ((giley_referee.points(firsts[0]),),)},
        "four": {"hand": ((giley_referee.points(hands[0]),),)},
        "best": {
            "points": ((max(map(giley_referee.points, hands)),),),
            "tie": ((giley_referee.tied_count(hands),),),
            "winner": ((seats[sharing[0]] if len(sharing) == 1 else "shared",),),
        },
        **{
            f"odds-{name}": {
                seats[seat]: ((giley_referee.points(own[seat]),), outcome(seat))
                for seat in range(len(seats))
            }
            for name, own in (("two", firsts), ("four", hands))
        },
    }


def judged_gleek(rules: Any, record: dict[str, Any]) -> Judged:
    seats = [hand["seat"] for hand in record["hands"]]
    hands = [gleek_referee.cards(" ".join(hand["cards"])) for hand in record["hands"]]
    turnup = gleek_referee.card(record["turnup"])
    stock = gleek_referee.cards(" ".join(record["stock"]))
    winner, best, tied = gleek_referee.best_ruff(hands, turnup, rules.turnup_in_ruff)
    own = {rank: name for name, rank in gleek_referee.sets(hands[0])}

    def ruff(value: gleek_referee.Ruff) -> tuple[Label, ...]:
        return ("four aces" if value[0] else value[1],)

    def honours(ranks: tuple[str, ...]) -> tuple[Label, ...]:
        return len(ranks), " ".join(ranks) or "none"

    counts = [None, None, turnup if rules.turnup_in_ruff else None]
    ruffs = [gleek_referee.ruff(hand, up) for hand, up in zip(hands, counts, strict=True)]

    def outcome(seat: int) -> tuple[Label, ...]:
        if ruffs[seat] != best:
            return ("lost",)
        if tied == 1:
            return ("alone",)
        return ("tied, won" if seat == winner else "tied, lost",)

    return {
        "ruff": {"hand": (ruff(gleek_referee.ruff(hands[0])),)},
        "best-ruff": {"points": (ruff(best),), "winner": ((seats[winner],),), "tie": ((tied,),)},
        "sets": {
            **{rank: ((own.get(rank, "none"),),) for rank in "AKQJ"},
            "number": ((len(own),),),
            "income": ((gleek_referee.sets_income(hands[0]),),),
        },
        "aces": {"hand": ((gleek_referee.aces(hands[0]),),)},
        "honours": {
            "hand": (honours(gleek_referee.trump_honours(hands[0], turnup.suit)),),
            "turnup": ((" ".join(gleek_referee.turnup_honours(turnup)) or "none",),),
            "stock": (honours(gleek_referee.stock_honours(stock, turnup)),),
        },
        "odds-ruff": {name: (ruff(ruffs[seat]), outcome(seat)) for seat, name in enumerate(seats)},
    }


#: By game: a deal's record judged in the referee's words, under some rules.
REFEREES: dict[str, Callable[[Any, dict[str, Any]], Judged]] = {
    "gilten": judged_gilten,
    "giley": judged_giley,
    "gleek": judged_gleek,
}


# What is tried -----------------------------------------------------------------------------------


def every_rules(name: str) -> Iterator[tuple[str, Any]]:
    """The default rules and each single option that cards and figures depend on, with a name."""
    known = game(name)
    yield f"{name}", known.Rules()
    for key, values in rule_values(known).items():
        for value in list(values)[1:] if key not in known.PLAY_OPTIONS else ():
            yield f"{name}-{key}-{value}", rules_from(known, [(key, value)])


every_game = pytest.mark.parametrize("name", list(GAMES))
under_every_rule = pytest.mark.parametrize(
    ("name", "rules"),
    [pytest.param(name, rules, id=text) for name in GAMES for text, rules in every_rules(name)],
)
every_figure = pytest.mark.parametrize(
    ("name", "figure"),
    [(name, figure) for name in GAMES for figure in game(name).figures(game(name).Rules())],
)


def cards_of(record: dict[str, Any]) -> list[str]:
    """All cards that a record shows: of the hands, the turn-up, the stock."""
    held = [card for hand in record["hands"] for card in hand["cards"]]
    turned_up = [record["turnup"]] if "turnup" in record else []
    return [*held, *turned_up, *record.get("stock", [])]


def counted(name: str, rules: Any, figure: Figure, start: int, stop: int) -> NDArray[np.int64]:
    return game(name).tally_block(figure, rules, SEED, STREAM, start, stop)


def readings_of(name: str, rules: Any) -> list[Reading]:
    """All that the figures and the hand read, each once."""
    known = game(name)
    parts = [part for figure in known.figures(rules).values() for part in figure.parts]
    readings = [reading for part in parts for reading in part.readings]
    return list({r.code: r for r in (*readings, *known.HAND.basis)}.values())


# Cards -------------------------------------------------------------------------------------------


@under_every_rule
def test_every_card_of_a_deal_is_one_of_the_pack_and_there_once(name: str, rules: Any) -> None:
    known = game(name)
    pack = {known.PACK.text(card) for card in range(known.PACK.size)}
    for index in range(20 if COMPILED else 2):
        record = known.deal_record(rules, SEED, index)
        cards = cards_of(record)
        assert len(set(cards)) == len(cards)
        assert set(cards) <= pack
        assert len({hand["seat"] for hand in record["hands"]}) == len(record["hands"])
    # The module may offer its deals as masks, a row a hand.
    deal_hands = getattr(known, "deal_hands", None)
    assert deal_hands is not None
    hands = deal_hands(rules, SEED, STREAM, 0, DEALT)
    together = np.bitwise_or.reduce(hands, axis=0)
    assert (np.bitwise_count(hands).sum(axis=0) == np.bitwise_count(together)).all()
    assert not (together & ~together.dtype.type(known.PACK.mask)).any()


# Classes -----------------------------------------------------------------------------------------


@under_every_rule
def test_classes_are_labelled_once_each_and_axes_have_columns_of_their_own(
    name: str, rules: Any
) -> None:
    for figure in game(name).figures(rules).values():
        assert len({part.name for part in figure.parts}) == len(figure.parts)
        for part in figure.parts:
            columns = [column for axis in part.axes for column in axis.columns]
            assert len(set(columns)) == len(columns)
            for axis in part.axes:
                assert len(set(axis.labels)) == len(axis) > 1
                assert {len(labels) for labels in axis.labels} == {len(axis.columns)}


@under_every_rule
def test_the_kernel_knows_no_class_beyond_the_last(name: str, rules: Any) -> None:
    """Each reading is given more classes than it has, and deals nothing into those."""
    spare = 64
    for reading in readings_of(name, rules):
        classes = len(reading.axis)
        wide = Axis(columns=("class",), labels=tuple((n,) for n in range(classes + spare)))
        figure = Figure("wide", "With room", (Part("all", (Reading(reading.code, wide),)),))
        counts = counted(name, rules, figure, 0, DEALT)
        assert counts[:classes].sum() == DEALT
        assert not counts[classes:].any()


# Exact counts ------------------------------------------------------------------------------------


@pytest.mark.compiled
@every_figure
def test_ways_sum_to_the_total_in_each_part(name: str, figure: str) -> None:
    for _, rules in every_rules(name):
        exact = studies.exact_counts(studies.study_of(name, figure, rules))
        if exact is None:
            continue
        parts = {part.name: part for part in game(name).figures(rules)[figure].parts}
        assert set(exact.ways) == set(parts)
        for part, ways in exact.ways.items():
            assert ways.shape == parts[part].shape
            assert (ways >= 0).all()
            assert sum(map(int, ways.ravel())) == exact.total


# The referee -------------------------------------------------------------------------------------


@under_every_rule
def test_the_kernel_counts_what_the_referee_counts(name: str, rules: Any) -> None:
    known = game(name)
    figures = known.figures(rules)
    expected = {
        figure: {part.name: np.zeros(part.shape, np.int64) for part in declared.parts}
        for figure, declared in figures.items()
    }
    places = {
        (figure, part.name, number): {labels: row for row, labels in enumerate(axis.labels)}
        for figure, declared in figures.items()
        for part in declared.parts
        for number, axis in enumerate(part.axes)
    }
    for index in range(JUDGED):
        judged = REFEREES[name](rules, known.deal_record(rules, SEED, index))
        assert set(judged) == set(figures)
        for figure, parts in judged.items():
            for part, axes in parts.items():
                rows = [places[figure, part, number][labels] for number, labels in enumerate(axes)]
                expected[figure][part][tuple(rows)] += 1
    for figure, declared in figures.items():
        found = declared.split(counted(name, rules, declared, 0, JUDGED))
        assert set(found) == set(expected[figure])
        for part, counts in found.items():
            assert (counts == expected[figure][part]).all(), (figure, part)


def test_a_referee_of_other_rules_is_caught() -> None:
    """The control: with the dealer's privilege mano does not win every tie."""
    rules, others = giley.Rules(), giley.Rules(tie="mano_first")
    best = giley.figures(rules)["best"]
    found = best.split(counted("giley", rules, best, 0, JUDGED))["winner"]
    records = [giley.deal_record(rules, SEED, index) for index in range(JUDGED)]
    for judging, agrees in ((rules, True), (others, False)):
        winners = [judged_giley(judging, record)["best"]["winner"] for record in records]
        expected = [winners.count((labels,)) for labels in best.parts[2].axes[0].labels]
        assert (found.tolist() == expected) is agrees or not COMPILED


# The hand ----------------------------------------------------------------------------------------


@every_game
def test_the_basis_determines_what_it_says_it_does(name: str) -> None:
    """Deal by deal; and no atom speaks of a class that its axis does not have."""
    known = game(name)
    rules, hand = known.Rules(), known.HAND
    readings = {reading.code: reading for reading in readings_of(name, rules)}
    parts = tuple(Part(str(code), (reading,)) for code, reading in readings.items())
    figure = Figure("each", "Every reading", parts)
    for index in range(1 + JUDGED // 4):
        tally = figure.split(counted(name, rules, figure, index, index + 1))
        classes = {code: int(tally[str(code)].argmax()) for code in readings}
        basis = [np.int64(classes[reading.code]) for reading in hand.basis]
        for code, of in hand.of_basis.items():
            assert int(of(*basis)) == classes[code]
    for key, atom in hand.atoms.items():
        assert key == atom.name
        found = np.broadcast_to(atom.of(*hand.classes()), hand.shape)
        assert found.min() >= 0
        assert found.max() < len(atom.axis)


@pytest.mark.compiled
@every_game
def test_the_hands_of_the_basis_are_all_there_are(name: str) -> None:
    """Where the exact counts of the basis come from, they have the figures' margins."""
    known = game(name)
    rules, hand = known.Rules(), known.HAND
    for figure, declared in known.figures(rules).items():
        if not all(r.code in hand.of_basis for part in declared.parts for r in part.readings):
            continue
        alone = table(name, figure, deals=0).frame["exact"].to_numpy()
        anyone = table(name, figure, deals=0, where=_of_any_hand(name)).frame
        among = anyone.loc[anyone["part"] != "condition", "exact"].to_numpy()
        np.testing.assert_allclose(among, alone, rtol=1e-12)


@cache
def _of_any_hand(name: str) -> str:
    """A condition that every hand fulfils."""
    atom = next(iter(game(name).HAND.atoms))
    return f"{atom} or not {atom}"


# Tables and charts -------------------------------------------------------------------------------


@pytest.mark.compiled
@every_figure
def test_every_figure_has_a_table_in_every_format(name: str, figure: str) -> None:
    shown = table(name, figure, deals=SHOWN)
    made = {kind: make(shown) for kind, make in formats.FORMATS.items()}
    assert all(made.values())
    counts = shown.frame["count"].tolist()
    assert [row["count"] for row in json.loads(made["json"])["rows"]] == counts
    text, content = made["csv"], made["parquet"]
    assert isinstance(text, str)
    assert [int(row["count"]) for row in csv.DictReader(io.StringIO(text))] == counts
    assert isinstance(content, bytes)
    assert pq.read_table(io.BytesIO(content))["count"].to_pylist() == counts
    for kind in ("table", "markdown", "latex", "html", "typst"):
        assert shown.citation.partition(":")[0] in str(made[kind])


@pytest.mark.compiled
@every_figure
def test_every_part_of_every_figure_has_a_chart(name: str, figure: str) -> None:
    shown = table(name, figure, deals=SHOWN)
    for part in shown.parts:
        assert charts.drawn(shown, "png", 84.0, part.name).startswith(b"\x89PNG")
