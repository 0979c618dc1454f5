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
from sims.gilten.table import CELLS, DEALT, HANDS, LEADER, OUTCOME, OWN, SHOWN, TRUMPS, UNSEEN, WON
from sims.jit import inlined, kernel

_NONE, _ONE, _THREE = U32(0), U32(1), U32(3)
_HANGER_CELLS, _SPIEL_CELLS = policies.CELLS[HANGER], U32(policies.CELLS[SPIEL])
_SUITS = (U32(0xFF), U32(0xFF00), U32(0xFF_0000), U32(0xFF00_0000))


@kernel
def know(masks: Any, players: Any, partners_speak: Any, lanes: Any) -> None:
    """What each view knows its team to hold: the rows OWN, of the table `masks`.

    Its own hand, and its partner's: all of it, or under `signalling=none` what he has played. With
    two players a team is one hand; its partner's is that hand once more.
    """
    for view in range(4 if partners_speak == 1 else 2):
        partner, row = (view + 2) % players, OWN + 2 * view
        others = SHOWN + partner if partners_speak == 1 else DEALT + partner
        _best_of(masks[DEALT + view], masks[others], lanes, masks[row], masks[row + 1])


@kernel
def _best_of(own: Any, others: Any, lanes: Any, gleich: Any, hanger: Any) -> None:
    for lane in range(lanes):
        gleich[lane] = bit_length(U32(gleich_set(own[lane]) | gleich_set(others[lane])))
    for lane in range(lanes):
        hanger[lane] = best_hanger_of_two(own[lane], others[lane])


@kernel
def see(masks: Any, players: Any, lanes: Any) -> None:
    """What all can see: the rows SHOWN and UNSEEN, of the table `masks`."""
    for lane in range(lanes):
        masks[UNSEEN, lane] = U32(~masks[DEALT + players, lane])
    for seat in range(players):
        for lane in range(lanes):
            shown = U32(masks[DEALT + seat, lane] ^ masks[HANDS + seat, lane])
            masks[SHOWN + seat, lane] = shown
            masks[UNSEEN, lane] = U32(masks[UNSEEN, lane] ^ shown)


@kernel
def look(masks: Any, players: Any, partners_speak: Any, ties_score: Any, lanes: Any) -> None:
    """The cells of all views, a batch.

    Parameters
    ----------
    masks : uint32 array, (MASKS, lanes)
        The table (`sims.gilten.table`), of which the rows CELLS are filled; SHOWN, UNSEEN and OWN
        are there.
    players, partners_speak, ties_score, lanes : int
        `ties_score`: whether an equal figure may still win (GN-3.5).
    """
    equal_beats = _NONE if ties_score == 1 else _ONE
    for team in range(2):
        # What the cards that the other team has shown make, as OUTCOME rows for a while.
        left, right = SHOWN + (team + 1) % players, SHOWN + (team + 3) % players
        gleich, hanger = masks[OUTCOME], masks[OUTCOME + 1]
        _best_of(masks[left], masks[right], lanes, gleich, hanger)
        won, lost = masks[WON + team], masks[WON + 1 - team]
        for view in range(team, 4 if partners_speak == 1 else 2, 2):
            own, row = OWN + 2 * view, CELLS + FIGURES * view
            _cells_of(
                masks[own], gleich, won, lost, equal_beats, GLEICH_CLASSES, 0, lanes, masks[row]
            )
            _cells_of(
                masks[own + 1],
                hanger,
                won,
                lost,
                equal_beats,
                HANGER_CLASSES,
                _HANGER_CELLS,
                lanes,
                masks[row + 1],
            )
            held = HANDS + (view if partners_speak == 1 else (view + 2) % players)
            _look_at_spiel(
                masks[HANDS + view],
                masks[held],
                masks[UNSEEN],
                masks[TRUMPS],
                masks[LEADER],
                won,
                lost,
                team,
                lanes,
                masks[row + SPIEL],
            )


@kernel
def _cells_of(
    ours: Any,
    theirs: Any,
    won: Any,
    lost: Any,
    equal_beats: Any,
    classes: Any,
    first: Any,
    lanes: Any,
    cells: Any,
) -> None:
    """By the tricks played and our best class; none if theirs beats it."""
    width, begin = U32(classes), U32(first)
    for lane in range(lanes):
        beaten = U32(theirs[lane] + equal_beats) > ours[lane]
        unbeaten = _NONE if beaten else ours[lane]
        tricks = U32(won[lane] + lost[lane])
        cells[lane] = U32(U32(U32(tricks * width) + unbeaten) + begin)


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
