"""The referee of Gilten's play, checked by deals worked by hand and by random deals.

A worked deal is a script: its words are decisions in order (a figure's name is a bet on it, a
card is played), and `/` passes until the window has closed. What is expected was worked out from
the clauses with the cards on the table, not by running the referee.
"""

from __future__ import annotations

import random
from collections import Counter
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from reference import gilten
from reference.gilten_betting import (
    FIGURES,
    SHOW,
    SPIEL_AUS,
    Ask,
    Bet,
    Decision,
    Figure,
    RefRules,
    window_histories,
)
from reference.gilten_play import (
    DealRecord,
    FigureEnd,
    PlayedDeal,
    PlayedMatch,
    Points,
    Score,
    Trick,
    play_randomly,
    random_deal,
)

Dealt = tuple[list[list[str]], str]


def dealt(turnup: str, *hands: str) -> Dealt:
    return [hand.split() for hand in hands], turnup


# Trump Schell. Team 0 has the better Gleich (A-A, K-K against it) and Hanger (O-K-A, K-A against
# it), and takes three tricks running.
STRONG = dealt("7S", "AE KE OE AS 7L", "AL KL 8H 9S UE", "7E 8E 10H OL 9H", "9E 10E KH KS 7H")
STRONG_TRICKS = ("AE UE 7E 9E", "AS 9S 9H KS", "KE 8H 8E 10E")
STRONG_PLAY = "AE UE 7E 9E / AS 9S 9H KS / KE 8H 8E 10E"

# Trump Schell. A-A stands against A-A, nobody has a Hanger; the Spiel is team 0's by 3 to 2.
LEVEL = dealt("10S", "AE AL 7E 9L UH", "AH AS 8E 10L OH", "7S 9H US KE 8L", "9S OE KL 10H 7H")
LEVEL_PLAY = "AE 8E KE OE / AL AS 8L KL / AH 9H 7H UH / OH 7S 10H 7E / US 9S 9L 10L"

# As the strong deal, but team 1 has the better Gleich: 8-8-8.
SPLIT = dealt("7S", "AE KE OE AS 7L", "AL 8L 8H 8S UE", "7E 8E 10H OL 9H", "9E 10E KH KS 7H")
SPLIT_PLAY = "AE UE 7E 9E / AS 8S 9H KS / KE 8H 8E 10E"

# Trump Schell, the ace turned up, the 7 in seat 2. Gleich: K-K of team 1; A-A after the robbing.
ROBBED = dealt("AS", "AE KE OE 8S 7L", "AL KL 8H 9S UE", "7S AH 10H OL 9H", "9E 10E KH KS 7H")

# Two players, trump Schell: seat 0 has A-A, K-A and, in four tricks, the Spiel.
TWO = dealt("AS", "AE AL KE 7S 8H", "KL OL 9S 10E UE")

LADDER = "raise raise raise raise raise raise"  # a bet of two raised to *Spiel aus*


def begun(deal: Dealt, script: str = "", score: Score = (0, 0), **options: Any) -> PlayedDeal:
    """The deal after the decisions of the script."""
    played = PlayedDeal(*deal, RefRules(**options), score)
    follow(played, script)
    return played


def follow(deal: PlayedDeal, script: str) -> None:
    """Take the decisions of the script."""
    for word in script.split():
        if word == "/":
            pass_out(deal)
        else:
            deal.decide(("bet", word) if word in FIGURES else word)


def pass_out(deal: PlayedDeal) -> None:
    """Pass until the window has closed."""
    ask = asked(deal)
    here: Ask | None = ask
    while here is not None and (here.kind, here.number) == ("turn", ask.number):
        deal.decide("pass")
        here = deal.pending()


def worked(deal: Dealt, script: str, score: Score = (0, 0), **options: Any) -> DealRecord:
    return begun(deal, script, score, **options).record()


def asked(deal: PlayedDeal) -> Ask:
    ask = deal.pending()
    assert ask is not None
    return ask


def bettable(deal: PlayedDeal) -> list[str]:
    """The figures that the team or seat on turn may bet."""
    ask = asked(deal)
    assert ask.kind == "turn"
    return [choice[1] for choice in ask.legal if isinstance(choice, tuple)]


# --- Play (GN-2) ---------------------------------------------------------------------------


def test_gn_4_1_without_a_bet_every_figure_is_one_point() -> None:
    record = worked(STRONG, f"/ {STRONG_PLAY} /")
    assert record.points == (
        Points("gleich", 0, 1, "won"),
        Points("hanger", 0, 1, "won"),
        Points("spiel", 0, 1, "won"),
    )
    assert (record.score, record.winner, record.over) == ((3, 0), None, False)
    assert record.bets == ()


def test_gn_2_4_the_third_trick_stops_the_play() -> None:
    record = worked(STRONG, f"/ {STRONG_PLAY} /")
    assert record.tricks == tuple(Trick(0, tuple(t.split()), 0) for t in STRONG_TRICKS)
    assert record.figures["spiel"] == FigureEnd(1, "won", 0)


def test_gn_2_3_winners_lead_and_trumps_win_all_five_tricks() -> None:
    record = worked(LEVEL, f"/ {LEVEL_PLAY} /")
    assert [(trick.leader, trick.winner) for trick in record.tricks] == [
        (0, 0),  # AE is the highest acorn
        (0, 1),  # AL is trumped by AS
        (1, 1),  # AH is the highest heart
        (1, 2),  # OH is trumped by 7S
        (2, 2),  # US beats 9S
    ]
    assert record.score == (1, 0)


def test_gn_2_2_follow_or_trump_and_a_revoke_is_illegal() -> None:
    deal = begun(LEVEL, "/ AE")
    ask = asked(deal)
    assert (ask.kind, ask.seat, ask.team, ask.number) == ("card", 1, 1, 1)
    assert set(ask.legal) == {"8E", "AS"}  # the acorn or the trump, though it can follow
    with pytest.raises(ValueError, match="OH"):
        deal.decide("OH")
    assert asked(deal) == ask
    deal.decide("AS")
    assert set(asked(deal).legal) == {"KE", "7S", "US"}


def test_gn_2_2_only_without_the_suit_led_anything_may_be_played() -> None:
    # A heart is led: seat 2 and seat 0 have none left, seat 3 has one.
    deal = begun(LEVEL, "/ AE 8E KE OE / AL AS 8L KL / AH 9H 7H UH / OH")
    assert set(asked(deal).legal) == {"7S", "US"}
    deal.decide("7S")
    assert set(asked(deal).legal) == {"9S", "10H"}
    deal.decide("10H")
    assert set(asked(deal).legal) == {"7E", "9L"}


def test_gn_2_2_trumps_led_are_followed() -> None:
    deal = begun(STRONG, "/ AE UE 7E 9E / AS")
    assert asked(deal).legal == ("9S",)


# --- Betting (GN-4) ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("script", "expected", "score"),
    [
        ("gleich gut", Points("gleich", 0, 1, "conceded"), (3, 0)),  # the first bet conceded
        ("pass gleich gut", Points("gleich", 1, 1, "conceded"), (2, 1)),  # by a bluff, GN-4.5
        ("gleich raise gut", Points("gleich", 1, 2, "conceded"), (2, 2)),  # "three" conceded
        ("gleich raise raise gut", Points("gleich", 0, 3, "conceded"), (5, 0)),
        (f"hanger {LADDER} gut", Points("hanger", 0, 7, "conceded"), (9, 0)),  # *Spiel aus*
        (f"pass hanger {LADDER} gut", Points("hanger", 1, 7, "conceded"), (2, 7)),
    ],
)
def test_gn_4_3_conceded(script: str, expected: Points, score: Score) -> None:
    record = worked(STRONG, f"{script} / {STRONG_PLAY} /")
    assert record.points[0] == expected
    assert record.score == score
    assert record.figures[expected.figure] == FigureEnd(expected.points, "conceded", expected.team)


@pytest.mark.parametrize(
    ("script", "value"),
    [("gleich halten", 2), ("gleich raise halten", 3), ("gleich raise raise halten", 4)],
)
def test_gn_4_2_held(script: str, value: int) -> None:
    record = worked(STRONG, f"{script} / {STRONG_PLAY} /")
    assert record.points[0] == Points("gleich", 0, value, "won")
    assert record.score == (value + 2, 0)


def test_gn_4_2_no_step_is_skipped_and_eight_is_not_raised() -> None:
    deal = begun(STRONG, "hanger")
    for value in range(2, SPIEL_AUS):
        ask = asked(deal)
        assert (ask.kind, ask.figure, ask.value) == ("answer", "hanger", value)
        assert ask.team == (1 if value % 2 == 0 else 0)
        assert ask.legal == ("gut", "halten", "raise")
        deal.decide("raise")
    assert asked(deal).value == SPIEL_AUS
    assert asked(deal).legal == ("gut", "halten")


def test_gn_4_7_the_record_of_an_exchange() -> None:
    record = worked(STRONG, f"gleich raise halten / {STRONG_PLAY} pass hanger gut /")
    assert record.bets == (
        Bet(1, "gleich", 2, 0, None, "raise", None, 2),
        Bet(1, "gleich", 3, 1, None, "halten", None, 3),
        Bet(SHOW, "hanger", 2, 1, None, "gut", None, 1),
    )
    assert record.score == (4, 1)


def test_gn_4_3_gleich_held_at_spiel_aus_wins_the_game() -> None:
    record = worked(STRONG, f"gleich {LADDER} halten / {STRONG_PLAY} /", score=(4, 9))
    assert record.points == (Points("gleich", 0, 7, "spiel_aus"),)  # 11 - 4; the rest is void
    assert (record.score, record.winner, record.spiel_aus) == ((11, 9), 0, "gleich")
    assert worked(STRONG, f"gleich {LADDER} halten / {STRONG_PLAY} /").points[0].points == 11
    to_15 = worked(STRONG, f"gleich {LADDER} halten / {STRONG_PLAY} /", target=15)
    assert to_15.score == (15, 0)


def test_gn_4_3_the_lift_is_from_the_score_with_this_deals_points() -> None:
    record = worked(STRONG, f"gleich gut hanger {LADDER} halten / {STRONG_PLAY} /", score=(0, 4))
    assert record.points == (
        Points("gleich", 0, 1, "conceded"),
        Points("hanger", 0, 10, "spiel_aus"),
    )
    assert record.score == (11, 4)


def test_gn_5_2_spiel_held_at_spiel_aus_ends_the_game_before_the_show() -> None:
    record = worked(STRONG, f"spiel {LADDER} halten / {STRONG_PLAY}", score=(2, 10))
    assert record.points == (Points("spiel", 0, 9, "spiel_aus"),)
    assert (record.score, record.winner, record.spiel_aus) == ((11, 10), 0, "spiel")
    assert record.figures["gleich"] == FigureEnd(1, "undecided", None)
    assert all(ask.number != SHOW for ask, _ in record.history)


def test_gn_4_6_a_raised_figure_that_stands_or_nobody_has_scores_nothing() -> None:
    record = worked(LEVEL, f"gleich raise halten hanger halten / {LEVEL_PLAY} /")
    assert record.figures["gleich"] == FigureEnd(3, "stands", None)
    assert record.figures["hanger"] == FigureEnd(2, "none", None)
    assert record.points == (Points("spiel", 0, 1, "won"),)
    assert record.score == (1, 0)


def test_gn_4_6_even_at_spiel_aus() -> None:
    record = worked(LEVEL, f"gleich {LADDER} halten / {LEVEL_PLAY} /")
    assert (record.score, record.winner, record.spiel_aus) == ((1, 0), None, None)


@pytest.mark.parametrize(
    ("tie", "score"), [("stands", (1, 0)), ("forehand", (4, 0)), ("trump_then_forehand", (1, 3))]
)
def test_gn_3_5_tie_options_decide_the_figure(tie: str, score: Score) -> None:
    # Seat 0 is forehand, and seat 1 has the trump ace in its pair.
    record = worked(LEVEL, f"gleich raise halten hanger halten / {LEVEL_PLAY} /", tie=tie)
    assert record.score == score
    assert record.figures["hanger"] == FigureEnd(2, "none", None)


def test_gn_4_5_without_the_option_anybody_may_bet() -> None:
    assert bettable(begun(LEVEL)) == ["gleich", "hanger", "spiel"]


def test_gn_4_5_must_hold_asks_either_hand_or_the_speakers_own() -> None:
    assert bettable(begun(LEVEL, must_hold=True)) == ["gleich", "spiel"]  # nobody has a Hanger
    assert bettable(begun(STRONG, must_hold=True)) == ["gleich", "hanger", "spiel"]
    apart = begun(STRONG, "pass", must_hold=True, signalling="none")
    assert asked(apart).seat == 2
    assert bettable(apart) == ["hanger", "spiel"]  # the pair of aces is the partner's


def test_gn_4_5_must_hold_leaves_gut_and_halten_free() -> None:
    # Seat 1 has no Gleich; its partner has K-K.
    deal = begun(STRONG, "gleich", must_hold=True, signalling="none")
    assert asked(deal) == Ask("answer", 1, 1, ("gut", "halten", "leave"), 1, "gleich", 2)
    deal.decide("leave")
    assert asked(deal) == Ask("answer", 1, 3, ("gut", "halten", "raise"), 1, "gleich", 2)
    # The Spiel is free.
    assert "raise" in asked(begun(LEVEL, "spiel", must_hold=True)).legal


def test_gn_4_5_gn_3_4_cards_already_played_still_count() -> None:
    deal = begun(STRONG, "/ AE UE 7E 9E / AS 9S 9H KS", must_hold=True)
    assert bettable(deal) == ["gleich", "hanger", "spiel"]  # both aces lie on the table


def test_gn_4_4_only_the_holders_may_bet_again() -> None:
    deal = begun(STRONG, "gleich halten / AE UE 7E 9E")
    assert bettable(deal) == ["hanger", "spiel"]  # team 0 proposed
    deal.decide("pass")
    assert bettable(deal) == ["gleich", "hanger", "spiel"]  # team 1 held
    deal.decide(("bet", "gleich"))
    assert asked(deal).value == 3
    deal.decide("halten")
    deal = begun(STRONG, "gleich halten / AE UE 7E 9E pass gleich halten / AS 9S 9H KS")
    assert bettable(deal) == ["gleich", "hanger", "spiel"]  # now team 0 held


def test_gn_4_4_the_right_is_of_the_team_that_held_the_last_raise() -> None:
    deal = begun(STRONG, "gleich raise halten / AE UE 7E 9E")
    assert bettable(deal) == ["gleich", "hanger", "spiel"]
    deal.decide("pass")
    assert bettable(deal) == ["hanger", "spiel"]


def test_gn_4_4_either_may_raise() -> None:
    deal = begun(STRONG, "gleich halten / AE UE 7E 9E", either_may_raise=True)
    assert bettable(deal) == ["gleich", "hanger", "spiel"]
    deal.decide("pass")
    assert bettable(deal) == ["gleich", "hanger", "spiel"]


# --- Windows (GN-4.7, GN-4.8) --------------------------------------------------------------


def test_gn_4_7_a_window_opens_before_every_lead_with_team_0_on_turn() -> None:
    deal, script = begun(LEVEL), LEVEL_PLAY.split(" / ")
    for number, trick in enumerate(script, start=1):
        assert asked(deal)[:4] == ("turn", 0, None, ("pass", *(("bet", f) for f in FIGURES)))
        assert asked(deal).number == number  # tricks 3 and 4 are led by seat 1
        deal.decide("pass")
        assert (asked(deal).kind, asked(deal).team) == ("turn", 1)
        deal.decide("pass")
        assert asked(deal).kind == "card"
        for card in trick.split():
            deal.decide(card)
    assert asked(deal).number == SHOW


def test_gn_4_7_a_one_exchange_per_figure_and_window() -> None:
    deal = begun(STRONG, "gleich halten")
    assert asked(deal).team == 1
    assert bettable(deal) == ["hanger", "spiel"]  # team 1 has the right, but not in this window
    deal = begun(STRONG, "gleich gut / AE UE 7E 9E pass")
    assert bettable(deal) == ["hanger", "spiel"]  # closed for good


def test_gn_4_7_a_a_figure_at_spiel_aus_is_not_bet() -> None:
    deal = begun(STRONG, f"gleich {LADDER} halten / AE UE 7E 9E", either_may_raise=True)
    assert bettable(deal) == ["hanger", "spiel"]
    deal.decide("pass")
    assert bettable(deal) == ["hanger", "spiel"]


def test_gn_4_7_c_after_an_exchange_the_other_team_is_on_turn_and_passes_start_again() -> None:
    deal = begun(STRONG, "pass gleich raise halten")  # opened by team 1, raised by team 0
    assert (asked(deal).kind, asked(deal).team, asked(deal).number) == ("turn", 0, 1)
    deal.decide("pass")
    assert (asked(deal).kind, asked(deal).team, asked(deal).number) == ("turn", 1, 1)
    deal.decide("pass")
    assert asked(deal).kind == "card"


def test_gn_4_7_d_gn_2_4_spiel_conceded_before_the_first_lead() -> None:
    deal = begun(STRONG, "pass spiel gut")
    assert asked(deal) == Ask("turn", 1, None, ("pass", ("bet", "gleich"), ("bet", "hanger")), SHOW)
    record = worked(STRONG, "pass spiel gut /")
    assert record.tricks == ()
    assert record.points == (
        Points("spiel", 1, 1, "conceded"),
        Points("gleich", 0, 1, "won"),
        Points("hanger", 0, 1, "won"),
    )
    assert record.score == (2, 1)


def test_gn_4_7_d_gn_2_4_spiel_conceded_between_two_tricks() -> None:
    record = worked(STRONG, "/ AE UE 7E 9E spiel raise gut /")
    assert record.tricks == (Trick(0, ("AE", "UE", "7E", "9E"), 0),)
    assert record.points[0] == Points("spiel", 1, 2, "conceded")
    assert record.score == (2, 2)


def test_gn_4_7_d_the_target_reached_by_a_concession_ends_everything() -> None:
    record = worked(STRONG, "pass hanger gut", score=(10, 10))
    assert record.points == (Points("hanger", 1, 1, "conceded"),)
    assert (record.score, record.winner, record.tricks) == ((10, 11), 1, ())
    assert record.figures["spiel"] == FigureEnd(1, "undecided", None)


def test_gn_4_7_e_seats_are_asked_in_seat_order_and_answers_clockwise() -> None:
    deal = begun(STRONG, signalling="none")
    seen: list[tuple[str, int | None, tuple[Decision, ...]]] = []
    turn = ("pass", ("bet", "gleich"), ("bet", "hanger"), ("bet", "spiel"))
    script: list[Decision] = ["pass", ("bet", "hanger"), "leave", "raise", "leave", "halten"]
    for choice in script:
        seen.append((asked(deal).kind, asked(deal).seat, asked(deal).legal))
        deal.decide(choice)
    first, last = ("gut", "halten", "raise", "leave"), ("gut", "halten", "raise")
    assert seen == [
        ("turn", 0, turn),
        ("turn", 2, turn),
        ("answer", 3, first),  # seat 2 bet
        ("answer", 1, last),
        ("answer", 2, first),  # seat 1 raised
        ("answer", 0, last),
    ]
    seats = []
    while asked(deal).kind == "turn":
        seats.append(asked(deal).seat)
        deal.decide("pass")
    assert seats == [1, 3, 0, 2]  # team 0 opened
    record = begun(
        STRONG, f"pass hanger leave raise leave halten / {STRONG_PLAY} /", signalling="none"
    ).record()
    assert record.bets == (
        Bet(1, "hanger", 2, 0, 2, "raise", 1, 2),
        Bet(1, "hanger", 3, 1, 1, "halten", 0, 3),
    )
    assert record.score == (5, 0)


def test_gn_4_7_e_the_last_seat_is_followed_by_seat_0_and_the_first_bet_stands() -> None:
    deal = begun(STRONG, "pass pass pass gleich", signalling="none")
    assert (asked(deal).kind, asked(deal).seat) == ("answer", 0)
    deal = begun(STRONG, "gleich gut", signalling="none")
    assert (asked(deal).kind, asked(deal).seat) == ("turn", 1)  # seat 2 was not asked


def test_gn_4_8_late_spiel_limit() -> None:
    four, last = LEVEL_PLAY.rsplit(" / ", 1)
    assert bettable(begun(LEVEL, f"/ {four}")) == ["gleich", "hanger", "spiel"]
    assert bettable(begun(LEVEL, f"/ {four}", late_spiel_limit=True)) == ["gleich", "hanger"]
    three = four.rsplit(" / ", 1)[0]
    fourth = begun(LEVEL, f"/ {three}", late_spiel_limit=True)
    assert asked(fourth).number == 4
    assert bettable(fourth) == ["gleich", "hanger", "spiel"]
    assert worked(LEVEL, f"/ {four} / {last} /", late_spiel_limit=True).score == (1, 0)


# --- The tests of GN-4.7: histories of one window ------------------------------------------


def exchanges(value: int, leaves: int) -> int:
    """How an exchange at a proposal of `value` can go on, each answer given in so many ways."""
    ways = 1 if value == SPIEL_AUS else exchanges(value + 1, leaves)
    return leaves * (2 + ways) if value < SPIEL_AUS else leaves * 2


def histories(others: int, spiel: bool, speakers: int, leaves: int) -> int:
    """The same count by recursion on the figures not yet exchanged.

    Either both teams pass, or one of them opens on a figure, and what follows is a window with
    one figure less; but if the Spiel is conceded (half of its exchanges) nothing follows.
    """
    ways = exchanges(2, leaves)
    opened = 0
    if others:
        opened += others * ways * histories(others - 1, spiel, speakers, leaves)
    if spiel:
        opened += ways // 2 * (1 + histories(others, False, speakers, leaves))
    return 1 + 2 * speakers * opened


@pytest.mark.parametrize(
    ("figures", "expected"),
    [
        ((), 1),
        (("gleich",), 29),
        (("spiel",), 29),
        (("gleich", "hanger"), 1_625),
        (("hanger", "spiel"), 1_233),
        (FIGURES, 91_813),
    ],
)
def test_gn_4_7_histories_of_one_window(figures: tuple[Figure, ...], expected: int) -> None:
    seen = set(window_histories(figures, RefRules()))
    assert len(seen) == expected
    others = len(set(figures) - {"spiel"})
    assert histories(others, "spiel" in figures, speakers=1, leaves=1) == expected


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({"signalling": "none"}, 2_033),  # each bet by either seat, each answer left or not
        ({"signalling": "none", "players": 2}, 29),
        ({"either_may_raise": True}, 29),
        ({"must_hold": True}, 29),
    ],
)
def test_gn_4_7_e_histories_of_one_figure_under_options(
    options: dict[str, Any], expected: int
) -> None:
    rules = RefRules(**options)
    assert sum(1 for _ in window_histories(["gleich"], rules)) == expected
    seats = 2 if rules.signalling == "none" and rules.players == 4 else 1
    assert histories(1, False, speakers=seats, leaves=seats) == expected


def test_gn_4_7_a_history_ends_with_two_passes_or_with_the_spiel_conceded() -> None:
    ends = Counter(history[-2:] for history in window_histories(["spiel"], RefRules()))
    # Seven concessions by either opener, of which one by each follows its bet at once.
    assert ends == {
        ("pass", "pass"): 1 + 2 * 7,
        (("bet", "spiel"), "gut"): 2,
        ("raise", "gut"): 12,
    }


# --- The show and the score (GN-5) ---------------------------------------------------------


def test_gn_5_1_the_show_has_the_spiels_winners_on_turn_and_rights_carried_over() -> None:
    deal = begun(STRONG, f"gleich halten / {STRONG_PLAY}")
    assert (asked(deal).number, asked(deal).team) == (SHOW, 0)
    assert bettable(deal) == ["hanger"]  # the right to the Gleich is team 1's
    deal.decide("pass")
    assert bettable(deal) == ["gleich", "hanger"]
    deal.decide(("bet", "gleich"))
    deal.decide("halten")
    assert asked(deal).team == 0
    deal.decide("pass")
    deal.decide("pass")
    assert deal.record().points[0] == Points("gleich", 0, 3, "won")


def test_gn_5_1_conceded_to_team_1_the_show_is_opened_by_it() -> None:
    assert asked(begun(STRONG, "spiel raise gut")).team == 1
    assert asked(begun(STRONG, "spiel raise gut")).number == SHOW
    apart = begun(STRONG, "pass pass spiel gut", signalling="none")
    assert (asked(apart).seat, asked(apart).number) == (1, SHOW)


def test_gn_5_1_team_1_with_three_tricks_opens_the_show() -> None:
    script = "/ UH AH 9H 7H / OH KE 10H 7E / AS 7S 9S 9L"  # AH, OH and AS of seat 1
    assert (asked(begun(LEVEL, script)).number, asked(begun(LEVEL, script)).team) == (SHOW, 1)
    assert worked(LEVEL, f"{script} /").points == (Points("spiel", 1, 1, "won"),)


def test_gn_5_2_first_at_the_target_in_the_order_of_the_figures() -> None:
    record = worked(SPLIT, f"/ {SPLIT_PLAY} /", score=(10, 10))
    assert record.points == (Points("gleich", 1, 1, "won"),)  # though team 0 has three tricks
    assert (record.score, record.winner) == ((10, 11), 1)
    assert record.figures["hanger"] == FigureEnd(1, "won", 0)  # shown, but void


def test_gn_5_2_settled_in_mid_order_the_rest_is_void() -> None:
    record = worked(STRONG, f"/ {STRONG_PLAY} /", score=(9, 3))
    assert [scored.figure for scored in record.points] == ["gleich", "hanger"]
    assert (record.score, record.winner) == ((11, 3), 0)


def test_gn_5_3_target_15() -> None:
    assert worked(STRONG, f"/ {STRONG_PLAY} /", score=(9, 3), target=15).winner is None
    assert worked(STRONG, f"/ {STRONG_PLAY} /", score=(12, 3), target=15).score == (15, 3)


@pytest.mark.parametrize(
    ("start", "score", "winner"),
    [
        ((10, 10), (12, 11), 0),  # both reach it: the higher
        ((9, 10), (11, 11), None),  # equal: another deal
        ((8, 10), (10, 11), 1),
        ((7, 9), (9, 10), None),
        ((12, 12), (14, 13), 0),  # that other deal
    ],
)
def test_gn_5_2_higher_total(start: Score, score: Score, winner: int | None) -> None:
    record = worked(SPLIT, f"/ {SPLIT_PLAY} /", score=start, settle="higher_total")
    assert (record.score, record.winner) == (score, winner)
    assert len(record.points) == 3


def test_gn_5_2_higher_total_adds_concessions_at_the_end() -> None:
    script = f"pass gleich gut / {STRONG_PLAY} /"
    record = worked(STRONG, script, score=(9, 10), settle="higher_total")
    assert (record.score, record.winner) == ((11, 11), None)
    assert worked(STRONG, "pass gleich gut", score=(9, 10)).winner == 1


def test_gn_5_2_higher_total_spiel_aus_wins_as_before() -> None:
    script = f"hanger {LADDER} halten / {SPLIT_PLAY} /"
    record = worked(SPLIT, script, score=(0, 10), settle="higher_total")
    assert record.points == (Points("gleich", 1, 1, "won"), Points("hanger", 0, 11, "spiel_aus"))
    assert (record.score, record.winner) == ((11, 11), 0)
    first = worked(SPLIT, script, score=(0, 10))
    assert (first.score, first.winner) == ((0, 11), 1)  # the Gleich scores before the Hanger
    spiel = f"spiel {LADDER} halten / {SPLIT_PLAY}"
    assert worked(SPLIT, spiel, score=(0, 10), settle="higher_total").winner == 0


# --- The robbing and two players (GN-1) ----------------------------------------------------


def test_gn_1_3_robbing_the_turnup() -> None:
    deal = begun(ROBBED, turnup_rob=True)
    assert asked(deal) == Ask("rob", 0, 2, ("rob", "keep"), 0)
    robbed = worked(ROBBED, "rob spiel gut /", turnup_rob=True)
    assert (robbed.turnup, robbed.robbed_by) == ("7S", 2)
    assert set(robbed.hands[2]) == {"AS", "AH", "10H", "OL", "9H"}
    assert robbed.figures["gleich"] == FigureEnd(1, "won", 0)  # A-A
    assert robbed.score == (3, 0)


def test_gn_1_3_the_seven_kept() -> None:
    kept = worked(ROBBED, "keep spiel gut /", turnup_rob=True)
    assert (kept.turnup, kept.robbed_by) == ("AS", None)
    assert kept.score == (2, 1)  # K-K is team 1's
    assert worked(ROBBED, "spiel gut /").score == (2, 1)


def test_gn_1_3_the_robbed_ace_is_played_as_a_trump() -> None:
    deal = begun(ROBBED, "rob / AE UE", turnup_rob=True)
    assert asked(deal).seat == 2
    assert set(asked(deal).legal) == {"AS", "AH", "10H", "OL", "9H"}  # no acorn
    deal.decide("AS")
    deal.decide("9E")
    assert asked(deal).team == 0
    assert deal.tricks[0].winner == 2


def test_gn_1_3_nothing_to_rob_with() -> None:
    assert asked(begun(STRONG, turnup_rob=True)).kind == "turn"  # the 7 is the turn-up
    assert asked(begun(LEVEL, turnup_rob=True)).seat == 2
    assert asked(begun((STRONG[0], "OS"), turnup_rob=True)).kind == "turn"  # 7S is not dealt


def test_gn_1_4_two_players() -> None:
    record = worked(TWO, "/ AE 9S / KL AL / KE 10E / 8H UE /", players=2)
    assert [(trick.leader, trick.winner) for trick in record.tricks] == [
        (0, 1),  # trumped
        (1, 0),
        (0, 0),
        (0, 0),
    ]
    assert record.score == (3, 0)
    assert set(asked(begun(TWO, "/ AE", players=2)).legal) == {"9S", "10E", "UE"}


def test_gn_1_4_gn_4_7_e_two_players_have_no_partner_to_leave_it_to() -> None:
    deal = begun(TWO, "gleich raise", players=2, signalling="none")
    assert asked(deal) == Ask("answer", 0, 0, ("gut", "halten", "raise"), 1, "gleich", 3)


# --- Matches (GN-1.2, GN-5.3) --------------------------------------------------------------


def test_gn_1_2_seats_fall_by_one_and_scores_stay_with_the_side() -> None:
    match = PlayedMatch(RefRules())
    scores = []
    for number in range(4):
        assert [match.seat_of(person) for person in range(4)] == [
            (person - number) % 4 for person in range(4)
        ]
        # Persons 0 and 2 are side 0, wherever they sit.
        assert {match.seat_of(0) % 2, match.seat_of(2) % 2} == {match.team_of(0)}
        follow(match.deal(*STRONG), f"/ {STRONG_PLAY} /")
        match.write_down()
        scores.append(match.score)
    assert scores == [(3, 0), (3, 3), (6, 3), (6, 6)]
    assert match.winner is None


def test_gn_5_3_the_side_that_reaches_the_target_wins_whatever_its_team() -> None:
    match = PlayedMatch(RefRules(), score=(5, 6))
    follow(match.deal(*STRONG), f"/ {STRONG_PLAY} /")
    match.write_down()
    assert match.score == (8, 6)
    follow(match.deal(*STRONG), f"gleich raise raise halten / {STRONG_PLAY} /")  # 4, 1, 1
    record = match.write_down()
    assert (record.start, record.score, record.winner) == ((6, 8), (11, 8), 0)
    assert (match.score, match.winner) == ((8, 11), 1)
    with pytest.raises(ValueError, match="over"):
        match.deal(*STRONG)


@given(st.integers(0, 2**32), st.sampled_from([4, 2]), st.sampled_from(["first", "higher_total"]))
@settings(max_examples=25)
def test_gn_5_3_random_matches_come_to_an_end(seed: int, players: int, settle: Any) -> None:
    rng = random.Random(seed)
    match = PlayedMatch(RefRules(players=players, settle=settle))
    while match.winner is None:
        before = match.score
        deal = match.deal(*random_deal(rng, players))
        play_randomly(deal, rng, calm=0.5)
        record = match.write_down()
        made = [0, 0]
        for scored in record.points:
            side = match_side(scored.team, len(match.records) - 1)
            made[side] += scored.points
        assert match.score == (before[0] + made[0], before[1] + made[1])
    assert match.score[match.winner] >= 11
    if match.records[-1].spiel_aus is None:
        assert match.score[match.winner] > match.score[1 - match.winner]


def match_side(team: int, number: int) -> int:
    """GN-1.2: {0, 2} of one deal is {1, 3} of the next."""
    return team if number % 2 == 0 else 1 - team


# --- Wrong input ---------------------------------------------------------------------------


def test_gn_1_3_wrong_deals_are_refused() -> None:
    hands, turnup = STRONG
    for wrong_hands, wrong_turnup in [
        (hands[:2], turnup),
        ([hands[0][:4], *hands[1:]], turnup),
        (hands, "AE"),
        ([hands[0], hands[0], *hands[2:]], turnup),
    ]:
        with pytest.raises(ValueError, match=r"GN-1\."):
            PlayedDeal(wrong_hands, wrong_turnup, RefRules())


def test_gn_5_2_scores_of_a_game_already_over_are_refused() -> None:
    for score, settle in [((11, 3), "first"), ((11, 11), "first"), ((12, 11), "higher_total")]:
        with pytest.raises(ValueError, match=r"GN-5\.2"):
            begun(STRONG, score=score, settle=settle)


def test_unknown_options_and_decisions_are_refused() -> None:
    with pytest.raises(ValueError, match="players"):
        RefRules(players=3)
    deal = begun(STRONG)
    with pytest.raises(ValueError, match="halten"):
        deal.decide("halten")
    with pytest.raises(ValueError, match="not over"):
        deal.record()
    with pytest.raises(ValueError, match="over"):
        begun(STRONG, "pass spiel gut / pass")


# --- Random deals, audited -----------------------------------------------------------------

RULES = st.builds(
    RefRules,
    players=st.sampled_from([4, 2]),
    target=st.sampled_from([11, 15]),
    tie=st.sampled_from(["stands", "forehand", "trump_then_forehand"]),
    turnup_rob=st.booleans(),
    either_may_raise=st.booleans(),
    must_hold=st.booleans(),
    signalling=st.sampled_from(["full", "none"]),
    late_spiel_limit=st.booleans(),
    settle=st.sampled_from(["first", "higher_total"]),
)
SCORES = st.tuples(st.integers(0, 10), st.integers(0, 10))
MOODS = st.sampled_from([(0.0, 0.0), (0.3, 0.5), (0.6, 0.0), (0.9, 0.0), (0.2, 0.7)])


RANKS = ("7", "8", "9", "10", "U", "O", "K", "A")


def audit_cards(record: DealRecord, rules: RefRules, turnup: str) -> None:
    """Cards are conserved, every legal card is offered, and the right seat wins every trick."""
    trump = turnup[-1]
    left = [set(hand) for hand in record.hands]
    every = [held for hand in record.hands for held in hand] + [record.turnup]
    assert len(set(every)) == len(every) == 5 * rules.players + 1
    asks = [(ask, str(choice)) for ask, choice in record.history if ask.kind == "card"]
    assert len(asks) == rules.players * len(record.tricks)
    leader = 0
    for number, trick in enumerate(record.tricks, start=1):
        assert trick.leader == leader
        led = trick.cards[0][-1]
        strength = []
        for step, played in enumerate(trick.cards):
            seat = (leader + step) % rules.players
            ask, choice = asks.pop(0)
            assert (ask.seat, ask.team, ask.number, choice) == (seat, seat % 2, number, played)
            refused = left[seat] - set(map(str, ask.legal))
            can_follow = any(held[-1] == led for held in left[seat])
            throws = {held for held in left[seat] if held[-1] not in (led, trump)}
            assert refused == (throws if can_follow and step else set())
            height = RANKS.index(played[:-1]) if played[-1] in (led, trump) else -1
            strength.append((played[-1] == trump, height, seat))
            left[seat].remove(played)
        leader = max(strength)[2]
        assert trick.winner == leader


def audit_stop(record: DealRecord, rules: RefRules) -> None:
    """GN-2.4: the play stops with the third trick, or earlier by a concession."""
    taken = Counter(trick.winner % 2 for trick in record.tricks)
    before = Counter(trick.winner % 2 for trick in record.tricks[:-1])
    assert max(before.values(), default=0) < 3
    end = record.figures["spiel"]
    three = [team for team in (0, 1) if taken[team] == 3]
    if three:
        assert (end.result, end.team) == ("won", three[0])
        return
    conceded = [bet for bet in record.bets if bet.answer == "gut" and bet.window != SHOW]
    assert conceded[-1].window == len(record.tricks) + 1
    if end.result == "conceded":
        assert conceded[-1].figure == "spiel"
    else:  # the game was won by a concession before
        assert (end.result, rules.settle) == ("undecided", "first")
        assert record.winner == conceded[-1].team


class WindowAudit:
    """Each window opens where it should, turns alternate as they should, and bets are legal."""

    def __init__(self, record: DealRecord, rules: RefRules) -> None:
        self.record, self.rules = record, rules
        self.value: dict[Figure, int] = dict.fromkeys(FIGURES, 1)
        self.right: dict[Figure, int] = {}
        self.closed: set[Figure] = set()
        self.bets = list(record.bets)

    def whole(self) -> None:
        record = self.record
        numbers = list(dict.fromkeys(ask.number for ask, _ in record.history if ask.number))
        spiel = record.figures["spiel"]
        play = len(record.tricks) + (spiel.result != "won")  # the last window has no trick
        shown = record.winner is None or SHOW in numbers
        assert numbers == [*range(1, play + 1), *([SHOW] if shown else [])]
        for number in numbers:
            first = spiel.team if number == SHOW else 0
            assert first is not None
            self.window(number, first)
        assert not self.bets
        assert self.value == {figure: record.figures[figure].value for figure in FIGURES}
        assert self.closed == {f for f in FIGURES if record.figures[f].result == "conceded"}

    def window(self, number: int, team: int) -> None:
        turns = [
            taken
            for taken in self.record.history
            if (taken[0].kind, taken[0].number) == ("turn", number)
        ]
        exchanged: set[Figure] = set()
        passes = 0
        while turns:
            seat, choice = self.turn(team, turns, exchanged)
            if choice == "pass":
                passes, team = passes + 1, 1 - team
                assert (passes == 2) == (not turns)
                continue
            figure = next(figure for figure in FIGURES if choice == ("bet", figure))
            ended = self.exchange(number, figure, team, seat)
            exchanged.add(figure)
            passes, team = 0, 1 - team
            assert turns or ended

    def turn(
        self, team: int, turns: list[tuple[Ask, Decision]], exchanged: set[Figure]
    ) -> tuple[int | None, Decision]:
        """The team's seats are asked in order until one bets; who spoke last, and what."""
        seats = range(team, self.rules.players, 2) if self.rules.signalling == "none" else [None]
        for seat in seats:
            ask, choice = turns.pop(0)
            free = {("bet", f) for f in FIGURES if self.free(f, ask.number, team, seat)}
            free -= {("bet", figure) for figure in exchanged}
            assert (ask.team, ask.seat, set(ask.legal)) == (team, seat, {"pass", *free})
            if choice != "pass":
                break
        return seat, choice

    def free(self, figure: Figure, number: int, team: int, seat: int | None) -> bool:
        late = self.rules.late_spiel_limit and number == 5
        return (
            figure not in self.closed
            and self.value[figure] < SPIEL_AUS
            and self.right.get(figure, team) == team
            and not (figure == "spiel" and (late or number == SHOW))
            and may_name(self.record, self.rules, figure, team, seat)
        )

    def exchange(self, number: int, figure: Figure, team: int, seat: int | None) -> bool:
        """Follow an exchange to its last answer; whether the window may end with it."""
        while True:
            bet = self.bets.pop(0)
            assert bet[:5] == (number, figure, self.value[figure] + 1, team, seat)
            assert (bet.answered_by is None) == (self.rules.signalling == "full")
            self.value[figure] += bet.answer != "gut"
            assert bet.value == self.value[figure]
            team, seat = 1 - team, bet.answered_by
            assert seat is None or seat % 2 == team
            if bet.answer != "raise":
                break
        if bet.answer == "gut":
            self.closed.add(figure)
            return figure == "spiel" or self.record.over
        if not self.rules.either_may_raise:
            self.right[figure] = team
        return False


def may_name(
    record: DealRecord, rules: RefRules, figure: Figure, team: int, seat: int | None
) -> bool:
    """GN-4.5, the figures told in other words: two alike, or two neighbours of a suit."""
    if figure == "spiel" or not rules.must_hold:
        return True
    hands = record.hands[team::2] if seat is None else [record.hands[seat]]
    if figure == "gleich":
        return any(len({held[:-1] for held in hand}) < 5 for hand in hands)
    return any(
        low + suit in hand and high + suit in hand
        for hand in hands
        for low, high in pairwise(RANKS)
        for suit in "ELHS"
    )


def audit_answers(record: DealRecord, rules: RefRules) -> None:
    """GN-4.7(e): an answer is asked of the next seat clockwise, and may be left once."""
    history = record.history
    for (before, said), (ask, _) in pairwise(history):
        if ask.kind != "answer":
            continue
        partner = said == "leave"
        assert ("leave" in ask.legal) == (
            rules.signalling == "none" and rules.players == 4 and not partner
        )
        if ask.seat is not None and before.seat is not None:
            assert ask.seat == (before.seat + (2 if partner else 1)) % rules.players
        assert ask.team == (before.team if partner else 1 - before.team)
        assert ("raise" in ask.legal) == (
            ask.value is not None
            and ask.value < SPIEL_AUS
            and ask.figure is not None
            and may_name(record, rules, ask.figure, ask.team, ask.seat)
        )
        assert {"gut", "halten"} <= set(ask.legal)


def audit_points(record: DealRecord, rules: RefRules) -> None:
    """Every figure scores once at most, what the clauses say; the score is start and points."""
    score = list(record.start)
    assert max(Counter(scored.figure for scored in record.points).values(), default=0) <= 1
    order = []
    for scored in record.points:
        end = record.figures[scored.figure]
        assert end.team == scored.team
        if scored.reason == "spiel_aus":
            assert end.value == SPIEL_AUS
            assert scored.points == max(0, rules.target - score[scored.team])
            assert scored == record.points[-1]
            assert (record.spiel_aus, record.winner) == (scored.figure, scored.team)
        else:
            assert end.result == scored.reason
            assert scored.points == end.value < SPIEL_AUS
        if scored.reason != "conceded":
            order.append(FIGURES.index(scored.figure))
        assert rules.settle != "first" or max(score) < rules.target  # else it would be void
        score[scored.team] += scored.points
    assert order == sorted(order)
    assert record.score == tuple(score)
    reached = [team for team in (0, 1) if score[team] >= rules.target]
    if rules.settle == "first":
        assert reached == ([] if record.winner is None else [record.winner])
    elif record.spiel_aus is None:
        highest = [team for team in reached if score[team] > score[1 - team]]
        assert highest == ([] if record.winner is None else [record.winner])
    scored_figures = {scored.figure for scored in record.points}
    if record.winner is None or (rules.settle == "higher_total" and record.spiel_aus is None):
        assert scored_figures == {f for f in FIGURES if record.figures[f].team is not None}


def audit_shown(record: DealRecord, rules: RefRules) -> None:
    """GN-3.5 for the figures that were shown."""
    for figure in ("gleich", "hanger"):
        end = record.figures[figure]
        if end.result in ("conceded", "undecided"):
            assert end.result == "conceded" or record.winner is not None
            continue
        hands = [gilten.cards(" ".join(hand)) for hand in record.hands]
        better = gilten.outcome(hands, gilten.card(record.turnup), figure, rules.tie)
        expected = {"ours": ("won", 0), "theirs": ("won", 1)}.get(better, (better, None))
        assert (end.result, end.team) == expected


@given(RULES, st.integers(0, 2**32), SCORES, MOODS)
@settings(max_examples=1000)
def test_random_deals_under_random_options(
    rules: RefRules, seed: int, score: Score, mood: tuple[float, float]
) -> None:
    rng = random.Random(seed)
    hands, turnup = random_deal(rng, rules.players)
    deal = PlayedDeal(hands, turnup, rules, score)
    record = play_randomly(deal, rng, *mood)
    assert all(choice in ask.legal for ask, choice in record.history)
    kept = {held for hand in hands for held in hand} | {turnup}
    assert {held for hand in record.hands for held in hand} | {record.turnup} == kept
    audit_cards(record, rules, turnup)
    audit_stop(record, rules)
    WindowAudit(record, rules).whole()
    audit_answers(record, rules)
    audit_points(record, rules)
    audit_shown(record, rules)


def test_random_deals_reach_every_kind_of_end() -> None:
    """The audit above is not of dull deals only."""
    ends: Counter[str] = Counter()
    for seed in range(400):
        rng = random.Random(seed)
        rules = RefRules(turnup_rob=True, signalling="none", players=4 if seed % 3 else 2)
        deal = PlayedDeal(*random_deal(rng, rules.players), rules, (rng.randrange(11), 6))
        record = play_randomly(deal, rng, calm=0.35, bold=0.45)
        ends.update(f"{figure} {end.result}" for figure, end in record.figures.items())
        ends.update(f"{scored.figure} {scored.reason}" for scored in record.points)
        ends[f"{len(record.tricks)} tricks"] += 1
        ends["robbed"] += record.robbed_by is not None
        ends["left"] += any(choice == "leave" for _, choice in record.history)
    wanted = [f"{figure} {end}" for figure in FIGURES for end in ("conceded", "won", "spiel_aus")]
    wanted += [f"{f} {end}" for f in ("gleich", "hanger") for end in ("none", "undecided")]
    wanted += [f"{tricks} tricks" for tricks in range(6)]
    wanted += ["gleich stands", "hanger stands", "spiel undecided", "robbed", "left"]
    assert [end for end in wanted if not ends[end]] == []
