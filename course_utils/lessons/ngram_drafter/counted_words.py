"""The n-gram explorer of the five sentences, for the lesson and for the presenter's page."""

from course_utils.classroom.scene import Scene
from course_utils.lessons.ngram_drafter.corpora import CORPORA, vocabulary
from course_utils.lessons.ngram_drafter.explorer import explorer

NAMES = {"english": "English", "chinese": "中文"}
# the first of each ends in a context that the corpus does not have
TEXTS = {
    "english": ["I liked eating apples we liked", "all liked", "she liked eating grapes"],
    "chinese": ["我 喜欢 吃 苹果 我们 喜欢", "都 喜欢", "她 喜欢 吃 葡萄"],
}


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
