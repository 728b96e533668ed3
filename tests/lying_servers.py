"""Lying servers, each as a function that continues a prompt; and honest ones.

Target and draft are made up: 200 tokens, rows that depend on the whole text.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from course_utils.decoding.sampling import Sampling, probabilities, sample
from course_utils.proofs.server_rows import ServedText
from course_utils.proofs.synthetic import shifted_pair

TARGET, DRAFT = shifted_pair(200, seed=5)
STOP_TOKENS = (7, 8)
PLAIN, QWEN = Sampling(), Sampling(0.6, top_k=20, top_p=0.95)
GAMMA, TOKENS, LONG_PROMPT = 4, 64, 150

Writer = Callable[..., list[int]]  # (prompt, sampling, rng) -> tokens


def row(model, text, sampling: Sampling) -> np.ndarray:
    """Return the distribution (vocabulary,) after the text."""
    return probabilities(np.log(model.distribution(text))[None], sampling)[0]


def sampling_from(distribution: Callable) -> Writer:
    """Write token by token from distribution(text, prompt's length, sampling)."""

    def write(prompt, sampling, rng):
        text = list(prompt)
        for _ in range(TOKENS):
            text.append(sample(distribution(text, len(prompt), sampling), rng.random()))
        return text[len(prompt) :]

    return write


def with_settings(temperature_last=False, presence=0.0, **changed) -> Writer:
    """Write honestly, with other settings than requested."""

    def distribution(text, prompt_length, sampling):
        sampling = replace(sampling, **changed)
        logits = np.log(TARGET.distribution(text))
        logits[list(set(text[prompt_length:]))] -= presence
        if temperature_last:
            p = probabilities(logits[None], replace(sampling, temperature=1.0))[0]
            return p ** (1 / sampling.temperature)
        return probabilities(logits[None], sampling)[0]

    return sampling_from(distribution)


def speculating(accepts=lambda p, q, u: u < p / q, late=0) -> Writer:
    """Write in rounds of speculation."""

    def write(prompt, sampling, rng):
        text = list(prompt)
        while len(text) < len(prompt) + TOKENS:
            guesses, rows = [], []
            for _ in range(GAMMA):
                rows.append(row(DRAFT, [*text, *guesses], sampling))
                guesses.append(sample(rows[-1], rng.random()))
            for i, guess in enumerate(guesses):
                p = row(TARGET, text, sampling)
                if not accepts(p[guess], rows[i][guess], rng.random()):
                    p = row(TARGET, [*text, guess], sampling) if late else p
                    left = np.maximum(p - rows[min(i + late, GAMMA - 1)], 0)
                    text.append(sample(left if left.sum() else p, rng.random()))
                    break
                text.append(guess)
            else:
                text.append(sample(row(TARGET, text, sampling), rng.random()))
        return text[len(prompt) : len(prompt) + TOKENS]

    return write


HONEST = sampling_from(lambda text, prompt_length, sampling: row(TARGET, text, sampling))
SPECULATIVE = speculating()
DRAFTS_TEXT = speculating(accepts=lambda p, q, u: True)


def same_numbers(prompt, sampling, rng):
    return SPECULATIVE(prompt, sampling, np.random.default_rng(3))


def one_in_fifty(prompt, sampling, rng):
    return (DRAFTS_TEXT if rng.random() < 0.02 else HONEST)(prompt, sampling, rng)


@dataclass(frozen=True)
class Liar:
    name: str
    write: Writer
    sees: str  # part of the name of a check that fails; "" is a blind spot of 32 requests
    sampling: Sampling = PLAIN  # the requested settings


WITHOUT_STOP_TOKENS = Liar(
    "stop tokens withheld",
    sampling_from(lambda t, n, s: row(TARGET, t, s) * ~np.isin(np.arange(200), STOP_TOKENS)),
    "",
)
LIARS = (
    Liar("temperature 1 where 0.6 is asked", with_settings(temperature=1.0), "surprisal", QWEN),
    Liar("temperature 0.98", with_settings(temperature=0.98), ""),
    Liar("top-k 50 unasked", with_settings(top_k=50), "surprisal"),
    Liar("top-k ignored", with_settings(top_k=0), "exclude", Sampling(top_k=20)),
    Liar("top-p 0.95 unasked", with_settings(top_p=0.95), "second moment"),
    Liar("filters before the temperature", with_settings(temperature_last=True), "exclude",
         Sampling(0.5, top_p=0.8)),
    Liar("presence penalty 1", with_settings(presence=1.0), ""),
    Liar("the draft's text", DRAFTS_TEXT, "surprisal"),
    Liar("accepts where p >= q", speculating(accepts=lambda p, q, u: p >= q), "surprisal"),
    Liar("the correction one row late", speculating(late=1), "surprisal"),
    Liar("one seed for all requests", same_numbers, ""),
    Liar("the last 100 tokens of a prompt",
         sampling_from(lambda t, n, s: row(TARGET, t[max(0, n - 100) :], s)), "surprisal"),
    WITHOUT_STOP_TOKENS,
    Liar("the draft's text in one request of fifty", one_in_fifty, ""),
)  # fmt: skip


def texts_of(
    write: Writer, sampling: Sampling, requests: int = 32, seed: int = 0
) -> list[ServedText]:
    """Return answers to prompts, each requested twice; one prompt in eight is long."""
    rng = np.random.default_rng(seed)
    prompts = [
        tuple(rng.integers(0, 200, LONG_PROMPT if i % 8 == 7 else 9).tolist())
        for i in range(requests // 2)
    ]
    return [ServedText(p, tuple(write(p, sampling, rng))) for p in prompts for _ in range(2)]
