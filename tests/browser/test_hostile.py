"""Text from a model, a student or a corpus is shown as plain text in every scene."""

import numpy as np
import pytest

from course_utils.classroom.quiz import Choice, Question, Quiz
from course_utils.classroom.rounds import stepper
from course_utils.classroom.scene import scene_page
from course_utils.decoding.loop import generate
from course_utils.decoding.sampling import Sampling
from course_utils.drafters.sampled import Sampled
from course_utils.lessons.acceptance_rule.playground import playground
from course_utils.lessons.start_here.race import race
from course_utils.models.toys.characters import CharacterModel

HOSTILE = (
    "<img src=x onerror=window.pwned=1>",
    "</script><script>window.pwned=1</script>",
    "\u202egnp.exe\u202c",
    "a\u200bb\u00adc\ufeff",
    "\x00\x07\x1b[31m",
    "&lt;b&gt;\"'`${1}",
    "\ud800",
)
UNSEEN = "\u202e\u202c\u200b\u00ad\ufeff\x00\x07\x1b"


def hostile(tokens: list[int]) -> str:
    return "".join(HOSTILE[token % len(HOSTILE)] for token in tokens)


def rounds(draft: bool = True, temperature: float = 1.0):
    target, sampling = CharacterModel(), Sampling(temperature)
    drafter = Sampled(CharacterModel(accuracy=0.7)) if draft else None
    return list(
        generate(target, [0], drafter, gamma=3, max_new_tokens=18, sampling=sampling, rows=True)
    )


def question() -> Question:
    choices = [Choice(text, text, right=not i) for i, text in enumerate(HOSTILE[:4])]
    return Question("hostile", HOSTILE[4] + HOSTILE[0], tuple(choices))


SCENES = {
    "round": lambda: stepper(rounds(), hostile),
    "race": lambda: race(rounds(False, 0), rounds(True, 0), hostile),
    "distributions": lambda: playground(HOSTILE[:5], np.full(5, 0.2), np.full(5, 0.2)),
    "quiz": lambda: Quiz(question()),
}


@pytest.mark.usefixtures("silent")
@pytest.mark.parametrize("name", SCENES)
def test_hostile_text_is_neither_executed_nor_hidden(visit, tmp_path, name):
    path = tmp_path / "page.html"
    path.write_text(scene_page([SCENES[name]().stored]), encoding="utf-8")
    visit.page.emulate_media(reduced_motion="reduce")
    visit.page.goto(path.as_uri())
    scene = visit.page.locator(".course-scene")
    scene.wait_for()
    text = scene.inner_text()
    while scene.evaluate("scene => scene.steps?.next() ?? false"):
        text += scene.inner_text()
    for pick in scene.locator(".pick").all():
        pick.click()
    text += scene.inner_text()
    assert visit.page.evaluate("window.pwned") is None
    assert scene.locator("img, script, b b").count() == 0
    assert "<img" in text
    assert not set(UNSEEN) & set(text)
