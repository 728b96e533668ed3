"""The counters of speculation on an engine's /metrics page, and what can be told from them.

vLLM counts four things since its server was started (`vllm/v1/spec_decode/metrics.py`;
REFERENCES.md: vllm): D drafts, K drafted tokens, A accepted ones, and A_i, how often the
i-th token of a draft was accepted.  Of two pages the difference is what lies between.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from prometheus_client.parser import text_string_to_metric_families

DRAFTS = "vllm:spec_decode_num_drafts"
DRAFTED = "vllm:spec_decode_num_draft_tokens"
ACCEPTED = "vllm:spec_decode_num_accepted_tokens"
PER_POSITION = "vllm:spec_decode_num_accepted_tokens_per_pos"
GENERATED = "vllm:generation_tokens"


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
        """Read a page in Prometheus' text format.

        Args:
            page: the whole text of GET /metrics.
            model: the name the server gives the model; None where it serves one only.

        Raises:
            NoCounters: a valid page, without these counters.
            ValueError: not such a page; counters of several models, and none was named.
        """
        samples = list(_samples(page))
        served = sorted({labels.get("model_name", "") for _, labels, _ in samples})
        if model is None and len(served) > 1:
            raise ValueError(f"the page counts for {', '.join(served)}: say which model you mean")
        if model is not None and samples and model not in served:
            raise NoCounters(f"the page counts nothing for {model}, but for {', '.join(served)}")
        counted: dict[str, int] = {}
        positions: dict[int, int] = {}
        for name, labels, value in samples:
            if model is not None and labels.get("model_name", "") != model:
                continue
            if name == PER_POSITION + "_total":
                at = int(labels["position"])
                positions[at] = positions.get(at, 0) + value
            else:  # several engines behind one server each have a line: they add up
                counted[name] = counted.get(name, 0) + value
        missing = [n for n in (DRAFTS, DRAFTED, ACCEPTED) if n + "_total" not in counted]
        if missing:
            raise NoCounters(
                f"the page has no {missing[0]}_total: the server decodes without speculation, or "
                "it is not vLLM (SGLang and llama.cpp count under other names)"
            )
        if sorted(positions) != list(range(len(positions))):
            raise ValueError(f"the page counts accepted tokens at positions {sorted(positions)}")
        return cls(
            counted[DRAFTS + "_total"],
            counted[DRAFTED + "_total"],
            counted[ACCEPTED + "_total"],
            tuple(positions[at] for at in sorted(positions)),
        )

    def __sub__(self, before: "Counters") -> "Counters":
        """What was counted between two pages of one server.

        Raises:
            ValueError: something went down: the server was started again in between, or
                the pages are in the wrong order.
        """
        width = max(len(self.per_position), len(before.per_position))
        difference = Counters(
            self.drafts - before.drafts,
            self.drafted - before.drafted,
            self.accepted - before.accepted,
            tuple(a - b for a, b in zip(_to(self, width), _to(before, width), strict=True)),
        )
        if min(difference.drafts, difference.drafted, difference.accepted) < 0 or any(
            count < 0 for count in difference.per_position
        ):
            raise ValueError(
                "the counters went down: the server was started again between the two pages, "
                "or they are in the wrong order"
            )
        return difference

    @property
    def acceptance_rate(self) -> float | None:
        """A / K, vLLM's "draft acceptance rate"; falls as drafts get longer."""
        return self.accepted / self.drafted if self.drafted else None

    @property
    def mean_acceptance_length(self) -> float | None:
        """1 + A / D: tokens a round, the correction or bonus with them."""
        return 1 + self.accepted / self.drafts if self.drafts else None

    @property
    def survival(self) -> tuple[float, ...]:
        """A_i / D, what vLLM calls the per-position acceptance rate: the chance that the first
        i drafted tokens *all* pass.  Right where every draft is equally long."""
        return tuple(count / self.drafts for count in self.per_position) if self.drafts else ()

    @property
    def conditional(self) -> tuple[float | None, ...]:
        """A_i / A_(i-1), A_0 = D: the chance of the i-th where those before it passed; None
        where none did.  The course's alpha by position, if every draft is equally long."""
        reached = (self.drafts, *self.per_position)
        return tuple(
            a / before if before else None
            for before, a in zip(reached, self.per_position, strict=False)
        )


def generated_tokens(page: str) -> int:
    """How many tokens the server has written since it was started.

    Raises:
        ValueError: no page of vLLM.
    """
    found = [value for name, _, value in _samples(page) if name == GENERATED + "_total"]
    if not found:
        raise ValueError(f"the page has no {GENERATED}_total: it is not vLLM's")
    return sum(found)


def _samples(page: str) -> Iterator[tuple[str, dict[str, str], int]]:
    """Of the counters this file knows: name with _total, labels, value."""
    known = {DRAFTS, DRAFTED, ACCEPTED, PER_POSITION, GENERATED}
    try:
        for family in text_string_to_metric_families(page):
            if family.name in known:
                for sample in family.samples:
                    if sample.name.endswith("_total"):
                        yield sample.name, sample.labels, int(sample.value)
    except (ValueError, KeyError, IndexError) as error:
        raise ValueError(
            f"this is no page of counters in Prometheus' text format: {error}"
        ) from None


def _to(counters: Counters, width: int) -> tuple[int, ...]:
    return counters.per_position + (0,) * (width - len(counters.per_position))
