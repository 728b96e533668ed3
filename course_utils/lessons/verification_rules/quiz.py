"""Quiz of the verification rules: a draft as a whole, a second candidate, a perfect draft."""

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
            "Seven times in nine: it should be accepted with its probability under p.",
            "It was drafted with probability 2/9 already. Accepted in 2/9 of these cases, AB "
            "would come out of a draft far too rarely; this is how greedy match wastes drafts.",
        ),
        Choice(
            "Always: A is too likely under q, so AB must make room for BA.",
            "BA is as likely under p as AB, 2/9. Where q offers exactly what p wants there is no "
            "room to make.",
        ),
        Choice(
            "Never.",
            "As a block, AB is drafted exactly as often as it should be said: A is too likely "
            "under q by a factor of two, and B too unlikely by the same factor.",
            right=True,
        ),
    ),
)

SECOND_CANDIDATE = Question(
    "second_candidate",
    "Two candidates for one position are drawn from q, independently. The first was rejected. "
    "With which probability must the second, x, be accepted, so that the output has the "
    "distribution p? (p' is the residual norm(max(p - q, 0)).)",
    (
        Choice(
            "min(1, p(x)/q(x)), as for the first.",
            "Where p is below q, accepted first candidates already give all that p wants. A second "
            "time, roof, floor and moon would come out too often.",
        ),
        Choice(
            "min(1, p'(x)/q(x)).",
            "After the rejection the output must have the distribution p': a correction would be "
            "drawn from it. So p' is the target of the second candidate, and q its draft.",
            right=True,
        ),
        Choice(
            "min(1, p(x)/q'(x)), where q' is q without the first candidate.",
            "It was drawn from q itself, so q is the distribution to divide by. And p has been "
            "filled in part already.",
        ),
        Choice(
            "1: one rejection per round is enough.",
            "Then a rejected draft is replaced by another sample of q, and what the draft offers "
            "too often comes out too often.",
        ),
    ),
)

EQUAL_ROWS = Question(
    "equal_rows",
    "Suppose the draft is perfect: q = p at every position. Which rule can still change the "
    "distribution of the text?",
    (
        Choice(
            "None of them: where q = p there is nothing to correct.",
            "That holds for rules that compare p with q. One of the others never looks at q.",
        ),
        Choice(
            "The ensemble with w = 1/2.",
            "The mixture of p and p is p, and it is accepted always.",
        ),
        Choice(
            "A rule that accepts a token if p ≥ ½ q.",
            "p ≥ ½ p always holds, so everything is accepted, and everything was drawn from p.",
        ),
        Choice(
            "Typical acceptance.",
            "A word below the threshold is rejected although it was drawn from p itself, and the "
            "target draws again. So rare words come out too rarely.",
            right=True,
        ),
    ),
)
