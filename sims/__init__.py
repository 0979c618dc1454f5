"""Deals and plays old vying games: numba kernels and the frozen objects that parametrise them.

The data's way through this package: `cards` names the cards, `streams` makes the random words,
`dealing` turns words into hands, each game's folder judges them, `runs` cuts a study into blocks
and adds the tallies up. Nothing here knows of pandas, files or pictures.
"""

__version__ = "0.1.0"
