"""Several models vote on each row."""

from __future__ import annotations

import asyncio
import sys
from array import array
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from statistics import fmean
from typing import Any

from tqdm import tqdm

from banglahallueval.errors import RunError
from banglahallueval.io.paths import slug
from banglahallueval.judges.jury import NO_VOTES, majority
from banglahallueval.judges.types import Judge
from banglahallueval.tasks import Item
from banglahallueval.verdicts import Verdict

AGREEMENT_COLUMN = "agreement"
OUT_OF_REACH = "no reply: out of reach"


@dataclass(slots=True)
class Member:
    """One judge of a panel.

    Attributes:
        name: As `--models` names it.
        slug: The same in column names.
        judge: The judge.
        weight: What its vote weighs.
        lost: Why it is asked no more; empty while it is.
        votes: Its labels.
    """

    name: str
    slug: str
    judge: Judge
    weight: Fraction
    lost: str = ""
    votes: Counter[str] = field(default_factory=Counter)


def member_columns(slug: str) -> tuple[str, str, str, str]:
    """Name a member's columns: its label, p_hallucinated, why it is unknown, its reply."""
    return (f"label_{slug}", f"p_{slug}", f"unknown_reason_{slug}", f"raw_{slug}")


def panel_columns(slugs: Iterable[str]) -> tuple[str, ...]:
    """Name the columns of a panel: those of each member, then the agreement."""
    return (*(column for each in slugs for column in member_columns(each)), AGREEMENT_COLUMN)


class PanelJudge:
    """Takes the weighted majority of several judges; implements `judges.types.Judge`.

    Unknown is no vote, and a tie is unknown. A member that cannot be reached is asked no more: its
    votes are unknown from then on, and those of the others decide.

    Attributes:
        name: Names the members.
        columns: Those of each member, then `agreement`: the share of the voting weight that is on
            the larger side.
        members: The members.
    """

    def __init__(self, name: str, members: Sequence[Member]) -> None:
        """Put the members together."""
        self.name = name
        self.members = members
        self.columns: tuple[str, ...] = panel_columns(member.slug for member in members)
        self._agreements = array("d")

    async def judge(self, item: Item, again: int = 0) -> Verdict:
        """Ask every member at once; `p_hallucinated` is the share of the votes that is for yes.

        Without any vote, the reason is the one that all members give, if it is one.

        Raises:
            RunError: If no member can be reached any more.
        """
        verdicts = await asyncio.gather(*(self._ask(each, item, again) for each in self.members))
        decision = majority(
            [verdict.label for verdict in verdicts], [member.weight for member in self.members]
        )
        details: dict[str, str] = {}
        for member, verdict in zip(self.members, verdicts, strict=True):
            p = verdict.p_hallucinated
            cells = (verdict.label, "" if p is None else f"{p:.6g}", verdict.reason, verdict.raw)
            details |= zip(member_columns(member.slug), cells, strict=True)
        if decision.agreement is not None:
            self._agreements.append(decision.agreement)
            details[AGREEMENT_COLUMN] = f"{decision.agreement:.6g}"
        reasons = {verdict.reason for verdict in verdicts}
        is_one = decision.reason == NO_VOTES and len(reasons) == 1
        return Verdict(
            decision.label,
            reasons.pop() if is_one else decision.reason,
            p_hallucinated=decision.share,
            raw=str(decision),
            details=details,
        )

    async def _ask(self, member: Member, item: Item, again: int) -> Verdict:
        verdict = Verdict("unknown", OUT_OF_REACH)
        if not member.lost:
            try:
                verdict = await member.judge.judge(item, again)
            except RunError as error:
                self.lose(member, error)
        member.votes[verdict.label] += 1
        return verdict

    def lose(self, member: Member, error: RunError) -> None:
        """Ask a member no more.

        Raises:
            RunError: If it was the last one.
        """
        if not member.lost:
            member.lost = str(error)
            what = f"note: {member.name} is left out of the panel from here on: {error}"
            tqdm.write(what, file=sys.stderr)
        if all(each.lost for each in self.members):
            raise error

    def record(self) -> dict[str, Any]:
        """Record each member with its votes, and the mean agreement."""
        return {
            "members": [
                {
                    "name": member.name,
                    "weight": str(member.weight),
                    "votes": {name: member.votes[name] for name in ("yes", "no", "unknown")},
                    **({"lost": member.lost} if member.lost else {}),
                    **member.judge.record(),
                }
                for member in self.members
            ],
            "mean_agreement": fmean(self._agreements) if self._agreements else None,
        }


def unanswered(details: Mapping[str, str]) -> list[str]:
    """List the slugs of the members that gave no reply on a row, given its further columns."""
    *_, reason, _ = member_columns("")
    return [
        name.removeprefix(reason)
        for name, cell in details.items()
        if name.startswith(reason) and cell.startswith("no reply")
    ]


def count_unanswered(record: Mapping[str, Any], rows: Mapping[str, int]) -> None:
    """Note in a panel's record on how many rows of the output each member gave no reply.

    Args:
        record: What the judge recorded; those of judges other than panels are left as they are.
        rows: Their number by slug.
    """
    for member in record.get("members", ()):
        member["unanswered"] = rows.get(slug(member["name"]), 0)


def missing_votes(record: Mapping[str, Any]) -> Mapping[str, int]:
    """Count the votes of an output that are missing because no reply came, by member.

    Args:
        record: The judge's part of its run record; judges other than panels lack nothing.
    """
    members = record.get("members", ())
    return {each["name"]: each["unanswered"] for each in members if each.get("unanswered")}
