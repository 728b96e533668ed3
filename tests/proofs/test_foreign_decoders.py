"""What the certificate's tables say of decoders as others have them."""

import pytest

from course_utils.models.tables import TableModel
from course_utils.proofs.decoders import CORRECT, Exam
from course_utils.proofs.program_certificate import (
    LONG,
    ON_TABLES,
    SMALL,
    _waste,
    like_in_the_zoo,
)
from course_utils.proofs.programs import as_program, distance, distribution_of, texts
from course_utils.proofs.table_checks import FILTERED
from tests.proofs import foreign_decoders as foreign

LOSSLESS = foreign.model_solution, foreign.greedy_draft, foreign.missing_bonus
LIKE = {  # exact distance on SMALL, and the specimen with the same texts
    foreign.likeliest_bonus: (0.499, "argmax bonus"),
    foreign.likeliest_everywhere: (0.527, ""),
    foreign.at_another_temperature: (0.052, "q at another temperature"),
    foreign.greedy_draft_soft_q: (0.104, "argmax draft, soft q"),
    foreign.accepts_if_likelier: (0.432, "no uniform"),
    foreign.placeholders: (0.165, ""),
}


@pytest.mark.parametrize("program", LOSSLESS, ids=lambda program: program.__name__)
def test_lossless_ones_pass_every_table(program):
    assert all(distance(program, e) < 1e-12 for e in (SMALL, LONG, FILTERED))


@pytest.mark.parametrize("program", LIKE, ids=lambda program: program.__name__)
def test_lossy_ones_have_a_distance_and_some_a_name(program):
    figure, specimen = LIKE[program]
    assert distance(program, SMALL) == pytest.approx(figure, abs=5e-4)
    assert (repr(specimen) if specimen else "") in like_in_the_zoo(program)
    assert bool(specimen) == bool(like_in_the_zoo(program))
    assert "bonus" not in _waste(program).detail


def test_a_missing_bonus_is_the_only_waste_of_one_without():
    assert "it holds one more token" in _waste(foreign.missing_bonus).detail
    for program in foreign.model_solution, foreign.greedy_draft:
        assert _waste(program).figure == 0


def test_without_a_bonus_a_text_takes_more_rounds():
    def rounds(program):
        return sum(weight * len(written.rounds) for weight, written in texts(program, LONG))

    assert rounds(foreign.missing_bonus) > rounds(as_program(CORRECT)) + 0.1


@pytest.mark.parametrize("size", [2, 3, 5])
def test_a_placeholder_adds_the_likeliest_token_once_in_a_vocabulary(size):
    """TV (1 - p(a*)) / V of a first token: a placeholder hits a* once in V times."""
    p = [(x + 1) / (size * (size + 1) / 2) for x in range(size)]
    miss = Exam(TableModel(p), TableModel([1 / size] * size), gamma=1, length=2)
    first = [0.0] * size
    for text, weight in distribution_of(texts(foreign.placeholders, miss)).items():
        first[text[0]] += weight
    apart = sum(abs(a - b) for a, b in zip(first, p, strict=True)) / 2
    assert apart == pytest.approx((1 - p[-1]) / size)


def test_a_stop_token_in_the_prompt_is_found_by_the_tables():
    assert distance(foreign.stops_at_the_prompt, SMALL) < 1e-12  # no stop token, no trace
    endings = ON_TABLES["exact distribution, texts that end"]
    assert max(distance(foreign.stops_at_the_prompt, each) for each in endings) > 0.01
