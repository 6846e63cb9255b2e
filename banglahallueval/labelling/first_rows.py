"""Stop a run whose first rows all lack a verdict for a reason that asking on will not change."""

from __future__ import annotations

from collections import Counter

from banglahallueval.errors import RunError
from banglahallueval.verdicts import (
    CONTEXT_TRUNCATED,
    CUT_OFF,
    UNFINISHED_THINKING,
    Verdict,
)

_ROWS = 20  # without a verdict between them, for one reason
_HELP = {
    CONTEXT_TRUNCATED: "the server's context is too small for these prompts: serve the model with "
    "a longer one (Ollama: --num-ctx), or lower --max-tokens",
    CUT_OFF: "the replies are longer than the reply budget: raise --max-tokens",
    UNFINISHED_THINKING: "the model thinks for longer than its reply budget: raise --max-tokens",
}


class FirstRows:
    """Counts verdicts until one of them is yes or no."""

    def __init__(self) -> None:
        """Start with none."""
        self._reasons: Counter[str] = Counter()
        self._is_open = True

    def add(self, verdict: Verdict) -> None:
        """Count a verdict.

        Raises:
            RunError: If enough rows came back without one for the same reason.
        """
        if not self._is_open:
            return
        if verdict.label != "unknown":
            self._is_open = False
            return
        self._reasons[verdict.reason] += 1
        if self._reasons.total() == _ROWS and (advice := self.advice()):
            raise RunError(f"the first {_ROWS} rows are all unknown, {verdict.reason}: {advice}")

    def advice(self) -> str:
        """Say what to do if every row so far lacks a verdict for the same reason; else empty."""
        if not self._is_open or len(self._reasons) != 1:
            return ""
        return _HELP.get(next(iter(self._reasons)), "")
