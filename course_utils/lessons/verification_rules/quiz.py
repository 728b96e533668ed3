"""Quiz of the verification rules: a draft judged as a whole."""

from course_utils.classroom.question import Choice, Question

BLOCK_DRAFT = Question(
    "block_draft",
    "Every position has p = (1/3, 2/3) and q = (2/3, 1/3) for the words A and B. The draft is "
    "AB: probability 2/9 under q, and 2/9 under p. How often does a lossless rule have to reject "
    "a part of this draft?",
    (
        Choice(
            "One time in two: A is twice as likely under q as under p.",
            "That is what the token-wise rule does, which decides about A before it has looked at "
            "B. A rule may look at the whole draft first.",
        ),
        Choice(
            "Seven times in nine: it should stay with its probability under p.",
            "It was drafted with probability 2/9 already. Kept with probability 2/9 of that, AB "
            "would come out as a draft far too rarely; this is how greedy match wastes drafts.",
        ),
        Choice(
            "Always: A is too likely under q, so AB must make room for BA.",
            "BA is as likely under p as AB, 2/9. Where q offers exactly what p wants there is no "
            "room to make.",
        ),
        Choice(
            "Never.",
            "As a block, AB is drafted exactly as often as it should be said. The debt that A "
            "makes is paid back by B.",
            right=True,
        ),
    ),
)
