"""Six wrong ways to serve one head: the same text each time, and the acceptance that is lost."""

from collections.abc import Sequence

import numpy as np

from course_utils.decoding.loop import generate
from course_utils.decoding.metrics import emitted_tokens, summarise
from course_utils.decoding.sampling import GREEDY, Sampling
from course_utils.drafters.sampled import Sampled
from course_utils.models.head_models import Unrolled
from course_utils.models.heads import UnrolledHead
from course_utils.models.qwen3 import Qwen3
from course_utils.models.shared_layers import Shared
from course_utils.proofs.broken_heads import HEAD_BUGS
from course_utils.proofs.head_oracle import oracle

AS_IT_SHOULD = "as it should be"


def examined(
    shared: Shared, head: UnrolledHead, readable: Qwen3, text: Sequence[int], gamma: int = 3,
    new_tokens: int = 36,
) -> list[dict[str, object]]:  # fmt: skip
    """A row for each way to serve `head`: is the greedy text the target's, and the overlap of p
    and q at temperature 1, as it was served and as the head defines it.

    Args:
        readable: the target as a `Qwen3`, for the oracle.
    """
    ways = {AS_IT_SHOULD: Unrolled} | {bug.name: bug.serve for bug in HEAD_BUGS}
    settings = {"gamma": gamma, "max_new_tokens": new_tokens}
    plain = emitted_tokens(generate(shared, text, sampling=GREEDY, max_new_tokens=new_tokens))
    rows = []
    for name, serve in ways.items():
        model = serve(shared, head)
        greedy, sampled = (
            list(generate(shared, text, Sampled(model, how), sampling=how, **settings))
            for how in (GREEDY, Sampling())
        )
        found = oracle(head, readable, text, sampled)
        rows.append(
            {
                "served": name,
                "greedy text": "the target's" if emitted_tokens(greedy) == plain else "another",
                "tokens per round": summarise(sampled).tokens_per_round,
                "Σmin, served": float(np.mean([np.mean(x.served) for x in found])),
                "Σmin, defined": float(np.mean([np.mean(x.defined) for x in found])),
                "rows apart": max(x.apart for x in found),
            }
        )
    return rows


def convicted(rows: Sequence[dict[str, object]]) -> list[str]:
    """The ways whose rows are not those that the head defines, rounding apart."""
    return [row["served"] for row in rows if row["rows apart"] > 1e-3]
