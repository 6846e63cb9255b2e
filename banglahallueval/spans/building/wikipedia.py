"""Random pages of Wikipedia, or of another MediaWiki, by its API; the seed decides which.

The API's own random pages cannot be drawn again. So page numbers are drawn here, and those that
are no article are passed over; each page that exists is as likely as any other.
"""

from __future__ import annotations

import asyncio
import json
import random
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeVar

import requests
from requests.adapters import HTTPAdapter
from urllib3.util import Retry

from banglahallueval import __version__
from banglahallueval.errors import RunError
from banglahallueval.hashing import digest
from banglahallueval.models.store import ReplyStore
from banglahallueval.models.types import Reply

T = TypeVar("T")

API = "https://{language}.wikipedia.org/w/api.php"

_AGENT = f"banglahallueval/{__version__} (builds evaluation data; python-requests)"
_BATCH = 50  # pages asked about at once: the most that the API takes of everybody
_BARREN = 40  # batches without a page in a row after which there is none to be had
_RETRIES = 5
_TIMEOUT = (15, 60)  # seconds to connect, and between two chunks


class Page(NamedTuple):
    """A page as it is kept: its number in its wiki, title, address and plain text."""

    number: int
    title: str
    url: str
    text: str


@dataclass(frozen=True, slots=True)
class Wiki:
    """A wiki, asked one request at a time.

    Attributes:
        address: Its API.
        store: Where its answers are kept, so that no run asks twice.
        sleep: Seconds to wait before each request.
    """

    address: str
    store: ReplyStore
    sleep: float

    async def pages(self, seed: int, min_length: int) -> AsyncIterator[Page]:
        """Draw pages of at least so many code points, each once, without an end.

        Raises:
            RunError: If the wiki cannot be asked, or no more pages can be found.
        """
        with _session() as session:
            last = await self._last_page(session)
            barren = 0
            for numbers in _draws(seed, last):
                found = False
                for number in await self._articles(session, numbers):
                    page = await self._page(session, number)
                    if page and len(page.text) >= min_length:
                        found = True
                        yield page
                barren = 0 if found else barren + 1
                if barren == _BARREN:
                    raise RunError(
                        f"{self.address}: {_BARREN * _BATCH} draws in a row found no further page "
                        f"of {min_length} code points; lower -n or --min-len"
                    )

    async def _last_page(self, session: requests.Session) -> int:
        """Find the number of the newest page."""
        newest = await self._ask(
            session, _newest, list="recentchanges", rctype="new", rcprop="ids", rclimit="1"
        )
        if newest is None:
            raise RunError(f"{self.address}: no page is new, so its page numbers are not known")
        return newest

    async def _articles(self, session: requests.Session, numbers: list[int]) -> list[int]:
        """Keep the numbers that are articles, in order: no redirects, no talk pages."""
        if not numbers:
            return []
        pageids = "|".join(map(str, numbers))
        are = await self._ask(session, _articles, prop="info", pageids=pageids)
        return [number for number in numbers if number in are]

    async def _page(self, session: requests.Session, number: int) -> Page | None:
        """Fetch a page; None where it was deleted meanwhile."""
        return await self._ask(
            session,
            _page,
            prop="extracts|info",
            inprop="url",
            explaintext="1",
            pageids=str(number),
        )

    async def _ask(self, session: requests.Session, read: Callable[[Any], T], **query: str) -> T:
        """Ask the API, or take its answer from the store; one that cannot be read is not kept.

        Raises:
            RunError: If it does not answer as it should.
        """
        query = {"action": "query", "format": "json", "formatversion": "2", **query}
        key = digest([self.address, json.dumps(query, sort_keys=True)])
        stored = self.store.get(key)
        if stored is None:
            await asyncio.sleep(self.sleep)
            text = await asyncio.to_thread(self._get, session, query)
        else:
            text = stored.text
        try:
            said = json.loads(text)
            if "error" in said:
                raise RunError(f"{self.address}: {said['error'].get('info', 'an error')}")
            found = read(said["query"])
        except (ValueError, LookupError, TypeError, AttributeError):
            raise RunError(
                f"{self.address} does not answer as MediaWiki with TextExtracts does"
            ) from None
        if stored is None:
            await self.store.put(key, Reply(text))
        return found

    def _get(self, session: requests.Session, query: Mapping[str, str]) -> str:
        try:
            response = session.get(self.address, params=query, timeout=_TIMEOUT)
            response.raise_for_status()
        except requests.HTTPError as error:
            raise RunError(f"{self.address} answered {error.response.status_code}") from None
        except requests.RequestException as error:
            what = "in time" if isinstance(error, requests.Timeout) else "at all"
            raise RunError(
                f"{self.address} does not answer {what}; see whether the address is right, or "
                "give a folder of texts with --texts"
            ) from None
        return response.text


def _newest(found: Any) -> int | None:
    changes = found["recentchanges"]
    return int(changes[0]["pageid"]) if changes else None


def _articles(found: Any) -> set[int]:
    return {
        int(page["pageid"])
        for page in found["pages"]
        if not page.get("missing") and page["ns"] == 0 and not page.get("redirect")
    }


def _page(found: Any) -> Page | None:
    (page,) = found["pages"]
    if page.get("missing"):
        return None
    texts = (str(page["title"]), str(page["fullurl"]), page["extract"].strip())
    return Page(int(page["pageid"]), *texts)


def _session() -> requests.Session:
    session = requests.Session()
    session.headers["User-Agent"] = _AGENT
    # A server that is busy says how long to wait.
    retry = Retry(
        total=_RETRIES,
        backoff_factor=0.5,
        status_forcelist=(429, 500, 502, 503, 504),
        raise_on_status=False,
    )
    for scheme in ("http://", "https://"):
        session.mount(scheme, HTTPAdapter(max_retries=retry))
    return session


def _draws(seed: int, last: int) -> Iterator[list[int]]:
    """Draw page numbers without an end, in batches, each number once.

    Below a power of two, so that pages that are added later change the draw of the earlier ones
    only where the wiki outgrows it.
    """
    below = 1 << last.bit_length()
    drawn = random.Random(seed)
    seen: set[int] = set()
    while True:
        batch = []
        for _ in range(_BATCH):
            number = drawn.randrange(1, below)
            if number <= last and number not in seen:
                batch.append(number)
                seen.add(number)
        yield batch
