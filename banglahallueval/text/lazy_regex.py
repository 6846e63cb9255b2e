"""Regular expressions that are compiled when they are first used.

Those that read replies take a third of a second to compile, and most calls need few or none.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any, cast

import regex


class LazyRegex:
    """What `lazy_regex` makes, by its own type."""

    def __init__(self, pattern: str, flags: int) -> None:
        """Keep what to compile."""
        self.pattern = pattern
        self.flags = flags

    @cached_property
    def compiled(self) -> regex.Pattern[str]:
        """The regular expression itself."""
        return regex.compile(self.pattern, self.flags)

    def __getattr__(self, name: str) -> Any:
        """Give a method of the compiled one, and keep it: later calls go straight to it."""
        method = getattr(self.compiled, name)
        setattr(self, name, method)
        return method


def lazy_regex(pattern: str, flags: int = 0) -> regex.Pattern[str]:
    """Make what acts as `regex.compile(pattern, flags)` and is compiled at its first use."""
    return cast("regex.Pattern[str]", LazyRegex(pattern, flags))
