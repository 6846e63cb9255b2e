"""Which server a provider asks and with which key; both as they can be used."""

from __future__ import annotations

import os
from dataclasses import dataclass
from urllib.parse import urlsplit

from banglahallueval.environment import (
    places_of,
    refuse_mixed_places,
    refuse_routes_of_files,
)
from banglahallueval.errors import UsageError
from banglahallueval.secrets import mask_address


@dataclass(frozen=True, slots=True)
class Variables:
    """How a provider's server is named.

    Attributes:
        flag: The flag for its address.
        address: The environment variable for its address.
        key: The environment variable for its key.
        default: The address where none is given.
        suffixes: Ends of an address's path that are cut off, since users paste them along.
    """

    flag: str
    address: str
    key: str
    default: str
    suffixes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Endpoint:
    """A server and the key it gets.

    Attributes:
        url: Its address.
        key: The key; empty where there is none.
        url_from: Where the address is set.
        key_from: Where the key is set.
    """

    url: str
    key: str
    url_from: str
    key_from: str

    def __str__(self) -> str:
        """Name the server and where both settings come from, without any secret."""
        key = f"key from {self.key_from}" if self.key else "no key"
        return f"{mask_address(self.url)} ({self.url_from}), {key}"


def find_endpoint(given: str | None, names: Variables) -> Endpoint:
    """Settle which server is asked, with which key.

    Args:
        given: The address on the command line; it goes with any key.
        names: The provider's flag, variables and default address.

    Raises:
        UsageError: If key or address cannot be used, or do not come from the same place.
    """
    variable = os.environ.get(names.address)
    if given:
        url, url_from = given, names.flag
    elif variable:
        refuse_mixed_places(names.key, names.address, names.flag)
        url, url_from = variable, f"{names.address} in {places_of(names.address)[0]}"
    else:
        url, url_from = names.default, "default"
    url = clean_url(url, url_from, *names.suffixes)
    key = clean_key(os.environ.get(names.key), names.key)
    if not is_loopback(url):
        refuse_routes_of_files(names.key)
    return Endpoint(url, key, url_from, f"{names.key} in {places_of(names.key)[0]}")


def clean_key(key: str | None, variable: str) -> str:
    """Strip a key of the blanks and quotes that copying leaves around it.

    Args:
        key: The key as the user gave it; None where there is none.
        variable: The environment variable it comes from, for the message.

    Returns:
        The key, empty where there is none.

    Raises:
        UsageError: If an HTTP header cannot carry it.
    """
    key = (key or "").strip().strip("\"'").strip()
    if not (key.isascii() and key.isprintable()) or " " in key:
        raise UsageError(
            f"{variable} holds a character that no key has (a blank, a line break, or a letter"
            " that is not ASCII): copy the key again into .env"
        )
    return key


def clean_url(url: str, where: str, *suffixes: str) -> str:
    """Give an address a scheme, and cut off a trailing slash and the given path suffixes.

    Args:
        url: The address as the user gave it.
        where: The flag or variable it comes from, for the message.
        suffixes: Ends of its path to cut off.

    Raises:
        UsageError: If it names no host.
    """
    clean = url.strip().rstrip("/")
    if "://" not in clean and "@" not in clean:  # a password is known as one only after a scheme
        clean = f"http://{clean}"
    for suffix in suffixes:
        clean = clean.removesuffix(suffix).rstrip("/")
    try:
        parts = urlsplit(clean)
        host = parts.hostname or ""
        if host.isascii():
            host.encode("idna")
        known = parts.scheme in {"http", "https"} and bool(host) and parts.port != 0
        known = known and clean.isprintable() and not (parts.query or parts.fragment)
    except ValueError:  # a port that is no number, a broken IPv6 address, an empty part of a name
        known = False
    if not known:
        shown = mask_address(url)
        left_out = " and what is left out here" if shown != url else ""
        raise UsageError(f"{where}: {shown!r}{left_out} is not an address such as http://host:8000")
    return clean


def has_password(url: str) -> bool:
    """Whether the address carries a name or password, for which no other key leaves room."""
    return "@" in urlsplit(url).netloc


def is_loopback(url: str) -> bool:
    """Whether the address is this machine, where a proxy of the environment has no business."""
    host = urlsplit(url).hostname or ""
    return host in {"localhost", "::1"} or host.startswith("127.")
