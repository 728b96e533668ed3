"""Right and wrong answers beyond those in the exercises themselves."""

from dataclasses import replace

from course_utils.decoding.loop import generate
from course_utils.decoding.metrics import emitted_tokens
from course_utils.decoding.sampling import GREEDY
from course_utils.lessons.exact_proof.own_decoder import speculate
from course_utils.lessons.qwen3_speculative_decoder.checks import (
    audited,
    check_stream,
    draws_of,
    token_wise,
)
from course_utils.lessons.qwen3_speculative_decoder.program import LookupModel, program_rounds
from course_utils.models.names import held_out_prompts
from course_utils.models.toys.tables import TableModel
from course_utils.proofs.bugs import bug
from course_utils.proofs.decoders import CORRECT


def each_round_alone(rounds, decode, show, stop_tokens, clock):
    """Decode each round separately, and show nothing of a round with a stop token."""
    start, count, tokens = clock(), 0, 0
    for new in rounds:
        count, tokens = count + 1, tokens + len(new)
        if any(token in stop_tokens for token in new):
            break
        show(decode(new))
    return {"rounds": count, "tokens": tokens, "seconds": clock() - start}


WRONG_ANSWERS = [
    (check_stream, each_round_alone, "decode ALL tokens so far"),
]


def test_a_program_runs_on_the_pair_and_its_greedy_text_is_the_targets(pair):
    ids = pair.encode(held_out_prompts("code")[0])
    alone = generate(pair.target, ids, sampling=GREEDY, max_new_tokens=12)
    right = emitted_tokens(alone)
    for draft in (pair.draft, LookupModel(pair.target)):
        with_draft = replace(pair, draft=draft)
        rounds = program_rounds(speculate, with_draft, ids, 3, GREEDY, 12, (), 0)
        assert [token for new in rounds for token in new] == right


MODELS = TableModel.random(6, 2, seed=1), TableModel.random(6, 2, seed=2)


def audits(rounds, seed):
    return {audited(r, draws_of(r, seed), token_wise) for r in rounds}


def test_an_audit_accepts_a_right_run_and_finds_a_wrong_one():
    right, wrong = (
        list(decoder.run(*MODELS, [0], gamma=3, max_new_tokens=40, seed=3))
        for decoder in (CORRECT, bug("resample from p").decoder)
    )
    assert audits(right, 3) == {""}
    assert "guess" in audits(right, 4)  # the guesses of another seed
    assert audits(wrong, 3) == {"", "verdict"}
