"""Print the guidelines, English and Bangla, into one PDF.

python annotation/build_guidelines.py
"""

from banglahallueval.annotation.guidelines import build_pdf
from banglahallueval.cli.parser import new_parser
from banglahallueval.cli.script import run_script


def main() -> int:
    """Build the committed PDF."""
    new_parser(__doc__).parse_args()
    build_pdf()
    return 0


if __name__ == "__main__":
    run_script(main)
