"""Check the files of the benchmark's tree: whole, wrong or missing."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from banglahallueval.datasets.catalogue import CATALOGUE, Expected, File
from banglahallueval.datasets.validation import inspect_file

# The scripts of the published tree, but for a few that bear one machine's name.
SCRIPTS = (
    "Codemix/label_codemix_hallucinations_gemma_ollama.py",
    "Codemix/label_codemix_hallucinations_llama_ollama.py",
    "Codemix/label_codemix_hallucinations_mistral_ollama.py",
    "Codemix/label_codemix_hallucinations_qwen_ollama.py",
    "Codemix/label_codemix_main_gemma_ollama.py",
    "Codemix/label_codemix_main_llama_ollama.py",
    "Codemix/label_codemix_main_mistral_ollama.py",
    "Codemix/label_codemix_main_qwen_ollama.py",
    "Reasoning/SOMADHAN Source Dataset/create_extreme_samples.py",
    "Reasoning/SOMADHAN Source Dataset/sort_dataset.py",
    "scripts/evaluate_codemix_deepseek_candidates.py",
    "scripts/evaluate_codemix_deepseek_main.py",
    "scripts/evaluate_cot_ollama.py",
    "scripts/evaluate_deepseek_ollama.py",
    "scripts/evaluate_reasoning_deepseek_candidates.py",
    "scripts/evaluate_reasoning_deepseek_main.py",
    "scripts/evaluate_tigerllm.py",
    "scripts/label_codemix_hallucinations_gpt_4_1_mini.py",
    "scripts/label_codemix_main_gpt_4_1_mini.py",
    "scripts/label_correct_answers_gpt_4_1_mini.py",
    "scripts/label_hallucinations_gpt.py",
    "scripts/label_hallucinations_ollama.py",
    "scripts/label_reasoning_gpt_4_1_mini.py",
    "scripts/label_reasoning_main_1000_gpt_4_1_mini.py",
    "scripts/label_summarization_deepseek.py",
    "scripts/label_summarization_gemma2.py",
    "scripts/label_summarization_gpt_4_1_mini.py",
    "scripts/label_summarization_ollama.py",
)
# Made from the fetched file by the script beside it.
_MADE = "Reasoning/SOMADHAN Source Dataset/SOMADHAN_SORTED.csv"


@dataclass(frozen=True, slots=True)
class Line:
    """The finding on one file.

    Attributes:
        state: `whole`, `wrong` or `missing`.
        path: Its path below the root.
        remark: What is wrong with it, or how to get it.
    """

    state: str
    path: str
    remark: str = ""


def check_layout(root: Path) -> Iterator[Line]:
    """Check every file of the tree, data first."""
    for dataset in CATALOGUE:
        how = f"python scripts/fetch_datasets.py {dataset.name}"
        for file in dataset.files:
            yield _data_line(root, file, how)
        for target in dataset.derived:
            yield _unpublished_line(root, target, how)
    sort = 'python "Reasoning/SOMADHAN Source Dataset/sort_dataset.py"'
    yield _unpublished_line(root, _MADE, sort)
    for script in SCRIPTS:
        yield _unpublished_line(root, script, "check it out again")


def _unpublished_line(root: Path, target: str, how: str) -> Line:
    """Check a file with nothing published to compare it with: that it exists and can be read."""
    path = root / target
    if not path.is_file():
        return Line("missing", target, how)
    found = inspect_file(path, path.suffix, Expected()).faults
    return Line("wrong" if found else "whole", target, "; ".join(found))


def _data_line(root: Path, file: File, how: str) -> Line:
    path = root / file.target
    if path.exists():
        found = inspect_file(path, path.suffix, file.expected).faults
        return Line("wrong" if found else "whole", file.target, "; ".join(found))
    # A checkout of the published tree keeps some files where its own scripts do not look.
    elsewhere = next((p for p in file.paths if (root / p).exists()), None)
    if elsewhere:
        return Line("missing", file.target, f"it is at {elsewhere}: {how} --mirror .")
    return Line("missing", file.target, how)
