"""The checks of this lesson: a round by hand, shared mass and residual, the rule, the proof in
steps, and the loop from an empty cell."""

from collections.abc import Callable, Iterator, Sequence
from types import EllipsisType

import numpy as np

from course_utils.classroom.exercise import Exercise
from course_utils.classroom.trial import call_strictly, deviation, distribution
from course_utils.decoding import rules
from course_utils.decoding.contracts import NoiseSource, Rows, Uniforms
from course_utils.decoding.sampling import sample
from course_utils.lessons.acceptance_rule.by_hand import RIGHT
from course_utils.proofs.enumeration import Path, Uniform, distribution_distance
from course_utils.refused import require

P = np.array([0.4, 0.3, 0.1, 0.2])
Q = np.array([0.1, 0.2, 0.4, 0.3])
SAME = np.array([0.25, 0.25, 0.5])
TENTHS = np.array([0.7, 0.2, 0.1])  # in floats they sum to less than 1
CLOSE = np.array([0.501, 0.299, 0.2]), np.array([0.499, 0.301, 0.2])


def _near(answer: object, right: object) -> bool:
    """Compare, allowing for numbers rounded on paper."""
    if isinstance(right, str):
        return str(answer).strip().lower() == right
    if isinstance(right, list):
        return len(answer) == len(right) and all(map(_near, answer, right))
    return abs(answer - right) < 0.006


check_round_by_hand = Exercise(
    "round_by_hand",
    cases=[()],
    solution=RIGHT,
    mistakes={
        "That is q/p. Divide the target's probability by the draft's: p/q.": (
            RIGHT | {"ratios": [1 / 0.375, 1 / 0.4]}
        ),
        "The second word is rejected: its uniform 0.80 is not below p/q = 0.4. (The correction "
        "does not count as accepted.)": RIGHT | {"A accepted": 2},
        "Your row is not normalised: it sums to 0.35. Divide each number by that sum.": (
            RIGHT | {"A residual": [0, 0.05, 0.1, 0.2, 0]}
        ),
        "That is |p − q|. Where q is above p, the residual is 0.": (
            RIGHT | {"A residual": [0.43, 0.07, 0.14, 0.29, 0.07]}
        ),
        "With 0.10 you drew 'and' from p (or from q). Draw the correction from the residual: put "
        "its three pieces end to end.": RIGHT | {"A word": "and"},
        "You drew from the second row. Both drafted words are accepted, so the last uniform draws "
        "from the third row: the bonus.": RIGHT | {"B word": "."},
    },
    insight="These are two whole rounds, one with a correction and one with a bonus.",
    equal=_near,
    parts=[*RIGHT],
)


def shared_and_residual(p: Rows, q: Rows) -> tuple[float, Rows]:
    """Rows p and q (vocabulary,) -> alpha, and the residual (vocabulary,)."""
    excess = (p - q).clip(min=0)
    mass = excess.sum()
    return np.minimum(p, q).sum(), excess / mass if mass > 0 else p


SHARED = "np.minimum(p, q).sum()"
check_shared_and_residual = Exercise(
    "shared_and_residual",
    cases=[(P, Q), CLOSE, (SAME, SAME.copy()), (TENTHS, TENTHS.copy())],
    solution=shared_and_residual,
    mistakes={
        "That is the total variation, the probability of a REJECTION. "
        "Subtract it from 1.": f"{SHARED} → abs(p - q).sum() / 2",
        "That is Σ p·q, the probability that two independent samples agree. Speculative sampling "
        "accepts more often: add up the smaller bar of each token.": f"{SHARED} → p @ q",
        "Your residual does not sum to 1. Divide the row by its sum. If p = q that sum is 0: "
        "return p.": "excess / mass if mass > 0 else p → excess",
        "That is what q has too much of. The residual is what p still needs: "
        "p − q.": "p - q → q - p",
        "You took |p − q|. Where q is larger, "
        "the residual is 0.": "(p - q).clip(min=0) → abs(p - q)",
        "If p = q no mass is left, and you divide by 0. Return p then.": " if mass > 0 else p → ",
    },
    insight="One picture has both: α is the area under both bars, and the residual is the part of "
    "p above q.",
    must_not_mutate=True,
    parts=("shared mass", "residual"),
)


def emitted(p: Rows, q: Rows, correction: Rows) -> Rows:
    """Return the distribution of the token at one position, from rows (vocabulary,).

    It is drafted from q, accepted with probability min(1, p/q), else drawn from `correction`.
    """
    accepted = np.minimum(p, q)
    return accepted + (1 - accepted.sum()) * correction


def proof_steps(p: Rows, q: Rows) -> tuple[Rows, float, Rows]:
    """Rows p and q -> accepted (vocabulary,), rejected (a number), corrected (vocabulary,)."""
    accepted = np.minimum(p, q)
    rejected = 1 - accepted.sum()
    left = p - accepted
    corrected = rejected * left / left.sum() if left.any() else 0 * p
    return accepted, rejected, corrected


def _pairs() -> Iterator[tuple[Rows, Rows]]:
    yield P, Q
    rng = np.random.default_rng(1)
    for size in rng.integers(2, 50, 20):
        yield tuple(rng.dirichlet(np.full(size, 0.3), 2))
    yield np.array([0.4, 0.3, 0.3, 0]), np.array([0.2, 0, 0.8, 0])  # p/q is 0/0 at the last word
    yield SAME, SAME.copy()


CORRECTED = "rejected * left / left.sum() if left.any() else 0 * p"
check_proof_steps = Exercise(
    "proof_steps",
    cases=[*_pairs()],
    solution=proof_steps,
    mistakes={
        "That is the probability of accepting y once it is drafted. It is drafted with probability "
        "q(y): multiply the two.": "return accepted, → return np.minimum(1, p / q),",
        "Where q(y) is 0 you divide by 0. q·min(1, p/q) equals min(p, q), and that needs no "
        "division.": "return accepted, → return q * np.minimum(1, p / q),",
        "Return one number, the sum over all tokens. The correction can be y whichever token was "
        "rejected.": "1 - accepted.sum() → q - accepted",
        "That is the residual alone. A correction is drawn only after a rejection: multiply by "
        "that probability.": f"{CORRECTED} → left / left.sum() if left.any() else p",
        "If p = q nothing is left over, and you divide 0 by 0. Nothing is rejected either, so the "
        "probability of a correction is 0.": " if left.any() else 0 * p → ",
    },
    insight="left.sum() equals the probability of a rejection, so the two cancel: corrected is "
    "p − min(p, q), and accepted + corrected is p.",
    must_not_mutate=True,
    parts=("accepted", "rejected", "corrected"),
)


def token_wise(p: Rows, q: Rows, drafted: Sequence[int], uniforms: Uniforms) -> tuple[int, int]:
    """Return (accepted, token): the solution of the exercise."""
    for i, x in enumerate(drafted):
        if not uniforms[i] < p[i, x] / q[i, x]:
            return i, sample(rules.residual(p[i], q[i]), uniforms[-1])
    return len(drafted), sample(p[-1], uniforms[-1])


def _cases() -> Iterator[tuple]:
    """Yield rounds worked out by hand, random ones, and one with uniforms that only compare."""
    p = np.array([[0.4, 0.3, 0.3, 0.0], [0.1, 0.2, 0.4, 0.3], [0.7, 0.1, 0.1, 0.1]])
    q = np.array([[0.1, 0.2, 0.6, 0.1], [0.3, 0.4, 0.2, 0.1]])
    # drafted, uniforms; p/q of the first row is 4, 1.5, 0.5, 0
    for case in (
        ((0, 2), [0.99, 0.99, 0.75]),  # (2, 1): a bonus from the last row
        ((2, 2), [0.4, 0.4, 0.75]),  # (2, 1): p < q, but the uniforms are low
        ((2, 2), [0.6, 0.1, 0.72]),  # (0, 0): the residual is 0.75, 0.25
        ((2, 2), [0.9, 0.1, 0.8]),  # (0, 1)
        ((0, 0), [0.2, 0.5, 0.6]),  # (1, 3): the residual is 0.5, 0.5 on 2, 3
        ((0, 0), [0.9, 0.2, 0.75]),  # (2, 1): the second p/q is 1/3
        ((3, 2), [0.0, 0.5, 0.1]),  # (0, 0): p = 0 and u = 0
    ):
        yield p, q, *case
    rng = np.random.default_rng(0)
    for gamma, size in ((1, 2), (3, 5), (5, 3)) * 8:
        rows = rng.dirichlet(np.ones(size), gamma + 1), rng.dirichlet(np.ones(size), gamma)
        drafted = tuple(sample(row, u) for row, u in zip(rows[1], rng.random(gamma), strict=True))
        yield *rows, drafted, rng.random(gamma + 1).tolist()
    yield p, q, (0, 0), [Uniform(Path(), u, u) for u in (0.2, 0.5, 0.6)]
    yield p[:1], q[:0], (), [0.75]  # nothing drafted: a bonus


def _in_words(p: Rows, q: Rows, drafted: Sequence[int], uniforms: Uniforms) -> str:
    if any(isinstance(u, Uniform) for u in uniforms):
        return "uniforms that can only be compared"
    ratios = [round(float(p[i, x] / q[i, x]), 3) for i, x in enumerate(drafted)]
    *judging, drawing = np.round(uniforms, 3).tolist()
    return (
        f"p = {p.round(3).tolist()}, q = {q.round(3).tolist()}, drafted = {drafted} (uniforms "
        f"{judging} against p/q = {ratios}) and {drawing} to draw with,"
    )


RATIO, BONUS = "p[i, x] / q[i, x]", "sample(p[-1], uniforms[-1])"
check_token_wise = Exercise(
    "token_wise",
    cases=[*_cases()],
    solution=token_wise,
    mistakes={
        "You draw the correction with the uniform that rejected the guess. That one is known to be "
        "large. Draw with the last one, "
        "uniforms[-1].": "q[i]), uniforms[-1]) → q[i]), uniforms[i])",
        "With p(x) = 0.4, q(x) = 0.1 and u = 0.99 the guess must be accepted, since p/q > 1. Are p "
        "and q swapped?": f"{RATIO} → q[i, x] / p[i, x]",
        "With p/q = 0.5 and u = 0.4 the guess must be accepted. You accept only if p ≥ q: compare "
        "the uniform with p/q.": f"uniforms[i] < {RATIO} → p[i, x] >= q[i, x]",
        "You drew the correction from p. Accepted guesses already cover a part of p: draw from the "
        "residual of p and q.": "rules.residual(p[i], q[i]) → p[i]",
        "The bonus follows *all* drafted tokens, so its row is the one after theirs: the last row "
        "of p, p[len(drafted)].": f"{BONUS} → sample(p[len(drafted) - 1], uniforms[-1])",
        "Your correction is always the likeliest token of the residual. Draw it instead: "
        "sample(row, uniforms[-1]).": "sample(rules.residual(p[i], q[i]), uniforms[-1]) → "
        "int(rules.residual(p[i], q[i]).argmax())",
    },
    insight="The rule is a loop with an early return, and one draw after it. It needs no model and "
    "no cache, so a program can walk every path of it.",
    call=call_strictly,
    parts=("accepted", "token"),
    describe_case=_in_words,
)


# An answer is the exact distribution over everything that a few rounds can write.  So a mistake is
# recognised by its effect, however it is written.


def decode(
    target: np.ndarray, draft: np.ndarray, prompt: list[int], gamma: int, rounds: int,
    uniform: Callable,
) -> list[list[int]]:  # fmt: skip
    """Two tables, a prompt -> the new words of each round, a list of lists."""
    text, written = list(prompt), []
    for _ in range(rounds):
        guesses, new = [], []
        for _ in range(gamma):
            row = draft[[*text, *guesses][-1]]
            guesses.append(sample(row, uniform()))
        for x in guesses:
            last = [*text, *new][-1]
            p, q = target[last], draft[last]
            if not uniform() < p[x] / q[x]:
                left = (p - q).clip(min=0)
                new.append(sample(left / left.sum(), uniform()))
                break
            new.append(x)
        else:
            new.append(sample(target[new[-1]], uniform()))
        text += new
        written.append(new)
    return written


# A row for the next word after each word, no two alike.  Of four words q offers two too rarely and
# two too often, each by a different amount; a word that repeats itself can be of either kind.
TWO = (np.array([[0.75, 0.25], [0.375, 0.625]]), np.array([[0.5, 0.5], [0.625, 0.375]]))
FOUR = (
    np.array([[6, 4, 3, 3], [2, 4, 6, 4], [5, 2, 6, 3], [3, 7, 2, 4]]) / 16,
    np.array([[3, 2, 5, 6], [5, 6, 4, 1], [4, 5, 2, 5], [6, 3, 1, 6]]) / 16,
)
# (target, draft, prompt, gamma, rounds); the first can be checked by hand, and the longer prompts
# have different first, last and lowest words
LOOP_CASES = (
    (*TWO, [0, 1], 1, 1),
    (*FOUR, [0, 3, 1, 2], 1, 1),
    (*TWO, [1, 0, 0, 1], 2, 2),
    (*FOUR, [2, 0, 0, 1], 2, 1),
)

FLAT = "Return a list of lists with the new words of each round, as in [[0, 1], [1]]."


def written(attempt: Callable, *case: object) -> dict | EllipsisType | None:
    """Return the distribution over the words of each round, {((0, 1), (1,)): 0.25}."""

    def run(noise: NoiseSource) -> object:
        rounds = call_strictly(attempt, *case, lambda: Uniform(noise.path))
        if rounds is None or rounds is ...:
            return rounds
        require(all(np.ndim(new) == 1 for new in rounds), FLAT)
        return tuple(tuple(map(int, new)) for new in rounds)

    return distribution(run)


def _first_deviation(answer: dict, *case: object) -> str:
    end = len(case[0])  # of a round, as a word

    def place(after: tuple[int, ...], word: int) -> str:
        text = " ".join("|" if x == end else str(x) for x in after)
        next_word = "the round ends" if word == end else f"the next word is {word}"
        return f"once it has written [{text}] (a bar ends a round), {next_word} with"

    texts, truth = (
        {tuple(word for new in rounds for word in (*new, end)): w for rounds, w in paths.items()}
        for paths in (answer, written(decode, *case))
    )
    return (deviation(texts, truth, place) or "it writes too many rounds") + "."


DRAWN = "sample(left / left.sum(), uniform())"
LAST = "new.append(sample(target[new[-1]], uniform()))"
check_rebuilt_loop = Exercise(
    "rebuilt_loop",
    cases=LOOP_CASES,
    solution=decode,
    mistakes={
        "No round has gamma + 1 words. If all gamma drafted words are accepted, draw a bonus from "
        "the target's last row.": f"{LAST} → pass",
        "You draw all guesses from the row of the last word of the text. From the second guess on, "
        "the word before is itself a guess: "
        "draw from its row.": "draft[[*text, *guesses][-1]] → draft[text[-1]]",
        "You judge all guesses by the rows of the last word of the text, and draw the bonus there. "
        "Take the rows of the word before each: for guess i that is guess i - "
        "1.": "[*text, *new][-1] → text[-1]; target[new[-1]] → target[text[-1]]",
        "You judge all guesses with one uniform. Once it has accepted a guess it is known to be "
        "small, so the decisions depend on each other. "
        "Draw a fresh one for each guess.": "for x in guesses → "
        "u = uniform()\n        for x in guesses; if not uniform() → if not u",
        "You draw the correction from p. Accepted words already cover a part of p: draw from the "
        "residual.": f"{DRAWN} → sample(p, uniform())",
        "Every round starts at the prompt again. Append the words of a round to the text: the next "
        "round starts after them.": "text += new → pass",
    },
    insight="Every path of your loop was walked, and each text has exactly the probability it "
    "should have. In lesson 04 you write that walk.",
    call=written,
    equal=lambda answer, right: distribution_distance(answer, right) < 1e-9,
    explain=_first_deviation,
    describe_case=lambda target, draft, prompt, gamma, rounds: (
        f"target = {target.tolist()}, draft = {draft.tolist()}, prompt = {prompt}, "
        f"gamma = {gamma}, rounds = {rounds},"
    ),
)
