"""A certificate for a real pair: everything that can be checked of a decoder, in a minute.

The rule and the drafter are enumerated on tables, exactly.  What tables cannot show is
looked at in long texts on made-up models and on the pair itself, round by round: is
each row what the target says, each guess drawn from its q, each decision the rule's,
and is the draft blind to its own guesses?  Last come tests of samples, each with what
it would have seen.

A certificate finds a defect, or finds none; it cannot exclude what no run can show: see
`contracts.Drafter` for what a program can hide from any examination.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from course_utils.decoding.clock import now
from course_utils.decoding.contracts import LanguageModel, Round
from course_utils.decoding.loop import generate
from course_utils.decoding.metrics import emitted_tokens
from course_utils.decoding.noise import Noise
from course_utils.decoding.sampling import GREEDY, Sampling
from course_utils.proofs.decoders import Decoder
from course_utils.proofs.examination import (
    ROUNDING,
    examine,
    made_up,
    number_format,
    on_the_pair,
)
from course_utils.proofs.passes import largest_change, score, score_again
from course_utils.proofs.table_checks import ON_TABLES, Check
from course_utils.proofs.ties import BUG, SAFETY, TIE, Comparison, compare

GREEDY_TOKENS = 48  # a prompt
GREEDY_PROMPTS = 8

NO_DEFECT, LOSSY, INCONCLUSIVE = "no defect found", "lossy", "inconclusive"
PAIR, SERVER = "pair", "server"
OVER = "all further checks, since {:.0f} seconds were over"


@dataclass(frozen=True)
class Certificate:
    """A verdict and what it rests on."""

    verdict: str  # NO_DEFECT, LOSSY or INCONCLUSIVE
    checks: tuple[Check, ...]
    not_run: tuple[str, ...]  # what could not be checked, and why
    seconds: float

    @property
    def seen(self) -> tuple[str, ...]:
        """What would have been seen on the pair, or of a server, 99 times in 100; samples first."""
        real = [c.sees for c in self.checks if c.name.startswith((PAIR, SERVER)) and c.sees]
        return tuple(dict.fromkeys(sorted(real, key=lambda words: not words.startswith("TV"))))

    @property
    def examined(self) -> str:
        """The settings, the longest text, and the new tokens at which paths part."""
        settings = {sampling for check in self.checks for sampling in check.settings}
        if not settings:
            return ""
        found = []
        for name, off in vars(Sampling()).items():
            values = {vars(s)[name] for s in settings}
            if name != "temperature":
                values.discard(off)
            shown = ", ".join(f"{x:g}" for x in sorted(values))
            found += [f"{name.replace('_', '-')} {shown}"] if shown else []
        found.append(f"texts of up to {max(check.longest for check in self.checks):,} tokens")
        places = sorted({place for check in self.checks for place in check.places})
        if places:
            found.append(f"every path at new tokens {', '.join(map(str, places))}")
        return "; ".join(found)


def timed(findings: Iterator[Check | str], seconds: float) -> Iterator[Check | str]:
    """Findings until the seconds are over; then that, and no further check is begun."""
    start = now()
    while now() - start < seconds:
        finding = next(findings, None)
        if finding is None:
            return
        yield finding
    yield OVER.format(seconds)


def certificate_of(found: Sequence[Check | str], seconds: float) -> Certificate:
    """Of the checks that were made, and of sentences on what could not be."""
    checks = tuple(check for check in found if isinstance(check, Check))
    not_run = tuple(reason for reason in found if isinstance(reason, str))
    if not checks and not not_run:
        not_run = ("nothing was examined",)
    return Certificate(_verdict(checks, not_run), checks, not_run, seconds)


def _verdict(checks: Sequence[Check], not_run: Sequence[str]) -> str:
    failed = [check for check in checks if not check.passed]
    if any(check.decisive for check in failed):
        return LOSSY
    return INCONCLUSIVE if failed or not_run else NO_DEFECT


def run_checks(
    target: LanguageModel,
    draft: LanguageModel | None,
    decoder: Decoder,
    prompts: Sequence[Sequence[int]],
    gamma: int = 4,
    seed: int = 0,
    stop_tokens: Sequence[int] = (),
    asked: Sequence[Sampling] = (),
) -> Iterator[Check | str]:
    """Put a decoder to every check that applies, the quick ones first: the checks one by one, and
    a sentence for each that could not be run.

    Args:
        target, draft: the pair; None if the drafter needs no model.
        decoder: its rule and drafter; the drafter must also run on tables.
        prompts: at least one; a dozen give the power that is stated.
        seed: of the texts, and of the settings that are drawn.
        stop_tokens: of the pair; texts under filters end at them.
        asked: settings that are examined beside those.

    Raises:
        ValueError: no prompts, gamma < 1 or a seed below 0.
    """
    if not prompts:
        raise ValueError("there is nothing to certify on: give at least one prompt")
    _check_settings(gamma, seed)
    for check in ON_TABLES:
        yield from attempted(check.__name__, lambda check=check: [check(decoder)])
    size, stop_token = target.vocabulary_size, min(stop_tokens, default=0)
    for name, models, tasks in made_up(size, stop_token, seed, gamma, asked):
        arguments = decoder, *models, tasks, gamma, name
        yield from attempted(name, lambda arguments=arguments: examine(*arguments)[0])
    if decoder.judges_trees and not hasattr(target.start([]), "keep"):
        yield f"{PAIR}: the target's sessions hold no trees of guesses, so it cannot verify one"
        return
    tasks = on_the_pair(prompts, target.context, stop_tokens, seed, asked)
    few = prompts[:GREEDY_PROMPTS]
    yield from attempted(PAIR, lambda: _pair(target, draft, decoder, tasks, few, gamma))


def _check_settings(gamma: int, seed: int) -> None:
    """Do nothing if a decoder can be examined with these.

    Raises:
        ValueError: gamma < 1, or a seed that is none.
    """
    if gamma < 1:
        raise ValueError(f"gamma is {gamma}; draft at least 1 token per round")
    Noise(seed)


def attempted(name: str, examination: Callable[[], Iterable[Check]]) -> Iterator[Check | str]:
    """A plug-in may fail in any way: that is no verdict, but a reason to give none."""
    checks = (check for each in (examination,) for check in each())  # called at the first next()
    while True:
        try:
            check = next(checks)
        except StopIteration:
            return
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # sys.exit() among them
            yield f"{name}: {type(error).__name__}: {error}"
            return
        yield check  # out of the `try`: whoever closes this has heard enough


def _pair(target, draft, decoder: Decoder, tasks, prompts, gamma: int) -> Iterator[Check]:
    """The pair's texts, round by round; then greedy ones, with the rounding seen so far."""
    found, seen = examine(decoder, target, draft, tasks, gamma, PAIR)
    yield from found
    rounding = ROUNDING[number_format(target)].logits
    noise = min(seen.noise, SAFETY * rounding)
    texts, moved = [], 0.0
    for prompt in prompts:
        rounds = list(
            decoder.run(target, draft, prompt, GREEDY, gamma=gamma, max_new_tokens=GREEDY_TOKENS)
        )
        alone = generate(target, prompt, sampling=GREEDY, max_new_tokens=GREEDY_TOKENS)
        texts.append(compare(target, prompt, emitted_tokens(alone), rounds, noise))
        moved = max(moved, _cache_change(target, decoder.target(target), prompt, rounds))
    yield Check(f"{PAIR}: cache equals a fresh one (logits)", moved <= rounding, moved, rounding)
    yield _greedy(texts)


def _greedy(texts: Sequence[Comparison]) -> Check:
    bugs, ties = (sum(text.verdict == kind for text in texts) for kind in (BUG, TIE))
    told = f"{ties} differ by a numerical tie, and by no more" if ties else ""
    return Check(f"{PAIR}: greedy texts that differ, but for ties", bugs == 0, bugs, 0, detail=told)


def _cache_change(
    target: LanguageModel, reached: LanguageModel, prompt: Sequence[int], rounds: list[Round]
) -> float:
    """How far the leads move between the decoder's cache and a fresh prefill, in logits."""
    through_rounds = score_again(reached, prompt, rounds)
    tokens = emitted_tokens(rounds)
    fresh = score(target, prompt, tokens, k=len(tokens))
    return max(
        largest_change(fresh[i : i + 1], row[None]) for i, (_, row) in enumerate(through_rounds)
    )
