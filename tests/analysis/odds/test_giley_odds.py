"""Odds of Giley by closed forms, by what different answers share, and by plain simulation.

The simulation shuffles the cards a player has not seen, in numpy; the known ones lie where they are
known to lie. `reference.giley_arrays`, which is checked against the referee, judges the hands.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations
from math import comb
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from reference import giley as referee
from reference import giley_arrays as arrays

from analysis.errors import InputError
from analysis.exact.giley import counts
from analysis.odds import Odds, Piece, odds
from analysis.odds.answers import FORMATS
from analysis.odds.giley import chance_table
from sims.cards import GILEY
from sims.giley.figures import POINTS
from sims.giley.rules import SEATS, TIES, Rules
from sims.jit import COMPILED

PLAYERS = (2, 3, 4, 5) if COMPILED else (2, 3)


def asked(hand: str, players: int = 2, tie: str = "dealer", **known: Any) -> Odds:
    return odds("giley", hand, rules={"players": players, "tie": tie}, **known)


def chances(piece: Piece) -> list[Fraction]:
    return [Fraction(int(way), piece.total) for way in np.ravel(piece.ways)]


def mean(rows: Sequence[Sequence[Fraction]]) -> list[Fraction]:
    return [sum(column, Fraction(0)) / len(rows) for column in zip(*rows, strict=True)]


def names(found: Odds) -> list[str]:
    return [piece.name for piece in found.answer.pieces]


def others_of(hand: str) -> list[str]:
    return [card for card in GILEY.cards(GILEY.mask) if card not in hand.split()]


# As things stand ---------------------------------------------------------------------------------


def test_gy_4_1_a_41_against_one_other_by_a_closed_form() -> None:
    """Each of the three other suits makes a 41 in comb(5, 3) ways."""
    ties, total = 3 * comb(5, 3), comb(24, 4)
    hand = "AO KO CO SO"
    assert asked(hand, seat="mano").piece("best").ways.tolist() == [total - ties, 0, ties, 0]
    assert asked(hand, seat="dealer").piece("best").ways.tolist() == [total - ties, ties, 0, 0]
    assert asked(hand, tie="suit_rank").piece("best").ways.tolist() == [total - ties, ties, 0, 0]
    lower = asked("AC KC CC SC", tie="suit_rank").piece("best").ways.tolist()
    assert lower == [total - ties, ties * 2 // 3, ties // 3, 0]
    shared = asked(hand, tie="split")
    assert shared.piece("best").ways.tolist() == [total - ties, ties, 0]
    assert shared.piece("share").ways.tolist() == [0, total - ties, ties]
    part = 100 * float(Fraction(2 * (total - ties) + ties, 2 * total))
    assert f"It takes {part:.1f} % of the pot on average." in shared.answer.lead


@pytest.mark.parametrize("players", [players for players in PLAYERS if players != 4])
@pytest.mark.parametrize("tie", TIES)
def test_gy_4_2_all_hands_of_a_class_average_to_by_class(players: int, tie: str) -> None:
    """The twenty hands of 21 in two cards, the twenty of 40 in four."""
    rules = Rules(players=players, tie=tie)  # type: ignore[arg-type]
    seat = SEATS[players][players // 2]
    aces_with_a_ten = [f"A{suit} {rank}{suit}" for suit in "OCEB" for rank in "KCS32"]
    four_tens = [
        " ".join(rank + suit for rank in ranks)
        for suit in "OCEB"
        for ranks in combinations("KCS32", 4)
    ]
    for points, hands in ((21, aces_with_a_ten), (40, four_tens)):
        assert len(hands) == 20
        cards = len(hands[0].split())
        by_class = asked(hands[0], players, tie, seat=seat, by_class=True)
        each = [asked(hand, players, tie, seat=seat) for hand in hands]
        for name in ("best", "share")[: 1 + (tie == "split")]:
            assert chances(by_class.piece(name)) == mean([chances(one.piece(name)) for one in each])
        figure = {2: "odds-two", 4: "odds-four"}[cards]
        row = counts(figure, rules).ways[seat][POINTS.index(points)]
        assert by_class.piece("best").ways.tolist() == row.tolist()
        assert (
            f"{points} points in { ({2: 'two', 4: 'four'}[cards]) } cards" in by_class.answer.lead
        )


@pytest.mark.parametrize("tie", TIES)
def test_partial_hands_are_averages(tie: str) -> None:
    hand = "AO KC 7E"
    partial = asked(hand, 3, tie, seat="second", known="2B")
    each = [
        asked(f"{hand} {card}", 3, tie, seat="second", known="2B")
        for card in others_of(hand)
        if card != "2B"
    ]
    for name in ("best", "share")[: 1 + (tie == "split")]:
        assert chances(partial.piece(name)) == mean([chances(one.piece(name)) for one in each])
    assert chances(partial.piece("points_after")) == mean(
        [chances(one.piece("points_after")) for one in each]
    )
    points = [one.piece("draw").axes[0].labels for one in each]
    assert all(len(labels) == 16 for labels in points)


def test_gy_2_1_two_cards_are_any_four_with_them() -> None:
    """Two cards with two to come, and four of which two are known, are worth the same."""
    two, four = asked("AO KC", 4), asked("AO KC", 4, cards=4)
    for name in ("best", "points", "others"):
        assert two.piece(name).ways.tolist() == four.piece(name).ways.tolist()
    assert names(two) == ["best", "points", "others"]
    assert names(four) == [*names(two), "points_after"]
    one = asked("AO", 4)
    assert names(one) == ["best", "two", "points", "others"]
    each = [asked(f"AO {card}", 4) for card in others_of("AO")]
    for name in ("best", "points"):
        assert chances(one.piece(name)) == mean([chances(two.piece(name)) for two in each])
    expected = [0] * 7
    for card in others_of("AO"):
        expected[POINTS.index(referee.points(referee.cards(f"AO {card}")))] += 1
    assert one.piece("two").ways.tolist() == expected


@pytest.mark.parametrize("players", PLAYERS)
def test_gy_4_2_seats_and_suits_that_are_alike_have_equal_odds(players: int) -> None:
    hand, seats = "AO KO 7C 2B", SEATS[players]
    first = asked(hand, players, "mano_first", seat="mano")
    assert asked(hand, players, "dealer", seat="dealer").answer.pieces[0].ways.tolist() == (
        first.answer.pieces[0].ways.tolist()
    )
    for relabelled in ("AE SE 7B 3C", "AB 2B 7E KO"):
        for tie in ("dealer", "mano_first", "split"):
            for seat in (seats[0], seats[-1]):
                ways = [
                    asked(cards, players, tie, seat=seat).piece("best").ways.tolist()
                    for cards in (hand, relabelled)
                ]
                assert ways[0] == ways[1]
    # GY-4.3: a higher suit wins more ties.
    won = [
        int(asked(f"A{s} K{s} 7{t} 2{u}", players, "suit_rank").piece("best").ways[1])
        for s, t, u in ("OCE", "COE", "EOC", "BOC")
    ]
    assert won == sorted(won, reverse=True)
    assert won[0] > won[-1]


def test_known_cards_are_in_no_hand() -> None:
    """All other aces and tens gone: nobody can reach 18."""
    hand, known = "AO KO 7O 2O", "AC AE AB KC KE KB CC CE CB SC SE SB 3C 3E 3B 2C 2E 2B"
    found = asked(hand, 2, known=known)
    assert found.piece("best").chance("alone") == 1
    assert found.answer.lead.startswith("As it stands, your 38 wins 100.0 % of the time.")
    assert "The known cards count as revealed at random." in found.answer.notes


# Simulated by shuffling --------------------------------------------------------------------------

DEALS = 100_000


def shuffled(hand: str, players: int, seat: int, seed: int) -> tuple[Any, Any]:
    """The hands by seat as masks, (players, deals), and the stock as cards in order."""
    own = arrays.mask(referee.cards(hand))
    unseen = np.array([1 << bit for bit in range(28) if not own >> bit & 1])
    cards = np.random.default_rng(seed).permuted(np.tile(unseen, (DEALS, 1)), axis=1)
    dealt = 4 * (players - 1)
    hands = [cards[:, 4 * n : 4 * n + 4].sum(axis=1) for n in range(players - 1)]
    hands.insert(seat, np.full(DEALS, own))
    return np.stack(hands), cards[:, dealt:]


def far_off(found: NDArray[np.int64], expected: Sequence[float], spread: float = 1) -> float:
    """The largest deviation of counts from chances, in standard deviations."""
    chance = np.array(expected)
    deviation = spread * np.sqrt(np.maximum(DEALS * chance * (1 - chance), 1))
    return float(np.abs((found - DEALS * chance) / deviation).max())


@pytest.mark.compiled
@pytest.mark.parametrize("players", [3, 4, 5])
def test_gy_4_2_the_show_simulated(players: int) -> None:
    """Some 130 counts within five sigma: a false alarm about once in 10 000 seeds."""
    for hand, seat in (("AO KO 7C 2B", 0), ("KC CC SE 3E", players - 1)):
        hands, _ = shuffled(hand, players, seat, seed=players)
        for tie in TIES:
            found = asked(hand, players, tie, seat=str(seat))
            best = found.piece("best")
            ways = np.bincount(
                arrays.outcomes(hands, seat, tie),  # type: ignore[arg-type]
                minlength=len(best.ways),
            )
            assert far_off(ways, best.chances.tolist()) < 5
        shared = np.bincount(arrays.sharing(hands, seat), minlength=players + 1)
        assert far_off(shared, found.piece("share").chances.tolist()) < 5
        others = np.delete(arrays.points(hands), seat, axis=0).max(axis=0)
        classes = np.bincount(np.searchsorted(POINTS, others), minlength=15)
        assert far_off(classes, found.piece("others").chances.tolist()) < 5
        # The control: the others' best where one more or one fewer sits at the table.
        more = asked(hand, players + 1 if players < 5 else 4).piece("others").chances
        assert far_off(classes, more.tolist()) > 20


def drawn(hands: Any, stock: Any) -> Any:
    """GY-2.3: each seat in turn keeps the suit that counts and draws from the stock."""
    next_card = np.zeros(hands.shape[1], np.int64)
    after = []
    for hand in hands:
        kept = hand & (0b1111111 << 7 * arrays.counted_suits(hand))
        wanted = 4 - np.bitwise_count(kept).astype(np.int64)
        for number in range(4):
            draws = wanted > number
            card = stock[np.arange(len(kept)), np.minimum(next_card, stock.shape[1] - 1)]
            kept = kept | np.where(draws, card, 0)
            next_card += draws
        after.append(kept)
    assert next_card.max() <= stock.shape[1]
    return np.stack(after)


@pytest.mark.compiled
@pytest.mark.parametrize(("hand", "seat"), [("AO KO 7C 2B", 0), ("KO CO KC CC", 2)])
def test_gy_2_3_draws_of_three_players_simulated_twice(hand: str, seat: int) -> None:
    """By shuffling and by the program, within five sigma of the difference of both."""
    hands, stock = shuffled(hand, 3, seat, seed=8)
    after = drawn(hands, stock)
    found = asked(hand, 3, seat=str(seat), against="best-suit", deals=DEALS)
    best, others = found.piece("best_after"), found.piece("others_after")
    assert best.simulated
    assert others.simulated
    ways = np.bincount(arrays.outcomes(after, seat, "dealer"), minlength=4)
    spread = 2**0.5
    assert far_off(ways, best.chances.tolist(), spread) < 5
    points = np.delete(arrays.points(after), seat, axis=0).max(axis=0)
    classes = np.bincount(np.searchsorted(POINTS, points), minlength=15)
    assert far_off(classes, others.chances.tolist(), spread) < 5
    # The own points are counted: the stock lasts.
    own = np.bincount(np.searchsorted(POINTS, arrays.points(after[seat])), minlength=15)
    assert not found.piece("points_after").simulated
    assert far_off(own, found.piece("points_after").chances.tolist()) < 5
    # The control: as things stand.
    before = np.bincount(arrays.outcomes(hands, seat, "dealer"), minlength=4)
    assert far_off(before, best.chances.tolist(), spread) > 20


# The draw ----------------------------------------------------------------------------------------


def test_gy_2_3_every_discard_is_listed_the_best_first() -> None:
    found = asked("AO KO 7C 2B", 4, aim="most-41")
    discards, draw = found.piece("discards"), found.piece("draw")
    thrown = [str(cards) for cards, _ in discards.axes[0].labels]
    assert len(set(thrown)) == 16
    assert thrown[0] == "7C 2B"
    assert "nothing" in thrown
    assert chances(discards) == sorted(chances(discards), reverse=True)
    # Two more of oros to the ace and the king: of four tens left any two.
    assert chances(discards)[0] == Fraction(comb(4, 2), comb(24, 2))
    assert draw.ways.shape == (16, 15)
    assert (draw.ways.sum(axis=1) == draw.total).all()
    assert draw.ways[:, -1].tolist() == discards.ways.tolist()
    assert draw.ways[0].tolist() == found.piece("points_after").ways.tolist()
    for (_, points), ways in zip(discards.axes[0].labels, draw.ways.tolist(), strict=True):
        average = sum(way * worth for way, worth in zip(ways, POINTS, strict=True)) / draw.total
        assert points == f"{average:.2f}"
    assert found.answer.lead.endswith(
        " The best discard for a 41 is 7C 2B: once in 46.0. Next are AO KO 7C, once in 337, and"
        " AO KO 7C 2B, once in 443."
    )


@pytest.mark.parametrize("aim", ["most-points", "most-41", "beat=20", "beat=0", "beat=40"])
def test_gy_2_3_the_best_discard_is_the_best(aim: str) -> None:
    for hand in ("AO KO 7C 2B", "KO CO KC CC", "7O 7C 7E 7B", "AO KO CO 7O"):
        found = asked(hand, 2, aim=aim)
        draw = found.piece("draw")
        worth = {
            "most-points": list(POINTS),
            "most-41": [int(points == 41) for points in POINTS],
        }.get(aim) or [int(points > int(aim.removeprefix("beat="))) for points in POINTS]
        values = [int(ways @ np.array(worth)) for ways in draw.ways.astype(object)]
        assert values == sorted(values, reverse=True)
        (best,) = draw.axes[0].labels[0]
        assert f" is {best}: " in found.answer.lead


def test_gy_2_3_beat_none_is_sure_and_a_41_stands_pat() -> None:
    sure = asked("AO KO 7C 2B", 2, aim="beat=0").piece("discards")
    assert (sure.ways == sure.total).all()
    for aim in ("most-41", "most-points", "beat=40"):
        found = asked("AO KO CO SO", 2, aim=aim)
        assert found.piece("draw").axes[0].labels[0] == ("nothing",)
        assert found.piece("points_after").chance(41) == 1


def test_gy_2_4_the_draw_says_where_the_stock_may_run_out() -> None:
    lasting = "You draw from all cards you have not seen."
    for seat, players, lasts in (("mano", 5, True), ("second", 5, True), ("third", 5, False)):
        notes = asked("AO KO 7C 2B", players, seat=seat).answer.notes
        assert (lasting in notes) is lasts
        assert any("(GY-2.4)" in note for note in notes) is not lasts


# Against others who draw -------------------------------------------------------------------------


@pytest.mark.parametrize("tie", TIES)
@pytest.mark.parametrize("aim", ["", "beat=30"])
def test_gy_2_3_two_players_are_counted(tie: str, aim: str) -> None:
    hand, known = "AO KO CO", "7C 3C AE KC CC SC 2C 7E 3E KB CB SB"
    found = asked(hand, 2, tie, known=known, against="best-suit", aim=aim)
    pieces = ["best_after", *(["share_after"] if tie == "split" else [])]
    pieces += ["points_after", "others_after"]
    assert names(found)[-len(pieces) :] == pieces
    assert not any(piece.simulated for piece in found.answer.pieces)
    assert any(note.startswith("Counted exactly") for note in found.answer.notes)
    each = [
        asked(f"{hand} {card}", 2, tie, known=known, against="best-suit", aim=aim)
        for card in others_of(f"{hand} {known}")
    ]
    for name in pieces:
        assert chances(found.piece(name)) == mean([chances(one.piece(name)) for one in each])
        assert sum(chances(found.piece(name))) == 1


def test_gy_2_3_more_players_and_short_stocks_are_simulated() -> None:
    deals = 3_000 if COMPILED else 30
    known = "7C 3C AE KC CC SC 2C 7E 3E KB CB SB AC"
    for players, seen in ((3, ""), (5, ""), (2, known)):
        found = asked(
            "AO KO CO 2B", players, "split", known=seen, against="most-points", deals=deals, seed=4
        )
        simulated = {piece.name for piece in found.answer.pieces if piece.simulated}
        assert simulated >= {"best_after", "share_after", "others_after"}
        for name in simulated:
            assert found.piece(name).total == found.piece(name).ways.sum() == deals
        assert f"--deals {deals} --seed 4" in found.command
        notes = " ".join(found.answer.notes)
        assert f"{deals:,} deals simulated, seed 4." in notes
        assert ("cannot run out" in notes) is (players == 3)
        assert ("runs out" in notes) is (players != 3)
        again = odds(
            "giley",
            "AO KO CO 2B",
            rules=found.question.rules,
            known=seen,
            against="most-points",
            deals=deals,
            seed=4,
        )
        assert FORMATS["json"](again) == FORMATS["json"](found)
        document = json.loads(FORMATS["json"](found))
        assert {"count", "deals", "estimate", "low", "high"} <= set(document["columns"])


# Chances for policies ----------------------------------------------------------------------------


@pytest.mark.parametrize("players", PLAYERS)
@pytest.mark.parametrize("tie", TIES)
def test_chance_tables_are_the_class_tables(players: int, tie: str) -> None:
    rules = Rules(players=players, tie=tie)  # type: ignore[arg-type]
    outcomes = 3 if tie == "split" else 4
    for cards, classes, figure in ((2, 7, "odds-two"), (4, 15, "odds-four")):
        found = chance_table(rules, cards)  # type: ignore[arg-type]
        assert found.shape == (players, classes, outcomes)
        assert found.dtype == np.float64
        assert np.abs(found.sum(axis=2) - 1).max() < 1e-12
        tables = counts(figure, rules).ways
        for seat, name in enumerate(SEATS[players]):
            for row, ways in zip(found[seat], tables[name].tolist(), strict=True):
                assert row.tolist() == [way / sum(ways) for way in ways]


# What cannot be asked ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("hand", "known", "message"),
    [
        ("AX", {}, "hand: no card 'AX'"),
        ("AO AO", {}, "hand: card 'AO' is there twice"),
        ("AO KO CO SO 3O", {}, "has 5 cards: at most 4"),
        ("AO KO CO", {"cards": 2}, "has 3 cards: at most 2"),
        ("AO KO", {"cards": 3}, "cards 3: allowed are 2 and 4"),
        ("AO KO", {"known": "AO"}, "known cards: AO is there already"),
        ("AO KO", {"known": "7C ZZ"}, "known cards: no card 'ZZ'"),
        ("AO KO", {"known": "7C 3C 2C SC CC KC AC 7E 3E 2E SE CE KE"}, "13 cards: at most 12"),
        ("AO KO", {"seat": "fourth"}, "no seat 'fourth'"),
        ("AO KO", {"aim": "most"}, "no aim 'most'"),
        ("AO KO", {"aim": "beat=N"}, "aim beat=N: N 'N' is no number"),
        ("AO KO", {"aim": "beat=41"}, "whole numbers from 0 to 40"),
        ("AO KO", {"aim": "beat=x"}, "is no number"),
        ("AO KO", {"against": "best suit"}, "did you mean 'best-suit'"),
        ("AO KO", {"against": "best-suit", "deals": 0}, "deals 0: at least 1"),
        ("AO KO", {"against": "best-suit", "seed": 2**64}, "allowed are 0 to 2^64 - 1"),
        ("AO KO", {"turnup": "7C"}, "--turnup says nothing in giley"),
        ("AO KO", {"partner": "7C"}, "--partner says nothing in giley"),
        ("AO KO", {"stock": "mine"}, "--stock says nothing in giley"),
        ("AO KO", {"by_class": True, "known": "7C"}, "--known contradicts --by class"),
        ("AO KO", {"by_class": True, "aim": "most-41"}, "--aim contradicts --by class"),
        ("AO KO", {"by_class": True, "against": "best-suit"}, "--against contradicts --by class"),
        ("AO KO 7C", {"by_class": True}, "--by class needs all 4 cards"),
        ("AO", {"by_class": True}, "--by class needs all 2 cards"),
    ],
)
def test_wrong_questions_are_one_line_that_names_what_is_wrong(
    hand: str, known: dict[str, Any], message: str
) -> None:
    with pytest.raises(InputError) as error:
        asked(hand, 4, **known)
    assert message in str(error.value)
    assert "\n" not in str(error.value)


def test_a_seat_that_is_not_named_is_said_where_it_matters() -> None:
    note = "No seat was named: you are mano."
    assert note in asked("AO KO").answer.notes
    assert note in asked("AO KO", by_class=True).answer.notes
    assert note not in asked("AO KO", tie="split").answer.notes
    assert note not in asked("AO KO", seat="dealer").answer.notes
    assert asked("AO KO", seat="1").piece("best").ways.tolist() == (
        asked("AO KO", seat="dealer").piece("best").ways.tolist()
    )
