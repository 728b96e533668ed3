"""A pair of models that writes: text in, text out."""

from functools import wraps
from inspect import signature
from typing import Any

from course_utils.models.load import Models, load_models
from course_utils.writing.request import Request
from course_utils.writing.writing import Writing


class Pair(Models):
    """A target, perhaps a draft, and their tokenizer; `load_pair` loads one."""

    def write(self, text: Any, **options: Any) -> Writing:
        """Continue `text`, or answer it, speculatively; iterate over the pieces of text.

        >>> writing = pair.write("Why is the sky blue?", chat=True, temperature=0.7)
        >>> for piece in writing: print(piece, end="")
        >>> writing.metrics.tokens_per_round

        `help(course_utils.writing.request.Request)` explains the options, which are its fields.

        Raises:
            ValueError, OSError: an argument cannot be used; the message says what to do.
        """
        return Writing(self, Request(text, **options))


_request = signature(Request).parameters.values()
Pair.write.__signature__ = signature(Pair.write).replace(  # type: ignore[attr-defined]
    parameters=[next(iter(signature(Pair.write).parameters.values())), *_request]
)


@wraps(load_models, assigned=("__doc__",))  # its arguments, too
def load_pair(*names: Any, **options: Any) -> Pair:
    return Pair(**vars(load_models(*names, **options)))
