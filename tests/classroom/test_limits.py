"""A student's code under limits is stopped, and the state from before is restored."""

import signal
import time

import pytest
from jupyter_client.manager import start_new_kernel

from course_utils.classroom import limits
from course_utils.classroom.exercise import Exercise
from course_utils.classroom.limits import Stopped, within_limits
from tests import hostile

ANYTHING = Exercise("anything", cases=[()], solution=lambda: 1)


@pytest.mark.parametrize("work", hostile.ENDLESS.values(), ids=list(hostile.ENDLESS))
def test_endless_work_is_stopped_and_signals_are_restored(work, short_limits):
    def state():
        return signal.getsignal(signal.SIGALRM), signal.getitimer(signal.ITIMER_REAL)

    before = state()
    with pytest.raises(Stopped):
        within_limits(work)
    assert state() == before


def test_a_shorter_limit_applies_and_only_computing_counts(monkeypatch):
    monkeypatch.setattr(limits, "LOOK", 0.01)
    assert within_limits(lambda: time.sleep(0.3), 0.1) is None
    with pytest.raises(Stopped, match=r"0\.1"):
        within_limits(hostile.loops, 0.1)


def test_endless_growth_is_stopped_early(monkeypatch):
    monkeypatch.setattr(limits, "MEMORY", 10**8)
    monkeypatch.setattr(limits, "LOOK", 0.01)
    assert "0.1 GB" in ANYTHING(hostile.grows).message


@pytest.mark.slow
def test_a_kernel_survives_a_loop_and_an_interrupt():
    manager, client = start_new_kernel()

    def run(code, interrupt=False):
        """Run a cell; return the text of its result, or the name of its error."""
        texts = []

        def hear(message):
            content = message["content"]
            texts.append(content.get("ename", content.get("data", {}).get("text/plain", "")))
            if interrupt and message["msg_type"] == "stream":  # it has begun
                manager.interrupt_kernel()

        client.execute_interactive(code, output_hook=hear, timeout=60)
        return "".join(texts)

    try:
        run(
            "from course_utils.classroom import limits\n"
            "from course_utils.classroom.exercise import Exercise\n"
            "from tests import hostile\n"
            "check = Exercise('four', [()], lambda: 4)\n"
            "def endless():\n    print('begun')\n    hostile.loops()\n"
        )
        assert "0.2 seconds" in run("limits.COMPUTING = 0.2\ncheck(hostile.loops)")
        interrupted = run("limits.COMPUTING = 60\ncheck(endless)", interrupt=True)
        assert interrupted == "KeyboardInterrupt"
        assert run("1 + 1") == "2"
    finally:
        client.stop_channels()
        manager.shutdown_kernel(now=True)
