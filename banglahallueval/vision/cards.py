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
MOST_PICTURES: Final = 40  # of a section, so that a page stays below a megabyte


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


def card(
    name: str, thumbnail: Thumbnail, remarks: Sequence[Remark], *, caption: str, is_told: bool
) -> Markup:
    """Show a picture and what was said of it.

    Args:
        name: What the data calls the picture.
        thumbnail: The picture.
        remarks: What was said, in the order in which it is shown.
        caption: The true caption, for readers who do not see the picture.
        is_told: Whether the remarks tell the caption; else it stands below the picture.
    """
    image = Markup("")
    if thumbnail.url:
        alt = caption or name
        image = Markup('<img src="{}" alt="{}" width="{}" height="{}">').format(
            thumbnail.url, alt, thumbnail.width, thumbnail.height
        )
    told = Markup("") if is_told else Markup('<p class="text">{}</p>').format(_short(caption))
    note = f"{name}: {thumbnail.note}" if thumbnail.note else name
    return Markup(
        '<article class="row picture"><div class="shown">{}{}<p class="what">{}</p></div>\n'
        "<ul>{}</ul></article>\n"
    ).format(image, told, note, Markup("").join(map(_item, remarks)))


def cards(made: Sequence[Markup], total: int, what: str) -> Markup:
    """Put cards under a line that can be opened, open at first.

    Args:
        made: The cards.
        total: Pictures that there are.
        what: Which of them these are, in words.
    """
    if not made:
        return Markup("")
    count = f"{len(made):,} of {total:,} pictures" if len(made) < total else f"{total:,} pictures"
    return Markup("<details open><summary>{}: {}</summary>\n{}</details>\n").format(
        count, what, Markup("").join(made)
    )


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
