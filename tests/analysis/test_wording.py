"""Chances and counts in print say what they mean: read back, they are what they were."""

from __future__ import annotations

import re
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.wording import added_up, counted, interval, one_in, percent, signed

#: From a little below one in 6e23, the number of Gleek's deals, upwards.
chances = st.floats(1e-24, 1.0) | st.integers(0, 79).map(lambda power: 2.0**-power)


def decimals_of(text: str) -> int:
    return len(text.partition(".")[2])


@pytest.mark.parametrize(
    ("chance", "text"),
    [
        (0.0, "0 %"),
        (1.0, "100.0000 %"),
        (0.5, "50.0000 %"),
        (57_344 / 201_376, "28.4761 %"),  # no Gleich
        (28 / 201_376, "0.01390 %"),  # four aces
        (4 / 201_376, "0.001986 %"),  # five in a row up to the ace
        (0.000999996, "0.1000 %"),  # no fifth digit where the first is rounded up
    ],
)
def test_percent_of_known_chances(chance: float, text: str) -> None:
    assert percent(chance) == text


@given(chances)
def test_percent_reads_back(chance: float) -> None:
    text = percent(chance)
    digits = text.removesuffix(" %")
    assert re.fullmatch(r"\d+\.\d+", digits)
    assert decimals_of(digits) >= 4
    half = Fraction(1, 2 * 10 ** decimals_of(digits))
    assert abs(Fraction(digits) - 100 * Fraction(chance)) <= half * (1 + Fraction(1, 10**9))
    # Four digits that say something: within half of the fourth.
    assert float(digits) == pytest.approx(100 * chance, rel=0.5e-3)


@pytest.mark.parametrize(
    ("chance", "text"),
    [
        (0, ""),
        (1, ""),
        (0.6, ""),
        (0.5, "1 in 2.0"),
        (224 / 201_376, "1 in 899"),  # any quartet: exactly 899
        (Fraction(224, 201_376), "1 in 899"),
        (Fraction(1, 99), "1 in 99.0"),
        (1 / 99.97, "1 in 100"),
        (Fraction(1, 100), "1 in 100"),
        (28 / 201_376, "1 in 7,192"),
        (Fraction(1, 3 * 10**7), "1 in 30,000,000"),
    ],
)
def test_one_in_of_known_chances(chance: float | Fraction, text: str) -> None:
    assert one_in(chance) == text


@given(chances)
def test_one_in_reads_back(chance: float) -> None:
    text = one_in(chance)
    assert (text == "") == (chance > 0.5)
    if text:
        number = text.removeprefix("1 in ")
        half = Fraction(1, 2 * 10 ** decimals_of(number))
        read = Fraction(number.replace(",", ""))
        assert abs(read - 1 / Fraction(chance)) <= half + 1 / Fraction(chance) / 10**12
        # One decimal below a hundred, none from there on: never `1 in 100.0`.
        assert ("." in number) == (read < 100)


@given(chances, chances)
def test_rarer_is_never_said_to_be_more_often(one: float, other: float) -> None:
    rare, often = (one_in(chance).removeprefix("1 in ") for chance in sorted((one, other)))
    if often:
        assert Fraction(rare.replace(",", "")) >= Fraction(often.replace(",", ""))


@pytest.mark.parametrize(
    ("percentages", "total"),
    [
        (["28.4761 %", "71.5239 %"], "100.0000 %"),
        (["33.3333 %"] * 3, "99.9999 %"),
        (["99.9861 %", "0.01390 %"], "100.0000 %"),
        (["99.9998 %", "0.00007168 %", "0 %"], "99.9999 %"),
    ],
)
def test_printed_percentages_add_up_as_a_reader_adds_them(
    percentages: list[str], total: str
) -> None:
    assert added_up(percentages) == total


@pytest.mark.parametrize(
    ("score", "text"), [(1.005, "+1.00"), (-2.5, "−2.50"), (0.0, "+0.00"), (float("nan"), "")]
)
def test_scores_have_a_sign_and_print_a_minus_sign(score: float, text: str) -> None:
    assert signed(score) == text


@given(st.integers(0, 10**24))
def test_counted_marks_thousands(number: int) -> None:
    text = counted(number)
    assert re.fullmatch(r"\d{1,3}(,\d{3})*", text)
    assert int(text.replace(",", "")) == number


@pytest.mark.parametrize(
    ("low", "high", "text"),
    [
        (0.284, 0.2857, "28.40–28.57 %"),
        (0.0, 0.95, "0.0–95.0 %"),
        (0.000106, 0.000150, "0.0106–0.0150 %"),
        (1.0, 1.0, "100.0000–100.0000 %"),
    ],
)
def test_known_intervals(low: float, high: float, text: str) -> None:
    assert interval(low, high) == text


@given(st.floats(0, 1), st.floats(1e-12, 1))
def test_interval_shows_both_ends_to_a_tenth_of_its_width(low: float, width: float) -> None:
    high = min(1.0, low + width)
    printed = interval(low, high).removesuffix(" %").split("–")
    for text, end in zip(printed, (low, high), strict=True):
        half = 0.5 * 10.0 ** -decimals_of(text)
        assert float(text) == pytest.approx(100 * end, abs=half + 1e-12)
        assert 2 * half <= 10 * (high - low) * (1 + 1e-9) or high == low
    assert float(printed[0]) <= float(printed[1])
