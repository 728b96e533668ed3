"""A conversation through a tokenizer's template: turns, thinking, and what is refused."""

from dataclasses import replace

import pytest
from transformers import AutoTokenizer

from course_utils.decoding.sampling import Sampling
from course_utils.models.pairs import load_pair

ASKED = "<|im_start|>user\nWho?<|im_end|>\n"
ANSWER = "<|im_start|>assistant\n"
TURNS = [
    {"role": "user", "content": "Who?"},
    {"role": "assistant", "content": "I."},
    {"role": "user", "content": "Why?"},
]


@pytest.fixture
def talker(pair, chatty):
    return replace(pair, tokenizer=AutoTokenizer.from_pretrained(chatty))


@pytest.mark.parametrize(
    ("messages", "how", "text"),
    [
        ("Who?", {}, ASKED + ANSWER),
        ("Who?", {"thinking": True}, ASKED + ANSWER),
        ("Who?", {"thinking": False}, ASKED + ANSWER + "<think>\n\n</think>\n\n"),
        (
            "Who?",
            {"system": "Be brief."},
            f"<|im_start|>system\nBe brief.<|im_end|>\n{ASKED}{ANSWER}",
        ),
        (
            TURNS,
            {},
            f"{ASKED}{ANSWER}I.<|im_end|>\n<|im_start|>user\nWhy?<|im_end|>\n{ANSWER}",
        ),
    ],
)
def test_a_conversation_ends_where_the_answer_begins(talker, messages, how, text):
    assert talker.decode(talker.encode_chat(messages, **how)) == text


def test_the_advice_for_a_chat_and_what_ends_an_answer_are_the_models(chatty, pair):
    talker = load_pair(chatty, dtype="float32", form="readable")
    assert talker.chat_sampling == Sampling(0.6, top_k=20, top_p=0.95)
    assert [talker.decode([end]) for end in talker.stop_tokens] == ["#", "<|endoftext|>"]
    assert pair.chat_sampling == Sampling()


def test_who_has_not_learnt_to_chat_refuses(pair):
    with pytest.raises(ValueError, match="has no chat template"):
        pair.encode_chat("Who?")


def test_a_template_that_does_not_know_of_thinking_is_not_asked_to(talker):
    talker.tokenizer.chat_template = "{{ messages[0].content }}"
    assert talker.decode(talker.encode_chat("Who?")) == "Who?"
    for thinking in (True, False):
        with pytest.raises(ValueError, match="does not read enable_thinking"):
            talker.encode_chat("Who?", thinking=thinking)


@pytest.mark.parametrize("template", ["{{ raise_exception('one turn') }}", "{% for", "{{ 1 / 0 }}"])
def test_what_a_template_refuses_is_a_sentence(talker, template):
    talker.tokenizer.chat_template = template
    with pytest.raises(ValueError, match="chat template refuses these messages"):
        talker.encode_chat("Who?")


@pytest.mark.parametrize(
    "messages", [["Who?"], [{"role": "user"}], [{"content": ["Who?"], "role": "user"}]]
)
def test_what_is_no_message(talker, messages):
    with pytest.raises(ValueError, match=r'a message is .*"role": "user"'):
        talker.encode_chat(messages)
