"""What stands around a verdict in a reply and is none: thinking, tags, LaTeX, echoed options.

All of it is blanked out at equal length, so that offsets stay true. Texts are folded ones.
"""

from __future__ import annotations

import regex

from banglahallueval.text.yes_no import FALSE, NO, TRUE, YES, any_of

_NAMES = r"(?:think|thinking|thoughts?|reasoning|reflection|scratchpad|seed:think)"
# The tags of DeepSeek, Qwen and their kin, Kimi, Magistral, Sky-T1, Command, gpt-oss, Gemma.
_OPEN = (
    rf"<\s*{_NAMES}\s*>|\[think\]|◁think▷|<\|begin_of_thought\|>|<\|start_thinking\|>"
    r"|<\|channel\|>\s*(?:analysis|commentary)|<\|channel>\s*thought|<unused94>"
)
_CLOSE = (
    rf"<\s*/\s*{_NAMES}\s*>|\[/think\]|◁/think▷|<\|end_of_thought\|>|<\|end_thinking\|>"
    r"|<\|channel\|>\s*final|(?<!\p{L})assistantfinal|<channel\|>|<unused95>"
)
# A chat template may open the thinking that the model then opens again: `<think>\n<think>`.
_THINKING = regex.compile(rf"(?P<open>(?:(?:{_OPEN})\s*)+)|(?P<end><\|end\|>)|(?P<close>{_CLOSE})")
_MAY_THINK = regex.compile(r"[<\[◁]|assistantfinal")

_LABEL_TAG = regex.compile(
    r"<(answer|final_answer|verdict|label|decision|result|output|is_hallucinated|hallucinated)>"
    r"|\\(boxed)\{"
)
_TAG = regex.compile(
    r"</?(?!(?:yes|no)>)[a-z][^<>\n]{0,40}>|<[|｜][^<>\n]{1,40}[|｜]>|\[/?inst\]"
    r"|\\(?:text\w*|math\w*|fbox|underline)\s*\{|\\[()\[\],;! ]"
)


def without_thinking(text: str) -> str | None:
    """Blank the thinking of a reply; None if it does not end.

    Text before a closing tag that nothing opened is thinking, too: many chat templates put the
    opening tag into the prompt.
    """
    if not _MAY_THINK.search(text):
        return text
    kept: list[str] = []  # alternately what stands and blanks
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
            kept = [" " * position]
    if depth:
        return None
    kept.append(text[position:])
    return "".join(kept)


def _blank(found: regex.Match[str]) -> str:
    return regex.sub(r"[^\n]", " ", found[0])


def without_tags(text: str) -> str:
    """Blank tags and LaTeX commands; one that names a verdict, `<answer>`, becomes `answer:`."""
    if "<" not in text and "\\" not in text and "[" not in text:
        return text
    text = _LABEL_TAG.sub(lambda tag: f" {tag[1] or tag[2]}:", text)
    return _TAG.sub(_blank, text)


def _either(one: tuple[str, ...], other: tuple[str, ...]) -> str:
    """A pattern for a choice between words of the two, in either order."""
    quote = r"[\"'`*_]{0,3}"
    link = r"\s*(?:[/|\\]|,?\s*(?<!\w)(?:or|বা|অথবা|কিংবা|নাকি|কি)(?=[\s\"'`*_]))\s*"
    a, b = f"{quote}{any_of(*one)}{quote}", f"{quote}{any_of(*other)}{quote}"
    return f"(?:{a}{link}{b}|{b}{link}{a})"


_THIRD = r"(?:\s*(?:/|\||,?\s*or\s)\s*[\"']?(?:unknown|unsure|maybe|not sure|n/a)[\"']?)?"
_OPTIONS = regex.compile(
    # {"is_hallucinated": "Yes"} or {"is_hallucinated": "No"}
    r"\{[^{}\n]*hallucinat[^{}\n]*\}\s*(?:or|/|,|বা|অথবা)\s*\{[^{}\n]*hallucinat[^{}\n]*\}"
    # (yes = answer is hallucinated, no = answer is not hallucinated)
    rf"|\(?[\"'`*]*(?<!\w){any_of(*YES, *NO)}[\"'`*]*\s*=[^()\n]*\)?"
    # 'yes' means the answer contains …
    rf"|[\"'`*]*(?<!\w){any_of(*YES, *NO)}[\"'`*]*\s+(?:means|মানে)(?!\w)[^\n]*"
    rf"|(?<![\p{{L}}\p{{M}}])(?:{_either(YES, NO)}|{_either((TRUE,), (FALSE,))}"
    rf"|{_either(('y',), ('n',))}){_THIRD}(?![\p{{L}}\p{{M}}])"
)
_MAY_OFFER = regex.compile(r"[/|\\=]|(?<!\w)(?:or|means|মানে|বা|অথবা|কিংবা|নাকি|কি)(?!\w)|\}\s*,")


def without_options(text: str) -> str:
    """Blank the choices that a reply repeats from its prompt: `yes or no`, `yes/no`, …."""
    return _OPTIONS.sub(_blank, text) if _MAY_OFFER.search(text) else text
