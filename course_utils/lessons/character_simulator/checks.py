"""Checks of this lesson: the accepted length, the loop, and the mean length of a round."""

from collections.abc import Callable

from course_utils.classroom.exercise import Exercise
from course_utils.decoding.sessions import common_prefix
from course_utils.lessons.character_simulator.copies import WrittenRound
from course_utils.refused import Refused


def accepted_length(draft: str, truth: str) -> int:
    """Return how many characters of the draft are accepted."""
    for i, (guess, wanted) in enumerate(zip(draft, truth)):
        if guess != wanted:
            return i
    return len(draft)


check_accepted_length = Exercise(
    "accepted_length",
    cases=[
        ("Hos", "Hast"),
        ("Nas", "Hast"),
        ("Has", "Hast"),
        ("aHs", "Hast"),  # right characters in wrong places
        ("HHs", "Hast"),  # one of them twice
        ("", "H"),
    ],
    solution=accepted_length,
    mistakes={
        "You count every right character. After the first mistake the target "
        "judged the rest in a text that will never exist: stop there.": (
            lambda draft, truth: sum(map(str.__eq__, draft, truth))
        ),
        "You count one too many: the correction or bonus is the target's own, "
        "no accepted guess.": "return i → return i + 1; return len(draft) → return len(draft) + 1",
        "You count the first wrong character as well. "
        "Only those before it are accepted.": "return i → return i + 1",
        "If the whole draft is right, you return the index of its last character, and indices "
        "start at 0. All of its characters are accepted.": "return len(draft) → return i",
    },
    insight="Everything after the first mistake was judged in a text that will never exist, so "
    "even a right character there is worth nothing.",
)


def tokens_per_round(alpha: float, gamma: int) -> float:
    """Return the expected number of tokens of a round."""
    return sum(alpha**i for i in range(gamma + 1))


POWERS = "sum(alpha**i for i in range(gamma + 1))"
check_tokens_per_round = Exercise(
    "tokens_per_round",
    cases=[(0.8, 3), (0.5, 2), (0.3, 9), (0.0, 4), (1.0, 5)],  # the closed form fails at 1
    solution=tokens_per_round,
    mistakes={
        "At alpha = 1 your formula divides by zero, yet a perfect draft is the easy case: gamma + "
        "1 tokens. Sum the powers, "
        "or treat that case separately.": f"{POWERS} → (1 - alpha ** (gamma + 1)) / (1 - alpha)",
        "You left out the token that the target adds to every round.": "range( → range(1, ",
        "You let every drafted token count with probability alpha. The second is examined only if "
        "the first was accepted: alpha², and so on.": f"{POWERS} → 1 + alpha * gamma",
        "One power too many: gamma tokens are drafted, "
        "so the highest is alpha^gamma.": "gamma + 1) → gamma + 2)",
        "One power is missing: token i of the draft is accepted with probability alpha^i, i = 1 .. "
        "gamma, and the target adds one token of its own.": "gamma + 1) → gamma)",
    },
    insight="For alpha below 1 this sum is (1 - alpha^(gamma+1)) / (1 - alpha), equation 1 of "
    "Leviathan et al.",
)


STALLED = (
    "Your loop makes no progress when a whole draft is wrong. The call has already computed the "
    "target's own character: add it, the correction."
)
OVERGROWN = (
    "Your text has grown past the sentence, and the loop does not end. What do you add that the "
    "target does not write?"
)
WANTED, GAMMA, WRONG = "Haste ma", 3, "?"
# (length, index of the mistake) of the draft in each round, repeated from the first
DRAFTS = {
    "drafts of 3 that are right": [(3, 3)],
    "drafts of 3 whose first 1 is right": [(3, 1)],
    "drafts of 3 whose first is wrong": [(3, 0)],
    "drafts of 3 whose first 2 are right": [(3, 2)],
    "drafts of 2, 0 and 3 characters, the last one wrong": [(2, 2), (0, 0), (3, 0)],
}


def _decode(decode: Callable, drafts: str) -> object:
    plan, calls = DRAFTS[drafts], 0

    def guess(text: str, gamma: int) -> str:
        nonlocal calls
        length, right = plan[calls % len(plan)]
        calls += 1
        if calls > 5 * len(WANTED):
            raise Refused(STALLED if len(text) < len(WANTED) else OVERGROWN)
        draft = WANTED[len(text) :][: min(length, gamma)]
        return draft[:right] + (draft[right : right + 1] and WRONG) + draft[right + 1 :]

    return decode(WANTED, guess, GAMMA)


accepted = common_prefix  # as the lesson calls it


def decode_sentence(
    sentence: str, guess: Callable[[str, int], str], gamma: int
) -> tuple[str, list[WrittenRound]]:
    """Return the text and its rounds."""
    text, rounds = "", []
    while len(text) < len(sentence):
        rest = sentence[len(text) :]
        draft = guess(text, gamma)
        n = accepted(draft, rest)
        added = rest[n : n + 1]
        text += draft[:n] + added
        rounds.append((draft, n, added))
    return text, rounds


ADDED = "rest[n : n + 1]"
check_decode_sentence = Exercise(
    "decode_sentence",
    cases=[(drafts,) for drafts in DRAFTS],
    solution=decode_sentence,
    mistakes={
        STALLED: f'{ADDED} → ""',
        "Your text contains a rejected guess. Add only the accepted characters, draft[:n], and "
        "then what the target adds.": "draft[:n] + → draft +",
        "You add nothing after a complete draft: the bonus is missing. An empty draft is complete, "
        "too.": f'{ADDED} → {ADDED} if n < len(draft) else ""',
    },
    insight="One expression covers both cases: after n accepted characters the target adds its "
    "own, whether it replaces a wrong guess or follows a complete draft.",
    call=_decode,
    parts=("text", "rounds"),
    describe_case="{}".format,
)
