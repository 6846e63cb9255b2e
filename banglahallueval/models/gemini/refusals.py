"""What the Gemini API means by an error, as google.rpc.Status describes it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import regex

from banglahallueval.models.http import error_detail, read_json, status_error
from banglahallueval.models.types import Finish, ModelError

_NO_ACCESS = regex.compile(r"api.?key|unauthenticated|user location|billing", regex.I)
_TOO_LONG = regex.compile(
    r"token count.*exceeds|exceeds the maximum number of tokens|too many tokens", regex.I
)
_FILTERED = regex.compile(r"responsible ai|prohibited.use|violat.*(?:polic|guideline)", regex.I)
_SECONDS = regex.compile(r"(\d+(?:\.\d+)?)s")


@dataclass(frozen=True, slots=True)
class Refusal:
    """An error response.

    Attributes:
        status: Its HTTP status.
        said: What the server said, as one line.
        headers: The response's headers, with names in lower case.
        code: Google's own name of the error, such as RESOURCE_EXHAUSTED; empty where there is none.
        retry_after: Seconds that RetryInfo asks to wait; None where there is none.
        is_daily: Whether a quota for a whole day is used up.
    """

    status: int
    said: str
    headers: Mapping[str, str]
    code: str = ""
    retry_after: float | None = None
    is_daily: bool = False

    def withheld_as(self) -> Finish | None:
        """Name how the reply ended, if this one prompt was refused for length or content."""
        if self.status == 400 and _TOO_LONG.search(self.said):
            return "context truncated"
        return "filtered" if self.status == 400 and _FILTERED.search(self.said) else None

    def error(self, url: str, key_hint: str) -> ModelError:
        """Turn it into what the client understands.

        Args:
            url: Where it was asked.
            key_hint: Where the user sets the key, or how to log in.
        """
        said = f"{url} answered {self.status}: {self.said}"
        if self.is_daily:
            return ModelError(
                "rate limited",
                f"the quota of the day is used up: {self.said}",
                advice="resume tomorrow, or use the key of another project or another --model",
                retry=False,
                fatal=True,
            )
        status = self.status
        if status == 400 and (_NO_ACCESS.search(self.said) or self.code == "UNAUTHENTICATED"):
            advice = f"check {key_hint}"
            return ModelError("access denied", said, advice=advice, retry=False, fatal=True)
        if self.code == "DEADLINE_EXCEEDED":  # Google's own, and no proxy's
            advice = "the server has too much to do: lower --concurrency"
            return ModelError("server error", said, advice=advice, overloaded=True)
        error = status_error(status, self.said, self.headers, url, key_hint=key_hint)
        if self.retry_after is not None:
            error.retry_after = self.retry_after
        return error


def read_refusal(status: int, body: bytes, headers: Mapping[str, str]) -> Refusal:
    """Read an error response, whatever its body."""
    said = error_detail(body.decode(errors="replace"))
    try:
        data = read_json(body)
        if isinstance(data, list):  # some gateways put the error into a list of its own
            data = data[0]
        error = data["error"]
        details = [each for each in error.get("details") or () if isinstance(each, Mapping)]
        code = str(error.get("status") or "")
    except (ValueError, LookupError, TypeError, AttributeError):
        return Refusal(status, said, headers)
    return Refusal(
        status,
        said,
        headers,
        code,
        next((wait for each in details if (wait := _retry_delay(each))), None),
        any(_is_daily(each) for each in details),
    )


def _retry_delay(detail: Mapping[str, Any]) -> float | None:
    """Read the delay of a google.rpc.RetryInfo, such as `1.5s`; no time at all says nothing."""
    if not str(detail.get("@type")).endswith("google.rpc.RetryInfo"):
        return None
    seconds = _SECONDS.fullmatch(str(detail.get("retryDelay")))
    return float(seconds[1]) or None if seconds else None


def _is_daily(detail: Mapping[str, Any]) -> bool:
    """Whether a google.rpc.QuotaFailure names a quota for the day.

    Beside it the API still sends a RetryInfo of seconds, after which nothing has changed.
    """
    if not str(detail.get("@type")).endswith("google.rpc.QuotaFailure"):
        return False
    violations = detail.get("violations") or ()
    return any("PerDay" in str(each.get("quotaId")) for each in violations if hasattr(each, "get"))
