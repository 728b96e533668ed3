"""Quiz of this lesson: rates against gamma, a perfect draft, text of two kinds."""

from course_utils.classroom.question import Choice, Question

RATE_AND_GAMMA = Question(
    "rate_and_gamma",
    "At every position a draft is accepted with probability 0.8 if the ones before it were. You "
    "raise γ from 1 to 8 and print accepted / drafted. What happens to that number?",
    (
        Choice(
            "It stays at 0.8, since the draft is as good as before.",
            "The draft is as good as before, yet the number counts more than the draft: tokens "
            "behind a rejection are drafted and nobody looks at them.",
        ),
        Choice(
            "It falls, because tokens behind a rejection count as drafted.",
            "A rejection throws away the rest of the draft, and the longer the draft the more is "
            "thrown away: from 0.8 at γ = 1 to about 0.42 at γ = 8, with one and the same draft.",
            right=True,
        ),
        Choice(
            "It falls, because guesses further ahead are worse.",
            "Further ahead may be harder in real text, but here it is 0.8 at every position, and "
            "still the number falls. Look for a cause that is pure counting.",
        ),
        Choice(
            "It rises, because more tokens are accepted per round.",
            "More are accepted per round, from 0.8 to about 3.3, but eight times as many are "
            "drafted. What rises is accepted / emitted.",
        ),
    ),
)

PERFECT_DRAFT = Question(
    "perfect_draft",
    "A draft model is never wrong: every token is accepted. Does it make decoding faster?",
    (
        Choice(
            "Yes: γ + 1 tokens come from one pass of the target, whatever the draft costs.",
            "A round also pays γ passes of the draft. If one of those takes as long as a pass of "
            "the target, γ + 1 tokens cost γ + 1 passes, and nothing is gained.",
        ),
        Choice(
            "Yes, if γ is large enough.",
            "With c below 1 a longer draft brings the speedup closer to 1/c and never beyond it. "
            "With c = 1 it is 1 for every γ, with a more expensive draft less.",
        ),
        Choice(
            "No: the target has to compute a row for every token all the same.",
            "It does, but for γ + 1 tokens in one pass, and a short pass takes about as long as "
            "a pass over one token. With c = 0.1 and γ = 8 the formula promises five times.",
        ),
        Choice(
            "Only if a drafted token costs less than a pass of the target.",
            "With free verification γ + 1 tokens cost γc + 1 at best, and (γ + 1)/(γc + 1) "
            "exceeds 1 only if c < 1. Real costs move that line: an expensive verification, for "
            "example, makes it harder still.",
            right=True,
        ),
    ),
)

MIXED_TEXT = Question(
    "mixed_text",
    "Half of the tokens of a text are easy for the draft (α = 0.9) and half are hard (α = 0.5), "
    "in long stretches; γ = 4. How many tokens per round will you measure over the whole text?",
    (
        Choice(
            "Fewer than the formula gives at the mean.",
            "Hard text takes more rounds for the same number of tokens, so short rounds are the "
            "more frequent ones. The mean is a harmonic one, about 2.63.",
            right=True,
        ),
        Choice(
            "As many as the formula gives at the mean, α = 0.7.",
            "The formula is curved, and rounds are not spread over the text as tokens are. That "
            "gives about 2.77, and the loop measures less.",
        ),
        Choice(
            "More: the mean of what the two kinds give.",
            "About 3.02, the mean over equally many ROUNDS of both kinds. But the halves have "
            "equally many tokens, and the hard half takes more rounds for them.",
        ),
        Choice(
            "Only as many as hard text gives: a chain is as strong as its weakest link.",
            "That would be about 1.94, as if no round ever ran through easy text. Within the easy "
            "half rounds give about 4.1.",
        ),
    ),
)
