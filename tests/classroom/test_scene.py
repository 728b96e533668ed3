"""What all scenes share: data, stored forms, a self-contained page."""

import json
import re
from math import inf, nan

import pytest
from nbformat.v4 import new_code_cell, new_output

from course_utils.classroom.scene import MIME, Scene, scene_div
from workshop.notebooks import repairs

DATA = {"text": "1 < 2 </script><!-- \u202e", "choices": []}


def test_a_scene_is_stored_as_data_and_text():
    data, _ = Scene("quiz", DATA, "Is it?")._repr_mimebundle_()
    assert repairs.WIDGET_VIEW in data  # shown where a kernel runs
    (stored,) = repairs.outputs(new_code_cell(outputs=[new_output("display_data", data)]))
    assert set(stored.data) == {MIME, "text/plain"}
    assert stored.data["text/plain"] == "[scene] Is it?"
    assert stored.data[MIME]["scene"] == "quiz"


@pytest.mark.parametrize("value", [nan, inf, {1: {2}}, object()])
def test_data_that_are_not_json_are_refused(value):
    with pytest.raises((ValueError, TypeError)):
        Scene("quiz", {"x": value}, "")


def test_strings_become_drawable_also_as_keys():
    scene = Scene("quiz", {"a\x00": ["\u202eb", {"c": "\ud800"}]}, "\x07")
    assert scene.data == {"a\ufffd": ["\ufffdb", {"c": "\ufffd"}]}
    assert scene.alt == "\ufffd"


def test_data_cannot_end_their_script_element():
    scene = Scene("quiz", DATA, "a <b> c")
    div = scene_div(scene.stored)
    (state,) = re.findall(r'<script type="application/json">(.*?)</script>', div)
    assert json.loads(state) == {"data": scene.data, "alt": "a <b> c", "on_paper": False}
    assert "<b>" not in div
