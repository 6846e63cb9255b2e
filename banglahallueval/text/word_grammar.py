"""A small grammar over whole words, matched in time that is polynomial in a clause's few words.

Rules are lines of `name = pattern`; a line that begins with a space goes on with the last. In a
pattern, `(a|b c)` is a choice, `?`, `*` and `+` repeat, `<name>` is a rule, `#` a number, and `…`
one to 25 words none of which is in the rule `leads_on`. `w~` is a word that its ending may be
written with, from the rule `endings`: `জানি~ না` is `জানিনা`, too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

import regex

_MOST_SKIPPED: Final = 25
_TOKEN = regex.compile(r"<(?P<rule>\w+)>|(?P<word>[\p{L}\p{M}\p{N}]+~?)|(?P<sign>[()|?*+…#])")


@dataclass(slots=True, eq=False)
class _Node:
    """A part of a pattern.

    Attributes:
        kind: `words` (one of them), `all` (parts in order), `any` (one part), `repeat` (the part
            any number of times), `rule`, `number` or `skip`.
        words: The words, or the rule's name.
        parts: The parts.
    """

    kind: str
    words: frozenset[str] = frozenset()
    parts: list[_Node] = field(default_factory=list)


class Grammar:
    """Rules over words in one form."""

    def __init__(self, rules: str, form: Callable[[str], str]) -> None:
        """Read rules.

        Args:
            rules: The rules.
            form: Brings a word of theirs into the form of the text's words.
        """
        self._form = form
        self._stems: set[str] = set()
        self._rules: dict[str, _Node] = {}
        for line in regex.split(r"\n(?=\S)", rules.strip()):
            name, _, pattern = line.partition("=")
            tokens = list(_TOKEN.finditer(pattern))
            self._rules[name.strip()] = self._choice(iter(tokens))
        self._leads_on = self._words_of("leads_on")
        self._endings = self._words_of("endings")
        self._needed: dict[str, frozenset[str] | None] = {}

    def matches(self, rule: str, words: Sequence[str]) -> bool:
        """Whether a rule matches all of the words, which have the grammar's form."""
        words = list(self._unglued(words))
        needed = self._needed_by(rule)
        if needed is not None and needed.isdisjoint(words):
            return False
        return len(words) in _Match(self._rules, self._leads_on, words).ends(self._rules[rule], 0)

    def _needed_by(self, rule: str) -> frozenset[str] | None:
        """Return words one of which is in whatever a rule matches; None if there are none such."""
        if rule not in self._needed:
            self._needed[rule] = None  # of a rule within itself
            self._needed[rule] = self._needed_in(self._rules[rule])
        return self._needed[rule]

    def _needed_in(self, node: _Node) -> frozenset[str] | None:
        if node.kind == "words":
            return node.words
        if node.kind == "rule":
            (name,) = node.words
            return self._needed_by(name)
        parts = [self._needed_in(part) for part in node.parts]
        known = [part for part in parts if part is not None]
        if node.kind == "all":
            return min(known, key=len, default=None)
        if node.kind == "any" and len(known) == len(parts):
            return frozenset[str]().union(*known)
        return None

    def _unglued(self, words: Sequence[str]) -> Iterator[str]:
        """Part endings from the words that they may be written with."""
        for word in words:
            ending = next(
                (
                    each
                    for each in self._endings
                    if word.endswith(each) and word[: -len(each)] in self._stems
                ),
                "",
            )
            if ending:
                yield word[: -len(ending)]
            yield ending or word

    def _words_of(self, rule: str) -> frozenset[str]:
        return self._rules[rule].words if rule in self._rules else frozenset()

    def _choice(self, tokens: Iterator[regex.Match[str]]) -> _Node:
        """Read a choice up to its closing bracket."""
        options = [_Node("all")]
        for token in tokens:
            sign = token["sign"]
            parts = options[-1].parts
            if token["rule"]:
                parts.append(_Node("rule", frozenset((token["rule"],))))
            elif token["word"]:
                parts.append(_Node("words", frozenset((self._word(token["word"]),))))
            elif sign == "(":
                parts.append(self._choice(tokens))
            elif sign == ")":
                break
            elif sign == "|":
                options.append(_Node("all"))
            elif sign == "?":
                parts[-1] = _Node("any", parts=[parts[-1], _Node("all")])
            elif sign in "*+":
                repeated = _Node("repeat", parts=[parts[-1]])
                parts[-1:] = [repeated] if sign == "*" else [parts[-1], repeated]
            else:
                parts.append(_Node("skip" if sign == "…" else "number"))
        return _merged(options)

    def _word(self, word: str) -> str:
        word, glues = word.removesuffix("~"), word.endswith("~")
        form = self._form(word)
        if glues:
            self._stems.add(form)
        return form


def _merged(options: list[_Node]) -> _Node:
    """Make one set of the options that are single words, so that one look tells."""
    single = [each for each in options if len(each.parts) == 1 and each.parts[0].kind == "words"]
    others = [each for each in options if each not in single]
    words = frozenset[str]().union(*(each.parts[0].words for each in single))
    merged = [_Node("words", words)] if words else []
    parts = merged + others
    return parts[0] if len(parts) == 1 else _Node("any", parts=parts)


class _Match:
    """Where the parts of a grammar may end in certain words."""

    def __init__(
        self, rules: Mapping[str, _Node], leads_on: frozenset[str], words: Sequence[str]
    ) -> None:
        self._rules = rules
        self._leads_on = leads_on
        self._words = words
        self._known: dict[tuple[int, int], frozenset[int]] = {}

    def ends(self, node: _Node, start: int) -> frozenset[int]:
        """List where a part that begins at a word may end."""
        if node.kind == "words":
            fits = start < len(self._words) and self._words[start] in node.words
            return frozenset((start + 1,)) if fits else frozenset()
        key = id(node), start
        if key not in self._known:
            self._known[key] = self._ends(node, start)
        return self._known[key]

    def _ends(self, node: _Node, start: int) -> frozenset[int]:
        if node.kind == "rule":
            (name,) = node.words
            return self.ends(self._rules[name], start)
        if node.kind == "any":
            return frozenset().union(*(self.ends(part, start) for part in node.parts))
        if node.kind == "all":
            return self._in_order(node.parts, start)
        if node.kind == "repeat":
            return self._repeated(node.parts[0], start)
        if node.kind == "number":
            is_number = start < len(self._words) and self._words[start].isdecimal()
            return frozenset((start + 1,)) if is_number else frozenset()
        return self._skipped(start)

    def _in_order(self, parts: Sequence[_Node], start: int) -> frozenset[int]:
        ends = frozenset((start,))
        for part in parts:
            ends = frozenset().union(*(self.ends(part, each) for each in ends))
            if not ends:
                break
        return ends

    def _repeated(self, part: _Node, start: int) -> frozenset[int]:
        ends = {start}
        waiting = [start]
        while waiting:
            new = self.ends(part, waiting.pop()) - ends
            ends |= new
            waiting += new
        return frozenset(ends)

    def _skipped(self, start: int) -> frozenset[int]:
        ends = []
        for at in range(start, min(start + _MOST_SKIPPED, len(self._words))):
            if self._words[at] in self._leads_on:
                break
            ends.append(at + 1)
        return frozenset(ends)
