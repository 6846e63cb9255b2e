"""Argument parsers: how every script shows its flags, and what it says to a wrong one."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NoReturn

from banglahallueval import __version__
from banglahallueval.errors import suggestion


def new_parser(doc: str | None) -> argparse.ArgumentParser:
    """Build a parser that shows a script's docstring and takes `--version`."""
    summary, _, rest = (doc or "").strip().partition("\n")
    parser = _Parser(description=summary, epilog=rest.strip())
    parser.add_argument("--version", action="version", version=f"banglahallueval {__version__}")
    return parser


class _Formatter(argparse.RawDescriptionHelpFormatter):
    """Shows the docstring as it is written, and each flag's default once."""

    def _get_help_string(self, action: argparse.Action) -> str:
        text = action.help or ""
        default = action.default
        is_set = default not in (None, False, "", argparse.SUPPRESS) and default != []
        if not (action.option_strings and is_set) or "default:" in text:
            return text
        if isinstance(default, (list, tuple)):
            default = " ".join(map(str, default))
        default = str(default).replace("%", "%%")
        return f"{text} (default: {default})".strip()


class _Parser(argparse.ArgumentParser):
    """A parser, and those of its commands, that answers a slip with what was probably meant."""

    def __init__(self, **given: Any) -> None:
        super().__init__(**{"formatter_class": _Formatter, **given})
        self._slips: list[str] = []

    def parse_args(  # type: ignore[override]
        self, args: Sequence[str] | None = None, namespace: argparse.Namespace | None = None
    ) -> argparse.Namespace:
        parsed, unknown = self.parse_known_args(args, namespace)
        if unknown:
            self.error(_unknown(unknown, [*_flags(self, parsed)]))
        return parsed

    def parse_known_args(  # type: ignore[override]
        self, args: Sequence[str] | None = None, namespace: argparse.Namespace | None = None
    ) -> tuple[argparse.Namespace, list[str]]:
        """Parse; a misspelt flag is named before those that are missing because of it."""
        given = sys.argv[1:] if args is None else list(args)
        self._slips = [word for word in given if self._is_slip(word)]
        return super().parse_known_args(given, namespace)

    def _is_slip(self, word: str) -> bool:
        """Return whether a word is a flag that is none of this parser's, but like one of them."""
        flag = word.partition("=")[0]
        known = self._option_string_actions
        is_known = flag in known or any(name.startswith(flag) for name in known)
        return flag.startswith("--") and not is_known and bool(suggestion(flag, known))

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        if action.choices is None or value in action.choices:
            return
        offered = [str(choice) for choice in action.choices]
        raise argparse.ArgumentError(
            action,
            f"invalid choice: {value!r}{suggestion(str(value), offered)} "
            f"(choose from {', '.join(offered)})",
        )

    def error(self, message: str) -> NoReturn:
        """Exit with one line, where argparse would print all the flags before it."""
        if self._slips and " required" in message:
            message = _unknown(self._slips, self._option_string_actions)
        self.exit(2, f"error: {message} ({self.prog} --help lists the flags)\n")


def _unknown(words: Sequence[str], known: Iterable[str]) -> str:
    """Name words that no flag takes, and which flag the first like one probably means."""
    names = [*known]
    flags = (word.partition("=")[0] for word in words if word.startswith("--"))
    meant = next(filter(None, (suggestion(flag, names) for flag in flags)), "")
    return f"unrecognized arguments: {' '.join(words)}{meant}"


def _flags(parser: argparse.ArgumentParser, parsed: argparse.Namespace) -> Iterator[str]:
    """Yield the flags of a parser, and of the command that was called."""
    for action in parser._actions:
        yield from action.option_strings
        if isinstance(action, argparse._SubParsersAction):
            called = action.choices.get(getattr(parsed, action.dest, ""))
            if called is not None:
                yield from _flags(called, parsed)
