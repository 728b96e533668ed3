"""The n-gram explorer of the five sentences, for the lesson and for the presenter's page."""

from collections.abc import Sequence

from course_utils.classroom.card import Card
from course_utils.classroom.tokens import Decode
from course_utils.drafters.lookup import PromptLookup
from course_utils.lessons.ngram_drafter.corpora import CORPORA, vocabulary
from course_utils.lessons.ngram_drafter.explorer import explorer
from course_utils.models.n_grams import NGram

TEXTS = {
    "english": ["I liked eating apples we liked", "all liked", "she liked eating grapes"],
    "chinese": ["我 喜欢 吃 苹果 我们 喜欢", "都 喜欢", "她 喜欢 吃 葡萄"],
}


def counted_words(language: str = "english") -> Card:
    """Texts in both languages, those in `language` first; words are typed with blanks between.

    Raises:
        ValueError: a language without a corpus.
    """
    words, number = vocabulary(language)
    texts = [[number[word] for word in sentence] for sentence in CORPORA[language]]
    languages = [language, *(other for other in CORPORA if other != language)]

    def read(text: str) -> tuple[Sequence[int], Decode]:
        """Its tokens, and how the language of most of its words writes tokens."""
        typed = text.split()
        own = max(
            (vocabulary(name)[0] for name in languages),
            key=lambda words: sum(word in words for word in typed),
        )
        return [number[word] for word in typed], lambda tokens: " ".join(own[i] for i in tokens)

    return explorer(
        lambda n, discount: NGram(texts, n, len(words), discount),
        lambda tokens, longest: PromptLookup(longest).find(tokens),
        read,
        [text for name in languages for text in TEXTS[name]],
    )
