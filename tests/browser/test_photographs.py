"""The stored picture of every scene that has no other form for paper."""

from base64 import b64decode
from concurrent.futures import ThreadPoolExecutor
from io import BytesIO

import pytest
from nbformat.v4 import new_code_cell, new_notebook, new_output
from PIL import Image

from course_utils.classroom.scene import MIME, Scene
from course_utils.classroom.tokens import Html
from workshop.browser import WIDTH, photographs, with_photographs

QUESTION = {"text": "Which?", "choices": [{"text": "this", "why": "so", "right": True}]}


def photographed(*scenes: Scene):
    """The stored outputs of a notebook with these scenes."""
    outputs = [new_output("display_data", scene._repr_mimebundle_()[0]) for scene in scenes]
    notebook = new_notebook(cells=[new_code_cell("scene", outputs=outputs)])
    return elsewhere(with_photographs, notebook).cells[0].outputs


def elsewhere(function, argument):
    """Run in another thread: each thread can have one Playwright, and this one's is open."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(function, argument).result()


def test_a_picture_is_stored_with_the_data_unless_there_is_a_form_for_paper():
    printable = Scene("quiz", QUESTION, "Which?", Html("<p>?</p>", "?"))
    stored, left = photographed(Scene("quiz", QUESTION, "Which one?"), printable)
    picture = Image.open(BytesIO(b64decode(stored.data["image/png"])))
    assert WIDTH * 0.9 < picture.width <= WIDTH
    assert len(set(picture.convert("L").tobytes())) > 10  # it is not blank
    assert stored.metadata["image/png"] == {"alt": "Which one?"}
    assert MIME in stored.data
    assert "image/png" not in left.data


def test_a_scene_that_fails_is_not_photographed():
    with pytest.raises(RuntimeError, match="quiz"):
        elsewhere(photographs, [Scene("quiz", {"text": "no choices"}, "").stored])
