"""Quiz of the exact proof: what a rate of acceptance does not tell."""

from course_utils.classroom.question import Choice, Question

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
