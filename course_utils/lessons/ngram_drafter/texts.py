"""The kinds of text that the drafters are compared on."""

from course_utils.models.prompts import held_out_prompts

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
