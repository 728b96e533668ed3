"""Each figure of this lesson, drawn from made-up data."""

from course_utils.lessons.ngram_drafter import figures

KINDS_OF_TEXT = {"code": (0.8, 90), "prose": (0.7, 80), "lists": (0.9, 100)}
PICTURES = {
    "acceptance_bars": lambda: figures.acceptance_bars(
        {s: dict.fromkeys(("trigram", "lookup"), KINDS_OF_TEXT) for s in ("greedy", "sampled")}
    ),
}
