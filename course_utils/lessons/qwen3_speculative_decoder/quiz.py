"""Quiz questions of this lesson: one distribution and many texts, a prediction, a difference.

`tests/lessons/qwen3_speculative_decoder/test_quiz.py` shows that each answer is true.
"""

from course_utils.classroom.question import Choice, Question

TWO_SAMPLED_RUNS = Question(
    "two_sampled_runs",
    "The same prompt, the same seed and the same temperature as in section 2, now with a draft. "
    "Which text will come out?",
    (
        Choice(
            "The text of section 2 again: the method is lossless.",
            "Lossless says that the distribution of the text is the same, not a sample. The "
            "draft uses random numbers of its own, so the same seed says something else.",
        ),
        Choice(
            "The text of section 2 up to the first rejection.",
            "An accepted guess was drawn from q, with the draft's random number. It need not be "
            "the token that the standard run drew from p at this place.",
        ),
        Choice(
            "Another text of the same distribution.",
            "Another sample, and nobody who sees only the two texts can tell which is which.",
            right=True,
        ),
        Choice(
            "Another text, a little worse: most of it was written by a small model.",
            "Guesses that the target would say less often than the draft are rejected just so "
            "often that what comes out has the distribution p. Section 5 computes it at every "
            "position.",
        ),
    ),
)

PREDICTION_AND_CLOCK = Question(
    "prediction_and_clock",
    "The formula is about to be fed with acceptance by position, c, v(k) and o, all of them "
    "measured. Why may prediction and clock differ all the same?",
    (
        Choice(
            "They cannot: with all costs measured the formula is an identity.",
            "It would be one if it were fed with averages of the very rounds that are timed. Then "
            "it would predict nothing.",
        ),
        Choice(
            "It assumes that guesses are accepted independently, all with one probability.",
            "The first formula for the speedup does. Here each position has a rate of its own, "
            "measured where that position was reached. Their products do not assume independence; "
            "they are exact for the rounds that were measured, and an estimate for another γ.",
        ),
        Choice(
            "It leaves out the host.",
            "The host's time per round is o, and that of a standard step is multiplied in.",
        ),
        Choice(
            "Its inputs are samples, taken at other moments and partly in other rounds.",
            "Rates are pooled over all γ, c and v are timed in passes of their own, and the "
            "machine is never twice the same. The arithmetic is exact, its inputs are not.",
            right=True,
        ),
    ),
)

TWO_GREEDY_RUNS = Question(
    "two_greedy_runs",
    "Greedy decoding in bfloat16, of the same prompts, with a draft and without. The decoder is "
    "correct. Can the texts differ?",
    (
        Choice(
            "No: a greedy text has one right answer, so a difference is a bug.",
            "One right answer for given logits. But the logits of a position depend, in their "
            "last bits, on how many tokens are in the pass.",
        ),
        Choice(
            "Yes: where two tokens are nearly tied, the size of the pass can decide.",
            "A pass of several tokens adds the same products in another order than a pass of one. "
            "In eight significant bits that can exchange two tokens that are close.",
            right=True,
        ),
        Choice(
            "Yes: the draft's rounding errors get into the text.",
            "No number of the draft's gets there. It decides what is proposed; what is said is "
            "decided by the target's rows.",
        ),
        Choice(
            "Yes: equal logits are frequent in bfloat16, and one of them is drawn at random.",
            "They are frequent, but greedy decoding draws nothing: it takes the first of them, "
            "every time.",
        ),
    ),
)
