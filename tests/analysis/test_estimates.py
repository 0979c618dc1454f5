"""Intervals and z scores against other sources, exact sums, and simulations with a control.

Simulations run on fixed seeds. Each check of one has a band of 5 sigma, so that another seed
would give a false alarm with probability 3e-7 a side.
"""

import math
import subprocess
import sys
from decimal import Decimal, localcontext
from fractions import Fraction
from statistics import NormalDist

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from scipy.special import betainc, log_ndtr
from scipy.stats import binom
from statsmodels.stats.proportion import proportion_confint

from analysis.estimates import (
    MOST_DEALS,
    WIDE,
    Floats,
    Ints,
    Pair,
    clopper_pearson,
    interval,
    midp_z,
    wilson,
)

ALPHA = 0.05
LEVEL = 0.95
METHODS = ["wilson", "clopper-pearson"]


def log_factorial(m: int) -> Decimal:
    if m < 100:
        return Decimal(math.factorial(m)).ln()
    x, tau = Decimal(m), Decimal("6.283185307179586476925286766559005768394")
    terms = [(1, 12), (-1, 360), (1, 1260), (-1, 1680), (1, 1188), (-691, 360360), (1, 156)]
    series = sum(Decimal(a) / b / x ** (2 * i + 1) for i, (a, b) in enumerate(terms))
    return x * x.ln() - x + (tau * x).ln() / 2 + series


def log_upper_tail(k: int, n: int, p: Fraction, own: str = "1") -> float:
    """log(P(X > k) + own P(X = k)) in 45 digits, term by term."""
    with localcontext(prec=45):
        up = Decimal(p.numerator) / p.denominator
        down = Decimal(p.denominator - p.numerator) / p.denominator
        first = log_factorial(n) - log_factorial(k) - log_factorial(n - k)
        first += k * up.ln() + (n - k) * down.ln()
        term, total, odds = Decimal(1), Decimal(own), up / down
        for i in range(k, n):
            term *= odds * (n - i) / (i + 1)
            total += term
            if term < total * Decimal("1e-18"):
                break
        return float(first + total.ln())


def exact_coverage(p: Floats, n: int, ends: Pair) -> Floats:
    """Probability of the counts whose interval holds p, for each p."""
    low, high = ends
    holds = (low <= p[:, None]) & (p[:, None] <= high)
    covered: Floats = (binom.pmf(np.arange(n + 1), n, p[:, None]) * holds).sum(axis=1)
    return covered


def chances_to_try(ends: Pair) -> Floats:
    """A grid, and both sides of every end: coverage jumps there and nowhere else."""
    jumps = np.concatenate(ends)
    p = np.concatenate([jumps * (1 - 1e-12), jumps * (1 + 1e-12), np.linspace(0, 1, 501)])
    return p[(p > 0) & (p < 1)]


def test_module_does_not_load_scipy_stats() -> None:
    check = "import analysis.estimates, sys; sys.exit('scipy.stats' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", check], check=False).returncode == 0


# Intervals: values


@pytest.mark.parametrize("level", [0.5, 0.95, 0.999])
@pytest.mark.parametrize("deals", [1, 2, 10, 97, 1000, 50_000])
def test_intervals_agree_with_statsmodels(deals: int, level: float) -> None:
    counts = np.unique(np.linspace(0, deals, 60).astype(np.int64))
    theirs = proportion_confint(counts, deals, 1 - level, method="wilson")
    assert_allclose(wilson(counts, deals, level), theirs, rtol=1e-10, atol=1e-14)
    theirs = proportion_confint(counts, deals, 1 - level, method="beta")
    assert_allclose(clopper_pearson(counts, deals, level), theirs, rtol=1e-9)


@pytest.mark.parametrize("level", [0.01, 0.125, 0.95, 1 - 1e-9])
@pytest.mark.parametrize("deals", [1, 2, 30, 10**6, 10**10, MOST_DEALS])
def test_clopper_pearson_closed_forms_at_none_one_and_all(deals: int, level: float) -> None:
    low, high = clopper_pearson([0, 1, deals], deals, level)
    half = (1 - level) / 2
    assert low[0] == 0
    assert high[2] == 1
    assert_allclose(high[0], -math.expm1(math.log(half) / deals), rtol=1e-12)
    assert_allclose(low[1], -math.expm1(math.log1p(-half) / deals), rtol=1e-12)
    assert_allclose(low[2], math.exp(math.log(half) / deals), rtol=1e-12)


@pytest.mark.parametrize(
    ("count", "deals"),
    [(3, 10), (1000, 10**10), (20, 10**16), (10**8, 10**9), (12 * 10**9, 10**11)],
)
def test_clopper_pearson_low_leaves_half_alpha_above_it(count: int, deals: int) -> None:
    # scipy's betaincinv, and with it statsmodels, is 2.5 times too high in the second case.
    # The last one has a variance above WIDE.
    assert (count / deals * (deals - count) > WIDE) == (deals == 10**11)
    low, _ = clopper_pearson([count], deals)
    tail = log_upper_tail(count, deals, Fraction(float(low[0])))
    assert_allclose(tail, math.log(ALPHA / 2), atol=1e-9)


def test_interval_is_wilsons_with_a_one_sided_exact_bound_for_none_and_all() -> None:
    low, high = interval([0, 40], 40)
    assert low[0] == 0
    assert high[1] == 1
    assert_allclose((1 - high[0]) ** 40, ALPHA, rtol=1e-12)
    assert_allclose(low[1] ** 40, ALPHA, rtol=1e-12)


def test_interval_of_clopper_pearson_keeps_half_of_alpha_for_none_and_all() -> None:
    ends = interval([0, 40], 40, method="clopper-pearson")
    assert_array_equal(ends, clopper_pearson([0, 40], 40))


def test_interval_between_none_and_all_is_the_method_at_bonferronis_level() -> None:
    counts = np.arange(1, 40)
    for method, plain in (("wilson", wilson), ("clopper-pearson", clopper_pearson)):
        assert_array_equal(interval(counts, 40, method=method), plain(counts, 40))
        together = interval(counts, 40, method=method, rows=7)
        assert_allclose(together, plain(counts, 40, 1 - ALPHA / 7), rtol=1e-12)


@pytest.mark.parametrize("method", METHODS)
@settings(deadline=None)
@given(data=st.data())
def test_low_estimate_and_high_are_in_order_and_mirrored(method: str, data: st.DataObject) -> None:
    deals = data.draw(st.integers(1, 1000) | st.integers(1, MOST_DEALS))
    near = st.integers(0, min(20, deals))
    counts = st.integers(0, deals) | near | near.map(lambda m: deals - m)
    k = np.array(data.draw(st.lists(counts, max_size=4)), dtype=np.int64)
    level = data.draw(st.floats(0.001, 1 - 1e-9))
    rows = data.draw(st.integers(1, 10**6))
    low, high = interval(k, deals, level, method, rows)
    assert ((low >= 0) & (low <= k / deals) & (k / deals <= high) & (high <= 1)).all()
    other_low, other_high = interval(deals - k, deals, level, method, rows)
    assert_allclose([1 - other_high, 1 - other_low], [low, high], rtol=1e-9, atol=1e-15)


def test_results_have_the_shape_of_the_counts() -> None:
    assert interval(3, 10)[0].shape == ()
    assert interval([], 10)[0].shape == (0,)
    assert interval([[1, 2, 3]], 10)[1].shape == (1, 3)
    assert midp_z([], [], 6, 10).shape == (0,)
    assert midp_z([[1], [2]], [1, 2, 3], 6, 10).shape == (2, 3)


# Intervals: what they promise


@pytest.mark.parametrize("deals", [1, 2, 5, 20, 100, 400])
def test_clopper_pearson_covers_every_chance_at_least_at_its_level(deals: int) -> None:
    ends = clopper_pearson(np.arange(deals + 1), deals)
    assert exact_coverage(chances_to_try(ends), deals, ends).min() >= LEVEL - 1e-10


@pytest.mark.parametrize("deals", [20, 100, 1000])
def test_wilson_covers_near_its_level_on_average(deals: int) -> None:
    low, high = wilson(np.arange(deals + 1), deals)
    k = np.arange(deals + 1)
    # Over a uniform chance, in closed form: the integral of a binomial term is a beta tail.
    held = betainc(k + 1, deals - k + 1, high) - betainc(k + 1, deals - k + 1, low)
    assert abs(held.mean() - LEVEL) < 0.005


def test_wilson_dips_to_84_per_cent_for_rare_classes() -> None:
    low, high = wilson(np.arange(401), 400)
    at_the_dip = np.array([low[1] * (1 - 1e-9)])
    assert_allclose(exact_coverage(at_the_dip, 400, (low, high)), 0.838, atol=0.001)


@pytest.mark.parametrize("rows", [1, 20])
@pytest.mark.parametrize("deals", [20, 100, 400])
def test_interval_of_clopper_pearson_misses_at_most_its_share_of_alpha(
    deals: int, rows: int
) -> None:
    ends = interval(np.arange(deals + 1), deals, method="clopper-pearson", rows=rows)
    missed = 1 - exact_coverage(chances_to_try(ends), deals, ends)
    assert missed.max() <= ALPHA / rows * (1 + 1e-9)


@pytest.mark.parametrize("deals", [1, 7, 300])
def test_bound_of_a_class_never_dealt_is_wrong_with_probability_at_most_alpha(deals: int) -> None:
    _, high = interval([0], deals)
    beyond = np.linspace(high[0] * (1 + 1e-12), 1, 200)
    assert ((1 - beyond) ** deals).max() <= ALPHA
    assert (1 - high[0] * 0.99) ** deals > ALPHA


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("p", [0.002, 0.03, 0.5])
def test_simulated_coverage_is_the_exact_one(method: str, p: float) -> None:
    deals, runs = 300, 50_000
    low, high = interval(np.arange(deals + 1), deals, method=method)
    counts = np.random.default_rng(20).binomial(deals, p, runs)
    found = ((low[counts] <= p) & (p <= high[counts])).mean()
    exact = exact_coverage(np.array([p]), deals, (low, high))[0]
    assert abs(found - exact) < 5 * math.sqrt(exact * (1 - exact) / runs)


def family_coverage(counts: Ints, chances: Floats, deals: int, method: str, rows: int) -> float:
    """Share of runs in which the interval of every class holds its chance."""
    low, high = interval(np.arange(counts.max() + 1), deals, method=method, rows=rows)
    return float(((low[counts] <= chances) & (chances <= high[counts])).all(axis=1).mean())


COMMON = np.arange(10, 30) / np.arange(10, 30).sum()
RARE = np.append(np.full(19, 0.07 / 2000), 1 - 19 * 0.07 / 2000)


@pytest.mark.parametrize(
    ("method", "rows", "chances", "held"),
    [
        ("wilson", 20, COMMON, True),
        ("clopper-pearson", 20, COMMON, True),
        ("clopper-pearson", 20, RARE, True),
        # The controls: pointwise intervals, and Wilson's where classes are rare.
        ("wilson", 1, COMMON, False),
        ("clopper-pearson", 1, COMMON, False),
        ("wilson", 20, RARE, False),
    ],
)
def test_simultaneous_intervals_hold_together_at_the_level(
    method: str, rows: int, chances: Floats, held: bool
) -> None:
    deals, runs = 2000, 20_000
    counts = np.random.default_rng(21).multinomial(deals, chances, runs)
    found = family_coverage(counts, chances, deals, method, rows)
    band = 5 * math.sqrt(LEVEL * ALPHA / runs)
    assert found >= LEVEL - band if held else found < LEVEL - band


# z scores


@pytest.mark.parametrize("deals", [1, 2, 9, 40])
def test_midp_z_is_the_normal_quantile_of_the_exact_midp_value(deals: int) -> None:
    for ways, total in ((1, 2), (1, 3), (11, 12), (1, 10**6), (10**9 - 1, 10**9)):
        p, below = Fraction(ways, total), Fraction(0)
        z = midp_z(np.arange(deals + 1), [ways], total, deals)
        for k in range(deals + 1):
            own = math.comb(deals, k) * p**k * (1 - p) ** (deals - k)
            lower = below + own / 2
            below += own
            # Against the smaller tail, and as a logarithm: it passes below the smallest float.
            tail, sign = (lower, 1) if 2 * lower < 1 else (1 - lower, -1)
            log_tail = math.log(tail.numerator) - math.log(tail.denominator)
            assert_allclose(log_ndtr(sign * z[k]), log_tail, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize(
    ("deals", "ways", "total", "sigmas"),
    [
        (10**8, 1, 2, (1, 33, 36, 1000)),
        (10**8, 1, 3, (0.1, 5, 34, 200)),
        (10**8, 1, 10**6, (0.1, 5, 60, 1e5)),
        (10**10, 1, 3, (2, 35, 1000)),
        (10**10, 1, 10**12, (0, 9, 20, 200, 1e6)),
        (10**11, 1, 5, (20, 36)),
    ],
)
def test_midp_z_in_long_runs_and_far_tails_agrees_with_sums_in_45_digits(
    deals: int, ways: int, total: int, sigmas: tuple[float, ...]
) -> None:
    p = ways / total
    deviation = math.sqrt(deals * p * (1 - p))
    for k in (math.ceil(deals * p + s * deviation) for s in sigmas):
        z = float(midp_z([k], [ways], total, deals)[0])
        log_tail = log_upper_tail(k, deals, Fraction(ways, total), own="0.5")
        # d log tail / dz is about z: this holds z to 1e-10 of itself.
        assert_allclose(log_ndtr(-z), log_tail, rtol=1e-10, atol=1e-10)
        if log_tail > -700:
            assert_allclose(-z, NormalDist().inv_cdf(math.exp(log_tail)), rtol=1e-10, atol=1e-10)
        assert_allclose(midp_z([deals - k], [total - ways], total, deals), -z, rtol=1e-10)


def test_midp_z_agrees_with_scipy_in_a_run_of_1e8() -> None:
    deals = 10**8
    k = 25_000_000 + np.arange(-12_000, 12_001, 997)
    lower = binom.cdf(k - 1, deals, 0.25) + binom.pmf(k, deals, 0.25) / 2
    want = [NormalDist().inv_cdf(x) for x in lower]
    assert_allclose(midp_z(k, [1], 4, deals), want, rtol=1e-7, atol=1e-9)


@pytest.mark.parametrize(
    ("deals", "ways", "total"), [(10**3, 1, 7), (10**10, 1, 2), (10**11, 1, 3), (10**13, 1, 10**12)]
)
def test_midp_z_grows_with_the_count_across_every_change_of_method(
    deals: int, ways: int, total: int
) -> None:
    p = ways / total
    deviation = math.sqrt(deals * p * (1 - p))
    for s in (-1000, -36, -35, -34, -33, -1, 0, 33, 34, 35, 36, 1000):
        k = int(deals * p + s * deviation) + np.arange(1000)
        k = k[(k >= 0) & (k <= deals)]
        z = midp_z(k, [ways], total, deals)
        assert np.isfinite(z).all()
        assert (np.diff(z) > 0).all()


@pytest.mark.parametrize("deals", [1, 10**9, MOST_DEALS])
@pytest.mark.parametrize("total", [2, 10**24, 10**400])
def test_midp_z_is_finite_at_every_extreme(deals: int, total: int) -> None:
    counts = np.unique([0, 1, deals // 2, deals - 1, deals])
    for ways in (1, total // 2, total - 1):
        z = midp_z(counts, [ways], total, deals)
        assert np.isfinite(z).all()
        assert (np.diff(z) >= 0).all()


def test_midp_z_reads_ways_beyond_64_bits_exactly() -> None:
    big = 10**30
    counts, ways = np.array([30, 70, 55]), np.array([1, 2, 3], dtype=np.int64)
    beyond = np.array([w * big for w in ways.tolist()], dtype=object)
    assert_array_equal(midp_z(counts, beyond, 6 * big, 120), midp_z(counts, ways, 6, 120))


def test_midp_z_of_a_count_at_its_mean_in_a_symmetric_run_is_plain_zero() -> None:
    z = midp_z([50], [1], 2, 100)
    assert_allclose(z, 0, atol=1e-15)
    assert not np.signbit(midp_z([2**61], [1], 2, 2**62))[0]


def test_midp_z_is_empty_where_the_chance_is_none_or_certain() -> None:
    assert np.isnan(midp_z([0, 10], [0, 6], 6, 10)).all()


@pytest.mark.parametrize(("count", "ways"), [(1, 0), (10, 0), (9, 6), (0, 6)])
def test_dealing_an_impossible_class_or_missing_a_certain_one_is_an_error(
    count: int, ways: int
) -> None:
    with pytest.raises(ArithmeticError, match=f"{count} of 10 deals show a class of {ways} ways"):
        midp_z([3, count], [2, ways], 6, 10)


def test_midp_z_of_binomial_counts_is_standard_normal_and_a_wrong_chance_is_caught() -> None:
    deals, runs = 5000, 20_000
    counts = np.random.default_rng(22).binomial(deals, 0.3, runs)

    def departs(ways: int) -> list[bool]:
        # What the grain of the counts takes off the variance, 1/12 of 1/1050, is inside the band.
        z = midp_z(counts, [ways], 10_000, deals)
        beyond, tail = (np.abs(z) > 1.96).mean(), 2 * NormalDist().cdf(-1.96)
        return [
            abs(z.mean()) > 5 / math.sqrt(runs),
            abs(z.var() - 1) > 5 * math.sqrt(2 / runs),
            abs(beyond - tail) > 5 * math.sqrt(tail * (1 - tail) / runs),
        ]

    assert departs(3000) == [False, False, False]
    assert departs(3005)[0]
    assert departs(2995)[0]


# Errors


@pytest.mark.parametrize(
    ("counts", "deals", "said"),
    [
        ([0], 0, "deals must be 1 to 2\\^62, not 0"),
        ([0], -5, "not -5"),
        ([0], MOST_DEALS + 1, "deals must be"),
        ([3, -1], 10, "a count must be 0 to 10, the deals, not -1"),
        ([3, 11], 10, "not 11"),
        ([0.5], 10, "counts must be integers, not float64"),
        ([True], 10, "counts must be integers, not bool"),
    ],
)
def test_wrong_counts_or_deals_are_named(counts: list[int], deals: int, said: str) -> None:
    for function in (wilson, clopper_pearson, interval):
        with pytest.raises(ValueError, match=said):
            function(counts, deals)
    with pytest.raises(ValueError, match=said):
        midp_z(counts, [1] * len(counts), 6, deals)


@pytest.mark.parametrize("level", [0.0, 1.0, -0.5, 95.0, math.nan])
def test_a_level_outside_0_to_1_is_refused(level: float) -> None:
    for function in (wilson, clopper_pearson, interval):
        with pytest.raises(ValueError, match="level must be between 0 and 1, not"):
            function([1], 10, level)


def test_other_methods_rows_totals_and_ways_are_refused() -> None:
    with pytest.raises(ValueError, match="method must be wilson or clopper-pearson, not wald"):
        interval([1], 10, method="wald")
    with pytest.raises(ValueError, match="rows must be 1 or more, not 0"):
        interval([1], 10, rows=0)
    with pytest.raises(ValueError, match="total must be 1 or more, not 0"):
        midp_z([1], [1], 0, 10)
    for ways in (-1, 7):
        with pytest.raises(ValueError, match=f"ways must be 0 to 6, the total, not {ways}"):
            midp_z([1], [ways], 6, 10)
    with pytest.raises(TypeError, match="float"):
        midp_z([1], [0.5], 6, 10)
