"""Is the distribution of a decoder's texts the target's?  Every path of an exam is walked.

A decoder of the library and a whole program are examined alike, by their tokens alone.  A
text's probability is a product of a few numbers, so the distance of what is lossless is the
rounding of float64, or of float32 where the decoder computes in that.
"""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from math import fsum

import numpy as np
from tqdm import tqdm

from course_utils.decoding.sampling import Sampling
from course_utils.models.toys.tables import RowPerText
from course_utils.proofs.certificate import Check
from course_utils.proofs.decoders import Decoder, Exam, exam
from course_utils.proofs.enumeration import (
    Distribution,
    EnumeratedNoise,
    distribution_distance,
    merge_paths,
    outcomes,
)
from course_utils.proofs.program_faults import first_deviation
from course_utils.proofs.programs import Program, write_text
from course_utils.proofs.synthetic import Mixed

EXACT = 1e-9  # TV of a decoder that computes in float64
FLOAT32 = "the rounding of float32, in which it computes"
MAX_WALKED_TOKENS = 60_000  # no lossless decoder of the course writes as many in an exam
FIRST_LOOK = 4_000  # tokens after which a walk may end, if a defect is certain
SMALL = exam(gamma=2, length=3)
TOO_CLOSE, FAR = 1e-10, 1e-4  # shares of a row that float32 does not hold, and that it does


class TooManyPaths(ValueError):
    """A decoder of more paths than can be walked."""


def walk(
    decoder: Decoder | Program, exam: Exam, rounding: float = EXACT
) -> tuple[float, Distribution]:
    """Total variation of a decoder's texts from the target's, and their distribution.

    Where thousands of tokens were written, and the paths walked give some texts more than
    their probability already, the walk ends: the whole distance is no smaller.

    Args:
        rounding: the least distance that is a defect.

    Raises:
        TooManyPaths: the paths have more than `MAX_WALKED_TOKENS`, and show no defect.
    """
    truth, paths = exam.truth(), []
    tokens, due = 0, FIRST_LOOK
    for weight, text in outcomes(lambda noise: write_text(decoder, exam, noise)):
        paths.append((weight, text))
        tokens += len(text)
        if tokens < due:
            continue
        due = min(2 * due, MAX_WALKED_TOKENS)
        walked = merge_paths(paths)
        certain = fsum(max(0.0, w - truth.get(text, 0.0)) for text, w in walked.items())
        if certain > rounding:
            return certain, walked
        if tokens >= MAX_WALKED_TOKENS:
            raise TooManyPaths(f"{len(paths)} paths show no defect, and there are more")
    walked = merge_paths(paths)
    return distribution_distance(walked, truth), walked


def exact_check(name: str, decoder: Decoder | Program, exams: Iterable[Exam]) -> Check:
    """Walk exams up to the first that shows a defect, and report the largest distance."""
    result = Check(name, True, 0.0, EXACT)
    settings: set[Sampling] = set()
    places: set[int] = set()
    in_float32 = False
    for each in tqdm(exams, name, leave=False, disable=None):
        rounding = each.rounding() if in_float32 else EXACT
        found, texts = walk(decoder, each, rounding)
        if found > rounding and not in_float32 and computes_in_float32(decoder):
            in_float32, rounding = True, each.rounding()
            found, texts = walk(decoder, each, rounding)
        settings.add(each.sampling)
        places.update(each.decided or range(each.length))
        longest = max(result.longest, len(each.prompt) + each.length)
        most = max(result.threshold, rounding)
        result = replace(result, figure=max(result.figure, found), threshold=most, longest=longest)
        if found > rounding:
            detail = f"more than {FLOAT32}, " * in_float32 + witness(each, texts)
            result = replace(result, passed=False, figure=found, threshold=rounding, detail=detail)
            break
        if in_float32:
            result = replace(result, detail=f"within {FLOAT32}")
    return replace(result, settings=tuple(settings), places=tuple(sorted(places)))


def witness(exam: Exam, texts: Distribution) -> str:
    """Say where the texts first part from the target's: settings, prompt, tokens, p, observed."""
    place = first_deviation(texts, exam.truth())
    prompt = f"prompt {[*exam.prompt]}"
    if len(exam.prompt) > 12:
        prompt = f"a prompt of {len(exam.prompt)} tokens"
    words = f"{in_words(exam.sampling)}, γ = {exam.gamma}, {prompt}"
    if place is None:
        return words
    token = max(range(len(place.wanted)), key=lambda x: abs(place.observed[x] - place.wanted[x]))
    new = list(place.after)
    after = f"after new tokens {new}" if len(new) <= 12 else f"after {len(new)} new tokens"
    p, observed = place.wanted[token], place.observed[token]
    return (
        f"{words}, {after if new else 'first'}: token {token} has p = {p:.4g}, not {observed:.4g}"
    )


def in_words(sampling: Sampling) -> str:
    """Sampling(0.7, top_k=20) -> "temperature 0.7, top-k 20"; what is off is left out."""
    on = {name: x for name, x in vars(sampling).items() if x != getattr(Sampling, name)}
    return ", ".join(f"{name.replace('_', '-')} {x:g}" for name, x in on.items()) or "temperature 1"


def computes_in_float32(decoder: Decoder | Program, exam: Exam = SMALL) -> bool:
    """Does a decoder round to float32, or to less?

    It does if a number that it compares with a uniform is the same for models that differ by
    less than float32 can hold, and another one for models that differ by more.
    """
    first, second = (RowPerText(exam.target.vocabulary_size, seed) for seed in (101, 102))
    thresholds = []
    for share in 0.0, TOO_CLOSE, FAR:
        target, draft = Mixed(exam.target, first, 1 - share), Mixed(exam.draft, second, 1 - share)
        thresholds.append(
            np.array([*_thresholds(decoder, replace(exam, target=target, draft=draft))])
        )
    same, close, far = thresholds
    if not len(same) == len(close) == len(far):
        return False
    return bool(((same == close) & (abs(same - far) > FAR / 100)).any())


def _thresholds(decoder: Decoder | Program, exam: Exam) -> Iterator[float]:
    """The numbers between which the uniforms of each path lie."""

    def run(noise: EnumeratedNoise) -> list[float]:
        write_text(decoder, exam, noise)
        return [end for uniform in noise.drawn.values() for end in uniform.interval]

    for _, ends in outcomes(run):
        yield from ends
