"""A part of the site's program (Sphinx): formulas are left as TeX, for KaTeX to set in the page.

KaTeX stands in the site's own `_static/katex`; only pages with a formula load it.
"""

from docutils import nodes
from sphinx.application import Sphinx

FILES = {"katex/katex.min.js": 400, "site-formulas.js": 500}  # in this order


def setup(app: Sphinx) -> dict[str, bool]:
    """What Sphinx calls."""
    app.add_html_math_renderer("katex", (_inline, None), (_block, None))
    app.connect("html-page-context", _ask_for_katex)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def _inline(writer, node: nodes.math) -> None:
    writer.body.append(f'<span class="tex">{writer.encode(node.astext())}</span>')
    raise nodes.SkipNode


def _block(writer, node: nodes.math_block) -> None:
    writer.body.append(f'<div class="tex">{writer.encode(node.astext())}</div>')
    raise nodes.SkipNode


def _ask_for_katex(app: Sphinx, page: str, template: str, context: dict, tree) -> None:
    if tree is not None and next(tree.findall(_formula), None) is not None:
        app.add_css_file("katex/katex.min.css")
        for name, priority in FILES.items():
            app.add_js_file(name, priority=priority, loading_method="defer")


def _formula(node: nodes.Node) -> bool:
    return isinstance(node, nodes.math | nodes.math_block)
