"""A small grammar over whole words, matched in time that is polynomial in a clause's few words.

Rules are lines of `name = pattern`; a line that begins with a space goes on with the last. In a
pattern, `(a|b c)` is a choice, `?`, `*` and `+` repeat, `<name>` is a rule, `#` a number, and `…`
one to 25 words none of which is in the rule `leads_on`. `w~` is a word that its ending may be
written with, from the rule `endings`: `জানি~ না` is `জানিনা`, too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

import regex

_MOST_SKIPPED: Final = 25
_NOWHERE: Final[frozenset[int]] = frozenset()
_TOKEN = regex.compile(r"<(?P<rule>\w+)>|(?P<word>[\p{L}\p{M}\p{N}]+~?)|(?P<sign>[()|?*+…#])")


@dataclass(slots=True, eq=False)
class _Node:
    """A part of a pattern.

    Attributes:
        kind: `words` (one of them), `all` (parts in order), `any` (one part), `repeat` (the part
            any number of times), `rule`, `number` or `skip`.
        words: The words, or the rule's name.
        parts: The parts.
        bounds: What is needed for it to match; None as long as it has not been worked out.
    """

    kind: str
    words: frozenset[str] = frozenset()
    parts: list[_Node] = field(default_factory=list)
    bounds: _Bounds | None = None


class _Bounds(NamedTuple):
    """What must hold where a part matches: most parts are ruled out by it without being tried.

    Attributes:
        is_empty: Whether it may match no words at all.
        starts: Words one of which it begins with, unless it is empty; None for any word.
        needs: Sets of words, one of each of which is in whatever it matches.
    """

    is_empty: bool
    starts: frozenset[str] | None
    needs: tuple[frozenset[str], ...] = ()


_ANYTHING = _Bounds(is_empty=True, starts=None)


class Grammar:
    """Rules over words in one form.

    Attributes:
        leads_on: Words that `…` does not pass over.
    """

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
        self.leads_on = self._words_of("leads_on")
        self._endings = tuple(self._words_of("endings"))

    def matches(self, rule: str, words: Sequence[str]) -> bool:
        """Whether a rule matches all of the words, which have the grammar's form."""
        return self.first_match((rule,), words) == rule

    def first_match(self, rules: Sequence[str], words: Sequence[str]) -> str | None:
        """Return the first of some rules that matches all of the words; None if none does."""
        words = list(self._unglued(words))
        match = _Match(self, words)
        return next((rule for rule in rules if match.is_whole(self._rules[rule])), None)

    def rule(self, node: _Node) -> _Node:
        """Return the rule that a part of the kind `rule` names."""
        (name,) = node.words
        return self._rules[name]

    def bounds(self, node: _Node) -> _Bounds:
        """Work out what is needed for a part to match."""
        if node.bounds is None:
            node.bounds = _ANYTHING  # of a rule within itself
            node.bounds = self._bounds(node)
        return node.bounds

    def _bounds(self, node: _Node) -> _Bounds:
        if node.kind == "words":
            return _Bounds(False, node.words, (node.words,))
        if node.kind == "rule":
            return self.bounds(self.rule(node))
        if node.kind == "repeat":
            return _Bounds(True, self.bounds(node.parts[0]).starts)
        if node.kind in ("number", "skip"):
            return _Bounds(False, None)
        parts = [self.bounds(part) for part in node.parts]
        if node.kind == "all":
            needs = tuple(dict.fromkeys(need for part in parts for need in part.needs))
            first = next((at + 1 for at, part in enumerate(parts) if not part.is_empty), len(parts))
            return _Bounds(all(part.is_empty for part in parts), _union(parts[:first]), needs)
        is_empty = any(part.is_empty for part in parts)
        rarest = [min(part.needs, key=len, default=None) for part in parts]
        known = [need for need in rarest if need is not None]
        needs = (frozenset[str]().union(*known),) if len(known) == len(parts) else ()
        return _Bounds(is_empty, _union(parts), needs)

    def _unglued(self, words: Sequence[str]) -> Iterator[str]:
        """Part endings from the words that they may be written with."""
        for word in words:
            ending = self._ending(word) if word.endswith(self._endings) else ""
            if ending:
                yield word[: -len(ending)]
            yield ending or word

    def _ending(self, word: str) -> str:
        fitting = (each for each in self._endings if word.endswith(each))
        return next((each for each in fitting if word[: -len(each)] in self._stems), "")

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


def _union(parts: Sequence[_Bounds]) -> frozenset[str] | None:
    starts = [part.starts for part in parts]
    known = [each for each in starts if each is not None]
    return frozenset[str]().union(*known) if len(known) == len(starts) else None


class _Match:
    """Where the parts of a grammar may end in certain words."""

    def __init__(self, grammar: Grammar, words: Sequence[str]) -> None:
        self._grammar = grammar
        self._words = words
        self._all = frozenset(words)
        self._known: dict[tuple[int, int], frozenset[int]] = {}

    def is_whole(self, node: _Node) -> bool:
        """Whether a part matches all of the words."""
        return len(self._words) in self.ends(node, 0)

    def ends(self, node: _Node, start: int) -> frozenset[int]:
        """List where a part that begins at a word may end."""
        if node.kind == "words":
            fits = start < len(self._words) and self._words[start] in node.words
            return frozenset((start + 1,)) if fits else _NOWHERE
        key = id(node), start
        if key not in self._known:
            self._known[key] = self._ends(node, start) if self._may_match(node, start) else _NOWHERE
        return self._known[key]

    def _may_match(self, node: _Node, start: int) -> bool:
        is_empty, starts, needs = node.bounds or self._grammar.bounds(node)
        if not (is_empty or start < len(self._words)):
            return False
        if not is_empty and starts and self._words[start] not in starts:
            return False
        return not (needs and any(map(self._all.isdisjoint, needs)))

    def _ends(self, node: _Node, start: int) -> frozenset[int]:
        if node.kind == "rule":
            return self.ends(self._grammar.rule(node), start)
        if node.kind == "any":
            return frozenset().union(*(self.ends(part, start) for part in node.parts))
        if node.kind == "all":
            return self._in_order(node.parts, start)
        if node.kind == "repeat":
            return self._repeated(node.parts[0], start)
        if node.kind == "number":
            is_number = start < len(self._words) and self._words[start].isdecimal()
            return frozenset((start + 1,)) if is_number else _NOWHERE
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
            if self._words[at] in self._grammar.leads_on:
                break
            ends.append(at + 1)
        return frozenset(ends)
