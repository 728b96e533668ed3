"""The shared code itself, shown where it is the lesson."""

import inspect


class Source:
    """The source of a function or class, as a Markdown code block."""

    def __init__(self, thing: object):
        self.code = inspect.getsource(thing)

    def _repr_mimebundle_(self, include=None, exclude=None):
        return {"text/markdown": f"```python\n{self.code}```", "text/plain": self.code}
