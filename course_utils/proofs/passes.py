"""The rows of a text once more: by the run's own calls, one token at a time, or k at a time.

Scoring a text again in the same way on the same machine gives the same bits.  In another
way it gives the same logits but for rounding, or the model has a fault.
"""

from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from course_utils.decoding.contracts import Draft, LanguageModel, Round, Rows, Session
from course_utils.decoding.loop import catch_up, common_prefix, forward, rollback_rejected
from course_utils.decoding.rows import as_numpy, namespace
from course_utils.proofs.decoders import RecordedRun


def rows_again(run: RecordedRun) -> Iterator[np.ndarray]:
    """Of each round the logits (drafted + 1, vocabulary) that the run's own calls give again."""
    model = run.decoder.target(run.target)
    session = model.start(run.prompt[:-1])
    for text, r in run.texts():
        draft = Draft(r.drafted, r.q, r.parents)
        yield as_numpy(forward(session, [text[-1], *r.drafted], r.parents))
        rollback_rejected(session, len(text), draft, r.verdict, len(r.emitted) - 1)


def rows_alone(run: RecordedRun) -> Iterator[np.ndarray]:
    """The same rows from passes over a single token, as decoding without a draft makes them.

    The target itself is asked, in a session that sees no other call: no pass over several
    tokens, no rollback.  So there is a row for each token of the text, of a round
    (emitted, vocabulary); every third round is scored to its end, (drafted + 1,
    vocabulary), in a second session that is rolled back.  Of a round that drafted a tree,
    whose rows do not stand in the order of the text, the others have one row, the first.
    """
    session, branch = (run.target.start(run.prompt[:-1]) for _ in range(2))
    for text, r in run.texts():
        kept = [*text, *r.emitted[:-1]]
        rows = [as_numpy(session.extend([token])) for token in kept[session.length :]]
        if r.parents is not None:
            others = _at_each_node(branch, text, r) if r.index % 3 == 0 else []
            yield np.concatenate([*rows[:1], *others])
            continue
        if r.index % 3 == 0 and len(rows) <= len(r.drafted):
            catch_up(branch, kept, branch.length)
            rows += [as_numpy(branch.extend([token])) for token in r.drafted[len(rows) - 1 :]]
            branch.rollback(len(kept))
        yield np.concatenate(rows)


def _at_each_node(branch: Session, text: list[int], r: Round) -> Iterator[np.ndarray]:
    """After each node of a tree, one token at a time; `branch` holds part of the text."""
    before, held = [text], text
    catch_up(branch, text, branch.length)
    for token, parent in zip(r.drafted, r.parents, strict=True):
        before.append([*before[parent + 1], token])
        branch.rollback(common_prefix(held, before[-1][:-1]))
        held = before[-1]
        rows = [as_numpy(branch.extend([token])) for token in held[branch.length :]]
        yield rows[-1]
    branch.rollback(len(text))


def score(target: LanguageModel, prompt: Sequence[int], tokens: Sequence[int], k: int = 1) -> Rows:
    """Logits (len(tokens), vocabulary) for each of `tokens`, from passes of k rows.

    k = 1 is what decoding without a drafter computes, to the last bit.

    Raises:
        ValueError: an empty prompt, or no tokens.
    """
    if not prompt or not tokens:
        raise ValueError("nothing to score: give a prompt and the tokens that follow it")
    session, rows = target.start(prompt[:-1]), []
    for start in range(0, len(tokens), k):
        text = [*prompt, *tokens[: min(start + k, len(tokens)) - 1]]
        rows.append(catch_up(session, text, session.length))
    return namespace(rows[0]).concat(rows)


def score_again(
    target: LanguageModel, prompt: Sequence[int], rounds: Iterable[Round]
) -> list[tuple[int, Rows]]:
    """(rows in its pass, its logits) of each emitted token, from the passes of the rounds."""
    session, text, scored = target.start(prompt[:-1]), list(prompt), []
    for r in rounds:
        draft = Draft(r.drafted, r.q, r.parents)
        logits = forward(session, [text[-1], *r.drafted], r.parents)
        scored += [(len(logits), logits[at]) for at in rows_of_the_text(r)]
        rollback_rejected(session, len(text), draft, r.verdict, len(r.emitted) - 1)
        text += r.emitted
    return scored


def rows_of_the_text(r: Round) -> list[int]:
    """Which rows of a round's pass its emitted tokens were judged by, in their order."""
    path = range(r.verdict.accepted) if r.verdict.path is None else r.verdict.path
    return [0, *(place + 1 for place in path)][: len(r.emitted)]


def below(row: Rows, token: int) -> float:
    """How far `token` is below the largest logit: [1., 3., 2.], 2 -> 1.0"""
    return float(row.max()) - float(row[token])


def largest_change(alone: Rows, among: Rows) -> float:
    """Of the lead of the likeliest token over the second; rows (n, vocabulary)."""
    xp = namespace(alone)
    leaders = xp.argsort(alone, axis=-1, descending=True)[:, :2]
    before, after = (
        two[:, 0] - two[:, 1]
        for two in (xp.take_along_axis(rows, leaders, axis=-1) for rows in (alone, among))
    )
    # an impossible second has an infinite lead over it in both: no change
    return float(xp.where(before == after, 0.0, xp.abs(after - before)).max())
