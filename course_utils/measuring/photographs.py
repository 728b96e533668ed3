"""A scene as a picture: what paper, GitHub and other pages without scripts show of it."""

from base64 import b64encode
from collections.abc import Sequence
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from nbformat import NotebookNode
from PIL import Image

from course_utils.classroom.scene import MIME, scene_page
from course_utils.measuring.browser import visiting

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
