"""Tasks and labelling configuration for Label Studio; `agreement.py` reads its CSV export."""

from __future__ import annotations

import json
from xml.etree import ElementTree as ET

from banglahallueval.annotation.forms import Form, Sheet


def tasks_json(sheet: Sheet) -> str:
    """Write the sheet in Label Studio's import format: a JSON list of `{"data": {…}}`."""
    rows = [
        {"data": {"blind_id": blind_id, **texts, "sheet": sheet.digest}}
        for blind_id, texts in sheet.rows
    ]
    return json.dumps(rows, ensure_ascii=False, indent=1) + "\n"


def config_xml(form: Form) -> str:
    """Write the labelling configuration of a form.

    Control tags have the names of our columns, so that an export has our columns. Naturalness is a
    choice because Label Studio exports ratings as JSON.
    """
    view = ET.Element("View")
    for field in form.fields:
        ET.SubElement(view, "Header", value=field.name)
        ET.SubElement(view, "Text", name=field.name, value=f"${field.name}")
    judged = form.field_names("output")[-1]
    for question in form.questions:
        ET.SubElement(view, "Header", value=question.name)
        choices = ET.SubElement(
            view,
            "Choices",
            name=question.name,
            toName=judged,
            choice="single",
            required="true",
            showInline="true",
        )
        for answer in question.answers:
            ET.SubElement(choices, "Choice", value=answer, hotkey=answer[0])
    unsure = ET.SubElement(view, "Choices", name="unsure", toName=judged, choice="multiple")
    ET.SubElement(unsure, "Choice", value="yes", hotkey="u")
    ET.SubElement(
        view,
        "TextArea",
        name="note",
        toName=judged,
        placeholder="note",
        rows="2",
        maxSubmissions="1",
    )
    ET.indent(view)
    return ET.tostring(view, encoding="unicode") + "\n"
