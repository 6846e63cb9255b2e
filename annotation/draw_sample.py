"""Draw a blind sample and write what annotators label.

python annotation/draw_sample.py --output-dir annotation/studies/pilot --annotators asha,bithi
python annotation/draw_sample.py --output-dir /tmp/try --samples --fill --forms qa reasoning

Send each annotator STUDY/annotators/NAME. Keep STUDY/lead to yourself: it holds the keys.
"""

from banglahallueval.annotation.commands import draw_sample
from banglahallueval.cli.script import run_script

if __name__ == "__main__":
    run_script(lambda: draw_sample(__doc__))
