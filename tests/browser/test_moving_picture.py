"""The README's moving picture: a round in the small world, a press at a time.

It is left in build/screens/stepper.gif; data/pictures/stepper.gif is a copy.
"""

from io import BytesIO
from itertools import pairwise

import pytest
from PIL import Image, ImageChops

from course_utils.classroom.scene import scene_page
from course_utils.lessons.small_rounds import small_stepper
from tests.browser.conftest import SCREENS
from workshop.browser import visiting

WIDTH = 900  # pixels
BYTES = 1_000_000  # what a README may weigh
COLOURS = 96
HELD, GLIMPSED, ENDED = 1800, 350, 4000  # milliseconds that a frame stands
HALFWAY = {"pass": 230, "test": 420}  # milliseconds after which a move is shot, too
MOVED = 3000  # all moves are over


@pytest.fixture(scope="module")
def round_one(tmp_path_factory):
    """[(picture, milliseconds)] of round 1, and its data; the page's clock is ours."""
    scene = small_stepper()
    page_file = tmp_path_factory.mktemp("moving") / "round.html"
    page_file.write_text(scene_page([scene.stored]), encoding="utf-8")
    with visiting(WIDTH, 800) as visit:
        page = visit.page
        page.clock.install(time=0)
        page.goto(page_file.as_uri())
        page.add_style_tag(content="body { margin: 0 !important }")
        page.clock.pause_at(1000)
        shots = [(shot(page), HELD)]
        for kind in steps_after_the_first(scene.data["rounds"][0]):
            page.evaluate("document.querySelector('.course-scene').steps.next()")
            if kind in HALFWAY:
                page.clock.run_for(HALFWAY[kind])
                shots.append((shot(page), GLIMPSED))
            page.clock.run_for(MOVED)
            shots.append((shot(page), ENDED if kind == "end" else HELD))
        assert [*visit.errors, *visit.outside, *visit.said] == []
        page.evaluate("document.querySelector('.course-scene').steps.next()")
        assert page.locator(".where").inner_text().startswith("Round 2")
    return shots, scene.data["rounds"][0]


def steps_after_the_first(round_data):
    examined = [guess for guess in round_data["guesses"] if guess["fate"] != "lost"]
    return ["draft", "pass", "bars", *["test"] * len(examined), "last", "end"]


def shot(page, settle=400):
    page.wait_for_timeout(settle)  # transitions of colours keep the time of the wall
    png = page.locator(".course-scene").screenshot()
    return Image.open(BytesIO(png)).convert("RGB")


def test_every_press_changes_the_picture(round_one):
    shots, _ = round_one
    for (before, _), (after, _) in pairwise(shots):
        assert before.size != after.size or ImageChops.difference(before, after).getbbox()


def test_the_moving_picture_has_a_frame_a_step_and_is_small(round_one):
    shots, told = round_one
    saved = SCREENS / "stepper.gif"
    save(shots, saved)
    moving = Image.open(saved)
    kinds = steps_after_the_first(told)
    assert moving.n_frames == 1 + len(kinds) + sum(kind in HALFWAY for kind in kinds)
    assert moving.width == WIDTH
    assert WIDTH // 3 < moving.height < WIDTH
    assert saved.stat().st_size <= BYTES


def save(shots, path):
    """One palette for all frames, so that nothing flickers."""
    path.parent.mkdir(parents=True, exist_ok=True)
    height = max(picture.height for picture, _ in shots)
    sheet = Image.new("RGB", (WIDTH, height * len(shots)), "white")
    for place, (picture, _) in enumerate(shots):
        sheet.paste(picture, (0, place * height))
    sheet = sheet.quantize(COLOURS, dither=Image.Dither.NONE)
    boxes = [(0, at * height, WIDTH, (at + 1) * height) for at in range(len(shots))]
    first, *others = [sheet.crop(box) for box in boxes]
    held = [milliseconds for _, milliseconds in shots]
    first.save(path, save_all=True, append_images=others, duration=held, loop=0, optimize=True)
