"""A clock that waits for a device: a device's time counts for the work that it does.

The device is made up, and so is the time.  A pass on it returns at once, and is done later.
"""

import pytest
import torch

from course_utils.decoding import clock
from course_utils.decoding.batch import generate_batch
from course_utils.decoding.contracts import Seconds
from course_utils.decoding.loop import generate
from course_utils.drafters.batch_drafters import BatchSampled
from course_utils.drafters.sampled import Sampled
from course_utils.models import device
from course_utils.models.toys.tables import Separately

DRAFT, VERIFY, READ = 1.0, 8.0, 64.0  # seconds of a pass; READ: of the target over a prompt
GAMMA = 3


class Device:
    """A device that works through its queue while the host continues."""

    def __init__(self):
        self.time, self.idle_from = 0.0, 0.0

    def launch(self, seconds):
        self.idle_from = max(self.idle_from, self.time) + seconds

    def wait(self):
        self.time = max(self.idle_from, self.time)


@pytest.fixture
def fake(monkeypatch):
    monkeypatch.setattr(clock, "_WAITS", {})
    fake = Device()
    monkeypatch.setattr(clock, "perf_counter", lambda: fake.time)
    clock.wait_for("fake", fake.wait)
    return fake


class OnDevice:
    """A model whose passes take `seconds` each, and whose prompts take `reading`."""

    def __init__(self, model, fake, seconds, reading):
        self.vocabulary_size, self.context = model.vocabulary_size, model.context
        self._model, self._fake, self._seconds, self._reading = model, fake, seconds, reading

    def start(self, prompt):
        if prompt:
            self._fake.launch(self._reading)
        return self._launching(self._model.start(prompt))

    def start_batch(self, slots):
        return self._launching(Separately(self._model).start_batch(slots))

    def _launching(self, session):
        extend = session.extend
        session.extend = lambda tokens: self._fake.launch(self._seconds) or extend(tokens)
        return session


@pytest.fixture
def models(fake, tables):
    """Return a target and a draft; the draft reads a prompt in no time."""
    target, draft = tables
    return OnDevice(target, fake, VERIFY, READ), OnDevice(draft, fake, DRAFT, 0.0)


def test_the_loop_waits_for_every_part(models):
    target, draft = models
    rounds = list(generate(target, [1, 2], Sampled(draft), gamma=GAMMA, max_new_tokens=20))
    for r in rounds:  # no part contains the target's reading of the prompt
        assert len(r.drafted) * DRAFT <= r.seconds.draft <= (len(r.drafted) + 1) * DRAFT
        assert (r.seconds.verify, r.seconds.host) == (VERIFY, 0)
    plain = list(generate(target, [1, 2], max_new_tokens=5))
    assert [r.seconds for r in plain] == [Seconds(0.0, VERIFY, 0.0)] * 5


def test_the_batch_waits_for_every_part_and_gives_each_row_its_share(models):
    target, draft = models
    run = generate_batch(target, [[1, 2], [3]], BatchSampled(draft), gamma=GAMMA, max_new_tokens=9)
    seconds = [r.seconds for _, r in run]
    assert seconds[:2] == [Seconds(GAMMA * DRAFT / 2, VERIFY / 2, 0.0)] * 2
    assert {s.verify for s in seconds} <= {VERIFY, VERIFY / 2}
    assert {s.host for s in seconds} == {0.0}


def test_a_device_is_waited_for_once_a_model_is_there(monkeypatch):
    monkeypatch.setattr(clock, "_WAITS", {})
    waited = []
    monkeypatch.setattr(torch.accelerator, "synchronize", waited.append)
    device.timed_on(torch.device("cpu"), torch.device("meta"))
    assert not clock._WAITS
    first, second = torch.device("cuda", 0), torch.device("cuda", 1)
    device.timed_on(first, second, first)
    clock.now()
    assert waited == [first, second]
