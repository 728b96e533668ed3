"""The one decoding loop of the course.

Draft, verify all guesses in one forward pass of the target, let the rule
decide, commit, roll back.  Autoregressive decoding is the same loop with no
drafter.  Nothing here knows which model, drafter or rule is plugged in.
"""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from time import perf_counter

import array_api_compat

from course_utils.decoding.contracts import (
    NO_DRAFT,
    Draft,
    Drafter,
    LanguageModel,
    Round,
    Rows,
    Rule,
    Seconds,
    Session,
)
from course_utils.decoding.noise import Noise
from course_utils.decoding.rules import TOKEN_WISE
from course_utils.decoding.sampling import Sampling, probabilities


def generate(
    target: LanguageModel,
    prompt: Sequence[int],
    drafter: Drafter | None = None,
    *,
    gamma: int = 4,
    sampling: Sampling = Sampling(),
    rule: Rule = TOKEN_WISE,
    max_new_tokens: int = 128,
    stop_tokens: Sequence[int] = (),
    seed: int = 0,
) -> Iterator[Round]:
    """Yield a `Round` after each verification; the last one has a `stop_reason`.

    Emits at most `max_new_tokens` tokens and ends after the first of
    `stop_tokens`, which is emitted.  Draft lengths depend on the room left,
    never on a guess, so the output law stays the target's to the last token.

    Raises:
        ValueError: an empty or too long prompt, an unknown token, gamma < 1,
            max_new_tokens < 1, or a draft that does not fit the target.
    """
    tokens = _checked_prompt(target, prompt, gamma, max_new_tokens)
    end = min(len(tokens) + max_new_tokens, target.context)
    noise, index, reason = Noise(seed), 0, None
    session = target.start(tokens[:-1])  # the last token waits: its row is needed
    while reason is None:
        length, cached = len(tokens), session.length
        random, limit = noise.round(index), min(gamma, end - length - 1)
        clock = [perf_counter()]
        draft = drafter.propose(tokens, limit, random) if drafter and limit else NO_DRAFT
        _check_draft(draft, limit, target)
        clock.append(perf_counter())
        logits = catch_up(session, [*tokens, *draft.tokens], kept=length - 1)
        clock.append(perf_counter())
        p = probabilities(logits, sampling)  # (len(draft) + 1, vocabulary)
        q = _beside(p, draft.q)
        uniforms = random.uniforms("verify", len(draft.tokens) + 1)
        verdict = rule.verify(p, q, draft.tokens, uniforms)
        emitted = _until_stop((*draft.tokens[: verdict.accepted], verdict.token), stop_tokens)
        tokens.extend(emitted)
        reason = _stop_reason(tokens, end, target.context, stop_tokens)
        catch_up(session, tokens[:-1], kept=len(tokens) - 1)  # forget what was rejected
        clock.append(perf_counter())
        seconds = Seconds(*(late - early for early, late in pairwise(clock)))
        yield Round(
            index, length, draft.tokens, p, q, uniforms, verdict, emitted,
            cached, session.length, seconds, reason,
        )  # fmt: skip
        index += 1


def catch_up(session: Session, tokens: Sequence[int], kept: int) -> Rows | None:
    """Make `session` hold exactly `tokens`, the first `kept` of which it may have.

    Rolls back the rest, feeds what is missing and returns the logits of the fed
    tokens (None if nothing was missing).  The only caller of `rollback`.
    """
    if session.length > kept:
        session.rollback(kept)
    missing = tokens[session.length :]
    return session.extend(missing) if missing else None


def _beside(p: Rows, q: Rows | None) -> Rows | None:
    """q as p is held: a counted draft (NumPy) may guess for a target in torch."""
    if q is None:
        return None
    return array_api_compat.array_namespace(p).asarray(q, device=array_api_compat.device(p))


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
    tokens = [int(token) for token in prompt]
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
            "one of them new: shorten the prompt or load the model with a longer context"
        )
    if gamma < 1:
        raise ValueError(f"gamma is {gamma}; draft at least 1 token, or give no drafter")
    if max_new_tokens < 1:
        raise ValueError(f"max_new_tokens is {max_new_tokens}; ask for at least 1")
    return tokens


def _check_draft(draft: Draft, limit: int, target: LanguageModel) -> None:
    if len(draft.tokens) > limit:
        raise ValueError(f"the drafter proposed {len(draft.tokens)} tokens; at most {limit} fit")
    if draft.q is not None and tuple(draft.q.shape) != (
        len(draft.tokens),
        target.vocabulary_size,
    ):
        raise ValueError(
            f"q has shape {tuple(draft.q.shape)}, expected ({len(draft.tokens)}, "
            f"{target.vocabulary_size}): draft and target must share one vocabulary"
        )
