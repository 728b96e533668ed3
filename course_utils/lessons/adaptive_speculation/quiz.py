"""Quiz of this lesson: a dropped guess, a whole draft accepted, a budget of one's own."""

from course_utils.classroom.question import Choice, Question

UNSURE_GUESS = Question(
    "unsure_guess",
    "The draft has just drawn a guess to which it gave 0.1 only, so it will stop. It could submit "
    "the guess with the others, or save the target a row and leave it out. Which keeps the "
    "output's distribution?",
    (
        Choice(
            "Both: an unlikely guess would most probably have been rejected.",
            "Whether it would have been rejected is for the rule to say. If unlikely guesses never "
            "reach it, what is submitted is not distributed as q says, and the residual "
            "corrects for guesses that never came.",
        ),
        Choice(
            "Submitting it. Left out, the text depends on what was drawn.",
            "The rule is right for guesses drawn from q. Submitted after a stop they still are: "
            "the stop came after the draw, and changes only what is drawn next. Left out, a place "
            "is handed to the target exactly when the guess was an unlikely one.",
            right=True,
        ),
        Choice(
            "Leaving it out: then the target itself says the token.",
            "It does, from p, and that sounds safe. But it happens only where the guess was "
            "unlikely. Likely guesses still pass by way of the rule, which counts on the unlikely "
            "ones to make up for them.",
        ),
        Choice(
            "Neither: a draft whose length depends on its guesses is lossy.",
            "The length may depend on guesses that are submitted, and on rows. It may not depend "
            "on a guess that it leaves out.",
        ),
    ),
)

WHOLE_DRAFT = Question(
    "whole_draft",
    "A round drafted four guesses, and all four were accepted. What does it tell about a draft of "
    "eight?",
    (
        Choice(
            "That it would have brought at least four accepted guesses, and no more than that.",
            "The first four would have been the same ones. What the fifth would have met is not "
            "known: the draft ended before a failure. Such an outcome is called censored.",
            right=True,
        ),
        Choice(
            "That it would have brought four accepted guesses and a correction.",
            "The fifth was never drawn, so it did not fail either. Who counts it as a failure "
            "takes the length of the draft for its quality.",
        ),
        Choice(
            "That it would have brought eight: this text is easy.",
            "Four in a row make it likelier, and no more. Estimates from such rounds have to allow "
            "for what was not seen.",
        ),
        Choice(
            "Nothing: only rounds with a rejection can be compared.",
            "It tells a good deal: all results up to four, and four successes for the estimate of "
            "α. Leaving such rounds out makes a draft look worse than it is.",
        ),
    ),
)

BUDGET = Question(
    "budget",
    "A server drafts eight guesses for a request, then looks at how sure the draft was at each, "
    "and sends the first k to the target, k chosen so that expected tokens per cost are highest. "
    "Passes of up to 4, 8, ... rows cost the same. Is the output the target's?",
    (
        Choice(
            "Yes: it only looks at rows, not at the guesses.",
            "The row at place 6 is the row after guess 5. Another guess 5 gives another row there, "
            "and so perhaps another k, below 5: then guess 5 is left out because of what it was.",
        ),
        Choice(
            "Yes: a draft may be cut at any place.",
            "At any place that was settled before the guesses behind it were drawn. Here the place "
            "is settled when all are on the table.",
        ),
        Choice(
            "No: rows behind a guess depend on it, so k may depend on guesses that are left out.",
            "Steps in the cost make rows further on matter for a cut further up. That is why vLLM "
            "takes confidences from steps before: they cannot depend on this draft's guesses.",
            right=True,
        ),
        Choice(
            "No: eight guesses were drawn, and all eight must be submitted.",
            "Guesses may be drawn in vain, if what is left out was settled before they were drawn: "
            "by confidences of an earlier round, for example.",
        ),
    ),
)
