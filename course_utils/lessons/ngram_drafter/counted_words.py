"""Two drafters without a neural network, on a text of the reader's: count, look up.

`explorer` makes a scene (`stage/scenes/n_grams.mjs`) of a corpus; `counted_words` that of the
five sentences, for the lesson and for the presenter's page.  The browser counts and looks up
itself (`stage/formulas/n_grams.mjs`), so it needs no kernel; `in_words` stands where no
browser is.
"""

from collections.abc import Mapping, Sequence

from course_utils.classroom.scene import Scene
from course_utils.classroom.tokens import Decode, visible
from course_utils.drafters.lookup import PromptLookup
from course_utils.models.n_grams import NGram

# The sentences that this lesson counts.  The languages agree word by word, so a count, a
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
SETTINGS = {"n": 3, "discount": 0.0, "longest": 3, "gamma": 3}  # of the sliders at first
MOST_N = 4  # where the slider of n ends
NAMES = {"english": "English", "chinese": "中文"}
# the first of each ends in a context that the corpus does not have
TEXTS = {
    "english": ["I liked eating apples we liked", "all liked", "she liked eating grapes"],
    "chinese": ["我 喜欢 吃 苹果 我们 喜欢", "都 喜欢", "她 喜欢 吃 葡萄"],
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


def counted_words(language: str = "english") -> Scene:
    """Both languages, `language` first; words are typed with blanks between.

    Raises:
        ValueError: a language without a corpus.
    """
    vocabulary(language)
    languages = [language, *(other for other in CORPORA if other != language)]
    return explorer(
        {NAMES[name]: CORPORA[name] for name in languages},
        {NAMES[name]: TEXTS[name] for name in languages},
    )


def explorer(
    corpora: Mapping[str, Sequence[Sequence[str]]], texts: Mapping[str, Sequence[str]]
) -> Scene:
    """One corpus of ids, and the words of each language; the reader may type another text.

    Args:
        corpora: {language: sentences}, each a list of words; the languages agree word by word.
        texts: {language: texts to choose}, words of the corpus with blanks between.  The first
            one of the first language is shown first.

    Raises:
        ValueError: languages that do not agree, or a first text with an unknown word.
    """
    languages, ids = [], []
    for name, sentences in corpora.items():
        words = list(dict.fromkeys(word for sentence in sentences for word in sentence))
        ids.append([[words.index(word) for word in sentence] for sentence in sentences])
        languages.append({"name": name, "words": words, "texts": list(texts[name])})
    if any(one != ids[0] for one in ids):
        raise ValueError("the languages of a corpus must agree word by word")
    words, (first, *_) = languages[0]["words"], languages[0]["texts"]
    alt = in_words(
        NGram(ids[0], SETTINGS["n"], len(words), SETTINGS["discount"]),
        PromptLookup(SETTINGS["longest"]),
        [words.index(word) for word in first.split()],
        lambda tokens: " ".join(words[token] for token in tokens),
        SETTINGS["gamma"],
    )
    data = {"languages": languages, "texts": ids[0], "settings": dict(SETTINGS), "most_n": MOST_N}
    return Scene("n_grams", data, alt)


def in_words(
    model: NGram, lookup: PromptLookup, tokens: Sequence[int], decode: Decode, gamma: int
) -> str:
    """Where the distribution of the next token comes from, and what the lookup drafts."""
    return f"{_backed_off(model, tokens, decode)} {_looked_up(lookup, tokens, decode, gamma)}"


def _backed_off(model: NGram, tokens: Sequence[int], decode: Decode) -> str:
    totals = [sum(followers.values()) for followers in model.matches(tokens)]
    seen = max((length for length, total in enumerate(totals) if total), default=None)
    if seen is None:
        return "Nothing was ever counted: any token is as likely as any other."
    distribution = model.distribution(tokens).tolist()
    best = max(distribution)
    ties = sum(value > best - 1e-9 for value in distribution)
    said = f"{ties} tokens are equally likely, {best:.2f} each"
    if ties == 1:
        said = f"{visible(decode([distribution.index(best)]))} is likeliest, {best:.2f}"
    longest = min(model.n - 1, len(tokens))
    ending = decode(tokens[len(tokens) - seen :]) if seen else ""
    if seen == longest:
        return f"After {ending or 'no context'} (seen {totals[seen]}×) {said}."
    unseen, shorter = decode(tokens[-longest:]), ending or "no context at all"
    return f"{unseen} was never seen: the model backs off to {shorter}; {said}."


def _looked_up(lookup: PromptLookup, tokens: Sequence[int], decode: Decode, gamma: int) -> str:
    match = lookup.find(tokens)
    if match is None:
        return "The lookup drafts nothing: nothing earlier in the text matches its end."
    ending, copied = tokens[-match[1] :], tokens[sum(match) :][:gamma]
    return f"The lookup has seen {decode(ending)} in this text before, and drafts {decode(copied)}."
