"""Scenes: data, stored forms, a deck that builds them on request, where the time goes."""

import json
import re
import threading

import pytest
import torch
from nbformat.v4 import new_code_cell, new_output
from transformers import Qwen3Config

from course_utils.classroom.deck import Deck, Line, Slide, deck_data
from course_utils.classroom.memory_scene import where_time_goes
from course_utils.classroom.scene import MIME, Scene, scene_div
from course_utils.models.folder import memory_needed
from course_utils.theory.sizes import QWEN3_06B, QWEN3_4B, parameters
from workshop.notebooks import repairs

DATA = {"text": "1 < 2 </script><!-- \u202e", "choices": []}


def test_a_scene_is_stored_as_data_and_text():
    data, _ = Scene("quiz", DATA, "Is it?")._repr_mimebundle_()
    assert repairs.WIDGET_VIEW in data  # shown where a kernel runs
    (stored,) = repairs.outputs(new_code_cell(outputs=[new_output("display_data", data)]))
    assert set(stored.data) == {MIME, "text/plain"}
    assert stored.data["text/plain"] == "[scene] Is it?"
    assert stored.data[MIME]["scene"] == "quiz"


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


BUILT = []  # the keys of the scenes, in order


def scene(pair=None):
    BUILT.append(pair)
    return Scene("quiz", {"text": f"with {pair}", "choices": []}, "")


def broken():
    raise ValueError("no bench was recorded")


SLIDES = (
    Slide("a", "Words", 1, lines=(Line("x"), Line("y", at=1))),
    Slide("b", "A scene", 2, ask="Why?", make=scene),
    Slide("c", "A scene of a pair", make=scene, loads="a pair"),
    Slide("d", "In reserve", make=broken),
)


def request(deck, keys):
    """Request scenes as the browser does, and wait until they are built."""
    before = set(threading.enumerate())
    deck.wanted = keys
    for thread in set(threading.enumerate()) - before:
        thread.join(10)


def test_a_scene_is_built_when_first_requested_and_only_once():
    BUILT.clear()
    deck = Deck("A talk", SLIDES, lambda: "its pair")
    assert BUILT == []
    request(deck, ["b"])
    request(deck, ["b", "a", "nonsense", "c"])
    deck.build(["b"])  # as after reloading the page
    assert BUILT == [None, "its pair"]
    assert deck.built["b"].data["text"] == "with None"
    kinds = [slide["kind"] for slide in deck_data("A talk", SLIDES)["slides"]]
    assert kinds == ["words", "scene", "scene", "scene"]


def test_a_failure_is_reported_and_the_other_scenes_are_built():
    deck = Deck("A talk", SLIDES, lambda: None)
    request(deck, ["d"])
    request(deck, ["d", "b"])
    assert deck.failed == {"d": "ValueError: no bench was recorded"}
    assert list(deck.built) == ["b"]


@pytest.mark.parametrize("shape", [QWEN3_4B, QWEN3_06B])
def test_the_published_shapes_have_exactly_the_weights_of_the_model(shape):
    config = Qwen3Config(**vars(shape))
    assert 2 * parameters(shape) == memory_needed(config, torch.bfloat16, 1).weights


def test_the_real_pair_in_numbers_and_the_dots_relative_to_a_pass_over_one_token():
    """8.04 GB and 1.19 GB, read at 4.8 TB/s (REFERENCES.md: nvidia-h200)."""
    data = where_time_goes({5: 0.012, 1: 0.010}, "here").data
    assert (data["measured"], data["where"]) == ([[1, 1.0], [5, 1.2]], "here")
    target, draft = data["example"]["target"], data["example"]["draft"]
    assert (target["size"], draft["size"]) == (8_044_936_192, 1_192_099_840)
    assert target["layers"] * target["layer"] + target["rest"] == target["size"]
    assert draft["seconds"] == pytest.approx(draft["size"] / 4.8e12, rel=1e-15)
