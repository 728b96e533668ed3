"""Quiz of the exact proof: what dice, a sketch of the paths and a log do not tell."""

from course_utils.classroom.question import Choice, Question

FOUND_BY_DICE = Question(
    "found_by_dice",
    "Thousands of texts are drawn with each wrong decoder, and χ² compares the counts with the "
    "target's probabilities. Which of the two is found out?",
    (
        Choice(
            "Both. Thousands of texts are plenty, and each of the two is wrong.",
            "Counts scatter even if the decoder is right: a text expected 400 times comes about "
            "20 times more or fewer. An error has to be larger than that scatter to be seen.",
        ),
        Choice(
            "Only the one with the likeliest token.",
            "It never says the other words that the residual holds, so some texts are off by much "
            "more than the scatter. Most corrections of the other one are as they should be, and "
            "its error is too small for so few texts.",
            right=True,
        ),
        Choice(
            "Only the one that uses a uniform twice.",
            "It still draws from the residual, only with a uniform that is too high. The other "
            "one does not draw at all: its error is more than ten times as large.",
        ),
        Choice(
            "Neither: a correction is needed in few rounds.",
            "A third of the examined drafts are rejected here, so corrections are frequent. An "
            "error in them can be large enough to see, and one of the two is.",
        ),
    ),
)

TINY_PATHS = Question(
    "tiny_paths",
    "Two words A and B, p = (1/3, 2/3), q = (2/3, 1/3), one drafted token. In how many ways can "
    "a round go, if the drafted token, its acceptance and the last token are told apart?",
    (
        Choice(
            "8: two drafts, accepted or rejected, two last tokens.",
            "That counts ways of probability 0. The draft B is always accepted, since p/q is 2. "
            "After A is rejected, the residual holds B alone.",
        ),
        Choice(
            "6: draft A in four ways, draft B in two.",
            "B is right: always accepted, then a bonus of A or B. For A you count two "
            "corrections, but the residual holds B alone.",
        ),
        Choice(
            "5.",
            "Draft A: accepted, with a bonus of A or B, or rejected and corrected to B. Draft B: "
            "always accepted, with a bonus of A or B. That makes three and two.",
            right=True,
        ),
        Choice(
            "3: A accepted, A rejected, B accepted.",
            "After an accepted draft the round goes on: a bonus is drawn from the next row, and "
            "it can be A or B.",
        ),
    ),
)

SAME_ACCEPTANCE = Question(
    "same_acceptance",
    "Over millions of rounds the log of a decoder shows exactly the acceptance rate of the "
    "correct one. What does that tell you about the distribution of its text?",
    (
        Choice(
            "It is p, since α = 1 − TV(p, q).",
            "That is the distance of the two models from each other. The distribution of the text "
            "is a third thing: it depends on what the decoder puts in place of a rejected draft.",
        ),
        Choice(
            "It is p up to a sampling error, and millions of rounds make that small.",
            "More rounds pin down the acceptance rate. The corrections and the bonuses do not "
            "enter it, so no number of rounds says anything about them.",
        ),
        Choice(
            "Nothing.",
            "The rate counts the accepted drafts. It does not see what replaces a rejected one, "
            "nor the bonus, nor the cache of the next round.",
            right=True,
        ),
        Choice(
            "The right drafts are accepted, so only the corrections can be wrong.",
            "One rate does not mean the same decisions. And where the decisions are the same, the "
            "bonus or a cache that was not rolled back can change the distribution just as well.",
        ),
    ),
)
