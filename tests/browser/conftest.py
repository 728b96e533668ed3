"""Servers and browsers, one of each a file of tests; screenshots in build/screens."""

import os
from dataclasses import dataclass

import pytest

from course_utils.classroom.lessons import NOTEBOOKS
from course_utils.measuring.browser import Visit, find_chromium

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
    """The page of all widgets, open in a browser."""

    visit: Visit
    place: str  # names the screenshots

    def card(self, name: str, names: list[str]):
        """The card of that name, on the screen."""
        card = self.visit.page.locator(".course-card").nth(names.index(name))
        card.scroll_into_view_if_needed()
        return card

    def keep(self, locator, name: str) -> None:
        """Save a screenshot."""
        SCREENS.mkdir(parents=True, exist_ok=True)
        locator.screenshot(path=SCREENS / f"{self.place}-{name.replace(' ', '-')}.png")
