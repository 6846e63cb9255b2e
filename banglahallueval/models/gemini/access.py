"""Which of Google's two APIs is asked, where, and with which key or login."""

from __future__ import annotations

import os
from dataclasses import dataclass

import regex

from banglahallueval.environment import (
    LOGIN,
    places_of,
    refuse_mixed_places,
    refuse_routes_of_files,
)
from banglahallueval.errors import UsageError
from banglahallueval.models.endpoint import clean_key, clean_url, has_password, is_loopback
from banglahallueval.models.options import GEMINI_URL
from banglahallueval.secrets import mask_address

KEYS = ("GOOGLE_API_KEY", "GEMINI_API_KEY")  # the first that is set counts
_SWITCH = "GOOGLE_GENAI_USE_VERTEXAI"
_PROJECT, _LOCATION = "GOOGLE_CLOUD_PROJECT", "GOOGLE_CLOUD_LOCATION"
_CREDENTIALS = "GOOGLE_APPLICATION_CREDENTIALS"
_SUFFIXES = ("/v1beta1", "/v1beta", "/v1")

# Locations that span regions have hosts of their own.
_HOSTS = {
    "global": "aiplatform.googleapis.com",
    "us": "aiplatform.us.rep.googleapis.com",
    "eu": "aiplatform.eu.rep.googleapis.com",
}
# A location becomes part of the host that gets the login's token, so no other text will do.
_LOCATION_NAME = regex.compile(r"[a-z][a-z0-9-]*")
_PROJECT_NAME = regex.compile(r"[a-z0-9][a-z0-9.:-]*")


@dataclass(frozen=True, slots=True)
class Access:
    """An API and what opens it.

    Attributes:
        url: Its address, without the version.
        url_from: Where the address is set.
        key: The key of the Developer API; empty where there is none, and for Vertex AI.
        key_from: Where the key is set, or which login is used.
        project, location: Those of Google Cloud; empty for the Developer API.
    """

    url: str
    url_from: str
    key: str = ""
    key_from: str = "no key"
    project: str = ""
    location: str = ""

    @property
    def is_vertex(self) -> bool:
        """Whether this is Vertex AI."""
        return bool(self.project)

    def __str__(self) -> str:
        """Name the server and where the settings come from, without any secret."""
        place = f" as project {self.project} in {self.location}" if self.is_vertex else ""
        return f"{mask_address(self.url)}{place} ({self.url_from}), {self.key_from}"


def find_access() -> Access:
    """Settle by the environment which API is asked, where, and with which key or login.

    Raises:
        UsageError: If the environment contradicts itself, or lacks what Vertex AI needs.
    """
    access = _vertex() if _uses_vertex() else _developer_api()
    if has_password(access.url):
        raise UsageError(
            f"{access.url_from}: leave out what stands before the @; a key goes into .env"
        )
    return access


def _uses_vertex() -> bool:
    """Read the switch as google-genai does, but refuse what it would silently take for no."""
    value = os.environ.get(_SWITCH, "").strip().lower()
    if value not in ("", "true", "1", "false", "0"):
        raise UsageError(f"{_SWITCH} is {value!r} in {places_of(_SWITCH)[0]}: say true or false")
    return value in ("true", "1")


def _developer_api() -> Access:
    keys = [name for name in KEYS if os.environ.get(name)]
    name = keys[0] if keys else KEYS[0]
    url, url_from = _address("GOOGLE_GEMINI_BASE_URL", GEMINI_URL, "default", name)
    key = clean_key(os.environ.get(name), name)
    if not key:
        return Access(url, url_from)
    key_from = f"key from {name} in {places_of(name)[0]}"
    if len(keys) > 1 and clean_key(os.environ[keys[1]], keys[1]) != key:
        key_from += f", not from {keys[1]}"
    return Access(url, url_from, key, key_from)


def _vertex() -> Access:
    for name in KEYS:
        if os.environ.get(name):
            raise UsageError(
                f"{_SWITCH} chooses Vertex AI, which takes no key, but {name} is set in "
                f"{places_of(name)[0]}: unset {name} to use Vertex AI, or {_SWITCH} to use the key"
            )
    missing = [name for name in (_PROJECT, _LOCATION) if not os.environ.get(name, "").strip()]
    if missing:
        raise UsageError(
            f"{_SWITCH} chooses Vertex AI: set {' and '.join(missing)} too, as in "
            f"{_PROJECT}=my-project {_LOCATION}=us-central1"
        )
    project = _named(_PROJECT, _PROJECT_NAME, "a project's ID")
    location = _named(_LOCATION, _LOCATION_NAME, "a location such as us-central1")
    login = _CREDENTIALS if os.environ.get(_CREDENTIALS) else LOGIN
    host = _HOSTS.get(location, f"{location}-aiplatform.googleapis.com")
    url, url_from = _address(
        "GOOGLE_VERTEX_BASE_URL",
        f"https://{host}",
        f"{_LOCATION} in {places_of(_LOCATION)[0]}",
        login,
    )
    of_file = f"login from {_CREDENTIALS} in {places_of(_CREDENTIALS)[0]}"
    return Access(
        url,
        url_from,
        key_from="login of this machine" if login == LOGIN else of_file,
        project=project,
        location=location,
    )


def _address(variable: str, default: str, default_from: str, key: str) -> tuple[str, str]:
    """Settle an address and where it is set."""
    url, url_from = default, default_from
    given = os.environ.get(variable)
    if given:
        refuse_mixed_places(key, variable)
        url_from = f"{variable} in {places_of(variable)[0]}"
        url = clean_url(given, url_from, *_SUFFIXES)
    if not is_loopback(url):
        refuse_routes_of_files(key)
    return url, url_from


def _named(variable: str, form: regex.Pattern[str], what: str) -> str:
    value = os.environ[variable].strip()
    if not form.fullmatch(value):
        raise UsageError(f"{variable} in {places_of(variable)[0]}: {value!r} is not {what}")
    return value
