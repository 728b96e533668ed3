"""A conversation through a tokenizer's template: turns, thinking, and what is refused."""

import json
from dataclasses import replace

import pytest
from transformers import AutoTokenizer

from course_utils.decoding.sampling import Sampling
from course_utils.models.loading.folder import Advice, BadConfig, read_advice
from course_utils.models.penalties import Penalties
from course_utils.pairs import load_pair

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


@pytest.mark.parametrize(
    ("said", "advice"),
    [
        ({}, Advice()),
        ({"repetition_penalty": 1.05}, Advice(penalties=Penalties(1.05))),
        ({"presence_penalty": 1.5, "temperature": 0.7},
         Advice(Sampling(0.7), Penalties(presence_penalty=1.5))),
        ({"do_sample": False, "top_k": 5}, Advice(Sampling(0, top_k=5))),
        ({"no_repeat_ngram_size": 3, "num_beams": 1, "typical_p": 1.0, "bad_words_ids": None},
         Advice(not_followed=("no_repeat_ngram_size = 3",))),
    ],
)  # fmt: skip
def test_the_advice_for_a_chat_is_followed_or_named(tmp_path, said, advice):
    (tmp_path / "generation_config.json").write_text(json.dumps(said))
    assert read_advice(str(tmp_path)) == advice


@pytest.mark.parametrize("wrong", [{"repetition_penalty": 0}, {"frequency_penalty": "much"}])
def test_a_penalty_out_of_range_is_a_bad_config(tmp_path, wrong):
    (tmp_path / "generation_config.json").write_text(json.dumps(wrong))
    with pytest.raises(BadConfig, match=f"{min(wrong)} is "):
        read_advice(str(tmp_path))


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
