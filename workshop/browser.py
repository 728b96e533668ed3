"""A real browser on a real server: JupyterLab or Voilà, driven through Chromium.

For the browser tests and the screenshots.
Playwright is imported on use; it comes with the test dependencies.
"""

import json
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
# in the place of a folded cell stands an empty prompt
ALL_RAN = """() => [...document.querySelectorAll('.jp-CodeCell .jp-InputPrompt')]
  .filter(prompt => !prompt.matches('.jp-Placeholder-prompt'))
  .every(prompt => /\\[\\d+\\]/.test(prompt.innerText))"""
IDLE = '.jp-Notebook-ExecutionIndicator[data-status="idle"]'


@dataclass
class Visit:
    """An open page, and what went wrong on it."""

    page: "Page"
    errors: list[str] = field(default_factory=list)  # exceptions of the page's scripts
    outside: list[str] = field(default_factory=list)  # requests that left this machine
    said: list[str] = field(default_factory=list)  # warnings and errors on the console


def find_chromium() -> str | None:
    """The path of a Chromium or Chrome, or None."""
    return next(filter(None, map(shutil.which, BROWSERS)), None)


@contextmanager
def lab(notebook: Path, theme: str = "JupyterLab Light") -> Iterator[str]:
    """JupyterLab on a copy of one notebook, with settings of its own; gives its address.

    A copy, because JupyterLab saves what it shows.

    Raises:
        TimeoutError: it did not answer within a minute; with what it had said.
    """
    options = ["--no-browser", "--LabApp.expose_app_in_browser=True", "--allow-root"]
    quiet = [f"--IdentityProvider.token={TOKEN}", "--LabApp.news_url=None"]
    with TemporaryDirectory() as home:
        settings = Path(home) / "settings" / "@jupyterlab"
        # all cells of a notebook stand in the page, also those that are not on the screen
        _write(settings / "notebook-extension" / "tracker", {"windowingMode": "none"})
        _write(settings / "apputils-extension" / "themes", {"theme": theme})
        (root := Path(home) / "root").mkdir()
        shutil.copy(notebook, root)
        command = ["jupyter", "lab", *options, *quiet, f"--ServerApp.root_dir={root}"]
        with served(command, "--ServerApp.port={}", home) as address:
            yield address


@contextmanager
def presented(theme: str = "light") -> Iterator[str]:
    """The talk, as `make present` serves it; gives its address.

    Raises:
        TimeoutError: it did not answer within a minute; with what it had said.
    """
    command = ["course_utils", "present", "--no-browser", f"--theme={theme}"]
    with TemporaryDirectory() as home, served(command, "--port={}", home) as address:
        yield address


@contextmanager
def visiting(width: int = 1400, height: int = 1000, touch: bool = False) -> Iterator[Visit]:
    """A fresh browser with one empty page; `touch`: it has a touch screen.

    Raises:
        FileNotFoundError: no Chromium on this machine.
    """
    from playwright.sync_api import sync_playwright

    chromium = find_chromium()
    if chromium is None:
        raise FileNotFoundError("no Chromium here: install chromium or Google Chrome")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=QUIET)
        page = browser.new_page(viewport={"width": width, "height": height}, has_touch=touch)
        visit = Visit(page)
        page.on("console", lambda line: _note_said(visit, line))
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
    page.wait_for_timeout(3000)  # the widget manager arrives after the kernel is idle
    page.evaluate("window.jupyterapp.commands.execute('notebook:run-all-cells')")
    page.wait_for_timeout(500)  # numbers of an earlier run are gone by now
    page.wait_for_function(ALL_RAN, timeout=wait)
    page.wait_for_selector(IDLE, state="attached", timeout=wait)


@contextmanager
def served(command: list[str], port_option: str, home: str) -> Iterator[str]:
    """The server that `python -m command` starts, its settings in `home`; gives its address.

    Raises:
        TimeoutError: it did not answer within a minute; with what it had said.
    """
    port, log = _free_port(), Path(home) / "log"
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


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def _note_said(visit: Visit, line: "ConsoleMessage") -> None:
    if line.type in ("warning", "error"):
        visit.said.append(line.text)


def _note_outside(visit: Visit, url: str) -> None:
    if not url.startswith(LOCAL):
        visit.outside.append(url)


def _write(path: Path, settings: dict[str, object]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.with_name(f"{path.name}.jupyterlab-settings").write_text(json.dumps(settings))


# --- a scene as a picture: what paper, GitHub and other pages without scripts show of it --

WIDTH = 860  # CSS pixels, those of a notebook's page
COLOURS = 128  # of the stored picture: a palette makes it three times smaller


def photographs(scenes: Sequence[dict[str, Any]]) -> list[bytes]:
    """A PNG of each `Scene.stored`, as its module draws it for paper, on white.

    Raises:
        FileNotFoundError: no Chromium on this machine.
        RuntimeError: a scene's script failed.
    """
    pictures = []
    with TemporaryDirectory() as folder, visiting(WIDTH, 1000) as visit:
        visit.page.emulate_media(reduced_motion="reduce")
        for number, scene in enumerate(scenes):
            path = Path(folder) / f"{number}.html"
            path.write_text(scene_page([scene], on_paper=True), encoding="utf-8")
            visit.page.goto(path.as_uri())
            section = visit.page.locator(".course-scene")
            section.wait_for()
            visit.page.wait_for_timeout(500)  # fonts, and what a scene draws a frame later
            if visit.errors:
                raise RuntimeError(f"the scene {scene['scene']!r} failed: {visit.errors[0]}")
            pictures.append(_smaller(section.screenshot()))
    return pictures


def with_photographs(notebook: NotebookNode) -> NotebookNode:
    """The notebook, a picture in every output that holds a scene and no other form for paper.

    Raises:
        As `photographs` does; nothing if there is no such output.
    """
    found = list(unprinted(notebook))
    shots = photographs([data[MIME] for data, _ in found]) if found else []
    for (data, metadata), png in zip(found, shots, strict=True):
        data["image/png"] = b64encode(png).decode()
        metadata["image/png"] = {"alt": data[MIME]["alt"]}
    return notebook


def unprinted(notebook: NotebookNode) -> list[tuple[NotebookNode, NotebookNode]]:
    """(data, metadata) of the outputs with a scene that paper cannot show."""
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
