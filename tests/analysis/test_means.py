"""Means with intervals, against scipy's t test and against many runs."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from analysis.means import mean


def test_the_interval_is_that_of_the_t_test() -> None:
    values = [3, -1, 0, 7, 2, 2, -5, 4]
    found = mean(sum(values), sum(value * value for value in values), len(values), 0.9)
    expected = stats.ttest_1samp(values, 0).confidence_interval(0.9)
    assert found == pytest.approx((np.mean(values), expected.low, expected.high), rel=1e-12)


def test_sums_beyond_floats_lose_no_digit() -> None:
    """Half of a million are 10**9, half are one more: as floats the squares would cancel."""
    units, few = 10**6, 10**9
    total = units // 2 * (2 * few + 1)
    squares = units // 2 * (few**2 + (few + 1) ** 2)
    value, low, high = mean(total, squares, units)
    assert value == few + 0.5
    half = stats.norm.ppf(0.975) * 0.5 / units**0.5
    assert high - low == pytest.approx(2 * half, rel=1e-3)
    assert float(units) * float(squares) - float(total) ** 2 != units**2 / 4


def test_a_unit_of_two_parts_counts_half() -> None:
    whole, half = mean(10, 60, 4), mean(10, 60, 4, scale=2)
    assert half == pytest.approx([number / 2 for number in whole])


def test_one_unit_has_no_interval() -> None:
    value, low, high = mean(3, 9, 1)
    assert value == 3
    assert math.isnan(low)
    assert math.isnan(high)


@pytest.mark.parametrize(("total", "squares", "units"), [(0, 0, 0), (4, 3, 4)])
def test_what_no_units_bring_is_refused(total: int, squares: int, units: int) -> None:
    with pytest.raises(ValueError, match="units"):
        mean(total, squares, units)


def test_nine_of_ten_intervals_hold() -> None:
    """4000 runs of 400 throws of a die, 90 % intervals; 5 sigma are 2.4 %: a false alarm once in
    1.7 million. Negative control: intervals half as wide hold far too seldom."""
    throws = np.random.default_rng(7).integers(1, 7, (4000, 400))
    found = [mean(int(run.sum()), int((run * run).sum()), 400, 0.9) for run in throws]
    held = np.mean([low <= 3.5 <= high for _, low, high in found])
    narrow = np.mean([abs(value - 3.5) <= (high - low) / 4 for value, low, high in found])
    assert abs(held - 0.9) < 0.024
    assert abs(narrow - 0.9) > 0.024
