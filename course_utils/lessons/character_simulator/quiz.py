"""Quiz questions of this lesson, each asked before the cell that answers it."""

from course_utils.classroom.question import Choice, Question

HOW_ACCURATE = Question(
    "how_accurate",
    "With probability 0.7 the draft says the right character. Otherwise it picks one of the three "
    "on the list, each with the same chance, and the right one is on the list. How often is the "
    "draft right?",
    (
        Choice(
            "70 %",
            "That is how often it knows. When it does not, it picks from a list that holds the "
            "right character, and sometimes hits it by luck.",
        ),
        Choice(
            "80 %",
            "0.7, and a third of the remaining 0.3, since one of the three on the list is right.",
            right=True,
        ),
        Choice(
            "85 %",
            "You give half of the slips to the right character. Three characters are on the list, "
            "so it gets a third of them.",
        ),
        Choice(
            "90 %",
            "Two thirds of the slips go to the two look-alikes. Only the last third is right.",
        ),
    ),
)

HOPELESS_DRAFT = Question(
    "hopeless_draft",
    "Take the worst draft there is: not one of its guesses is ever right. What becomes of the "
    "sentence and of the number of target calls?",
    (
        Choice(
            "Wrong characters, but few calls",
            "A wrong guess is never accepted, so no wrong character gets in. And without "
            "accepted guesses no call is saved.",
        ),
        Choice(
            "The right sentence, more calls than without a draft",
            "Each call still brings the target's own character. A rejected guess costs a draft "
            "call, but no target call.",
        ),
        Choice(
            "It never ends, since nothing is accepted",
            "That happens where a rejected guess is only thrown away. Here the target's own "
            "character, the correction, takes its place, and the text grows by one.",
        ),
        Choice(
            "The right sentence, as many calls as without a draft",
            "Every call brings exactly one character, the correction: plain decoding, plus the "
            "draft's wasted work.",
            right=True,
        ),
    ),
)

LONGER_DRAFTS = Question(
    "longer_drafts",
    "Each guess is accepted with probability 0.8, and with three guesses a round brings about "
    "three tokens. How many does it bring with ten guesses?",
    (
        Choice(
            "About nine",
            "You count each of the ten guesses with probability 0.8. But not every guess is looked "
            "at.",
        ),
        Choice(
            "About four and a half",
            "More guesses bring less and less. The next exercise derives the number.",
            right=True,
        ),
        Choice(
            "About two, since a long draft almost always holds a mistake",
            "It does hold one, but the guesses before the mistake are accepted. A draft need not "
            "be accepted as a whole.",
        ),
    ),
)
