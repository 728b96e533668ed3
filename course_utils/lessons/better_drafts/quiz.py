"""Quiz of this lesson: a loss that does not pull, a certain guess; `INT8_ROWS` has its own file."""

from course_utils.classroom.question import Choice, Question
from course_utils.lessons.better_drafts.exit_quiz import INT8_ROWS

__all__ = ["CERTAIN_GUESS", "INT8_ROWS", "SILENT_LOSS"]

SILENT_LOSS = Question(
    "silent_loss",
    "At some position the target is certain of a token to which the draft gives one in a "
    "thousand, so α = 0.001. Which loss pushes the draft hardest towards that token?",
    (
        Choice(
            "The TV, since it is the probability of a rejection, and here that is nearly 1.",
            "The loss is large, but a step follows slopes. That of the TV is q(1 − q), a "
            "thousandth: a small step changes next to nothing of α here. Among the positions of a "
            "batch this one is not heard.",
        ),
        Choice(
            "−log α, since its slope is that of the TV divided by α.",
            "Divided by a thousandth, the slope of the TV is about 1. For a target that is "
            "certain, −log α is the cross-entropy.",
            right=True,
        ),
        Choice(
            "All alike: every loss is smallest where p and q agree, so all point to the same row.",
            "They agree about the goal, not about which positions of a batch lead the step. That "
            "is all the difference.",
        ),
        Choice(
            "None of them: what the draft never guesses it cannot learn.",
            "Nothing has to be guessed here. The target's whole row is known at each position, "
            "and each token's share of it is a teacher.",
        ),
    ),
)

CERTAIN_GUESS = Question(
    "certain_guess",
    "The target's row is (0.9, 0.1), the draft's is (0.6, 0.4), and the target is sampled at "
    "temperature 1. Which draft is accepted more often: one that samples its row, or one that "
    "always guesses its likeliest token?",
    (
        Choice(
            "The one that samples, since the target samples, too.",
            "It is accepted with min(0.9, 0.6) + min(0.1, 0.4) = 0.7: whenever the draft is less "
            "sure than the target, its own draws stray.",
        ),
        Choice(
            "The one that guesses the likeliest token.",
            "The target says that token with probability 0.9, and a certain guess is accepted "
            "exactly so often. The draw is accepted with 0.7.",
            right=True,
        ),
        Choice(
            "Neither may be used: a greedy guess is no sample, so the text would be the draft's.",
            "A certain guess is a draw from a one-hot row. If the rule is told so, what is "
            "emitted is the target's distribution all the same.",
        ),
        Choice(
            "Both alike, since α depends on p and q only.",
            "It depends on p and on the row that the guess was DRAWN from. For the greedy draft "
            "that is (1, 0), not (0.6, 0.4).",
        ),
    ),
)
