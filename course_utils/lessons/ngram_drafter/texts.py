"""The sentences that this lesson counts, and the texts on which its drafters are compared."""

from collections.abc import Iterable, Sequence

from course_utils.models.names import held_out_prompts

# The languages agree word by word, so a count, a probability or a text of token ids of one corpus
# is that of the other.
_ENGLISH = (
    "I liked eating apples",
    "I liked eating bananas",
    "he liked eating melons",
    "she liked eating grapes",
    "we all liked fruit",
)
_CHINESE = (
    "我 喜欢 吃 苹果",
    "我 喜欢 吃 香蕉",
    "他 喜欢 吃 西瓜",
    "她 喜欢 吃 葡萄",
    "我们 都 喜欢 水果",
)
# {language: sentences}, each a list of words with its beginning and end marked
CORPORA = {
    language: [["<s>", *line.split(), "</s>"] for line in lines]
    for language, lines in (("english", _ENGLISH), ("chinese", _CHINESE))
}
_FRUITS = ("apple", "cherry", "grape", "lemon", "mango", "peach")
_PATTERNS = (
    '    "{0}": None,\n',
    "        self.{0} = {0}\n",
    'parser.add_argument("--{0}", help="the {0}")\n',
    '    def test_{0}(self):\n        self.check("{0}")\n\n',
)


def vocabulary(language: str) -> tuple[list[str], dict[str, int]]:
    """The words of a corpus in the order of their ids, and {word: id} for both languages."""
    words = {
        spoken: list(dict.fromkeys(word for sentence in sentences for word in sentence))
        for spoken, sentences in CORPORA.items()
    }
    return words[language], {word: i for own in words.values() for i, word in enumerate(own)}


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
