"""Quiz of this lesson: who has the slack, what equal texts prove, how long a batch waits."""

from course_utils.classroom.question import Choice, Question

WHO_HAS_THE_SLACK = Question(
    "who_has_the_slack",
    "One text alone is decoded twice as fast with four guesses per round. A server has sixteen "
    "texts in its batch. What will the same draft bring there?",
    (
        Choice(
            "Twice as fast, too: each row accepts what it accepted alone.",
            "It does accept the same. But a pass over eighty tokens is not as cheap as one over "
            "five, and guesses are paid for whether accepted or not.",
        ),
        Choice(
            "More than twice: the gains of batch and draft multiply.",
            "Both gain from one thing, that further tokens in a pass are nearly free. What the "
            "batch has used up the draft cannot use again.",
        ),
        Choice(
            "Less than twice, perhaps nothing: the batch has used the room in a pass.",
            "Sixteen rows of five tokens are eighty tokens in a pass. Where that many are no "
            "longer nearly free, each rejected guess costs what a token of the text costs.",
            right=True,
        ),
        Choice(
            "Nothing: drafts are only for single texts.",
            "With two or four rows there is room left in a pass. Where it ends depends on the "
            "machine, and can be measured.",
        ),
    ),
)

SAME_TEXT_IN_A_BATCH = Question(
    "same_text_in_a_batch",
    "A new batched decoder: at temperature 0 all rows of a hundred batches say exactly what their "
    "prompts say alone. What is proved?",
    (
        Choice(
            "That it is right: the text is all that matters.",
            "A draft model that reads the wrong tokens leaves the greedy text as it is. You would "
            "ship half of the speed.",
        ),
        Choice(
            "That the target reads what it should, on these batches. Of the draft nothing.",
            "The rule corrects every bad guess. What the draft reads shows in the accepted "
            "numbers, and the random numbers show in sampled text only.",
            right=True,
        ),
        Choice(
            "That it is right at every temperature: sampling is one line more.",
            "In that line is each row's own stream of random numbers. At temperature 0 none of "
            "them is used.",
        ),
        Choice(
            "Nothing: a hundred batches are too few.",
            "More batches of the same kind would see the same. What is missing is another look, "
            "and neighbours that are unlike each other.",
        ),
    ),
)

SLOWEST_ROW = Question(
    "slowest_row",
    "Eight texts, each to say 64 tokens, with four guesses per round and α = 0.8. Nobody leaves "
    "before all are done. How many more rounds than a text takes on average does the batch take?",
    (
        Choice(
            "About a sixth more.",
            "A round brings 1 to 5 tokens, but a text adds up many rounds, and luck averages out. "
            "The slowest of eight is not far behind.",
            right=True,
        ),
        Choice(
            "About five times as many: the slowest row brings 1 token per round.",
            "That row would have to reject its first guess in every one of 64 rounds.",
        ),
        Choice(
            "None: every row has the same α.",
            "The same chances, not the same luck. The batch ends with the unluckiest.",
        ),
        Choice(
            "Eight times as many.",
            "The rows work at the same time; that would be one after the other.",
        ),
    ),
)
