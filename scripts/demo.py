"""Label the committed samples of all four tasks, both tracks, with the offline judge; show scores.

python scripts/demo.py

Needs no key, no GPU and no network. The labelled files go to each task's Results folder, and
report.html shows all of it on one page.
"""

import sys
from pathlib import Path

from banglahallueval.cli.parser import new_parser
from banglahallueval.cli.script import run_script
from banglahallueval.io.layouts import find_layout
from banglahallueval.io.paths import repository_root
from banglahallueval.io.tables import Table
from banglahallueval.judges.offline import judge_offline
from banglahallueval.labelling.commands import Preset, label
from banglahallueval.labelling.explain import ExplainOptions, explained
from banglahallueval.labelling.wrapping import hanging, terminal_width
from banglahallueval.scoring.commands import score
from banglahallueval.scoring.report_command import report
from banglahallueval.tasks import TASKS, TRACKS

INTRODUCTION = """\
The offline judge labels the samples of four tasks: right outputs, and candidates made to
hallucinate. Below stand a few that it calls hallucinated (yes), with what gave them away marked
([[so]] where there are no colours); a right answer and its hallucinated twin; and the scores.
"""
# Rows of the contrast set: right, and hallucinated.
MINIMAL_PAIR = ("qa-a-11-11", "qa-a-11-12")


def demo() -> int:
    """Label, show a few explained verdicts of each task, score, and write the report."""
    new_parser(__doc__).parse_args()
    root = repository_root()
    outputs: list[Path] = []
    print(INTRODUCTION)
    for task in TASKS.values():
        for track in TRACKS:
            output = root / task.folder / "Results" / f"{task.name}_{track}_sample_offline.csv"
            words = ["--task", task.name, "--input", str(root / task.samples[track])]
            words += ["--output", str(output), "--overwrite", "--explain", "--quiet"]
            label(Preset(str(__doc__)), words)
            outputs.append(output)
            if track == "candidates":
                print(f"== {task.name}: what gave two of the candidates away")
                options = ExplainOptions(
                    output, "yes", 2, is_coloured=sys.stdout.isatty(), width=terminal_width()
                )
                shown = explained(options)
                print("\n\n".join(shown) + "\n")
    show_minimal_pair(root)
    files = [str(output) for output in outputs]
    score(str(__doc__), files)
    return report(str(__doc__), [*files, "--output", str(root / "report.html")])


def show_minimal_pair(root: Path) -> None:
    """Judge a framed right answer, and its twin with another name of the context."""
    task = TASKS["qa"]
    table = Table(root / task.folder / "Contrast set" / "qa_contrast.csv")
    layout = find_layout(table.columns, task.name)
    rows = {cells[table.columns.index("id")]: layout.item(cells) for cells in table.rows()}
    print(
        "== qa: a right answer with an opening word, and the same with another name of its context"
    )
    width = terminal_width()
    print(hanging("  context   ", rows[MINIMAL_PAIR[0]].context, width))
    print(hanging("  question  ", rows[MINIMAL_PAIR[0]].question, width))
    for number in MINIMAL_PAIR:
        verdict = judge_offline(rows[number])
        print(hanging(f"{verdict.label}: ", rows[number].output, width))
        print(hanging("  because   ", verdict.raw, width))
    print()


if __name__ == "__main__":
    run_script(demo)
