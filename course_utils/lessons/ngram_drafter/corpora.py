"""The sentences that this lesson counts, in English and in Chinese."""

# The languages agree word by word, so a count, a
# probability or a text of token ids of one corpus is that of the other.
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


def vocabulary(language: str) -> tuple[list[str], dict[str, int]]:
    """The words of a corpus in the order of their ids, and {word: id} for both languages.

    Raises:
        ValueError: a language without a corpus.
    """
    if language not in CORPORA:
        raise ValueError(f"the corpus is {language!r}; choose {' or '.join(CORPORA)}")
    words = {
        spoken: list(dict.fromkeys(word for sentence in sentences for word in sentence))
        for spoken, sentences in CORPORA.items()
    }
    number = {word: i for own in words.values() for i, word in enumerate(own)}
    return words[language], number
