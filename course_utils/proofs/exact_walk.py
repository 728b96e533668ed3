"""Compare the distribution of a decoder's texts with the target's, by walking every path.

Every subject is examined by its tokens alone.  A text's probability is a product of a few numbers,
so the distance of a lossless decoder is only rounding: of float64, or of float32 if it computes in
that format.
"""

from collections.abc import Iterable
from math import fsum

from tqdm import tqdm

from course_utils.decoding.sampling import Sampling
from course_utils.proofs.certificate import Check
from course_utils.proofs.decoders import Exam, Subject, widest
from course_utils.proofs.enumeration import (
    Distribution,
    distribution_distance,
    merge_paths,
    outcomes,
)
from course_utils.proofs.program_faults import first_deviation

EXACT = 1e-9  # TV of a decoder that computes in float64
FLOAT32 = "the rounding of float32"
MAX_WALKED_TOKENS = 60_000  # more than any lossless decoder of the course writes in an exam
FIRST_LOOK = 4_000  # tokens after which a walk may end early, if a defect is certain


class TooManyPaths(ValueError):
    """A decoder has more paths than can be walked."""


def walk(subject: Subject, exam: Exam) -> tuple[float, Distribution]:
    """Return the total variation of a subject's texts from the target's, and their distribution.

    The walk ends early, after thousands of tokens, if the paths so far already give some texts
    more than their probability: the complete distance cannot be smaller.

    Raises:
        TooManyPaths: the paths have more than `MAX_WALKED_TOKENS` without a defect.
    """
    truth, paths = exam.truth(), []
    tokens, due = 0, FIRST_LOOK
    for weight, text in outcomes(lambda noise: exam.text(subject, noise)):
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
            raise TooManyPaths(f"{len(paths)} paths show no defect, but there are more")
    texts = merge_paths(paths)
    return distribution_distance(texts, truth), texts


def exact_check(name: str, subject: Subject, exams: Iterable[Exam]) -> Check:
    """Walk exams up to the first with a defect, and report the largest distance."""
    figure, threshold, longest, possible, detail = 0.0, EXACT, 0, 0, ""
    settings: dict[Sampling, None] = {}
    for exam in tqdm(exams, name, leave=False, disable=None):
        distance, texts = walk(subject, exam)
        rounding = exam.rounding() if distance > EXACT else EXACT
        if distance > rounding and exam.cuts_at_a_mass():
            continue  # either side of the cut is right
        settings[exam.sampling] = None
        longest = max(longest, len(exam.prompt) + exam.length)
        possible = max(possible, widest(texts))
        if distance > rounding:
            figure, threshold, detail = distance, rounding, witness(exam, texts)
            break
        figure = max(figure, distance)
        if distance > EXACT:
            threshold, detail = max(threshold, rounding), f"within {FLOAT32}"
    passed = figure <= threshold
    return Check(name, passed, figure, threshold, "", detail, tuple(settings), longest, possible)


def witness(exam: Exam, texts: Distribution) -> str:
    """Describe the first deviation: settings, prompt, tokens, p and the decoder's probability."""
    place = first_deviation(texts, exam.truth(), exam.rounding())
    words = f"{settings_name(exam.sampling)}, γ = {exam.gamma}, prompt {_shortened(exam.prompt)}"
    if place is None:  # only the lengths differ
        return words
    token = max(range(len(place.wanted)), key=lambda x: abs(place.observed[x] - place.wanted[x]))
    p, written = place.wanted[token], place.observed[token]
    after = f"after new tokens {_shortened(place.after)}" if place.after else "at the first token"
    return f"{words}, {after}: token {token} has p = {p:.4g}, but is written with {written:.4g}"


def settings_name(sampling: Sampling) -> str:
    """Sampling(0.7, top_k=20) -> "temperature 0.7, top-k 20"; filters that are off are omitted."""
    on = {name: x for name, x in vars(sampling).items() if x != getattr(Sampling, name)}
    return ", ".join(f"{name.replace('_', '-')} {x:g}" for name, x in on.items()) or "temperature 1"


def _shortened(tokens: tuple[int, ...]) -> str:
    if len(tokens) <= 12:
        return str([*tokens])
    return f"[... {', '.join(map(str, tokens[-4:]))}] of {len(tokens)} tokens"
