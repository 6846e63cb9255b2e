"""Pictures beside what was said of them, as HTML; text from data is only ever escaped text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

from markupsafe import Markup

from banglahallueval.vision.thumbnails import Thumbnail

Standing = Literal["wrong", "unknown", "right"]

# The sign of each, in words as well, since not everybody sees colours.
_SIGNS: Final[dict[Standing, str]] = {"wrong": "✗", "unknown": "?", "right": "✓"}
_LONGEST = 600  # letters of a text on the page


@dataclass(frozen=True, slots=True)
class Remark:
    """One thing said of a picture.

    Attributes:
        standing: How the page marks it.
        verdict: What became of it, in a few words.
        kind: What it is, as the type of a caption; empty for none.
        text: The caption or description.
        reply: The model's own words, where they say more than the verdict.
    """

    standing: Standing
    verdict: str
    kind: str
    text: str
    reply: str


def card(name: str, caption: str, thumbnail: Thumbnail, remarks: Sequence[Remark]) -> Markup:
    """Show a picture and what was said of it.

    Args:
        name: What the data calls the picture.
        caption: Its true caption, for readers who do not see it.
        thumbnail: The picture.
        remarks: What was said, in the order in which it is shown.
    """
    image = Markup("")
    if thumbnail.url:
        image = Markup('<img src="{}" alt="{}" width="{}" height="{}">').format(
            thumbnail.url, caption or name, thumbnail.width, thumbnail.height
        )
    note = f"{name}: {thumbnail.note}" if thumbnail.note else name
    return Markup(
        '<article class="row picture"><div class="shown">{}<p class="what">{}</p></div>\n'
        "<ul>{}</ul></article>\n"
    ).format(image, note, Markup("").join(map(_item, remarks)))


def _item(remark: Remark) -> Markup:
    css = f"vote {remark.standing}" if remark.standing != "unknown" else "vote"
    kind = Markup('<span class="what">{}</span> ').format(remark.kind) if remark.kind else ""
    reply = (
        Markup('<p class="text what">“{}”</p>').format(_short(remark.reply)) if remark.reply else ""
    )
    return Markup('<li><span class="{}">{} {}</span> {}<p class="text">{}</p>{}</li>\n').format(
        css, _SIGNS[remark.standing], remark.verdict, kind, _short(remark.text), reply
    )


def _short(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]} …"
