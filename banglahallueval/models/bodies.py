"""Reading what a server sends, within bounds: no reply, and not all together, fills the memory."""

from __future__ import annotations

import asyncio
import zlib
from collections.abc import AsyncIterable, AsyncIterator, Callable, Iterator

from banglahallueval.models.types import ModelError

# To be sent as Accept-Encoding: what is read here.
ACCEPT_ENCODING = "gzip, deflate"

_MIB = 1 << 20
# The longest honest body, 4,096 tokens with 20 alternatives of 100 bytes each, has 8 MiB.
_LONGEST = 12 * _MIB
_LONGEST_ERROR = _MIB // 16  # only a line of it is shown
# Bytes that the values of a body may take in memory, counted from its first MiB on.
_MOST_PARSED = 90_000_000
# Bytes that all bodies together may hold; beyond, only one at a time is read on.
_SHARED = 24 * _MIB
_STEP = _MIB // 4  # most bytes decompressed at once


class BodyReader:
    """Reads the bodies that one server sends."""

    def __init__(self, url: str) -> None:
        """Start with nothing held.

        Args:
            url: The server, for messages.
        """
        self._url = url
        self._held = 0
        self._reading_on = asyncio.Lock()

    async def read(
        self,
        pieces: AsyncIterable[bytes],
        encoding: str = "",
        *,
        is_error: bool = False,
        on_piece: Callable[[], None] = lambda: None,
    ) -> bytes:
        """Read a body to its end, but of an error's only the beginning.

        Args:
            pieces: The body as it arrives.
            encoding: Its Content-Encoding.
            is_error: Whether it is an error's.
            on_piece: Called with each piece that arrives.

        Raises:
            ModelError: If it is larger than any reply, or cannot be decompressed.
        """
        parts: list[bytes] = []
        size = parsed = 0
        is_reading_on = False
        try:
            async for piece in self._decompressed(pieces, encoding):
                on_piece()
                parts.append(piece)
                size += len(piece)
                self._held += len(piece)
                if is_error and size >= _LONGEST_ERROR:
                    break
                if size > _MIB:
                    parsed += _parsed_size(piece)
                if size > _LONGEST or parsed > _MOST_PARSED:
                    raise self._broken(f"is larger than any reply ({size / _MIB:.0f} MiB and on)")
                if self._held > _SHARED and not is_reading_on:
                    await self._reading_on.acquire()
                    is_reading_on = True
            body = b"".join(parts)
            return body[:_LONGEST_ERROR] if is_error else body
        finally:
            self._held -= size
            parts.clear()  # the traceback of an error would keep them
            if is_reading_on:
                self._reading_on.release()

    async def _decompressed(
        self, pieces: AsyncIterable[bytes], encoding: str
    ) -> AsyncIterator[bytes]:
        """Decompress a body step by step, however far a piece of it expands."""
        encoding = encoding.strip().lower()
        if encoding in ("", "identity"):
            async for piece in pieces:
                yield piece
            return
        if encoding not in ("gzip", "x-gzip", "deflate"):
            raise self._broken(f"is encoded as {encoding[:40]!r}, for which nobody asked")
        decompressor = None
        try:
            async for piece in pieces:
                if decompressor is None:
                    decompressor = zlib.decompressobj(_window(encoding, piece))
                for part in _inflated(decompressor, piece):
                    yield part
        except zlib.error as error:
            raise self._broken(f"is no valid {encoding}: {error}") from None
        if decompressor is not None and not decompressor.eof:
            raise self._broken("broke off")

    def _broken(self, what: str) -> ModelError:
        return ModelError("broken reply", f"the reply of {self._url} {what}")


def _window(encoding: str, start: bytes) -> int:
    """Choose zlib's window bits; some servers send deflate without the header it should have."""
    if encoding != "deflate":
        return zlib.MAX_WBITS | 16
    has_header = len(start) > 0 and start[0] & 0x0F == 8
    return zlib.MAX_WBITS if has_header else -zlib.MAX_WBITS


def _inflated(decompressor: zlib._Decompress, piece: bytes) -> Iterator[bytes]:
    # Also with nothing left to put in, something may be left to come out.
    while part := decompressor.decompress(piece, _STEP):
        yield part
        piece = decompressor.unconsumed_tail


def _parsed_size(piece: bytes) -> int:
    """Estimate the bytes of the values in a piece of JSON; measured, and high for honest ones."""
    quotes, commas = piece.count(b'"'), piece.count(b",")
    return 40 * (quotes + commas) + 200 * piece.count(b"{") + 64 * piece.count(b"[")
