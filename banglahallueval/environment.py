"""Environment variables, and which of them come from a .env file."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from pathlib import Path

from dotenv import dotenv_values, load_dotenv

from banglahallueval.errors import UsageError

_SHELL = "the environment"
LOGIN = "the Google Cloud login"  # stands for a key where none is in a variable

_files: dict[Path, Mapping[str, str | None]] = {}  # what each .env file says
_loaded: dict[str, str] = {}  # the variables that were set from one


def load_files(files: Iterable[Path]) -> None:
    """Set the variables of these .env files; what is set already stays as it is.

    Raises:
        UsageError: If a file cannot be read.
    """
    _files.clear()
    _loaded.clear()
    for file in files:
        before = set(os.environ)
        try:
            _files[file] = dotenv_values(file, encoding="utf-8-sig")
            load_dotenv(file, encoding="utf-8-sig")
        except (OSError, ValueError) as error:  # PowerShell's `>` writes UTF-16
            raise UsageError(f"cannot read {file}: {error}; save it as UTF-8") from None
        _loaded.update((name, os.environ[name]) for name in set(os.environ) - before)


def places_of(name: str) -> list[str]:
    """List where a variable has the value that is used: the environment, or .env files."""
    value = os.environ.get(name)
    places = [str(file) for file, values in _files.items() if values.get(name) == value]
    is_from_file = name in _loaded and _loaded[name] == value
    return places if is_from_file else [_SHELL, *places]


def _places_of_key(key: str) -> list[str]:
    """List where a key is set; nowhere if it is not. A login of this machine is no file's."""
    if key == LOGIN:
        return [_SHELL]
    return places_of(key) if os.environ.get(key) else []


def refuse_mixed_places(key: str, address: str, flag: str = "") -> None:
    """Refuse to send a key to an address that another place set.

    Else a .env file that happens to lie in a parent folder would redirect the user's own key.

    Args:
        key: The key's variable, or `LOGIN`.
        address: The variable of the address.
        flag: The flag that names an address for any key; empty where there is none.

    Raises:
        UsageError: If both are set, and no one place sets both as they are.
    """
    if not os.environ.get(address):
        return
    of_key, of_address = _places_of_key(key), places_of(address)
    if of_key and not set(of_key) & set(of_address):
        otherwise = f", or name the server by {flag}" if flag else ""
        raise UsageError(
            f"{key} is set in {of_key[0]}, but {address} in {of_address[0]}: set both in one "
            f"place{otherwise}, so that the key goes nowhere unexpected"
        )


def refuse_routes_of_files(key: str) -> None:
    """Refuse to send a key through a proxy, or trust a certificate, that another place's .env sets.

    Args:
        key: The key's variable, or `LOGIN`.

    Raises:
        UsageError: Naming the variable and the file.
    """
    of_key = _places_of_key(key)
    for name in os.environ:
        is_route = name.upper().endswith("_PROXY") and name.upper() != "NO_PROXY"
        if not (is_route or name in ("SSL_CERT_FILE", "SSL_CERT_DIR")) or not os.environ[name]:
            continue
        places = places_of(name)
        if _SHELL not in places and of_key and not set(places) & set(of_key):
            raise UsageError(
                f"{key} is set in {of_key[0]}, but {name} in {places[0]}: set both in one "
                "place, so that the key goes nowhere unexpected"
            )
