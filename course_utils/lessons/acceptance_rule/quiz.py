"""Quiz of lesson 03: the row after the draft, acceptance and law, a draft judged as a whole."""

from course_utils.classroom.question import Choice, Question

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
