"""Quiz questions of this lesson, each asked before the cell that answers it."""

from course_utils.classroom.question import Choice, Question

NEW_SENTENCES = Question(
    "new_sentences",
    "The model has counted five sentences and remembers one word at a time. It speaks a thousand "
    "sentences. How many of them are not among the five?",
    (
        Choice(
            "None: it has only seen those five",
            "It has not kept the sentences, only which word follows which. After `eating` it does "
            "not know who is speaking, so he may eat apples for the first time.",
        ),
        Choice(
            "A few in a hundred, by accident",
            "Far more: after `eating` every fruit is equally likely, and only one or two of the "
            "four make a sentence of the corpus.",
        ),
        Choice(
            "About seven in ten",
            "One word of memory forgets the subject, so most combinations of subject and fruit "
            "are new. You can work it out: the known sentences have probability 0.28 together, and "
            "a thousand sentences come near that.",
            right=True,
        ),
        Choice(
            "Nearly all, and most are word salad",
            "Every pair of neighbours was seen in the corpus, so the sentences read well, and more "
            "than one in four is a sentence of the corpus.",
        ),
    ),
)

NEVER_GUESSED = Question(
    "never_guessed",
    "A counted draft gives a word probability 0, because it has never seen it. The target wants to "
    "say just this word. What happens?",
    (
        Choice(
            "The word can no longer be said: 0 times anything is 0",
            "q is not multiplied into p. The draft only guesses; the target decides what is said.",
        ),
        Choice(
            "p/q divides by zero, and decoding stops",
            "p/q is asked for only at a token that was drafted, and a token with q = 0 is never "
            "drafted.",
        ),
        Choice(
            "Something else is guessed and rejected, and the word comes as the correction",
            "The draft decides what is tried first, the target decides what is said. So the text "
            "does not change, and only time is lost.",
            right=True,
        ),
    ),
)

SHARED_MEMORY = Question(
    "shared_memory",
    "A server answers many users, and drafts for all of them from one automaton of all earlier "
    "answers. What may one user find out about the answers of another?",
    (
        Choice(
            "Nothing: the output is the target's, whatever is guessed",
            "The text tells nothing, that is true. But a text is not all that a user sees.",
        ),
        Choice(
            "Whether certain words were answered before: then they come faster",
            "Right guesses save target forwards, and a stopwatch sees that. So a memory is shared "
            "only among texts of one owner.",
            right=True,
        ),
        Choice(
            "All of it: the guesses are sent to the user",
            "Only what the target says is sent. A guess that is rejected is never shown.",
        ),
        Choice(
            "The likeliest words only, since frequent ones are guessed",
            "A single earlier answer is enough for a guess, if nothing else followed the match.",
        ),
    ),
)

TRIGRAM_ON_LISTS = Question(
    "trigram_on_lists",
    "The lists have one pattern, repeated line after line. The trigram has counted other programs. "
    "On which kind of text is the smallest share of its guesses accepted, when decoding greedily?",
    (
        Choice(
            "On prose, since it has counted code",
            "The files it counted are full of comments and docstrings, so it has seen prose, too. "
            "What it has not seen is these lists.",
        ),
        Choice(
            "On the lists",
            "The pattern of a list stands a line above, and the trigram does not look there: its "
            "counts come from other files. The lookup does look there.",
            right=True,
        ),
        Choice(
            "On code, which is the most varied",
            "Code is varied, but much of it is habit, and habits are what the trigram has counted.",
        ),
        Choice(
            "On none: its counts are the same for every text",
            "The counts are the same, but how often they fit is a property of the text as well.",
        ),
    ),
)
