"""The questions of this lesson: the row after the draft, a hopeless draft, the rest of a draft."""

from course_utils.classroom.question import Choice, Question

BONUS_ROW = Question(
    "bonus_row",
    "All γ drafted tokens were accepted. The target's pass has computed one more row, after the "
    "last of them. What should the round do with that row?",
    (
        Choice(
            "Nothing: every drafted token is verified, and no other token was drafted.",
            "The text would still have the right distribution. But the row is the target's own "
            "distribution of the next token, and it is computed already. Without it the next "
            "round computes it once more.",
        ),
        Choice(
            "Draw a token from it.",
            "No draft has used up any part of this row, so a plain draw from it has the "
            "distribution p. That is the bonus: one more token from the same pass.",
            right=True,
        ),
        Choice(
            "Take its likeliest token.",
            "Then the target's favourite would follow every fully accepted draft, and the "
            "distribution of the text would change. A token is drawn from a distribution; only at "
            "temperature 0 is that the same as taking the maximum.",
        ),
        Choice(
            "Draw a token from the residual of this row and the draft's.",
            "The residual is what p still lacks after a draft had its chance at that position. "
            "Here nothing was drafted: there is no q, and all of p is still to be given out.",
        ),
    ),
)

BAD_DRAFT = Question(
    "bad_draft",
    "The draft offers only words that the target never says: where q is above 0, p is 0. What "
    "comes out of the decoder?",
    (
        Choice(
            "Now and then a word of the draft: each has at least a small chance.",
            "The ratio p/q is 0 for each of these words, and no uniform in [0, 1) is below 0. Not "
            "one is accepted.",
        ),
        Choice(
            "Text of somewhat lower quality, since every word is a correction.",
            "A correction is not a repair of lower quality. Nothing is shared, so the residual is "
            "p itself, and every word is drawn from p.",
        ),
        Choice(
            "Text with exactly the distribution of the target.",
            "Every draft is rejected, and the residual is p itself. Each round emits one word with "
            "the distribution p: the text of plain decoding, and the time for the drafts is lost.",
            right=True,
        ),
        Choice(
            "Nothing: every draft is rejected, so no round ever ends.",
            "A rejection ends the round with a correction. Each round emits at least one word, "
            "whatever was drafted.",
        ),
    ),
)

REST_OF_THE_DRAFT = Question(
    "rest_of_the_draft",
    "Four tokens were drafted, and the second was rejected. After the correction a program goes on "
    "and judges the third and the fourth as well, each by its own rows and its own uniform. What "
    "becomes of the text?",
    (
        Choice(
            "It has the same distribution: every token is still judged by a row of the target.",
            "By a row of the target, but of another text: row 3 says what follows the rejected "
            "token. In the text the correction stands there, and no row was computed after it.",
        ),
        Choice(
            "It is the same: after one rejection the others are rejected, too.",
            "They might well be accepted. The draft's third token is often likely after what the "
            "draft itself has said; that is what its row and the target's are about.",
        ),
        Choice(
            "Its distribution is no longer the target's.",
            "Rows 3 and 4 follow a token that is not in the text. What they let in is likely after "
            "that token, and the text holds the correction instead.",
            right=True,
        ),
        Choice(
            "It is the same, but it takes longer.",
            "Judging two more tokens takes no time to speak of, since their rows are there. But "
            "these rows follow a token that is not in the text.",
        ),
    ),
)
