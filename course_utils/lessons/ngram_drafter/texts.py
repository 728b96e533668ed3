"""The kinds of text that the drafters are compared on."""

from collections.abc import Iterable, Sequence

from course_utils.models.names import held_out_prompts

_FRUITS = ("apple", "cherry", "grape", "lemon", "mango", "peach")
_PATTERNS = (
    '    "{0}": None,\n',
    "        self.{0} = {0}\n",
    'parser.add_argument("--{0}", help="the {0}")\n',
    '    def test_{0}(self):\n        self.check("{0}")\n\n',
)


def kinds_of_text(count: int) -> dict[str, list[str]]:
    """At most `count` beginnings of code and of prose that no model has seen, and of lists whose
    lines all have one pattern."""
    lists = ["".join(map(pattern.format, _FRUITS)) for pattern in _PATTERNS]
    kinds = {"code": held_out_prompts("code"), "prose": held_out_prompts("prose"), "lists": lists}
    return {kind: texts[:count] for kind, texts in kinds.items()}


def repeated(texts: Iterable[Sequence[int]], length: int = 3) -> float:
    """Which share of all pieces of `length` tokens occurred before in the same text.

    >>> repeated([[7, 8, 9, 7, 8, 9]])
    0.25
    """
    pieces = again = 0
    for text in texts:
        own = [tuple(text[i : i + length]) for i in range(len(text) - length + 1)]
        pieces += len(own)
        again += len(own) - len(set(own))
    return again / pieces if pieces else 0.0
