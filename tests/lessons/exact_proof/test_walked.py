"""The loop as a program of `ask`, and which wrong decoder each exam lets pass."""

import pytest

from course_utils.lessons.exact_proof import own_decoder, walked
from course_utils.lessons.exact_proof.checks import every_path, exact_distance
from course_utils.proofs import programs
from course_utils.proofs.bugs import bug
from course_utils.proofs.decoders import CORRECT, exam


def never_reads(target, draft, prompt, *rest):
    return own_decoder.speculate(target, draft, [0], *rest)


def last_two(target, draft, prompt, *rest):
    return own_decoder.speculate(target, draft, prompt[-2:], *rest)


@pytest.mark.parametrize("decoder", [CORRECT, bug("uniform used twice").decoder])
def test_a_walk_of_the_loop_finds_the_distance(decoder):
    small = exam(gamma=2, length=3)
    paths = every_path(walked.loop_of(decoder, small))
    assert sum(weight for weight, _ in paths) == pytest.approx(1)
    assert exact_distance(paths, small.truth()) == pytest.approx(small.distance(decoder), abs=1e-12)


def test_each_weak_exam_lets_its_own_decoder_pass_and_the_last_lets_none():
    exams = walked.weaker_exams()
    lines = walked.who_passes((never_reads, last_two), exams)
    passes = {
        name: {line["TV from the target"] for line in lines if line[name] == 0} for name in exams
    }
    assert passes == {
        "no context": {"correct", "row off by one", "never_reads", "last_two"},
        "one drafted token": {"correct", "one uniform for all"},
        "the prompt is token 0": {"correct", "never_reads", "last_two"},
        "two tokens count": {"correct", "last_two"},
        "all tokens count": {"correct"},
    }


def test_the_exams_have_a_second_round_and_the_solution_passes_them():
    for line in walked.exams_of(own_decoder.speculate):
        assert line["TV"] < 1e-12
        assert line["paths"] > 50
    for e in walked.EXAMS.values():
        assert e.length > e.gamma
        assert any(len(w.rounds) > 1 for _, w in programs.texts(own_decoder.speculate, e))
