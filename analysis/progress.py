"""A progress bar on stderr: deals done, rate, time left."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

from sims import blocks


@contextmanager
def bar() -> Iterator[Callable[[str], blocks.Progress]]:
    """A bar while the block lasts.

    Yields a function that begins a named task and returns what `runs.run` calls after each block.
    """
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.completed:,.0f} of {task.total:,.0f} deals"),
        TextColumn("{task.fields[rate]}"),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:

        def begin(name: str) -> blocks.Progress:
            task = progress.add_task(name, total=1, visible=False, rate="")

            def advance(done: int, total: int) -> None:
                elapsed = progress.tasks[-1].elapsed or 0.0
                rate = f"{done / elapsed / 1e6:,.0f} million a second" if elapsed else ""
                progress.update(task, completed=done, total=total, rate=rate, visible=True)
                if done == total:
                    progress.refresh()
                    progress.remove_task(task)

            return advance

        yield begin
