"""What article 003 prints about drafts, beside what its own numbers allow.

The percentages and speedups are the article's (REFERENCES.md: article-003), reported there as
measured; the sizes are those in the models' names, of GPT-3 and DistilGPT-2 the published ones.
"""

from dataclasses import dataclass

from course_utils.decoding.theory import optimal_gamma

LARGEST_GAMMA = 16


@dataclass(frozen=True)
class Claim:
    """A row of the table: parameters in thousands of millions, the rest as printed."""

    target: str
    draft: str
    target_size: float
    draft_size: float
    accepted: float
    speedup: float
    memory: float  # share that the draft adds

    @property
    def size_ratio(self) -> float:
        """The weights that the draft adds; also its c where reading the weights is all."""
        return self.draft_size / self.target_size


CLAIMS = (
    Claim("LLaMA-7B", "LLaMA-160M", 7.0, 0.16, 0.78, 2.1, 0.12),
    Claim("LLaMA-13B", "LLaMA-350M", 13.0, 0.35, 0.72, 1.8, 0.15),
    Claim("LLaMA-70B", "LLaMA-1B", 70.0, 1.0, 0.65, 1.5, 0.18),
    Claim("GPT-3", "DistilGPT-2", 175.0, 0.082, 0.68, 1.6, 0.20),
)


def judged(claims: tuple[Claim, ...] = CLAIMS) -> list[dict[str, object]]:
    """A row for each claim: what is reported, and what follows from the sizes and the rate."""
    return [
        {
            "target": claim.target,
            "draft": claim.draft,
            "memory, reported": f"+{claim.memory:.0%}",
            "weights added": f"+{claim.size_ratio:.2%}",
            "α, reported": claim.accepted,
            "speedup, reported": claim.speedup,
            "best speedup at that α": best_speedup(claim),
        }
        for claim in claims
    ]


def best_speedup(claim: Claim) -> float:
    """With the reported rate as alpha and the sizes' ratio as c, at the best gamma up to 16."""
    return optimal_gamma(claim.accepted, claim.size_ratio, LARGEST_GAMMA)[1]
