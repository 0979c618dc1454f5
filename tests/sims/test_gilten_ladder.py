"""The betting window of Gilten, action by action, against GN-4.7's own numbers."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from sims.gilten import ladder
from sims.gilten.ladder import BET, GLEICH, GUT, HALTEN, HANGER, LEAVE, PASS, RAISE, SPIEL
from sims.gilten.rules import Rules

State = NDArray[np.int64]
EVERYTHING = 0b111


def window(
    number: int = 0, first: int = 0, figures: int = EVERYTHING, scores: tuple[int, int] = (0, 0)
) -> State:
    state = np.zeros((ladder.STATE, 1), dtype=np.int64)
    ladder.open_deals(state, 1, *(np.array([score]) for score in scores))
    ladder.next_window(state, 0, number, first)
    state[ladder.OPEN] = figures
    return state


def allowed(state: State, rules: Rules, held: int = EVERYTHING) -> set[int]:
    mask = int(ladder.next_legal(state, 0, ladder.terms(rules), held))
    return {action for action in range(ladder.ACTIONS) if mask >> action & 1}


def said(state: State, rules: Rules, *actions: int) -> State:
    """A copy of the state after some actions, each of which is legal."""
    state = state.copy()
    for action in actions:
        assert not state[ladder.CLOSED, 0]
        assert action in allowed(state, rules)
        ladder.next_said(state, 0, ladder.terms(rules), action)
    return state


def histories(state: State, rules: Rules, known: dict[bytes, int]) -> int:
    """How many ways the window can go on from here."""
    if state[ladder.CLOSED, 0]:
        return 1
    key = state.tobytes()
    if key not in known:
        after = (said(state, rules, action) for action in allowed(state, rules))
        known[key] = sum(histories(one, rules, known) for one in after)
    return known[key]


@pytest.mark.parametrize(
    ("figures", "number"),
    [
        (1 << GLEICH, 29),
        (1 << HANGER, 29),
        (1 << SPIEL, 29),
        (1 << GLEICH | 1 << HANGER, 1_625),
        (EVERYTHING, 91_813),
    ],
)
def test_gn_4_7_histories_of_one_window(figures: int, number: int) -> None:
    far = Rules()
    assert histories(window(figures=figures, scores=(-100, -100)), far, {}) == number


def test_gn_4_7_histories_do_not_depend_on_who_is_first_nor_on_the_window() -> None:
    figures = 1 << GLEICH | 1 << HANGER
    for number, first in ((0, 1), (3, 0), (ladder.SHOW, 1)):
        state = window(number, first, figures, (-100, -100))
        assert histories(state, Rules(), {}) == 1_625


def test_gn_4_3_worked_values() -> None:
    rules = Rules()
    bet = said(window(), rules, BET + HANGER)
    assert bet[ladder.PROPOSED, 0] == 2
    conceded = said(bet, rules, GUT)
    assert conceded[ladder.POINTS : ladder.STATE, 0].tolist() == [0, 1, 0, 0, 0, 0]
    assert conceded[ladder.OPEN, 0] == 1 << GLEICH | 1 << SPIEL
    assert said(bet, rules, HALTEN)[ladder.VALUE + HANGER, 0] == 2
    three = said(bet, rules, RAISE)
    assert said(three, rules, HALTEN)[ladder.VALUE + HANGER, 0] == 3
    assert said(three, rules, GUT)[ladder.POINTS : ladder.STATE, 0].tolist() == [0, 0, 0, 0, 2, 0]
    game_out = said(bet, rules, *[RAISE] * 6)
    assert game_out[ladder.PROPOSED, 0] == ladder.SPIEL_AUS
    assert allowed(game_out, rules) == {GUT, HALTEN}
    assert said(game_out, rules, GUT)[ladder.POINTS : ladder.STATE, 0].sum() == 7
    assert said(game_out, rules, HALTEN)[ladder.VALUE + HANGER, 0] == 8


def test_gn_4_4_only_the_holders_may_bet_again_unless_either_may() -> None:
    for rules, bettors in ((Rules(), (1,)), (Rules(either_may_raise=True), (0, 1))):
        held = said(window(), rules, BET + GLEICH, HALTEN)
        for team in (0, 1):
            fresh = window(1, team)
            fresh[ladder.VALUE], fresh[ladder.RIGHT] = held[ladder.VALUE], held[ladder.RIGHT]
            assert (BET + GLEICH in allowed(fresh, rules)) is (team in bettors)


def test_gn_4_5_must_hold_binds_bets_and_raises_on_gleich_and_hanger_only() -> None:
    rules = Rules(must_hold=True)
    only_spiel = 1 << SPIEL
    assert allowed(window(), rules, only_spiel) == {PASS, BET + SPIEL}
    bet = said(window(), rules, BET + GLEICH)
    assert allowed(bet, rules, only_spiel) == {GUT, HALTEN}
    assert allowed(bet, rules, only_spiel | 1 << GLEICH) == {GUT, HALTEN, RAISE}
    assert allowed(said(window(), rules, BET + SPIEL), rules, only_spiel) == {GUT, HALTEN, RAISE}


def test_gn_4_7_a_two_passes_running_close_the_window() -> None:
    rules = Rules()
    assert not said(window(), rules, PASS)[ladder.CLOSED, 0]
    assert said(window(), rules, PASS, PASS)[ladder.CLOSED, 0]
    after = said(window(), rules, PASS, BET + GLEICH, HALTEN)
    assert (after[ladder.TURN, 0], after[ladder.PASSES, 0]) == (0, 0)
    assert not said(after, rules, PASS)[ladder.CLOSED, 0]
    assert said(after, rules, PASS, PASS)[ladder.CLOSED, 0]


def test_gn_4_7_a_a_figure_has_one_exchange_in_a_window() -> None:
    rules = Rules(either_may_raise=True)
    after = said(window(), rules, BET + GLEICH, HALTEN)
    assert allowed(after, rules) == {PASS, BET + HANGER, BET + SPIEL}


def test_gn_4_7_c_the_turn_is_with_the_team_that_did_not_open() -> None:
    rules = Rules()
    for answers in ((HALTEN,), (GUT,), (RAISE, HALTEN), (RAISE, RAISE, GUT)):
        assert said(window(), rules, BET + GLEICH, *answers)[ladder.TURN, 0] == 1


def test_gn_4_7_d_the_window_ends_with_the_spiel_or_at_the_target() -> None:
    assert said(window(), Rules(), BET + SPIEL, GUT)[ladder.CLOSED, 0]
    assert said(window(), Rules(), BET + SPIEL, GUT)[ladder.SPIEL_WINNER, 0] == 0
    near = window(scores=(10, 0))
    assert said(near, Rules(), BET + GLEICH, GUT)[ladder.CLOSED, 0]
    assert not said(near, Rules(target=15), BET + GLEICH, GUT)[ladder.CLOSED, 0]
    at_the_end = Rules(settle="higher_total")
    assert not said(near, at_the_end, BET + GLEICH, GUT)[ladder.CLOSED, 0]


def test_gn_4_7_e_partners_are_asked_in_seat_order_and_may_leave_the_answer() -> None:
    rules = Rules(signalling="none")
    state = window()
    asked = []
    for _ in range(4):
        asked.append(int(state[ladder.ASKED, 0]))
        state = said(state, rules, PASS)
    assert asked == [0, 2, 1, 3]
    assert state[ladder.CLOSED, 0]
    for proposer, passes in ((0, 0), (2, 1), (1, 2), (3, 3)):
        bet = said(window(), rules, *[PASS] * passes, BET + GLEICH)
        assert bet[ladder.PROPOSER, 0] == proposer
        assert bet[ladder.ASKED, 0] == (proposer + 1) % 4
        assert LEAVE in allowed(bet, rules)
        left = said(bet, rules, LEAVE)
        assert left[ladder.ASKED, 0] == (proposer + 3) % 4
        assert allowed(left, rules) == {GUT, HALTEN, RAISE}
        assert said(left, rules, RAISE)[ladder.ASKED, 0] == proposer
        assert said(bet, rules, RAISE)[ladder.ASKED, 0] == (proposer + 2) % 4


def test_gn_4_8_no_opening_bet_on_the_spiel_in_the_fifth_window() -> None:
    rules = Rules(late_spiel_limit=True)
    assert BET + SPIEL in allowed(window(3), rules)
    assert BET + SPIEL not in allowed(window(4), rules)
    assert BET + SPIEL in allowed(window(4), Rules())


def test_gn_5_1_the_show_is_on_gleich_and_hanger_only() -> None:
    assert allowed(window(ladder.SHOW, first=1), Rules()) == {PASS, BET + GLEICH, BET + HANGER}


def test_gn_5_4_two_players_have_no_partner_to_signal_to() -> None:
    with pytest.raises(ValueError, match=r"GN-5\.4"):
        Rules(players=2, signalling="none")
