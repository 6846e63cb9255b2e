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
_OVERLOADED = frozenset({503, 529})
_READ = 65536  # code points of a server's own words that are looked at
_IMPOSSIBLE_COUNT = 10**9  # tokens of one request
_DETAIL = 300  # code points of a server's own words that a message repeats

_TITLE = regex.compile(r"<title[^<>]*>([^<]*)</title>", regex.I)
_TAG = regex.compile(r"<[^<>]*>")
_HALF = regex.compile("[\ud800-\udfff]")
_MAY_HOLD_HALF = regex.compile(rb"\\u[dD]|\xed")
_GO_DURATION = regex.compile(r"(\d+(?:\.\d+)?)(ms|h|m|s)")
_UNIT_SECONDS = {"h": 3600.0, "m": 60.0, "s": 1.0, "ms": 0.001}


def read_json(raw: bytes) -> Any:
    """Read a server's JSON; half a surrogate pair, which UTF-8 cannot hold, becomes U+FFFD.

    Raises:
        ValueError: If it is none.
    """
    try:
        data = json.loads(raw)
        return _mended(data) if _MAY_HOLD_HALF.search(raw) else data
    except RecursionError:
        raise ValueError("nested too deep") from None


def _mended(value: Any) -> Any:
    """Replace halves of surrogate pairs, in place as far as possible."""
    if isinstance(value, str):
        return _HALF.sub("\ufffd", value)
    if isinstance(value, list):
        for place, inner in enumerate(value):
            value[place] = _mended(inner)
    elif isinstance(value, dict):
        if any(_HALF.search(key) for key in value):
            value = {_HALF.sub("\ufffd", key): inner for key, inner in value.items()}
        for key, inner in value.items():
            value[key] = _mended(inner)
    return value


def one_line(text: str) -> str:
    """Shorten a server's words, of an HTML page its title, to one line of bounded length."""
    title = _TITLE.search(text)
    plain = _TAG.sub(" ", title[1] if title else text)
    line = " ".join(plain.split())
    return line if len(line) <= _DETAIL else f"{line[: _DETAIL - 1]}…"


def error_detail(text: str) -> str:
    """Tell what an error response says: its message if it is JSON of a known shape, else its text.

    Only the beginning of a long text is read.
    """
    text = text[:_READ]
    try:
        body = json.loads(text)
    except (ValueError, RecursionError):
        return one_line(text)
    if isinstance(body, list) and len(body) == 1:  # as some of Google's gateways send it
        body = body[0]
    error = body.get("error", body) if isinstance(body, dict) else body
    if isinstance(error, dict):
        error = error.get("message") or error.get("detail") or error
    return one_line(error if isinstance(error, str) else json.dumps(error, ensure_ascii=False))


def retry_after(headers: Mapping[str, str]) -> float | None:
    """Read how many seconds a server asks to wait; None where it does not say.

    Reads `retry-after-ms`, `Retry-After` (a number or a date) and, where neither is there, the
    `x-ratelimit-reset-*` of whatever has run out. No time at all, or one that has passed, says
    nothing: a server that limits the rate is not ready at once.
    """
    try:
        seconds = float(headers["retry-after-ms"]) / 1000
    except (KeyError, ValueError):
        seconds = _seconds_or_date(headers.get("retry-after", ""))
    if math.isfinite(seconds):
        return seconds if seconds > 0 else None
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
    """Read when the limit that ran out is reset; the first reset where none says that it did."""
    used_up: list[float] = []
    others: list[float] = []
    for kind in ("requests", "tokens"):
        text = headers.get(f"x-ratelimit-reset-{kind}", "")
        parts = _GO_DURATION.findall(text)  # as 6m0s, 120ms
        if parts:
            seconds = sum(float(number) * _UNIT_SECONDS[unit] for number, unit in parts)
        else:
            seconds = _seconds_or_date(text)
        if math.isfinite(seconds) and seconds > 0:
            empty = headers.get(f"x-ratelimit-remaining-{kind}", "") == "0"
            (used_up if empty else others).append(seconds)
    if used_up:
        return max(used_up)
    return min(others, default=None)


def status_error(
    status: int, detail: str, headers: Mapping[str, str], url: str, *, key_hint: str
) -> ModelError:
    """Turn an HTTP status that brought no reply into a ModelError.

    Args:
        status: The status.
        detail: What the server said, as one line.
        headers: The response's headers; names in lower case, or a case-blind mapping.
        url: Where it was asked.
        key_hint: Where the user sets this provider's key.
    """
    said = f"{url} answered {status}" + (f": {detail}" if detail else "")
    wait = retry_after(headers)
    if status == 402:
        advice = "the account has no credit left"
        return ModelError("access denied", said, advice=advice, retry=False, fatal=True)
    if status in {401, 403}:
        advice = f"check {key_hint}"
        return ModelError("access denied", said, advice=advice, retry=False, fatal=True)
    if status == 404:
        return ModelError("not found", said, retry=False, fatal=True)
    if status == 408:
        return ModelError("timeout", said)
    if status == 429:
        return ModelError("rate limited", said, retry_after=wait)
    if status in _PROXY_TIMEOUTS:
        return ModelError("proxy timeout", said, retry_after=wait)
    if status >= 500:
        overloaded = status in _OVERLOADED
        advice = "the server has too much to do: lower --concurrency" if overloaded else ""
        return ModelError(
            "server error", said, advice=advice, retry_after=wait, overloaded=overloaded
        )
    return ModelError("request refused", said, retry=False)


def redirected(answered: str, path: str) -> str:
    """Say where a request was redirected; it may have lost its body and its key on the way.

    Args:
        answered: The address that answered.
        path: What was asked for there, behind the server's own address.
    """
    return f" (the address redirects to {answered.removesuffix(path)}: name that one instead)"


def transport_error(error: BaseException, url: str) -> ModelError:
    """Turn a connection that brought no whole response into a ModelError."""
    chain: list[BaseException] = []
    cause: BaseException | None = error
    while cause is not None and cause not in chain:
        chain.append(cause)
        cause = cause.__cause__ or cause.__context__
    # The innermost error is the true one: libraries on the way name a reset a timeout.
    for inner in reversed(chain):
        if isinstance(inner, ModelError):
            return inner
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
    """Read a usage figure of a server's reply; 0 where it is none, or none that can be."""
    return value if isinstance(value, int) and 0 < value < _IMPOSSIBLE_COUNT else 0
