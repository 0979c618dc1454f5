"""Conditions in words: what they mean, and what is said of a wrong word."""

from collections.abc import Callable

import numpy as np
import pytest
from reference import gilten as referee

from sims import dealing
from sims.cards import GILTEN
from sims.gilten.figures import GLEICH, HAND, HANGER
from sims.predicates import ConditionError, compiled

SAMPLE = dealing.subsets(32, 5, np.uint32)[::97].tolist()
Value = tuple[int, str]
SIZES = {2: "pair", 3: "triplet", 4: "quartet"}


def test_every_condition_means_what_the_referee_says() -> None:
    """Each condition beside the same in plain Python, on two thousand hands."""
    meant: dict[str, Callable[[Value | None, Value | None], bool]] = {
        "gleich": lambda g, h: g is not None,
        "not gleich": lambda g, h: g is None,
        "gleich>=triplet": lambda g, h: g is not None and g[0] >= 3,
        "gleich>pair": lambda g, h: g is not None and g[0] >= 3,
        "gleich<=pair-9": lambda g, h: g is None or (g[0] == 2 and g[1] in "789"),
        "gleich=pair-a": lambda g, h: g == (2, "A"),
        "gleich != pair": lambda g, h: g is None or g[0] != 2,
        "gleich<pair": lambda g, h: g is None,
        "hanger>=3-K": lambda g, h: h is not None and (h[0] > 3 or h == (3, "K") or h == (3, "A")),
        "gleich and hanger": lambda g, h: g is not None and h is not None,
        "gleich>=triplet or hanger>=3 and not gleich": lambda g, h: (
            (g is not None and g[0] >= 3) or (h is not None and h[0] >= 3 and g is None)
        ),
        "(gleich>=triplet or hanger>=3) and not gleich": lambda g, h: (
            h is not None and h[0] >= 3 and g is None
        ),
        "not (gleich or hanger)": lambda g, h: g is None and h is None,
        "NOT gleich AND hanger==none": lambda g, h: g is None and h is None,
    }
    masks = {text: compiled(text, HAND) for text in meant}
    for hand in SAMPLE:
        cards = referee.cards(" ".join(GILTEN.cards(hand)))
        gleich, hanger = referee.gleich(cards), referee.hanger(cards)
        cell = (
            GLEICH.labels.index((SIZES[gleich[0]], gleich[1]) if gleich else ("none", None)),
            HANGER.labels.index((str(hanger[0]), hanger[1]) if hanger else ("none", None)),
        )
        for text, holds in meant.items():
            assert masks[text][cell] == holds(gleich, hanger), (text, cards)
    assert all(0 < mask.sum() < mask.size for mask in masks.values())


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "the end at place 1: allowed are gleich, hanger"),
        ("gliech", "'gliech' at place 1: did you mean gleich"),
        ("gleich>=triplets", "'triplets' at place 9: did you mean triplet"),
        ("gleich >=", "the end at place 10: .*values of gleich are none, pair"),
        ("gleich hanger", "'hanger' at place 8: allowed here are and, or and the end"),
        ("gleich and", "the end at place 11: allowed are"),
        ("(gleich or hanger", "the end at place 18: a bracket is not closed"),
        ("gleich)", "'\\)' at place 7: allowed here are"),
        ("gleich >= pair ! hanger", "'!' at place 16 is no word"),
        ("not", "the end at place 4"),
        (">= pair", "'>=' at place 1"),
    ],
)
def test_a_wrong_word_is_pointed_at(text: str, said: str) -> None:
    with pytest.raises(ConditionError, match=said):
        compiled(text, HAND)
