"""The sections of report.html, read by a browser as a reviewer would."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from banglahallueval.errors import UsageError
from banglahallueval.io.records import write_record
from banglahallueval.io.tables import writing
from banglahallueval.scoring.report_command import report
from banglahallueval.scoring.sections import Section
from banglahallueval.vision.commands import hal_eval
from banglahallueval.vision.data import read_items
from banglahallueval.vision.generative.results import COLUMNS, KIND, cells_of
from banglahallueval.vision.generative.types import Description, Judgement, Trial
from banglahallueval.vision.section import find_sections
from tests.browsing import chromium
from tests.scripting import ROOT

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

SAMPLES = ROOT / "Vision" / "samples"
HOSTILE = "</ul></article><script>window.hacked = 1</script><img src=x onerror='hacked=1'>"


def run(*words: object) -> None:
    assert hal_eval("doc", [*map(str, words)]) == 0


def answer_samples(output: Path, name: str = "in_domain", *flags: object) -> None:
    """Score the replies of the samples."""
    run(
        *("discriminative", "--data", SAMPLES / f"{name}.json", "--output", output, "--quiet"),
        *("--predictions", SAMPLES / f"predictions_{name}.csv", *flags),
    )


def describe_samples(output: Path, trials: Sequence[Trial], root: Path | None = SAMPLES) -> None:
    """Write judged descriptions as a run does, with its record and its report."""
    with writing(output, COLUMNS) as writer:
        for trial in trials:
            writer.writerow(cells_of(trial))
    write_record(output, {"format": 1, "kind": KIND, "image_root": str(root) if root else None})
    content = {
        "kind": KIND,
        "about": {"model": "llava (ollama)", "judge": "a judge, who sees the picture"},
        "edges": [20, 80],
        "prompts": {},
    }
    output.with_suffix(".json").write_text(json.dumps(content), encoding="utf-8")


def correlate_samples(output: Path) -> None:
    run(
        *("correlate", "--scores", SAMPLES / "scores.csv", "--human", "human", "--quiet"),
        *("--automatic", "colours", "words", "--source", "image", "--output", output),
    )


def judged() -> list[Trial]:
    """A clean description, a hallucinated one, one without a verdict, and none."""
    items = read_items(SAMPLES / "in_domain.json").items
    return [
        Trial(items[0], "long", Description("A boat."), Judgement("clean")),
        Trial(
            items[1],
            "long",
            Description(f"A bus. {HOSTILE}"),
            Judgement("hallucinated", types=frozenset({"object", "event"})),
        ),
        Trial(items[2], "long", Description("Mangoes."), Judgement("unjudged", "unparsed")),
        Trial(items[3], "long", Description("", "refused"), Judgement("undescribed", "refused")),
    ]


def only(path: Path) -> Section:
    (section,) = find_sections(path)
    return section


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A page of every kind of section."""
    folder = tmp_path_factory.mktemp("vision")
    answer_samples(folder / "colours.csv", "in_domain", "--image-root", SAMPLES)
    answer_samples(folder / "colours_bn.csv", "out_of_domain_bn", "--lang", "bn")
    describe_samples(folder / "long.csv", judged())
    run(
        *("baseline", "--data", SAMPLES / "in_domain.json", "--quiet"),
        *("--output", folder / "baseline.csv"),
    )
    correlate_samples(folder / "agreement.json")
    output = folder / "page" / "report.html"
    assert report("doc", [str(folder), "--output", str(output)], lambda: (find_sections,)) == 0
    return output


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """A fresh chromium without network services."""
    with chromium() as launched:
        yield launched


@pytest.fixture
def page(browser: Browser, written: Path) -> Iterator[Page]:
    """The report opened; it must neither raise nor ask for anything else."""
    opened = browser.new_page()
    requests: list[str] = []
    errors: list[object] = []
    opened.on("request", lambda request: requests.append(request.url))
    opened.on("pageerror", lambda error: errors.append(error))  # its handlers take no built-ins
    opened.goto(written.as_uri())
    yield opened
    assert errors == []
    assert [url for url in requests if not url.startswith(("file://", "data:"))] == []
    opened.close()


def test_pictures_stand_beside_their_captions(page: Page) -> None:
    """Each with its five captions, and all of them are decoded."""
    section = page.locator("section", has_text="Captions of pictures: ").first
    cards = section.locator(".picture")
    assert cards.count() == 10
    assert cards.first.locator("li").count() == 5
    assert "says it matches" in cards.first.inner_text()
    images = section.locator("img")
    assert images.count() == 10
    assert images.evaluate_all("all => all.every(i => i.complete && i.naturalWidth >= 240)")
    assert all(images.evaluate_all("all => all.map(i => i.alt)"))
    assert images.evaluate_all("all => Math.max(...all.map(i => i.src.length))") < 15_000


def test_wrong_answers_come_first(page: Page) -> None:
    """Pictures are ordered by how many answers are wrong."""
    section = page.locator("section", has_text="Captions of pictures: ").first
    wrong = [card.locator(".wrong").count() for card in section.locator(".picture").all()]
    assert wrong[0] == 4
    assert wrong == sorted(wrong, reverse=True)


def test_pictures_without_a_folder_say_so(page: Page) -> None:
    """The Bangla answers were scored without --image-root; their captions are shown."""
    section = page.locator("section", has_text="colours_bn.csv").first
    assert section.locator("img").count() == 0
    assert "not shown: the run had no --image-root" in section.inner_text()
    assert "হারিকেন" in section.inner_text()


def test_text_from_data_is_shown_as_text(page: Page) -> None:
    """Markup in a description is read, never run."""
    section = page.locator("section", has_text="Descriptions of pictures: ").first
    assert section.locator(".picture").first.inner_text().count(HOSTILE) == 1
    assert page.evaluate("window.hacked") is None


@pytest.mark.parametrize("width", [390, 1280])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_everybody_can_read_it(page: Page, width: int, scheme: str) -> None:
    """axe-core finds nothing, on a phone or a desk, by day or night, and nothing is cut off."""
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    page.set_viewport_size({"width": width, "height": 800})
    page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
    page.evaluate("document.querySelectorAll('details').forEach(each => { each.open = true; })")
    assert [found["id"] for found in axe.run(page).response["violations"]] == []
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_descriptions_are_told_in_words(tmp_path: Path) -> None:
    """Who described and judged, and what has no verdict."""
    describe_samples(tmp_path / "long.csv", judged())
    section = only(tmp_path)
    assert section.sentences[0] == (
        "Described by llava (ollama); judged by a judge, who sees the picture."
    )
    assert any("no hallucination in 1 of 2 descriptions" in line for line in section.sentences)
    assert any("2 of 4 got no verdict" in line for line in section.sentences)
    assert section.tables[0].name == "generative"
    shown = section.markup.unescape()
    assert shown.index("A bus.") < shown.index("Mangoes.") < shown.index("A boat.")
    assert "hallucinated: event, object" in shown
    assert "undescribed: refused" in shown


def test_a_section_counts_as_its_run_did(tmp_path: Path) -> None:
    """The positive class and the unparsed policy are those of the run's own tables."""
    answer_samples(
        tmp_path / "a.csv", "in_domain", "--positive", "hallucination", "--unparsed", "wrong"
    )
    section = only(tmp_path / "a.csv")
    assert "Positive class: the caption is hallucinated" in section.tables[0].note
    assert "count as wrong" in section.tables[0].note
    written = json.loads((tmp_path / "a.json").read_text(encoding="utf-8"))
    f1 = [row["f1"] for row in written["tables"]["scores"]["rows"]]
    assert list(section.tables[0].frame["f1"]) == f1


def test_results_without_record_or_report_are_shown(tmp_path: Path) -> None:
    """The rows are enough; what is not known is not said."""
    answer_samples(tmp_path / "a.csv")
    for path in tmp_path.iterdir():
        if path.name != "a.csv":
            path.unlink()
    section = only(tmp_path)
    assert not any("Answered by" in line for line in section.sentences)
    assert len(section.tables[0].frame)


def test_guesses_name_the_best_rule(tmp_path: Path) -> None:
    """Nothing about the samples' captions tells which is true."""
    run(
        *("baseline", "--data", SAMPLES / "in_domain.json", "--quiet"),
        *("--output", tmp_path / "baseline.csv"),
    )
    section = only(tmp_path)
    assert section.title.startswith("Captions guessed without pictures: ")
    assert section.sentences[-1] == (
        "On average over types, the best rule is “majority”: right about 0.500 [0.36, 0.64] of the "
        "captions, without a picture."
    )


def test_correlations_are_told_in_words(tmp_path: Path) -> None:
    """With the coefficient, and whether its interval holds 0."""
    correlate_samples(tmp_path / "agreement.json")
    section = only(tmp_path)
    assert section.title.startswith("Agreement with people: ")
    assert section.sentences == [
        "colours against human: Spearman's ρ 0.506 over 20 pairs; its interval lies on one side "
        "of 0.",
        "words against human: Spearman's ρ -0.453 over 20 pairs; its interval holds 0.",
    ]
    assert section.record["input"]["rows"] == 20


def test_undefined_correlations_are_told_with_their_reason(tmp_path: Path) -> None:
    """A constant column correlates with nothing."""
    (tmp_path / "scores.csv").write_text("a,human\n1,2\n1,3\n", encoding="utf-8")
    run(
        *("correlate", "--scores", tmp_path / "scores.csv", "--human", "human", "--quiet"),
        *("--automatic", "a", "--output", tmp_path / "agreement.json"),
    )
    assert only(tmp_path).sentences == ["a against human: undefined, as a is constant."]


def test_damaged_tables_are_named(tmp_path: Path) -> None:
    """Of correlations, as of answers."""
    correlate_samples(tmp_path / "agreement.json")
    content = json.loads((tmp_path / "agreement.json").read_text(encoding="utf-8"))
    del content["tables"]["correlation"]["rows"][0]["human"]
    (tmp_path / "agreement.json").write_text(json.dumps(content), encoding="utf-8")
    with pytest.raises(UsageError, match=r"agreement\.json is damaged; make it anew with"):
        find_sections(tmp_path)


def test_damaged_results_are_named(tmp_path: Path) -> None:
    """Their file and row stand in the message."""
    answer_samples(tmp_path / "a.csv")
    text = (tmp_path / "a.csv").read_text(encoding="utf-8")
    (tmp_path / "a.csv").write_text(text.replace("relation", "relative", 1), encoding="utf-8")
    with pytest.raises(UsageError, match=r"a\.csv, row 2: kind 'relative' is none of"):
        find_sections(tmp_path)


def test_other_files_are_left_to_others(tmp_path: Path) -> None:
    """Data, predictions and labelled files are no results."""
    (tmp_path / "broken.json").write_text('{"kind": "vision correlation", ', encoding="utf-8")
    (tmp_path / "empty.csv").write_text("", encoding="utf-8")
    assert find_sections(tmp_path) == []
    assert find_sections(SAMPLES) == []
