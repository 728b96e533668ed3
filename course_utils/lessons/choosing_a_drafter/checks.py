"""Checks of this elective: how likely a guess would be accepted, who guesses, by which weights."""

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from course_utils.classroom.exercise import Exercise, Refused
from course_utils.decoding.contracts import Draft, Drafter, LanguageModel, RoundNoise
from course_utils.decoding.sampling import Sampling
from course_utils.drafters.lookup import PromptLookup
from course_utils.drafters.sampled import Sampled
from course_utils.proofs.decoders import Decoder, exam
from course_utils.proofs.enumeration import in_sentences

# ------------------------------------------------------------------ a guess that was not made

P = [0.5, 0.3, 0.2, 0.0]


def would_accept(p: np.ndarray, q: np.ndarray | None, guess: int | None) -> float:
    """How likely this drafter's guess would have been accepted at a place."""
    if q is not None:
        return float(np.minimum(p, q).sum())
    return 0.0 if guess is None else float(p[guess])


check_would_accept = Exercise(
    "would_accept",
    cases=[
        (np.array(P), np.array([0.2, 0.6, 0.1, 0.1]), None),
        (np.array(P), np.array([0.0, 0.0, 0.0, 1.0]), None),
        (np.array(P), np.array(P), None),
        (np.array(P), None, 1),
        (np.array(P), None, 0),
        (np.array(P), None, None),
    ],
    right=would_accept,
    keeps=True,
    mistakes={
        "A copied token is a guess that is certain: q is 1 there, and it is accepted with "
        "probability p(guess), not only where it is the target's likeliest.": (
            "float(p[guess])", "float(guess == p.argmax())",
        ),
        "Where the lookup has no match it makes no guess (guess is None), and nothing would have "
        "been accepted: 0.": ("0.0 if guess is None", "1.0 if guess is None"),
        "Token 0 is a token, and Python takes 0 for false: ask whether `guess is None`.": (
            "0.0 if guess is None else float(p[guess])", "float(p[guess]) if guess else 0.0",
        ),
        "max(p, q) sums to more than 1. A draw from q is accepted by sum min(p, q).": (
            "np.minimum", "np.maximum",
        ),
        "sum |p - q| is twice the total variation. What is accepted is 1 minus the total "
        "variation, which is sum min(p, q).": ("np.minimum(p, q).sum()", "1 - abs(p - q).sum()"),
        "That is the total variation: the probability of a rejection.": (
            "np.minimum(p, q).sum()", "abs(p - q).sum() / 2",
        ),
        "sum p·q is the probability that a draw from p and a draw from q are the same token. The "
        "rule accepts more often: sum min(p, q).": ("np.minimum(p, q).sum()", "(p * q).sum()"),
    },
    insight="Nobody had to guess for it: the rows of the verified places are enough.",
)  # fmt: skip

# ------------------------------------------------------------------ who guesses

Attempt = Callable[[Drafter, Drafter, Sequence[int], int, RoundNoise], Draft]
NOISE = "the noise of a round"
REPEATS = (0, 1, 0, 1, 1)  # its end occurs once more in what may follow
WHOLE = exam(2, agreement=0.2, gamma=2, length=3, prompt=REPEATS)
ROUNDING = 12  # digits of a distance
REMEMBERED = "It remembers earlier calls, or draws random numbers of its own: use `noise` only."


def who_guesses(
    lookup: Drafter, model: Drafter, tokens: Sequence[int], gamma: int, noise: RoundNoise
) -> Draft:
    """The lookup's draft if it has a guess, else the model's."""
    draft = lookup.propose(tokens, gamma, noise)
    if draft.tokens:
        return draft
    return model.propose(tokens, gamma, noise)


class Asking:
    """A drafter around a student's `who_guesses`."""

    def __init__(self, attempt: Attempt, model: LanguageModel, sampling: Sampling):
        self._attempt = attempt
        self._drafters = PromptLookup(shortest=2), Sampled(model, sampling)

    def propose(self, tokens: Sequence[int], gamma: int, noise: RoundNoise) -> Draft:
        return self._attempt(*self._drafters, tokens, gamma, noise)


class _Named:
    """A drafter of which only its name comes back, or nothing."""

    def __init__(self, name: str, guesses: Sequence[int]):
        self.name, self._guesses, self.asked = name, tuple(guesses), 0
        self.as_given = True

    def propose(self, tokens: Sequence[int], gamma: int, noise: RoundNoise) -> Draft:
        self.asked += 1
        self.as_given &= (tuple(tokens), gamma, noise) == (REPEATS, 2, NOISE)
        q = None if self.name == "lookup" else np.full((len(self._guesses), 2), 0.5)
        return Draft(self._guesses, q)


def _ask(attempt: Attempt, copied: Sequence[int] | None) -> object:
    """(Whose draft, how often the model was asked); without a copy: the whole loop's distance."""
    lookup, model = _Named("lookup", copied or ()), _Named("model", (1, 0))
    draft = attempt(lookup, model, REPEATS, 2, NOISE)
    if draft is None or draft is ...:
        return draft
    if not isinstance(draft, Draft):
        raise Refused("Return a draft: what one of the two gave you.")
    if not (lookup.as_given and model.as_given):
        raise Refused("Hand over tokens, gamma and noise to a drafter as they came.")
    if copied is None:
        decoder = Decoder(drafter=lambda model, sampling: Asking(attempt, model, sampling))
        off = in_sentences(lambda: WHOLE.distance(decoder), REMEMBERED)
        return "all texts", round(off, ROUNDING)
    whose = {(*copied, True): "the lookup's", (1, 0, False): "the model's"}
    key = (*draft.tokens, draft.q is None)
    return whose.get(key, f"another one: {draft.tokens}"), model.asked


def _told(answer: object, copied: Sequence[int] | None) -> str:
    what, count = answer
    if copied is None:
        return (
            f"that the loop can write: this is lossy. They are {count:.3f} (total variation) "
            "from the target's. Who guesses must be settled before the model draws."
        )
    if what not in ("the lookup's", "the model's"):
        return f"the draft is {what}. Return the draft of one drafter as it came."
    wanted, asked = _ask(who_guesses, copied)
    if what != wanted:
        return f"the draft is {wanted}, not {what}."
    return f"the model is asked {asked} times, not {count}: each of its guesses costs a pass."


check_who_guesses = Exercise(
    "who_guesses",
    cases=[((0, 0),), ((0,),), ((),), (None,)],
    right=who_guesses,
    mistakes={
        "Lossy: the text is no longer the target's. You let the model draw, and then look at its "
        "guess to decide who is submitted. So some of its draws are never submitted, and those "
        "that are were not drawn from its q. Ask the lookup first, and the model only if that has "
        "no guess.": (
            (
                "    if draft.tokens:",
                "    other = model.propose(tokens, gamma, noise)\n"
                "    if draft.tokens and other.q[0][other.tokens[0]] < 0.5:",
            ),
            ("return model.propose(tokens, gamma, noise)", "return other"),
        ),
        "Lossy: the text is no longer the target's. You hand over copied guesses with the model's "
        "rows. They were not drawn from those rows: a copied guess is certain, and its draft says "
        "so (q is None).": (
            "        return draft\n",
            "        rows = model.propose(tokens, gamma, noise).q\n"
            "        return Draft(draft.tokens, rows[: len(draft.tokens)])\n",
        ),
        "Lossless, but you take the model's guess even where the lookup has one. The model always "
        "has a guess: ask the one that may have none first.": (
            ("draft = lookup", "draft = model"), ("return model", "return lookup"),
        ),
        "Lossless, but where the lookup has no guess nobody guesses. Its draft is not None then, "
        "and not False: look at draft.tokens.": (
            "    return model.propose(tokens, gamma, noise)", "    return draft"
        ),
        "Lossless, but the model is asked even where its guess is not used, and pays a pass for "
        "each.": (
            ("    if draft", "    other = model.propose(tokens, gamma, noise)\n    if draft"),
            ("return model.propose(tokens, gamma, noise)", "return other"),
        ),
    },
    ask=_ask,
    told=_told,
    shown=lambda copied: (
        "all texts" if copied is None else f"a copy of {len(copied)}, gamma = 2,"
    ),
    insight="Walked along every path: the text's distribution is the target's.",
)  # fmt: skip

# ------------------------------------------------------------------ by which weights

Gains = Mapping[str, Sequence[float]]


def shares(gains: Gains, rate: float) -> dict[str, float]:
    """How likely each drafter is played next: exponential in what it would have gained."""
    scores = {name: rate * sum(past) for name, past in gains.items()}
    top = max(scores.values())
    weights = {name: np.exp(score - top) for name, score in scores.items()}
    return {name: weight / sum(weights.values()) for name, weight in weights.items()}


check_shares = Exercise(
    "shares",
    cases=[
        ({"lookup": [1.0, 2.0], "model": [2.0, 2.0]}, 1.0),
        ({"lookup": [1.0, 2.0], "model": [2.0, 2.0]}, 0.1),
        ({"lookup": [], "model": []}, 1.0),
        ({"lookup": [0.5, 3.0, 1.0], "model": [1.0, 1.0, 1.0], "n-gram": [1.5, 1.4, 1.3]}, 0.5),
        ({"lookup": [2.0] * 1000, "model": [2.1] * 1000}, 1.0),  # exp(2000) is too large
        ({"lookup": [3.0] * 1000, "model": [1.0] * 1000}, 2.0),  # and so is exp(4000)
    ],
    right=shares,
    keeps=True,
    mistakes={
        "After 1,000 rounds exp overflows. Only differences of the sums matter: take the largest "
        "from each of them first.": ("score - top", "score"),
        "After 1,000 rounds exp still overflows, since some exponents are far above 0. Take the "
        "largest of rate · sum from each: then none is.": ("max(scores", "min(scores"),
        "The shares must sum to 1: divide each weight by the sum of all.": (
            "weight / sum(weights.values())", "weight"
        ),
        "Those shares are in proportion to the sums. Hedge is exponential in them, so that a "
        "drafter that falls behind all the time is soon hardly played.": (
            "np.exp(score - top)", "(score / top if top else 1.0)"
        ),
        "That is the best so far, with certainty. A text that changes would fool it: keep some "
        "weight on each.": ("np.exp(score - top)", "float(score == top)"),
        "You forgot `rate`: the sums are multiplied by it.": ("rate * sum(past)", "sum(past)"),
        "You weigh by the last round alone. Sum over all rounds.": (
            "sum(past)", "sum(past[-1:])"
        ),
        "The sign is turned round: the drafter that gained more is played less.": (
            ("rate * sum", "-rate * sum")
        ),
        "You take the mean gain, so 1,000 rounds weigh no more than one. Take the sum.": (
            "sum(past)", "sum(past) / max(1, len(past))"
        ),
    },
    insight="The regret of this rule against the best drafter grows like the square root of the "
    "number of rounds (Freund and Schapire 1997).",
)  # fmt: skip
