"""Few-shot prompts: which examples are shown, and that none shares a source with what is judged."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from banglahallueval.errors import UsageError
from banglahallueval.io.examples import ExampleOptions, draw_examples
from banglahallueval.io.tables import writing
from banglahallueval.labelling.few_shot import with_drawn
from banglahallueval.prompts import load
from banglahallueval.tasks import TASKS, Item, TaskName
from tests.labelling.conftest import Call
from tests.scripting import ROOT
from tests.servers.answers import always
from tests.servers.openai_server import OpenAIServer


def pool(folder: Path, sources: int) -> tuple[Path, ...]:
    """Files of both tracks: per source a right answer r0, … and a wrong one w0 and so on."""
    files = (folder / "pool_main.csv", folder / "pool_candidates.csv")
    for path, column, mark in zip(
        files, ("correct_answer", "hallucinated_answer"), "rw", strict=True
    ):
        with writing(path, ("context", "question", column)) as writer:
            for n in range(sources):
                writer.writerow([f"প্রসঙ্গ {n}।", "কী?", f"{mark}{n}"])
    return files


def test_examples_look_like_the_item_with_their_label(tmp_path: Path) -> None:
    """What follows the slot is filled for each example, and the right label stands below it."""
    options = ExampleOptions(2, files=pool(tmp_path, 6))
    examples, record = draw_examples("qa", options, [])
    filled = load("qa.few_shot", "qa").with_examples(examples, record)
    text = filled.fill(Item("qa", "কে?", "মূল {examples}", "{question}"))
    for item, label in examples:
        block = f"Context: {item.context}\nQuestion: কী?\nModel answer: {item.output}\n"
        assert f"{block}\nAnswer now:\n{label}\n\n" in text
        assert label == {"r": "no", "w": "yes"}[item.output[0]]
    assert text.endswith(
        "Context: মূল {examples}\nQuestion: কে?\nModel answer: {question}\n\nAnswer now:"
    )
    assert filled.size == len(filled.text) + len(filled.examples.text if filled.examples else "")


@given(
    judged=st.sets(st.integers(0, 11), max_size=8),
    shots=st.integers(1, 4),
    seed=st.integers(0, 9),
)
def test_no_source_is_shared(
    tmp_path_factory: pytest.TempPathFactory, judged: set[int], shots: int, seed: int
) -> None:
    """Whatever is judged, examples are of other sources, each of one of its own, both labels."""
    options = ExampleOptions(shots, seed, pool(tmp_path_factory.mktemp("pool"), 12))
    items = [Item("qa", "", f"প্রসঙ্গ  {n}", "") for n in judged]
    examples, _ = draw_examples("qa", options, items)
    sources = [int(item.output[1:]) for item, _ in examples]
    assert len(set(sources)) == shots
    assert not set(sources) & judged
    assert sorted(label for _, label in examples).count("yes") == shots // 2
    assert (examples, _) == draw_examples("qa", options, items)


def test_too_few_sources_are_an_error(tmp_path: Path) -> None:
    options = ExampleOptions(4, files=pool(tmp_path, 3))
    with pytest.raises(UsageError, match=r"only 3 of 4 examples .* lower --shots"):
        draw_examples("qa", options, [])


def test_what_is_no_example_is_not_shown(tmp_path: Path) -> None:
    """Fault: blank candidates, and flagged ones that may be right, were shown as hallucinated."""
    main, _ = pool(tmp_path, 4)
    made = tmp_path / "made.csv"
    with writing(
        made, ("context", "question", "hallucinated_answer", "generator", "checks")
    ) as writer:
        writer.writerow(["প্রসঙ্গ ৫।", "কী?", "", "m", "same as gold"])
        writer.writerow(["প্রসঙ্গ ৬।", "কী?", "w6", "m", "too long"])
        writer.writerow(["প্রসঙ্গ ৭।", "কী?", " ", "m", "ok"])
        writer.writerow(["প্রসঙ্গ ৮।", "কী?", "w8", "m", "ok"])
    examples, _ = draw_examples("qa", ExampleOptions(2, files=(main, made)), [])
    assert [item.output for item, label in examples if label == "yes"] == ["w8"]
    with pytest.raises(UsageError, match="only 3 of 4 examples"):
        draw_examples("qa", ExampleOptions(4, files=(main, made)), [])


def test_a_contrast_set_without_a_label_makes_none_up(tmp_path: Path) -> None:
    """Fault: a row whose `expected` was blank was shown as hallucinated."""
    path = tmp_path / "contrast.csv"
    with writing(path, ("context", "question", "answer", "expected", "kind", "style")) as writer:
        writer.writerow(["প্রসঙ্গ।", "কী?", "ক", "", "", ""])
    with pytest.raises(UsageError, match=r"row 1: expected is ''; make it yes or no"):
        draw_examples("qa", ExampleOptions(1, files=(path,)), [])


@pytest.mark.parametrize("task", TASKS)
def test_every_task_has_examples_of_the_half_for_fitting(task: TaskName) -> None:
    """By default they are the contrast set's, which shares nothing with the benchmark."""
    prompt = load(f"{task}.few_shot", task)
    sample = ROOT / TASKS[task].samples["candidates"]
    filled = with_drawn(prompt, task, ExampleOptions(), [sample])
    assert filled.examples is not None
    labels = filled.examples.text.split("\n")
    assert (labels.count("yes"), labels.count("no")) == (2, 2)
    other = with_drawn(prompt, task, ExampleOptions(seed=7), [sample])
    assert other.identity() != filled.identity()


def test_a_run_records_its_examples_and_is_not_mixed_with_others(
    call: Call, tmp_path: Path, openai_server: type[OpenAIServer]
) -> None:
    """The record names files, seed and number; another draw under one output is refused."""
    server = openai_server(answer=always("no"))
    given = [
        "--judge", "openai", "--model", "m", "--base-url", server.url, "--prompt", "qa.few_shot",
    ]  # fmt: skip
    assert call(*given, "--end", 4, "--shots", 2).code == 0
    record = json.loads((tmp_path / "out.csv.run.json").read_text(encoding="utf-8"))
    shown = record["judge"]["prompt"]["examples"]
    assert (shown["shots"], shown["seed"]) == (2, 42)
    assert [each["name"] for each in shown["files"]] == ["qa_contrast.csv"]
    other = call(*given, "--resume", "--shots", 2, "--seed", 7)
    assert other.code == 2
    assert "this run has another text or other examples of qa.few_shot" in other.err
    assert call(*given, "--resume", "--shots", 2).code == 0
    prompts = {seen.prompt.partition("Examples")[0] for seen in server.requests if seen.body}
    assert len(prompts) == 1
    done = call("--judge", "openai", "--model", "m", "--shots", 2, "--overwrite")
    assert done.code == 2
    assert "add --prompt TASK.few_shot" in done.err
    done = call("--judge", "openai", "--model", "m", "--seed", 7, "--overwrite")
    assert done.code == 2
    assert "--seed: for few-shot prompts only" in done.err
