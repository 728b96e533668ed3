"""The site's part of Sphinx: links, docstrings, how formulas are set, what a search finds.

Lessons link as GitHub and JupyterLab do, `REFERENCES.md#chen2023`,
`03_acceptance_rule.ipynb#Why-the-output-distribution-is-p`.  MyST knows the slugs of headings
only; it is told of the other *anchors* here, once a page is read.

*Formulas* are left as TeX, for KaTeX to set in the page.  It stands in the site's own
`_static/katex`; only pages with a formula load it.

*Search* results lead to the place, from a disk, too.  Sphinx fetches each page that it found, to
show a few words of it; a browser refuses that from file://.  So the words of all sections are
written once, as a script that only the search page loads; `site-search.js` shows those around
what was sought.
"""

import json
import re
from collections.abc import Iterator
from html import escape
from pathlib import Path

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.ext.napoleon import Config, GoogleDocstring

from workshop.notebooks.links import slug

KATEX = {"katex/katex.min.js": 400, "site-formulas.js": 500}  # in this order
PREVIEW = "_images/two_ways.png"  # the README's
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
    app.connect("autodoc-process-docstring", _as_fields)
    app.connect("doctree-read", _learn)
    app.add_html_math_renderer("katex", (_inline, None), (_block, None))
    app.connect("html-page-context", _ask_for_katex)
    app.connect("html-page-context", _load)
    app.connect("html-page-context", _tell)
    app.connect("build-finished", _write)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def anchors(page: nodes.document) -> Iterator[tuple[str, str]]:
    """(What a link may say, the id in the page): of headings, of raw HTML, of names in a module."""
    for section in page.findall(nodes.section):
        title = section.next_node(nodes.title).astext()
        for said in (title.replace(" ", "-"), slug(title)):
            yield said, section["ids"][0]
    for raw in page.findall(nodes.raw):
        for found in _ID.findall(raw.astext()):
            yield found, found
    for element in page.findall(nodes.Element):
        for found in element.get("ids", []):
            yield found, found


def _as_fields(app: Sphinx, what: str, name: str, thing, options, lines: list[str]) -> None:
    """Google's sections, by Napoleon; never the first words of an attribute as its type."""
    kind = "method" if what in ("attribute", "data", "property") else what
    config = Config(napoleon_use_ivar=True, napoleon_attr_annotations=False)  # autodoc has them
    lines[:] = GoogleDocstring(lines, config, app, kind, name, thing, options).lines()


def _learn(app: Sphinx, page: nodes.document) -> None:
    known = app.env.metadata[app.env.docname].setdefault("myst_slugs", {})
    for said, found in anchors(page):
        known.setdefault(said, (0, found, ""))


def _inline(writer, node: nodes.math) -> None:
    writer.body.append(f'<span class="tex">{writer.encode(node.astext())}</span>')
    raise nodes.SkipNode


def _block(writer, node: nodes.math_block) -> None:
    writer.body.append(f'<div class="tex">{writer.encode(node.astext())}</div>')
    raise nodes.SkipNode


def _ask_for_katex(app: Sphinx, page: str, template: str, context: dict, tree) -> None:
    if tree is not None and next(tree.findall(_formula), None) is not None:
        app.add_css_file("katex/katex.min.css")
        for name, priority in KATEX.items():
            app.add_js_file(name, priority=priority, loading_method="defer")


def _formula(node: nodes.Node) -> bool:
    return isinstance(node, nodes.math | nodes.math_block)


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


def _tell(app: Sphinx, page: str, template: str, context: dict, tree) -> None:
    if tree is not None:
        title = app.env.titles[page].astext()
        context["metatags"] = shared(page, title, app.config.html_baseurl) + context["metatags"]


def shared(page: str, title: str, address: str) -> str:
    """HTML for the head of a page: what is shown where a link to it is shared.

    The page of what is not found stands in place of any other, so its links begin at the site's
    address; without one at the server's root.

    Args:
        address: of the site, with a slash at its end, or "".

    >>> shared("notebooks/a", "A", "")
    '<meta property="og:title" content="A">'
    >>> shared("404", "No page", "")
    '<base href="/"><meta property="og:title" content="No page">'
    """
    said = {"og:title": title}
    if address:
        said |= {"og:url": f"{address}{page}.html", "og:image": address + PREVIEW}
    base = f'<base href="{escape(address or "/")}">' if page == "404" else ""
    return base + "".join(
        f'<meta property="{name}" content="{escape(text)}">' for name, text in said.items()
    )


def _write(app: Sphinx, error: Exception | None) -> None:
    if error or app.builder.format != "html":
        return
    pages = {
        name: [found for found in sections(app.env.get_doctree(name)) if found[2]]
        for name in sorted(app.env.found_docs)
    }
    text = f"const siteTexts = {json.dumps(pages, ensure_ascii=False, separators=(',', ':'))};\n"
    (Path(app.outdir) / "_static" / TEXTS).write_text(text, encoding="utf-8")
