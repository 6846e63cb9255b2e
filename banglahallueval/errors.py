"""The errors a user can cause; a script shows each as one line, never as a traceback."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

from banglahallueval.secrets import mask_secrets


class ShownError(Exception):
    """An error whose message is shown and written; keys and passwords in it are masked."""

    def __init__(self, message: object) -> None:
        """Keep the masked message."""
        super().__init__(mask_secrets(str(message)))


class UsageError(ShownError):
    """A wrong call or a wrong input: exit status 2.

    The message says what is wrong, where, and what to do, in one line.
    """


class MissingKeyError(UsageError):
    """No key for a model that is only asked with one."""


class RunError(ShownError):
    """A run that could not be carried through (server away, key refused): exit status 1."""


class UnusableModelError(RunError):
    """A model that no request can reach: absent, its server away, or the key refused."""


def suggestion(given: str, known: Iterable[str]) -> str:
    """Say which known names a name that is none of them probably means.

    Returns:
        `; did you mean A?`, of two names `; did you mean A or B?`, or an empty text where none is
        like it.
    """
    names = {_folded(name): name for name in known}
    wanted = _folded(given)
    near = get_close_matches(wanted, names, 2, 0.8) or get_close_matches(wanted, names, 1)
    return f"; did you mean {' or '.join(names[name] for name in near)}?" if near else ""


def _folded(name: str) -> str:
    return name.casefold().replace(" ", "_")
