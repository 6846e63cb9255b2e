"""The HTML templates of the labelling page and of the printed guidelines."""

from __future__ import annotations

from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined, Undefined

FOLDER = Path(__file__).parent / "page"


def render(template: str, **values: object) -> str:
    """Fill a template of the `page` folder.

    Raises:
        jinja2.UndefinedError: If the template prints a name that has no value.
        TypeError: If the template prints anything but text.
    """
    environment = Environment(
        loader=FileSystemLoader(FOLDER),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_require_text,
    )
    return environment.get_template(template).render(values)


def _require_text(value: object) -> object:
    # `{{ strings.keys }}` is a dictionary's method, printed with its address, not the entry "keys".
    if isinstance(value, (str, Undefined)):
        return value
    raise TypeError(f"a template prints {value!r}, which is not text; write names['entry']")
