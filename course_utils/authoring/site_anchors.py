"""A part of the site's program (Sphinx): links between lessons lead to where they say.

Lessons link as GitHub and JupyterLab do, `REFERENCES.md#chen2023`,
`03_acceptance_rule.ipynb#Why-the-output-distribution-is-p`.  MyST knows the slugs of headings
only; it is told of the other anchors here, once a page is read.
"""

import re
from collections.abc import Iterator

from docutils import nodes
from sphinx.application import Sphinx

from course_utils.authoring.links import slug

_ID = re.compile(r'<\w+[^>]*\sid="([^"]+)"')


def setup(app: Sphinx) -> dict[str, bool]:
    """What Sphinx calls."""
    app.connect("doctree-read", _learn)
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


def _learn(app: Sphinx, page: nodes.document) -> None:
    known = app.env.metadata[app.env.docname].setdefault("myst_slugs", {})
    for said, found in anchors(page):
        known.setdefault(said, (0, found, ""))
