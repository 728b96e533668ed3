"""The one decoding loop of the course.

Draft, verify all guesses in one forward pass of the target, let the rule
decide, commit, roll back.  Autoregressive decoding is the same loop with no
drafter.  Nothing here knows which model, drafter or rule is plugged in.
"""

import operator
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from time import perf_counter

import array_api_compat
from array_api_compat import is_numpy_array, is_torch_array

from course_utils.decoding.contracts import (
    NO_DRAFT,
    Draft,
    Drafter,
    LanguageModel,
    NoiseSource,
    Round,
    Rows,
    Rule,
    Seconds,
    Session,
    Verdict,
)
from course_utils.decoding.noise import Noise
from course_utils.decoding.proposal import CommittedText, proposal, tell
from course_utils.decoding.rows import namespace
from course_utils.decoding.rules import TOKEN_WISE
from course_utils.decoding.sampling import Sampling, probabilities


def generate(
    target: LanguageModel, prompt: Sequence[int], drafter: Drafter | None = None, *,
    gamma: int = 4, sampling: Sampling = Sampling(), rule: Rule = TOKEN_WISE,
    max_new_tokens: int = 128, stop_tokens: Sequence[int] = (),
    seed: int = 0, noise: Callable[[int], NoiseSource] = Noise,
) -> Iterator[Round]:  # fmt: skip
    """Yield a `Round` after each verification; the last one has a `stop_reason`.

    Emits at most `max_new_tokens` tokens and ends after the first of `stop_tokens`, which
    is emitted.  How much is drafted depends on the room left, never on a guess: so the text
    has the target's distribution to its last token.  All randomness is `noise(seed)`.

    Raises:
        ValueError: an empty or too long prompt, an unknown token, gamma or max_new_tokens
            below 1, a draft that `proposal` refuses, or rows of p that are not finite.
    """
    tokens = _checked_prompt(target, prompt, gamma, max_new_tokens)
    end = min(len(tokens) + max_new_tokens, target.context)
    uniform_source, index, reason, done = noise(seed), 0, None, None
    text = CommittedText(tokens)
    session = target.start(tokens[:-1])  # the last token waits: its row is needed
    while reason is None:
        length, cached = len(tokens), session.length
        random, limit = uniform_source.round(index), min(gamma, end - length - 1)
        clock = [perf_counter()]
        draft = NO_DRAFT
        if drafter and limit:
            tell(drafter, done)
            draft = proposal(drafter, text, limit, random, target)
        clock.append(perf_counter())
        tokens.extend(draft.tokens)  # for this pass only
        logits = catch_up(session, tokens, length - 1, draft.parents)
        del tokens[length:]
        clock.append(perf_counter())
        p = probabilities(logits[-len(draft.tokens) - 1 :], sampling)
        q = _beside(p, draft.q)
        uniforms = random.uniforms("verify", len(draft.tokens) + 1)
        verdict = rule.verify(p, q, draft.tokens, uniforms)
        emitted = _until_stop((*accepted_tokens(draft, verdict), verdict.token), stop_tokens)
        tokens.extend(emitted)
        reason = _stop_reason(tokens, end, target.context, stop_tokens)
        kept = min(length + _in_place(verdict), len(tokens) - 1)
        if session.length > kept:
            session.rollback(kept)  # forget what was rejected
        clock.append(perf_counter())
        seconds = Seconds(*(late - early for early, late in pairwise(clock)))
        done = Round(
            index, length, draft.tokens, p, q, uniforms, verdict, emitted,
            cached, session.length, seconds, reason, draft.parents,
        )  # fmt: skip
        yield done
        index += 1


def catch_up(
    session: Session, tokens: Sequence[int], kept: int, parents: Sequence[int] | None = None
) -> Rows | None:
    """Make `session` hold exactly `tokens`, the first `kept` of which it may have.

    Rolls back the rest, feeds what is missing and returns the logits of the fed
    tokens (None if nothing was missing); `parents` says that the last of them are
    a tree.  Costs what is missing, however long the text is.
    """
    if session.length > kept:
        session.rollback(kept)
    missing = tokens[session.length :]
    if not missing:
        return None
    return session.extend(missing) if parents is None else session.extend(missing, parents)


def common_prefix(a: Sequence[int], b: Sequence[int]) -> int:
    """How many tokens two texts share from their start: [1, 2, 3], [1, 2, 9, 9] -> 2"""
    return next(
        (i for i, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b))
    )


def accepted_tokens(draft: Draft, verdict: Verdict) -> tuple[int, ...]:
    """The drafted tokens that the rule accepted, in the order of the text."""
    if verdict.path is None:
        return draft.tokens[: verdict.accepted]
    return tuple(draft.tokens[i] for i in verdict.path)


def _in_place(verdict: Verdict) -> int:
    """How many accepted tokens already stand in the cache where they belong.

    A chain's all do.  Of a tree's path only the part that was drafted first does;
    the rest is fed again with the next round's tokens.
    """
    path = range(verdict.accepted) if verdict.path is None else verdict.path
    return next((i for i, place in enumerate(path) if place != i), len(path))


def _beside(p: Rows, q: Rows | None) -> Rows | None:
    """q as p is held: a counted draft (NumPy) may guess for a target in torch."""
    if q is None:
        return None
    if is_numpy_array(p) and is_torch_array(q):  # NumPy has no bfloat16 and reads no GPU
        q = q.cpu() if q.dtype.itemsize > 2 else q.cpu().float()
    return namespace(p).asarray(q, device=array_api_compat.device(p))


def _until_stop(tokens: tuple[int, ...], stop_tokens: Sequence[int]) -> tuple[int, ...]:
    """(5, 0, 7), [0] -> (5, 0): what follows a stop token was never said."""
    for i, token in enumerate(tokens):
        if token in stop_tokens:
            return tokens[: i + 1]
    return tokens


def _stop_reason(
    tokens: Sequence[int], end: int, context: int, stop_tokens: Sequence[int]
) -> str | None:
    if tokens[-1] in stop_tokens:
        return "stop_token"
    if len(tokens) < end:
        return None
    return "context" if end == context else "length"


def _checked_prompt(
    target: LanguageModel, prompt: Sequence[int], gamma: int, max_new_tokens: int
) -> list[int]:
    try:
        tokens = [operator.index(token) for token in prompt]
    except TypeError:
        raise ValueError(f"the prompt is {prompt!r:.60}: give token ids, not text") from None
    if not tokens:
        raise ValueError("the prompt is empty: give at least one token to continue from")
    unknown = [token for token in tokens if not 0 <= token < target.vocabulary_size]
    if unknown:
        raise ValueError(
            f"the prompt holds token {unknown[0]}, but the target knows 0 to "
            f"{target.vocabulary_size - 1}: was it made with another tokenizer?"
        )
    if len(tokens) >= target.context:
        raise ValueError(
            f"the prompt has {len(tokens)} tokens and the context holds {target.context}, "
            "one of them new: shorten the prompt, or load the model with a longer context if it "
            "can hold more"
        )
    for name, value in (("gamma", gamma), ("max_new_tokens", max_new_tokens)):
        if not hasattr(value, "__index__"):
            raise ValueError(f"{name} is {value!r}; give a whole number, at least 1")
    if gamma < 1:
        raise ValueError(f"gamma is {gamma}; draft at least 1 token, or give no drafter")
    if max_new_tokens < 1:
        raise ValueError(f"max_new_tokens is {max_new_tokens}; ask for at least 1")
    return tokens
