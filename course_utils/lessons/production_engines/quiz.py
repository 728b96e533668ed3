"""Quiz of this lesson: what a server prints, where speed goes, what a baseline proves."""

from course_utils.classroom.question import Choice, Question

PER_POSITION = Question(
    "per_position",
    "A server prints a per-position acceptance rate of 0.80, 0.56 and 0.42, with drafts of three "
    "tokens. A round has reached the third guess. How likely is that one accepted?",
    (
        Choice(
            "0.42: that is what is printed for it.",
            "What is printed is A_i over all drafts: the chance that the first THREE are accepted. "
            "This round has already passed two of them.",
        ),
        Choice(
            "0.75: 0.42 / 0.56.",
            "Of the drafts whose first two were accepted, so many had the third accepted, too. It "
            "is this number that does not shrink by itself as drafts get longer.",
            right=True,
        ),
        Choice(
            "0.59: the mean of the three.",
            "That is accepted over drafted, with all the guesses behind a rejection that nobody "
            "looked at.",
        ),
        Choice(
            "0.80: α is the same at every position.",
            "That is the first position's. Whether the others are like it is what the page can "
            "tell; here they are a little lower.",
        ),
    ),
)

GREEDY_IS_BLIND = Question(
    "greedy_is_blind",
    "All greedy texts of a server, with and without a draft, are your decoder's own, token for "
    "token. What does that say of its texts at temperature 1?",
    (
        Choice(
            "They are drawn from the target: the same code verifies both.",
            "It is not the same code. At temperature 0 no row is divided by anything, nothing is "
            "drawn, and no correction is made from a residual.",
        ),
        Choice(
            "Nothing: neither the temperature nor q nor the correction is at work in a greedy "
            "text.",
            "A greedy round compares tokens. What a sampled one does besides is not run, so no "
            "fault in it can show.",
            right=True,
        ),
        Choice(
            "They are right if the acceptance is as high as in the greedy runs.",
            "Acceptance at temperature 1 is another number, the overlap of p and q, and it can be "
            "high with the wrong text.",
        ),
        Choice(
            "They are right on average, token by token they may differ.",
            "Right on average is what is to be shown. No greedy text says anything about an "
            "average.",
        ),
    ),
)

MORE_BUT_NOT_FASTER = Question(
    "more_but_not_faster",
    "Of two drafts for one model, reported at four drafted tokens each, the newer one brings 29 % "
    "more tokens per round, of which 50 % more were accepted. Each with the draft length that "
    "suits it best, the newer one is 6 % faster. Where did the rest go?",
    (
        Choice(
            "Into errors of measurement: more accepted is faster in proportion.",
            "One line through six times is right within 2 % for either draft. The rest is no "
            "noise.",
        ),
        Choice(
            "Into the target's text: the newer one is verified more strictly.",
            "The rule is the same, and what it accepts is counted. Verification is not what makes "
            "a round longer here.",
        ),
        Choice(
            "Into the round: it takes longer by almost as much as it brings more.",
            "Each at its best length, 34 % more tokens per round and a round that takes 27 % "
            "longer: more outside the draft, more for each guess, and one more guess.",
            right=True,
        ),
        Choice(
            "Nowhere: a correction or a bonus is counted as accepted.",
            "It is counted in the tokens per round of both, and rightly: it is text.",
        ),
    ),
)

FROZEN_BASELINE = Question(
    "frozen_baseline",
    "A test holds the acceptance of a served draft to a recorded 4 %, within a tenth of that. It "
    "has passed every night for a year. The draft is dead. Which test would have said so?",
    (
        Choice(
            "One that compares the greedy texts with those of the target.",
            "They are right: the rule corrects every guess that is wrong. A dead draft costs time "
            "and no text.",
        ),
        Choice(
            "The same with a narrower tolerance.",
            "It would pass as well. What was recorded is the fault, and the fault is steady.",
        ),
        Choice(
            "One with more prompts.",
            "More prompts say more exactly that it is 4 %. That was not in doubt.",
        ),
        Choice(
            "One that computes p and q outside the server and compares with Σ min(p, q).",
            "The overlap says what can be accepted, and owes nothing to the server. At 4 % served "
            "and 85 % possible nobody sleeps through.",
            right=True,
        ),
    ),
)
