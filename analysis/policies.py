"""Policies from TOML: shipped with the package or written by the user, validated key by key."""

from __future__ import annotations

import difflib
import math
import tomllib
from collections.abc import Mapping
from importlib import import_module
from importlib.resources import files
from pathlib import Path
from typing import Any

import msgspec
from msgspec import inspect

from analysis.errors import InputError
from analysis.settings import one_of

_ENDING = ".toml"


def shipped_policies(game: str) -> tuple[str, ...]:
    """The names of the policies that come with a game."""
    folder = files(f"sims.{game}") / "policies"
    names = (entry.name for entry in folder.iterdir())
    return tuple(sorted(name.removesuffix(_ENDING) for name in names if name.endswith(_ENDING)))


def told_of(game: str, name: str) -> str:
    """What a shipped policy says of itself: the first line of its file, without the mark."""
    first, *_ = _shipped_text(game, name).splitlines()
    return first.removeprefix("# ")


def _shipped_text(game: str, name: str) -> str:
    return (files(f"sims.{game}") / "policies" / (name + _ENDING)).read_text(encoding="utf-8")


def policy_named(game: str, name: str) -> Any:
    """A policy by the name it is shipped under, or out of the user's file.

    Parameters
    ----------
    game : str
    name : str
        A shipped policy, or a path that ends in `.toml`.

    Raises
    ------
    InputError
        No such policy or file, or a key that is unknown, missing, of a wrong type, out of range or
        in contradiction to another: one line that names file, key and what is allowed.
    """
    if name.endswith(_ENDING):
        return policy_from(game, _text_of_file(Path(name)), name)
    one_of(name, shipped_policies(game), f"policy (a user's own is a path ending in {_ENDING})")
    return policy_from(game, _shipped_text(game, name), name + _ENDING)


def _text_of_file(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise InputError(f"policy file {path} is not text in UTF-8") from None
    except OSError as error:
        raise InputError(f"policy file {path}: {error.strerror}") from None


def policy_from(game: str, text: str, source: str) -> Any:
    """A policy out of the text of a TOML file; `source` names it in errors.

    Raises
    ------
    InputError
        As `policy_named`.
    """
    try:
        values = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"{source}: not TOML: {error}") from None
    policy_type = import_module(f"sims.{game}.policies").Policy
    _check(inspect.type_info(policy_type), values, source, "")
    try:
        return msgspec.convert(values, policy_type)
    except msgspec.ValidationError as error:
        raise InputError(f"{source}: {_contradiction(str(error))}") from None


def _contradiction(message: str) -> str:
    """What a policy says against its own values, the table it is in first."""
    said, _, place = message.partition(" - at `$")
    table = place.strip(".`")
    return f"{table}: {said}" if table else said


def _check(kind: inspect.Type, value: Any, source: str, key: str) -> None:
    """Hold a value against its type, field by field."""
    if isinstance(kind, inspect.UnionType):
        kind = _kind_chosen(kind, value, source)
    if isinstance(kind, inspect.StructType):
        _check_table(kind, value, source, key)
    elif not _is_allowed(kind, value):
        raise InputError(f"{source}: {key} {value!r}: allowed are {_allowed(kind)}")


def _kind_chosen(union: inspect.UnionType, value: Any, source: str) -> inspect.StructType:
    """Of several kinds of policy the one that is named."""
    kinds = [kind for kind in union.types if isinstance(kind, inspect.StructType)]
    named = {str(kind.tag): kind for kind in kinds}
    (field,) = {str(kind.tag_field) for kind in kinds}
    if field not in value:
        raise InputError(f"{source}: key {field} is missing: allowed are {', '.join(named)}")
    chosen = value[field]
    if not isinstance(chosen, str) or chosen not in named:
        raise InputError(f"{source}: {field} {chosen!r}: allowed are {', '.join(named)}")
    return named[chosen]


def _check_table(kind: inspect.StructType, value: Any, source: str, key: str) -> None:
    within = f"{key}." if key else ""
    if not isinstance(value, Mapping):
        raise InputError(f"{source}: {key} {value!r}: allowed is a table [{key}]")
    fields = {field.encode_name: field for field in kind.fields}
    allowed = [*([kind.tag_field] if kind.tag_field else []), *fields]
    for name in value:
        if name not in allowed:
            near = difflib.get_close_matches(name, allowed, n=1)
            hint = f"did you mean {near[0]!r}? " if near else ""
            raise InputError(f"{source}: no key {within}{name}: {hint}{_keys(allowed)}")
    for name, field in fields.items():
        if name in value:
            _check(field.type, value[name], source, within + name)
        elif field.required:
            raise InputError(f"{source}: key {within}{name} is missing: {_allowed_of(field.type)}")


def _keys(allowed: list[str]) -> str:
    return f"allowed are {', '.join(allowed)}"


def _allowed_of(kind: inspect.Type) -> str:
    if isinstance(kind, inspect.StructType):
        return "allowed is a table"
    return f"allowed are {_allowed(kind)}"


def _is_allowed(kind: inspect.Type, value: Any) -> bool:
    if isinstance(kind, inspect.BoolType):
        return isinstance(value, bool)
    if isinstance(kind, inspect.LiteralType):
        return isinstance(value, str) and value in kind.values
    if not isinstance(kind, inspect.FloatType | inspect.IntType):
        raise TypeError(f"a field of a policy must be a number, a choice or a switch, not {kind}")
    whole = isinstance(kind, inspect.IntType)
    if isinstance(value, bool) or not isinstance(value, int if whole else int | float):
        return False
    if not math.isfinite(value):
        return False
    least, most = kind.ge, kind.le
    return (least is None or value >= least) and (most is None or value <= most)


def _allowed(kind: inspect.Type) -> str:
    if isinstance(kind, inspect.BoolType):
        return "true, false"
    if isinstance(kind, inspect.LiteralType):
        return ", ".join(map(str, kind.values))
    if isinstance(kind, inspect.IntType):
        return f"whole numbers from {kind.ge} to {kind.le}"
    if isinstance(kind, inspect.FloatType):
        return f"numbers from {kind.ge:g} to {kind.le:g}"
    raise TypeError(f"a field of a policy must be a number, a choice or a switch, not {kind}")
