"""Quiz of lesson 03: the row after the draft, acceptance and law, a draft judged as a whole."""

from course_utils.classroom.quiz.question import Choice, Question

BONUS_ROW = Question(
    "bonus_row",
    "All γ drafted tokens were accepted. The target's pass has computed one more row, after the "
    "last of them. What should the round do with that row?",
    (
        Choice(
            "Nothing: every drafted token is verified, and no other token was drafted.",
            "The text would still have the right law. But the row is the target's own law of the "
            "next token and already paid for; who drops it pays another pass for it.",
        ),
        Choice(
            "Draw a token from it.",
            "No draft has used up any part of this row, so a plain draw from it has the law p. "
            "That is the bonus: one more token from the same pass.",
            right=True,
        ),
        Choice(
            "Take its likeliest token.",
            "Then every fully accepted draft would be followed by the target's favourite, and the "
            "law of the text would bend. A law is drawn from; only at temperature 0 is that the "
            "same as taking its maximum.",
        ),
        Choice(
            "Draw a token from the residual of this row and the draft's.",
            "The residual is what p still lacks after a draft had its chance at that position. "
            "Here nothing was drafted: there is no q, and all of p is still to be given out.",
        ),
    ),
)

SAME_ACCEPTANCE = Question(
    "same_acceptance",
    "Over millions of rounds the log of a decoder shows exactly the acceptance rate of the "
    "correct one. What does that tell you about the law of its text?",
    (
        Choice(
            "It is p, since α = 1 − TV(p, q).",
            "That is the distance of the two models from each other. The law of the text is a "
            "third thing: it depends on what the decoder puts in place of a rejected draft.",
        ),
        Choice(
            "It is p up to a sampling error, and millions of rounds make that small.",
            "More rounds pin down the acceptance rate. The corrections and the bonuses do not "
            "enter it, so no number of rounds says anything about them.",
        ),
        Choice(
            "Nothing.",
            "The rate counts the drafts that were kept. What replaces a rejected one, the bonus, "
            "and the cache of the next round are out of its sight. Nearly half of the wrong "
            "decoders below show exactly the right rate.",
            right=True,
        ),
        Choice(
            "The right drafts are kept, so only the corrections can be wrong.",
            "One rate does not mean the same decisions. And where the decisions are the same, the "
            "bonus or a cache that was not rolled back can bend the law just as well.",
        ),
    ),
)

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
