"""What an answer looks like, and what the command says, in every game."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from analysis.errors import InputError
from analysis.odds import Question, odds
from analysis.odds.answers import as_json, readable
from sims.games import game

Mournival = Callable[..., tuple[int, str, str]]

#: A hand of each game, and what else is known.
ASKED = {
    "gilten": ("UE UL UH 7S 8S", {"turnup": "AH"}),
    "giley": ("KO CO SO 3O", {"seat": "dealer"}),
    "gleek": ("AS KS QS JS 10S 9S 4H 5H 4D 5D 4C 6C", {"turnup": "7C"}),
}
every_game = pytest.mark.parametrize("name", list(ASKED))


@every_game
def test_frame_and_pieces_are_one(name: str) -> None:
    hand, known = ASKED[name]
    found = odds(name, hand, **known)
    frame = found.frame
    assert list(dict.fromkeys(frame["part"])) == [piece.name for piece in found.answer.pieces]
    for piece in found.answer.pieces:
        rows = frame[frame["part"] == piece.name]
        assert rows["ways"].tolist() == [int(way) for way in piece.ways.ravel()]
        assert rows["exact"].tolist() == [int(way) / piece.total for way in piece.ways.ravel()]
        whole = int(piece.ways.sum())
        by_first = {int(row.sum()) for row in piece.ways.reshape(len(piece.axes[0]), -1)}
        # But for `discards`, whose chances are of one aim after each discard.
        assert whole == piece.total or by_first == {piece.total} or piece.name == "discards"


@every_game
def test_json_is_the_frame_and_can_be_asked_again(name: str, mournival: Mournival) -> None:
    hand, known = ASKED[name]
    found = odds(name, hand, **known)
    document = json.loads(as_json(found))
    assert document["lead"] == found.answer.lead
    assert [row["ways"] for row in document["rows"]] == found.frame["ways"].tolist()
    assert document["question"]["hand"] == hand
    words = document["question"]["command"]
    assert words.startswith(f"mournival odds {name} --hand '{hand}'")
    options = [f"--{option}={value}" for option, value in known.items()]
    code, out, err = mournival("odds", name, "--hand", hand, *options, "--format", "json")
    assert (code, err) == (0, "")
    assert json.loads(out) == document


@every_game
def test_the_terminal_shows_lead_tables_and_command(name: str, mournival: Mournival) -> None:
    hand, known = ASKED[name]
    found = odds(name, hand, **known)
    options = [f"--{option}={value}" for option, value in known.items()]
    code, out, _ = mournival("odds", name, "--hand", hand, *options)
    assert code == 0
    assert out == readable(found)
    assert out.splitlines()[0] == f"{name.capitalize()}: {hand}"
    assert found.answer.lead in out
    assert out.rstrip().endswith(found.command)


@every_game
def test_cards_twice_unknown_or_too_many_are_named(name: str) -> None:
    hand, _ = ASKED[name]
    first = hand.split()[0]
    with pytest.raises(InputError, match=f"'{first}' is there twice"):
        odds(name, f"{hand} {first}")
    with pytest.raises(InputError, match="no card 'XX'"):
        odds(name, "XX")
    with pytest.raises(InputError, match=f"{first} is there already"):
        odds(name, hand, known=first)
    every = " ".join(game(name).PACK.cards(game(name).PACK.mask))
    with pytest.raises(InputError, match="cards: at most"):
        odds(name, every)


@every_game
def test_no_such_seat(name: str) -> None:
    with pytest.raises(InputError, match="no seat 'nowhere'"):
        odds(name, ASKED[name][0], seat="nowhere")


@pytest.mark.parametrize(
    ("name", "given"),
    [
        ("gilten", {"stock": "mine"}),
        ("giley", {"turnup": "AO"}),
        ("gleek", {"partner": "AH"}),
        ("gleek", {"cards": 4}),
    ],
)
def test_what_says_nothing_in_a_game_is_refused(name: str, given: dict[str, str]) -> None:
    (option,) = given
    with pytest.raises(InputError, match=f"--{option} says nothing in {name}"):
        odds(name, ASKED[name][0], **given)


def test_an_error_is_one_line_and_writes_nothing(mournival: Mournival, tmp_path: Path) -> None:
    out_file = tmp_path / "odds.json"
    code, out, err = mournival("odds", "gilten", "--hand", "UE UE", "--out", str(out_file))
    assert (code, out) == (2, "")
    assert err == "mournival: hand: card 'UE' is there twice\n"
    assert not out_file.exists()


def test_a_file_is_what_the_terminal_shows(mournival: Mournival, tmp_path: Path) -> None:
    words = ["odds", "gilten", "--hand", "UE UL UH 7S 8S"]
    shown = mournival(*words)[1]
    code, out, _ = mournival(*words, "--out", str(tmp_path / "odds.txt"))
    assert (code, out) == (0, "")
    assert (tmp_path / "odds.txt").read_text() == shown


def test_the_question_tells_nothing_it_was_not_told() -> None:
    question = Question("gilten", "UE UL", game("gilten").Rules())
    question.only("turnup")
    with pytest.raises(InputError, match="besides the hand: --turnup"):
        Question("gilten", "UE UL", game("gilten").Rules(), aim="sets").only("turnup")
