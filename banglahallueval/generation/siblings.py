"""What the candidates of one source say, so that no two of them say the same."""

from __future__ import annotations

import asyncio
from collections import defaultdict


class Siblings:
    """The candidates of each source in their order, made at the same time.

    A candidate is checked against those that stand before it, whatever order their replies come
    in, so that a run that is stopped and resumed ends with the same file.
    """

    def __init__(self) -> None:
        """Start without any."""
        self._of_source: dict[int, list[asyncio.Future[str]]] = defaultdict(list)

    def announce(self, source_row: int) -> Sibling:
        """Add the next candidate of a source; call it in the order of the file."""
        own = asyncio.get_running_loop().create_future()
        before = tuple(self._of_source[source_row])
        self._of_source[source_row].append(own)
        return Sibling(own, before)


class Sibling:
    """One candidate among those of its source."""

    def __init__(self, own: asyncio.Future[str], before: tuple[asyncio.Future[str], ...]) -> None:
        """Know the candidates before it."""
        self._own = own
        self._before = before

    def settle(self, text: str) -> None:
        """Tell the later ones what this one says; empty if it is left blank."""
        if not self._own.done():
            self._own.set_result(text)

    async def earlier(self) -> list[str]:
        """Wait for the ones before it and list what they say."""
        return [text for text in [await each for each in self._before] if text.strip()]
