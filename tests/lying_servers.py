"""Servers that lie, each a way to continue a prompt; and the one that does not.

Target and draft are made up: 200 tokens, rows that depend on the whole text.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from course_utils.decoding.sampling import Sampling, probabilities
from course_utils.proofs.served_rows import Rows, Text
from course_utils.proofs.synthetic import shifted_pair

TARGET, DRAFT = shifted_pair(200, seed=5)
STOPS = (7, 8)
PLAIN, QWEN, COOL = Sampling(), Sampling(0.6, top_k=20, top_p=0.95), Sampling(0.7)
GAMMA, TOKENS, LONG = 4, 64, 150


def row(model, text, sampling: Sampling) -> np.ndarray:
    """(vocabulary,) of what is drawn after the text."""
    p = model.distribution(text)
    return p if sampling == PLAIN else probabilities(np.log(p)[None], sampling)[0]


def drawn(p: np.ndarray, rng: np.random.Generator) -> int:
    return int(np.searchsorted(p.cumsum(), rng.random() * p.sum(), side="right"))


Writer = Callable[..., list[int]]  # (prompt, sampling, rng) -> tokens


def drawing(change: Callable) -> Writer:
    """Token by token from change(text, prompt's length, sampling) -> (vocabulary,)."""

    def write(prompt, sampling, rng, tokens=TOKENS):
        text = list(prompt)
        for _ in range(tokens):
            text.append(drawn(change(text, len(prompt), sampling), rng))
        return text[len(prompt) :]

    return write


def by(temperature_last=False, repetition=1.0, presence=0.0, frequency=0.0, **changed) -> Writer:
    """Honest, with other settings."""

    def change(text, given, sampling):
        sampling = replace(sampling, **changed)
        logits = np.log(TARGET.distribution(text))
        said = np.bincount(text[given:], minlength=len(logits))
        seen = list(set(text))
        logits[seen] *= repetition  # log-probabilities are below 0
        logits -= presence * (said > 0) + frequency * said
        if temperature_last:
            p = probabilities(logits[None], replace(sampling, temperature=1.0))[0]
            return p ** (1 / sampling.temperature)
        return probabilities(logits[None], sampling)[0]

    return drawing(change)


def speculating(
    accepts=lambda p, q, u: u < p / q,
    corrects=lambda p, q: np.maximum(p - q, 0),
    bonus=lambda p, q: p,
    drafts=lambda text, s: row(DRAFT, text, s),
    late=0,
    repeats=0.0,
) -> Writer:
    """Rounds of speculation; `drafts` is what a guess is drawn from, whatever q is."""

    def write(prompt, sampling, rng):
        text = list(prompt)
        while len(text) < len(prompt) + TOKENS:
            guesses, rows = [], []
            for _ in range(GAMMA):
                here = [*text, *guesses]
                guesses.append(drawn(drafts(here, sampling), rng))
                rows.append(row(DRAFT, here, sampling))
            for i, (guess, q) in enumerate(zip(guesses, rows, strict=True)):
                p = row(TARGET, text, sampling)
                if not accepts(p[guess], max(q[guess], 1e-300), rng.random()):
                    here = [*text, guess] if late else text
                    left = corrects(row(TARGET, here, sampling), rows[min(i + late, GAMMA - 1)])
                    left = left if left.sum() else p
                    if rng.random() < repeats:
                        text.append(text[-1])
                    text.append(drawn(left, rng))
                    break
                text.append(guess)
            else:
                p, q = (row(model, text, sampling) for model in (TARGET, DRAFT))
                text.append(drawn(bonus(p, q), rng))
        return text[len(prompt) : len(prompt) + TOKENS]

    return write


def likeliest(p):
    return np.arange(len(p)) == p.argmax()


def noisy(strength):
    """Rows as those of rounded weights."""

    def change(text, given, sampling):
        noise = np.random.default_rng(hash(tuple(text)) % 2**32).normal(0, strength, 200)
        return probabilities((np.log(TARGET.distribution(text)) + noise)[None], sampling)[0]

    return drawing(change)


def same_numbers(write: Writer) -> Writer:
    return lambda prompt, sampling, rng: write(prompt, sampling, np.random.default_rng(3))


def one_in(n: int, write: Writer) -> Writer:
    return lambda prompt, sampling, rng: (write if rng.random() < 1 / n else HONEST)(
        prompt, sampling, rng
    )


def no_stops(text, given, sampling):
    p = row(TARGET, text, sampling).copy()
    p[list(STOPS)] = 0
    return p


HONEST = drawing(lambda text, given, sampling: row(TARGET, text, sampling))
SPECULATIVE = speculating()


@dataclass(frozen=True)
class Liar:
    name: str
    write: Writer
    asked: Sampling = PLAIN
    seen: bool = True  # else it is a blind spot of 32 requests of 64 tokens


LIARS = (
    Liar("temperature 1 where 0.6 is asked", by(temperature=1.0), QWEN),
    Liar("temperature 0.8", by(temperature=0.8), PLAIN),
    Liar("temperature 0.98", by(temperature=0.98), PLAIN, seen=False),
    Liar("top-k 50 unasked", by(top_k=50), PLAIN),
    Liar("top-k ignored", by(top_k=0), Sampling(top_k=20)),
    Liar("top-k 50 where 20 is asked", by(top_k=50), Sampling(top_k=20)),
    Liar("top-p 0.95 unasked", by(top_p=0.95), PLAIN),
    Liar("top-p ignored", by(top_p=1.0), Sampling(top_p=0.9)),
    Liar("min-p 0.05 unasked", by(min_p=0.05), PLAIN),
    Liar("Qwen3's generation config", by(temperature=0.6, top_k=20, top_p=0.95), PLAIN),
    Liar("filters before the temperature", by(temperature_last=True),
         Sampling(0.5, top_p=0.8)),
    Liar("repetition penalty 1.3", by(repetition=1.3), PLAIN),
    Liar("presence penalty 1", by(presence=1.0), PLAIN),
    Liar("frequency penalty 0.5", by(frequency=0.5), PLAIN),
    Liar("always the likeliest", by(top_k=1), PLAIN),
    Liar("the draft's text", speculating(accepts=lambda p, q, u: True)),
    Liar("accepts where p >= q", speculating(accepts=lambda p, q, u: p >= q)),
    Liar("the likeliest guess, judged as if drawn",
         speculating(drafts=lambda t, s: likeliest(row(DRAFT, t, s)))),
    Liar("the draft's temperature not that of q",
         speculating(drafts=lambda t, s: row(DRAFT, t, replace(s, temperature=0.5)))),
    Liar("the bonus from q", speculating(bonus=lambda p, q: q), seen=False),
    Liar("the likeliest as correction", speculating(corrects=lambda p, q: likeliest(p - q))),
    Liar("the correction from p", speculating(corrects=lambda p, q: p)),
    Liar("the correction from one row late", speculating(late=1)),
    Liar("a token repeated after one rejection in four", speculating(repeats=0.25)),
    Liar("one seed for all requests", same_numbers(SPECULATIVE)),
    Liar("the last 100 tokens of a prompt",
         drawing(lambda t, n, s: row(TARGET, t[max(0, n - 100):], s))),
    Liar("stop tokens withheld", drawing(no_stops)),
    Liar("weights rounded, logits 0.5 off", noisy(0.5), seen=False),
    Liar("weights rounded, logits 0.05 off", noisy(0.05), seen=False),
    Liar("the draft's text in one request of fifty",
         one_in(50, speculating(accepts=lambda p, q, u: True)), seen=False),
)  # fmt: skip


def texts_of(write: Writer, sampling: Sampling, requests: int = 32, seed: int = 0) -> list[Text]:
    """Every prompt is asked twice; one in eight is long."""
    rng = np.random.default_rng(seed)
    prompts = [
        tuple(rng.integers(0, 200, LONG if i % 8 == 7 else 9).tolist())
        for i in range(requests // 2)
    ]
    return [Text(p, tuple(write(p, sampling, rng))) for p in prompts for _ in range(2)]


def draft_of(text: Text, sampling: Sampling) -> np.ndarray:
    """What the draft says there: (n, vocabulary)."""
    return probabilities(_logits(DRAFT, text), sampling)


def rows_of(text: Text) -> Rows:
    return Rows.of(_logits(TARGET, text))


def _logits(model, text: Text) -> np.ndarray:
    tokens = [*text.prompt, *text.tokens]
    session = model.start(tokens[: len(text.prompt) - 1])
    return session.extend(tokens[len(text.prompt) - 1 : -1])
