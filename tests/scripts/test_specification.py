"""The specification's commands run as printed; every script takes every shared flag."""

from __future__ import annotations

import shlex
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from banglahallueval.io import paths
from banglahallueval.tasks import TASKS, TRACKS
from tests.in_process import run_script
from tests.scripting import ROOT, Finished
from tests.scripts.rows import column, record
from tests.servers.ollama_server import OllamaServer
from tests.servers.openai_server import OpenAIServer

Printed = Callable[..., Finished]

SCRIPTS = sorted(
    str(path.relative_to(ROOT))
    for folder, pattern in (
        ("scripts", "label*.py"),
        ("scripts", "evaluate*.py"),
        ("Codemix", "label*.py"),
    )
    for path in (ROOT / folder).glob(pattern)
    # A study, of several judges and prompts in one call; and scores, for which nothing is asked.
    if path.name not in ("evaluate_sampled.py", "evaluate_spans.py")
)
SHARED_FLAGS = [
    "--input", "--output", "--model", "--start", "--end", "--resume", "--overwrite",
    "--force-binary", "--limit", "--concurrency", "--rpm-limit", "--max-retries", "--timeout",
    "--prompt", "--columns", "--max-tokens", "--store", "--fresh", "--dry-run", "--quiet",
]  # fmt: skip
MODELS = (
    "qwen2.5:32b-instruct", "qwen2.5:32b", "gemma2:27b", "mistral-nemo:latest", "llama3.1:8b",
    "deepseek-r1:14b",
)  # fmt: skip


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A checkout whose published files are there: the samples under the published names."""
    top = tmp_path_factory.mktemp("checkout")
    for folder in ("scripts", "Codemix"):
        shutil.copytree(ROOT / folder, top / folder, ignore=shutil.ignore_patterns("Results"))
    for task in TASKS.values():
        for track in TRACKS:
            target = top / task.files[track]
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / task.samples[track], target)
    return top


@pytest.fixture(scope="module")
def environment(tree: Path) -> Iterator[dict[str, str]]:
    """Loopback servers under the environment variables that the scripts read."""
    with OpenAIServer() as openai, OllamaServer(models=MODELS) as ollama:
        yield {
            "OPENAI_BASE_URL": openai.url,
            "OLLAMA_BASE_URL": ollama.url,
        }


@pytest.fixture
def as_printed(
    tree: Path, environment: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> Callable[[str], Finished]:
    """Runs a command line from the top of the checkout, which the package takes for its own."""
    monkeypatch.setattr(paths, "__file__", str(tree / "banglahallueval/io/paths.py"))

    def run(command: str) -> Finished:
        python, script, *words = shlex.split(command)
        assert python == "python"
        # An absolute script path outside ROOT stands as it is.
        return run_script(str(tree / script), *words, cwd=tree, env=environment)

    return run


PRINTED = {
    "QA/Results/qa_4000_gpt4mini.csv": """python scripts/label_hallucinations_gpt.py
  --input "Hallucination Generated Answers/qa_4000.csv"
  --output "QA/Results/qa_4000_gpt4mini.csv" """,
    "Summarization/Results/summ_3000_qwen32b.csv": """python scripts/label_summarization_ollama.py
  --input "Hallucination Generated Answers/summarization_3000_corrected.csv"
  --output "Summarization/Results/summ_3000_qwen32b.csv"
  --model qwen2.5:32b-instruct""",
    "Reasoning/Results/reasoning_1000_gpt4mini.csv": """python
  scripts/label_reasoning_gpt_4_1_mini.py
  --input "Hallucination Generated Answers/reasoning_1000.csv"
  --output "Reasoning/Results/reasoning_1000_gpt4mini.csv" """,
    "Codemix/Results/codemix_4000_gpt4mini.csv": """python
  scripts/label_codemix_hallucinations_gpt_4_1_mini.py
  --input "Hallucination Generated Answers/codemix_4000.csv"
  --output "Codemix/Results/codemix_4000_gpt4mini.csv" """,
}


@pytest.mark.parametrize("output", PRINTED)
def test_single_commands_run_as_printed(as_printed: Printed, tree: Path, output: str) -> None:
    """Each writes a labelled file and its record where the specification says."""
    done = as_printed(PRINTED[output])
    assert done.code == 0, done.err
    assert set(column(tree / output, "is_hallucinated")) <= {"yes", "no"}
    assert record(tree / output)["track"] == "candidates"


def test_chain_of_thought_for_all_tasks_and_models(as_printed: Printed, tree: Path) -> None:
    """24 files: three tasks, both tracks, four models, under the specified names."""
    done = as_printed("python scripts/evaluate_cot_ollama.py --task all --quiet")
    assert done.code == 0, done.err
    names = sorted(path.name for path in tree.glob("*/Results/*_cot_*.csv"))
    assert len(names) == 24
    assert "qa_4000_cot_qwen2_5_32b_instruct.csv" in names
    assert "somadhan_1000_main_cot_mistral_nemo_latest.csv" in names
    for path in tree.glob("*/Results/*_cot_*.csv"):
        assert set(column(path, "is_hallucinated")) <= {"yes", "no"}


def test_a_failing_model_does_not_stop_the_others(as_printed: Printed, tree: Path) -> None:
    """One model is not pulled: the other still runs, and the end says which did not."""
    done = as_printed(
        "python scripts/evaluate_cot_ollama.py --task qa --track main --models absent:1b,gemma2:27b"
        " --overwrite"
    )
    assert done.code == 1
    assert "ollama pull absent:1b" in done.err
    assert "1 of 2 runs did not finish: qa main absent:1b" in done.err
    assert (tree / "QA/Results/banglahallueval_qa_1000_cot_gemma2_27b.csv").exists()


def test_deepseek_runs_qa_and_summarization(as_printed: Printed, tree: Path) -> None:
    """`--task all` labels both tracks of both tasks, thinking left out."""
    done = as_printed("python scripts/evaluate_deepseek_ollama.py --task all --quiet")
    assert done.code == 0, done.err
    assert len(list(tree.glob("*/Results/*_deepseek_r1_14b.csv"))) == 4


@pytest.mark.parametrize("flags", ["--input a.csv", "--output b.csv"])
def test_all_tasks_take_no_single_file(as_printed: Printed, flags: str) -> None:
    """--task all with --input or --output is an error."""
    done = as_printed(f"python scripts/evaluate_cot_ollama.py --task all {flags}")
    assert (done.code, "name a task" in done.err) == (2, True)


def test_chain_of_thought_is_not_defined_for_code_mixed_qa(
    as_printed: Printed,
) -> None:
    """As specified: a clear error, before anything is asked."""
    done = as_printed("python scripts/evaluate_cot_ollama.py --task codemix --models gemma2:27b")
    assert done.code == 2
    assert "not defined for codemix" in done.err.lower()


@pytest.mark.parametrize(
    "script", [name for name in SCRIPTS if "gpt" not in name and "/label_" in name]
)
def test_every_ollama_script_runs_on_its_default_file(
    as_printed: Printed, tree: Path, script: str
) -> None:
    """With no flag but --limit each preset finds its input, model and output."""
    done = as_printed(f'python "{script}" --limit 2 --overwrite --quiet')
    assert done.code == 0, done.err


@pytest.mark.parametrize("script", SCRIPTS)
def test_every_script_takes_every_shared_flag(script: str) -> None:
    """The specification says so of all scripts; the published ones did not."""
    shown = run_script(script, "--help")
    assert shown.code == 0, shown.err
    assert [flag for flag in SHARED_FLAGS if f"{flag} " not in shown.out.replace("\n", " ")] == []


def test_a_default_file_that_is_absent_names_the_sample(tmp_path: Path) -> None:
    """In a fresh checkout the error says what to take instead."""
    done = run_script("scripts/label_codemix_main_gpt_4_1_mini.py", cwd=tmp_path)
    if (ROOT / TASKS["codemix"].files["main"]).exists():
        pytest.skip("the published file is there")
    assert done.code == 2
    assert "codemix_sample.csv" in done.err
