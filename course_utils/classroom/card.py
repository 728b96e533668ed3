"""What every widget of the course stands in: one frame, one size, one fallback."""

from collections.abc import Sequence

import ipywidgets as widgets

from course_utils.classroom.style import WIDGET_CSS
from course_utils.classroom.tokens import Html

_LINE = "A widget: run this cell to use it. Its form on paper is below."
NOT_RUN = Html(f"<p><i>{_LINE}</i></p>", _LINE)


class Card(widgets.VBox):
    """Children under one another, in the look of the course.

    Where no widget can run (GitHub, paper, a notebook just opened) `still` is
    shown in its place: a line that says so, where the next cell has the static twin.
    """

    def __init__(self, children: Sequence[widgets.Widget], still: Html = NOT_RUN):
        super().__init__([widgets.HTML(f"<style>{WIDGET_CSS}</style>"), *children])
        self.add_class("course-card")
        self._still = still

    def _repr_mimebundle_(self, **kwargs):
        live = super()._repr_mimebundle_(**kwargs)
        return live | self._still._repr_mimebundle_()
