"""Whole deals of Gilten: what every deal conserves, worked deals, and sums that must agree."""

from __future__ import annotations

from typing import Literal

import msgspec
import numpy as np
import pytest
from hypothesis import given
from hypothesis import settings as trying
from hypothesis import strategies as st
from reference import gilten as referee
from reference.gilten_play import legal_cards as referee_legal_cards
from reference.gilten_play import trick_winner

from sims.cards import GILTEN
from sims.gilten import chances, ladder, matches, views
from sims.gilten.ladder import FIGURES, NOBODY, POINTS, SPIEL_WINNER, STATE, VALUE
from sims.gilten.play import deal_batch
from sims.gilten.policies import (
    CELLS as CELL_STARTS,
)
from sims.gilten.policies import (
    CHANCE_SHAPES,
    GLEICH_CLASSES,
    Betting,
    Book,
    Chances,
    Policy,
    Random,
    Style,
    Thresholds,
    book,
)
from sims.gilten.rules import TIES, Rules
from sims.gilten.table import (
    CARDS,
    CELLS,
    DEALT,
    HANDS,
    LEADER,
    OVER,
    PLAYED,
    PLAYING,
    TRUMPS,
    WINNER,
    WON,
    counter,
    new_table,
)
from sims.gilten.trick import play_trick
from sims.jit import COMPILED
from sims.streams import Purpose

SEED = 9
DEALS = 2_000 if COMPILED else 12


def betting(least: float, bluff: float = 0.0) -> Betting:
    return Betting(
        bet=least,
        hold=least / 2,
        raise_=min(1.0, least + 0.15),
        rise=0.03,
        hold_rise=0.0,
        aus=0.97,
        hold_aus=0.9,
        bluff=bluff,
    )


def policy(least: float, bluff: float = 0.0, trump_in: str = "always") -> Thresholds:
    own = betting(least, bluff)
    style = Style(3, "high", "low", "void", True, True)
    return Thresholds(4, 0.02, -0.02, own, own, own, style)


def some_chances() -> Chances:
    """Anything that grows with the class."""
    return Chances(*(np.broadcast_to(np.linspace(0, 1, s[1]), s).copy() for s in CHANCE_SHAPES))


def some_book(first: Policy, second: Policy) -> Book:
    return book((first, second), (some_chances(), some_chances()))


TIMID, BOLD, ANY = policy(0.8), policy(0.4, bluff=0.05), Random()
#: Climbs as far as it can, to *Spiel aus* and beyond.
_CLIMBING = Betting(
    bet=0.3, hold=0.1, raise_=0.3, rise=0.0, hold_rise=0.0, aus=0.3, hold_aus=0.2, bluff=0.3
)
WILD = msgspec.structs.replace(BOLD, gleich=_CLIMBING, hanger=_CLIMBING, spiel=_CLIMBING)
RULES = st.builds(
    Rules,
    players=st.sampled_from([4, 2]),
    tie=st.sampled_from(TIES),
    target=st.sampled_from([11, 15]),
    either_may_raise=st.booleans(),
    must_hold=st.booleans(),
    late_spiel_limit=st.booleans(),
    settle=st.sampled_from(["first", "higher_total"]),
    turnup_rob=st.booleans(),
) | st.builds(Rules, signalling=st.just("none"), must_hold=st.booleans())


# What every deal conserves -----------------------------------------------------------------------


@trying(max_examples=25 if COMPILED else 2)
@given(
    rules=RULES,
    sides=st.tuples(*[st.sampled_from([TIMID, BOLD, ANY])] * 2),
    seed=st.integers(0, 2**64 - 1),
    scores=st.tuples(st.integers(0, 10), st.integers(0, 10)),
    flip=st.integers(0, 1),
)
def test_cards_tricks_and_points_are_conserved(
    rules: Rules, sides: tuple[Policy, Policy], seed: int, scores: tuple[int, int], flip: int
) -> None:
    deals = 100 if COMPILED else 4
    table, _ = deal_batch(
        rules, some_book(*sides), seed, Purpose.MEASURE, 0, deals, flip=flip, scores=scores
    )
    masks, state = table.masks[:, :deals], table.state[:, :deals]
    dealt = masks[DEALT : DEALT + rules.players]
    everything = np.bitwise_or.reduce(masks[DEALT : DEALT + rules.players + 2], axis=0)
    assert (np.bitwise_count(dealt) == 5).all()
    assert (everything == 0xFFFF_FFFF).all()
    held = masks[HANDS : HANDS + rules.players]
    assert not (held & ~dealt).any()
    tricks = masks[WON : WON + 2].sum(axis=0)
    assert (np.bitwise_count(held) == 5 - tricks).all()
    assert (masks[WON : WON + 2] <= 3).all()
    points = state[POINTS:STATE].reshape(2, FIGURES, deals)
    # A figure scores for one team at most, and for no more than the game.
    assert (points >= 0).all()
    assert not (points[0] * points[1]).any()
    assert (points <= rules.target).all()
    totals = state[ladder.SCORE : ladder.SCORE + 2] + points.sum(axis=1)
    winner, reached = state[WINNER], totals >= rules.target
    assert ((winner == NOBODY) == (masks[OVER][:deals] == 0)).all()
    for team in (0, 1):
        assert reached[team][winner == team].all()
    if rules.settle == "first":
        assert (reached.any(axis=0) == (winner != NOBODY)).all()
        assert (reached.sum(axis=0) <= 1).all()
    else:
        assert (totals[0] == totals[1])[(winner == NOBODY) & reached.any(axis=0)].all()


@pytest.mark.parametrize("sides", [(TIMID, BOLD), (BOLD, BOLD), (WILD, BOLD), (WILD, ANY)])
@pytest.mark.parametrize(
    "rules",
    [
        Rules(),
        Rules(signalling="none"),
        Rules(players=2, turnup_rob=True, tie="forehand"),
        Rules(either_may_raise=True, late_spiel_limit=True, target=15),
        Rules(must_hold=True, settle="higher_total", tie="trump_then_forehand"),
    ],
    ids=["default", "none", "two", "either", "higher"],
)
def test_a_traced_deal_is_the_deal_untraced(sides: tuple[Policy, Policy], rules: Rules) -> None:
    """Traced, every lane is talked through step by step; untraced, all lanes at once if possible.

    So the two ways to bet, of which the referee sees the first, are held against each other.
    """
    for flip, scores in ((0, (0, 0)), (1, (4, 8))):
        ends = []
        for traced in (False, True):
            table, records = deal_batch(
                rules,
                some_book(*sides),
                SEED,
                Purpose.MEASURE,
                3,
                DEALS,
                flip=flip,
                scores=scores,
                traced=traced,
            )
            ended = table.state[[*range(VALUE, VALUE + FIGURES), SPIEL_WINNER, WINNER], :DEALS]
            points, cards = table.state[POINTS:STATE, :DEALS], table.masks[HANDS:, :DEALS]
            ends.append((ended, points, cards[:4], records.actions))
        for together, step_by_step in zip(*ends, strict=True):
            assert (together == step_by_step).all()


# Tricks ------------------------------------------------------------------------------------------


def played(texts: list[str], trump: str, leader: int, sides: tuple[Policy, Policy]) -> list[str]:
    """The cards of one trick in order of play, then the winner's seat as text."""
    rules = Rules()
    table = new_table(rules, 1)
    for seat, text in enumerate(texts):
        table.masks[HANDS + seat, 0] = GILTEN.read(text)
    table.masks[TRUMPS, 0] = GILTEN.suit_mask(GILTEN.suits.index(trump))
    table.masks[LEADER, 0], table.masks[PLAYING, 0] = leader, 0xFFFF_FFFF
    trace = np.zeros((0, 1, 1), dtype=np.int64)
    traits = some_book(*sides).traits
    play_trick(0, counter(1, 0, 0), 1, traits, 0, table, trace)
    cards = [GILTEN.cards(int(table.masks[CARDS + seat, 0]))[0] for seat in range(4)]
    return [*cards[leader:], *cards[:leader], str(table.masks[LEADER, 0])]


def test_gn_2_2_gn_2_3_worked_tricks() -> None:
    sides = (TIMID, TIMID)
    # The ace is led, nobody has more, and the last trumps in only when he cannot follow.
    hands = ["AE 7L", "8E 9L", "9E AH", "7S 10S"]
    assert played(hands, "H", 0, sides) == ["AE", "8E", "9E", "7S", "0"]
    assert played(hands, "S", 0, sides) == ["AE", "8E", "9E", "7S", "3"]
    # Second hand beats with its lowest; third does not overtake a partner who leads with the best.
    assert played(["KE", "AE 7E", "8E", "OE 10E"], "L", 0, sides) == ["KE", "AE", "8E", "10E", "1"]
    # The leader sits anywhere: partners are at places of one parity.
    assert played(["7E", "KE", "8E AE", "9E OE"], "L", 3, sides)[-1] == "2"


def test_any_legal_card_and_no_other_is_played_at_random() -> None:
    """Against the referee's legal cards, over many deals: every one is played some time."""
    rules = Rules()
    deals = 1_500 if COMPILED else 20
    table, records = deal_batch(
        rules, some_book(ANY, ANY), SEED, Purpose.MEASURE, 0, deals, traced=True
    )
    seen: dict[tuple[int, int], int] = {}
    for lane in range(deals):
        rows = records.trace[lane, 1 : 1 + records.trace[lane, 0, 0]]
        cards = [(int(row[2]), int(row[3])) for row in rows if row[0] == PLAYED]
        left = [set(GILTEN.cards(int(mask))) for mask in table.masks[DEALT : DEALT + 4, lane]]
        trump = GILTEN.cards(int(table.masks[TRUMPS, lane]))[0][-1]
        for begin in range(0, len(cards), 4):
            trick = [(seat, GILTEN.text(card)) for seat, card in cards[begin : begin + 4]]
            led = None
            for seat, card in trick:
                hand = sorted(referee.cards(" ".join(left[seat])))
                legal = [c.rank + c.suit for c in referee_legal_cards(hand, led, trump)]
                assert card in legal
                key = (len(legal), legal.index(card))
                seen[key] = seen.get(key, 0) + 1
                left[seat].remove(card)
                led = led or referee.card(card).suit
            place = trick_winner([referee.card(card) for _, card in trick], trump)
            if begin + 4 < len(cards):
                assert cards[begin + 4][0] == trick[place][0]
    if COMPILED:
        # Each of n legal cards alike: the counts of one n within five standard deviations.
        for number in range(2, 6):
            counts = np.array([seen[number, place] for place in range(number)])
            mean = counts.sum() / number
            assert (abs(counts - mean) < 5 * np.sqrt(mean)).all()


# What players know -------------------------------------------------------------------------------


def cells_of(texts: list[str], shown: list[str], turnup: str, rules: Rules) -> list[list[int]]:
    """The cells of Gleich, Hanger and Spiel of each view; seat 0 leads, team 0 has the tricks."""
    table = new_table(rules, 1)
    for seat, (text, played_cards) in enumerate(zip(texts, shown, strict=True)):
        table.masks[DEALT + seat, 0] = GILTEN.read(text)
        table.masks[HANDS + seat, 0] = GILTEN.read(text) & ~GILTEN.read(played_cards)
    table.masks[DEALT + 4, 0] = GILTEN.read(turnup)
    table.masks[TRUMPS, 0] = GILTEN.suit_mask(GILTEN.suits.index(turnup[-1]))
    table.masks[WON, 0] = len(shown[0].split())
    ties = int(rules.tie != "stands")
    partners_speak = int(rules.signalling == "none")
    views.see(table.masks, 4, 1)
    views.know(table.masks, 4, partners_speak, 1)
    views.look(table.masks, 4, partners_speak, ties, 1)
    count = 4 if rules.signalling == "none" else 2
    found = table.masks[CELLS : CELLS + FIGURES * count, 0].reshape(count, FIGURES)
    return [
        [int(cell) - start for cell, start in zip(row, CELL_STARTS, strict=True)] for row in found
    ]


HELD = ["AE AL KH 8H 7S", "9E 10E UL OL 9H", "AH KS OS 8E 7L", "UE OE 9L 8L 10S"]
PAIR_OF_ACES, PAIR_OF_NINES = 8, 3


def test_a_team_that_talks_knows_the_better_of_both_hands() -> None:
    first, second = cells_of(HELD, ["", "", "", ""], "UH", Rules())
    assert first[0] == PAIR_OF_ACES
    # Ours are three trumps with none above the ace, and the aces of two other suits.
    assert first[2] == 256 * 1 + 32 * 3 + 4 * 0 + 2
    # Theirs is the 9, under 10 O K A of hearts.
    assert second[2] == 256 * 0 + 32 * 1 + 4 * 4 + 0
    alone = cells_of(HELD, ["", "", "", ""], "UH", Rules(signalling="none"))
    assert [row[0] for row in alone] == [PAIR_OF_ACES, PAIR_OF_NINES, 0, 0]
    assert alone[0][2] == 256 * 1 + 32 * 2 + 4 * 1 + 2


def test_a_figure_that_the_cards_shown_beat_is_none() -> None:
    shown = ["7S", "UL", "KS", "UE"]
    second = cells_of(HELD, shown, "UH", Rules())[1]
    first = cells_of(HELD, shown, "UH", Rules())[0]
    assert first[0] == 1 * GLEICH_CLASSES + PAIR_OF_ACES
    assert second[0] // GLEICH_CLASSES == 1
    shown = ["AE AL", "UL OL", "AH 8E", "UE OE"]
    beaten = cells_of(HELD, shown, "UH", Rules())[1]
    assert beaten[0] == 2 * GLEICH_CLASSES


# Deals, matches and sums -------------------------------------------------------------------------


def tally(start: int, stop: int, **how: object) -> dict[str, list[int]]:
    found = matches.tally_units(
        Rules(),
        some_book(BOLD, TIMID),
        SEED,
        Purpose.MEASURE,
        start,
        stop,
        **how,  # type: ignore[arg-type]
    )
    return {name: array.ravel().tolist() for name, array in found._asdict().items()}


@pytest.mark.parametrize("how", [{}, {"seatings": 2}, {"matches": True, "seatings": 2}])
def test_tallies_of_blocks_add_whatever_the_blocks(how: dict[str, object]) -> None:
    units = 1_300 if COMPILED else 6
    cut = units // 3 + 1
    whole, first, second = tally(0, units, **how), tally(0, cut, **how), tally(cut, units, **how)
    for name, sums in whole.items():
        assert sums == [a + b for a, b in zip(first[name], second[name], strict=True)], name


def test_gn_5_3_every_match_is_won_by_one_side() -> None:
    units = 600 if COMPILED else 5
    targets: tuple[Literal[11, 15], ...] = (11, 15)
    for target in targets:
        rules = Rules(target=target)
        found = matches.tally_units(
            rules, some_book(BOLD, ANY), SEED, Purpose.MEASURE, 0, units, matches=True
        )
        assert found.won.sum() == units
        assert found.points[:, -1].max() >= target * found.won.max()
        assert abs(int(found.deals[0]) - int(found.deals[1])) <= units


def test_the_same_policy_on_both_sides_is_even_over_both_seatings() -> None:
    """With the seats exchanged, the same policy scores what its opponent did before."""
    found = matches.tally_units(
        Rules(), some_book(BOLD, BOLD), SEED, Purpose.MEASURE, 0, DEALS, seatings=2
    )
    assert found.points[0].tolist() == found.points[1].tolist()
    assert not found.lead_squares.any()


def test_sums_of_units_are_those_of_the_seats() -> None:
    found = matches.tally_units(
        Rules(), some_book(BOLD, TIMID), SEED, Purpose.MEASURE, 0, DEALS, seatings=2
    )
    assert found.seat_points.sum(axis=1).tolist() == found.points.tolist()
    assert found.deals.tolist() == [DEALS, DEALS]
    assert found.points[:, :FIGURES].sum(axis=1).tolist() == found.points[:, FIGURES].tolist()
    conceded, held, raised = (found.actions[:, :, kind].sum(axis=0) for kind in (1, 2, 3))
    bets = found.actions[:, :, 0].sum(axis=0)
    # Every proposal, a bet or the raise before it, has one answer.
    proposals = bets.copy()
    proposals[:, 1:] += raised[:, :-1]
    assert (proposals == conceded + held + raised).all()


def test_scores_at_the_target_are_refused() -> None:
    with pytest.raises(ValueError, match="scores 11:0: allowed are 0 to 10"):
        tally(0, 1, scores=(11, 0))


# Chances -----------------------------------------------------------------------------------------


@pytest.mark.compiled
def test_chances_learned_before_the_first_trick_are_the_exact_ones() -> None:
    """GN-3.5: how often forehand's team has the better Gleich, by deals and by exact counts.

    20 000 deals; within five standard deviations of the exact share.
    """
    deals = 20_000
    found = chances.counts(Rules(), TIMID, SEED, Purpose.CONDITION, 0, deals)
    first = slice(0, GLEICH_CLASSES)
    assert found[0, first].sum() == 2 * deals
    exact = _exact_share_of_gleich()
    # Both teams are looked at in each deal: one of them scores, or neither.
    scored = found[1, first].sum() / (2 * deals)
    assert abs(scored - exact) < 5 * 0.5 / np.sqrt(deals)
    table = chances.chances_from(found)
    assert [each.shape for each in table] == list(CHANCE_SHAPES)
    # A team without a Gleich never scores it.
    assert found[0, 0] > 0
    assert found[1, 0] == 0


def _exact_share_of_gleich() -> float:
    from analysis import studies

    exact = studies.exact_counts(studies.study_of("gilten", "team-gleich", Rules()))
    assert exact is not None
    ours = exact.ways["outcome"][0]
    return int(ours) / exact.total
