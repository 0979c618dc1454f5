"""The kernels that play Gilten against the referee: every trick, bet and point of whole deals.

The kernels write down each decision; the referee (`reference.gilten_play`), which is written from
the clauses and shares no code with them, plays the deal again from these and must be asked the same
questions, allow what was chosen, and come to the same end.
"""

from __future__ import annotations

import itertools
import random
from functools import cache

import msgspec
import numpy as np
import pytest
from numpy.typing import NDArray
from reference.gilten_betting import Ask, Decision, RefRules
from reference.gilten_play import DealRecord, PlayedDeal, PlayedMatch

from analysis.policies import policy_named
from analysis.settings import rule_values, rules_from
from sims.cards import GILTEN
from sims.games import game
from sims.gilten import ladder
from sims.gilten.chances import chances_from, counts
from sims.gilten.deals import deal_hands
from sims.gilten.ladder import FIGURES, NOBODY
from sims.gilten.matches import tally_units
from sims.gilten.play import deal_batch, deal_cards, play
from sims.gilten.policies import CHANCE_SHAPES, Book, Chances, Random, book
from sims.gilten.rules import Rules
from sims.gilten.table import (
    DEALT,
    OVER,
    PLAYED,
    ROBBED,
    SAID,
    WINNER,
    WON,
    counter,
    new_records,
    new_table,
    setting,
)
from sims.jit import COMPILED
from sims.streams import Purpose, Stream, place_word, stream_word

SEED = 5
#: Deals of random decisions, dealt out over random options.
RANDOM_DEALS, BATCH = (10_000, 100) if COMPILED else (40, 4)

_NAMES = ("gleich", "hanger", "spiel")
_BETS = {ladder.BET + figure: ("bet", name) for figure, name in enumerate(_NAMES)}
_WORDS: dict[int, Decision] = {
    ladder.PASS: "pass",
    **_BETS,
    ladder.GUT: "gut",
    ladder.HALTEN: "halten",
    ladder.RAISE: "raise",
    ladder.LEAVE: "leave",
}


def decision(row: NDArray[np.int64]) -> Decision:
    what, _, _, action, _ = map(int, row)
    if what == ROBBED:
        return "rob" if action else "keep"
    return _WORDS[action] if what == SAID else GILTEN.text(action)


def asked_alike(ask: Ask, row: NDArray[np.int64], rules: Rules) -> bool:
    """Whether the referee asks what the kernel answered, and allows the same."""
    what, place, seat, _, allowed = map(int, row)
    if what == ROBBED:
        return ask.kind == "rob" and ask.seat == seat
    if what == PLAYED:
        return ask.kind == "card" and (ask.seat, ask.number) == (seat, place + 1)
    speaker = seat if rules.signalling == "none" else None
    legal = {word for action, word in _WORDS.items() if allowed >> action & 1}
    asked = ask.kind in ("turn", "answer") and (ask.team, ask.seat) == (seat % 2, speaker)
    return asked and ask.number == place + 1 and set(ask.legal) == legal


def replayed(
    rules: Rules,
    hands: NDArray[np.uint32],
    trace: NDArray[np.int64],
    scores: tuple[int, int],
) -> DealRecord:
    """The referee's record of a deal, from the kernel's decisions."""
    *by_seat, turnup = (GILTEN.cards(int(mask)) for mask in hands)
    options = {**msgspec.structs.asdict(rules)}
    deal = PlayedDeal(by_seat, turnup[0], RefRules(**options), scores)
    for row in trace[1 : 1 + trace[0, 0]]:
        ask = deal.pending()
        assert ask is not None
        assert asked_alike(ask, row, rules), (ask, row.tolist())
        deal.decide(decision(row))
    assert deal.pending() is None
    return deal.record()


def agree(
    rules: Rules,
    played_by: Book,
    start: int,
    deals: int,
    flip: int = 0,
    scores: tuple[int, int] = (0, 0),
    seed: int = SEED,
) -> None:
    """Play some deals, and hold each against the referee; `scores` are the sides'."""
    stream = stream_word(Purpose.MEASURE, Stream.DEALING)
    hands = deal_hands(rules, seed, stream, start, deals)
    by_team = scores if flip == 0 else (scores[1], scores[0])
    table, records = deal_batch(
        rules,
        played_by,
        seed,
        Purpose.MEASURE,
        start,
        deals,
        flip=flip,
        scores=scores,
        traced=True,
    )
    for lane in range(deals):
        record = replayed(rules, hands[:, lane], records.trace[lane], by_team)
        compare(record, table.masks[:, lane], table.state[:, lane])


def compare(record: DealRecord, masks: NDArray[np.uint32], state: NDArray[np.int64]) -> None:
    points = np.zeros((2, FIGURES), dtype=np.int64)
    for each in record.points:
        points[each.team, _NAMES.index(each.figure)] += each.points
    assert points.ravel().tolist() == state[ladder.POINTS : ladder.STATE].tolist()
    tricks = [sum(trick.winner % 2 == team for trick in record.tricks) for team in (0, 1)]
    assert tricks == masks[WON : WON + 2].tolist()
    values = [record.figures[name].value for name in ("gleich", "hanger", "spiel")]
    assert values == state[ladder.VALUE : ladder.VALUE + FIGURES].tolist()
    winner = NOBODY if record.winner is None else record.winner
    assert winner == state[WINNER]
    start = state[ladder.SCORE : ladder.SCORE + 2]
    assert (start + points.sum(axis=1)).tolist() == list(record.score)


def random_book() -> Book:
    """Both sides do whatever is legal."""
    unused = Chances(*(np.zeros(shape) for shape in CHANCE_SHAPES))
    return book((Random(), Random()), (unused, unused))


def some_rules(rng: random.Random) -> Rules:
    """Options at random; two players do not signal."""
    values = rule_values(game("gilten"))
    chosen = {key: rng.choice(list(allowed.values())) for key, allowed in values.items()}
    if chosen["players"] == 2:
        chosen["signalling"] = "full"
    return Rules(**chosen)


def test_random_decisions_under_random_options_are_refereed_alike() -> None:
    rng = random.Random(SEED)
    for start in range(0, RANDOM_DEALS, BATCH):
        rules = some_rules(rng)
        scores = (rng.randrange(rules.target), rng.randrange(rules.target))
        agree(rules, random_book(), start, BATCH, start // BATCH % 2, scores)


#: Deals by shipped policy, and how many at a time.
POLICY_DEALS = 20_000 if COMPILED else 40
POLICIES = ("random", "cautious", "steady", "bold")


@cache
def learned(rules: Rules) -> Chances:
    deals = 100_000 if COMPILED else 20
    steady = policy_named("gilten", "steady")
    return chances_from(counts(rules, steady, SEED, Purpose.CONDITION, 0, deals))


@pytest.mark.parametrize("name", POLICIES)
def test_shipped_policies_are_refereed_alike(name: str) -> None:
    """Each policy against itself and the others, with either signalling, from either side."""
    rounds = list(itertools.product(POLICIES, ("full", "none"), (0, 1)))
    each = POLICY_DEALS // len(rounds)
    for number, (other, signalling, flip) in enumerate(rounds):
        rules = rules_from(game("gilten"), [("signalling", signalling)])
        sides = policy_named("gilten", name), policy_named("gilten", other)
        played_by = book(sides, (learned(rules), learned(rules)))
        agree(rules, played_by, number * each, each, flip)


def test_a_referee_of_other_rules_disagrees() -> None:
    """The control: where either team may raise, more is allowed than the referee allows."""
    stream = stream_word(Purpose.MEASURE, Stream.DEALING)
    hands = deal_hands(Rules(), SEED, stream, 0, 200)
    _, records = deal_batch(
        Rules(either_may_raise=True), random_book(), SEED, Purpose.MEASURE, 0, 200, traced=True
    )
    refused = 0
    for lane in range(200):
        try:
            replayed(Rules(), hands[:, lane], records.trace[lane], (0, 0))
        except AssertionError:
            refused += 1
    assert refused > 20


def test_matches_are_refereed_alike() -> None:
    """GN-1.2, GN-5.3: deal after deal, the seats moving on, to the same winner and score."""
    matches_played = 200 if COMPILED else 3
    for rules in (Rules(), Rules(settle="higher_total", target=15)):
        for unit in range(matches_played):
            found = tally_units(
                rules, random_book(), SEED, Purpose.MEASURE, unit, unit + 1, matches=True
            )
            match = refereed_match(rules, unit)
            assert match.winner is not None
            assert found.won.tolist() == [int(match.winner == side) for side in (0, 1)]
            assert found.points[:, FIGURES].tolist() == list(match.score)
            assert found.deals.sum() == len(match.records)


def refereed_match(rules: Rules, unit: int) -> PlayedMatch:
    """A match of the referee's from the kernel's decisions, one deal after the other."""
    match = PlayedMatch(RefRules(**msgspec.structs.asdict(rules)))
    plan, table = setting(rules), new_table(rules, 1)
    for number in range(100):
        if match.winner is not None:
            return match
        place = place_word(deal=number)
        here = counter(SEED, Purpose.MEASURE, unit)._replace(deal=np.uint64(place))
        deal_cards(here, 1, plan, table)
        hands = [GILTEN.cards(int(mask)) for mask in table.masks[DEALT : DEALT + 5, 0]]
        scores = np.array(match.score, dtype=np.int64)[:, None]
        records = new_records(1)
        table.masks[OVER], table.state[WINNER] = 0, NOBODY
        play(here, 1, plan, random_book(), number % 2, scores, table, records)
        deal = match.deal(hands[:4], hands[4][0])
        for row in records.trace[0, 1 : 1 + records.trace[0, 0, 0]]:
            deal.decide(decision(row))
        match.write_down()
    return match


# Policies against each other ---------------------------------------------------------------------


def lead_in_games(rules: Rules, first: str, second: str, games: int) -> tuple[float, float]:
    """Games that the first policy wins more than the second, a game, and the standard error."""
    sides = policy_named("gilten", first), policy_named("gilten", second)
    played_by = book(sides, (learned(rules), learned(rules)))
    found = tally_units(
        rules, played_by, SEED, Purpose.MEASURE, 0, games // 2, matches=True, seatings=2
    )
    pairs = int(found.units[0])
    mean = int(found.won_lead[0]) / pairs
    variance = int(found.won_lead_squares[0]) / pairs - mean**2
    return mean / 2, (variance / pairs) ** 0.5 / 2


@pytest.mark.compiled
@pytest.mark.parametrize("signalling", ["full", "none"])
def test_steady_beats_random_and_cautious_on_fresh_deals(signalling: str) -> None:
    """By more than five standard errors; as a control, random does not beat cautious so."""
    rules = rules_from(game("gilten"), [("signalling", signalling)])
    for other in ("random", "cautious"):
        lead, error = lead_in_games(rules, "steady", other, 40_000)
        assert lead > 5 * error, other
    lead, error = lead_in_games(rules, "random", "cautious", 40_000)
    assert lead < 0
