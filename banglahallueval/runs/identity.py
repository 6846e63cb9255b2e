"""What must be the same for the rows of two runs to stand in one file."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from banglahallueval.errors import UsageError
from banglahallueval.io.records import Shape, record_path, wrong_field
from banglahallueval.runs.session import RunSession

_RECORD: Shape = {"identity": dict, "runs": [dict]}


def refuse_other(
    session: RunSession,
    kind: str,
    identity: Mapping[str, Any],
    *,
    flag: str = "--output",
    shape: Shape = _RECORD,
) -> None:
    """Refuse to add to what another model, prompt or draw has made.

    Args:
        session: The run, entered.
        kind: What the record calls such a run.
        identity: What must be the same, by what messages call it.
        flag: The flag that names the output.
        shape: What the record of such a run holds that a resumed one reads.

    Raises:
        UsageError: If the output that is there is such, or nobody knows what it is.
    """
    output, earlier = session.output, session.earlier
    if earlier is None:
        if session.options.resume and output.exists():
            raise UsageError(
                f"{output} has no record, so it is unknown who answered; name another {flag}, "
                "or --overwrite it"
            )
        return
    if earlier.get("kind") != kind or wrong_field(earlier, shape, needed=True):
        raise UsageError(
            f"{record_path(output)} is no record of such an evaluation; name another {flag}"
        )
    before = earlier["identity"]
    for what, value in identity.items():
        if before.get(what) != value:
            raise UsageError(
                f"{output} was made with {what} {before.get(what)}, this run has {value}; "
                f"name another {flag}, or --overwrite it"
            )
