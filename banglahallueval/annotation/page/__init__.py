"""Build the page that annotators label in: one self-contained HTML file."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from banglahallueval.annotation import guidelines
from banglahallueval.annotation.forms import Sheet
from banglahallueval.annotation.guidelines import Guideline
from banglahallueval.annotation.templates import render

_FOLDER = Path(__file__).parent
_SCRIPTS = (
    "csv.js",
    "storage.js",
    "words.js",
    "work.js",
    "time.js",
    "files.js",
    "marked_text.js",
    "spans.js",
    "view.js",
    "page.js",
)
# Inside <script> these alone could end the block or break a line of JavaScript.
_ESCAPES = {ord(sign): f"\\u{ord(sign):04x}" for sign in "<>&\u2028\u2029"}


def build_page(
    sheet: Sheet, annotator: str, votes: Mapping[str, Sequence[str]] | None = None
) -> str:
    """Build one annotator's page for one sheet.

    Item texts are embedded as escaped JSON and shown as text, never as HTML. A content security
    policy allows the page's own script and style alone.

    Args:
        sheet: The items to label.
        annotator: The annotator's name; part of the key that labels are saved under.
        votes: Lines to show below an item, by blind id; for adjudicators.
    """
    style = (_FOLDER / "page.css").read_text(encoding="utf-8")
    script = "\n".join((_FOLDER / name).read_text(encoding="utf-8") for name in _SCRIPTS)
    strings = json.loads((_FOLDER / "strings.json").read_text(encoding="utf-8"))
    data = {
        "study": sheet.study,
        "form": sheet.form.name,
        "annotator": annotator,
        "sheet": sheet.digest,
        "fields": [
            {"name": field.name, "role": field.role, "lang": field.lang}
            for field in sheet.form.fields
        ],
        "questions": [
            {"name": question.name, "answers": question.answers, "scale": question.is_scale}
            for question in sheet.form.questions
        ],
        "marked": sheet.marked or "",
        "items": [
            {"id": blind_id, "texts": dict(texts), "votes": list((votes or {}).get(blind_id, ()))}
            for blind_id, texts in sheet.rows
        ],
        "strings": strings,
    }
    names: list[Guideline] = [sheet.form.name, "common"]
    if sheet.marked is not None:
        names.insert(1, "spans")
    return render(
        "page.html.j2",
        marked=sheet.marked is not None,
        title=f"{sheet.study} · {sheet.form.name} · {annotator}",
        strings=strings["en"],
        no_script={lang: texts["no_script"] for lang, texts in strings.items()},
        style=style,
        script=script,
        data=script_json(data),
        policy=(
            "default-src 'none'; base-uri 'none'; form-action 'none'; "
            f"style-src {_csp_hash(style)}; script-src {_csp_hash(script)}"
        ),
        guidelines={
            lang: "".join(guidelines.html(name, lang) for name in names)
            for lang in guidelines.LANGUAGES
        },
    )


def script_json(data: object) -> str:
    """Write JSON that can stand inside a `<script>` element, whatever its texts hold."""
    return json.dumps(data, ensure_ascii=False).translate(_ESCAPES)


def _csp_hash(text: str) -> str:
    digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
    return f"'sha256-{digest}'"
