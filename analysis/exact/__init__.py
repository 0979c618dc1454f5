"""Exact distributions by counting, in integers only: one module a game, and their machinery."""
