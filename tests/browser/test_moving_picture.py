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

WIDTH = 900  # pixels
BYTES = 1_000_000  # what a README may weigh
COLOURS = 192
HELD, GLIMPSED, ENDED = 1800, 350, 4000  # milliseconds that a frame stands
HALFWAY = {"pass": 230, "test": 420}  # milliseconds after which a move is shot, too
MOVED = 3000  # all moves are over


@pytest.mark.usefixtures("silent")
def test_every_press_changes_the_picture_and_it_is_small(visit, tmp_path):
    scene, page = small_stepper(), visit.page
    (tmp_path / "round.html").write_text(scene_page([scene.stored]), encoding="utf-8")
    page.set_viewport_size({"width": WIDTH, "height": 800})
    page.clock.install(time=0)
    page.goto((tmp_path / "round.html").as_uri())
    page.add_style_tag(content="body { margin: 0 !important } * { transition: none !important }")
    page.clock.pause_at(1000)
    shots = [(shot(page), HELD)]
    examined = [one for one in scene.data["rounds"][0]["guesses"] if one["fate"] != "lost"]
    for kind in ("draft", "pass", "bars", *["test"] * len(examined), "last", "end"):
        page.evaluate("document.querySelector('.course-scene').steps.next()")
        if kind in HALFWAY:
            page.clock.run_for(HALFWAY[kind])
            shots.append((shot(page), GLIMPSED))
        page.clock.run_for(MOVED)
        shots.append((shot(page), ENDED if kind == "end" else HELD))
    page.evaluate("document.querySelector('.course-scene').steps.next()")
    assert page.locator(".where").inner_text().startswith("Round 2")
    for (before, _), (after, _) in pairwise(shots):
        assert before.size != after.size or ImageChops.difference(before, after).getbbox()
    saved = SCREENS / "stepper.gif"
    save(shots, saved)
    moving = Image.open(saved)
    assert (moving.n_frames, moving.width) == (len(shots), WIDTH)
    assert saved.stat().st_size <= BYTES


def shot(page):
    png = page.locator(".course-scene").screenshot()
    return Image.open(BytesIO(png)).convert("RGB")


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
