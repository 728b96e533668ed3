"""The other zoos: correct decoders pass, and each specimen is detected.

The table that `make test` prints at its end is made from what is recorded here.
"""

from dataclasses import replace

import numpy as np
import pytest

from course_utils.decoding import GREEDY, Sampling, emitted_tokens, generate
from course_utils.decoding.rules import BLOCK, RECURSIVE_REJECTION
from course_utils.drafters.lookup import PromptLookup
from course_utils.drafters.tree import Tree
from course_utils.lessons.batched_speculation import zoo as batches
from course_utils.lessons.grammar import zoo as processors
from course_utils.lessons.the_target_moves.rollouts import Rollout
from course_utils.lessons.the_target_moves.zoo import epochs, rollout_bugs, rollout_exam
from course_utils.models.toys.tables import RowPerText
from course_utils.proofs.batch_invariance import BatchDecoder, examine
from course_utils.proofs.bugs import ENUMERATION, TREE_BUGS
from course_utils.proofs.decoders import exam
from course_utils.proofs.table_checks import long_greedy_text

ROLLOUTS = rollout_exam()
GRAMMAR = processors.grammar_exam(2)
PROCESSED = processors.CORRECT_PROCESSOR
# Specimens detected by enumeration: (kind, exam, specimens)
ENUMERATED = (
    ("tree", exam(), TREE_BUGS),
    ("rollout", ROLLOUTS, rollout_bugs(ROLLOUTS)),
    ("grammar", GRAMMAR, processors.GRAMMAR_BUGS),
)


@pytest.mark.parametrize(
    ("kind", "paper", "bug"),
    [(kind, paper, bug) for kind, paper, bugs in ENUMERATED for bug in bugs],
    ids=lambda value: getattr(value, "name", None),
)
def test_a_mutant_is_killed_by_enumeration(kind, paper, bug):
    distance = paper.distance(bug.decoder)
    assert distance > 1e-3
    if kind == "tree":
        assert long_greedy_text(bug.decoder).passed == (bug.killer == ENUMERATION)


# --- processors ---------------------------------------------------------------------------


def test_the_text_is_the_processed_targets():
    shape = (-1, -1, 1)
    decoders = {
        "free draft": PROCESSED,
        "processed draft": replace(PROCESSED, drafter=processors.masked_draft),
        "block rule": replace(PROCESSED, rule=BLOCK),
        "copied guesses": replace(PROCESSED, drafter=lambda model: PromptLookup()),
        "tree": replace(PROCESSED, rule=RECURSIVE_REJECTION, drafter=lambda m: Tree(m, shape)),
    }
    for name, decoder in decoders.items():
        assert GRAMMAR.distance(decoder) < 1e-12, name
    cold = replace(GRAMMAR, sampling=GREEDY, length=8)
    alone = replace(PROCESSED, drafter=lambda model: None)
    texts = [emitted_tokens(cold.rounds(decoder)) for decoder in (PROCESSED, alone)]
    assert texts[0] == texts[1]
    for sampling in (Sampling(0.6), Sampling(top_k=2), Sampling(top_p=0.7)):  # come after it
        assert replace(GRAMMAR, sampling=sampling).distance(PROCESSED) < 1e-12


# --- rollouts -----------------------------------------------------------------------------


def test_an_old_text_as_the_draft_is_exact():
    filtered = rollout_exam(2, sampling=Sampling(0.7, top_k=2))
    stopped, in_parts = replace(ROLLOUTS, stop_tokens=(1,)), replace(ROLLOUTS, gamma=2)
    for paper in (ROLLOUTS, rollout_exam(1), filtered, in_parts, stopped):
        assert paper.distance(epochs(Rollout)) < 1e-12


def test_an_old_text_is_made_of_a_run_and_taken_in_one_pass_by_an_unchanged_policy():
    model = RowPerText(5, seed=3)
    old = list(generate(model, [1, 2], max_new_tokens=12, seed=1, rows=True))
    text = Rollout(2, emitted_tokens(old), np.concatenate([r.p for r in old]))
    (only,) = generate(model, [1, 2], text, gamma=12, max_new_tokens=12, seed=2)
    assert only.emitted[:-1] == tuple(emitted_tokens(old)[:-1])  # the last one is a bonus


# --- batches ------------------------------------------------------------------------------


def test_rows_are_what_they_are_alone():
    for sampling, slots in ((GREEDY, 2), (Sampling(), 3), (Sampling(0.7, top_p=0.9), 16)):
        assert examine(BatchDecoder(), sampling, slots=slots) == []


@pytest.mark.parametrize("bug", batches.BATCH_BUGS, ids=lambda bug: bug.name)
def test_a_batch_mutant_is_seen_by_what_its_entry_says_and_by_nothing_simpler(bug):
    detected = batches.looks_that_see(bug)
    assert bug.killer == next(look for look in batches.LOOKS if look in detected)
