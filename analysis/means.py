"""Means of whole numbers, with intervals, from their exact sums and sums of squares.

The interval is Student's. What is averaged here is bounded and averaged over thousands of units, so
that its mean is normal in all but name; for a few dozen units of a rare and large gain it is not,
and the interval is too narrow.

References
----------
.. [1] Student, "The probable error of a mean", Biometrika 6 (1908), 1-25.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import NamedTuple

from scipy.special import stdtrit


class Estimate(NamedTuple):
    """A number and the interval around it; the ends are NaN where nothing is known of them."""

    value: float
    low: float
    high: float


#: Where there is nothing to estimate.
UNKNOWN = Estimate(math.nan, math.nan, math.nan)


def mean(total: int, squares: int, units: int, level: float = 0.95, scale: int = 1) -> Estimate:
    """The mean of what `units` independent units brought, divided by `scale`.

    Parameters
    ----------
    total, squares : int
        The sum of what the units brought, and of its squares.
    units : int
        1 or more; of one unit there is no interval.
    level : float, probability
    scale : int
        Of how many parts a unit consists: a deal played in two seatings has two.

    Raises
    ------
    ValueError
        No units, or sums that no numbers have.

    Examples
    --------
    >>> mean(3, 5, 4)
    Estimate(value=0.75, low=-0.773..., high=2.273...)
    """
    if units < 1:
        raise ValueError(f"{units} units: at least 1")
    spread = units * squares - total * total
    if spread < 0:
        raise ValueError(f"squares {squares} are too few for a sum of {total} over {units} units")
    value = float(Fraction(total, units * scale))
    if units == 1:
        return Estimate(value, math.nan, math.nan)
    # Exact integers up to here, so that nothing cancels.
    error = math.sqrt(Fraction(spread, units * units * (units - 1))) / scale
    half = float(stdtrit(units - 1, (1 + level) / 2)) * error
    return Estimate(value, value - half, value + half)
