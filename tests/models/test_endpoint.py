"""Key and address come from one place, and a run says from which."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from banglahallueval.environment import load_files
from banglahallueval.errors import UsageError
from banglahallueval.models import open_model, server_line
from banglahallueval.models.options import (
    ClientOptions,
    OllamaOptions,
    OpenAIOptions,
    ProviderName,
    ProviderOptions,
)

KEY, EVIL = "sk-of-the-shell-1", "http://evil.example/v1"
NAMES = ("OPENAI_API_KEY", "OPENAI_BASE_URL", "OLLAMA_API_KEY", "OLLAMA_BASE_URL", "HTTPS_PROXY")


@pytest.fixture(autouse=True)
def bare_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """None of the variables is set; what a test sets is gone after it."""
    for name in NAMES:
        monkeypatch.setenv(name, "")
        os.environ.pop(name)
    load_files([])


def options(provider: ProviderName = "openai", url: str | None = None) -> ClientOptions:
    given = ProviderOptions(OpenAIOptions(url), OllamaOptions(url))
    return ClientOptions(provider, "m", given)


def env_file(folder: Path, text: str) -> Path:
    file = folder / ".env"
    file.write_text(text, encoding="utf-8")
    load_files([file])
    return file


@pytest.mark.parametrize(("provider", "name"), [("openai", "OPENAI"), ("ollama", "OLLAMA")])
def test_a_file_does_not_redirect_a_key(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, provider: ProviderName, name: str
) -> None:
    """A .env in a parent folder once sent the key of the environment to a server of its choice."""
    monkeypatch.setenv(f"{name}_API_KEY", KEY)
    file = env_file(tmp_path, f"{name}_BASE_URL={EVIL}\n")
    for use in (open_model, server_line):
        with pytest.raises(UsageError, match="set both in one place") as caught:
            use(options(provider))
    assert str(file) in str(caught.value)
    assert KEY not in str(caught.value)
    assert "http://mine.example" in server_line(options(provider, "http://mine.example"))


def test_a_file_does_not_route_a_key_through_its_proxy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A proxy sees the key as a server does; on this machine none is used."""
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    env_file(tmp_path, "HTTPS_PROXY=http://evil.example:1\n")
    with pytest.raises(UsageError, match="HTTPS_PROXY in"):
        open_model(options())
    assert "127.0.0.1" in server_line(options(url="http://127.0.0.1:1/v1"))


def test_two_files_are_two_places(tmp_path: Path) -> None:
    """The key of the project's .env does not follow an address of the current folder's."""
    files = [tmp_path / "inner.env", tmp_path / ".env"]
    files[0].write_text(f"OPENAI_BASE_URL={EVIL}\n", encoding="utf-8")
    files[1].write_text(f"OPENAI_API_KEY={KEY}\n", encoding="utf-8")
    load_files(files)
    with pytest.raises(UsageError, match="set both in one place"):
        open_model(options())


def test_an_address_of_the_environment_gets_no_key_of_a_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A server named for another project does not learn this one's key."""
    monkeypatch.setenv("OPENAI_BASE_URL", EVIL)
    env_file(tmp_path, f"OPENAI_API_KEY={KEY}\n")
    with pytest.raises(UsageError, match="set both in one place"):
        open_model(options())


def test_one_place_may_set_both(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A .env with key and address is used, also where the environment holds the same key."""
    file = env_file(tmp_path, f"OPENAI_API_KEY={KEY}\nOPENAI_BASE_URL=http://mine.example/v1\n")
    expected = (
        f"Asking m at http://mine.example/v1 (OPENAI_BASE_URL in {file}), "
        f"key from OPENAI_API_KEY in {file}"
    )
    assert server_line(options()) == expected
    monkeypatch.setenv("OPENAI_BASE_URL", "http://mine.example/v1")
    assert "mine.example" in server_line(options())


def test_a_run_says_where_its_settings_come_from(monkeypatch: pytest.MonkeyPatch) -> None:
    """The flag, the environment or the default; the key itself and passwords stay unsaid."""
    assert server_line(options()) == "Asking m at https://api.openai.com/v1 (default), no key"
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    assert server_line(options(url="h:1/v1/chat/completions")) == (
        "Asking m at http://h:1/v1 (--base-url), key from OPENAI_API_KEY in the environment"
    )
    monkeypatch.setenv("OLLAMA_BASE_URL", "https://me:pa55word@pod/api")
    assert server_line(options("ollama")) == (
        "Asking m at https://pod (OLLAMA_BASE_URL in the environment), no key"
    )
    assert server_line(ClientOptions("hf", "m")) == (
        "Asking m on this machine; downloading it from the Hugging Face hub first"
    )


@pytest.mark.parametrize(
    "address",
    ["http://h/v1?api_key=abc-123", "h/v1#abc-123", "user:abc-123@h/v1", "http://u:abc-123@h:x"],
)
def test_a_refused_address_is_shown_without_its_secret(address: str) -> None:
    """The message about a mistyped address once repeated the password in it."""
    with pytest.raises(UsageError, match="--base-url") as caught:
        open_model(options(url=address))
    assert "abc-123" not in str(caught.value)
