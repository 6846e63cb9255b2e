"""Transfer one file into a part that a later call continues.

pooch transfers, shows the progress and computes checksums. It starts over after a dropped
connection, though, and its pauses cannot be set; what continues a part and waits is here.
"""

from __future__ import annotations

import base64
import errno
import json
import shutil
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import pooch
import regex
import requests

from banglahallueval import __version__
from banglahallueval.errors import RunError

_CHUNK = 1 << 14  # bytes; at most this much is lost when a connection drops
_ATTEMPTS = 5  # in a row that gain no byte
_TIMEOUT = (15, 60)  # seconds to connect, and between two chunks
_ABSENT = {404, 410}
_TRANSIENT = {408, 416, 425, 429, 500, 502, 503, 504}
_FULL_DISK = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}
_SHA256 = regex.compile(r"[0-9a-f]{64}")

Checksums = Mapping[str, str]
"""Algorithm (`sha256`, `md5`) to checksum in hex."""


class NotThereError(Exception):
    """The source has no such file."""


class Part:
    """The unfinished copy of a file: `NAME.part`, with its origin in `NAME.part.json`."""

    def __init__(self, target: Path) -> None:
        """Name the part of the file that belongs at `target`."""
        self.path = target.with_name(target.name + ".part")
        self._origin = target.with_name(target.name + ".part.json")

    @property
    def size(self) -> int:
        """Bytes that have arrived."""
        return self.path.stat().st_size if self.path.exists() else 0

    def validator(self, url: str) -> str:
        """The ETag or date of the version at `url` that this is a part of; empty if unknown."""
        try:
            origin = json.loads(self._origin.read_text(encoding="utf-8"))
            return str(origin["validator"]) if origin["url"] == url else ""
        except (OSError, ValueError, LookupError, TypeError):
            return ""

    def record_origin(self, url: str, validator: str) -> None:
        """Keep where the bytes come from."""
        origin = json.dumps({"url": url, "validator": validator})
        self._origin.write_text(origin, encoding="utf-8")

    def matches(self, checksums: Checksums) -> bool:
        """Whether what has arrived has these checksums."""
        return all(
            pooch.file_hash(str(self.path), alg=name) == known for name, known in checksums.items()
        )

    def move(self, target: Path) -> None:
        """Put the finished file into its place."""
        self.path.replace(target)
        self._origin.unlink(missing_ok=True)

    def discard(self) -> None:
        """Delete what has arrived."""
        self.path.unlink(missing_ok=True)
        self._origin.unlink(missing_ok=True)


@dataclass(frozen=True, slots=True)
class Downloader:
    """Brings files over HTTP, or from a folder of this machine.

    Attributes:
        pause: Seconds before the first repeated request; doubles each time.
        quiet: Whether to show no progress bar.
    """

    pause: float
    quiet: bool

    def fetch(self, source: str, part: Part) -> Checksums:
        """Complete a part; what has arrived of the same version is kept.

        Args:
            source: The file's URL, or its path.
            part: The part to complete.

        Returns:
            The checksums that the server announces.

        Raises:
            NotThereError: If the source has no such file.
            RunError: If it could not be brought; what arrived is kept for the next call.
        """
        try:
            if "://" in source:
                return self._persist(source, part)
            if not Path(source).is_file():
                raise NotThereError(source)
            shutil.copyfile(source, part.path)
            return {}
        except OSError as error:
            if error.errno in _FULL_DISK:
                raise RunError(
                    f"the disk is full: {part.path} could not be written; make room and run the "
                    "command again, it continues where it stopped"
                ) from None
            raise RunError(f"cannot write {part.path}: {error.strerror or error}") from None

    def _persist(self, url: str, part: Part) -> Checksums:
        """Repeat requests until the file is whole, or several in a row gain nothing."""
        failures = 0
        while True:
            size = part.size
            try:
                return self._request(url, part)
            except requests.RequestException as error:
                status = error.response.status_code if error.response is not None else 0
                if not part.size or status == 416:  # nothing yet, or no part of what is there now
                    part.discard()
                if status in _ABSENT:
                    raise NotThereError(url) from None
                failures = 1 if part.size > size else failures + 1
                if failures == _ATTEMPTS or (status and status not in _TRANSIENT):
                    kept = f"; {part.size:,} bytes are kept, run the command again to continue"
                    raise RunError(
                        f"{url} could not be fetched: {_reason(error, status)}"
                        f"{kept if part.size else ''}"
                    ) from None
            time.sleep(self.pause * 2.0 ** (failures - 1))

    def _request(self, url: str, part: Part) -> Checksums:
        """Ask for the bytes that are missing and add them to the part."""
        # Bytes compressed on the way could not be counted, so no part could be continued.
        headers = {"User-Agent": f"banglahallueval/{__version__}", "Accept-Encoding": "identity"}
        if part.size and (validator := part.validator(url)):
            headers |= {"Range": f"bytes={part.size}-", "If-Range": validator}
        elif part.size:
            part.discard()
        announced: dict[str, str] = {}
        with part.path.open("ab") as file:

            def begin(response: requests.Response, *_: object, **__: object) -> None:
                announced.update(_announced(response.headers))
                if response.status_code in (200, 206):
                    part.record_origin(url, _validator(response.headers))
                if response.status_code == 200 and part.size:  # the whole file, not the rest
                    file.truncate(0)

            transfer = pooch.HTTPDownloader(
                progressbar=not self.quiet,
                chunk_size=_CHUNK,
                headers=headers,
                hooks={"response": begin},
                timeout=_TIMEOUT,
            )
            transfer(url, file, None)
        return announced


def _announced(headers: Mapping[str, str]) -> Checksums:
    """Read what Hugging Face announces in the redirect to a file, or Google Storage with it."""
    sums = {}
    if _SHA256.fullmatch(tag := headers.get("X-Linked-ETag", "").strip('W/"')):
        sums["sha256"] = tag
    for announced in headers.get("x-goog-hash", "").split(","):
        name, _, value = announced.strip().partition("=")
        if name == "md5":
            sums["md5"] = base64.b64decode(value).hex()
    return sums


def _validator(headers: Mapping[str, str]) -> str:
    tag = headers.get("ETag", "")
    # A weak tag does not promise the same bytes.
    return headers.get("Last-Modified", "") if tag.startswith("W/") or not tag else tag


def _reason(error: requests.RequestException, status: int) -> str:
    if status:
        return f"the server answered {status}"
    if isinstance(error, requests.Timeout):
        return "no answer in time"
    if isinstance(error, requests.exceptions.ChunkedEncodingError):
        return "the connection was dropped"
    return "no connection" if isinstance(error, requests.ConnectionError) else str(error)
