"""A question on a draft with another tokenizer."""

from course_utils.classroom.question import Choice, Question

UNMAPPED = Question(
    "unmapped",
    "A draft with another tokenizer draws a token that the target does not have, and the program "
    "proposes the end token instead. Its q is the draft's row on the shared tokens, renormalised. "
    "What becomes of the text?",
    (
        Choice(
            "It is the target's: the rule rejects what the target would not say.",
            "The rule divides by q(end), and the end was proposed more often than this q says. "
            "So it is accepted too often, and the text ends too early.",
        ),
        Choice(
            "It ends too often: the q that judges the end token is smaller than the one it was "
            "drawn from.",
            "The mass of all tokens without a partner went to the end token, and q does not say "
            "so. With that mass in q the text would be right, and the end merely rejected often.",
            right=True,
        ),
        Choice(
            "It never ends, since every proposed end is rejected.",
            "An end is accepted with probability min(1, p/q). That is not 0 where the target "
            "gives the end some mass, and this q makes the ratio too large, not too small.",
        ),
        Choice(
            "It is the target's, but fewer tokens are accepted.",
            "That is true if q holds the mass which the end token really got. Here the guess is "
            "drawn from one distribution and judged by another.",
        ),
    ),
)
