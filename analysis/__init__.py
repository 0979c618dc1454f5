"""From tallies and exact counts to tables, thresholds, charts, reports and the command line."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from analysis.studies import table

__all__ = ["table"]


def __getattr__(name: str) -> Any:
    """Import what is asked for only then: the command line's help must not wait for pandas."""
    if name == "table":
        from analysis.studies import table

        return table
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
