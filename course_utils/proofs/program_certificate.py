"""A certificate for any program of the signature in `programs`, on tables and on a real pair.

A program shows no rows and no rounds, so what is examined is its text.  Every path is
walked, so that the distance is exact, on tables, and on made-up models and the pair itself
where few tokens are possible at most places (`narrowed`): with every token of the vocabulary
possible at one, at gamma as asked and at a large one, late in a text, after a long prompt.
Long texts are tested as samples, each test with what it would have seen.

What is certain is said at once: after an examination that found a defect there is no other.
As with `certificate`, a defect is found, or none is; no examination excludes a program that
behaves only while it is examined.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cache
from math import inf
from typing import Any

import numpy as np
from tqdm import tqdm

from course_utils.decoding.clock import now
from course_utils.decoding.contracts import LanguageModel
from course_utils.decoding.rows import as_numpy
from course_utils.decoding.sampling import GREEDY, Sampling
from course_utils.proofs import narrowed
from course_utils.proofs.bugs import BUGS, Bug
from course_utils.proofs.certificate import (
    LOSSY,
    PAIR,
    Certificate,
    attempted,
    certificate_of,
    timed,
)
from course_utils.proofs.decoders import Exam, exam
from course_utils.proofs.enumeration import (
    Distribution,
    distribution_distance,
)
from course_utils.proofs.examination import (
    COOLER,
    PLAIN,
    QWENS_OWN,
    ROUNDING,
    drawn_settings,
    number_format,
    tested,
)
from course_utils.proofs.filters import filtered
from course_utils.proofs.likelihood import LikelihoodTest, likelihood_along
from course_utils.proofs.narrowed import Reader
from course_utils.proofs.passes import score
from course_utils.proofs.program_faults import first_fault
from course_utils.proofs.programs import (
    EXACT,
    Program,
    Written,
    as_program,
    boxes,
    computes_in_float32,
    distance,
    distribution_of,
    texts,
    write_exam,
)
from course_utils.proofs.scores import Ranks, Scores, likelier
from course_utils.proofs.synthetic import shifted_pair
from course_utils.proofs.table_checks import (
    ALONE,
    COLD,
    ENDINGS,
    EXAMS,
    EXCLUDED,
    TINY,
    Check,
    in_words,
)
from course_utils.proofs.ties import SAFETY, unexplained

SMALL = exam(gamma=2, length=3)  # where each specimen of the zoo has texts of its own
LONG = exam(2, gamma=2, length=5)  # of three rounds, so that a draft that lags is seen
ON_TABLES = EXAMS | {
    "exact distribution": (TINY, LONG),
    "exact distribution, texts that end": (ENDINGS[0], exam(seed=4, gamma=2, stop_tokens=(0, 2))),
}
HOTTER = Sampling(1.3)
FLOAT32 = "the rounding of float32, in which it computes"
MADE_UP = "made-up models"
REPLAYED = 200
FEW = 600  # tokens of the models whose texts are long
FEW_WAYS, MANY_WAYS = (4, 2), (narrowed.WIDE, 1)  # tokens possible for target and draft
LATE = (  # tokens of a prompt; least and most of the text after it; how many ways near its end
    (700, (1100, 1450), FEW_WAYS), (700, (700, 1000), MANY_WAYS), (1300, (400, 700), FEW_WAYS),
    (1700, (100, 400), FEW_WAYS),
)  # fmt: skip
MANY = 8  # guesses per round, at least, of a round that is long


def certify_program(*given: Any, seconds: float = inf, **settings: Any) -> Certificate:
    """Put a program to every check; the arguments are those of `program_checks`.

    Args:
        seconds: after so many no further check is begun.
    """
    start = now()
    return certificate_of(list(timed(program_checks(*given, **settings), seconds)), now() - start)


def program_checks(
    target: LanguageModel,
    draft: LanguageModel,
    program: Program,
    prompts: Sequence[Sequence[int]],
    gamma: int = 4,
    seed: int = 0,
    stop_tokens: Sequence[int] = (),
    asked: Sequence[Sampling] = (),
) -> Iterator[Check | str]:
    """Put a program to every check, up to an examination that finds a defect: the checks one by
    one, and a sentence for each that could not be run.

    Args:
        seed: of the texts, and of the settings and places that are drawn.
        asked: settings that are examined beside those.

    Raises:
        ValueError: no prompts.
    """
    if not prompts:
        raise ValueError("there is nothing to certify on: give at least one prompt")
    size, settings = target.vocabulary_size, (gamma, seed, stop_tokens, asked)
    examinations = {
        "tables": lambda: on_tables(program),
        MADE_UP: lambda: _walked(program, MADE_UP, made_up(size, prompts, *settings)),
        PAIR: lambda: _walked(program, PAIR, of_the_pair(target, draft, prompts, *settings)),
        f"long texts on {MADE_UP}": lambda: _long_texts(program, gamma, seed, asked),
        f"long texts of the {PAIR}": lambda: _long_texts_of_the_pair(
            program, target, draft, prompts, *settings
        ),
    }
    found: list[Check | str] = []
    for name, each in examinations.items():
        if name in (MADE_UP, PAIR) and any(isinstance(reason, str) for reason in found):
            continue  # what cannot be walked on tables cannot be walked
        for finding in attempted(name, each):
            found.append(finding)
            yield finding
        if certificate_of(found, 0.0).verdict == LOSSY:
            return


class Walked:
    """A program whose paths are walked, and the format in which it computes: found out at the
    first distance that float64 cannot explain."""

    def __init__(self, program: Program):
        self.program, self.in_float32 = program, False

    def distance(self, exam: Exam, **options: int) -> tuple[float, float]:
        """That of `programs.distance`, and how much of it is rounding."""
        if not self.in_float32:
            found = distance(self.program, exam, **options)
            if found <= EXACT or not computes_in_float32(self.program, SMALL):
                return found, EXACT
            self.in_float32 = True
        rounding = exam.rounding()
        return distance(self.program, exam, rounding=rounding, **options), rounding


def on_tables(program: Program) -> Iterator[Check]:
    """Every path of the program on tables: exact distances, and what its calls show."""
    walked = Walked(program)
    for name, exams in ON_TABLES.items():
        check = _exact(walked, name, exams)
        like = "" if check.passed else like_in_the_zoo(program)
        yield replace(check, detail="; ".join(filter(None, [check.detail, like])))
    said, wanted = (_written(each, COLD, seed=0).tokens for each in (program, as_program(ALONE)))
    differ = sum(a != b for a, b in zip(said, wanted, strict=False)) + abs(len(said) - len(wanted))
    yield Check("greedy text", differ == 0, differ, 0, settings=(GREEDY,))
    excluded = _written(program, EXCLUDED, uniform=lambda: 0.0).tokens.count(0)
    yield Check("p = 0 stays out", excluded == 0, excluded, 0)
    unlike = _told_apart(program, TINY)
    yield Check("numbers in place of intervals", unlike == 0, unlike, 0)
    yield _waste(program)


def _exact(walked: Walked, name: str, exams: Iterable[Exam], **options: int) -> Check:
    """The largest distance of the exams, or the first that is a defect."""
    figure, most, detail = 0.0, EXACT, ""
    settings, longest, places = set(), 0, set()
    for each in tqdm(exams, name, leave=False, disable=None):
        found, rounding = walked.distance(each, **options)
        figure, most = max(figure, found), max(most, rounding)
        settings.add(each.sampling)
        longest = max(longest, len(each.prompt) + each.length)
        places.update(each.decided or range(each.length))
        if found > rounding:
            figure, most = found, rounding
            detail = f"at {in_words(each.sampling)}, {each.length} tokens after {len(each.prompt)}"
            detail += f", γ = {each.gamma}"
            break
    if walked.in_float32:
        detail = f"more than {FLOAT32} {detail}" if detail else f"within {FLOAT32}"
    return Check(name, figure <= most, figure, most, detail=detail, settings=tuple(settings),
                 longest=longest, places=tuple(sorted(places)))  # fmt: skip


def like_in_the_zoo(program: Program) -> str:
    """Which specimen of the bug zoo has the same texts; "" if none has."""
    said = distribution_of(texts(program, SMALL))
    for bug in BUGS:
        bent = None if bug.decoder.judges_trees else _bent_texts(bug)
        if bent is not None and distribution_distance(said, bent) < SMALL.rounding():
            return f"the texts of {bug.name!r} in the bug zoo: {bug.what}"
    return ""


@cache
def _bent_texts(bug: Bug) -> Distribution | None:
    """What a specimen writes on `SMALL`; None if that is what the target does."""
    written = SMALL.distribution(bug.decoder)
    return None if distribution_distance(written, SMALL.truth()) < EXACT else written


def _written(
    program: Program, each: Exam, seed: int = 0, uniform: Callable[[], float] | None = None
) -> Written:
    """`write_exam`; what the program raises comes through."""
    written = write_exam(program, each, uniform or np.random.default_rng(seed).random)
    if written.error:
        raise written.error
    return written


def _told_apart(program: Program, each: Exam) -> int:
    """Runs of `REPLAYED` on plain numbers whose text is not that of the path they lie on:
    a program that knows an exam when it sees one."""
    paths = boxes(program, each)
    unlike = 0
    for seed in range(REPLAYED):
        numbers = np.random.default_rng(seed).random(50 * each.length)
        said = _written(program, each, uniform=iter(numbers.tolist()).__next__).tokens
        unlike += not any(
            said == written.tokens
            and all(low <= u < high for (low, high), u in zip(box, numbers, strict=False))
            for box, written in paths
        )
    return unlike


def _waste(program: Program) -> Check:
    """Passes and guesses that the text does not show: never a defect of the text."""
    paths = texts(program, LONG)
    wrong = distribution_distance(distribution_of(paths), LONG.truth()) > LONG.rounding()
    # where a correction may be the very guess that was rejected, no bonus is missed
    but = ("bonus",) if wrong else ()
    found = [first_fault(written, LONG.length, but=but) for _, written in paths]
    faults = sorted((f for f in found if f), key=lambda fault: fault.round)
    detail = f"in round {faults[0].round + 1} {faults[0].what}" if faults else "none"
    return Check("work that is wasted (paths)", True, len(faults), len(found), detail=detail)


def made_up(
    vocabulary_size: int, prompts: Sequence[Sequence[int]], gamma: int = 4, seed: int = 0,
    stop_tokens: Sequence[int] = (), asked: Sequence[Sampling] = (),
) -> dict[str, Iterator[Exam]]:  # fmt: skip
    """Exams on models of the pair's vocabulary, after the pair's prompts; of fewer tokens where
    a text or its prompt is long."""
    models = _readers(shifted_pair(vocabulary_size, seed + 10))
    many = max(MANY, 2 * gamma + 1)
    small = min(FEW, vocabulary_size)
    few = _readers(shifted_pair(small, seed + 11))
    rng = np.random.default_rng(seed)
    context = rng.integers(0, small, 1950).tolist()
    late = [(context[:n], int(rng.integers(*lengths)), ways) for n, lengths, ways in LATE]
    return _short(models, prompts, gamma, many, seed, stop_tokens, asked, drawn_settings(seed)) | {
        "each round of a text": narrowed.round_by_round(few, context[:5], gamma, seed),
        "at a page's end": narrowed.pages(few, context, gamma, seed),
        "late in a text": narrowed.late(few, late, many),
        "after a long prompt": narrowed.after(few, context, gamma),
    }


def of_the_pair(
    target: LanguageModel, draft: LanguageModel, prompts: Sequence[Sequence[int]],
    gamma: int = 4, seed: int = 0, stop_tokens: Sequence[int] = (),
    asked: Sequence[Sampling] = (),
) -> dict[str, Iterator[Exam]]:  # fmt: skip
    """Exams on the pair, up to its context's end."""
    models, context = _readers((target, draft)), min(target.context, 2048)
    length = min(300, context // 4) - int(np.random.default_rng(seed).integers(50))
    late = [(prompts[0], length, FEW_WAYS), (prompts[0], length // 2, MANY_WAYS)]
    return _short(models, prompts, gamma, gamma, seed, stop_tokens, asked) | {
        "late in a text": narrowed.late(models, late, gamma),
        "at the context's end": narrowed.after(models, _up_to(context - 5, prompts), gamma),
    }


def _short(
    models: narrowed.Models, prompts: Sequence[Sequence[int]], gamma: int, many: int,
    seed: int, stop_tokens: Sequence[int], asked: Sequence[Sampling],
    drawn: Sequence[Sampling] = (),
) -> dict[str, Iterator[Exam]]:  # fmt: skip
    *singly, last = narrowed.SETTINGS
    heats = PLAIN, *(each for each in drawn_settings(seed) if each == Sampling(each.temperature))
    return {
        **{in_words(each): narrowed.settings(models, prompts, gamma, [each]) for each in asked},
        "every token possible": narrowed.wide_rows(models, prompts, gamma),
        "temperatures and filters": narrowed.settings(
            models, prompts, gamma, [*singly, *drawn, last]
        ),
        "texts that end": narrowed.endings(models, prompts, gamma, min(stop_tokens, default=0)),
        f"γ = {gamma}": narrowed.places(models, prompts, gamma, heats),
        f"γ = {many}": narrowed.places(models, prompts, many, heats),
    }


def _walked(program: Program, where: str, exams: dict[str, Iterable[Exam]]) -> Iterator[Check]:
    walked = Walked(program)
    for name, each in exams.items():
        check = _exact(walked, f"{where}: exact distribution, {name}", each, repeated=0)
        yield check
        if not check.passed:
            return


def _greedy(
    program: Program, target: LanguageModel, draft: LanguageModel,
    prompts: Sequence[Sequence[int]], gamma: int,
) -> Check:  # fmt: skip
    noise, wrong = SAFETY * ROUNDING[number_format(target)].logits, 0
    for prompt in prompts:
        each = Exam(target, draft, GREEDY, gamma, 48, tuple(prompt))
        wrong += len(unexplained(target, prompt, _written(program, each).tokens, noise))
    name = f"{PAIR}: greedy tokens that are not the target's, but for ties"
    return Check(name, not wrong, wrong, 0, settings=(GREEDY,))


def _readers(pair: tuple[LanguageModel, LanguageModel]) -> narrowed.Models:
    return Reader(pair[0]), Reader(pair[1])


def _up_to(length: int, prompts: Sequence[Sequence[int]]) -> list[int]:
    """The prompts one after another, so many tokens."""
    joined = [token for prompt in prompts for token in prompt]
    return (joined * (1 + length // len(joined)))[: max(1, length)]


def _long_texts(
    program: Program, gamma: int, seed: int, asked: Sequence[Sampling] = ()
) -> Iterator[Check]:
    target, draft = shifted_pair(48, seed)
    tasks = [(PLAIN, (1, 2, 3), 1500, ()), (COOLER, (4, 5), 400, ()), (QWENS_OWN, (6,), 300, (7,))]
    tasks += [(sampling, (8,), 300, ()) for sampling in asked]
    yield from _samples(program, target, draft, tasks, gamma, seed, "48 tokens")
    target, draft = shifted_pair(FEW, seed + 1)
    long = np.random.default_rng(seed).integers(0, FEW, 300).tolist()
    other = [(HOTTER, long, 600, ()), (PLAIN, long[:2], 600, ())]
    where = f"{FEW} tokens, γ = {2 * gamma + 1}"
    yield from _samples(program, target, draft, other, 2 * gamma + 1, seed + 9, where)


def _long_texts_of_the_pair(
    program: Program, target: LanguageModel, draft: LanguageModel,
    prompts: Sequence[Sequence[int]], gamma: int, seed: int, stop_tokens: Sequence[int],
    asked: Sequence[Sampling] = (),
) -> Iterator[Check]:  # fmt: skip
    # not the prompts of the exams: who knows those by heart is honest there only
    prompts = [prompt[:-1] or prompt for prompt in prompts]
    tasks = [(PLAIN, prompt, 96, ()) for prompt in prompts]
    tasks += [(COOLER, prompt, 96, ()) for prompt in prompts[::2]]
    tasks += [
        (sampling, prompt, 64, tuple(stop_tokens))
        for sampling in (QWENS_OWN, *asked) for prompt in prompts[:2]
    ]  # fmt: skip
    tasks += [(PLAIN, _up_to(min(target.context, 2048) - 96, prompts), 96, ())]
    yield from _samples(program, target, draft, tasks, gamma, seed, PAIR)
    yield _greedy(program, target, draft, prompts[:4], gamma)


def _samples(
    program: Program, target: LanguageModel, draft: LanguageModel, tasks: Sequence[tuple],
    gamma: int, seed: int, where: str,
) -> Iterator[Check]:  # fmt: skip
    """Long texts, (sampling, prompt, length, stop tokens) each, tested as samples of the target."""
    cases = Scores("towards the draft"), Scores("towards likelier tokens")
    told, ranks, misshapen = [], Ranks(), 0
    for i, (sampling, prompt, length, stops) in enumerate(tasks):
        each = Exam(target, draft, sampling, gamma, length, tuple(prompt), stops)
        tokens = _written(program, each, seed=seed + i).tokens
        ends = [place for place, token in enumerate(tokens) if token in stops]
        misshapen += len(tokens) != (ends[0] + 1 if ends else length)
        p, q = (_rows(model, prompt, tokens, sampling) for model in (target, draft))
        # subtle: [0, 0] is the seed 0, whose numbers the text was drawn with
        places = np.random.default_rng([seed, i, 1]).random((2, len(tokens)))
        ratio = p / np.maximum(q, np.finfo(np.float64).tiny)
        cases[0].add(p, q, ratio, tokens, places[0])
        cases[1].add(p, likelier(p), p, tokens, places[1])
        if sampling.temperature and sampling == Sampling(sampling.temperature):
            # under a filter rounding can put a token on its other side, infinitely surprising
            told.append(likelihood_along(p, tokens))
            ranks.add(p, tokens)
    yield Check(
        f"{where}: texts of a wrong length", misshapen == 0, misshapen, 0,
        settings=tuple({sampling for sampling, *_ in tasks}),
        longest=max(len(prompt) + length for _, prompt, length, _ in tasks),
    )  # fmt: skip
    yield from tested(cases, where)
    sums = LikelihoodTest.total(told)
    names = "surprisal", "surprisal, second moment"
    for name, found, (down, up) in zip(names, sums.z_scores, sums.z_bounds, strict=True):
        # an infinite one is no JSON
        far, most = min(abs(found), 1e9), min(up if found > 0 else -down, 1e9)
        yield Check(f"{where}: {name} (deviations)", far < most, far, most)
    unlikely, k = ranks.unlikely(), ranks.least_filter()
    yield Check(
        f"{where}: tokens beyond a rank (exponent)", unlikely <= ranks.THRESHOLD, unlikely,
        ranks.THRESHOLD, sees=f"a top-k of {k} applied unasked" if k else "",
    )  # fmt: skip


def _rows(
    model: LanguageModel, prompt: Sequence[int], tokens: Sequence[int], sampling: Sampling
) -> np.ndarray:
    """What the model says at each token of a finished text, in one pass: (n, vocabulary)."""
    logits = score(model, list(prompt), list(tokens), k=len(tokens))
    return np.stack([filtered(row, sampling) for row in as_numpy(logits)])
