"""A grammar or a penalty in the loop is exact, with any rule and draft; each wrong way is not."""

from dataclasses import replace

import pytest

from course_utils.decoding import GREEDY, Sampling, emitted_tokens
from course_utils.decoding.rules import BLOCK, RECURSIVE_REJECTION, TOKEN_WISE
from course_utils.drafters.lookup import PromptLookup
from course_utils.drafters.tree import Tree
from course_utils.proofs.broken_processors import (
    CORRECT_PROCESSOR,
    GRAMMAR_BUGS,
    PENALTY_BUGS,
    grammar_exam,
    masked_draft,
    penalised_draft,
    penalty_exam,
    reached,
)

GRAMMARS, PENALTIES = ([make(seed) for seed in (2, 3)] for make in (grammar_exam, penalty_exam))
DECODERS = {
    "free draft": CORRECT_PROCESSOR,
    "block rule": replace(CORRECT_PROCESSOR, rule=BLOCK),
    "copied guesses": replace(CORRECT_PROCESSOR, drafter=lambda model: PromptLookup()),
    "tree": replace(
        CORRECT_PROCESSOR, rule=RECURSIVE_REJECTION,
        drafter=lambda model: Tree(model, (-1, -1, 1)),
    ),
}  # fmt: skip
ALIKE = {"grammar": (GRAMMARS, masked_draft), "penalty": (PENALTIES, penalised_draft)}
BUGS = [("grammar", bug) for bug in GRAMMAR_BUGS] + [("penalty", bug) for bug in PENALTY_BUGS]


@pytest.mark.parametrize("kind", ALIKE)
@pytest.mark.parametrize("name", [*DECODERS, "processed draft"])
def test_the_text_is_the_processed_targets(kind, name):
    exams, draft = ALIKE[kind]
    decoder = DECODERS.get(name, replace(CORRECT_PROCESSOR, drafter=draft))
    assert max(each.distance(decoder) for each in exams) < 1e-12


@pytest.mark.parametrize("exam", [grammar_exam, penalty_exam])
def test_a_greedy_text_is_the_processed_targets(exam):
    cold = exam(sampling=GREEDY, length=8)
    alone = replace(CORRECT_PROCESSOR, drafter=lambda model: None)
    said = [emitted_tokens(cold.rounds(decoder)) for decoder in (CORRECT_PROCESSOR, alone)]
    assert said[0] == said[1]


@pytest.mark.parametrize("sampling", [Sampling(0.6), Sampling(top_k=2), Sampling(top_p=0.7)])
def test_penalties_come_before_temperature_and_filters(sampling):
    assert penalty_exam(sampling=sampling).distance(CORRECT_PROCESSOR) < 1e-12


@pytest.mark.parametrize(("kind", "bug"), BUGS, ids=lambda value: getattr(value, "name", value))
def test_a_mutant_is_killed_by_enumeration(kind, bug, record_property):
    distance = ALIKE[kind][0][0].distance(bug.decoder)
    record_property("specimen", [kind, bug.name, "bent", f"enumeration, TV {distance:.1e}"])
    assert bug.decoder.rule is TOKEN_WISE
    assert distance > 1e-2


def test_a_session_that_starts_within_the_answer_stands_where_it_should():
    model = reached()(GRAMMARS[0].target)
    prompt, answer = list(GRAMMARS[0].prompt), [0, 2, 3]
    late = model.start([*prompt, *answer[:-1]]).extend(answer[-1:])
    assert (late == model.start(prompt).extend(answer)[-1:]).all()
