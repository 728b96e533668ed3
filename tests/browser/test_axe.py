"""axe-core on every scene, light and dark, at its first and at its last step."""

import pytest

from course_utils.commands.gallery import EXHIBITS
from tests.browser.test_static import end, opened
from tests.stage.node import need_modules
from workshop.browser import visiting

NAMES = [exhibit.name for exhibit in EXHIBITS]


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("name", NAMES)
def test_axe_finds_nothing_serious(axe, pages, name, theme):
    visit, script = axe
    with opened(visit, (pages / f"{name}-{theme}.html").as_uri()) as scene:
        visit.page.add_script_tag(content=script)
        for moment in ("first", "last"):
            found = visit.page.evaluate("axe.run('.course-scene', {resultTypes: ['violations']})")
            serious = [
                (moment, one["id"], [node["html"][:120] for node in one["nodes"]])
                for one in found["violations"]
                if one["impact"] in ("serious", "critical")
            ]
            assert serious == []
            end(scene)


@pytest.fixture(scope="module")
def axe():
    script = (need_modules() / "axe-core" / "axe.min.js").read_text(encoding="utf-8")
    with visiting(1280, 720) as visit:
        visit.page.emulate_media(reduced_motion="reduce")
        yield visit, script
