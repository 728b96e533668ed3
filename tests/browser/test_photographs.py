"""A picture of every scene that paper could not show otherwise."""

from base64 import b64decode
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from io import BytesIO
from pathlib import Path

import pytest
from nbformat.v4 import new_code_cell, new_notebook, new_output
from PIL import Image
from playwright.sync_api import Locator, expect

from course_utils.classroom.notebooks import lesson_paths, read_lesson
from course_utils.classroom.scene import MIME, Scene, scene_page
from course_utils.classroom.tokens import Html
from course_utils.decoding.contracts import Seconds
from course_utils.decoding.loop import generate
from course_utils.lessons.small_rounds import small_stepper
from course_utils.lessons.start_here.race import race
from course_utils.models.toys.characters import CharacterModel
from workshop.browser import WIDTH, photographs, visiting, with_photographs
from workshop.site.build import scenes_of

QUESTION = {"text": "Which?", "choices": [{"text": "this", "why": "so", "right": True}]}


def notebook(scene: Scene):
    output = new_output("display_data", scene._repr_mimebundle_()[0])
    return new_notebook(cells=[new_code_cell("scene", outputs=[output])])


def test_the_picture_stands_beside_the_data_with_its_words():
    stored = with_photographs(notebook(Scene("quiz", QUESTION, "Which one?"))).cells[0].outputs[0]
    picture = Image.open(BytesIO(b64decode(stored.data["image/png"])))
    assert WIDTH * 0.9 < picture.width <= WIDTH
    assert len(set(picture.convert("L").tobytes())) > 10  # something is on it
    assert stored.metadata["image/png"] == {"alt": "Which one?"}
    assert MIME in stored.data


def test_what_can_be_printed_is_left_alone():
    given = notebook(Scene("quiz", QUESTION, "Which?", Html("<p>?</p>", "?")))
    assert "image/png" not in with_photographs(given).cells[0].outputs[0].data


@contextmanager
def printed(scene: Scene, folder: Path) -> Iterator[Locator]:
    (folder / "scene.html").write_text(scene_page([scene.stored], on_paper=True), "utf-8")
    with visiting(WIDTH, 1000) as visit:
        visit.page.goto((folder / "scene.html").as_uri())
        yield visit.page.locator(".course-scene")


@pytest.mark.parametrize(
    ("details", "said", "accepted"), [(False, "Which ones?", 0), (True, "added 3 tokens", 2)]
)
def test_a_stored_round_asks_at_a_first_look(tmp_path, details, said, accepted):
    with printed(small_stepper(details=details), tmp_path) as drawn:
        expect(drawn.locator(".said")).to_contain_text(said)
        expect(drawn.locator(".foot .chip.accepted")).to_have_count(accepted)


def test_a_stored_race_asks_and_does_not_answer(tmp_path):
    rounds = list(generate(CharacterModel(), [0], max_new_tokens=4))
    timed = [replace(r, seconds=Seconds(0, 0.01, 0)) for r in rounds]
    scene = race(timed, timed, CharacterModel().alphabet.decode)
    with printed(scene, tmp_path) as drawn:
        expect(drawn).to_contain_text(scene.data["question"])
        expect(drawn.locator(".bet").first).to_be_visible()
        expect(drawn.locator(".bet.right")).to_have_count(0)
        expect(drawn.locator(".counts b:first-child")).to_have_text(["0 tokens", "0 tokens"])
        expect(drawn.locator(".steps button").first).to_be_hidden()


@pytest.mark.parametrize("name", ["calculator", "race", "verdicts"])
def test_the_picture_of_a_scene_that_its_lesson_asks_about_is_the_question(tmp_path, name):
    stored = [scene for path in lesson_paths() for scene in scenes_of(read_lesson(path))]
    asked = [scene for scene in stored if scene["scene"] == name]
    (tmp_path / "asked.html").write_text(scene_page(asked, on_paper=True), "utf-8")
    with visiting(WIDTH, 1000) as visit:
        visit.page.goto((tmp_path / "asked.html").as_uri())
        for drawn in visit.page.locator(".course-scene").all():
            expect(drawn.locator(".said")).to_contain_text("?")
            assert drawn.evaluate("scene => scene.steps.at") == 0


def test_a_scene_that_fails_is_not_photographed():
    with pytest.raises(RuntimeError, match="the scene 'quiz' failed"):
        photographs([Scene("quiz", {"text": "no choices"}, "").stored])
