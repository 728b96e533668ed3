"""The shared code itself, shown where it is the lesson."""

import inspect


class Source:
    """The source of functions or classes, one below the other, as a Markdown code block."""

    def __init__(self, *things: object):
        self.code = "\n".join(map(inspect.getsource, things))

    def _repr_mimebundle_(self, include=None, exclude=None):
        return {"text/markdown": f"```python\n{self.code}```", "text/plain": self.code}
