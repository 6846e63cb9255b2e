"""Score labelled files, print the tables, and write them."""

from __future__ import annotations

import sys

from banglahallueval.cli.assignments import check_assigned
from banglahallueval.io.paths import check_not_inputs, short
from banglahallueval.scoring import tables
from banglahallueval.scoring.contrast_tables import contrast_tables
from banglahallueval.scoring.flags import exit_status
from banglahallueval.scoring.inputs import read_inputs
from banglahallueval.scoring.load import find_files
from banglahallueval.scoring.options import ScoreOptions
from banglahallueval.scoring.report_tables import overview
from banglahallueval.scoring.results import results
from banglahallueval.scoring.terminal import terminal
from banglahallueval.text.width import WIDTH, hanging


def print_scores(options: ScoreOptions) -> int:
    """Score labelled files: print the tables, and write them where the options say.

    Returns:
        The exit status.

    Raises:
        UsageError: If the files are wrong.
    """
    check_assigned(options.assignments, find_files(options.inputs, []))
    read = read_inputs(options.inputs, options.assignments, keep_flagged=options.keep_flagged)
    made: list[tables.ReportTable] = []
    if read.labelled:
        made = overview(results(read.labelled), against_published=options.against_published)
    if read.contrast:
        made += contrast_tables(read.contrast)
    written = []
    if options.output:
        places = tables.places(made, options.output, options.formats)
        check_not_inputs(places, [source.path for source in read.files])
        files = ", ".join(short(path) for path in places)
        written = [f"written: {files}"]
    notes = [f"note: {note}" for note in read.notes]
    printed = options.formats[0]
    if printed == "markdown" and not options.wide:
        text = terminal(made, [*notes, *written])
    else:
        text = tables.render(made, printed)
        if printed == "markdown":
            text += "".join(f"{line}\n" for line in (*notes, *written))
    if options.output:
        tables.write(made, options.output, options.formats)
    print(text, end="")
    if printed != "markdown":  # a program reads what is printed: what is said of it goes beside it
        for remark in (*notes, *written):
            print("\n".join(hanging(remark, WIDTH)), file=sys.stderr)
    return exit_status(read.left_out)
