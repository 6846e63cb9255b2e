"""Which part of a generated text is the reply: a model may run on into turns it invents."""

from __future__ import annotations

from typing import Final

import regex

from banglahallueval.text.lazy_regex import lazy_regex
from banglahallueval.text.markup import without_thinking
from banglahallueval.text.yes_no import LETTER, NO, YES, any_of

_ROLE = "user|human|system|tool|function|observation|prompter"
# What a role is called in plain text. `Input:` and the like may head a part of an argument; they
# end a reply only behind its verdict, which `scanning` knows.
_NAME = "user|human|ব্যবহারকারী"
_OWN_ROLE = r"assistant|model|bot|chatbot|gpt|ai|response"
_OWN: Final = frozenset(_OWN_ROLE.split("|"))
# Texts are folded, so the full-width bars of DeepSeek's tokens are plain ones.
_TAG = lazy_regex(
    # <|im_start|>user, <|start_header_id|>user<|end_header_id|>, <|start|>user, <start_of_turn>user
    r"(?:<\|(?:im_start|start|start_header_id|start_of_role|turn)\|?>|<start_of_turn>|<\|turn>)"
    r"\s{0,4}(?P<role>[a-z]{1,20})?(?:<\|end_(?:header_id|of_role)\|>)?"
    # <|user|>, <|user_token|>
    rf"|<\|(?P<token>{_ROLE}|{_OWN_ROLE})(?:_token)?\|>"
    r"|\[(?P<inst>/?inst)\]|<<(?P<sys>/?sys)>>"
    r"|(?P<end></?s>|<(?:eos|bos|end_of_turn|turn\||end_of_utterance)>"
    r"|<\|(?:im_end|eot|eot_id|eom_id|eos|end|end_of_turn|end_of_turn_token|end_of_text|endoftext"
    r"|end_of_sentence|end▁of▁sentence|begin_of_text|begin▁of▁sentence|startoftext|return|call"
    r"|start_of_turn_token)\|>)"
    # User:  ### Instruction
    r"|(?:^|(?<=\n))[^\S\n]{0,4}(?:[#*>_(\[]{1,6}[^\S\n]{0,2})?"
    rf"(?P<name>{_NAME}|{_OWN_ROLE})[*_)\]]{{0,4}}[^\S\n]{{0,2}}:"
    rf"|(?:^|(?<=\n))[^\S\n]{{0,4}}#{{1,6}}[^\S\n]{{0,2}}(?P<heading>{_NAME}|instruction|response)"
    r"[^\S\n]{0,4}(?=[:\n])"
    rf"|(?<=(?:[.!?।]|{any_of(*YES, *NO)})[^\S\n])(?P<inline>user|human)[^\S\n]?:"
)
# A letter that is not part of a tag.
_WORD = lazy_regex(rf"<(?!(?:yes|no)>)[^<>\n]{{1,40}}>(*SKIP)(*FAIL)|{LETTER}")
_MAY_END = lazy_regex(rf"[<\[#]|{_NAME}")


def own_turn(text: str) -> tuple[str | None, bool]:
    """Blank the thinking and cut off whatever follows the reply in a folded text.

    Returns:
        The text up to the reply's end, with blanks for what is not part of the reply, None if
        its thinking does not end; and whether a turn's end was seen.
    """
    visible = without_thinking(text)
    if visible is not None:
        return _first_turn(visible)
    # Thinking may only begin in a turn that the model invented.
    head, ended = _first_turn(text)
    return (without_thinking(head), True) if ended else (None, False)


def _first_turn(text: str) -> tuple[str, bool]:
    """Find the first turn of the model itself that says anything."""
    if not _MAY_END.search(text):
        return text, False
    own = True
    special = False  # whether a special token has opened a turn of somebody else
    begin = 0
    for tag in _TAG.finditer(text):
        name = tag["name"] or tag["heading"] or tag["inline"]
        if name in _OWN and own:
            continue  # `Response:` within the reply is a heading like others
        if own and _WORD.search(text, begin, tag.start()):
            return " " * begin + text[begin : tag.start()], True
        begin = tag.end()
        own = _speaks(tag, own=own)
        special |= not own and not name
    if own:
        return " " * begin + text[begin:], False
    # A reply that only begins with `Instruction:` is nobody else's turn.
    return (" " * len(text), False) if special else (text, False)


def _speaks(tag: regex.Match[str], *, own: bool) -> bool:
    """Whether what follows a tag is the model's own turn."""
    role = tag["role"] or tag["token"] or tag["name"] or tag["heading"] or tag["inline"]
    if role:
        return role in _OWN
    if tag["inst"] or tag["sys"]:
        return tag["inst"] == "/inst"
    return own and tag["end"] is not None
