"""What is walked in this lesson: the real loop as a program of `ask`, and a decoder's exams."""

from collections.abc import Callable

from course_utils.decoding.metrics import emitted_tokens
from course_utils.decoding.sampling import Sampling
from course_utils.lessons.exact_proof import own_decoder
from course_utils.models.toys.tables import TableModel
from course_utils.proofs import programs
from course_utils.proofs.bugs import bug
from course_utils.proofs.decoders import Decoder, Exam, exam
from course_utils.proofs.enumeration import EnumeratedNoise

Ask = Callable[[float], bool]  # ask(yes): True with probability `yes`


class _Asked:
    """Stands where an enumeration's path stands, and hands each question on."""

    def __init__(self, ask: Ask):
        self.choose = ask


def loop_of(decoder: Decoder, exam: Exam) -> Callable[[Ask], tuple[int, ...]]:
    """The real loop as a program of `ask`, which returns its text: a uniform of it is an
    interval, and asks where a comparison splits it."""

    def program(ask: Ask) -> tuple[int, ...]:
        noise = EnumeratedNoise(_Asked(ask), {})
        return tuple(emitted_tokens(exam.rounds(decoder, noise=lambda _: noise)))

    return program


# Short texts that reach into a second round, at several gamma, temperatures and filters.
EXAMS = {
    "γ = 1": exam(gamma=1, length=3),
    "γ = 2, temperature 0.7": exam(gamma=2, length=3, sampling=Sampling(0.7)),
    "γ = 2, top-k 2": exam(gamma=2, length=4, sampling=Sampling(top_k=2)),
    "γ = 3, top-p 0.8": exam(gamma=3, length=4, sampling=Sampling(top_p=0.8)),
    "γ = 3, all three": exam(
        gamma=3, length=4, sampling=Sampling(temperature=0.7, top_k=2, top_p=0.95)
    ),
}


def exams_of(program: programs.Program) -> list[dict[str, object]]:
    """For each exam how many paths a program has, and the exact distance of its texts."""
    return [
        {
            "exam": name,
            "paths": len(programs.texts(program, e)),
            "TV": programs.distance(program, e),
        }
        for name, e in EXAMS.items()
    ]


def weaker_exams(seed: int = 0) -> dict[str, Exam]:
    """Four exams each of which lacks one thing, and one that lacks none."""

    def pair(order: int) -> list[TableModel]:
        return [TableModel.random(3, order=order, seed=seed + i) for i in (0, 1)]

    return {
        "no context": Exam(*pair(0), gamma=2, length=3),
        "one drafted token": exam(gamma=1, length=3, seed=seed),
        "the prompt is token 0": Exam(*pair(2), gamma=2, length=3, prompt=(0,)),
        "two tokens count": Exam(*pair(2), gamma=2, length=3, seed=seed + 1),
        "all tokens count": exam(gamma=2, length=3, seed=seed),
    }


def who_passes(
    readers: tuple[programs.Program, ...], exams: dict[str, Exam]
) -> list[dict[str, object]]:
    """The exact distance in each exam, to twelve digits: of a right decoder, two bugs, and these
    programs."""
    tried = {"correct": own_decoder.speculate}
    for name in "row off by one", "one uniform for all":
        tried[name] = programs.as_program(bug(name).decoder)
    tried |= {reader.__name__: reader for reader in readers}
    return [
        {"TV from the target": name}
        | {told: round(programs.distance(program, e), 12) for told, e in exams.items()}
        for name, program in tried.items()
    ]
