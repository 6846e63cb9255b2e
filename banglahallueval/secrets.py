"""Keys and passwords, kept out of everything that is shown or written."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from typing import Any
from urllib.parse import unquote

import regex

_SHORTEST = 8  # code points; what is shorter, as in KEY=none, would mask ordinary words
_SECRET_NAME = regex.compile(r"KEY|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIAL", regex.IGNORECASE)
_PASSWORD = regex.compile(r"://[^\s/@:]*:([^\s/@]+)@")

# A password may hold any character, so all up to the last @ is taken for one.
_ADDRESS = regex.compile(r"""https?://(?:[^\s/]*@|[^\s"'<>]*@)?[^\s"'<>]*""", regex.IGNORECASE)
_LOGIN = regex.compile(r"""(?<![\w/@])[^\s"'<>@:/]+:[^\s"'<>/]*@(?=[\w\[])""")
_PARAMETER = regex.compile(
    r"""([?&;#](?:[\w-]*(?:key|token|secret|password|signature)|auth|sig)=)[^\s"'<>&;]+""",
    regex.IGNORECASE,
)
# What programs are given by name: api_key=… among others, "X-Api-Key": "…" in JSON.
_SECRET_ARGUMENT = r"""[\w-]*(?:api[_-]?key|token|secret|password|authorization)"""
_NAMED_SECRET = regex.compile(_SECRET_ARGUMENT, regex.IGNORECASE)
_ARGUMENT = regex.compile(
    rf"""((?:^|[\s,"'{{(])(?:{_SECRET_ARGUMENT}=|{_SECRET_ARGUMENT}["']\s*:\s*["']))"""
    r"""(?!…)[^\s"'<>,;}]+""",  # … stands for a key in our own messages
    regex.IGNORECASE,
)
_BEARER = regex.compile(r"""\b(Bearer\s+)[^\s"'<>,;]{8,}""", regex.IGNORECASE)


def secret_values() -> tuple[str, ...]:
    """List the secrets of the environment: keys, tokens, passwords, also those in addresses."""
    found: set[str] = set()
    for name, value in os.environ.items():
        if _SECRET_NAME.search(name):
            found.add(value.strip().strip("\"'").strip())
        for password in _PASSWORD.findall(value):
            found |= {password, unquote(password)}
    # The longest first, so that no rest of one stays behind a shorter one.
    return tuple(sorted((s for s in found if len(s) >= _SHORTEST), key=len, reverse=True))


def mask_values(text: str, secrets: Iterable[str]) -> str:
    """Put *** in the place of each of these secrets."""
    for secret in secrets:
        if secret:
            text = text.replace(secret, "***")
    return text


def mask_secrets(text: str) -> str:
    """Mask a message or hint: the environment's secrets, bearer tokens and those in addresses.

    Of an address everything before its host and everything after its path is left out.
    """
    text = mask_values(text, secret_values())
    text = _ADDRESS.sub(lambda found: mask_address(found.group()), text)
    text = _LOGIN.sub("***@", text)
    text = _PARAMETER.sub(r"\1***", text)
    text = _BEARER.sub(r"\1***", text)
    return _ARGUMENT.sub(r"\1***", text)


def mask_address(address: str) -> str:
    """Leave out of an address what may be secret: user, password, query and fragment."""
    scheme, separator, rest = address.partition("://")
    if not separator:
        scheme, rest = "", address
    return scheme + separator + regex.split("[?#]", rest.rpartition("@")[2], maxsplit=1)[0]


def without_secrets(value: Any) -> Any:
    """Copy a JSON value with every text in it masked, wholly where its name says that it is one."""
    if isinstance(value, Mapping):
        return {
            key: "***" if _is_secret(key, each) else without_secrets(each)
            for key, each in value.items()
        }
    if isinstance(value, (list, tuple)):
        return [without_secrets(each) for each in value]
    return mask_secrets(value) if isinstance(value, str) else value


def _is_secret(name: object, value: object) -> bool:
    return isinstance(value, str) and bool(_NAMED_SECRET.fullmatch(str(name)))
