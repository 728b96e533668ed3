"""One browser a file of tests; screenshots in build/screens."""

import os
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest

from course_utils.classroom.notebooks import NOTEBOOKS
from workshop.browser import Visit, find_chromium, open_page

SCREENS = NOTEBOOKS.parent / "build" / "screens"


def pytest_collection_modifyitems(items):
    """Skip these tests without Chromium, unless BROWSER_REQUIRED is set."""
    if find_chromium() is None and "BROWSER_REQUIRED" not in os.environ:
        reason = "no Chromium here: install chromium or Google Chrome"
        for item in items:
            if "tests/browser" in item.nodeid:
                item.add_marker(pytest.mark.skip(reason=reason))


@pytest.fixture(scope="module")
def visit() -> Iterator[Visit]:
    """A browser with a mouse and a touch screen."""
    with open_page(1280, 720, touch=True) as visit:
        yield visit


@pytest.fixture
def silent(visit):
    """Assert that no script fails, no request leaves this machine, and the console is empty."""
    lists = visit.errors, visit.outside, visit.console
    for lines in lists:
        lines.clear()
    yield
    assert [line for lines in lists for line in lines] == []


@pytest.fixture(scope="session")
def serve() -> Iterator:
    """serve(folder): return its address on a web server."""
    servers = []

    def start(folder: Path) -> str:
        handler = partial(SimpleHTTPRequestHandler, directory=str(folder))
        handler.log_message = lambda *_: None
        servers.append(ThreadingHTTPServer(("127.0.0.1", 0), handler))
        Thread(target=servers[-1].serve_forever, daemon=True).start()
        return f"http://127.0.0.1:{servers[-1].server_port}"

    yield start
    for server in servers:
        server.shutdown()


def keep(locator_or_page, name: str, **options) -> None:
    """Save a screenshot."""
    SCREENS.mkdir(parents=True, exist_ok=True)
    locator_or_page.screenshot(path=SCREENS / f"{name.replace(' ', '-')}.png", **options)
