"""What the questions of lesson 11 take for true is true: computed here."""

from course_utils.decoding.batch_theory import throughput
from course_utils.decoding.theory import expected_tokens
from course_utils.lessons.batched_speculation.quiz import SAME_TEXT_IN_A_BATCH, WHO_HAS_THE_SLACK
from course_utils.proofs.broken_batches import ACCEPTANCES, BATCH_BUGS, SAMPLED


def right(question):
    return next(choice.text for choice in question.choices if choice.right)


def test_a_draft_that_doubles_one_text_brings_less_to_sixteen():
    """Costs like those of two cores: free up to four tokens, then dearer with each."""

    def v(tokens):
        return 1 + max(0, tokens - 4) / 20

    def gain(rows, gamma=4, c=lambda rows: 0.1):
        return throughput(expected_tokens(0.75, gamma), gamma, rows, c, v) * v(rows) / rows

    assert gain(1) > 2
    assert gain(16) < gain(4) < gain(1)
    assert max(gain(64, gamma, lambda rows: 0.1 * rows) for gamma in range(1, 17)) < 1
    assert right(WHO_HAS_THE_SLACK).startswith("Less than twice")


def test_greedy_text_says_nothing_of_the_draft():
    silent = [bug for bug in BATCH_BUGS if bug.seen_by in (ACCEPTANCES, SAMPLED)]
    assert len(silent) > len(BATCH_BUGS) / 2
    assert "Of the draft nothing" in right(SAME_TEXT_IN_A_BATCH)
