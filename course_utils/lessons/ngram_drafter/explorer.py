"""Two drafters without a neural network, on a text of the reader's: count, look up.

`explorer` makes a scene (`stage/scenes/n_grams.mjs`) of a corpus.  The browser counts and
looks up itself (`stage/formulas/n_grams.mjs`), so it needs no kernel; `ngram_view` says what
it must find.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from course_utils.classroom.scene import Scene
from course_utils.drafters.lookup import PromptLookup
from course_utils.lessons.ngram_drafter.ngram_view import in_words, ngram_view
from course_utils.models.n_grams import NGram

# {what a slider sets: (lowest, highest)}
SLIDERS = {"n": (1, 4), "discount": (0.0, 0.95), "longest": (1, 5), "gamma": (1, 8)}
Corpora = Mapping[str, Sequence[Sequence[str]]]


def explorer(
    corpora: Corpora,
    texts: Mapping[str, Sequence[str]],
    *,
    n: int = 3,
    discount: float = 0.0,
    longest: int = 3,
    gamma: int = 3,
) -> Scene:
    """The first text of the first language is shown first; the reader may type another one.

    Args:
        corpora: {language: sentences}, each a list of words; the languages agree word by word.
        texts: {language: texts to choose}, words of the corpus with blanks between.
        n, discount: of the counted model. longest, gamma: of the lookup.

    Raises:
        ValueError: no corpus, languages that do not agree, a language without a text, a text
            with an unknown word, or a setting outside its slider.
    """
    settings = {"n": n, "discount": discount, "longest": longest, "gamma": gamma}
    data = explorer_data(corpora, texts, settings)
    words = data["languages"][0]["words"]
    tokens = [words.index(word) for word in data["languages"][0]["texts"][0].split()]
    view = ngram_view(
        NGram(data["texts"], n, len(words), discount),
        lambda tokens, longest: PromptLookup(longest).find(tokens),
        tokens,
        lambda tokens: " ".join(words[token] for token in tokens),
        longest,
        gamma,
    )
    return Scene("n_grams", data, in_words(view))


def explorer_data(
    corpora: Corpora, texts: Mapping[str, Sequence[str]], settings: Mapping[str, float]
) -> dict[str, Any]:
    """What the scene counts and draws: one corpus of ids, and the words of each language.

    Raises:
        ValueError: as `explorer`.
    """
    for name, value in settings.items():
        low, high = SLIDERS[name]
        if not low <= value <= high:
            raise ValueError(f"{name} is {value}; its slider goes from {low} to {high}")
    languages, ids = [], []
    for name, sentences in corpora.items():
        words = list(dict.fromkeys(word for sentence in sentences for word in sentence))
        ids.append([[words.index(word) for word in sentence] for sentence in sentences])
        offered = list(texts.get(name, ()))
        _check(name, offered, words)
        languages.append({"name": name, "words": words, "texts": offered})
    if not ids or not any(ids[0]):
        raise ValueError("no corpus to count: give at least one sentence")
    if any(one != ids[0] for one in ids):
        raise ValueError("the languages of a corpus must agree word by word")
    return {
        "languages": languages,
        "texts": ids[0],
        "settings": dict(settings),
        "most_n": SLIDERS["n"][1],
    }


def _check(name: str, texts: Sequence[str], words: Sequence[str]) -> None:
    if not texts:
        raise ValueError(f"no texts to explore in {name}: give at least one, such as an empty one")
    for text in texts:
        for word in text.split():
            if word not in words:
                raise ValueError(f"{word} is no word of the corpus, so {text!r} cannot be shown")
