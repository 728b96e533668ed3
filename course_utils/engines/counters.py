"""The counters of speculation on an engine's /metrics page, and what can be told from them.

vLLM counts four things since its server was started (`vllm/v1/spec_decode/metrics.py`;
REFERENCES.md: vllm): D drafts, K drafted tokens, A accepted ones, and A_i, how often the
i-th token of a draft was accepted.  Of two pages the difference is what lies between.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest

from prometheus_client.parser import text_string_to_metric_families

DRAFTS = "vllm:spec_decode_num_drafts_total"
DRAFTED = "vllm:spec_decode_num_draft_tokens_total"
ACCEPTED = "vllm:spec_decode_num_accepted_tokens_total"
PER_POSITION = "vllm:spec_decode_num_accepted_tokens_per_pos_total"
OTHERS = {  # the beginnings of other engines' names
    "sglang": "SGLang, whose spec_accept_length and spec_accept_rate have no counts by position",
    "llamacpp": "llama.cpp, which says in each answer (timings.draft_n, draft_n_accepted) what "
    "it drafted and accepted",
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
        """Read a page in Prometheus' text format.

        Args:
            page: the whole text of GET /metrics.
            model: the name the server gives the model; None where it serves one only.

        Raises:
            NoCounters: a valid page, without these counters.
            ValueError: not such a page; counters of several models, and none was named.
        """
        samples = [sample for sample in _samples(page) if sample[0] in _KNOWN]
        served = sorted({labels.get("model_name", "") for _, labels, _ in samples})
        if model is None and len(served) > 1:
            raise ValueError(f"the page counts for {_listed(served)}: say which model you mean")
        if model is not None and samples and model not in served:
            raise NoCounters(f"the page counts nothing for {model}, but for {_listed(served)}")
        counted: Counter[str | int] = Counter()  # of a name, or of a position
        for name, labels, value in samples:  # several engines of one server each have a line
            if model in (None, labels.get("model_name", "")):
                counted[_position(labels) if name == PER_POSITION else name] += _count(name, value)
        for name in (DRAFTS, DRAFTED, ACCEPTED):
            if name not in counted:
                raise NoCounters(f"the page has no {name}: {_whose(page)}")
        totals = [counted.pop(name) for name in (DRAFTS, DRAFTED, ACCEPTED)]
        positions = sorted(counted)
        if positions != list(range(len(positions))):
            raise ValueError(
                f"the page counts accepted tokens at positions {_listed(positions)}, "
                "which leaves some out"
            )
        return cls(*totals, tuple(counted[at] for at in positions))

    def __sub__(self, before: "Counters") -> "Counters":
        """What was counted between two pages of one server.

        Raises:
            ValueError: something went down: the server was started again in between, or
                the pages are in the wrong order.
        """
        drafts, drafted, accepted, *positions = (
            now - then for now, then in zip_longest(self._flat(), before._flat(), fillvalue=0)
        )
        if min(drafts, drafted, accepted, *positions) < 0:
            raise ValueError(
                "the counters went down: the server was started again between the two pages, "
                "or they are in the wrong order"
            )
        return Counters(drafts, drafted, accepted, tuple(positions))

    def _flat(self) -> tuple[int, ...]:
        return self.drafts, self.drafted, self.accepted, *self.per_position

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
        """A_i / A_(i-1), A_0 = D: the chance of the i-th where those before it passed; None
        where none did.  The course's alpha by position, if every draft is equally long."""
        reached = (self.drafts, *self.per_position)
        return tuple(
            a / before if before else None
            for before, a in zip(reached, self.per_position, strict=False)
        )


_KNOWN = {DRAFTS, DRAFTED, ACCEPTED, PER_POSITION}


def _samples(page: str) -> Iterator[tuple[str, dict[str, str], float]]:
    """Name, labels and value of every line."""
    try:
        for family in text_string_to_metric_families(page):
            for sample in family.samples:
                yield sample.name, sample.labels, sample.value
    except Exception as error:  # the parser raises whatever a line makes it stumble over
        raise ValueError(
            f"this is no page of counters in Prometheus' text format ({type(error).__name__})"
        ) from None


def _count(name: str, value: float) -> int:
    if not (0 <= value < 2**53 and value == int(value)):  # a float counts no further
        raise ValueError(f"the page says that {name} is {value}, which is no count")
    return int(value)


def _position(labels: dict[str, str]) -> int:
    label = labels.get("position", "")
    if not (label.isascii() and label.isdigit() and len(label) < 10):
        raise ValueError(f"the page counts accepted tokens at a position {label[:20]!r}")
    return int(label)


def _whose(page: str) -> str:
    for beginning, words in OTHERS.items():
        if f"\n{beginning}:" in f"\n{page}":
            return f"it is that of {words}"
    if "vllm:" in page:
        return "this server decodes without speculation"
    return "it is not vLLM's; is the address that of the engine?"


def _listed(words: Sequence[object]) -> str:
    """At most eight, each in quotation marks if it is a text: names come from the server."""
    return ", ".join([repr(word)[:100] for word in words[:8]] + ["..."] * (len(words) > 8))
