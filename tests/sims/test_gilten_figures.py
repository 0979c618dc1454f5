"""Gilten's figures, kernel against the plain-Python referee on all 201 376 hands (GN-3)."""

from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from reference import gilten as referee

from sims import dealing
from sims.cards import GILTEN
from sims.gilten.figures import GLEICH, HANGER, best_gleich, best_hanger
from sims.jit import kernel

ALL_HANDS = dealing.subsets(32, 5, np.uint32)
GLEICH_SIZES = {2: "pair", 3: "triplet", 4: "quartet"}


@kernel
def classes_of(hands: Any) -> Any:
    gleich = np.empty(len(hands), dtype=np.uint32)
    hanger = np.empty(len(hands), dtype=np.uint32)
    for lane in range(len(hands)):
        gleich[lane] = best_gleich(hands[lane])
        hanger[lane] = best_hanger(hands[lane])
    return gleich, hanger


def classes(text: str) -> tuple[str, str]:
    hand = np.array([GILTEN.read(text)], dtype=np.uint32)
    gleich, hanger = classes_of(hand)
    return GLEICH.text(int(gleich[0])), HANGER.text(int(hanger[0]))


def labels_by_referee(hand: int) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
    cards = referee.cards(" ".join(GILTEN.cards(hand)))
    gleich, hanger = referee.gleich(cards), referee.hanger(cards)
    return (
        (GLEICH_SIZES[gleich[0]], gleich[1]) if gleich else ("none", None),
        (str(hanger[0]), hanger[1]) if hanger else ("none", None),
    )


@pytest.fixture(scope="module")
def all_classes() -> tuple[NDArray[np.uint32], NDArray[np.uint32]]:
    gleich, hanger = classes_of(ALL_HANDS)
    return gleich, hanger


@pytest.mark.compiled
def test_gn_3_1_and_3_2_every_hand_is_classed_as_by_the_referee(
    all_classes: tuple[NDArray[np.uint32], NDArray[np.uint32]],
) -> None:
    gleich, hanger = (axis_classes.tolist() for axis_classes in all_classes)
    for number, hand in enumerate(ALL_HANDS.tolist()):
        expected = labels_by_referee(hand)
        found = GLEICH.labels[gleich[number]], HANGER.labels[hanger[number]]
        assert found == expected, GILTEN.cards(hand)


def test_gn_3_1_and_3_2_some_hands_are_classed_as_by_the_referee() -> None:
    """A sample that the interpreter can do with the compiler off."""
    sample = ALL_HANDS[:: len(ALL_HANDS) // 1500]
    gleich, hanger = classes_of(sample)
    for number, hand in enumerate(sample.tolist()):
        found = GLEICH.labels[gleich[number]], HANGER.labels[hanger[number]]
        assert found == labels_by_referee(hand), GILTEN.cards(hand)


@pytest.mark.compiled
def test_gn_3_worked_counts_of_all_hands(
    all_classes: tuple[NDArray[np.uint32], NDArray[np.uint32]],
) -> None:
    gleich, hanger = all_classes
    by_size = [int((gleich == 0).sum())] + [
        int(((gleich > low) & (gleich <= low + 8)).sum()) for low in (0, 8, 16)
    ]
    assert by_size == [57_344, 131_712, 12_096, 224]
    ends = (0, 7, 13, 18, 22)
    by_length = [int((hanger == 0).sum())] + [
        int(((hanger > low) & (hanger <= high)).sum()) for low, high in pairwise(ends)
    ]
    assert by_length == [106_224, 85_968, 8_640, 528, 16]
    assert int(((gleich == 0) & (hanger == 0)).sum()) == 28_560


@pytest.mark.parametrize(
    ("hand", "gleich", "hanger"),
    [
        ("7E 7L 7H 8E 9E", "triplet 7", "3 9"),
        ("AE AL AH KS 7S", "triplet A", "none"),
        ("7E 7L 7H 7S AE", "quartet 7", "none"),
        ("7E AE 9L UL KH", "none", "none"),  # GN-3.2: no turning the corner
        ("AE 7L 9L UL KH", "none", "none"),  # the ace of one suit beside the seven of the next
        ("KE AE 7L 8L 9L", "none", "3 9"),
        ("UE OE KE AE 10E", "none", "5 A"),
        ("7E 7L KE KL AS", "pair K", "none"),  # GN-3.1: the better of two pairs
        ("7E 7L 7H KE KL", "triplet 7", "none"),
    ],
)
def test_gn_3_worked_hands(hand: str, gleich: str, hanger: str) -> None:
    assert classes(hand) == (gleich, hanger)


def test_gn_3_1_and_3_2_classes_rise_as_figures_do() -> None:
    """The order of classes is that of the clauses: size (length) first, then rank (top)."""
    cards = {size: number for number, size in GLEICH_SIZES.items()}
    keys = [
        referee.gleich_key((cards[str(size)], str(rank)) if size in cards else None)
        for size, rank in GLEICH.labels
    ]
    assert keys == sorted(set(keys))
    tops = [
        referee.hanger_key((int(str(length)), str(top)) if length != "none" else None)
        for length, top in HANGER.labels
    ]
    assert tops == sorted(set(tops))
    assert (len(keys), len(tops)) == (25, 23)
