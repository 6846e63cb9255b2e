"""A tiny study for tests: files, a loopback model that answers as told, and running it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pandas as pd

from banglahallueval.io.tables import writing
from banglahallueval.mitigation.commands import Preset, study_main
from tests.servers.answers import Answer, Body, prompt_of

Claims = Sequence[tuple[str, str]]  # citation, status


def write_files(folder: Path, rows: int, per_source: int = 1) -> dict[str, Path]:
    """QA files: main answers m0, m1, … and candidates c0, c1, … on the same passages."""
    main, candidates = folder / "qa_main.csv", folder / "qa_candidates.csv"
    with writing(main, ("id", "context", "question", "correct_answer")) as writer:
        for n in range(rows):
            writer.writerow([str(n), f"প্রসঙ্গ {n} এখানে।", "কী?", f"[m{n}]"])
    with writing(
        candidates, ("id", "pattern", "context", "question", "hallucinated_answer")
    ) as writer:
        for n in range(rows * per_source):
            source = n // per_source
            pattern = ("factualness", "inference")[n % 2]
            writer.writerow([str(n), pattern, f"প্রসঙ্গ {source} এখানে।", "কী?", f"[c{n}]"])
    return {"main": main, "candidates": candidates}


def answers(
    yes: Mapping[str, Iterable[str]],
    claims: Mapping[str, Claims] | None = None,
    verdicts: Mapping[str, str] | None = None,
) -> Callable[[Body], Answer]:
    """A model that calls the named outputs hallucinated, by kind of prompt.

    Args:
        yes: Kind of prompt to the outputs it says yes to; for E-CoT by a contradicted claim.
        claims: Further E-CoT claims per output, before the one that decides.
        verdicts: The E-CoT verdict per output, where it is not that of its claims.
    """
    said = {style: set(outputs) for style, outputs in yes.items()}

    def answer(body: Body) -> Answer:
        prompt = prompt_of(body)
        style = (
            "ecot" if '"claims"' in prompt else "cot" if "Final answer" in prompt else "standard"
        )
        outputs = {
            o for o in prompt.replace("]", "[").split("[") if o[:1] in "mc" and o[1:].isdigit()
        }
        (output,) = outputs
        label = "yes" if output in said[style] else "no"
        if style != "ecot":
            return Answer(label if style == "standard" else f"So.\n{label}")
        given = [*(claims or {}).get(output, [("এখানে", "supported")])]
        if label == "yes":
            given.append(("", "contradicted"))
        listed = [{"claim": "ক", "supported_by": cited, "status": s} for cited, s in given]
        verdict = (verdicts or {}).get(output, label)
        return Answer(json.dumps({"claims": listed, "verdict": verdict}, ensure_ascii=False))

    return answer


def run_study(folder: Path, url: str, files: Mapping[str, Path], *flags: object) -> int:
    """Run a study of one judge on QA in this process."""
    return study_of(folder, files, "--judges=openai:gpt-4.1-mini", "--base-url", url, *flags)


def study_of(folder: Path, files: Mapping[str, Path], *flags: object) -> int:
    """Run a study of the judges that the flags name on QA in this process."""
    argv = [
        "--tasks", "qa", "--quiet", "--output", folder,
        *(f"--input=qa.{track}={path}" for track, path in files.items()), *flags,
    ]  # fmt: skip
    return study_main(Preset("Study."), [str(each) for each in argv])


def table(folder: Path, name: str) -> pd.DataFrame:
    """A table of a study with full precision."""
    found: dict[str, Any] = json.loads((folder / "scores.json").read_text(encoding="utf-8"))
    return pd.DataFrame(found[name]["rows"])
