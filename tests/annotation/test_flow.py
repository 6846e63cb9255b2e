"""The whole way: draw, label three pages in a browser, agree, adjudicate, gold."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Page, expect

from banglahallueval.io.tables import read_frame
from tests.annotation.using_page import forget, reload
from tests.scripting import Finished


def label(page: Page, answers: list[str], reload_after: int) -> None:
    for place, answer in enumerate(answers):
        if place == reload_after:
            reload(page)
            expect(page.locator("#bar")).to_have_js_property("value", place)
        page.keyboard.press(answer[0])
        page.keyboard.press("ArrowRight")


def export(page: Page, folder: Path) -> Path:
    with page.expect_download() as download:
        page.click("#export")
    path = folder / download.value.suggested_filename
    download.value.save_as(path)
    return path


def test_from_samples_to_gold(
    run_script: Callable[..., Finished], open_page: Callable[[Path], Page], tmp_path: Path
) -> None:
    """Three annotators and an adjudicator label with keys; reloads and imports change nothing."""
    study, exports, out = tmp_path / "pilot", tmp_path / "exports", tmp_path / "out"
    names = ("asha", "bithi", "mitu")
    done = run_script(
        *("annotation/draw_sample.py", "--output-dir", study, "--annotators", ",".join(names)),
        *("--samples", "--fill", "--several-per-source", "--forms", "summarization"),
        *("--summarization", 9, 3),
    )
    assert done.code == 0, done.err
    expected = read_frame(study / "lead" / "keys" / "summarization.csv")["expected"].tolist()
    split = expected.copy()
    split[4] = {"yes": "no", "no": "yes"}[split[4]]
    page = open_page(study / "annotators" / "asha" / "summarization.html")
    page.on("dialog", lambda dialog: dialog.accept())
    files = []
    for name in names:
        page.goto((study / "annotators" / name / "summarization.html").as_uri())
        label(page, split if name == "mitu" else expected, reload_after=5)
        files.append(export(page, exports))
    forget(page, "local", "database")
    page.set_input_files("#file", files[2])
    expect(page.locator("#bar")).to_have_js_property("value", 12)
    again, before = (read_frame(path) for path in (export(page, tmp_path), files[2]))
    assert again.drop(columns="seconds").equals(before.drop(columns="seconds"))

    done = run_script("annotation/agreement.py", *files, "--study", study, "--output-dir", out)
    assert done.code == 0, done.out + done.err
    (summary,) = read_frame(out / "summarization_agreement.csv").to_dict("records")
    assert (summary["complete"], summary["unanimous"]) == ("12", "11")

    script = ("annotation/adjudicate.py", *files, "--study", study, "--output-dir", out)
    done = run_script(*script, "--adjudicator", "rina", "--show-votes")
    assert "1 of 12 items to decide" in done.out
    page.goto((out / "summarization_rina.html").as_uri())
    assert page.locator("#votes li").count() == 3
    assert "mitu" not in page.inner_text("#votes")
    page.keyboard.press(expected[4][0])
    done = run_script(*script, "--adjudicated", export(page, exports))
    assert done.code == 0, done.out + done.err
    gold = read_frame(out / "summarization_gold.csv")
    assert gold["is_hallucinated"].tolist() == expected
    assert gold["is_hallucinated_by"].tolist().count("adjudicated") == 1
