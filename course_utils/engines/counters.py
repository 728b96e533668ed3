"""The counters of speculation on an engine's /metrics page, and rates computed from them.

vLLM counts four things from the start of its server (`vllm/v1/spec_decode/metrics.py`;
REFERENCES.md: vllm): D drafts, K drafted tokens, A accepted ones, and A_i, how often the i-th token
of a draft was accepted.  The difference of two pages gives the counts between them.
"""

from collections import Counter
from dataclasses import dataclass
from itertools import zip_longest

from prometheus_client.parser import text_string_to_metric_families

DRAFTS = "vllm:spec_decode_num_drafts_total"
DRAFTED = "vllm:spec_decode_num_draft_tokens_total"
ACCEPTED = "vllm:spec_decode_num_accepted_tokens_total"
PER_POSITION = "vllm:spec_decode_num_accepted_tokens_per_pos_total"


class NoCounters(ValueError):
    """The page has no counters of speculation."""


@dataclass(frozen=True)
class Counters:
    """D, K, A and A_1, A_2, ... of one server, from its start or between two pages."""

    drafts: int
    drafted: int
    accepted: int
    per_position: tuple[int, ...]  # from the first drafted token on

    @classmethod
    def of(cls, page: str, model: str | None = None) -> "Counters":
        """Read a page in Prometheus' text format, the complete text of GET /metrics.

        Args:
            model: the model's name on the server; None if it serves only one.

        Raises:
            NoCounters: the page is valid but has none of these counters.
            ValueError: it is not such a page, or it has several models and `model` is None.
        """
        counts: Counter[tuple[str, int]] = Counter()
        models = set()
        for name, position, its_model, count in _samples(page):
            if model in (None, its_model):
                counts[name, position] += count  # each engine of a server has its own line
                models.add(its_model)
        if len(models) > 1:
            names = ", ".join(repr(name)[:100] for name in sorted(models))
            raise ValueError(f"the page has counters for {names}: name the model")
        for name in (DRAFTS, DRAFTED, ACCEPTED):
            if (name, 0) not in counts:
                raise NoCounters(
                    f"the page has no {name}: the server decodes without speculation, or is not "
                    "vLLM's; SGLang and llama.cpp count in each answer"
                )
        positions = sorted(position for name, position in counts if name == PER_POSITION)
        if positions != list(range(len(positions))):
            raise ValueError(f"the page counts accepted tokens at positions {positions}")
        accepted = tuple(counts[PER_POSITION, i] for i in positions)
        return cls(counts[DRAFTS, 0], counts[DRAFTED, 0], counts[ACCEPTED, 0], accepted)

    def __sub__(self, before: "Counters") -> "Counters":
        """Return the counts between two pages of a server; raise a ValueError if negative."""
        pairs = zip_longest(self.per_position, before.per_position, fillvalue=0)
        between = Counters(
            self.drafts - before.drafts,
            self.drafted - before.drafted,
            self.accepted - before.accepted,
            tuple(now - then for now, then in pairs),
        )
        if min(between.drafts, between.drafted, between.accepted, *between.per_position) < 0:
            raise ValueError(
                "the counters went down: the server was restarted between the two pages, or they "
                "are in the wrong order"
            )
        return between

    @property
    def acceptance_rate(self) -> float | None:
        """A / K, vLLM's "draft acceptance rate"; it falls as drafts get longer."""
        return self.accepted / self.drafted if self.drafted else None

    @property
    def mean_acceptance_length(self) -> float | None:
        """1 + A / D: tokens per round, including the correction or bonus."""
        return 1 + self.accepted / self.drafts if self.drafts else None

    @property
    def conditional(self) -> tuple[float | None, ...]:
        """A_i / A_(i-1), A_0 = D: P(the i-th is accepted | those before it were); None if none
        were.  It is the course's alpha by position if all drafts are equally long."""
        pairs = zip((self.drafts, *self.per_position), self.per_position, strict=False)
        return tuple(accepted / before if before else None for before, accepted in pairs)


def _samples(page: str) -> list[tuple[str, int, str, int]]:
    """Return (name, position or 0, model, count) of each line with a counter of speculation."""
    try:
        return [
            (name, int(labels["position"]) if name == PER_POSITION else 0,
             labels.get("model_name", ""), int(value))
            for family in text_string_to_metric_families(page)
            for name, labels, value, *_ in family.samples
            if name in (DRAFTS, DRAFTED, ACCEPTED, PER_POSITION)
        ]  # fmt: skip
    except Exception as error:  # the parser may raise anything
        raise ValueError(
            f"this is not a page of counters in Prometheus' text format ({type(error).__name__})"
        ) from None
