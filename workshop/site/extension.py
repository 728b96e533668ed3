"""The site's Sphinx extension: anchors of links, and formulas.

Lessons link as GitHub and JupyterLab do, `REFERENCES.md#chen2023`,
`03_acceptance_rule.ipynb#Why-the-output-distribution-is-p`.  MyST only knows the slugs of
headings; the other anchors are added here after a page is read.  Formulas stay TeX, which the
site's own KaTeX renders in the browser; only pages with a formula load it.
"""

import re
from collections.abc import Iterator

from docutils import nodes
from sphinx.application import Sphinx

from workshop.notebooks.links import slug

KATEX = {"katex/katex.min.js": 400, "site-formulas.js": 500}  # in this order
_ID = re.compile(r'<\w+[^>]*\sid="([^"]+)"')


def setup(app: Sphinx) -> dict[str, bool]:
    """Register with Sphinx."""
    app.connect("doctree-read", _add_anchors)
    app.add_html_math_renderer("katex", (_inline, None), (_block, None))
    app.connect("html-page-context", _load_katex)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def anchors(page: nodes.document) -> Iterator[tuple[str, str]]:
    """Yield (anchor in a link, id in the page) for headings and raw HTML."""
    for section in page.findall(nodes.section):
        title = section.next_node(nodes.title).astext()
        for anchor in (title.replace(" ", "-"), slug(title)):
            yield anchor, section["ids"][0]
    for raw in page.findall(nodes.raw):
        for name in _ID.findall(raw.astext()):
            yield name, name


def _add_anchors(app: Sphinx, page: nodes.document) -> None:
    known = app.env.metadata[app.env.docname].setdefault("myst_slugs", {})
    for anchor, target in anchors(page):
        known.setdefault(anchor, (0, target, ""))


def _inline(writer, node: nodes.math) -> None:
    writer.body.append(f'<span class="tex">{writer.encode(node.astext())}</span>')
    raise nodes.SkipNode


def _block(writer, node: nodes.math_block) -> None:
    writer.body.append(f'<div class="tex">{writer.encode(node.astext())}</div>')
    raise nodes.SkipNode


def _load_katex(app: Sphinx, page: str, template: str, context: dict, tree) -> None:
    formulas = (nodes.math, nodes.math_block)
    if tree is not None and any(True for kind in formulas for _ in tree.findall(kind)):
        app.add_css_file("katex/katex.min.css")
        for name, priority in KATEX.items():
            app.add_js_file(name, priority=priority, loading_method="defer")
