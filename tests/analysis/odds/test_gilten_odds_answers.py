"""Odds of Gilten: what different answers share, by class, for policies, and what is said.

Answers that speak of the same deals are held against each other as integers.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any, get_args

import numpy as np
import pytest
from numpy.typing import NDArray
from reference import gilten as referee

from analysis.errors import InputError
from analysis.exact.gilten import counts
from analysis.odds import Odds, odds
from analysis.odds.answers import as_json
from analysis.odds.gilten import chance_table
from sims.gilten.figures import GLEICH, HANGER, SEATS
from sims.gilten.rules import TIES, Rules

FIGURES: tuple[referee.Figure, ...] = get_args(referee.Figure)


# What different answers share --------------------------------------------------------------------


def ways(answer: Odds, piece: str) -> list[int]:
    return [int(way) for way in answer.piece(piece).ways]


def summed(answers: Iterable[Odds], piece: str) -> list[int]:
    return [sum(each) for each in zip(*(ways(answer, piece) for answer in answers), strict=True)]


def test_gn_1_3_an_unknown_turn_up_is_any_unseen_card() -> None:
    asked = {"rules": {"tie": "trump_then_forehand"}, "seat": "second"}
    hand = "9E 10E KL KS 7H"
    answer = odds("gilten", hand, **asked)
    each = [odds("gilten", hand, **asked, turnup=card) for card in pack(without=hand)]
    for figure in FIGURES:
        assert ways(answer, figure) == summed(each, figure)


@pytest.mark.parametrize("tie", TIES)
def test_a_partial_hand_is_all_the_hands_that_it_may_be(tie: str) -> None:
    told = "9E 10E KS KH"
    asked = {"rules": {"tie": tie}, "turnup": "KL", "seat": "second", "known": "7E 7L"}
    partial = odds("gilten", told, **asked)
    hands = [f"{told} {card}" for card in pack(without=f"{told} KL 7E 7L")]
    each = [odds("gilten", hand, **asked) for hand in hands]
    for figure in FIGURES:
        assert ways(partial, figure) == summed(each, figure)
        own = ways(partial, f"own_{figure}")
        held = [classified(figure, hand) for hand in hands]
        assert own == np.bincount(held, minlength=len(own)).tolist()


@pytest.mark.parametrize("tie", TIES)
def test_a_partners_hand_not_told_is_all_that_it_may_be(tie: str) -> None:
    hand, told = "9E 10E KL KS 7H", "UE UL OH 8S"
    asked = {"rules": {"tie": tie}, "seat": "dealer"}
    partial = odds("gilten", hand, partner=told, **asked)
    others = pack(without=f"{hand} {told}")
    each = [odds("gilten", hand, partner=f"{told} {card}", **asked) for card in others]
    for piece in ("gleich", "hanger", "team_gleich", "team_hanger"):
        # The team's ways are those of its hands alone.
        assert ways(partial, piece) == summed(each, piece)


@pytest.mark.parametrize("players", [4, 2])
@pytest.mark.parametrize("tie", TIES)
def test_gn_3_5_with_no_card_known_the_odds_are_the_tables(tie: str, players: int) -> None:
    rules = Rules(players=players, tie=tie)  # type: ignore[arg-type]
    answer = odds("gilten", "", rules=rules)
    for figure in FIGURES:
        table = counts(f"team-{figure}", rules)
        assert ways(answer, figure) == table.ways["outcome"].tolist()
        assert answer.piece(figure).total == table.total
        own = counts(figure, rules)
        assert ways(answer, f"own_{figure}") == own.ways["hand"].tolist()
        best = table.ways["classes"].sum(axis=0)
        their = answer.piece(f"their_{figure}")
        assert [int(way) * their.total for way in best] == [
            int(way) * table.total for way in their.ways
        ]


@pytest.mark.parametrize("tie", TIES)
def test_gn_1_1_suits_can_change_names(tie: str) -> None:
    asked = {"turnup": "UE", "known": "AS 8H"}
    renamed = str.maketrans("ELHS", "HSLE")
    other = {name: cards.translate(renamed) for name, cards in asked.items()}
    hand, rules = "9E 10E KL KS 7H", {"tie": tie}
    first = odds("gilten", hand, seat="second", rules=rules, **asked)
    second = odds("gilten", hand.translate(renamed), seat="second", rules=rules, **other)
    for piece in first.answer.pieces:
        assert ways(first, piece.name) == ways(second, piece.name)


def test_gn_3_5_who_sits_where_matters_only_to_ties_by_seat() -> None:
    hand, asked = "9E 10E KL KS 7H", {"partner": "8E 8L", "turnup": "UE", "known": "AS 8H"}
    by_seat = {
        tie: [
            ways(odds("gilten", hand, rules={"tie": tie}, seat=seat, **asked), "hanger")
            for seat in SEATS[4]
        ]
        for tie in TIES
    }
    assert [len({tuple(each) for each in by_seat[tie]}) for tie in TIES[:2]] == [1, 4]
    # Both of the team sit one seat later.
    assert by_seat["forehand"][0] > by_seat["forehand"][1]
    assert by_seat["forehand"][2] > by_seat["forehand"][3]
    # The own 9-10 is in trumps, and of the others one is before the partner.
    assert by_seat["trump_then_forehand"][0] == by_seat["trump_then_forehand"][3]
    for tie in TIES[1:]:
        for ours, theirs, stands, none in by_seat[tie]:
            assert stands == 0
            assert ours >= by_seat["stands"][0][0]
            assert theirs >= by_seat["stands"][0][1]
            assert none == by_seat["stands"][0][3]


def test_gn_3_5_partners_who_tell_each_other_are_one_team() -> None:
    one, other = "9E 10E KL KS 7H", "UE UL OH 8S 9S"
    first, second = odds("gilten", one, partner=other), odds("gilten", other, partner=one)
    for piece in first.answer.pieces:
        assert ways(first, piece.name) == ways(second, piece.name)


def test_gn_3_1_four_aces_cannot_be_beaten() -> None:
    answer = odds("gilten", "AE AL AH AS 7E")
    assert answer.piece("gleich").chance("ours") == 1
    assert answer.piece("team_gleich").chance("quartet", "A") == 1
    assert answer.answer.lead.startswith("The Gleich goes to your team 100.0 % of the time. The")


def pack(without: str) -> list[str]:
    return [c.rank + c.suit for c in referee.PACK if c not in referee.cards(without)]


def classified(figure: str, hand: str) -> int:
    """The class of a hand, by the referee."""
    cards = referee.cards(hand)
    if figure == "gleich":
        gleich = referee.gleich(cards)
        sizes = {2: "pair", 3: "triplet", 4: "quartet"}
        return GLEICH.labels.index((sizes[gleich[0]], gleich[1])) if gleich else 0
    hanger = referee.hanger(cards)
    return HANGER.labels.index((str(hanger[0]), hanger[1])) if hanger else 0


# By class ----------------------------------------------------------------------------------------

#: All hands of a class, but for the names of the suits: four of each.
QUARTETS = [f"9E 9L 9H 9S {rank}E" for rank in referee.RANKS if rank != "9"]
RUNS = ["8E 9E 10E UE OE"]


@pytest.mark.parametrize(
    ("tie", "seat"),
    [
        ("stands", "second"),
        ("forehand", "third"),
        ("trump_then_forehand", "forehand"),
        ("trump_then_forehand", "dealer"),
    ],
)
@pytest.mark.parametrize("players", [4, 2])
def test_by_class_is_the_sum_over_all_hands_of_the_class(players: int, tie: str, seat: str) -> None:
    if seat not in SEATS[players]:
        seat = "dealer"
    asked = {"rules": {"tie": tie, "players": players}, "seat": seat}
    for figure, hands in (("gleich", QUARTETS), ("hanger", RUNS)):
        by_class = odds("gilten", hands[0], by_class=True, **asked)
        each = [odds("gilten", hand, **asked) for hand in hands]
        assert ways(by_class, figure) == [4 * way for way in summed(each, figure)]


@pytest.mark.parametrize("tie", TIES)
@pytest.mark.parametrize(("players", "seat"), [(4, "second"), (4, "third"), (2, "dealer")])
def test_by_class_is_a_row_of_the_class_table(tie: str, players: int, seat: str) -> None:
    rules = Rules(players=players, tie=tie)  # type: ignore[arg-type]
    own = odds("gilten", "UE UL UH 7S 8S", rules=rules, seat=seat, by_class=True)
    part = "hand" if tie == "stands" else f"hand {seat}"
    assert ways(own, "gleich") == row("gleich", rules, part, "triplet", "U")
    assert ways(own, "hanger") == row("hanger", rules, part, "2", "8")
    if players == 2:
        return
    asked = {"rules": rules, "seat": seat, "partner": "AE AL 9S KL OS"}
    both = odds("gilten", "UE UL 10H 7S 8S", by_class=True, **asked)
    part = {"second": "team second", "third": "team forehand"}[seat] if tie != "stands" else "team"
    assert ways(both, "gleich") == row("gleich", rules, part, "pair", "A")
    assert ways(both, "hanger") == row("hanger", rules, part, "2", "A")


def row(figure: str, rules: Rules, part: str, *labels: str) -> list[int]:
    axis = GLEICH if figure == "gleich" else HANGER
    by_outcome: list[int] = class_table(figure, rules)[part][axis.labels.index(labels)].tolist()
    return by_outcome


@cache
def class_table(figure: str, rules: Rules) -> Mapping[str, NDArray[Any]]:
    return counts(f"odds-{figure}", rules).ways


def test_by_class_says_which_class() -> None:
    answer = odds("gilten", "UE UL UH 7S 8S", by_class=True).answer
    assert answer.lead.startswith("With a triplet of U the Gleich goes to your team 93.9 % of the")
    assert "With a run of 2 up to 8 the Hanger goes to your team" in answer.lead
    assert answer.notes == (
        "Each figure is averaged over all such hands; nothing else of the cards counts.",
    )
    nothing = odds("gilten", "7E 9L UH KS AL", by_class=True, rules={"players": 2}).answer
    assert nothing.lead.startswith("With no Gleich the Gleich goes to the other player 70")


# Chances for policies ----------------------------------------------------------------------------


@pytest.mark.parametrize("tie", TIES)
@pytest.mark.parametrize(("players", "signalling"), [(4, "none"), (4, "full"), (2, "full")])
@pytest.mark.parametrize("figure", FIGURES)
def test_gn_5_4_chances_by_class_are_the_tables(
    figure: referee.Figure, players: int, signalling: str, tie: str
) -> None:
    rules = Rules(players=players, tie=tie, signalling=signalling)  # type: ignore[arg-type]
    chances = chance_table(rules, figure)
    own_hand = signalling == "none" or players == 2
    names = SEATS[players] if own_hand else ("forehand", "second")
    assert chances.shape == (len(names), {"gleich": 25, "hanger": 23}[figure], 4)
    assert chances.dtype == np.float64
    np.testing.assert_allclose(chances.sum(axis=2), 1, rtol=1e-15)
    table = class_table(figure, Rules(players=rules.players, tie=rules.tie))
    for found, name in zip(chances, names, strict=True):
        whose = "hand" if own_hand else "team"
        part = table[whose if tie == "stands" else f"{whose} {name}"].astype(float)
        np.testing.assert_allclose(found, part / part.sum(axis=1, keepdims=True), rtol=1e-14)


# What is said ------------------------------------------------------------------------------------


def test_the_answer_leads_with_who_scores() -> None:
    answer = odds("gilten", "UE UL UH 7S 8S").answer
    assert answer.lead == (
        "The Gleich goes to your team 92.5 % of the time and to the other team once in 13.3. The "
        "Hanger goes to your team 41.2 % of the time and to the other team 51.2 % of the time; it "
        "stands once in 13.2."
    )
    assert answer.notes == ()
    assert [piece.name for piece in answer.pieces] == [
        *("gleich", "team_gleich", "their_gleich"),
        *("hanger", "team_hanger", "their_hanger"),
    ]
    two = odds("gilten", "UE 8L", rules={"players": 2}).answer
    assert [piece.name for piece in two.pieces] == [
        *("gleich", "own_gleich", "their_gleich"),
        *("hanger", "own_hanger", "their_hanger"),
    ]
    assert "to the other player" in two.lead
    assert "nobody has one" in two.lead


def test_the_answer_says_what_it_assumes() -> None:
    rules = {"tie": "trump_then_forehand"}
    assert odds("gilten", "UE UL", partner="8H", known="AS", rules=rules).answer.notes == (
        "No seat was named: you are forehand.",
        "The hand holds at least these cards: averaged over the others.",
        "The partner holds at least these cards: averaged over the others.",
        "The turn-up is not known: averaged over all it may be.",
        "The known cards count as revealed at random.",
    )


def test_an_answer_has_a_table_and_json() -> None:
    answer = odds("gilten", "UE UL UH 7S 8S", turnup="9H", seat="dealer", rules={"tie": "forehand"})
    rows = json.loads(as_json(answer))["rows"]
    (ours,) = [r for r in rows if r["part"] == "gleich" and r["outcome"] == "ours"]
    assert ours["exact"] == answer.piece("gleich").chance("ours")
    assert "mournival odds gilten --hand 'UE UL UH 7S 8S' --rule tie=forehand" in repr(answer)


WRONG: list[tuple[dict[str, Any], list[str]]] = [
    ({"hand": "UE UL UH 7S 8X"}, ["hand", "8X"]),
    ({"hand": "UE UL UE"}, ["hand", "UE", "twice"]),
    ({"hand": "UE UL UH 7S 8S 9S"}, ["hand", "6 cards", "at most 5"]),
    ({"turnup": "UE"}, ["turn-up", "UE", "already"]),
    ({"turnup": "9E 9L"}, ["turn-up", "2 cards", "at most one"]),
    ({"partner": "AE AL UE"}, ["partner's hand", "UE", "already"]),
    ({"partner": "AE AL AH AS KE KL"}, ["partner's hand", "6 cards"]),
    ({"partner": "AE", "turnup": "AE"}, ["turn-up", "AE", "already"]),
    ({"turnup": "9E", "known": "9L 9E"}, ["known cards", "9E", "already"]),
    ({"known": "7E 8E 9E 10E OE KE AE 7L 8L 9L 10L OL"}, ["known cards", "12 cards", "at most 11"]),
    ({"partner": "AE", "rules": {"players": 2}}, ["--partner", "players=2"]),
    ({"seat": "third", "rules": {"players": 2}}, ["seat", "'third'", "forehand, dealer"]),
    ({"by_class": True, "turnup": "9E"}, ["--turnup", "--by class"]),
    ({"by_class": True, "known": "9E"}, ["--known", "--by class"]),
    ({"by_class": True, "hand": "UE UL"}, ["--by class", "all 5 cards"]),
    ({"by_class": True, "partner": "AE AL"}, ["--by class", "all 5 cards"]),
    ({"aim": "ruff"}, ["--aim", "gilten", "--turnup", "--partner"]),
    ({"stock": "mine"}, ["--stock", "gilten"]),
    ({"cards": 4}, ["--cards", "gilten"]),
]


@pytest.mark.parametrize(("asked", "said"), WRONG, ids=[str(asked) for asked, _ in WRONG])
def test_an_error_names_the_card_or_the_option(asked: dict[str, Any], said: list[str]) -> None:
    with pytest.raises(InputError) as error:
        odds("gilten", **{"hand": "UE UL UH 7S 8S", **asked})
    for words in said:
        assert words in str(error.value)


def test_gn_1_3_as_many_cards_may_be_known_as_are_never_seen() -> None:
    known = "7E 8E 9E 10E OE KE AE 7L 8L 9L 10L"
    answer = odds("gilten", "UE UL UH 7S 8S", known=known)
    assert answer.piece("gleich").total == 756756 * 16  # 16 unseen: three hands and the turn-up
