"""What stands around a verdict in a reply and is none: thinking, markup, echoed options.

All of it is blanked out at equal length, so that offsets stay true. Texts are folded ones.
"""

from __future__ import annotations

import regex

from banglahallueval.text.lazy_regex import lazy_regex
from banglahallueval.text.yes_no import FALSE, LETTER, NO, TRUE, YES, any_of

_NAMES = r"(?:think|thinking|thoughts?|reasoning|reflection|scratchpad|seed:think)"
# The tags of DeepSeek, Qwen and their kin, Kimi, Magistral, Sky-T1, Command, gpt-oss, Gemma.
_OPEN = (
    rf"<\s*+{_NAMES}\s*+>|\[think\]|◁think▷|<\|begin_of_thought\|>|<\|start_thinking\|>"
    r"|<\|channel\|>\s*+(?:analysis|commentary)|<\|channel>\s*+thought|<unused94>"
)
_CLOSE = (
    rf"<\s*+/\s*+{_NAMES}\s*+>|\[/think\]|◁/think▷|<\|end_of_thought\|>|<\|end_thinking\|>"
    r"|<\|channel\|>\s*+final|(?<!\p{L})assistantfinal|<channel\|>|<unused95>"
)
# A chat template may open the thinking that the model then opens again: `<think>\n<think>`.
_THINKING = lazy_regex(rf"(?P<open>(?:(?:{_OPEN})\s*+)++)|(?P<end><\|end\|>)|(?P<close>{_CLOSE})")
_MAY_THINK = lazy_regex(r"[<\[◁]|assistantfinal")

_VERDICT_TAGS = (
    "answer|final_answer|verdict|label|decision|result|output|conclusion|is_hallucinated"
    "|hallucinated|hallucination"
)
_HTML = (
    r"em|strong|span|div|code|pre|li|ul|ol|td|th|tr|table|font|mark|small|sup|sub|del|strike"
    r"|blockquote|h\d|yes|no"
)
# <answer>yes   <supported>yes</supported>   \boxed{yes}
_FIELD = lazy_regex(
    rf"<(?P<name>{_VERDICT_TAGS})>|<(?!(?:{_HTML})>)(?P<name>[a-z_]{{2,30}})>(?=[^<>]{{0,200}}</\1>)"
    rf"|(?P<end></(?!(?:{_HTML})>)[a-z_]{{2,30}}>)|\\(?P<name>boxed)\{{"
)
_TAG = lazy_regex(
    r"</?(?!(?:yes|no)>)[a-z][^<>\n]{0,40}>|<[|｜][^<>\n]{1,40}[|｜]>|\[/?inst\]"
    r"|\\(?:text|math|fbox|underline)\w{0,20}\s{0,4}\{|\\[()\[\],;! _*]"
)
# Struck-out words are taken back.
_STRUCK = lazy_regex(r"(?<!~)~~(?!~)[^~\n]{1,100}~~(?!~)|<(del|strike)>[^<>\n]{1,100}</\1>")
_EMPHASIS = lazy_regex(rf"[*`]|(?<!{LETTER})_|_(?!{LETTER})")
_FENCE = lazy_regex(r"^[^\S\n]{0,9}(?:`{3,9}|~{3,9})\w{0,20}[^\S\n]{0,9}$", regex.MULTILINE)


def without_thinking(text: str) -> str | None:
    """Blank the thinking of a reply; None if it does not end.

    Text before a closing tag that nothing opened is thinking, too: many chat templates put the
    opening tag into the prompt.
    """
    if not _MAY_THINK.search(text):
        return text
    kept: list[str] = []  # alternately what stands and blanks
    unopened = 0  # where the last closing tag ends that nothing opened
    depth = position = 0
    for tag in _THINKING.finditer(text):
        before = text[position : tag.start()]
        if depth:
            before = " " * len(before)
        kept += (before, " " * len(tag[0]))
        position = tag.end()
        if tag["open"]:
            depth += 1
        elif depth:
            depth -= 1
        elif tag["close"]:
            kept = []
            unopened = position
    if depth:
        return None
    return " " * unopened + "".join(kept) + text[position:]


def _blank(found: regex.Match[str]) -> str:
    return "".join("\n" if char == "\n" else " " for char in found[0])


def without_tags(text: str) -> str:
    """Blank tags and LaTeX commands; one that names a field, `<answer>`, becomes `answer:`."""
    if "~~" in text or "</" in text:
        text = _STRUCK.sub(_blank, text)
    if "<" not in text and "\\" not in text and "[" not in text:
        return text
    return _TAG.sub(_blank, _FIELD.sub(_as_label, text))


def _as_label(tag: regex.Match[str]) -> str:
    return ";" + " " * (len(tag[0]) - 1) if tag["end"] else f" {tag['name']}:"


def without_emphasis(text: str) -> str:
    """Blank code fences and the marks of emphasis, which may stand between words of one phrase."""
    if "`" not in text and "*" not in text and "_" not in text and "~" not in text:
        return text
    return _EMPHASIS.sub(" ", _FENCE.sub(_blank, text))


def _either(one: tuple[str, ...], other: tuple[str, ...]) -> str:
    """A pattern for a choice between words of the two, in either order."""
    quote = r"[\"'`*_]{0,3}+"
    link = r"\s*+(?:[/|\\]|(?:,\s*+)?+(?<!\w)(?:or|বা|অথবা|কিংবা|নাকি|কি)(?=[\s\"'`*_]))\s*+"
    a, b = f"{quote}{any_of(*one)}{quote}", f"{quote}{any_of(*other)}{quote}"
    return f"(?:{a}{link}{b}|{b}{link}{a})"


_THIRD = r"(?:\s*+(?:/|\||,?\s*+or\s)\s*+[\"']?(?:unknown|unsure|maybe|not sure|n/a)[\"']?)?"
_OBJECT = r"\{(?:(?!hallucinat)[^{}\n])*+hallucinat[^{}\n]*+\}"
_OPTIONS = lazy_regex(
    # {"is_hallucinated": "Yes"} or {"is_hallucinated": "No"}
    rf"{_OBJECT}\s*+(?:or|/|বা|অথবা)\s*+{_OBJECT}"
    # (yes = answer is hallucinated, no = answer is not hallucinated)
    rf"|\(?[\"'`*]*+(?<!\w){any_of(*YES, *NO)}[\"'`*]*+\s*+=[^()\n]*+\)?"
    # 'yes' means the answer contains …
    rf"|[\"'`*]*+(?<!\w){any_of(*YES, *NO)}[\"'`*]*+\s++(?:means|মানে)(?!\w)[^\n.।]*+"
    rf"|(?<![\p{{L}}\p{{M}}])(?:{_either(YES, NO)}|{_either((TRUE,), (FALSE,))}"
    rf"|{_either(('y',), ('n',))}){_THIRD}(?![\p{{L}}\p{{M}}])"
)
_OFFERS = ("/", "|", "\\", "=", " or ", " means ", "মানে", "বা", "কি")  # one of these is in each


def without_options(text: str) -> str:
    """Blank the choices that a reply repeats from its prompt: `yes or no`, `yes/no`, …."""
    return _OPTIONS.sub(_blank, text) if any(sign in text for sign in _OFFERS) else text
