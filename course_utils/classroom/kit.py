"""What every lesson imports from the classroom, in one line of its first cell."""

import inspect

from course_utils.classroom.feedback import yours
from course_utils.classroom.live import live
from course_utils.classroom.quiz import ask
from course_utils.classroom.rounds import stepper
from course_utils.classroom.table import table
from course_utils.classroom.tokens import coloured, pieces

__all__ = ["Source", "ask", "coloured", "live", "pieces", "stepper", "table", "yours"]


class Source:
    """The source of functions or classes as one Markdown code block."""

    def __init__(self, *things: object):
        self.code = "\n".join(map(inspect.getsource, things))

    def _repr_mimebundle_(self, include=None, exclude=None):
        return {"text/markdown": f"```python\n{self.code}```", "text/plain": self.code}
