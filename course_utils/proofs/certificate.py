"""A certificate: the checks of a decoder or a server, and the verdict.

A certificate reports a defect or reports none; it cannot rule out what no run can show.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from course_utils.decoding.sampling import Sampling

NO_DEFECT, LOSSY, INCONCLUSIVE = "no defect found", "lossy", "inconclusive"
PAIR, SERVER = "pair", "server"
LARGEST_Z = 1e9  # a finite number for what is infinite
OVER = "all further checks: the limit of {:.0f} seconds was reached"


@dataclass(frozen=True)
class Check:
    """The result of one check."""

    name: str
    passed: bool
    figure: float  # the measured value
    threshold: float  # passed if the figure is no larger
    sees: str = ""  # the smallest fault it detects 99 times in 100; "" if it detects all
    detail: str = ""  # a description of the first fault
    settings: tuple[Sampling, ...] = ()  # the settings examined
    longest: int = 0  # tokens of the longest text, prompt included
    possible: int = 0  # the most tokens possible at one place, if every path was walked


def at_most(name: str, figure: float, threshold: float) -> Check:
    """Return a check that passes if the figure is at most the threshold."""
    return Check(name, bool(figure <= threshold), float(figure), threshold)


def within(name: str, z: float, bounds: np.ndarray, sees: str = "", detail: str = "") -> Check:
    """Compare a sum with its lower and upper bound, all in standard deviations; `detail` describes
    a fault."""
    low, high = map(float, bounds)
    figure, most = min(abs(z), LARGEST_Z), min(high if z > 0 else -low, LARGEST_Z)
    passed = figure < most
    return Check(name, passed, figure, most, sees, detail="" if passed else detail)


@dataclass(frozen=True)
class Certificate:
    """A verdict and its evidence."""

    verdict: str  # NO_DEFECT, LOSSY or INCONCLUSIVE
    checks: tuple[Check, ...]
    not_run: tuple[str, ...]  # checks that could not run, and why
    seconds: float

    @property
    def power(self) -> tuple[str, ...]:
        """The faults that would be detected 99 times in 100, on the pair or a server."""
        real = [c.sees for c in self.checks if c.name.startswith((PAIR, SERVER)) and c.sees]
        return tuple(dict.fromkeys(sorted(real, key=lambda words: not words.startswith("TV"))))

    @property
    def examined(self) -> str:
        """The settings and the longest text, in words."""
        settings = {sampling for check in self.checks for sampling in check.settings}
        if not settings:
            return ""
        parts = []
        for name, off in vars(Sampling()).items():
            values = {vars(s)[name] for s in settings} - ({off} if name != "temperature" else set())
            if values:
                numbers = ", ".join(f"{x:.4g}" for x in sorted(values))
                parts.append(f"{name.replace('_', '-')} {numbers}")
        if possible := max(check.possible for check in self.checks):
            parts.append(f"up to {possible:,} tokens possible at one place")
        parts.append(f"texts of up to {max(check.longest for check in self.checks):,} tokens")
        return "; ".join(parts)


def certificate_of(findings: Sequence[Check | str], seconds: float) -> Certificate:
    """Return the certificate of these checks, and sentences on those that could not run."""
    checks = tuple(each for each in findings if isinstance(each, Check))
    not_run = tuple(each for each in findings if isinstance(each, str))
    if not findings:
        not_run = ("no check could run",)
    verdict = INCONCLUSIVE if not_run else NO_DEFECT
    if any(not check.passed for check in checks):
        verdict = LOSSY
    return Certificate(verdict, checks, not_run, seconds)
