"""Hashes of files and of texts."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path


def file_sha256(path: Path | str) -> str:
    """SHA-256 of a file's bytes, in hex."""
    with Path(path).open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def digest(texts: Sequence[str]) -> bytes:
    """16 bytes that stand for a sequence of texts; what rows are matched by."""
    # A length before each text keeps ("ab", "c") and ("a", "bc") apart.
    data = b"".join(
        len(raw).to_bytes(8, "little") + raw
        for raw in (text.encode("utf-8", "surrogatepass") for text in texts)
    )
    return hashlib.blake2b(data, digest_size=16).digest()
