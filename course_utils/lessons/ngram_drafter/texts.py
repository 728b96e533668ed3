"""The sentences that this lesson counts, and the texts that its drafters are compared on."""

from collections.abc import Iterable, Sequence

from course_utils.models.names import held_out_prompts

# The translation is word for word: counts, probabilities and token ids are the same in both.
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
    """Return the words of a corpus in the order of their ids, and {word: id} for both languages."""
    words = {
        name: list(dict.fromkeys(word for sentence in sentences for word in sentence))
        for name, sentences in CORPORA.items()
    }
    return words[language], {word: i for own in words.values() for i, word in enumerate(own)}


def kinds_of_text(count: int) -> dict[str, list[str]]:
    """Return at most `count` prompts of each kind: held-out code, held-out prose, and lists whose
    lines all follow one pattern."""
    lists = ["".join(map(pattern.format, _FRUITS)) for pattern in _PATTERNS]
    kinds = {"code": held_out_prompts("code"), "prose": held_out_prompts("prose"), "lists": lists}
    return {kind: texts[:count] for kind, texts in kinds.items()}


def repeated(texts: Iterable[Sequence[int]], length: int = 3) -> float:
    """Return the share of pieces of `length` tokens that occurred before in the same text.

    >>> repeated([[7, 8, 9, 7, 8, 9]])
    0.25
    """
    pieces = again = 0
    for text in texts:
        own = [tuple(text[i : i + length]) for i in range(len(text) - length + 1)]
        pieces += len(own)
        again += len(own) - len(set(own))
    return again / pieces if pieces else 0.0
