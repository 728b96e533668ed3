"""A certificate: the checks that were made of a decoder or a server, and the verdict.

A certificate finds a defect, or finds none; it cannot exclude what no run can show.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from course_utils.decoding.sampling import Sampling

NO_DEFECT, LOSSY, INCONCLUSIVE = "no defect found", "lossy", "inconclusive"
PAIR, SERVER = "pair", "server"
OVER = "all further checks, since {:.0f} seconds were over"


@dataclass(frozen=True)
class Check:
    """A check that was made: what it measured, and what that means."""

    name: str
    passed: bool
    figure: float  # what was measured
    threshold: float  # passed if the figure is no larger
    sees: str = ""  # the least fault that is seen 99 times in 100; "" where all are
    detail: str = ""  # the first fault, in words
    settings: tuple[Sampling, ...] = ()  # that were examined
    longest: int = 0  # tokens of the longest text, its prompt's among them


def at_most(name: str, figure: float, threshold: float) -> Check:
    """A check that is passed if the figure is no larger than the threshold."""
    return Check(name, bool(figure <= threshold), float(figure), threshold)


@dataclass(frozen=True)
class Certificate:
    """A verdict and what it rests on."""

    verdict: str  # NO_DEFECT, LOSSY or INCONCLUSIVE
    checks: tuple[Check, ...]
    not_run: tuple[str, ...]  # what could not be checked, and why
    seconds: float

    @property
    def power(self) -> tuple[str, ...]:
        """What would have been seen on the pair, or of a server, 99 times in 100; samples first."""
        real = [c.sees for c in self.checks if c.name.startswith((PAIR, SERVER)) and c.sees]
        return tuple(dict.fromkeys(sorted(real, key=lambda words: not words.startswith("TV"))))

    @property
    def examined(self) -> str:
        """The settings and the longest text."""
        settings = {sampling for check in self.checks for sampling in check.settings}
        if not settings:
            return ""
        parts = []
        for name, off in vars(Sampling()).items():
            values = {vars(s)[name] for s in settings} - ({off} if name != "temperature" else set())
            if values:
                numbers = ", ".join(f"{x:.4g}" for x in sorted(values))
                parts.append(f"{name.replace('_', '-')} {numbers}")
        parts.append(f"texts of up to {max(check.longest for check in self.checks):,} tokens")
        return "; ".join(parts)


def certificate_of(findings: Sequence[Check | str], seconds: float) -> Certificate:
    """Return the certificate of checks that were made, and of sentences on what could not be."""
    checks = tuple(each for each in findings if isinstance(each, Check))
    not_run = tuple(each for each in findings if isinstance(each, str))
    if not findings:
        not_run = ("nothing was examined",)
    verdict = INCONCLUSIVE if not_run else NO_DEFECT
    if any(not check.passed for check in checks):
        verdict = LOSSY
    return Certificate(verdict, checks, not_run, seconds)
