"""Timing of the passes of a batch."""

import pytest

from course_utils.measuring import batches
from course_utils.models.qwen3.batched import Batched
from course_utils.models.qwen3.readable import Qwen3
from tests.conftest import random_qwen3


def test_passes_of_a_batch_are_timed_behind_the_same_text(monkeypatch):
    model, lengths = Batched(Qwen3.from_transformers(random_qwen3())), []
    start_batch = model.start_batch

    def watched(slots):
        session = start_batch(slots)
        extend = session.extend
        session.extend = lambda tokens: (lengths.append([*session.lengths]), extend(tokens))[1]
        return session

    model.start_batch = watched
    monkeypatch.setattr(batches, "now", iter([0, 1, 0, 5, 0, 4] * 2 + [0]).__next__)
    times = batches.pass_times(model, [1, 2, 3], [(1, 1), (4, 2)], repeats=2)
    assert times == {(1, 1): 4, (4, 2): 4}  # the first pass warms up
    assert lengths == [[3]] * 3 + [[3] * 4] * 3
    with pytest.raises(ValueError, match="do not fit"):
        batches.pass_times(model, [1] * 120, [(1, 10)])
