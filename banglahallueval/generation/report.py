"""What a generation run says: what it would ask, what failed what, what is still given away."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from banglahallueval.generation.candidates import CandidateRun
from banglahallueval.generation.generator import fill_prompt
from banglahallueval.generation.plan import GenerationPlan, Tally
from banglahallueval.io.flagged import CHECKS, FlaggedRows, without_flagged
from banglahallueval.io.paths import short
from banglahallueval.io.tables import Cells, read_frame
from banglahallueval.models import server_line
from banglahallueval.models.prices import estimate
from banglahallueval.runs.summary import effort, to_ask_again

if TYPE_CHECKING:
    import pandas as pd

    from banglahallueval.audit import Check


def dry_run(rows: CandidateRun) -> None:
    """Print the first filled prompt, and what the run would cost."""
    plan, frame = rows.plan, rows.plan.frame
    print(server_line(plan.client))
    if rows.first is None:
        print(f"0 candidates to make from {rows.source_rows} rows; nothing was asked")
        return
    source, pattern = rows.first
    print("---- first prompt ----")
    print(fill_prompt(frame, plan.settings, source, pattern))
    print("----------------------")
    needed = estimate(
        plan.client.provider,
        plan.client.model,
        requests=rows.rows.to_do,
        characters=rows.characters,
        reply_tokens=rows.reply_tokens,
    )
    print(
        f"{rows.rows.to_do} candidates from {len(rows.chosen)} of {rows.source_rows} rows; "
        f"{needed}, and more where one is sent back. Nothing was asked."
    )


def finished(rows: CandidateRun, tally: Tally, run: Mapping[str, Any]) -> None:
    """Print counts per check, tokens, cost, and the audit before and after the checks."""
    plan = rows.plan
    print(
        f"{short(plan.output)}: {tally.rows.total()} candidates, {tally.rows['ok']} pass every "
        "check"
    )
    if plan.sentence_gold:
        print(f"  {short(plan.main_file)}: the gold answers as sentences")
        if tally.unwritten:
            print(f"  {tally.unwritten} gold answers stay spans: no sentence that holds them")
    for reason, count in [*tally.unanswered.most_common(), *tally.rejected.most_common()]:
        print(f"  blank: {count} {reason}")
    if tally.blank:
        print(f"  blank: {tally.blank} whose source lacks a text")
    flagged = tally.rows.total() - tally.rows["ok"]
    if flagged:
        print(f"  {flagged} are flagged in {CHECKS!r}: labelling, scores and audits leave them out")
    print("  " + effort(tally.made, "made", run))
    _print_checks(tally)
    _print_audit(plan, tally)
    if tally.unanswered:
        to_ask_again(f"the {tally.unanswered.total()} blank ones")


def _print_checks(tally: Tally) -> None:
    if not tally.first:
        return
    print(f"Checks of this run's candidates ({tally.mended} mended by asking again):")
    print(_aligned(["check", "first try", "kept"], _check_counts(tally.first, tally.final)))


def _check_counts(first: Counter[str], final: Counter[str]) -> list[list[str]]:
    return [[name, str(count), str(final[name])] for name, count in first.most_common()] + [
        [name, "0", str(count)] for name, count in final.items() if name not in first
    ]


def _print_audit(plan: GenerationPlan, tally: Tally) -> None:
    """Print the dataset audit of first tries, of what passes, and of the whole file."""
    flagged = FlaggedRows(plan.output_columns)
    passed = [kept for _, kept in tally.pairs if kept not in flagged]
    if tally.pairs and passed:
        before = _audit(plan, _frame(plan, [first for first, _ in tally.pairs]))
        after = _audit(plan, _frame(plan, passed))
        # The two list the same checks but for blank columns, which only one may have.
        figures = {check.name: [check.found, "-"] for check in before}
        for check in after:
            figures.setdefault(check.name, ["-", "-"])[1] = check.found
        print("What gives this run's candidates away, before and after the checks:")
        body = [[name, *both] for name, both in figures.items()]
        print(_aligned(["audit", "first try", "passed"], body))
    whole = without_flagged(read_frame(plan.output))
    if whole.empty:
        return
    found = _audit(plan, whole, classify=True)
    warnings = [check for check in found if check.warning]
    print(f"Audit of the whole file: {len(warnings)} warnings" + (":" if warnings else ""))
    for check in warnings:
        print(f"  {check.name}: {check.found}" + (f" ({check.detail})" if check.detail else ""))


def _audit(plan: GenerationPlan, frame: pd.DataFrame, *, classify: bool = False) -> list[Check]:
    # Loading what the audit needs takes seconds, which the start of a run need not wait for.
    from banglahallueval.audit import audit, make_side

    side = make_side(frame, plan.task, "candidates", str(plan.output), keep_flagged=True)
    return audit(side, classify=classify)


def _frame(plan: GenerationPlan, rows: Sequence[Cells]) -> pd.DataFrame:
    import pandas as pd

    return pd.DataFrame(list(rows), columns=list(plan.output_columns), dtype=str)


def _aligned(header: Sequence[str], body: Sequence[Sequence[str]]) -> str:
    lines = [header, *body]
    widths = [max(len(line[i]) for line in lines) for i in range(len(header))]
    return "\n".join(
        "  " + "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True))
        for line in lines
    )
