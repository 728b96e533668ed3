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
from dataclasses import astuple, replace
from functools import cache
from math import inf

import numpy as np

from course_utils.decoding.clock import now
from course_utils.decoding.contracts import LanguageModel
from course_utils.decoding.rows import as_numpy
from course_utils.decoding.sampling import GREEDY, Sampling
from course_utils.proofs import narrowed
from course_utils.proofs.bugs import BUGS, Bug
from course_utils.proofs.certificate import LOSSY, PAIR, Certificate, attempted, certificate_of
from course_utils.proofs.decoders import Exam, exam
from course_utils.proofs.enumeration import (
    Distribution,
    Uniform,
    distribution_distance,
    outcomes,
)
from course_utils.proofs.examination import (
    COOLER,
    PLAIN,
    QWENS_OWN,
    ROUNDING,
    number_format,
    tested,
)
from course_utils.proofs.filters import filtered
from course_utils.proofs.narrowed import Reader
from course_utils.proofs.passes import score
from course_utils.proofs.program_faults import first_fault
from course_utils.proofs.programs import (
    EXACT,
    Program,
    Written,
    as_program,
    distance,
    distribution_of,
    texts,
    write_exam,
)
from course_utils.proofs.scores import Ranks, Scores, likelier
from course_utils.proofs.surprise import Surprise, surprise_along
from course_utils.proofs.synthetic import shifted_pair
from course_utils.proofs.table_checks import ALONE, COLD, ENDINGS, EXAMS, EXCLUDED, TINY, Check
from course_utils.proofs.ties import SAFETY, unexplained

SMALL = exam(gamma=2, length=3)  # where each specimen of the zoo has texts of its own
LONG = exam(2, gamma=2, length=5)  # of three rounds, so that a draft that lags is seen
ON_TABLES = EXAMS | {
    "exact distribution": (TINY, LONG),
    "exact distribution, texts that end": (ENDINGS[0], exam(seed=4, gamma=2, stop_tokens=(0, 2))),
}
HOTTER = Sampling(1.3)
MADE_UP = "made-up models"
REPLAYED = 200
FEW = 600  # tokens of the models whose texts are long
FEW_WAYS, MANY_WAYS = (4, 2), (narrowed.WIDE, 1)  # tokens possible for target and draft
LATE = (  # tokens of a prompt, of the text after it, and how many are possible near its end
    (700, 1450, FEW_WAYS), (700, 725, MANY_WAYS), (1300, 700, FEW_WAYS), (1700, 300, FEW_WAYS),
)  # fmt: skip
MANY = 8  # guesses per round, at least, of a round that is long


def certify_program(
    target: LanguageModel,
    draft: LanguageModel,
    program: Program,
    prompts: Sequence[Sequence[int]],
    gamma: int = 4,
    seed: int = 0,
    stop_tokens: Sequence[int] = (),
    seconds: float = inf,
) -> Certificate:
    """Put a program to every check.

    Args:
        seconds: after so many no further check is begun; what is left out is named.

    Raises:
        ValueError: no prompts.
    """
    if not prompts:
        raise ValueError("there is nothing to certify on: give at least one prompt")
    start = now()
    size, settings = target.vocabulary_size, (gamma, seed, stop_tokens)
    examinations = {
        "tables": lambda: on_tables(program),
        MADE_UP: lambda: _walked(program, MADE_UP, made_up(size, prompts, *settings)),
        PAIR: lambda: _walked(
            program, PAIR, of_the_pair(target, draft, prompts, gamma, stop_tokens)
        ),
        f"long texts on {MADE_UP}": lambda: _long_texts(program, gamma, seed),
        f"long texts of the {PAIR}": lambda: _long_texts_of_the_pair(
            program, target, draft, prompts, *settings
        ),
    }
    found: list[Check | str] = []
    for name, each in examinations.items():
        if name in (MADE_UP, PAIR) and any(isinstance(reason, str) for reason in found):
            continue  # what cannot be walked on tables cannot be walked
        checks = attempted(name, each)
        while now() - start < seconds and (check := next(checks, None)) is not None:
            found.append(check)
        if now() - start >= seconds:
            found.append(f"{name}: stopped when {seconds:.0f} seconds were over")
        if certificate_of(found, 0.0).verdict == LOSSY:
            break
    return certificate_of(found, now() - start)


def on_tables(program: Program) -> Iterator[Check]:
    """Every path of the program on tables: exact distances, and what its calls show."""
    for name, exams in ON_TABLES.items():
        check = _exact(program, name, exams)
        yield check if check.passed else replace(check, detail=like_in_the_zoo(program))
    said, wanted = (_written(each, COLD, seed=0).tokens for each in (program, as_program(ALONE)))
    differ = sum(a != b for a, b in zip(said, wanted, strict=False)) + abs(len(said) - len(wanted))
    yield Check("greedy text", differ == 0, differ, 0)
    excluded = _written(program, EXCLUDED, uniform=lambda: 0.0).tokens.count(0)
    yield Check("p = 0 stays out", excluded == 0, excluded, 0)
    unlike = _told_apart(program, TINY)
    yield Check("numbers in place of intervals", unlike == 0, unlike, 0)
    yield _waste(program)


def _exact(program: Program, name: str, exams: Iterable[Exam], **options: int) -> Check:
    """The largest distance of the exams, or the first that is a defect."""
    figure = 0.0
    for each in exams:
        figure = max(figure, distance(program, each, **options))
        if figure > EXACT:
            settings = f"{each.length} tokens after {len(each.prompt)}, γ = {each.gamma}"
            return Check(name, False, figure, EXACT, detail=f"{settings}, {each.sampling}")
    return Check(name, True, figure, EXACT)


def like_in_the_zoo(program: Program) -> str:
    """Which specimen of the bug zoo has the same texts; "" if none has."""
    said = distribution_of(texts(program, SMALL))
    for bug in BUGS:
        bent = None if bug.decoder.judges_trees else _bent_texts(bug)
        if bent is not None and distribution_distance(said, bent) < EXACT:
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
    drawn: list[Uniform] = []

    def walk(noise):
        drawn.clear()
        written = _written(
            program, each, uniform=lambda: drawn.append(Uniform(noise.path)) or drawn[-1]
        )
        return [uniform.interval for uniform in drawn], written.tokens

    paths = [found for _, found in outcomes(walk)]
    unlike = 0
    for seed in range(REPLAYED):
        numbers = np.random.default_rng(seed).random(50 * each.length)
        said = _written(program, each, uniform=iter(numbers.tolist()).__next__).tokens
        unlike += not any(
            said == tokens
            and all(low <= u < high for (low, high), u in zip(box, numbers, strict=False))
            for box, tokens in paths
        )
    return unlike


def _waste(program: Program) -> Check:
    """Passes and guesses that the text does not show: never a defect of the text."""
    paths = texts(program, LONG)
    wrong = distribution_distance(distribution_of(paths), LONG.truth()) > EXACT
    # where a correction may be the very guess that was rejected, no bonus is missed
    but = ("bonus",) if wrong else ()
    found = [first_fault(written, LONG.length, but=but) for _, written in paths]
    faults = sorted((f for f in found if f), key=lambda fault: fault.round)
    detail = f"in round {faults[0].round + 1} {faults[0].what}" if faults else "none"
    return Check("work that is wasted (paths)", True, len(faults), len(found), detail=detail)


def made_up(
    vocabulary_size: int, prompts: Sequence[Sequence[int]], gamma: int = 4, seed: int = 0,
    stop_tokens: Sequence[int] = (),
) -> dict[str, Iterator[Exam]]:  # fmt: skip
    """Exams on models of the pair's vocabulary, after the pair's prompts; of fewer tokens where
    a text or its prompt is long."""
    models = _readers(shifted_pair(vocabulary_size, seed + 10))
    many = max(MANY, 2 * gamma + 1)
    small = min(FEW, vocabulary_size)
    few = _readers(shifted_pair(small, seed + 11))
    context = np.random.default_rng(seed).integers(0, small, 1950).tolist()
    return _short(models, prompts, gamma, many, stop_tokens) | {
        "each round of a text": narrowed.round_by_round(few, context[:5], gamma, seed),
        "late in a text": narrowed.late(few, ((context[:n], *rest) for n, *rest in LATE), many),
        "after a long prompt": narrowed.after(few, context, gamma),
    }


def of_the_pair(
    target: LanguageModel, draft: LanguageModel, prompts: Sequence[Sequence[int]],
    gamma: int = 4, stop_tokens: Sequence[int] = (),
) -> dict[str, Iterator[Exam]]:  # fmt: skip
    """Exams on the pair, up to its context's end."""
    models, context = _readers((target, draft)), min(target.context, 2048)
    length = min(300, context // 4)
    late = [(prompts[0], length, FEW_WAYS), (prompts[0], length // 2, MANY_WAYS)]
    return _short(models, prompts, gamma, gamma, stop_tokens) | {
        "late in a text": narrowed.late(models, late, gamma),
        "at the context's end": narrowed.after(models, _up_to(context - 5, prompts), gamma),
    }


def _short(
    models: narrowed.Models, prompts: Sequence[Sequence[int]], gamma: int, many: int,
    stop_tokens: Sequence[int],
) -> dict[str, Iterator[Exam]]:  # fmt: skip
    return {
        "every token possible": narrowed.wide_rows(models, prompts, gamma),
        "temperatures and filters": narrowed.settings(models, prompts, gamma),
        "texts that end": narrowed.endings(models, prompts, gamma, min(stop_tokens, default=0)),
        f"γ = {gamma}": narrowed.places(models, prompts, gamma),
        f"γ = {many}": narrowed.places(models, prompts, many),
    }


def _walked(program: Program, where: str, exams: dict[str, Iterable[Exam]]) -> Iterator[Check]:
    for name, each in exams.items():
        check = _exact(program, f"{where}: exact distribution, {name}", each, repeated=0)
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
    return Check(
        f"{PAIR}: greedy tokens that are not the target's, but for ties", not wrong, wrong, 0
    )


def _readers(pair: tuple[LanguageModel, LanguageModel]) -> narrowed.Models:
    return Reader(pair[0]), Reader(pair[1])


def _up_to(length: int, prompts: Sequence[Sequence[int]]) -> list[int]:
    """The prompts one after another, so many tokens."""
    joined = [token for prompt in prompts for token in prompt]
    return (joined * (1 + length // len(joined)))[: max(1, length)]


def _long_texts(program: Program, gamma: int, seed: int) -> Iterator[Check]:
    target, draft = shifted_pair(48, seed)
    tasks = [(PLAIN, (1, 2, 3), 1500, ()), (COOLER, (4, 5), 400, ()), (QWENS_OWN, (6,), 300, (7,))]
    yield from _samples(program, target, draft, tasks, gamma, seed, "48 tokens")
    target, draft = shifted_pair(FEW, seed + 1)
    long = np.random.default_rng(seed).integers(0, FEW, 300).tolist()
    other = [(HOTTER, long, 600, ()), (PLAIN, long[:2], 600, ())]
    where = f"{FEW} tokens, γ = {2 * gamma + 1}"
    yield from _samples(program, target, draft, other, 2 * gamma + 1, seed + 9, where)


def _long_texts_of_the_pair(
    program: Program, target: LanguageModel, draft: LanguageModel,
    prompts: Sequence[Sequence[int]], gamma: int, seed: int, stop_tokens: Sequence[int],
) -> Iterator[Check]:  # fmt: skip
    # not the prompts of the exams: who knows those by heart is honest there only
    prompts = [prompt[:-1] or prompt for prompt in prompts]
    tasks = [(PLAIN, prompt, 96, ()) for prompt in prompts]
    tasks += [(COOLER, prompt, 96, ()) for prompt in prompts[::2]]
    tasks += [(QWENS_OWN, prompt, 64, tuple(stop_tokens)) for prompt in prompts[:2]]
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
            told.append(surprise_along(p, tokens))
            ranks.add(p, tokens)
    yield Check(f"{where}: texts of a wrong length", misshapen == 0, misshapen, 0)
    yield from tested(cases, where)
    sums = Surprise(*map(sum, zip(*map(astuple, told), strict=True)))
    witnesses = {"": sums.deviations, ", second moment": sums.second_deviations}
    for (name, found), (down, up) in zip(witnesses.items(), sums.bands, strict=True):
        # an infinite one is no JSON
        far, most = min(abs(found), 1e9), min(up if found > 0 else -down, 1e9)
        yield Check(f"{where}: surprise{name} (deviations)", far < most, far, most)
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
