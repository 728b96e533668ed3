"""A grammar in the loop is exact, with any rule and draft; each way to get it wrong is not."""

from dataclasses import replace

import pytest

from course_utils.decoding import GREEDY, emitted_tokens
from course_utils.decoding.rules import BLOCK, RECURSIVE_REJECTION, TOKEN_WISE
from course_utils.drafters.candidates import without_replacement
from course_utils.drafters.lookup import PromptLookup
from course_utils.drafters.tree import Tree
from course_utils.proofs.broken_grammars import (
    CORRECT_GRAMMAR,
    GRAMMAR_BUGS,
    grammar_exam,
    masked_draft,
    reached,
)

EXAMS = [grammar_exam(seed) for seed in (2, 3)]
DECODERS = {
    "free draft": CORRECT_GRAMMAR,
    "masked draft": replace(CORRECT_GRAMMAR, drafter=masked_draft),
    "block rule": replace(CORRECT_GRAMMAR, rule=BLOCK),
    "copied guesses": replace(CORRECT_GRAMMAR, drafter=lambda model, sampling: PromptLookup()),
    "tree": replace(
        CORRECT_GRAMMAR, rule=RECURSIVE_REJECTION,
        drafter=lambda m, s: Tree(m, (-1, -1, 1), s, without_replacement),
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", DECODERS)
def test_the_text_is_the_masked_targets(name):
    assert max(each.distance(DECODERS[name]) for each in EXAMS) < 1e-12


def test_a_greedy_text_is_the_masked_targets():
    cold = grammar_exam(sampling=GREEDY, length=8)
    alone = replace(CORRECT_GRAMMAR, drafter=lambda model, sampling: None)
    said = [emitted_tokens(cold.rounds(decoder)) for decoder in (CORRECT_GRAMMAR, alone)]
    assert said[0] == said[1]


@pytest.mark.parametrize("bug", GRAMMAR_BUGS, ids=lambda bug: bug.name)
def test_a_mutant_is_killed_by_enumeration(bug, record_property):
    distance = EXAMS[0].distance(bug.decoder)
    record_property("specimen", ["grammar", bug.name, "bent", f"enumeration, TV {distance:.1e}"])
    assert bug.decoder.rule is TOKEN_WISE
    assert distance > 1e-2


def test_a_session_that_starts_within_the_answer_stands_where_it_should():
    model = reached()(EXAMS[0].target)
    prompt, answer = list(EXAMS[0].prompt), [0, 2, 3]
    late = model.start([*prompt, *answer[:-1]]).extend(answer[-1:])
    assert (late == model.start(prompt).extend(answer)[-1:]).all()
