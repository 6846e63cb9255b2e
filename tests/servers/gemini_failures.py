"""What the Gemini API sends in the place of a plain reply, for tests to script a server with."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from tests.servers.answers import Failure

MODEL = "gemini-2.5-flash-lite"

_RPC = "type.googleapis.com/google.rpc."
_STATUSES = {
    400: "INVALID_ARGUMENT",
    401: "UNAUTHENTICATED",
    403: "PERMISSION_DENIED",
    404: "NOT_FOUND",
    429: "RESOURCE_EXHAUSTED",
    500: "INTERNAL",
    503: "UNAVAILABLE",
    504: "DEADLINE_EXCEEDED",
}
_QUOTA = "You exceeded your current quota, please check your plan and billing details."


def failure(
    status: int, message: str, *details: Mapping[str, Any], listed: bool = False
) -> Failure:
    """An error in the API's own shape; `listed` puts it into a list, as some gateways do."""
    error = {"code": status, "message": message, "status": _STATUSES.get(status, "UNKNOWN")}
    body: Any = {"error": {**error, **({"details": list(details)} if details else {})}}
    return Failure(status, json.dumps([body] if listed else body))


def rate_limited(seconds: float | None = None) -> Failure:
    """429, with a RetryInfo where it says how long to wait."""
    per_minute = "GenerateRequestsPerMinutePerProjectPerModel-FreeTier"
    info = {"@type": f"{_RPC}RetryInfo", "retryDelay": f"{seconds}s"}
    return failure(429, _QUOTA, _violated(per_minute), *([info] if seconds is not None else []))


def daily_quota() -> Failure:
    """429 for the day's quota; as the API does, it still asks to try again in some seconds."""
    per_day = "GenerateRequestsPerDayPerProjectPerModel-FreeTier"
    info = {"@type": f"{_RPC}RetryInfo", "retryDelay": "19s"}
    return failure(429, _QUOTA, _violated(per_day), info)


def _violated(quota: str) -> dict[str, Any]:
    return {"@type": f"{_RPC}QuotaFailure", "violations": [{"quotaId": quota, "quotaValue": "15"}]}


def invalid_key() -> Failure:
    """What a wrong key gets: a 400."""
    info = {"@type": f"{_RPC}ErrorInfo", "reason": "API_KEY_INVALID", "domain": "googleapis.com"}
    return failure(400, "API key not valid. Please pass a valid API key.", info)


def overloaded() -> Failure:
    """503."""
    return failure(503, "The model is overloaded. Please try again later.")


def blocked(reason: str = "PROHIBITED_CONTENT") -> Failure:
    """A prompt that is withheld: no candidate, but a reason."""
    return raw_reply(promptFeedback={"blockReason": reason})


def ended(reason: str, text: str | None = None) -> Failure:
    """A reply that ends with this finishReason; without text it has no parts at all."""
    content: dict[str, Any] = {"role": "model"}
    if text is not None:
        content["parts"] = [{"text": text}]
    return raw_reply(candidates=[{"content": content, "finishReason": reason, "index": 0}])


def no_candidates() -> Failure:
    """A reply that holds nothing and does not say why."""
    return raw_reply(candidates=[])


def raw_reply(**body: Any) -> Failure:
    """A response with status 200 and these keys, besides some usage."""
    usage = {"promptTokenCount": 7, "totalTokenCount": 7}
    return Failure(200, json.dumps({**body, "usageMetadata": usage, "modelVersion": MODEL}))
