"""Quiz of this lesson: a tree or a chain, a training figure, two guesses at once."""

from course_utils.classroom.question import Choice, Question

TREE_OR_CHAIN = Question(
    "tree_or_chain",
    "A draft's first guess is accepted nine times in ten. You may have eight nodes. What do you "
    "make of them?",
    (
        Choice(
            "Eight candidates for the next position: one of them will be right.",
            "One of them was right in nine of ten cases with a single node. Seven more nodes help "
            "in the tenth case, and none of them brings a second token.",
        ),
        Choice(
            "Nearly a chain: where the first guess is rarely wrong, depth pays.",
            "A node is worth the product of the acceptances along its path. 0.9 to the fifth is "
            "still 0.59, and a second child of the root is at most 0.1.",
            right=True,
        ),
        Choice(
            "A full binary tree: it is the safest.",
            "It has three levels only with seven nodes. Most of its nodes stand under a second "
            "child, which is reached once in ten rounds.",
        ),
        Choice(
            "It does not matter: eight nodes cost the same pass.",
            "They cost the target the same; the tokens they bring differ, and so does the number "
            "of passes of the draft.",
        ),
    ),
)

HEAD_ACCURACY = Question(
    "head_accuracy",
    "A log of a head's training says: top-1 accuracy on held-out text 90 % at each of five "
    "positions. Served, it brings 1.2 tokens per round. What is the first thing to look at?",
    (
        Choice(
            "The rule: it must be rejecting too much.",
            "The rule accepts with sum of min(p, q), whatever the head was trained on. It is the "
            "last place to look.",
        ),
        Choice(
            "What the head was given at positions 2 to 5 when that was measured.",
            "If it was given the target's state at each position, all five figures measure the "
            "first guess, five times. Served, the second guess reads the head's own state.",
            right=True,
        ),
        Choice(
            "The size of the head: it is too small for five positions.",
            "It may be. But the log says that it is good at all five, and that is what has to be "
            "explained first.",
        ),
        Choice(
            "The temperature: at T = 1 every head is that bad.",
            "Where a draft is sampled, alpha may even rise with the temperature, as on the pair "
            "(lesson 08). It does not turn 90 % into a fifth of a token.",
        ),
    ),
)

BOTH_AT_ONCE = Question(
    "both_at_once",
    "A head guesses two positions at once, each with exactly the right marginal distribution. Is "
    "the output still the target's?",
    (
        Choice(
            "No: it proposes pairs that the target never says.",
            "It proposes them, and the rule rejects them: where the target gives 0, so does the "
            "acceptance. What suffers is the speed.",
        ),
        Choice(
            "Yes. The second guess was drawn from its row, and that row is handed to the rule.",
            "Lossless asks for nothing else. The price is alpha at position 2: 1 less the distance "
            "of the product from the joint distribution.",
            right=True,
        ),
        Choice(
            "Only at temperature 0.",
            "At any temperature: the proof of lesson 03 does not ask how good q is, or what it "
            "was computed from.",
        ),
    ),
)
