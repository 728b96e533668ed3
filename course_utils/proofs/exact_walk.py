"""Is the distribution of a decoder's texts the target's?  Every path of an exam is walked.

A decoder of the library and a whole program are examined alike, by their tokens alone.  A
text's probability is a product of a few numbers, so the distance of what is lossless is the
rounding of float64, or no more than that of float32 where the decoder computes in it.
"""

from collections.abc import Iterable
from math import fsum

from tqdm import tqdm

from course_utils.decoding.sampling import Sampling
from course_utils.proofs.certificate import Check
from course_utils.proofs.decoders import Decoder, Exam
from course_utils.proofs.enumeration import (
    Distribution,
    distribution_distance,
    merge_paths,
    outcomes,
)
from course_utils.proofs.program_faults import first_deviation
from course_utils.proofs.programs import Program, write_text

EXACT = 1e-9  # TV of a decoder that computes in float64
FLOAT32 = "the rounding of float32"
MAX_WALKED_TOKENS = 60_000  # no lossless decoder of the course writes as many in an exam
FIRST_LOOK = 4_000  # tokens after which a walk may end, if a defect is certain


class TooManyPaths(ValueError):
    """A decoder of more paths than can be walked."""


def walk(decoder: Decoder | Program, exam: Exam) -> tuple[float, Distribution]:
    """Total variation of a decoder's texts from the target's, and their distribution.

    Where thousands of tokens were written, and the paths walked give some texts more than
    their probability already, the walk ends: the whole distance is no smaller.

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
        texts = merge_paths(paths)
        certain = fsum(max(0.0, w - truth.get(text, 0.0)) for text, w in texts.items())
        if certain > exam.rounding():
            return certain, texts
        if tokens >= MAX_WALKED_TOKENS:
            raise TooManyPaths(f"{len(paths)} paths show no defect, and there are more")
    texts = merge_paths(paths)
    return distribution_distance(texts, truth), texts


def exact_check(name: str, decoder: Decoder | Program, exams: Iterable[Exam]) -> Check:
    """Walk exams up to the first that shows a defect, and report the largest distance."""
    figure, threshold, longest, detail = 0.0, EXACT, 0, ""
    settings: dict[Sampling, None] = {}
    for exam in tqdm(exams, name, leave=False, disable=None):
        distance, texts = walk(decoder, exam)
        settings[exam.sampling] = None
        longest = max(longest, len(exam.prompt) + exam.length)
        figure = max(figure, distance)
        if distance > EXACT:
            threshold, detail = max(threshold, exam.rounding()), f"within {FLOAT32}"
        if distance > threshold:
            detail = witness(exam, texts)
            break
    passed = figure <= threshold
    return Check(name, passed, figure, threshold, "", detail, tuple(settings), longest)


def witness(exam: Exam, texts: Distribution) -> str:
    """Say where texts first part from the target's: settings, prompt, tokens, p and observed."""
    place = first_deviation(texts, exam.truth())
    words = f"{in_words(exam.sampling)}, γ = {exam.gamma}, prompt {_shortened(exam.prompt)}"
    if place is None:  # in the lengths
        return words
    token = max(range(len(place.wanted)), key=lambda x: abs(place.observed[x] - place.wanted[x]))
    p, observed = place.wanted[token], place.observed[token]
    after = f"after new tokens {_shortened(place.after)}" if place.after else "at the first token"
    return f"{words}, {after}: token {token} has p = {p:.4g}, observed {observed:.4g}"


def in_words(sampling: Sampling) -> str:
    """Sampling(0.7, top_k=20) -> "temperature 0.7, top-k 20"; what is off is left out."""
    on = {name: x for name, x in vars(sampling).items() if x != getattr(Sampling, name)}
    return ", ".join(f"{name.replace('_', '-')} {x:g}" for name, x in on.items()) or "temperature 1"


def _shortened(tokens: tuple[int, ...]) -> str:
    if len(tokens) <= 12:
        return str([*tokens])
    return f"[... {', '.join(map(str, tokens[-4:]))}] of {len(tokens)} tokens"
