"""Quiz of this elective: a text too long, a best that is the last one tried."""

from course_utils.classroom.question import Choice, Question

FIFTY_TOKENS = Question(
    "fifty_tokens",
    "Two runs report 50 new tokens each, and print the same 201 characters, nearly all Chinese. "
    "What do you need to find out whether that can be?",
    (
        Choice(
            "The model: only it knows which tokens it wrote.",
            "Which tokens it wrote, yes. How few can make this text is a matter of the vocabulary, "
            "and no weights are needed for that.",
        ),
        Choice(
            "Nothing: four characters a token is usual.",
            "Is it? Most common Chinese words have two characters, and punctuation stands alone. "
            "That is a guess, and it can be computed.",
        ),
        Choice(
            "The tokenizer's vocabulary, and a count.",
            "A token is an entry of the vocabulary. If the text cannot be written with 50 entries, "
            "then no run of 50 tokens wrote it, with any weights and any seed.",
            right=True,
        ),
        Choice(
            "The clock: 50 tokens in the reported seconds.",
            "Seconds say how fast a program was, not how long its text is. The reported speeds "
            "are 50 divided by the seconds, so they repeat the 50.",
        ),
    ),
)

LAST_TRIED = Question(
    "last_tried",
    "A search over 1 to 19 guesses per round returns 19 for a draft that is right in 20 % of the "
    "cases, and 19 for one that is right in 80 %. What do you suspect first?",
    (
        Choice(
            "The draft is so cheap that length does not matter.",
            "A cheap draft makes the top flat, and moves it out. But of a draft that is wrong four "
            "times in five hardly a second guess is ever used.",
        ),
        Choice(
            "The formula pays for guesses that are rejected.",
            "A number that only grows with γ, whatever α is, counts drafted tokens as written. "
            "The best length is the first thing that such a formula gets wrong.",
            right=True,
        ),
        Choice(
            "The best length is above 19: the search ends too early.",
            "For 80 % it could be, if drafting were nearly free. For 20 % it cannot, and one "
            "search gave both.",
        ),
    ),
)
