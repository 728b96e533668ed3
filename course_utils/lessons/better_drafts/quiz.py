"""Quiz of this lesson: a loss that does not pull, a certain guess, cheap against good."""

from course_utils.classroom.question import Choice, Question

SILENT_LOSS = Question(
    "silent_loss",
    "At some position the target is certain of a token to which the draft gives one in a "
    "thousand, so α = 0.001. Which loss pushes the draft hardest towards that token?",
    (
        Choice(
            "The TV, since it is the probability of a rejection, and here that is nearly 1.",
            "The loss is large, but a step follows its slope. The slope of the TV is q(1 − q), a "
            "thousandth: a small step changes next to nothing of α, and next to nothing is what "
            "the TV sees.",
        ),
        Choice(
            "−log α, since its slope is that of the TV divided by α.",
            "Divided by a thousandth, the slope of the TV is about 1. For a target that is "
            "certain, −log α is the cross-entropy.",
            right=True,
        ),
        Choice(
            "All alike: every loss is smallest where p and q agree, so all point to the same row.",
            "They agree about the goal, not about how far a step goes. With one and the same "
            "learning rate that is all the difference.",
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

GOOD_OR_CHEAP = Question(
    "good_or_cheap",
    "One draft is accepted with α = 0.85 and costs half a pass of the target (c = 0.5). Another "
    "has α = 0.6 and costs a twentieth (c = 0.05). Verification is free, and each drafts its "
    "best number of tokens. Which text comes faster?",
    (
        Choice(
            "The first: what counts is how often the draft is right.",
            "It drafts two tokens for the price of a whole pass and ends a little above 1.2. "
            "Being right is worth no more than it costs.",
        ),
        Choice(
            "The second: about 1.9 against less than 1.3.",
            "Three tokens of the cheap draft cost less than a third of one of the good draft. α is "
            "what a draft brings, c what it takes; neither alone says anything.",
            right=True,
        ),
        Choice(
            "Both alike: 0.85 is as much better than 0.6 as 0.05 is cheaper than 0.5.",
            "There is no such exchange rate. Put both into the formula of lesson 06: the speedup "
            "is bounded by 1/c, which is 2 for the first and 20 for the second.",
        ),
        Choice(
            "Neither is faster than the target alone.",
            "A gain exists where α exceeds c and verification is free. That holds for both.",
        ),
    ),
)
