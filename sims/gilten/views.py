"""What a player of Gilten knows, as the cells in which policies look up their chances.

A *view* is what one decision is made from: under `signalling=full` a team's, knowing both its hands
(views 0 and 1); under `signalling=none` a seat's, knowing its own (views 0 to 3). A view's team is
its last bit. All views know the turn-up and the cards played, and the cells change with these:

- a Gleich or Hanger that the cards shown by the other team beat counts as none; under `tie=stands`
  one that they equal does, too, for it can score no more;
- trumps, and the other suits' highest cards, are counted among the cards still held, and against
  the cards not yet seen.
"""

from __future__ import annotations

from typing import Any

from sims.bits import U32, bit_length, popcount
from sims.gilten import policies
from sims.gilten.figures import best_hanger_of_two, gleich_set
from sims.gilten.ladder import FIGURES, HANGER, SPIEL
from sims.gilten.policies import GLEICH_CLASSES, HANGER_CLASSES, SPIEL_CLASSES
from sims.gilten.table import CELLS, DEALT, HANDS, LEADER, SHOWN, TRUMPS, UNSEEN, WON
from sims.jit import inlined, kernel

_NONE, _ONE, _THREE = U32(0), U32(1), U32(3)
_HANGER_CELLS, _SPIEL_CELLS = U32(policies.CELLS[HANGER]), U32(policies.CELLS[SPIEL])
_SUITS = (U32(0xFF), U32(0xFF00), U32(0xFF_0000), U32(0xFF00_0000))


@kernel
def look(masks: Any, players: Any, partners_speak: Any, ties_score: Any, lanes: Any) -> None:
    """The cells of all views, a batch.

    Parameters
    ----------
    masks : uint32 array, (MASKS, lanes)
        The table (`sims.gilten.table`), of which the rows CELLS are filled.
    players, partners_speak, ties_score, lanes : int
        `ties_score`: whether an equal figure may still win (GN-3.5).
    """
    equal_beats = _NONE if ties_score == 1 else _ONE
    turn_up = masks[DEALT + players]
    _see_nothing(turn_up, lanes, masks[UNSEEN])
    for seat in range(players):
        _see(masks[DEALT + seat], masks[HANDS + seat], lanes, masks[SHOWN + seat], masks[UNSEEN])
    for view in range(4 if partners_speak == 1 else 2):
        # With two players a team is one hand; its partner's is that hand once more.
        partner = (view + 2) % players
        left, right = SHOWN + (view + 1) % players, SHOWN + (view + 3) % players
        known, held = (SHOWN, view) if partners_speak == 1 else (DEALT, partner)
        own, others, row = masks[DEALT + view], masks[known + partner], CELLS + FIGURES * view
        won, lost = masks[WON + (view & 1)], masks[WON + 1 - (view & 1)]
        _look_at_gleich(
            own, others, masks[left], masks[right], won, lost, equal_beats, lanes, masks[row]
        )
        _look_at_hanger(
            own, others, masks[left], masks[right], won, lost, equal_beats, lanes, masks[row + 1]
        )
        _look_at_spiel(
            masks[HANDS + view],
            masks[HANDS + held],
            masks[UNSEEN],
            masks[TRUMPS],
            masks[LEADER],
            won,
            lost,
            view & 1,
            lanes,
            masks[row + SPIEL],
        )


@kernel
def _see_nothing(turn_up: Any, lanes: Any, unseen: Any) -> None:
    for lane in range(lanes):
        unseen[lane] = U32(~turn_up[lane])


@kernel
def _see(dealt: Any, hand: Any, lanes: Any, shown: Any, unseen: Any) -> None:
    for lane in range(lanes):
        played = U32(dealt[lane] ^ hand[lane])
        shown[lane] = played
        unseen[lane] = U32(unseen[lane] ^ played)


@kernel
def _look_at_gleich(
    own: Any,
    others: Any,
    left: Any,
    right: Any,
    won: Any,
    lost: Any,
    equal_beats: Any,
    lanes: Any,
    cells: Any,
) -> None:
    """Our best Gleich in our own and our partner's known cards, theirs in the cards shown."""
    for lane in range(lanes):
        ours = bit_length(U32(gleich_set(own[lane]) | gleich_set(others[lane])))
        theirs = bit_length(U32(gleich_set(left[lane]) | gleich_set(right[lane])))
        tricks = U32(won[lane] + lost[lane])
        ours = _unbeaten(ours, theirs, equal_beats)
        cells[lane] = U32(U32(tricks * U32(GLEICH_CLASSES)) + ours)


@kernel
def _look_at_hanger(
    own: Any,
    others: Any,
    left: Any,
    right: Any,
    won: Any,
    lost: Any,
    equal_beats: Any,
    lanes: Any,
    cells: Any,
) -> None:
    for lane in range(lanes):
        ours = best_hanger_of_two(own[lane], others[lane])
        theirs = best_hanger_of_two(left[lane], right[lane])
        tricks = U32(won[lane] + lost[lane])
        ours = _unbeaten(ours, theirs, equal_beats)
        cells[lane] = U32(U32(U32(tricks * U32(HANGER_CLASSES)) + ours) + _HANGER_CELLS)


@kernel
def _look_at_spiel(
    own: Any,
    others: Any,
    all_unseen: Any,
    trumps: Any,
    leader: Any,
    won: Any,
    lost: Any,
    team: Any,
    lanes: Any,
    cells: Any,
) -> None:
    even = U32(1 - team)
    for lane in range(lanes):
        mine = U32(own[lane] | others[lane])
        unseen = U32(all_unseen[lane] & U32(~mine))
        leads = U32(U32(leader[lane] ^ even) & _ONE)
        # Once the Spiel is made nobody asks for its chances, and there is no such state.
        made = (won[lane] == _THREE) | (lost[lane] == _THREE)
        state = U32(U32(U32(won[lane] * U32(6)) + U32(lost[lane] * U32(2))) + leads)
        state = _NONE if made else state
        strength = _strength(mine, unseen, trumps[lane])
        cells[lane] = U32(U32(U32(state * U32(SPIEL_CLASSES)) + strength) + _SPIEL_CELLS)


@inlined
def _unbeaten(ours: Any, theirs: Any, equal_beats: Any) -> Any:
    """Our class, or none if theirs beats it."""
    return _NONE if U32(theirs + equal_beats) > ours else ours


@inlined
def _strength(mine: Any, unseen: Any, trumps: Any) -> Any:
    """The class of the cards held for the Spiel: 32 * trumps + 4 * trumps above + suits headed."""
    own_trumps, unseen_trumps = U32(mine & trumps), U32(unseen & trumps)
    up_to_top = U32(own_trumps | U32(own_trumps >> U32(1)))
    up_to_top = U32(up_to_top | U32(up_to_top >> U32(2)))
    up_to_top = U32(up_to_top | U32(up_to_top >> U32(4)))
    above = popcount(U32(unseen_trumps & U32(~up_to_top)))
    headed = _NONE
    for suit in _SUITS:
        # In one suit the greater mask has the highest card.
        headed = U32(headed + U32(U32(mine & suit) > U32(unseen & suit)))
    headed = U32(headed - U32(own_trumps > unseen_trumps))
    return U32(U32(U32(popcount(own_trumps) << U32(5)) + U32(above << U32(2))) + headed)
