"""The counters of speculation on an engine's /metrics page, and the rates that follow from them.

vLLM counts four things since its server was started (`vllm/v1/spec_decode/metrics.py`;
REFERENCES.md: vllm): D drafts, K drafted tokens, A accepted ones, and A_i, how often the i-th token
of a draft was accepted.  The difference of two pages is what was counted between them.
"""

from collections import Counter
from dataclasses import dataclass
from itertools import zip_longest

from prometheus_client.parser import text_string_to_metric_families

DRAFTS = "vllm:spec_decode_num_drafts_total"
DRAFTED = "vllm:spec_decode_num_draft_tokens_total"
ACCEPTED = "vllm:spec_decode_num_accepted_tokens_total"
PER_POSITION = "vllm:spec_decode_num_accepted_tokens_per_pos_total"
OTHER_PAGES = {  # by the first name on it
    "vllm:": "this server decodes without speculation",
    "sglang:": "it is SGLang's, which has no counts by position",
    "llamacpp:": "it is llama.cpp's, which counts in each answer: timings.draft_n_accepted",
}


class NoCounters(ValueError):
    """The page counts no speculation."""


@dataclass(frozen=True)
class Counters:
    """D, K, A and A_1, A_2, ... of one server, from its start or between two pages."""

    drafts: int
    drafted: int
    accepted: int
    per_position: tuple[int, ...]  # the first drafted token first

    @classmethod
    def of(cls, page: str, model: str | None = None) -> "Counters":
        """Read a page in Prometheus' text format, the whole text of GET /metrics.

        Args:
            model: the name the server gives the model; None where it serves one only.

        Raises:
            NoCounters: a valid page, without these counters.
            ValueError: not such a page; counters of several models, and none was named.
        """
        counts: Counter[tuple[str, int]] = Counter()
        models = set()
        for name, position, its_model, count in _samples(page):
            if model in (None, its_model):
                counts[name, position] += count  # each engine of a server has its own line
                models.add(its_model)
        if len(models) > 1:
            names = ", ".join(repr(name)[:100] for name in sorted(models))
            raise ValueError(f"the page counts for {names}: say which model you mean")
        for name in (DRAFTS, DRAFTED, ACCEPTED):
            if (name, 0) not in counts:
                lines = f"\n{page}"
                reasons = [why for start, why in OTHER_PAGES.items() if f"\n{start}" in lines]
                why = reasons[0] if reasons else "it is not vLLM's; is the address the engine's?"
                raise NoCounters(f"the page has no {name}: {why}")
        positions = sorted(position for name, position in counts if name == PER_POSITION)
        if positions != list(range(len(positions))):
            raise ValueError(f"the page counts accepted tokens at positions {positions}")
        accepted = tuple(counts[PER_POSITION, i] for i in positions)
        return cls(counts[DRAFTS, 0], counts[DRAFTED, 0], counts[ACCEPTED, 0], accepted)

    def __sub__(self, before: "Counters") -> "Counters":
        """What was counted between two pages of one server; raises ValueError: it is negative."""
        pairs = zip_longest(self.per_position, before.per_position, fillvalue=0)
        between = Counters(
            self.drafts - before.drafts,
            self.drafted - before.drafted,
            self.accepted - before.accepted,
            tuple(now - then for now, then in pairs),
        )
        if min(between.drafts, between.drafted, between.accepted, *between.per_position) < 0:
            raise ValueError(
                "the counters went down: the server was started again between the two pages, "
                "or they are in the wrong order"
            )
        return between

    @property
    def acceptance_rate(self) -> float | None:
        """A / K, vLLM's "draft acceptance rate"; falls as drafts get longer."""
        return self.accepted / self.drafted if self.drafted else None

    @property
    def mean_acceptance_length(self) -> float | None:
        """1 + A / D: tokens per round, the correction or bonus with them."""
        return 1 + self.accepted / self.drafts if self.drafts else None

    @property
    def conditional(self) -> tuple[float | None, ...]:
        """A_i / A_(i-1), A_0 = D: P(the i-th is accepted | those before it were); None where none
        were.  The course's alpha by position, if every draft is equally long."""
        pairs = zip((self.drafts, *self.per_position), self.per_position, strict=False)
        return tuple(accepted / before if before else None for before, accepted in pairs)


def _samples(page: str) -> list[tuple[str, int, str, int]]:
    """(name, position or 0, model, count) of each line that counts speculation."""
    try:
        return [
            (name, int(labels["position"]) if name == PER_POSITION else 0,
             labels.get("model_name", ""), int(value))
            for family in text_string_to_metric_families(page)
            for name, labels, value, *_ in family.samples
            if name in (DRAFTS, DRAFTED, ACCEPTED, PER_POSITION)
        ]  # fmt: skip
    except Exception as error:  # the parser raises whatever a line makes it stumble over
        raise ValueError(
            f"this is no page of counters in Prometheus' text format ({type(error).__name__})"
        ) from None
