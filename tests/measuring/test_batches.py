"""What a measured batch counts; its times are only added up."""

import pytest

from course_utils.drafters.batch_drafters import BatchSampled
from course_utils.measuring.batches import pass_times, run_full
from course_utils.models.batched import Batched
from course_utils.models.qwen3 import Qwen3
from course_utils.models.separately import Separately
from tests.conftest import random_qwen3


def test_a_run_counts_tokens_and_guesses(tables):
    target, draft = map(Separately, tables)
    run = run_full(target, [[1], [2]], BatchSampled(draft), slots=2, gamma=3, max_new_tokens=10)
    assert (run.slots, run.gamma) == (2, 3)
    assert 10 <= run.tokens <= 20  # the first text to its end
    assert run.tokens == run.accepted + run.rounds  # each round adds a token of the target
    assert run.tokens_per_round == run.tokens / run.rounds
    assert run.draft + run.verify + run.host <= run.whole
    plain = run_full(target, [[1], [2]], slots=2, max_new_tokens=4)
    assert (plain.gamma, plain.rounds, plain.drafted) == (0, 8, 0)


def test_passes_are_timed_behind_the_same_text():
    model, lengths = Batched(Qwen3.from_transformers(random_qwen3())), []
    start_batch = model.start_batch

    def watched(slots):
        session = start_batch(slots)
        extend = session.extend
        session.extend = lambda tokens: (lengths.append([*session.lengths]), extend(tokens))[1]
        return session

    model.start_batch = watched
    times = pass_times(model, [1, 2, 3], [(1, 1), (4, 2)], repeats=2)
    assert set(times) == {(1, 1), (4, 2)}
    assert min(times.values()) > 0
    assert lengths == [[3]] * 3 + [[3] * 4] * 3
    with pytest.raises(ValueError, match="do not fit"):
        pass_times(model, [1] * 120, [(1, 10)])
