"""Whether a pair has learnt a prompt's language is read off its tokenizer."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from course_utils.classroom.learnt import hardly_learnt, letters_per_token
from course_utils.classroom.live import PROMPTS
from course_utils.models.pairs import load_pair

KNOWN = [
    *PROMPTS.values(),
    "The cat sat by the window and watched the rain fall on the quiet street.",
    "import numpy as np\n\nx = np.zeros((3, 4), dtype=float)\nprint(x.shape)\n",
    "def f(a, b, c, d, e):\n    return a + b * c - d / e\n",
    "print('café')",
    "",
]
FOREIGN = [
    ("人工智能正在改变世界。", "single bytes"),
    ("Le chat est assis près de la fenêtre et regarde la pluie.", "pieces of 1."),
    ("Le chat est assis devant la porte et regarde la pluie tomber.", "pieces of 1."),
    ("Die Katze sitzt am Fenster und schaut dem Regen zu.", "pieces of 1."),
    ("Кошка сидит у окна и смотрит на дождь.", "single bytes"),
]


@pytest.fixture(scope="module")
def encode():
    return load_pair("tiny").encode


@pytest.mark.parametrize("prompt", KNOWN)
def test_python_and_english_need_no_warning(encode, prompt):
    assert hardly_learnt(prompt, encode) == ""


@pytest.mark.parametrize(("prompt", "pieces"), FOREIGN)
def test_other_languages_get_a_sentence(encode, prompt, pieces):
    told = hardly_learnt(prompt, encode)
    assert told.startswith("This pair has hardly learnt this: it reads your prompt in " + pieces)
    assert "Python only" in hardly_learnt(prompt, encode, "Python")


@given(st.text(max_size=60))
def test_letters_per_token_by_the_byte_lie_between_a_fourth_and_one(text):
    share = letters_per_token(text, lambda word: word.strip(" ").encode(errors="replace"))
    assert share is None or 0.25 <= share <= 1


def test_too_few_words_say_nothing(encode):
    assert letters_per_token("xqzv(1, 2, 3)", encode) is None
    assert letters_per_token("one two three four five", lambda word: [0]) == 19 / 5
