"""Every round of a text, looked at exactly: its rows, its guesses, its decision.

If p is what the target says of the text, each guess is drawn from its row of q by its
own uniform, and the decision is that of a rule whose output is enumerated, then the
text is a sample of the target; what a guess must not have influenced is `blindness`'s.
Nothing here is statistics but the scores: one wrong round in a thousand is a finding.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from course_utils.decoding.contracts import Round, Rows, Rule
from course_utils.decoding.noise import Noise
from course_utils.decoding.rows import as_numpy
from course_utils.decoding.rules import RULES, TREE_RULES
from course_utils.decoding.sampling import Sampling, sample
from course_utils.decoding.theory import total_variation
from course_utils.proofs.audit import nearby, slack
from course_utils.proofs.decoders import RecordedRun
from course_utils.proofs.filters import filtered, support
from course_utils.proofs.passes import largest_change, rows_again, rows_alone, rows_of_the_text
from course_utils.proofs.scores import Scores, likelier, without_unlikely
from course_utils.proofs.ties import SAFETY

LOSSLESS = tuple(rule for rule in (*RULES, *TREE_RULES) if rule.lossless)
EDGE = 1e-5  # share by which rounding in float32 can move a token across a filter's edge
LEAST = 1e-30  # a weight below this may be 0 in float32


@dataclass
class Seen:
    """What was found in the rounds that were looked at."""

    rounds: int = 0
    wrong_rows: int = 0  # rounds whose p is not the target's logits, filtered a second way
    wrong_uniforms: int = 0  # rounds judged by other uniforms than the seed's
    wrong_draws: int = 0  # rounds with a guess that its uniform does not draw from its row of q
    wrong_decisions: int = 0  # rounds that the lossless rule decides otherwise
    apart: list[list[float]] = field(default_factory=list)  # a text: TV of rows alone, in rounds
    tilt: list[list[float]] = field(default_factory=list)  # a text: of its rows; see `tilted`
    noise: float = 0.0  # logits: twice what the lead of the likeliest token changed by at most
    scores: tuple[Scores, ...] = field(
        default_factory=lambda: tuple(
            Scores(f"towards {case}")
            for case in ("the draft", "likelier tokens", "likelier guesses")
        )
    )


def look_at(run: RecordedRun, seen: Seen) -> None:
    """Examine each round of a text, and add what is found to `seen`.

    The decision is compared with the lossless rule of the same name; a rule of no known
    name may be any of them, the same in all rounds.
    """
    rules = [rule for rule in LOSSLESS if rule.name == run.decoder.rule.name] or LOSSLESS
    otherwise = dict.fromkeys(rules, 0)
    q_rows = _rows_of_the_draft(run)
    apart, tilt = [], []
    seen.apart.append(apart)
    seen.tilt.append(tilt)
    place = Noise(run.seed, row=1)
    rounds = zip(run.rounds, rows_again(run), rows_alone(run), strict=True)
    for r, again, alone in rounds:
        noise = Noise(run.seed).round(r.index)
        drawn = noise.uniforms("draft", max(0, run.limit(r)))
        seen.rounds += 1
        seen.wrong_rows += not is_filtered(as_numpy(r.p), again, run.sampling)
        seen.wrong_uniforms += list(r.uniforms) != noise.uniforms("verify", len(r.drafted) + 1)
        seen.wrong_draws += not all(_draws_of(r, drawn))
        pair = alone, again[: len(alone)]
        rows = (heated(logits, run.sampling) for logits in pair)
        apart += total_variation(*rows).tolist()
        tilt += tilted(*pair, run.sampling).tolist()
        seen.noise = max(seen.noise, SAFETY * largest_change(*pair))
        for rule in rules:
            otherwise[rule] += not decides(rule, r)
        n = len(r.emitted)
        if run.sampling.temperature:
            rows = alone[:n] if r.parents is None else again[rows_of_the_text(r)]
            p = np.stack([filtered(row, run.sampling) for row in rows])
            q = None if q_rows is None else q_rows[r.context - len(run.prompt) :][:n]
            _score(seen.scores, r, p, q, place.round(r.index).uniforms("other", 2 * n + len(drawn)))
    seen.wrong_decisions += min(otherwise.values())


def decides(rule: Rule, r: Round) -> bool:
    """Is the round's verdict the rule's?"""
    if r.parents is not None and not rule.trees:
        return False
    return any(
        rule.judge(r.p, r.q, r.drafted, uniforms, r.parents) == r.verdict
        for uniforms in nearby(r.uniforms, slack(r.p))
    )


def is_filtered(p: np.ndarray, logits: np.ndarray, sampling: Sampling) -> bool:
    """Are rows p what temperature and filters make of the logits, but for rounding?"""
    for row, raw, weights in zip(p, logits, heated(logits, sampling), strict=True):
        kept = row > 0
        must, may = (support(raw, sampling, at) for at in (-EDGE, EDGE))
        total = weights[kept].sum()
        if (must & (weights > LEAST) & ~kept).any() or (kept & ~may).any() or not total > 0:
            return False
        share = np.where(kept, weights, 0.0) / total
        if sampling.temperature and total_variation(row / row.sum(), share) > EDGE:
            return False
    return True


def heated(logits: np.ndarray, sampling: Sampling) -> np.ndarray:
    """Rows of logits -> probabilities in float64, before any filter; greedy: at temperature 1."""
    scaled = np.asarray(logits, np.float64) / (sampling.temperature or 1.0)
    weights = np.exp(scaled - scaled.max(-1, keepdims=True))
    return weights / weights.sum(-1, keepdims=True)


def tilted(alone: np.ndarray, among: np.ndarray, sampling: Sampling) -> np.ndarray:
    """By what share the second rows of logits are colder than the first: (n,).

    The slope of log p among others against log p alone, weighted by p, less one: 1/T - 1
    if they are the same logits at temperature T.  Rounding has no such direction.
    """
    p = heated(alone, sampling)
    before, after = (np.where(np.isfinite(x), x, 0.0).astype(np.float64) for x in (alone, among))
    before -= (p * before).sum(-1, keepdims=True)
    after -= (p * after).sum(-1, keepdims=True)
    spread = (p * before**2).sum(-1)
    certain = spread < 1e-9  # one token has all the mass: there is no slope
    return np.where(certain, 0.0, (p * before * after).sum(-1) / (spread + certain) - 1)


def _draws_of(r: Round, uniforms: Sequence[float]) -> list[bool]:
    """Of each guess: is it what its own uniform draws from its row of q?"""
    if r.q is None:  # certain
        return []
    return [
        any(x == sample(row, u) for (u,) in nearby([uniform], slack(r.q)))
        for row, x, uniform in zip(r.q, r.drafted, uniforms, strict=False)
    ]


def _score(
    cases: Sequence[Scores], r: Round, p: np.ndarray, q: np.ndarray | None, places: Sequence[float]
) -> None:
    """Where the round's tokens land, and its guesses; one place inside its slice for each."""
    n = len(p)
    to_draft, to_likely, guesses = cases
    to_likely.add(p, likelier(p), p, r.emitted, places[:n])
    if q is not None:
        ratio = p / np.maximum(q, np.finfo(np.float64).tiny)
        to_draft.add(p, q, ratio, r.emitted, places[n : 2 * n])
    if r.q is not None and r.drafted:
        rows = as_numpy(r.q).astype(np.float64)
        at = places[2 * n : 2 * n + len(r.drafted)]
        guesses.add(rows, without_unlikely(rows), rows, r.drafted, at)


def _rows_of_the_draft(run: RecordedRun) -> np.ndarray | None:
    """What the draft model says at each new token, from one pass over the finished text.

    None without a draft, or if the text outgrew its context.
    """
    new = run.tokens
    text = [*run.prompt, *new[:-1]]
    if run.draft is None or len(text) > run.draft.context:
        return None
    # a head reads the states of a target that is at work on the text
    at_work = run.draft.shared.start(text) if hasattr(run.draft, "shared") else None
    rows: Rows = run.draft.start([]).extend(text)[-len(new) :]
    del at_work
    return np.stack([filtered(row, run.sampling) for row in as_numpy(rows)])
