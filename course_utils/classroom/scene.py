"""A scene: data computed in Python and drawn in the browser.

The scenes are written in `stage/` and bundled in `bundles/scenes.js`; students do not need node.
The same script draws them in JupyterLab and on the presenter's page (through anywidget), and on
pages without a kernel from the data in the notebook (`scene_page`, `make site`).
"""

import json
from collections.abc import Mapping, Sequence
from functools import cache
from html import escape
from pathlib import Path
from typing import Any

import anywidget
import traitlets

from course_utils.classroom.tokens import Html
from course_utils.classroom.words import printable

BUNDLE = Path(__file__).parent / "bundles" / "scenes.js"  # all scenes, a classic script
MIME = "application/vnd.speculative-decoding.scene+json"  # a scene stored in a notebook
Json = Mapping[str, Any]


class Scene(anywidget.AnyWidget):
    """A widget that draws `data` with the scene `name` of `stage/scenes`.

    If the scene has steps, `step` is the current one, from 0: clicks change it, and setting it
    moves the scene.  `last_step` is 0 until the scene is drawn; larger steps are clipped to it.

    Args:
        name: of a file in `stage/scenes`.
        data: JSON values: numbers, strings, lists, dicts with string keys.
        alt: one sentence that describes it; it replaces the scene in plain text.
        paper: the output where no script runs; default: a picture of the scene, taken when the
            notebook is stored (`make notebooks`).

    Raises:
        ValueError: the data are not JSON (NaN and infinities are not allowed).
    """

    _esm = traitlets.Unicode().tag(sync=True)
    scene = traitlets.Unicode().tag(sync=True)
    data = traitlets.Dict().tag(sync=True)
    alt = traitlets.Unicode().tag(sync=True)
    step = traitlets.Int(0, min=0).tag(sync=True)
    last_step = traitlets.Int(0).tag(sync=True)

    def __init__(self, name: str, data: Json, alt: str, paper: Html | None = None):
        self.paper = paper
        module = f"{bundle()}\nexport default courseStage.widget;"
        super().__init__(_esm=module, scene=name, data=as_json(data), alt=printable(alt))

    @property
    def stored(self) -> dict[str, Any]:
        """The data for a page without a kernel."""
        return {"scene": self.scene, "data": self.data, "alt": self.alt}

    def _repr_mimebundle_(self, **kwargs: object):
        # a front end with a kernel chooses the live form
        live, metadata = super()._repr_mimebundle_(**kwargs)
        words = {"text/plain": f"[scene] {self.alt}"}
        paper = self.paper._repr_mimebundle_() if self.paper else {}
        return {**live, **words, **paper, MIME: self.stored}, metadata


@cache
def bundle() -> str:
    """Return the script with all scenes."""
    return BUNDLE.read_text(encoding="utf-8")


def as_json(data: Json) -> dict[str, Any]:
    """Return a JSON copy in which every string can be drawn.

    Raises:
        ValueError: a number that is not JSON; TypeError: another value that is not.
    """
    return _drawable(json.loads(json.dumps(data, allow_nan=False)))


def scene_div(stored: Json, on_paper: bool = False) -> str:
    """Return the HTML of a scene, for a page that includes `bundle()`.

    Args:
        stored: `Scene.stored`.
        on_paper: draw it for its stored picture: no controls, and no answer to its question.
    """
    state = {"data": stored["data"], "alt": stored["alt"], "on_paper": on_paper}
    state = json.dumps(state, ensure_ascii=False)
    state = state.replace("<", "\\u003c")  # no </script> inside the JSON
    return (
        f'<div data-course-scene="{escape(stored["scene"])}">'
        f'<script type="application/json">{state}</script>'
        f"<noscript>{escape(stored['alt'])}</noscript></div>"
    )


def scene_page(scenes: Sequence[Json], theme: str = "light", on_paper: bool = False) -> str:
    """Return a self-contained page: it opens from file:// and makes no request.

    Args:
        scenes: `Scene.stored` of each.
        theme: "light" or "dark".
        on_paper: draw them for their stored pictures.
    """
    ink, ground = ("#fff", "#111") if theme == "dark" else ("#202124", "#fff")
    places = "\n".join(scene_div(stored, on_paper) for stored in scenes)
    script = bundle().replace("</", "<\\/")
    return (
        '<!doctype html><html lang="en"><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        '<link rel="icon" href="data:,">'  # or the browser requests one
        "<title>Speculative decoding</title><style>"
        f":root{{--color-foreground-primary:{ink};--color-background-primary:{ground}}}"
        f"body{{background:{ground};color:{ink};margin:.5em}}</style>"
        f"<main>{places}</main><script>{script}</script></html>"
    )


def _drawable(value: Any) -> Any:
    if isinstance(value, str):
        return printable(value)
    if isinstance(value, list):
        return [_drawable(one) for one in value]
    if isinstance(value, dict):
        return {printable(key): _drawable(one) for key, one in value.items()}
    return value
