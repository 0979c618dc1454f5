"""Chances and counts as print wants them."""

from __future__ import annotations

import math
from fractions import Fraction


def percent(chance: float) -> str:
    """A probability in per cent: four decimals, and at least four digits that say something.

    Examples
    --------
    >>> percent(0.654060), percent(0.000139043), percent(0.0)
    ('65.4060 %', '0.01390 %', '0 %')
    """
    if chance == 0:
        return "0 %"
    hundredths = 100 * chance
    decimals = max(4, 3 - math.floor(math.log10(hundredths)))
    return f"{hundredths:.{decimals}f} %"


def one_in(chance: float | Fraction) -> str:
    """How many deals it takes on average: `1 in 15.3`; empty for none and for nearly all.

    Examples
    --------
    >>> one_in(0.0654), one_in(1 / 898.99), one_in(1 / 12586), one_in(0.8), one_in(0)
    ('1 in 15.3', '1 in 899', '1 in 12,586', '', '')
    """
    if chance <= 0 or chance > 0.5:
        return ""
    deals = float(1 / chance)
    return f"1 in {deals:.1f}" if deals < 99.95 else f"1 in {deals:,.0f}"


def counted(number: int) -> str:
    """A whole number with thousands marked: `100,000,000`."""
    return f"{number:,}"


def interval(low: float, high: float) -> str:
    """The ends of an interval in per cent, with as many decimals as its width makes sense of."""
    width = 100 * (high - low)
    decimals = 4 if width == 0 else max(1, 1 - math.floor(math.log10(width)))
    return f"{100 * low:.{decimals}f}–{100 * high:.{decimals}f} %"
