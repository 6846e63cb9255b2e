"""What the providers that speak HTTP share: reading JSON, and naming what failed."""

from __future__ import annotations

import json
import math
import time
from collections.abc import Mapping
from email.utils import parsedate_to_datetime
from typing import Any

import aiohttp
import regex

from banglahallueval.models.types import ModelError

# Cloudflare's and other proxies' own statuses for a server that took too long to answer them.
_PROXY_TIMEOUTS = frozenset({504, 522, 524})
_DETAIL = 300  # code points of a server's own words that a message repeats

_TITLE = regex.compile(r"<title[^>]*>(.*?)</title>", regex.I | regex.S)
_TAG = regex.compile(r"<[^>]*>")
_HALF = regex.compile("[\ud800-\udfff]")
_GO_DURATION = regex.compile(r"(\d+(?:\.\d+)?)(ms|h|m|s)")
_UNIT_SECONDS = {"h": 3600.0, "m": 60.0, "s": 1.0, "ms": 0.001}


def read_json(raw: bytes) -> Any:
    """A server's JSON; half a surrogate pair, which no file in UTF-8 can hold, becomes U+FFFD.

    Raises:
        ValueError: If it is none.
    """
    try:
        data = json.loads(raw)
        if b"\\ud" in raw.lower() or b"\xed" in raw:
            data = json.loads(_HALF.sub("\ufffd", json.dumps(data, ensure_ascii=False)))
    except RecursionError:
        raise ValueError("nested too deep") from None
    return data


def one_line(text: str) -> str:
    """A server's words, of an HTML page its title, as one line of bounded length."""
    title = _TITLE.search(text)
    plain = _TAG.sub(" ", title[1] if title else text)
    line = " ".join(plain.split())
    return line if len(line) <= _DETAIL else f"{line[: _DETAIL - 1]}…"


def error_detail(text: str) -> str:
    """What an error response says: its message if it is JSON of a known shape, else its text."""
    try:
        body = json.loads(text)
    except (ValueError, RecursionError):
        return one_line(text)
    error = body.get("error", body) if isinstance(body, dict) else body
    if isinstance(error, dict):
        error = error.get("message") or error.get("detail") or error
    return one_line(error if isinstance(error, str) else json.dumps(error, ensure_ascii=False))


def retry_after(headers: Mapping[str, str]) -> float | None:
    """Seconds that a server asks to wait; None where it does not say.

    Reads `retry-after-ms`, `Retry-After` (a number or a date) and, where neither is there, the
    `x-ratelimit-reset-*` of whatever has run out.
    """
    try:
        seconds = float(headers["retry-after-ms"]) / 1000
    except (KeyError, ValueError):
        seconds = _seconds_or_date(headers.get("retry-after", ""))
    if math.isfinite(seconds):
        return max(0.0, seconds)
    return _limit_reset(headers)


def _seconds_or_date(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        pass
    try:
        return parsedate_to_datetime(text).timestamp() - time.time()
    except (ValueError, TypeError, IndexError, OverflowError):
        return math.nan


def _limit_reset(headers: Mapping[str, str]) -> float | None:
    """The wait until the limit that ran out is reset; the shortest where none says that it did."""
    used_up: list[float] = []
    others: list[float] = []
    for kind in ("requests", "tokens"):
        text = headers.get(f"x-ratelimit-reset-{kind}", "")
        parts = _GO_DURATION.findall(text)  # as 6m0s, 120ms
        if parts:
            seconds = sum(float(number) * _UNIT_SECONDS[unit] for number, unit in parts)
        else:
            seconds = _seconds_or_date(text)
        if math.isfinite(seconds) and seconds >= 0:
            empty = headers.get(f"x-ratelimit-remaining-{kind}", "") == "0"
            (used_up if empty else others).append(seconds)
    if used_up:
        return max(used_up)
    return min(others, default=None)


def status_error(
    status: int, detail: str, headers: Mapping[str, str], url: str, *, key_hint: str
) -> ModelError:
    """An HTTP status that brought no reply, as a ModelError.

    Args:
        status: The status.
        detail: What the server said, as one line.
        headers: The response's headers; names in lower case, or a case-blind mapping.
        url: Where it was asked.
        key_hint: Where the user sets this provider's key.
    """
    said = f": {detail}" if detail else ""
    message = f"{url} answered {status}{said}"
    if status == 402:
        message = f"{message}; the account has no credit left"
        return ModelError("access denied", message, retry=False, fatal=True)
    if status in {401, 403}:
        return ModelError("access denied", f"{message}; check {key_hint}", retry=False, fatal=True)
    if status == 404:
        return ModelError("not found", message, retry=False, fatal=True)
    if status == 408:
        return ModelError("timeout", message)
    if status == 429:
        return ModelError("rate limited", message, retry_after=retry_after(headers))
    if status in _PROXY_TIMEOUTS:
        return ModelError(
            "proxy timeout",
            f"{message}; the proxy before the server gave up waiting (Cloudflare does after"
            " 100 s): lower --concurrency, or reach the server without the proxy",
            retry_after=retry_after(headers),
        )
    if status >= 500:
        return ModelError("server error", message, retry_after=retry_after(headers))
    return ModelError("request refused", message, retry=False)


def transport_error(error: BaseException, url: str) -> ModelError:
    """A connection that brought no whole response, as a ModelError."""
    chain: list[BaseException] = []
    cause: BaseException | None = error
    while cause is not None and cause not in chain:
        chain.append(cause)
        cause = cause.__cause__ or cause.__context__
    # The innermost error is the true one: libraries on the way name a reset a timeout.
    for inner in reversed(chain):
        if isinstance(inner, aiohttp.ClientPayloadError | aiohttp.ClientResponseError):
            return ModelError(
                "broken reply", f"the reply of {url} broke off: {one_line(str(inner))}"
            )
        if isinstance(inner, aiohttp.ClientConnectionError | OSError):
            if isinstance(inner, TimeoutError):
                return ModelError("timeout", f"{url} did not answer in time")
            why = one_line(str(inner)) or type(inner).__name__
            return ModelError("connection failed", f"cannot reach {url}: {why}")
    return ModelError("broken reply", f"{url} sent no valid HTTP: {one_line(str(chain[0]))}")


def as_count(value: Any) -> int:
    """A usage figure of a server's reply; 0 where it is none."""
    return value if isinstance(value, int) and value > 0 else 0
