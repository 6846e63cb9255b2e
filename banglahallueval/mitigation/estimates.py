"""What a study would ask, before it asks: prompts, and one table of requests, tokens and cost."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pandas as pd

from banglahallueval.labelling.run import surveyed
from banglahallueval.labelling.summary import first_prompt
from banglahallueval.mitigation.arms import Arm, Asking
from banglahallueval.models import server_line
from banglahallueval.models.prices import Estimate
from banglahallueval.scoring.tables import ReportTable, markdown


def dry_run(arms: Sequence[Arm], asking: Asking) -> None:
    """Print the first filled prompt of each kind, what each arm would need, and the total.

    Raises:
        UsageError: If an arm could not be run: its prompt, rows or server's address.
    """
    shown: set[str] = set()
    servers: set[str] = set()
    table = []
    total = Estimate()
    for arm in arms:
        plan = asking.plan(arm)
        for client in plan.judge.clients:
            line = server_line(client)
            if line not in servers:
                print(line)
            servers.add(line)
        needed = Estimate()
        if not asking.is_done(arm, plan):
            rows = surveyed(replace(plan, options=replace(plan.options, quiet=True)))
            needed = rows.estimate()
            prompt = first_prompt(rows)
            if prompt and arm.prompt not in shown:
                shown.add(arm.prompt)
                print(f"---- first prompt of {arm.prompt} ----\n{prompt}")
        total += needed
        table.append(
            {"judge": str(arm.judge), "prompt": arm.prompt, "track": arm.track}
            | {
                "requests": needed.requests,
                "prompt_tokens": needed.prompt_tokens,
                "reply_tokens_at_most": needed.reply_tokens,
                "usd": float("nan") if needed.dollars is None else needed.dollars,
            }
        )
    print("-" * 22)
    frame = pd.DataFrame(table)
    print(markdown([ReportTable("dry_run", "What the study would ask", frame)]), end="")
    print(f"\nAll {len(arms)} arms: {total.requests} requests; {total}. Nothing was asked.")
