"""Sphinx settings for the site; workshop/site/build.py collects its pages (`make site`).

Nothing is executed or fetched: lessons are shown with their stored outputs.
"""

from course_utils.classroom.scene import BUNDLE

project = "Speculative decoding"
author = "The authors of the course"
copyright = "2026, Apache-2.0"
html_title = project
root_doc = "index"
language = "en"
smartquotes = False  # keep the notebooks' text as it is

extensions = [
    "myst_nb",
    "sphinx.ext.mathjax",
    "sphinx_copybutton",
]

# Lessons keep their stored outputs.
nb_execution_mode = "off"
nb_merge_streams = True
nb_render_markdown_format = "myst"
nb_code_prompt_show = nb_code_prompt_hide = "Imports"  # the only folded prompt
myst_enable_extensions = ["dollarmath", "amsmath", "attrs_inline", "attrs_block"]
myst_heading_anchors = 4
DESCRIPTION = "A small model guesses, a large one checks: speculative decoding, built and proved."
myst_html_meta = {
    "description": DESCRIPTION,
    "property=og:description": DESCRIPTION,
    "property=og:type": "website",
}
myst_heading_slug_func = "workshop.notebooks.links.slug"  # as GitHub

copybutton_selector = ".cell_input pre, div.highlight-python pre, div.highlight-default pre"
copybutton_prompt_text = r">>> |\.\.\. "
copybutton_prompt_is_regexp = True

html_theme = "furo"
html_static_path = ["_static", str(BUNDLE)]
html_favicon = "_static/favicon.svg"
html_css_files = ["site.css", "katex/katex.min.css"]
html_js_files = [(name, {"defer": "defer"}) for name in ("scenes.js", "site-formulas.js")]

# Formulas stay TeX, which KaTeX renders in the browser; only pages with a formula load it.
mathjax_path = "katex/katex.min.js"
mathjax_options = {"defer": "defer"}
mathjax_inline = mathjax_display = ("", "")
myst_update_mathjax = False
html_show_sphinx = False
html_copy_source = False
html_show_sourcelink = False
html_show_search_summary = False  # browsers block fetches from file://
html_theme_options = {"top_of_page_buttons": []}
pygments_style = "a11y-high-contrast-light"
pygments_dark_style = "github-dark"
