"""Every notebook runs, at small size; what is committed holds the outputs of a run at full size."""

import os
import re
from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbclient import NotebookClient

NOTEBOOKS = sorted((Path(__file__).parents[1] / "notebooks").glob("*.ipynb"))
DEALS_LINE = re.compile(r"^DEALS = [\d_]+$", re.MULTILINE)


def read(path: Path) -> Any:
    return nbformat.read(path, as_version=4)  # type: ignore[no-untyped-call]


def code_cells(notebook: Any) -> list[Any]:
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def test_there_are_notebooks() -> None:
    assert NOTEBOOKS


@pytest.mark.compiled
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.filterwarnings("ignore::ResourceWarning")
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_the_notebook_runs(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path))
    notebook = read(path)
    shrunk = 0
    for cell in code_cells(notebook):
        cell.source, found = DEALS_LINE.subn("DEALS = 100_000", cell.source)
        shrunk += found
    assert shrunk == 1
    client = NotebookClient(notebook, timeout=240, resources={"metadata": {"path": str(tmp_path)}})
    client.execute()
    pictures = [
        output
        for cell in code_cells(notebook)
        for output in cell.outputs
        if "image/png" in output.get("data", {})
    ]
    assert len(pictures) >= sum(".chart(" in cell.source for cell in code_cells(notebook))


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_the_committed_outputs_are_of_a_full_run(path: Path) -> None:
    notebook = read(path)
    counts = [cell.execution_count for cell in code_cells(notebook)]
    assert counts == list(range(1, len(counts) + 1))
    assert any(DEALS_LINE.search(cell.source) for cell in code_cells(notebook))
    text = path.read_text()
    assert "--deals 100000000 " in text
    assert '"output_type": "error"' not in text
    assert str(Path.home()) + os.sep not in text
