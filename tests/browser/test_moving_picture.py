"""The README's moving picture: the recorded race at real speed, then its result.

The test writes build/screens/race.gif; data/pictures/race.gif is a copy, dark like a terminal.
"""

from io import BytesIO
from itertools import pairwise

import pytest
from PIL import Image, ImageChops

from course_utils.classroom.scene import scene_page
from course_utils.lessons.start_here.race import recorded_race
from tests.browser.conftest import SCREENS

WIDTH = 880  # pixels
BYTES = 1_000_000  # at most, for a README
COLOURS = 96
FRAME, LAST = 80, 5000  # milliseconds of a frame, and of the last one
NEXT = "document.querySelector('.course-scene').steps.next()"
# No controls, and only the last line appears, so that all frames have the same height.
STYLE = """body { margin: 0 !important }
.race :is(.steps, .bets, .clock) { display: none !important }
.race .wager { display: block !important; order: 1; height: 2.4em }
.race .punch { font-size: 1.4em !important } .race :is(.legend, .quiet) { order: 2 }
.race .writing { display: flex !important; height: 6.6em !important }"""


@pytest.mark.usefixtures("silent")
def test_the_race_moves_ends_in_one_line_and_is_small(visit, tmp_path):
    scene, page = recorded_race(), visit.page
    (tmp_path / "race.html").write_text(scene_page([scene.stored], "dark"), encoding="utf-8")
    page.set_viewport_size({"width": WIDTH, "height": 800})
    page.clock.install(time=0)
    page.goto((tmp_path / "race.html").as_uri())
    page.add_style_tag(content=STYLE)
    page.clock.pause_at(1000)
    page.evaluate(NEXT)
    shots = []
    while page.locator(".counts b", has_text="✓").count() < 2:
        page.clock.run_for(FRAME)
        shots.append((shot(page), FRAME))
    page.evaluate(f"{NEXT}; {NEXT}")
    page.clock.run_for(1000)
    assert page.locator(".punch").inner_text() == scene.data["punch"]
    shots.append((shot(page), LAST))
    pairs = pairwise(picture for picture, _ in shots)
    assert all(ImageChops.difference(before, after).getbbox() for before, after in pairs)
    saved = SCREENS / "race.gif"
    save(shots, saved)
    assert saved.stat().st_size <= BYTES


def shot(page):
    return Image.open(BytesIO(page.locator(".course-scene").screenshot())).convert("RGB")


def save(shots, path):
    """Save with one palette for all frames, to avoid flicker."""
    path.parent.mkdir(parents=True, exist_ok=True)
    height = shots[0][0].height
    sheet = Image.new("RGB", (WIDTH, height * len(shots)))
    for place, (picture, _) in enumerate(shots):
        sheet.paste(picture, (0, place * height))
    sheet = sheet.quantize(COLOURS, dither=Image.Dither.NONE)
    tops = range(0, height * len(shots), height)
    first, *others = [sheet.crop((0, top, WIDTH, top + height)) for top in tops]
    durations = [milliseconds for _, milliseconds in shots]
    first.save(path, save_all=True, append_images=others, duration=durations, loop=0, optimize=True)
