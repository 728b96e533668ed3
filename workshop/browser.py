"""A real browser with a real server: JupyterLab or Voilà, driven through Chromium.

For the browser tests and the screenshots.
Playwright is imported when needed; it comes with the test dependencies.
"""

import os
import shutil
import signal
import socket
import subprocess
import sys
from base64 import b64encode
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic, sleep
from typing import TYPE_CHECKING, Any

from nbformat import NotebookNode
from PIL import Image

from course_utils.classroom.scene import MIME, scene_page

if TYPE_CHECKING:
    from playwright.sync_api import ConsoleMessage, Page

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "chrome")
QUIET = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
TOKEN = "course"
LOCAL = ("http://127.0.0.1:", "ws://127.0.0.1:", "file:", "data:", "blob:", "about:")
# a folded cell has an empty prompt
ALL_RAN = """() => [...document.querySelectorAll('.jp-CodeCell .jp-InputPrompt')]
  .filter(prompt => !prompt.matches('.jp-Placeholder-prompt'))
  .every(prompt => /\\[\\d+\\]/.test(prompt.innerText))"""
IDLE = '.jp-Notebook-ExecutionIndicator[data-status="idle"]'


@dataclass
class Visit:
    """An open page, and the problems on it."""

    page: "Page"
    errors: list[str] = field(default_factory=list)  # exceptions of the page's scripts
    outside: list[str] = field(default_factory=list)  # requests that left this machine
    console: list[str] = field(default_factory=list)  # warnings and errors on the console


def find_chromium() -> str | None:
    """Return the path of a Chromium or Chrome, or None."""
    return next(filter(None, map(shutil.which, BROWSERS)), None)


@contextmanager
def lab(notebook: Path) -> Iterator[str]:
    """Serve a copy of one notebook in JupyterLab, with separate settings; yield its address.

    It is a copy because JupyterLab saves what it shows.

    Raises:
        TimeoutError: it did not answer within a minute; with its output.
    """
    options = ["--no-browser", "--LabApp.expose_app_in_browser=True", "--allow-root"]
    quiet = [f"--IdentityProvider.token={TOKEN}", "--LabApp.news_url=None"]
    with TemporaryDirectory() as home:
        settings = Path(home) / "settings" / "@jupyterlab" / "notebook-extension"
        settings.mkdir(parents=True)
        # all cells are in the page, also those that are not on the screen
        (settings / "tracker.jupyterlab-settings").write_text('{"windowingMode": "none"}')
        (root := Path(home) / "root").mkdir()
        shutil.copy(notebook, root)
        command = ["jupyter", "lab", *options, *quiet, f"--ServerApp.root_dir={root}"]
        with server_at(command, "--ServerApp.port={}", home) as address:
            yield address


@contextmanager
def talk_server() -> Iterator[str]:
    """Serve the talk as `make present` does; yield its address.

    Raises:
        TimeoutError: it did not answer within a minute; with its output.
    """
    command = ["course_utils", "present", "--no-browser"]
    with TemporaryDirectory() as home, server_at(command, "--port={}", home) as address:
        yield address


@contextmanager
def open_page(width: int = 1400, height: int = 1000, touch: bool = False) -> Iterator[Visit]:
    """Open a new browser with one empty page; `touch` gives it a touch screen.

    Raises:
        FileNotFoundError: there is no Chromium on this machine.
    """
    from playwright.sync_api import sync_playwright

    chromium = find_chromium()
    if chromium is None:
        raise FileNotFoundError("there is no Chromium here: install chromium or Google Chrome")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=QUIET)
        page = browser.new_page(viewport={"width": width, "height": height}, has_touch=touch)
        visit = Visit(page)
        page.on("console", lambda line: _note_console(visit, line))
        page.on("pageerror", lambda error: visit.errors.append(str(error)))
        page.on("request", lambda request: _note_outside(visit, request.url))
        page.on("websocket", lambda socket: _note_outside(visit, socket.url))
        yield visit
        browser.close()


def run_all(visit: Visit, address: str, notebook: Path, seconds: float = 120) -> None:
    """Open the notebook of `lab` and run its cells to the end.

    Raises:
        playwright's TimeoutError: it took longer.
    """
    page, wait = visit.page, seconds * 1000
    page.goto(f"{address}/doc/tree/{notebook.name}?token={TOKEN}&reset", timeout=wait)
    page.wait_for_selector(IDLE, state="attached", timeout=wait)
    page.wait_for_function("window.jupyterapp !== undefined", timeout=wait)
    page.wait_for_timeout(3000)  # the widget manager starts after the kernel is idle
    page.evaluate("window.jupyterapp.commands.execute('notebook:run-all-cells')")
    page.wait_for_timeout(500)  # until the numbers of an earlier run are gone
    page.wait_for_function(ALL_RAN, timeout=wait)
    page.wait_for_selector(IDLE, state="attached", timeout=wait)


@contextmanager
def server_at(command: list[str], port_option: str, home: str) -> Iterator[str]:
    """Start a server by `python -m command`, with its settings in `home`; yield its address.

    Raises:
        TimeoutError: it did not answer within a minute; with its output.
    """
    port, log = free_port(), Path(home) / "log"
    places = ("JUPYTER_CONFIG_DIR", "JUPYTER_RUNTIME_DIR", "JUPYTERLAB_WORKSPACES_DIR")
    environment = os.environ | {name: str(Path(home) / name.lower()) for name in places}
    environment |= {"JUPYTERLAB_SETTINGS_DIR": str(Path(home) / "settings")}
    program = [sys.executable, "-m", *command, port_option.format(port)]
    with log.open("w") as output:
        server = subprocess.Popen(
            program, stdout=output, stderr=output, env=environment, start_new_session=True
        )
    try:
        _wait_for(port, server, log)
        yield f"http://127.0.0.1:{port}"
    finally:
        for sign in (signal.SIGTERM, signal.SIGKILL):
            with suppress(ProcessLookupError, subprocess.TimeoutExpired):
                os.killpg(server.pid, sign)  # asked to end, it ends its kernels
                server.wait(10)


def _wait_for(port: int, server: subprocess.Popen, log: Path, seconds: float = 60) -> None:
    end = monotonic() + seconds
    while monotonic() < end and server.poll() is None:
        try:
            socket.create_connection(("127.0.0.1", port), timeout=5).close()
            return
        except OSError:
            sleep(0.1)
    raise TimeoutError(f"the server did not answer: {log.read_text()[-2000:]}")


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def _note_console(visit: Visit, line: "ConsoleMessage") -> None:
    if line.type in ("warning", "error"):
        visit.console.append(line.text)


def _note_outside(visit: Visit, url: str) -> None:
    if not url.startswith(LOCAL):
        visit.outside.append(url)


# --- pictures of scenes, for paper, GitHub and other pages without scripts -----------------

WIDTH = 860  # CSS pixels, the width of a notebook's page
COLOURS = 128  # in the stored picture: a palette makes it three times smaller


def photographs(scenes: Sequence[dict[str, Any]]) -> list[bytes]:
    """Return a PNG of each `Scene.stored`, as its module draws it for paper, on white.

    Raises:
        FileNotFoundError: no Chromium on this machine.
        RuntimeError: a scene's script failed.
    """
    pictures = []
    with TemporaryDirectory() as folder, open_page(WIDTH, 1000) as visit:
        visit.page.emulate_media(reduced_motion="reduce")
        for number, scene in enumerate(scenes):
            path = Path(folder) / f"{number}.html"
            path.write_text(scene_page([scene], on_paper=True), encoding="utf-8")
            visit.page.goto(path.as_uri())
            section = visit.page.locator(".course-scene")
            section.wait_for()
            visit.page.wait_for_timeout(500)  # for fonts and delayed drawing
            if visit.errors:
                raise RuntimeError(f"the scene {scene['scene']!r} failed: {visit.errors[0]}")
            pictures.append(_smaller(section.screenshot()))
    return pictures


def with_photographs(notebook: NotebookNode) -> NotebookNode:
    """Return the notebook with a picture in every output with a scene and no form for paper.

    Raises:
        As `photographs`, if there is such an output.
    """
    unseen = scenes_without_picture(notebook)
    shots = photographs([data[MIME] for data, _ in unseen]) if unseen else []
    for (data, metadata), png in zip(unseen, shots, strict=True):
        data["image/png"] = b64encode(png).decode()
        metadata["image/png"] = {"alt": data[MIME]["alt"]}
    return notebook


def scenes_without_picture(notebook: NotebookNode) -> list[tuple[NotebookNode, NotebookNode]]:
    """Return (data, metadata) of the outputs with a scene that paper cannot show."""
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", [])]
    return [
        (output.data, output.metadata)
        for output in outputs
        if MIME in output.get("data", {}) and not {"image/png", "text/html"} & set(output.data)
    ]


def _smaller(png: bytes) -> bytes:
    small = BytesIO()
    Image.open(BytesIO(png)).convert("RGB").quantize(COLOURS, dither=0).save(
        small, "PNG", optimize=True
    )
    return small.getvalue()
