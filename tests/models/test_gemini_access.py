"""The environment settles which of two APIs is asked, where, and with which key or login."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from banglahallueval.environment import load_files
from banglahallueval.errors import RunError, UsageError
from banglahallueval.models import open_model, server_line
from banglahallueval.models.options import ClientOptions
from banglahallueval.models.types import Message, ModelError, Request, Workload
from tests.scripting import ROOT
from tests.servers.answers import always
from tests.servers.gemini_failures import MODEL, failure
from tests.servers.gemini_server import TOKEN, GeminiServer

Start = Callable[..., GeminiServer]

KEY = "AIza-of-the-shell"
EVIL = "http://evil.example"
VERTEX = {
    "GOOGLE_GENAI_USE_VERTEXAI": "true",
    "GOOGLE_CLOUD_PROJECT": "my-project",
    "GOOGLE_CLOUD_LOCATION": "us-central1",
}
OPTIONS = ClientOptions("gemini", MODEL)
ASK = Request((Message("user", "ঢাকা কি রাজধানী?"),), max_tokens=16)


@pytest.fixture(autouse=True)
def bare_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """None of the variables is set; what a test sets is gone after it."""
    for name in (*VERTEX, "GOOGLE_API_KEY", "GEMINI_API_KEY", "GOOGLE_GEMINI_BASE_URL"):
        monkeypatch.delenv(name, raising=False)
    for name in ("GOOGLE_VERTEX_BASE_URL", "GOOGLE_APPLICATION_CREDENTIALS", "HTTPS_PROXY"):
        monkeypatch.delenv(name, raising=False)
    load_files([])


@pytest.fixture
def set_all(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Sets variables until the end of the test."""

    def set_variables(variables: dict[str, str] | None = None, **more: str) -> None:
        for name, value in {**(variables or {}), **more}.items():
            monkeypatch.setenv(name, value)

    return set_variables


def env_file(folder: Path, text: str, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Load a .env file whose variables are gone after the test."""
    for line in text.splitlines():
        name = line.partition("=")[0]
        if name not in os.environ:
            monkeypatch.setenv(name, "")
            os.environ.pop(name)
    file = folder / ".env"
    file.write_text(text, encoding="utf-8")
    load_files([file])
    return file


def test_a_run_says_which_key_is_used(set_all: Callable[..., None]) -> None:
    google = f"Asking {MODEL} at https://generativelanguage.googleapis.com (default)"
    assert server_line(OPTIONS) == f"{google}, no key"
    set_all(GEMINI_API_KEY="AIza-gemini")
    assert server_line(OPTIONS) == f"{google}, key from GEMINI_API_KEY in the environment"
    set_all(GOOGLE_API_KEY="AIza-gemini")
    assert server_line(OPTIONS) == f"{google}, key from GOOGLE_API_KEY in the environment"
    set_all(GOOGLE_API_KEY=KEY)
    assert server_line(OPTIONS) == (
        f"{google}, key from GOOGLE_API_KEY in the environment, not from GEMINI_API_KEY"
    )


@pytest.mark.parametrize(
    ("location", "host"),
    [
        ("us-central1", "us-central1-aiplatform.googleapis.com"),
        ("global", "aiplatform.googleapis.com"),
        ("eu", "aiplatform.eu.rep.googleapis.com"),
    ],
)
@pytest.mark.parametrize("on", ["true", "1", "True"])
def test_a_run_says_which_project_is_used(
    set_all: Callable[..., None], location: str, host: str, on: str
) -> None:
    set_all(VERTEX, GOOGLE_CLOUD_LOCATION=location, GOOGLE_GENAI_USE_VERTEXAI=on)
    assert server_line(OPTIONS) == (
        f"Asking {MODEL} at https://{host} as project my-project in {location} "
        "(GOOGLE_CLOUD_LOCATION in the environment), login of this machine"
    )


@pytest.mark.parametrize("key", ["GOOGLE_API_KEY", "GEMINI_API_KEY"])
def test_vertex_beside_a_key_says_which_to_unset(set_all: Callable[..., None], key: str) -> None:
    set_all(VERTEX, **{key: KEY})
    with pytest.raises(UsageError, match=f"unset {key} to use Vertex AI") as caught:
        open_model(OPTIONS)
    assert KEY not in str(caught.value)


@pytest.mark.parametrize(
    ("missing", "named"),
    [
        (["GOOGLE_CLOUD_PROJECT"], "set GOOGLE_CLOUD_PROJECT too"),
        (["GOOGLE_CLOUD_LOCATION"], "set GOOGLE_CLOUD_LOCATION too"),
        (
            ["GOOGLE_CLOUD_PROJECT", "GOOGLE_CLOUD_LOCATION"],
            "set GOOGLE_CLOUD_PROJECT and GOOGLE_CLOUD_LOCATION too",
        ),
    ],
)
def test_vertex_without_a_project_says_what_to_set(
    set_all: Callable[..., None], missing: list[str], named: str
) -> None:
    set_all({**VERTEX, **dict.fromkeys(missing, " ")})
    with pytest.raises(UsageError, match=named):
        server_line(OPTIONS)


@pytest.mark.parametrize(
    ("variable", "value"),
    [
        ("GOOGLE_GENAI_USE_VERTEXAI", "yes"),
        ("GOOGLE_CLOUD_LOCATION", "evil.example/"),
        ("GOOGLE_CLOUD_LOCATION", "US"),
        ("GOOGLE_CLOUD_PROJECT", "a/../b"),
        ("GOOGLE_VERTEX_BASE_URL", "http://me:pa55word@host"),
        ("GOOGLE_VERTEX_BASE_URL", "http://host?key=pa55word"),
    ],
)
def test_values_that_cannot_be_right(
    set_all: Callable[..., None], variable: str, value: str
) -> None:
    """A location is part of the host that gets the login's token."""
    set_all(VERTEX, **{variable: value})
    with pytest.raises(UsageError, match=variable) as caught:
        server_line(OPTIONS)
    assert "pa55word" not in str(caught.value)


@pytest.mark.parametrize("path", ["", "/", "/v1beta", "/v1", "/v1beta/"])
def test_an_address_may_end_in_a_version(set_all: Callable[..., None], path: str) -> None:
    set_all(GOOGLE_GEMINI_BASE_URL=f"http://gateway.example/gemini{path}")
    assert server_line(OPTIONS) == (
        f"Asking {MODEL} at http://gateway.example/gemini "
        "(GOOGLE_GEMINI_BASE_URL in the environment), no key"
    )


def test_a_file_does_not_redirect_a_key(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GEMINI_API_KEY", KEY)
    env_file(tmp_path, f"GOOGLE_GEMINI_BASE_URL={EVIL}\n", monkeypatch)
    with pytest.raises(UsageError, match="GEMINI_API_KEY is set in the environment, but GOOGLE_G"):
        server_line(OPTIONS)


@pytest.mark.parametrize("name", ["GOOGLE_VERTEX_BASE_URL", "HTTPS_PROXY"])
@pytest.mark.parametrize("credentials", ["", "/home/me/account.json"])
def test_a_file_does_not_redirect_a_login(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    set_all: Callable[..., None],
    name: str,
    credentials: str,
) -> None:
    set_all(VERTEX, GOOGLE_APPLICATION_CREDENTIALS=credentials)
    env_file(tmp_path, f"{name}={EVIL}\n", monkeypatch)
    with pytest.raises(UsageError, match="so that the key goes nowhere unexpected"):
        server_line(OPTIONS)


def test_one_file_may_set_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = f"GOOGLE_API_KEY={KEY}\nGOOGLE_GEMINI_BASE_URL=http://mine.example\n"
    file = env_file(tmp_path, text, monkeypatch)
    assert server_line(OPTIONS) == (
        f"Asking {MODEL} at http://mine.example (GOOGLE_GEMINI_BASE_URL in {file}), "
        f"key from GOOGLE_API_KEY in {file}"
    )


async def test_the_environment_makes_the_model(
    gemini_server: Start, set_all: Callable[..., None]
) -> None:
    pytest.importorskip("google.genai")
    server = gemini_server(answer=always("না"), api_key="AIza-right")
    set_all(server.variables())
    model = open_model(OPTIONS)
    await model.prepare(Workload())
    assert (await model.complete(ASK)).text == "না"
    await model.close()


async def test_vertex_is_asked_with_a_login(
    gemini_server: Start, set_all: Callable[..., None], tmp_path: Path
) -> None:
    """One token serves all requests; the project stands in the path, and no key is sent."""
    pytest.importorskip("google.genai")
    server = gemini_server(answer=always("না"), models=[MODEL])
    set_all(server.vertex_variables(tmp_path))
    model = open_model(OPTIONS)
    await model.prepare(Workload())
    assert (await model.complete(ASK)).text == "না"
    await model.close()
    sent = server.requests[-1]
    assert sent.path == (
        "/v1beta1/projects/my-project/locations/us-central1/publishers/google/models/"
        f"{MODEL}:generateContent"
    )
    assert sent.headers["authorization"] == f"Bearer {TOKEN}"
    assert "x-goog-api-key" not in sent.headers
    assert server.logins == 1
    assert model.record()["api"] == "Vertex AI"


async def test_vertex_may_be_used_without_the_right_to_look_models_up(
    gemini_server: Start, set_all: Callable[..., None], tmp_path: Path
) -> None:
    pytest.importorskip("google.genai")
    server = gemini_server(lists=False)
    set_all(server.vertex_variables(tmp_path))
    model = open_model(OPTIONS)
    await model.prepare(Workload())
    server.answer = always(failure(403, "Permission denied on resource project my-project."))
    with pytest.raises(ModelError, match="check the login to Google Cloud"):
        await model.complete(ASK)
    await model.close()


@pytest.mark.parametrize("content", [None, "", "{}", '{"type": "authorized_user"}'])
async def test_a_missing_login_says_how_to_log_in(
    gemini_server: Start, set_all: Callable[..., None], tmp_path: Path, content: str | None
) -> None:
    pytest.importorskip("google.genai")
    file = tmp_path / "account.json"
    if content is not None:
        file.write_text(content, encoding="utf-8")
    url = gemini_server().url
    set_all(VERTEX, GOOGLE_VERTEX_BASE_URL=url, GOOGLE_APPLICATION_CREDENTIALS=str(file))
    model = open_model(OPTIONS)
    with pytest.raises(RunError, match="run `gcloud auth application-default login`") as caught:
        await model.prepare(Workload())
    await model.close()
    assert "\n" not in str(caught.value)


async def test_a_login_server_that_is_down_may_come_back(
    gemini_server: Start, set_all: Callable[..., None], tmp_path: Path
) -> None:
    pytest.importorskip("google.genai")
    with GeminiServer() as gone:
        variables = gone.vertex_variables(tmp_path)
    set_all({**variables, "GOOGLE_VERTEX_BASE_URL": gemini_server().url})
    model = open_model(OPTIONS)
    with pytest.raises(ModelError, match="cannot log in to Google Cloud") as caught:
        await model.complete(ASK)
    await model.close()
    assert (caught.value.cause, caught.value.retry) == ("connection failed", True)


def test_a_proxy_that_cannot_be_used_is_one_line(set_all: Callable[..., None]) -> None:
    pytest.importorskip("google.genai")
    set_all(HTTPS_PROXY="socks9://h:1", GOOGLE_API_KEY=KEY)
    with pytest.raises(UsageError, match=r"check the variables \*_PROXY"):
        open_model(OPTIONS)


def _without_package(*lines: str) -> str:
    code = "\n".join(
        [
            "import sys",
            "sys.modules['google'] = sys.modules['google.genai'] = None",
            "from banglahallueval.models import open_model, server_line",
            "from banglahallueval.models.options import ClientOptions",
            *lines,
        ]
    )
    done: Any = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False
    )
    return str(done.stdout + done.stderr)


def test_a_missing_package_is_named_with_its_extra() -> None:
    assert _without_package(
        "try: open_model(ClientOptions('gemini', 'm'))",
        "except Exception as error: print(type(error).__name__, error)",
    ).startswith("UsageError a Gemini model needs google-genai: install the extra with")


def test_the_package_is_not_loaded_before_it_is_needed() -> None:
    """A dry run says where it would ask without it."""
    said = _without_package("print(server_line(ClientOptions('gemini', 'm')))")
    assert "generativelanguage.googleapis.com" in said
