"""Quiz questions of this lesson: what a rollback does, and what a draft's cache lacks.

`tests/lessons/decoding_with_a_cache/test_quiz.py` shows that each answer is true.
"""

from course_utils.classroom.question import Choice, Question

WHAT_A_ROLLBACK_ERASES = Question(
    "what_a_rollback_erases",
    "The target has processed four guesses and two of them are rejected. What happens to the keys "
    "and values of these two when the cache is rolled back?",
    (
        Choice(
            "They are overwritten with zeros.",
            "Zeros would be keys and values, too: as long as the slots count, attention looks at "
            "them, and once they do not, nobody cares what is in them.",
        ),
        Choice(
            "What was accepted is copied into a new, shorter cache.",
            "That would cost time for every layer and every token of the text, in every round. "
            "The tensor stays where it is.",
        ),
        Choice(
            "Nothing. The cache counts two tokens fewer.",
            "The length is an integer. What lies past it is never read, and the next pass writes "
            "over it.",
            right=True,
        ),
        Choice(
            "They go, and the tokens before them are processed again without them.",
            "The entries of earlier tokens never depended on what came later: the causal mask "
            "hides the future. They are right as they are.",
        ),
    ),
)

WHAT_THE_DRAFT_LACKS = Question(
    "what_the_draft_lacks",
    "A draft model has guessed four tokens. All four are accepted and the target adds a bonus. "
    "How many tokens of the text has the draft model not processed yet?",
    (
        Choice(
            "None: all four guesses are its own.",
            "To say a token is not to process it. Nobody asked the draft what follows its last "
            "guess, and the bonus is a word of the target's.",
        ),
        Choice(
            "One: the bonus.",
            "One more. It said its last guess and stopped; to process it would have meant asking "
            "for a fifth.",
        ),
        Choice(
            "Two: its own last guess and the bonus.",
            "Its last guess was said but never fed back, and the bonus is news to it.",
            right=True,
        ),
        Choice(
            "Five: the four guesses and the bonus.",
            "To say its second guess it had to process the first, and so on: three of the four "
            "are in its cache.",
        ),
    ),
)

A_DRAFT_THAT_NEVER_ROLLS_BACK = Question(
    "a_draft_that_never_rolls_back",
    "Six prompts are decoded greedily, with the right drafter and with NeverRollsBack. What will "
    "be different?",
    (
        Choice(
            "The text: wrong guesses get into it.",
            "A guess is judged by the target's own row, and the target's cache is in order. What "
            "it would not say is rejected, whatever the draft has read.",
        ),
        Choice(
            "The acceptance: fewer guesses are accepted.",
            "The draft continues a text that was never written, so its guesses fit less often, "
            "and the target corrects them.",
            right=True,
        ),
        Choice(
            "The acceptance: it rises, since the draft remembers what was rejected.",
            "It does not know that it was rejected. It takes those tokens for text and continues "
            "them.",
        ),
        Choice(
            "Nothing but the time that a rollback takes.",
            "A rollback moves an integer; there is hardly anything to save. But the draft now "
            "reads another text than the target does.",
        ),
    ),
)
