"""The errors a user can cause; a script shows each as one line, never as a traceback."""


class UsageError(Exception):
    """A wrong call or a wrong input: exit status 2.

    The message says what is wrong, where, and what to do, in one line.
    """


class RunError(Exception):
    """A run that could not be carried through (server away, key refused): exit status 1."""
