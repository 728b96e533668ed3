"""Seven ways to serve one head, and a student's oracle at work on what each of them served."""

from collections.abc import Callable, Mapping, Sequence

import numpy as np
import torch
from torch import Tensor

from course_utils.decoding.contracts import Round
from course_utils.decoding.loop import generate
from course_utils.decoding.metrics import emitted_tokens, summarise
from course_utils.decoding.rows import as_numpy
from course_utils.decoding.sampling import GREEDY, Sampling
from course_utils.decoding.theory import overlap
from course_utils.drafters.sampled import Sampled
from course_utils.lessons.silent_heads.checks import Run
from course_utils.models.head_models import HEADS, Unrolled
from course_utils.models.heads import UnrolledHead, load_head
from course_utils.models.pairs import Pair
from course_utils.models.qwen3 import Qwen3
from course_utils.models.shared_layers import Shared
from course_utils.proofs.broken_heads import HEAD_BUGS

AS_IT_SHOULD = "as it should be"
Step = Callable[[int, Tensor], tuple[Tensor, np.ndarray]]  # (token, state) -> (next state, q)
RowsOf = Callable[[Step, Tensor, Sequence[int], Sequence[int]], Sequence[np.ndarray]]


def at_work(pair: Pair) -> tuple[Shared, UnrolledHead]:
    """The EAGLE-like head that is shipped with the pair, and its target with its states."""
    head = load_head(HEADS / "eagle", pair.target)
    return Shared(pair.target, head.shape.taps), head


def ways() -> dict[str, Callable]:
    """How the head can be served: rightly, and with each of the six mistakes."""
    return {AS_IT_SHOULD: Unrolled} | {bug.name: bug.serve for bug in HEAD_BUGS}


def served(
    shared: Shared, head: UnrolledHead, text: Sequence[int], gamma: int, new_tokens: int
) -> dict[str, tuple[bool, list[Round]]]:
    """{way: (is the greedy text the target's, rounds at temperature 1)}"""
    settings = {"gamma": gamma, "max_new_tokens": new_tokens}
    plain = emitted_tokens(generate(shared, text, sampling=GREEDY, max_new_tokens=new_tokens))
    found = {}
    for name, serve in ways().items():
        model = serve(shared, head)
        greedy, sampled = (
            list(generate(shared, text, Sampled(model, how), sampling=how, **settings))
            for how in (GREEDY, Sampling())
        )
        found[name] = emitted_tokens(greedy) == plain, sampled
    return found


def said(found: Mapping[str, tuple[bool, Sequence[Round]]]) -> str:
    """What a test of the text and a look at the speed see."""
    lines = []
    for name, (same, rounds) in found.items():
        tokens = summarise(rounds).tokens_per_round
        whose = "the target's" if same else "ANOTHER"
        lines.append(f"{name:26} greedy text {whose}, {tokens:.2f} tokens per round")
    return "\n".join(lines)


@torch.no_grad()
def behind(head: UnrolledHead, target: Qwen3, text: Sequence[int]) -> tuple[Step, Tensor]:
    """The head behind a text of two tokens or more, by its definition: its step, and the target's
    states of all tokens but the last, read afresh, as the head fuses them."""
    session = target.start(text[:-1], head.shape.taps)
    known = len(text) - 1
    taps = torch.stack([session.states[tap][:known].float() for tap in head.shape.taps])
    states = head.first_state(taps)
    tokens, anchors, seen = torch.tensor(text), torch.tensor([known - 1]), []

    @torch.no_grad()
    def step(token: int, state: Tensor) -> tuple[Tensor, np.ndarray]:
        x, places = head.joined(torch.as_tensor(token), state)[None, None], anchors + len(seen)
        if not seen:  # the warm-up
            before = head.joined(tokens[1:-1], states[:-1])
            x, places = torch.cat([before[None], x], 1), torch.arange(known)
        new = head.block(x, places, anchors, seen)
        q = np.zeros(target.vocabulary_size)
        q[as_numpy(head.draft_tokens)] = as_numpy(head.logits(new)[0, 0].double().softmax(-1))
        return new[0, 0], q

    return step, states


def runs(
    found: Mapping[str, tuple[bool, Sequence[Round]]], head: UnrolledHead, target: Qwen3,
    prompt: Sequence[int], rows_of: RowsOf, baseline: float,
) -> dict[str, Run]:  # fmt: skip
    """Each way's rows, as `broken_runs` takes them.

    Args:
        rows_of: a student's `defined_rows`.
        baseline: the mean of sum min(p, q) that was recorded for this head.
    """
    collected = {}
    for name, (same, rounds) in found.items():
        text, p, q, defined = [*prompt], [], [], []
        for r in rounds:
            if r.drafted:
                p += [*as_numpy(r.p[:-1]).astype(np.float64)]
                q += [*as_numpy(r.q).astype(np.float64)]
                defined += [*rows_of(*behind(head, target, text), text, r.drafted)]
            text += r.emitted
        collected[name] = {
            "same text": same, "p": np.array(p), "served": np.array(q),
            "defined": np.array(defined), "baseline": baseline,
        }  # fmt: skip
    return collected


def compared(collected: Mapping[str, Run]) -> dict[str, tuple[float, float, float]]:
    """{way: mean sum min(p, q) as served and as defined; the largest TV of the two rows of q}"""
    return {
        name: (
            float(overlap(run["p"], run["served"]).mean()),
            float(overlap(run["p"], run["defined"]).mean()),
            float(np.abs(run["served"] - run["defined"]).sum(-1).max() / 2),
        )
        for name, run in collected.items()
    }
