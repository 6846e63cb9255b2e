"""No key and no password reaches what is shown or written."""

from __future__ import annotations

import pytest

from banglahallueval.errors import RunError, UsageError
from banglahallueval.secrets import (
    mask_address,
    mask_secrets,
    mask_values,
    secret_values,
    without_secrets,
)

SECRET = "s3cr3t-Pa55"


@pytest.mark.parametrize(
    ("text", "masked"),
    [
        (f"https://user:{SECRET}@pod.example/v1 said 401", "https://pod.example/v1 said 401"),
        (f"https://{SECRET}@pod.example/v1", "https://pod.example/v1"),
        (f"https://user:a/b#{SECRET}@pod.example:80/v1", "https://pod.example:80/v1"),
        (f"https://user:a'b{SECRET}@pod.example", "https://pod.example"),
        (f"http://h/v1?api_key={SECRET}: it", "http://h/v1 it"),
        (f"'http://h/v1#{SECRET}' is wrong", "'http://h/v1' is wrong"),
        (f"HTTP://u:{SECRET}@h and https://v:{SECRET}@i", "HTTP://h and https://i"),
        (f"cannot reach user:{SECRET}@pod.example:1", "cannot reach ***@pod.example:1"),
        (f"GET /v1/models?api_key={SECRET}&x=1", "GET /v1/models?api_key=***&x=1"),
        (f"GET /v1?X-Amz-Signature={SECRET}", "GET /v1?X-Amz-Signature=***"),
        (f'header "Authorization: Bearer {SECRET}"', 'header "Authorization: Bearer ***"'),
        (f"model=m,api_key={SECRET},timeout=9", "model=m,api_key=***,timeout=9"),
        (f'{{"X-Api-Key": "{SECRET}"}}', '{"X-Api-Key": "***"}'),
        ("max_tokens=16, monkey=1, tokens=2", "max_tokens=16, monkey=1, tokens=2"),
        ("label.py --ollama-url https://h/ --end 3", "label.py --ollama-url https://h/ --end 3"),
        ("ask a@b.example, রাত 12:30 @ ঢাকা", "ask a@b.example, রাত 12:30 @ ঢাকা"),
    ],
)  # fmt: skip
def test_addresses_lose_what_may_be_secret(text: str, masked: str) -> None:
    """User, password, query and fragment go wherever an address stands; other words stay."""
    assert mask_secrets(text) == masked
    assert SECRET not in masked


def test_a_value_that_is_called_a_secret_is_left_out() -> None:
    """Counts of tokens are none, nor is the name of a key's column."""
    given = {
        "args": {"api_key": "none", "x-api-key": "n", "hf_token": "n"},
        "tokens": 3,
        "key": "k",
    }
    masked = {"api_key": "***", "x-api-key": "***", "hf_token": "***"}
    assert without_secrets(given) == {"args": masked, "tokens": 3, "key": "k"}


@pytest.mark.parametrize(
    ("address", "bare"),
    [
        (f"user:{SECRET}@host/v1", "host/v1"),
        (f"host/v1?api_key={SECRET}", "host/v1"),
        (f"host:80/v1#{SECRET}", "host:80/v1"),
        (f"http://user:a#{SECRET}@host", "http://host"),
        ("localhost:8000/v1", "localhost:8000/v1"),
    ],
)
def test_an_address_that_is_known_as_one_needs_no_scheme(address: str, bare: str) -> None:
    """What a user mistyped is shown without what may be secret in it."""
    assert mask_address(address) == bare


def test_secrets_of_the_environment_go_wherever_they_stand(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keys as they are sent, and passwords in addresses, as given and as decoded."""
    monkeypatch.setenv("SOME_API_KEY", '"sk-0123456789" ')
    monkeypatch.setenv("HTTPS_PROXY", "http://me:p%40ssword1@proxy:3128")
    monkeypatch.setenv("SHORT_KEY", "none")
    text = "a sk-0123456789 b p%40ssword1 c p@ssword1 d none"
    assert mask_secrets(text) == "a *** b *** c *** d none"
    assert "none" not in secret_values()


def test_the_longer_of_two_secrets_is_masked_first() -> None:
    """Of a key that begins like another nothing stays behind."""
    assert (
        mask_values("x abcdefgh-1 y", sorted(["abcdefgh", "abcdefgh-1"], key=len, reverse=True))
        == "x *** y"
    )


@pytest.mark.parametrize("kind", [UsageError, RunError])
def test_an_error_never_holds_a_secret(kind: type[Exception]) -> None:
    """Whoever prints or stores an error prints and stores it masked."""
    assert str(kind(f"cannot reach http://u:{SECRET}@h")) == "cannot reach http://h"
