"""Chances and counts as print wants them."""

from __future__ import annotations

import math
from collections.abc import Iterable
from decimal import Decimal
from fractions import Fraction


def percent(chance: float) -> str:
    """A probability in per cent: four decimals, and below 0.1 % four digits that say something.

    Examples
    --------
    >>> percent(0.654060), percent(0.000139043), percent(0.0)
    ('65.4060 %', '0.01390 %', '0 %')
    """
    if chance == 0:
        return "0 %"
    hundredths = 100 * chance
    # The place of the first digit once it is rounded: 0.099999 has that of 0.1.
    place = int(f"{hundredths:.3e}".partition("e")[2])
    return f"{hundredths:.{max(4, 3 - place)}f} %"


def added_up(percentages: Iterable[str]) -> str:
    """What percentages as printed add up to, to the four decimals that most of them have.

    Examples
    --------
    >>> added_up(["33.3333 %", "66.6666 %"]), added_up(["99.9861 %", "0.01390 %"])
    ('99.9999 %', '100.0000 %')
    """
    total = sum((Decimal(text.removesuffix(" %")) for text in percentages), Decimal(0))
    return f"{total:.4f} %"


def signed(score: float) -> str:
    """A number of standard deviations with its sign, a minus sign as print has it; empty for NaN.

    Examples
    --------
    >>> signed(1.5), signed(-0.333), signed(math.nan)
    ('+1.50', '−0.33', '')
    """
    return "" if math.isnan(score) else f"{score:+.2f}".replace("-", "−")


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


def how_often(chance: float) -> str:
    """A chance within a sentence.

    Examples
    --------
    >>> how_often(0.65406), how_often(0.0145688), how_often(0.00013904), how_often(0.0)
    ('65.4 % of the time', 'once in 69', 'once in 7,192', 'never')
    """
    if chance == 0:
        return "never"
    if chance >= 0.1:
        return f"{100 * chance:.1f} % of the time"
    return f"once in {one_in(chance).removeprefix('1 in ')}"


def counted(number: int) -> str:
    """A whole number with thousands marked: `100,000,000`."""
    return f"{number:,}"


def interval(low: float, high: float) -> str:
    """The ends of an interval in per cent, with as many decimals as its width makes sense of."""
    width = 100 * (high - low)
    decimals = 4 if width == 0 else max(1, 1 - math.floor(math.log10(width)))
    return f"{100 * low:.{decimals}f}–{100 * high:.{decimals}f} %"


def amount(value: float, low: float, high: float, signed: bool = False) -> str:
    """An amount and how far chance goes, to two digits of that; an interval lies around it evenly.

    Examples
    --------
    >>> amount(1.23456, 1.23036, 1.23876), amount(-0.5, -0.625, -0.375, signed=True)
    ('1.2346 ± 0.0042', '−0.50 ± 0.13')
    >>> amount(2.0, 2.0, 2.0), amount(1.5, math.nan, math.nan)
    ('2', '1.5')
    """
    sign = "+" if signed else ""
    half = (high - low) / 2
    if math.isnan(half) or half == 0:
        return f"{value:{sign}.6g}".replace("-", "−")
    decimals = max(0, 1 - math.floor(math.log10(half)))
    return f"{value:{sign}.{decimals}f} ± {half:.{decimals}f}".replace("-", "−")


def share(value: float, low: float, high: float) -> str:
    """A share in per cent and its interval, with as many decimals as that makes sense of.

    Examples
    --------
    >>> share(0.5496, 0.5491, 0.5501), share(0.25, math.nan, math.nan)
    ('54.96 % (54.91–55.01)', '25.00 %')
    """
    if math.isnan(low):
        return f"{100 * value:.2f} %"
    ends = interval(low, high).removesuffix(" %")
    decimals = len(ends.partition("–")[0].partition(".")[2])
    return f"{100 * value:.{decimals}f} % ({ends})"
