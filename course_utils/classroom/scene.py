"""A scene: data that Python computed, drawn in the browser.

The scenes are written in `stage/` and stand bundled in `bundles/scenes.js`; students need no node.
The same script draws in JupyterLab and on the presenter's page (through anywidget), and on
pages without a kernel, from the data that the notebook stores (`scene_page`, `make site`).
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
MIME = "application/vnd.speculative-decoding.scene+json"  # what a notebook stores of a scene
Json = Mapping[str, Any]


class Scene(anywidget.AnyWidget):
    """`data` for the scene `name` of `stage/scenes`: a widget like those of ipywidgets.

    Of a scene told in steps, `step` is the one that is shown, from 0 on: a reader's clicks change
    it, and to set it moves the scene.  `last_step` is 0 until the scene is drawn; a step beyond
    it becomes it.

    Args:
        name: of a file in `stage/scenes`.
        data: what it draws, for JSON: numbers, strings, lists, dicts with strings as keys.
        alt: one sentence for who cannot see it; it stands in place of the scene in plain text.
        paper: what is printed where no script runs; default: a picture, taken of the scene when
            the notebook is stored (`make notebooks`).

    Raises:
        ValueError: data that are no JSON (NaN and infinities are not).
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
        """What a page without a kernel needs."""
        return {"scene": self.scene, "data": self.data, "alt": self.alt}

    def _repr_mimebundle_(self, **kwargs: object):
        # of all these forms a front end with a kernel shows the live one
        live, metadata = super()._repr_mimebundle_(**kwargs)
        words = {"text/plain": f"[scene] {self.alt}"}
        printed = self.paper._repr_mimebundle_() if self.paper else {}
        return {**live, **words, **printed, MIME: self.stored}, metadata


@cache
def bundle() -> str:
    """The script with all scenes."""
    return BUNDLE.read_text(encoding="utf-8")


def as_json(data: Json) -> dict[str, Any]:
    """A copy that is JSON, whose strings can all be drawn.

    Raises:
        ValueError: a number that JSON does not have; TypeError: a value that it does not have.
    """
    return _drawable(json.loads(json.dumps(data, allow_nan=False)))


def scene_div(stored: Json, on_paper: bool = False) -> str:
    """A place for a scene in a page that has `bundle()`.

    Args:
        stored: `Scene.stored`.
        on_paper: for its stored picture: nothing to press, and no answer beside its question.
    """
    state = {"data": stored["data"], "alt": stored["alt"], "on_paper": on_paper}
    state = json.dumps(state, ensure_ascii=False)
    state = state.replace("<", "\\u003c")  # no </script> inside
    return (
        f'<div data-course-scene="{escape(stored["scene"])}">'
        f'<script type="application/json">{state}</script>'
        f"<noscript>{escape(stored['alt'])}</noscript></div>"
    )


def scene_page(scenes: Sequence[Json], theme: str = "light", on_paper: bool = False) -> str:
    """A page of its own, everything in it: it opens from file:// and asks nobody for anything.

    Args:
        scenes: `Scene.stored` of each.
        theme: "light" or "dark".
        on_paper: for their stored pictures.
    """
    ink, ground = ("#fff", "#111") if theme == "dark" else ("#202124", "#fff")
    places = "\n".join(scene_div(stored, on_paper) for stored in scenes)
    script = bundle().replace("</", "<\\/")
    return (
        '<!doctype html><html lang="en"><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        '<link rel="icon" href="data:,">'  # else a browser asks the server for one
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
