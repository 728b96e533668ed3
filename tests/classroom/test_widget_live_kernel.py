"""The live decoder in a real kernel: other cells answer, Stop stops, updates arrive.

Here a click is what a browser makes of it, a comm message.  JupyterLab sends such
messages to a subshell of the kernel, Voilà and older front ends to its main shell.

No test looks at a clock: what has to happen during the decoding is what lets it go on.
"""

import pytest

from tests.kernel import SECONDS, Kernel, ends

CELL = '''
import time
from threading import Event
import numpy as np
from course_utils.classroom.live import live
from course_utils.models.toys.tables import SequenceSession

prompt_may_end, text_may_end = Event(), Event()

def compute(enough):
    """Python code: holds the interpreter's lock, as no matrix product does."""
    while not enough.is_set():
        sum(range(1000))

class Heavy:
    vocabulary_size, context = 10, 1000
    def start(self, prompt):
        compute(prompt_may_end)
        return SequenceSession(self.distribution, prompt)
    def distribution(self, tokens):
        if len(tokens) == 20:
            compute(text_may_end)
        time.sleep(.01)
        return np.eye(10)[len(tokens) % 10]

card = live(Heavy(), {"none": lambda: None}, lambda text: [int(c) for c in text],
            lambda tokens: "".join(map(str, tokens)), prompt="0", max_new_tokens=500)
print(card.model_id)
'''


class Live(Kernel):
    """A kernel in which the decoder waits to be started."""

    def __init__(self):
        super().__init__(CELL)
        text = "".join(m["content"]["text"] for m in self.messages if m["msg_type"] == "stream")
        self.card, self.clicks = text.strip(), 0
        self.subshell = None

    def click(self, do, limit=500):
        self.clicks += 1
        asked = {"prompt": "0", "drafters": ["none", None], "gamma": 4, "temperature": 0}
        asked |= {"max_new_tokens": limit, "seed": 0, "do": do, "at": self.clicks}
        data = {"method": "update", "state": {"command": asked}, "buffer_paths": []}
        message = self.client.session.msg("comm_msg", {"comm_id": self.card, "data": data})
        if self.subshell:
            message["header"]["subshell_id"] = self.subshell
        self.client.shell_channel.send(message)

    def open_subshell(self):
        request = self.client.session.msg("create_subshell_request", {})
        self.client.control_channel.send(request)
        reply = self.client.get_control_msg(timeout=SECONDS)
        self.subshell = reply["content"]["subshell_id"]

    def shows(self, words):
        """Is a message an update of the state that has these words?"""
        return lambda m: words in self.update(m).get("status", "")

    def update(self, message):
        content = message["content"]
        if message["msg_type"] != "comm_msg" or content["comm_id"] != self.card:
            return {}
        return content["data"].get("state", {}).get("run_state", {})


@pytest.fixture(scope="module")
def booted():
    kernel = Live()
    yield kernel
    kernel.end()


@pytest.fixture
def kernel(booted):
    booted.messages.clear()
    booted.subshell = None
    booted.run("prompt_may_end.set(); text_may_end.set()")
    yield booted
    booted.click("stop")
    booted.run("prompt_may_end.set(); text_may_end.set()")
    booted.run("while card.run_state['busy']: time.sleep(.01)")


def test_other_cells_answer_while_it_decodes(kernel):
    kernel.run("prompt_may_end.clear(); text_may_end.clear()")
    kernel.click("start")
    kernel.read(kernel.shows("Reading the prompt"))
    kernel.run("prompt_may_end.set()")
    kernel.read(kernel.shows("Decoding"))
    kernel.run("text_may_end.set()")


def test_stop_is_a_message_and_the_updates_come_as_messages(kernel):
    kernel.click("start")
    kernel.read(kernel.shows("Decoding"))
    kernel.click("stop")
    kernel.read(kernel.shows("Stopping after the round under way"))
    kernel.read(kernel.shows("Stopped before its end"))
    kernel.run("print(card.run_state['busy'])")
    assert kernel.messages[-2]["content"].get("text") == "False\n"


def test_with_a_subshell_it_ends_starts_and_stops_while_a_cell_is_busy(kernel):
    kernel.open_subshell()
    kernel.click("start", limit=20)
    kernel.read(kernel.shows("Decoding"))
    busy = kernel.send(
        "prompt_may_end.clear()\n"
        "while not card.run_state['stopping']: time.sleep(.01)\n"
        "prompt_may_end.set()"
    )
    kernel.read(lambda m: m["msg_type"] == "execute_input")
    kernel.read(kernel.shows("Ended"))  # the update answers the click, not the busy cell
    kernel.click("start")
    kernel.read(kernel.shows("Reading the prompt"))
    kernel.click("stop")
    kernel.read(kernel.shows("Stopping after the round"))
    assert not any(ends(m, busy) for m in kernel.messages)
    kernel.read(lambda m: ends(m, busy))
