"""Quiz questions of this lesson, each asked before the cell that answers it."""

from course_utils.classroom.question import Choice, Question

SAME_TEXT = Question(
    "same_text",
    "The draft model is far smaller than the target, and its guesses are sometimes wrong. In "
    "greedy decoding, how does the text come out, compared with the target's alone?",
    (
        Choice(
            "A little worse, wherever the draft guessed badly",
            "A wrong guess never reaches the text: the target checks every guess and puts its own "
            "token in the place of the first that is wrong.",
        ),
        Choice(
            "A little better, since two models know more than one",
            "The draft decides nothing. A guess is accepted only if the target would have said the "
            "same, so the text holds nothing that the target does not say by itself.",
        ),
        Choice(
            "The same, token for token",
            "A guess is accepted only if the target would have said it; otherwise the target's "
            "token takes its place. The draft changes the speed and nothing else.",
            right=True,
        ),
        Choice(
            "The same meaning in other words",
            "The comparison is made token by token, not by meaning. A synonym is a wrong guess.",
        ),
    ),
)

FIRST_GUESS_WRONG = Question(
    "first_guess_wrong",
    "The draft guesses five tokens. The first is wrong, the other four are what the target would "
    "have said there. How many tokens does this call of the target add to the text?",
    (
        Choice(
            "None: the call was wasted",
            "The call has also computed what should stand in the first place. That token is added, "
            "so no call is ever wasted.",
        ),
        Choice(
            "One",
            "The target's own token replaces the wrong guess. The four behind it followed a token "
            "that is not in the text, so they are thrown away.",
            right=True,
        ),
        Choice(
            "Four: the right ones",
            "They were judged as the continuation of a wrong token. That text does not exist, so "
            "what was right in it counts for nothing.",
        ),
        Choice(
            "Five: four guesses and a correction",
            "A correction changes the text, and then the guesses behind it continue a text that "
            "does not exist. They are thrown away.",
        ),
    ),
)

WARMER = Question(
    "warmer",
    "At temperature 0 both models take their likeliest token. At temperature 1 both draw one "
    "according to its probability. With the same models and the same prompt, how many tokens does "
    "a call usually bring at temperature 1?",
    (
        Choice(
            "As many: the models have not changed",
            "The models have not, but what they say has. A token drawn at random is harder to "
            "guess than the likeliest one, on which two models often agree.",
        ),
        Choice(
            "More: two that draw at random meet more often",
            "The other way round: two that both take the likeliest token meet often, two that "
            "draw at random meet less often.",
        ),
        Choice(
            "One: nobody can guess a random token",
            "It is not that bad: where the models give a token much probability, it is still "
            "usually drawn and usually accepted. Lesson 03 says how often.",
        ),
        Choice(
            "Fewer, but more than one",
            "What is drawn at random is harder to guess, so fewer guesses are accepted; those that "
            "the target finds probable usually still are.",
            right=True,
        ),
    ),
)
