"""One file over HTTP: resumed where it broke off, checked, and whole or absent."""

from __future__ import annotations

import base64
import errno
import hashlib
import json
import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import IO

import regex
import requests

from banglahallueval import __version__
from banglahallueval.errors import RunError

_CHUNK = 1 << 14  # what a dropped connection loses at most
_TRIES = 5  # in a row without a byte gained
_TIMEOUT = (15, 60)  # seconds to connect, and between two pieces
_BUSY = {408, 425, 429, 500, 502, 503, 504}
_SHA256 = regex.compile(r"[0-9a-f]{64}")


class NotThereError(Exception):
    """The server has no such file."""


@dataclass(frozen=True, slots=True)
class Sums:
    """The checksums that a home announces for a file, in hex; empty where it does not."""

    sha256: str = ""
    md5: str = ""


class Downloader:
    """Fetches files over one HTTP session."""

    def __init__(self, *, pause: float = 1.0) -> None:
        """Open the session.

        Args:
            pause: Seconds before the first further try; they double from try to try.
        """
        self._session = requests.Session()
        self._session.headers["User-Agent"] = f"banglahallueval/{__version__}"
        # What arrives must be the file's own bytes, or no part of it could be asked for.
        self._session.headers["Accept-Encoding"] = "identity"
        self._pause = pause

    def fetch(self, url: str, part: Path, report: Callable[[int, int], None]) -> Sums:
        """Bring a file's bytes to `part`; what is there of the same file already is kept.

        Args:
            url: Where it is.
            part: The unfinished file. What it is part of stands beside it in a `.json`.
            report: Called with the bytes there and the bytes in all; 0 where these are not known.

        Returns:
            The checksums that the server announces.

        Raises:
            NotThereError: If the server does not have it.
            RunError: If it could not be brought; what arrived stays for the next time.
        """
        tries, problem = 0, ""
        while tries < _TRIES:
            before = _size(part)
            try:
                return self._once(url, part, report)
            except requests.RequestException as error:
                problem = _in_words(error)
            except _BusyError as busy:
                problem = str(busy)
            tries = 1 if _size(part) > before else tries + 1
            if tries < _TRIES:
                time.sleep(self._pause * 2.0 ** (tries - 1))
        kept = _size(part)
        note = f"; {kept:,} bytes are kept, run the command again to go on" if kept else ""
        raise RunError(f"{url} could not be fetched: {problem}{note}")

    def _once(self, url: str, part: Path, report: Callable[[int, int], None]) -> Sums:
        have, known = _size(part), _read_note(part)
        if have and (known.get("url") != url or not known.get("validator")):
            part.unlink()  # of another file, or of one that may have changed since
            have = 0
        headers = {"Range": f"bytes={have}-", "If-Range": known["validator"]} if have else {}
        with self._session.get(url, headers=headers, stream=True, timeout=_TIMEOUT) as response:
            if response.status_code in (404, 410):
                raise NotThereError(url)
            if response.status_code == 416:  # the whole file is there already, or it has shrunk
                if response.headers.get("Content-Range", "").endswith(f"/{have}"):
                    return _sums(response)
                part.unlink(missing_ok=True)
                raise _BusyError("the file there is shorter than the part here; begun again")
            if response.status_code in _BUSY:
                raise _BusyError(f"the server answered {response.status_code}")
            if response.status_code not in (200, 206):
                raise RunError(f"{url} could not be fetched: HTTP status {response.status_code}")
            resumed = response.status_code == 206
            start = have if resumed else 0
            length = int(response.headers.get("Content-Length") or 0)
            total = start + length if length else 0
            _write_note(part, {"url": url, "validator": _validator(response)})
            _check_room(part, length)
            with open_part(part, append=resumed) as file:
                for piece in response.iter_content(_CHUNK):
                    write_part(file, part, piece)
                    start += len(piece)
                    report(start, total)
            if total and start != total:
                raise _BusyError(f"the connection ended after {start:,} of {total:,} bytes")
            return _sums(response)


class _BusyError(Exception):
    """A try that failed, and may not the next time."""


def open_part(part: Path, *, append: bool) -> IO[bytes]:
    """Open an unfinished file for `write_part`."""
    with _disk_errors(part):
        return part.open("ab" if append else "wb", buffering=0)


def write_part(file: IO[bytes], part: Path, data: bytes) -> None:
    """Write to an unfinished file; a disk that is full is one clear error."""
    with _disk_errors(part):
        view = memoryview(data)
        while view:
            view = view[file.write(view) :]


@contextmanager
def _disk_errors(part: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        if error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG):
            raise RunError(
                f"the disk is full: {part} could not be written; make room and run the command "
                "again, it goes on where it stopped"
            ) from None
        raise RunError(f"cannot write {part}: {error.strerror}") from None


def note_path(part: Path) -> Path:
    """Where it stands what an unfinished file is part of."""
    return part.with_name(part.name + ".json")


def matches(part: Path, sums: Sums) -> bool:
    """Whether a file has the announced checksums, as far as there are any."""
    return all(
        not wanted or file_sum(part, name) == wanted
        for name, wanted in (("sha256", sums.sha256), ("md5", sums.md5))
    )


def file_sum(path: Path, name: str) -> str:
    """A file's checksum in hex."""
    new = partial(hashlib.new, name, usedforsecurity=False)
    with path.open("rb") as file:
        return hashlib.file_digest(file, new).hexdigest()


def _check_room(part: Path, needed: int) -> None:
    free = shutil.disk_usage(part.parent).free
    if needed > free:
        raise RunError(
            f"the disk is full: {part.parent} has {free:,} bytes free, {needed:,} are needed; "
            "make room and run the command again"
        )


def _sums(response: requests.Response) -> Sums:
    """What Hugging Face says of a stored file on the way to it, or Google's storage with it."""
    sha256 = md5 = ""
    for each in [*response.history, response]:
        tag = each.headers.get("X-Linked-ETag", "").strip('W/"')
        sha256 = tag if _SHA256.fullmatch(tag) else sha256
    for announced in response.headers.get("x-goog-hash", "").split(","):
        name, _, value = announced.strip().partition("=")
        if name == "md5":
            md5 = base64.b64decode(value).hex()
    return Sums(sha256, md5)


def _validator(response: requests.Response) -> str:
    tag = response.headers.get("ETag", "")
    # A weak tag does not promise the same bytes.
    return response.headers.get("Last-Modified", "") if tag.startswith("W/") or not tag else tag


def _size(part: Path) -> int:
    return part.stat().st_size if part.exists() else 0


def _read_note(part: Path) -> dict[str, str]:
    try:
        note = json.loads(note_path(part).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return note if isinstance(note, dict) else {}


def _write_note(part: Path, note: dict[str, str]) -> None:
    with _disk_errors(part):
        note_path(part).write_text(json.dumps(note), encoding="utf-8")


def _in_words(error: requests.RequestException) -> str:
    if isinstance(error, requests.Timeout):
        return "no answer in time"
    if isinstance(error, requests.exceptions.ChunkedEncodingError):
        return "the connection was dropped"
    return "no connection" if isinstance(error, requests.ConnectionError) else str(error)
