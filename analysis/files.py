"""Files written whole or not at all."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from analysis.errors import InputError


def check_target(path: Path) -> Path:
    """The file that a path leads to, where one can be written; before any work is done for it.

    Raises
    ------
    InputError
        It is no regular file, or it has no folder.
    """
    try:
        target = path.resolve()
        if target.exists() and not target.is_file():
            raise InputError(f"cannot write {path}: not a regular file")
        target.parent.stat()
        if not target.parent.is_dir():
            raise InputError(f"cannot write {path}: Not a directory")
    except RuntimeError:
        raise InputError(f"cannot write {path}: a loop of links") from None
    except OSError as error:
        raise InputError(f"cannot write {path}: {error.strerror}") from None
    return target


def check_folder(path: Path) -> None:
    """Whether a folder is there or can be made; before any work is done for it.

    Raises
    ------
    InputError
        What stands there, or above it, is no folder.
    """
    try:
        nearest = next(place for place in (path, *path.absolute().parents) if place.exists())
        if not nearest.is_dir():
            raise InputError(f"cannot write {path}: {nearest} is no folder")
    except OSError as error:
        raise InputError(f"cannot write {path}: {error.strerror}") from None


def write(path: Path, content: bytes) -> None:
    """Write a file under a temporary name and rename it into place.

    Raises
    ------
    InputError
        The target is no regular file, or the file cannot be written; what was there stays.
    """
    target = check_target(path)
    try:
        handle, temporary = tempfile.mkstemp(prefix=".", suffix=".tmp", dir=target.parent)
    except OSError as error:
        raise InputError(f"cannot write {path}: {error.strerror}") from None
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(content)
            stream.flush()
            os.fsync(stream.fileno())
        os.chmod(temporary, _mode_of(target))
        os.replace(temporary, target)
    except OSError as error:
        raise InputError(f"cannot write {path}: {error.strerror}") from None
    finally:
        Path(temporary).unlink(missing_ok=True)


def _mode_of(target: Path) -> int:
    """The permissions of the file to be replaced, or those a new file would get."""
    if target.exists():
        return target.stat().st_mode & 0o777
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask
