"""Fixtures that every test may use: loopback servers, a real model, real data."""

from __future__ import annotations

import asyncio
import gc
import os
from collections.abc import Callable, Generator, Iterator, Mapping
from contextlib import ExitStack
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from tests import in_process, scripting
from tests.servers.gemini_server import GeminiServer
from tests.servers.ollama_server import OllamaServer
from tests.servers.openai_server import OpenAIServer
from tests.servers.process import Child
from tests.servers.real_llm import convert, missing
from tests.servers.real_llm import real_llm as serve_real_llm

# On cores that other workers use, threads of torch spin more than they compute; read at its import.
os.environ.setdefault("OMP_NUM_THREADS", "1")

# How long an example takes says how busy the machine is, and nothing else.
settings.register_profile("tests", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("tests")


def pytest_asyncio_loop_factories(
    item: pytest.Item,
) -> Mapping[str, Callable[[], asyncio.AbstractEventLoop]]:
    """Run the tests of a module on the event loop that it names as LOOP, else on asyncio's own."""
    module = item.getparent(pytest.Module)
    assert module is not None
    factory = getattr(module.obj, "LOOP", asyncio.new_event_loop)
    return {factory.__name__: factory}


@pytest.fixture
def openai_server() -> Iterator[Callable[..., OpenAIServer]]:
    """Starts OpenAI-compatible servers with the given options; they end with the test."""
    with ExitStack() as running:
        yield lambda **options: running.enter_context(OpenAIServer(**options))


@pytest.fixture
def ollama_server() -> Iterator[Callable[..., OllamaServer]]:
    """Starts Ollama servers with the given options; they end with the test."""
    with ExitStack() as running:
        yield lambda **options: running.enter_context(OllamaServer(**options))


@pytest.fixture
def gemini_server() -> Iterator[Callable[..., GeminiServer]]:
    """Starts Gemini servers with the given options; they end with the test."""
    with ExitStack() as running:
        yield lambda **options: running.enter_context(GeminiServer(**options))


@pytest.fixture(scope="session")
def real_llm() -> Iterator[Child]:
    """A real small language model behind llama.cpp's server; skips where it is not installed."""
    if missing():
        pytest.skip(missing())
    with serve_real_llm() as server:
        yield server


@pytest.fixture(scope="session")
def smollm2(request: pytest.FixtureRequest) -> str:
    """The same model as a Hugging Face folder, kept in pytest's cache; skips like `real_llm`."""
    if missing():
        pytest.skip(missing())
    pytest.importorskip("transformers")
    pytest.importorskip("gguf")
    folder = Path(request.config.cache.mkdir("smollm2-135m-bfloat16"))
    convert(folder)
    return str(folder)


@pytest.fixture
def run_script() -> Callable[..., scripting.Finished]:
    """Runs a script by its path from the repository root; see `tests.in_process.run_script`."""
    return in_process.run_script


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder of real benchmark files, which are not part of the project; skips without it."""
    beside = scripting.ROOT.parent / "shared" / "data"
    folder = Path(os.environ.get("BANGLAHALLUEVAL_DATA", beside))
    if not folder.is_dir():
        pytest.skip("needs the benchmark's files: set BANGLAHALLUEVAL_DATA to their folder")
    return folder


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Keep the garbage collector from what stays to the end: the tests and all they import.

    Going through those 700,000 objects again and again took a sixth of all time.
    """
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with the files that take long, so that no worker is left with one at the end."""
    slow = (
        *("test_readme", "harnesses/test_", "models/test_huggingface.py", "test_generate"),
        *("scoring/rows", "scoring/page", "test_page_work", "test_page_layout"),
        *("test_kill_and_resume", "models/test_bodies", "evidence/test_measured"),
        *("evidence/test_scaling", "test_blinding", "annotation/test_page.py", "test_marking"),
        *("mitigation/test_study", "test_killing", "scripts/test_real", "abstention/test_bangla"),
        *("abstention/test_gemhall", "scripts/test_environment", "labelling/test_kills"),
        *("spans/training", "spans/building", "scoring/", "audit/", "scripts/", "annotation/"),
    )
    items.sort(
        key=lambda item: next((n for n, s in enumerate(slow) if s in item.nodeid), len(slow))
    )


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Where all is installed, a skipped test is a failure, but for absent benchmark files."""
    if not os.environ.get("BANGLAHALLUEVAL_NO_SKIPS"):
        return
    reporter = session.config.pluginmanager.getplugin("terminalreporter")
    if reporter is None:  # one of several worker processes; the one that reports sees them all
        return
    skipped = [report for report in reporter.stats.get("skipped", ()) if _counts(report)]
    for report in skipped:
        reporter.write_line(f"skipped, but should have run: {report.nodeid}: {report.longrepr}")
    if skipped:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def _counts(report: pytest.TestReport | pytest.CollectReport) -> bool:
    return "BANGLAHALLUEVAL_DATA" not in str(report.longrepr)
