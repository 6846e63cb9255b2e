"""A study from drawing to gold files, through the scripts, on the committed samples."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree as ET

import pandas as pd
import pytest
import regex

from banglahallueval.io.tables import read_frame
from tests.scripting import Finished

Run = Callable[..., Finished]
ALL = ("--samples", "--fill", "--several-per-source")


@pytest.fixture
def study(run_script: Run, tmp_path: Path) -> Path:
    folder = tmp_path / "pilot"
    done = run_script(
        "annotation/draw_sample.py",
        *("--output-dir", folder, "--annotators", "asha,bithi,mitu", "--format", "csv", *ALL),
        *("--forms", "qa", "reasoning", "--qa", 12, 6, "--reasoning", 10, 4),
    )
    assert done.code == 0, done.err
    return folder


def label(study: Path, form: str, wrong: dict[str, list[int]]) -> list[str]:
    """Fills spreadsheets with the expected labels, except at the places given."""
    key = read_frame(study / "lead" / "keys" / f"{form}.csv")
    paths = []
    for name in ("asha", "bithi", "mitu"):
        path = study / "annotators" / name / f"{form}.csv"
        sheet = read_frame(path)
        answers = key["expected"].tolist()
        for place in wrong.get(name, []):
            answers[place] = {"yes": "no", "no": "yes"}[answers[place]]
        sheet.assign(is_hallucinated=answers).to_csv(path, index=False, encoding="utf-8-sig")
        paths.append(str(path))
    return paths


def test_annotators_get_nothing_that_reveals_a_track(study: Path) -> None:
    """What is sent holds no id, pattern, track, source file or column of the key."""
    key = read_frame(study / "lead" / "keys" / "qa.csv")
    for path in (study / "annotators").rglob("*.*"):
        text = path.read_text(encoding="utf-8-sig")
        revealing = {*key["id"], *key["pattern"], *key["file"], "candidates", "expected", "####"}
        # An id as short as 001 is part of any blind id.
        assert [word for word in revealing if len(word) > 3 and word in text] == []


def test_the_page_holds_nothing_that_reveals_a_track(run_script: Run, tmp_path: Path) -> None:
    """The same is true of the pages' source."""
    options = ("--output-dir", tmp_path / "s", *ALL, "--forms", "qa", "--qa", 12, 6)
    assert run_script("annotation/draw_sample.py", *options).code == 0
    key = read_frame(tmp_path / "s" / "lead" / "keys" / "qa.csv")
    text = (tmp_path / "s" / "annotators" / "annotator1" / "qa.html").read_text(encoding="utf-8")
    data = text.partition('id="data">')[2].partition("</script>")[0]
    for column in ("id", "pattern", "file", "track"):
        assert [value for value in key[column] if len(value) > 3 and value in data] == []


def test_the_manifest_traces_the_sample(study: Path) -> None:
    """Seed, counts, shortfalls and the inputs' SHA-256 are recorded."""
    manifest = json.loads((study / "lead" / "manifest.json").read_text(encoding="utf-8"))
    qa = manifest["forms"]["qa"]
    assert manifest["seed"] == 42
    assert qa["items"] == 18 == sum(qa["strata"].values())
    assert qa["strata"]["gold"] == 6
    assert all(len(digest) == 64 for digest in qa["inputs"].values())
    assert len(qa["inputs"]) == 2


def written_bytes(folder: Path) -> dict[str, bytes]:
    """Every file of a study by its name, without the time of the draw in the manifest."""
    files = {path.relative_to(folder).as_posix(): path for path in folder.rglob("*.*")}
    contents = {name: path.read_bytes() for name, path in files.items()}
    manifest = contents["lead/manifest.json"]
    contents["lead/manifest.json"] = regex.sub(rb'"drawn": "[^"]+"', b"", manifest)
    return contents


def test_two_draws_with_one_seed_write_the_same_bytes(run_script: Run, tmp_path: Path) -> None:
    """Nothing of the process that draws gets into a file.

    Regression: pages held `<built-in method keys of dict object at 0x...>`, another each time.
    """
    studies = []
    for name in ("first", "second"):
        folder = tmp_path / name / "pilot"
        done = run_script(
            *("annotation/draw_sample.py", "--output-dir", folder, *ALL),
            *("--annotators", "asha,bithi", "--format", "html", "csv", "label-studio"),
            *("--qa", 6, 3, "--summarization", 6, 3, "--reasoning", 5, 2, "--codemix", 4, 2),
            *("--conversion", 3),
        )
        assert done.code == 0, done.err
        studies.append(written_bytes(folder))
    assert studies[0] == studies[1]
    assert len(studies[0]) == 5 * (1 + 1 + 2 * 4) + 1
    assert not [name for name, content in studies[0].items() if b" at 0x" in content]


def test_a_study_is_not_overwritten_by_accident(run_script: Run, study: Path) -> None:
    """Drawing into a study's folder again is refused without --overwrite."""
    done = run_script("annotation/draw_sample.py", "--output-dir", study, *ALL)
    assert done.code == 2
    assert "holds a study already" in done.err
    assert "Traceback" not in done.err


def test_agreement_of_a_study(run_script: Run, study: Path, tmp_path: Path) -> None:
    """Three spreadsheets give κ, items, the key's rates and a judge's, by the human majority."""
    files = label(study, "qa", {"asha": [0], "bithi": [1], "mitu": [1]})
    judge = tmp_path / "judged.csv"
    key = read_frame(study / "lead" / "keys" / "qa.csv")
    pd.DataFrame(
        {
            "task": "qa",
            "track": key["track"],
            "judge": "always-yes",
            **{name: key[name] for name in ("context", "question")},
            "model_answer": key["output"],
            "is_hallucinated": "yes",
        }
    ).to_csv(judge, index=False)
    out = tmp_path / "out"
    done = run_script(
        *("annotation/agreement.py", *files, "--study", study),
        *("--judges", judge, "--output-dir", out),
    )
    assert done.code == 0, done.out + done.err
    (summary,) = read_frame(out / "qa_agreement.csv").to_dict("records")
    assert (summary["complete"], summary["unanimous"]) == ("18", "16")
    assert float(summary["exact"]) == pytest.approx((16 + 2 / 3) / 18)
    items = read_frame(out / "qa_is_hallucinated_items.csv")
    assert items["majority"].tolist()[0] == items["expected"][0]
    assert items["majority"].tolist()[1] != items["expected"][1]
    assert items["unanimous"].tolist()[:3] == ["no", "no", "yes"]
    key_row, judge_row = read_frame(out / "qa_against_humans.csv").to_dict("records")
    assert (key_row["labels_of"], judge_row["labels_of"]) == ("the key", "always-yes")
    assert float(key_row["accuracy"]) == pytest.approx(17 / 18)
    assert float(judge_row["bhs"]) == 50
    yes = (items["majority"] == "yes").sum()
    assert float(judge_row["accuracy"]) == pytest.approx(yes / 18)


def test_missing_labels_are_reported_and_set_the_exit_status(
    run_script: Run, study: Path, tmp_path: Path
) -> None:
    """An annotator who left items blank is named with them; the status is 1."""
    files = label(study, "qa", {})
    sheet = read_frame(files[0])
    sheet.loc[[2, 5], "is_hallucinated"] = ""
    sheet.to_csv(files[0], index=False)
    done = run_script("annotation/agreement.py", *files, "--output-dir", tmp_path / "out")
    assert done.code == 1
    assert "asha: 2 missing: qa-003, qa-006" in done.out
    assert len(read_frame(tmp_path / "out" / "qa_problems.csv")) == 2


def test_adjudication_ends_in_a_gold_file(run_script: Run, study: Path, tmp_path: Path) -> None:
    """Only split items go to the adjudicator; undecided ones stay unknown; decisions count."""
    files = label(study, "reasoning", {"asha": [3], "mitu": [7]})
    out = tmp_path / "out"
    script = ("annotation/adjudicate.py", *files, "--study", study, "--output-dir", out)
    done = run_script(*script)
    assert "reasoning: 2 of 14 items to decide" in done.out
    page = (out / "reasoning_adjudicator.html").read_text(encoding="utf-8")
    assert "reasoning-004" in page
    assert "reasoning-005" not in page
    decided = tmp_path / "decided.csv"
    decided.write_text("blind_id,is_hallucinated\nreasoning-004,yes\n", encoding="utf-8")
    done = run_script(*script, "--adjudicated", decided)
    assert done.code == 1
    assert "1 labels are undecided" in done.err
    gold = read_frame(out / "reasoning_gold.csv").set_index("blind_id")
    assert gold.loc["reasoning-004", "is_hallucinated"] == "yes"
    assert gold.loc["reasoning-004", "is_hallucinated_by"] == "adjudicated"
    assert gold.loc["reasoning-008", "is_hallucinated"] == "unknown"
    assert (gold["is_hallucinated_by"] == "unanimous").sum() == 12


def test_conversion_and_model_outputs_are_drawn(run_script: Run, tmp_path: Path) -> None:
    """Forms without tracks: conversions never share a source with codemix; models are balanced."""
    answers = tmp_path / "answers.csv"
    pd.DataFrame(
        {
            "question": [f"প্রশ্ন {n}" for n in range(20)],
            "correct_answer": [f"উত্তর {n}" for n in range(20)],
            "gemma_answer": [f"ক {n}" for n in range(20)],
            "qwen_answer": [f"খ {n}" for n in range(19)] + ["Error: 500"],
        }
    ).to_csv(answers, index=False)
    folder = tmp_path / "s"
    done = run_script(
        *("annotation/draw_sample.py", "--output-dir", folder, "--samples", "--fill"),
        *("--forms", "codemix", "conversion", "model_outputs", "--answers", answers),
        *("--codemix", 4, 2, "--conversion", 5, "--model-outputs", 10, "--format", "csv"),
    )
    assert done.code == 0, done.err
    assert "model_outputs: 1 rows left out: the model failed" in done.out
    models = read_frame(folder / "lead" / "keys" / "model_outputs.csv")["pattern"]
    assert models.value_counts().to_dict() == {"gemma": 5, "qwen": 5}
    sheets = folder / "lead" / "sheets"
    contexts = set(read_frame(sheets / "codemix.csv")["context"])
    assert not contexts & set(read_frame(sheets / "conversion.csv")["codemix_context"])
    shown = (folder / "annotators" / "annotator1" / "model_outputs.csv").read_text("utf-8-sig")
    assert "gemma" not in shown
    assert "qwen" not in shown


def test_label_studio_gets_tasks_and_a_configuration(run_script: Run, tmp_path: Path) -> None:
    """Each text of the configuration is in each task, and each column of ours is a control."""
    options = ("--output-dir", tmp_path, *ALL, "--forms", "conversion", "--conversion", 3)
    done = run_script("annotation/draw_sample.py", *options, "--format", "label-studio")
    assert done.code == 0, done.err
    folder = tmp_path / "annotators" / "annotator1"
    tasks = json.loads((folder / "conversion_label_studio.json").read_text(encoding="utf-8"))
    view = ET.fromstring((folder / "conversion_label_studio.xml").read_text(encoding="utf-8"))
    shown = {tag.attrib["value"][1:] for tag in view.iter("Text")}
    assert len(tasks) == 3
    assert all(shown <= set(task["data"]) for task in tasks)
    controls = {tag.attrib["name"] for tag in view.iter() if "toName" in tag.attrib}
    assert controls == {"meaning_preserved", "naturalness_1to5", "unsure", "note"}
    hotkeys = [tag.attrib["hotkey"] for tag in view.iter("Choice")]
    assert hotkeys == ["y", "n", "1", "2", "3", "4", "5", "u"]


def test_a_spreadsheet_runs_no_formula(run_script: Run, tmp_path: Path) -> None:
    """An item that begins like a formula is written as text into spreadsheets."""
    answers = tmp_path / "a.csv"
    rows = {"question": ["=1+1"], "correct_answer": ["২"], "model_answer": ['=HYPERLINK("x")']}
    pd.DataFrame(rows).to_csv(answers, index=False)
    done = run_script(
        *("annotation/draw_sample.py", "--output-dir", tmp_path / "s", "--format", "csv"),
        *("--forms", "model_outputs", "--answers", answers, "--model-outputs", 1),
    )
    assert done.code == 0, done.err
    cells = read_frame(tmp_path / "s" / "annotators" / "annotator1" / "model_outputs.csv").iloc[0]
    assert not [cell for cell in cells if cell.startswith(("=", "+", "-", "@"))]


def test_check_blinding_exit_status(run_script: Run, tmp_path: Path) -> None:
    """A sheet whose candidates are all longer ends in status 1, naming the length."""
    ids = [f"qa-{n:03}" for n in range(40)]
    texts = {"context": [f"অনুচ্ছেদ {n}" for n in range(40)], "question": "কী?"}
    answers = ["নদী " * (8 if n % 2 else 1) for n in range(40)]
    pd.DataFrame({"blind_id": ids, **texts, "answer": answers}).to_csv(
        tmp_path / "qa.csv", index=False
    )
    tracks = ["hallucinated" if n % 2 else "gold" for n in range(40)]
    pd.DataFrame({"blind_id": ids, "split": tracks}).to_csv(tmp_path / "key.csv", index=False)
    done = run_script(
        *("annotation/check_blinding.py", "--sheet", tmp_path / "qa.csv"),
        *("--key", tmp_path / "key.csv"),
    )
    assert done.code == 1
    assert "THE TRACK LEAKS; strongest features: length" in done.out


def test_a_wrong_seed_ends_in_one_line(run_script: Run, tmp_path: Path) -> None:
    """A wrong call of a script says what is wrong and leaves nothing behind.

    Regression: `--seed -1` ended in a traceback of NumPy's.
    """
    for script in ("draw_sample.py", "check_blinding.py"):
        args = ("--output-dir", tmp_path / "s") if script == "draw_sample.py" else (tmp_path,)
        done = run_script(f"annotation/{script}", *args, "--seed", "-1")
        assert done.code == 2
        assert "--seed: '-1' is not a whole number from 0" in done.err
        assert "Traceback" not in done.err
    assert not (tmp_path / "s").exists()
