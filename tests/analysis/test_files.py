"""Files are written whole or not at all."""

from __future__ import annotations

import errno
import os
import stat
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NoReturn

import pytest

from analysis import files
from analysis.errors import InputError

posix = pytest.mark.skipif(sys.platform == "win32", reason="needs POSIX files")


def failing(error: BaseException) -> Callable[..., NoReturn]:
    def fail(*_: object) -> NoReturn:
        raise error

    return fail


@pytest.fixture
def full_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    error = OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
    monkeypatch.setattr(os, "fsync", failing(error))


def test_a_new_file_holds_the_bytes_and_stands_alone(tmp_path: Path) -> None:
    content = bytes(range(256)) * 1_000 + b"\r\n"
    files.write(tmp_path / "table.csv", content)
    assert (tmp_path / "table.csv").read_bytes() == content
    assert os.listdir(tmp_path) == ["table.csv"]


def test_a_file_is_replaced(tmp_path: Path) -> None:
    path = tmp_path / "table.csv"
    path.write_bytes(b"a longer text than the new one")
    files.write(path, b"new")
    assert path.read_bytes() == b"new"
    assert os.listdir(tmp_path) == ["table.csv"]


def test_a_file_is_never_seen_half_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Just before the new name is given, the old bytes are there and the new ones are whole."""
    path = tmp_path / "table.csv"
    path.write_bytes(b"old")
    replace, seen = os.replace, []

    def watched(source: str, target: Path) -> None:
        seen.append((Path(source).read_bytes(), target.read_bytes()))
        assert Path(source).parent == target.parent
        replace(source, target)

    monkeypatch.setattr(os, "replace", watched)
    files.write(path, b"new")
    assert seen == [(b"new", b"old")]


@posix
@pytest.mark.parametrize(("mask", "mode"), [(0o022, 0o644), (0o077, 0o600), (0o002, 0o664)])
def test_a_new_file_has_the_usual_permissions(tmp_path: Path, mask: int, mode: int) -> None:
    before = os.umask(mask)
    try:
        files.write(tmp_path / "new", b"")
        assert os.umask(mask) == mask
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "new").stat().st_mode) == mode


@posix
def test_a_replaced_file_keeps_its_permissions(tmp_path: Path) -> None:
    path = tmp_path / "table.csv"
    path.touch(0o600)
    files.write(path, b"new")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


@posix
@pytest.mark.parametrize("there", [True, False], ids=["to a file", "to nothing"])
def test_a_link_is_followed_and_stays(tmp_path: Path, there: bool) -> None:
    (tmp_path / "elsewhere").mkdir()
    target, link = tmp_path / "elsewhere" / "table.csv", tmp_path / "link.csv"
    if there:
        target.write_bytes(b"old")
    link.symlink_to(target)
    files.write(link, b"new")
    assert link.is_symlink()
    assert target.read_bytes() == b"new"


def test_a_folder_is_no_target(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=f"cannot write {tmp_path}: not a regular file"):
        files.write(tmp_path, b"new")
    assert os.listdir(tmp_path) == []


@posix
@pytest.mark.parametrize("device", ["/dev/null", "/dev/full"])
def test_a_device_is_no_target(device: str) -> None:
    before = os.stat(device)
    with pytest.raises(InputError, match=f"cannot write {device}: not a regular file"):
        files.write(Path(device), b"new")
    assert os.stat(device).st_rdev == before.st_rdev


@posix
def test_a_pipe_is_no_target(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(InputError, match="not a regular file"):
        files.write(tmp_path / "pipe", b"new")


@posix
def test_a_link_to_itself_is_no_target(tmp_path: Path) -> None:
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    with pytest.raises(InputError, match=f"cannot write {tmp_path / 'loop'}: "):
        files.write(tmp_path / "loop", b"new")


@pytest.mark.parametrize("name", ["missing/table.csv", "file/table.csv", "n" * 300])
def test_a_path_that_cannot_be_is_named(tmp_path: Path, name: str) -> None:
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(InputError) as caught:
        files.write(tmp_path / name, b"new")
    assert str(caught.value).startswith(f"cannot write {tmp_path / name}: ")
    assert os.listdir(tmp_path) == ["file"]


@pytest.mark.usefixtures("full_disk")
@pytest.mark.parametrize("old", [None, b"old"], ids=["new", "replaced"])
def test_on_a_full_disk_everything_stays_as_it_was(tmp_path: Path, old: bytes | None) -> None:
    path = tmp_path / "table.csv"
    if old is not None:
        path.write_bytes(old)
    with pytest.raises(InputError, match=r"cannot write .*table\.csv: No space left on device"):
        files.write(path, b"new")
    assert os.listdir(tmp_path) == ([] if old is None else ["table.csv"])
    assert old is None or path.read_bytes() == old


def test_an_interrupt_leaves_nothing_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "fsync", failing(KeyboardInterrupt()))
    (tmp_path / "table.csv").write_bytes(b"old")
    with pytest.raises(KeyboardInterrupt):
        files.write(tmp_path / "table.csv", b"new")
    assert os.listdir(tmp_path) == ["table.csv"]
    assert (tmp_path / "table.csv").read_bytes() == b"old"
