"""Two drafters without a neural network, on a text of the reader's: count, look up.

`explorer` makes a scene (`stage/scenes/n_grams.mjs`) of a corpus; `counted_words` that of the
five sentences, for the lesson and for the presenter's page.  The browser counts and looks up
itself (`stage/formulas/n_grams.mjs`), so it needs no kernel; `in_words` stands where no
browser is.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from course_utils.classroom.scene import Scene
from course_utils.classroom.tokens import Decode, visible
from course_utils.drafters.lookup import PromptLookup
from course_utils.lessons.ngram_drafter.corpora import CORPORA, vocabulary
from course_utils.models.n_grams import NGram

# {what a slider sets: (lowest, highest)}
SLIDERS = {"n": (1, 4), "discount": (0.0, 0.95), "longest": (1, 5), "gamma": (1, 8)}
NAMES = {"english": "English", "chinese": "中文"}
# the first of each ends in a context that the corpus does not have
TEXTS = {
    "english": ["I liked eating apples we liked", "all liked", "she liked eating grapes"],
    "chinese": ["我 喜欢 吃 苹果 我们 喜欢", "都 喜欢", "她 喜欢 吃 葡萄"],
}
Corpora = Mapping[str, Sequence[Sequence[str]]]


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
    alt = in_words(
        NGram(data["texts"], n, len(words), discount),
        PromptLookup(longest),
        tokens,
        lambda tokens: " ".join(words[token] for token in tokens),
        gamma,
    )
    return Scene("n_grams", data, alt)


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
