"""Intervals and z scores for a count out of a number of deals.

A table that deals n hands and finds k of a class prints k/n, an interval around it and, where
the exact chance is known, how surprising k is. What makes this more than a formula: classes
never dealt, runs of up to 2^62 deals, and counts so far off that their tail is below the
smallest float. So p and q = 1 - p travel together, neither computed from the other, and an
upper end or tail is the lower one of the misses, seen from the other side.

What the intervals promise, with alpha = 1 - level:

* `clopper_pearson` covers the true chance with probability at least `level`, always.
* `wilson` covers with probability near `level` averaged over the chance, but not always: of a
  class expected 0.17 times in the whole run, 16 % of runs give a 95 % interval that is too high.
* `interval` replaces Wilson's upper end of a class never dealt by the exact one-sided bound,
  which is wrong with probability at most alpha.
* `rows` shares alpha out (Bonferroni): all the Clopper-Pearson intervals of a table hold
  together with probability at least level. Wilson's make no such promise: their coverage of rare
  classes does not rise enough with the level.

References
----------
.. [1] E. B. Wilson, "Probable inference, the law of succession, and statistical inference",
   J. Am. Stat. Assoc. 22 (1927), 209-212.
.. [2] C. J. Clopper and E. S. Pearson, "The use of confidence or fiducial limits illustrated in
   the case of the binomial", Biometrika 26 (1934), 404-413.
.. [3] H. O. Lancaster, "Significance tests in discrete distributions", J. Am. Stat. Assoc. 56
   (1961), 223-234: the mid-p value.
.. [4] C. Loader, "Fast and accurate computation of binomial probabilities" (2000).
"""

import math
import operator
from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import betainc, betaincc, gammaln, ndtr, ndtri, ndtri_exp, xlog1py, xlogy

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Pair = tuple[Floats, Floats]

MOST_DEALS = 2**62
# Where log P(X = k) is below this, 34 sigma out, tails are logarithms: floats end at exp(-709).
FAR = -600.0
# Variance of a count above which the normal tail, corrected for skewness, is used.
WIDE = 1e10
# Chances below this are read as this, which keeps every quotient finite.
LEAST_CHANCE = 1e-300


def _counts(counts: ArrayLike, deals: int) -> Ints:
    if not 1 <= deals <= MOST_DEALS:
        raise ValueError(f"deals must be 1 to 2^62, not {deals}")
    k = np.asarray(counts)
    if k.size and k.dtype.kind not in "iu":
        raise ValueError(f"counts must be integers, not {k.dtype}")
    bad = k[(k < 0) | (k > deals)]
    if bad.size:
        raise ValueError(f"a count must be 0 to {deals}, the deals, not {bad[0]}")
    return k.astype(np.int64)


def _alpha(level: float, rows: int = 1) -> float:
    if not 0 < level < 1:
        raise ValueError(f"level must be between 0 and 1, not {level}")
    if rows < 1:
        raise ValueError(f"rows must be 1 or more, not {rows}")
    return (1 - level) / rows


# In what follows X is binomial of k + rest trials of chance p, and excess is k less its mean.


def _log_factorial(m: Floats) -> Floats:
    """log m! less m log m - m, not as a difference, which would cancel for large m [4]_."""
    few, many = np.minimum(m, 16), np.maximum(m, 16)
    s = many**-2
    series = (1 / 12 - s * (1 / 360 - s * (1 / 1260 - s / 1680))) / many
    exact = gammaln(few + 1) - xlogy(few, few) + few
    return np.where(m < 16, exact, np.log(2 * np.pi * many) / 2 + series)


def _deviance(k: Floats, rest: Floats, p: Floats, q: Floats, excess: Floats) -> Floats:
    """Log likelihood ratio of k/(k + rest) to p: half a squared normal deviate, about [4]_."""

    def part(mean: Floats, more: Floats) -> Floats:
        t = np.maximum(more / mean, -1)
        # (1 + t) log(1 + t) - t, whose terms all but cancel for small t.
        s = np.clip(t, -1e-3, 1e-3)
        series = s * s * (1 / 2 - s * (1 / 6 - s * (1 / 12 - s * (1 / 20 - s / 30))))
        return mean * np.where(s == t, series, xlog1py(1 + t, t) - t)

    n = k + rest
    return part(n * p, excess) + part(n * q, -excess)


def _log_chance(k: Floats, rest: Floats, p: Floats, q: Floats, excess: Floats) -> Floats:
    """log P(X = k) [4]_."""
    leading = _log_factorial(k + rest) - _log_factorial(k) - _log_factorial(rest)
    return leading - _deviance(k, rest, p, q, excess)


def _above(k: Floats, rest: Floats, p: Floats, q: Floats, excess: Floats) -> Floats:
    """P(X > k), where it does not underflow."""
    variance = (k + rest) * p * q
    wide = variance > WIDE
    tail = np.empty_like(k)
    # scipy's betainc is NaN near the mean from 2^54 deals on; this only leaves out 1/variance.
    half = excess[wide] + 0.5
    root = np.sqrt(2 * _deviance(k[wide] + 0.5, rest[wide] - 0.5, p[wide], q[wide], half))
    skewness = (q[wide] - p[wide]) / np.sqrt(variance[wide])
    tail[wide] = ndtr(-np.copysign(root, half) - skewness / 6)

    k, rest, p, q = k[~wide], rest[~wide], p[~wide], q[~wide]
    # Whichever of p and q is small is the one known to its last digit.
    b = np.maximum(rest, 1)
    exact = np.where(p < 0.5, betainc(k + 1, b, p), betaincc(b, k + 1, q))
    tail[~wide] = np.where(rest > 0, exact, 0)
    return tail


def _above_quotient(k: Floats, rest: Floats, odds: Floats) -> Floats:
    """P(X > k) / P(X = k) far above the mean: Gauss's continued fraction of 2F1(1, ...).

    At z sigma each pair of terms is m/z^2 of the one before: eight suffice from 34 sigma out.
    """
    tail = np.ones_like(k)
    for m in range(8, 0, -1):
        tail = 1 + m * ((k + rest + m) / (k + 2 * m) * odds / (k + 2 * m + 1)) / tail
        tail = 1 - (rest - m) * ((k + m) / (k + 2 * m) * odds / (k + 2 * m - 1)) / tail
    return rest * (odds / (k + 1)) / tail


def _wilson_low(k: Floats, rest: Floats, alpha: float) -> Pair:
    """Wilson's lower end, and its complement."""
    n, zz = k + rest, float(ndtri(alpha / 2)) ** 2
    root = np.sqrt(zz * (k * (rest / n) + zz / 4))
    # The ends are the roots of a quadratic. The lower one comes from their product, because as a
    # difference it would cancel for small counts.
    return k / n * k / (k + zz / 2 + root), (rest + zz / 2 + root) / (n + zz)


def _clopper_pearson_low(k: Floats, rest: Floats, alpha: float) -> Pair:
    """The p at which k or more has probability alpha/2, and its complement.

    scipy's betaincinv will not do: of 1000 in 1e10 it gives 2.5 times the answer. Newton's
    method on log P(X >= k) against log odds cannot fail, since that curve rises and is concave
    (the beta density is log-concave there): after one step it climbs to the root, unless that
    step overflows, as it might from Wilson's end at a low level.
    """
    low, complement = np.zeros_like(k), np.ones_like(k)
    some = k > 0
    k, rest = k[some], rest[some]
    p, q = _wilson_low(k, rest, min(alpha, 0.05))
    odds = p / q
    for _ in range(12):
        p, q = odds / (1 + odds), 1 / (1 + odds)
        excess = k * q - rest * p
        tail = _above(k - 1, rest + 1, p, q, excess - 1)
        slope = np.exp(_log_chance(k, rest, p, q, excess)) * k * q / tail
        odds *= np.exp((math.log(alpha / 2) - np.log(tail)) / slope)
    low[some], complement[some] = odds / (1 + odds), 1 / (1 + odds)
    return low, complement


METHODS: dict[str, Callable[[Floats, Floats, float], Pair]] = {
    "wilson": _wilson_low,
    "clopper-pearson": _clopper_pearson_low,
}


def _ends(method: str, k: Ints, deals: int, alpha: float) -> Pair:
    hits, misses = k.astype(np.float64), (deals - k).astype(np.float64)
    low, _ = METHODS[method](hits, misses, alpha)
    _, high = METHODS[method](misses, hits, alpha)
    # Rounding may put an end an ulp on the wrong side of the estimate.
    return np.minimum(low, k / deals), np.clip(high, k / deals, 1.0)


def wilson(counts: ArrayLike, deals: int, level: float = 0.95) -> Pair:
    """Wilson's score interval [1]_, pointwise. Arguments, results and errors as `interval`."""
    return _ends("wilson", _counts(counts, deals), deals, _alpha(level))


def clopper_pearson(counts: ArrayLike, deals: int, level: float = 0.95) -> Pair:
    """Exact interval [2]_ with a tail of (1 - level)/2 beyond each end. The rest as `interval`."""
    return _ends("clopper-pearson", _counts(counts, deals), deals, _alpha(level))


def interval(
    counts: ArrayLike, deals: int, level: float = 0.95, method: str = "wilson", rows: int = 1
) -> Pair:
    """The interval that tables print: `method`, but for Wilson's ends at none or all.

    With alpha = (1 - level)/rows: where the count is 0, Wilson's high gives way to
    1 - alpha^(1/deals), the chance at which a run shows nothing with probability alpha; where it
    is deals, low to the mirror image. What this covers is said at the head of the module.

    Parameters
    ----------
    counts : int64 array of any shape, deals
    deals : int, 1 to 2^62
    level : float, probability, strictly between 0 and 1
    method : 'wilson' or 'clopper-pearson'
    rows : int, the number of rows whose intervals shall hold together; 1 for pointwise

    Returns
    -------
    low, high : float64 arrays of the shape of counts, probability;
        0 <= low <= counts/deals <= high <= 1

    Raises
    ------
    ValueError
        A count outside 0..deals or not an integer; deals, level, method or rows not as above.

    Examples
    --------
    >>> low, high = interval([0, 50, 100], 100)
    >>> low.round(3).tolist(), high.round(3).tolist()
    ([0.0, 0.404, 0.97], [0.03, 0.596, 1.0])
    """
    if method not in METHODS:
        raise ValueError(f"method must be {' or '.join(METHODS)}, not {method}")
    k, alpha = _counts(counts, deals), _alpha(level, rows)
    low, high = _ends(method, k, deals, alpha)
    if method == "wilson":
        log_all = math.log(alpha) / deals
        low = np.where(k == deals, math.exp(log_all), low)
        high = np.where(k == 0, -math.expm1(log_all), high)
    return low, high


def _z(hits: Ints, deals: int, p: Floats, q: Floats, excess: Floats) -> Floats:
    """`midp_z` for chances strictly between 0 and 1."""
    # Seen from the side of the mean on which the count lies, the tail beyond it is the small one.
    under, misses = excess < 0, deals - hits
    k, rest = np.where(under, [misses, hits], [hits, misses]).astype(np.float64)
    p, q = np.maximum(np.where(under, [q, p], [p, q]), LEAST_CHANCE)
    excess = np.abs(excess)

    log_tail = _log_chance(k, rest, p, q, excess)
    far = log_tail < FAR
    log_tail[far] += np.log(0.5 + _above_quotient(k[far], rest[far], p[far] / q[far]))
    k, rest, p, q, excess = (x[~far] for x in (k, rest, p, q, excess))
    log_tail[~far] = np.log(_above(k, rest, p, q, excess) + np.exp(log_tail[~far]) / 2)
    z = ndtri_exp(log_tail)
    return np.where(under, z, 0 - z)


def midp_z(counts: ArrayLike, ways: ArrayLike, total: int, deals: int) -> Floats:
    """Signed normal equivalent of the exact binomial mid-p value [3]_ of a count.

    With X binomial of deals trials at chance ways/total, z = Phi^-1(P(X < k) + P(X = k)/2):
    positive where the count is high. Finite however far off the count is, and growing with it;
    good to nine digits up to 1e11 deals.

    Parameters
    ----------
    counts : int64 array, deals
    ways : int64 array, or object array of Python ints, of a shape that broadcasts with counts
    total : int of any size; the chance is ways/total
    deals : int, 1 to 2^62

    Returns
    -------
    z : float64 array of the broadcast shape, standard deviations; NaN where ways is 0 or total,
        for there the count must be none or all, and says nothing

    Raises
    ------
    ValueError
        Counts or deals as in `interval`, total below 1, ways outside 0..total.
    TypeError
        Ways that are not integers.
    ArithmeticError
        A class of no ways was dealt, or a certain one was missed.

    Examples
    --------
    >>> midp_z([60, 0], [1, 0], 2, 100).round(3).tolist()
    [1.995, nan]
    """
    if total < 1:
        raise ValueError(f"total must be 1 or more, not {total}")
    k_all, w_all = np.broadcast_arrays(_counts(counts, deals), np.asarray(ways, dtype=object))
    z = np.full(k_all.size, np.nan)
    at, hits, chances = [], [], []
    for row, (k, way) in enumerate(zip(k_all.ravel().tolist(), w_all.ravel(), strict=True)):
        w = operator.index(way)
        if not 0 <= w <= total:
            raise ValueError(f"ways must be 0 to {total}, the total, not {w}")
        if 0 < w < total:
            at.append(row)
            hits.append(k)
            # Whole numbers up to one rounding each; ways and total may pass 2^63.
            chances.append((w / total, (total - w) / total, (k * total - deals * w) / total))
        elif k != (deals if w else 0):
            raise ArithmeticError(f"{k} of {deals} deals show a class of {w} ways in {total}")
    if at:
        z[at] = _z(np.array(hits), deals, *np.array(chances).T)
    return z.reshape(k_all.shape)
