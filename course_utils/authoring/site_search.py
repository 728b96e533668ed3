"""A part of the site's program (Sphinx): search results that lead to the place, from a disk, too.

Sphinx fetches each page that it found, to show a few words of it; a browser refuses that from
file://.  So the words of all sections are written once, as a script that only the search page
loads; `site-search.js` shows those around what was sought.
"""

import json
import re
from collections.abc import Iterator
from pathlib import Path

from docutils import nodes
from sphinx.application import Sphinx

TEXTS, SHOWS = "site-texts.js", "site-search.js"
_LETTERS = {
    "mathrm": "",
    "text": "",
    "alpha": "α",
    "gamma": "γ",
    "sum": "Σ",
    "chi": "χ",
    "le": "≤",
    "ge": "≥",
    "cdot": "·",
}
_TEX = re.compile(r"\\([a-z]+)")
_ID = re.compile(r'<\w+[^>]*\sid="([^"]+)"')


def setup(app: Sphinx) -> dict[str, bool]:
    """What Sphinx calls."""
    app.connect("html-page-context", _load)
    app.connect("build-finished", _write)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def sections(page: nodes.document) -> Iterator[tuple[str, str, str]]:
    """(anchor, title, text) of each section, and of each entry that has an anchor of its own.

    Code is left out, and what a cell put out.
    """
    anchor, title, words = "", "", []
    for node in page.findall():
        if found := _begins(node):
            yield anchor, title, _plain(words)
            (anchor, title), words = found, []
        elif isinstance(node, nodes.Text) and not _aside(node):
            words.append(node.astext())
        elif isinstance(node, nodes.paragraph | nodes.entry | nodes.list_item):
            words.append(" ")
    yield anchor, title, _plain(words)


def _begins(node: nodes.Node) -> tuple[str, str] | None:
    if isinstance(node, nodes.section):
        return node["ids"][0], node.next_node(nodes.title).astext()
    if isinstance(node, nodes.raw) and (found := _ID.search(node.astext())):
        beside = [one.astext() for one in node.parent.findall(nodes.Text) if not _aside(one)]
        return found[1], beside[0].rstrip(".") if beside else ""
    return None


def _aside(text: nodes.Text) -> bool:
    """Code, HTML or a title, which stands beside the text already."""
    return isinstance(text.parent, nodes.literal_block | nodes.raw | nodes.title)


def _plain(words: list[str]) -> str:
    """One line; of a formula what can be read: \\alpha is α."""
    text = _TEX.sub(lambda name: _LETTERS.get(name[1], name[1]), "".join(words))
    return " ".join(re.sub(r"[{}]|\\[,;!]", "", text).split())


def _load(app: Sphinx, page: str, template: str, context: dict, tree) -> None:
    if page == "search":
        for name in (TEXTS, SHOWS):
            app.add_js_file(name, loading_method="defer")


def _write(app: Sphinx, error: Exception | None) -> None:
    if error or app.builder.format != "html":
        return
    pages = {
        name: [found for found in sections(app.env.get_doctree(name)) if found[2]]
        for name in sorted(app.env.found_docs)
    }
    text = f"const siteTexts = {json.dumps(pages, ensure_ascii=False, separators=(',', ':'))};\n"
    (Path(app.outdir) / "_static" / TEXTS).write_text(text, encoding="utf-8")
