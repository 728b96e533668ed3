"""What every widget of the course stands in: one frame, one size, one printed form."""

from collections.abc import Sequence

import ipywidgets as widgets

from course_utils.classroom.chart import Still
from course_utils.classroom.style import WIDGET_CSS
from course_utils.classroom.tokens import Html

_LINE = "A widget: run this cell to use it."
NOT_RUN = Html(f"<p><i>{_LINE}</i></p>", _LINE)


class Card(widgets.VBox):
    """Children under one another, in the style of the course.

    Where no kernel runs (GitHub, paper, a notebook just opened) the printed form, `still`,
    is shown in their place: a notebook stores that and no state of the widget.
    """

    def __init__(self, children: Sequence[widgets.Widget], still: Html | Still = NOT_RUN):
        super().__init__([widgets.HTML(f"<style>{WIDGET_CSS}</style>"), *children])
        self.add_class("course-card")
        self.still = still

    def _repr_mimebundle_(self, **kwargs):
        # of all these forms a front end with a kernel shows the live one
        return super()._repr_mimebundle_(**kwargs) | self.still._repr_mimebundle_()
