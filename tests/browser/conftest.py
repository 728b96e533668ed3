"""Servers and browsers, one of each a file of tests; screenshots in build/screens."""

import os
from dataclasses import dataclass
from pathlib import Path

import pytest

from course_utils.classroom.notebooks import NOTEBOOKS
from course_utils.classroom.scene import scene_page
from course_utils.commands.gallery import gallery
from course_utils.pairs import load_pair
from workshop.browser import Visit, find_chromium

SCREENS = NOTEBOOKS.parent / "build" / "screens"


def pytest_collection_modifyitems(items):
    """Without a Chromium these tests are skipped, except where they must not be."""
    if find_chromium() is None and "BROWSER_REQUIRED" not in os.environ:
        reason = "no Chromium here: install chromium or Google Chrome"
        for item in items:
            if "tests/browser" in item.nodeid:
                item.add_marker(pytest.mark.skip(reason=reason))


@dataclass
class Shown:
    """A page with widgets, open in a browser."""

    visit: Visit
    place: str  # names the screenshots

    def card(self, name: str, names: list[str]):
        """The scene of that name, on the screen."""
        card = self.visit.page.locator(".course-scene").nth(names.index(name))
        card.scroll_into_view_if_needed()
        return card

    def keep(self, locator, name: str) -> None:
        """Save a screenshot."""
        SCREENS.mkdir(parents=True, exist_ok=True)
        locator.screenshot(path=SCREENS / f"{self.place}-{name.replace(' ', '-')}.png")

    def problems(self) -> list[str]:
        """Scripts that failed, and requests that left this machine."""
        return [*self.visit.errors, *self.visit.outside]


@pytest.fixture(scope="session")
def pages(tmp_path_factory) -> Path:
    """A folder with NAME-THEME.html for every exhibit."""
    folder = tmp_path_factory.mktemp("pages")
    for name, card in gallery(load_pair("tiny", dtype="float32")).items():
        for theme in ("light", "dark"):
            page = scene_page([card.stored], theme)
            (folder / f"{name}-{theme}.html").write_text(page, encoding="utf-8")
    return folder
