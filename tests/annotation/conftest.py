"""A browser, and studies to label in it."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Literal, TypedDict, Unpack

import pytest
from playwright.sync_api import (
    Browser,
    BrowserContext,
    Page,
    Playwright,
    ViewportSize,
    expect,
    sync_playwright,
)

from banglahallueval.annotation import commands
from banglahallueval.annotation.forms import FORMS, FormName, Sheet, blind_ids
from banglahallueval.annotation.page import build_page
from banglahallueval.io.tables import read_frame
from tests.annotation.calling import QA, Call, Command
from tests.browsing import FLAGS, chromium_path
from tests.clock import GUARD
from tests.in_process import ended
from tests.scripting import Finished

# Not a limit: only against hanging.
expect.set_options(timeout=1000 * GUARD)


class BrowserOptions(TypedDict, total=False):
    """Settings of a browser that tests choose."""

    locale: str
    accept_downloads: bool
    viewport: ViewportSize
    has_touch: bool
    is_mobile: bool
    color_scheme: Literal["light", "dark"]
    java_script_enabled: bool


@pytest.fixture(scope="module")
def playwright() -> Iterator[Playwright]:
    """Playwright, driving the system's Chromium; not for long, for it occupies the event loop."""
    with sync_playwright() as running:
        yield running


@pytest.fixture(scope="module")
def chromium(playwright: Playwright) -> Iterator[Browser]:
    """A running Chromium; starting one costs more than most of what is done in it."""
    launched = playwright.chromium.launch(executable_path=chromium_path(), args=[*FLAGS])
    yield launched
    launched.close()


@pytest.fixture
def browser(chromium: Browser) -> Iterator[Callable[..., BrowserContext]]:
    """Opens Chromium as a new user, who has stored nothing; forgotten with the test."""
    opened: list[BrowserContext] = []

    def start(**options: Unpack[BrowserOptions]) -> BrowserContext:
        context = chromium.new_context(offline=True, **options)
        context.set_default_timeout(1000 * GUARD)
        opened.append(context)
        return context

    yield start
    for context in opened:
        context.close()


@pytest.fixture
def lasting_browser(
    playwright: Playwright, tmp_path: Path
) -> Iterator[Callable[..., BrowserContext]]:
    """Starts Chromium on one profile: closed and started again, it remembers what it stored."""
    opened: list[BrowserContext] = []

    def start(**options: Unpack[BrowserOptions]) -> BrowserContext:
        context = playwright.chromium.launch_persistent_context(
            tmp_path / "profile",
            executable_path=chromium_path(),
            args=["--headless", *FLAGS],
            offline=True,
            timeout=1000 * GUARD,
            **options,
        )
        context.set_default_timeout(1000 * GUARD)
        opened.append(context)
        return context

    yield start
    for context in opened:
        context.close()


@pytest.fixture
def write_page(tmp_path: Path) -> Callable[..., Path]:
    """Writes the page of a form with some items; texts can be given for the first."""

    def write(
        name: FormName = "qa",
        items: int = 3,
        annotator: str = "asha",
        *,
        asks_spans: bool = False,
        **texts: str,
    ) -> Path:
        form = FORMS[name]
        rows = [
            (blind_id, {field.name: f"{field.name} {place}" for field in form.fields})
            for place, blind_id in enumerate(blind_ids(form, items))
        ]
        rows[0][1].update(texts)
        path = tmp_path / f"{name}_{annotator}.html"
        sheet = Sheet("pilot", form, rows, asks_spans)
        path.write_text(build_page(sheet, annotator), encoding="utf-8")
        return path

    return write


@pytest.fixture
def open_page(browser: Callable[..., BrowserContext]) -> Iterator[Callable[[Path], Page]]:
    """Opens a file in a new browser window; whatever its script throws fails the test."""
    errors: list[str] = []

    def open_file(path: Path) -> Page:
        page = browser(locale="en-GB", accept_downloads=True).new_page()
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.on("console", lambda line: errors.append(line.text) if line.type == "error" else None)
        page.goto(path.as_uri())
        return page

    yield open_file
    assert errors == []


@pytest.fixture
def call(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Call:
    """Calls a command from a folder that holds a study and files that are unfit for anything."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "folder").mkdir()
    (tmp_path / "file").write_text("x", encoding="utf-8")
    (tmp_path / "empty.csv").touch()
    (tmp_path / "bytes.csv").write_bytes(b"blind_id\n\xff\n")
    (tmp_path / "other.csv").write_text("blind_id,x\nqa-001,1\n", encoding="utf-8")
    (tmp_path / "twice.csv").write_text("blind_id,track\n" + 2 * "qa-001,main\n", encoding="utf-8")

    def run(command: Command, *args: object) -> Finished:
        return ended(capsys, lambda: command("Doc.", [str(arg) for arg in args]))

    return run


@pytest.fixture(scope="module")
def drawn(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A study of nine QA items, and the filled spreadsheets of two annotators beside it."""
    folder = tmp_path_factory.mktemp("drawn")
    names = ("asha", "bithi")
    options = ("--annotators", ",".join(names), "--format", "csv", *QA)
    assert commands.draw_sample("Doc.", ["--output-dir", str(folder / "pilot"), *options]) == 0
    for name in names:
        sheet = read_frame(folder / "pilot" / "annotators" / name / "qa.csv")
        sheet.assign(is_hallucinated="yes").to_csv(folder / f"{name}.csv", index=False)
    return folder


@pytest.fixture
def study(drawn: Path, tmp_path: Path) -> Path:
    """A copy of the study, and of the spreadsheets beside it."""
    shutil.copytree(drawn, tmp_path, dirs_exist_ok=True)
    return tmp_path / "pilot"
