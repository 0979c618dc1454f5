"""Referees for the three games: plain Python, written from the rule clauses alone.

A referee takes cards as a player would name them and says what they are worth. It is meant to
be read next to the rules, not to be fast: it uses the standard library only, and it shares no
code, table or encoding with the kernels that it is there to check. Where a kernel and a referee
disagree, one of them has misread a clause, and the clause number in the docstring says which.
"""
