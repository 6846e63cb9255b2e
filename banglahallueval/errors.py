"""The errors a user can cause; a script shows each as one line, never as a traceback."""

from __future__ import annotations

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


class RunError(ShownError):
    """A run that could not be carried through (server away, key refused): exit status 1."""


class UnusableModelError(RunError):
    """A model that no request can reach: absent, its server away, or the key refused."""
