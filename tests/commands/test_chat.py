"""generate --chat: the template, the model's own settings and what was given beside them."""

import json

import pytest

from course_utils.__main__ import main

PLAIN = {"temperature": 1, "top_k": 0, "top_p": 1, "min_p": 0,
         "repetition_penalty": 1, "presence_penalty": 0, "frequency_penalty": 0}  # fmt: skip
OWN = PLAIN | {"temperature": 0.6, "top_k": 20, "top_p": 0.95, "repetition_penalty": 1.05}
FEW = ["--drafter", "suffix", "--gamma", "2", "--max-new-tokens", "12", "--dtype", "float32"]


pytestmark = pytest.mark.usefixtures("quickly")


@pytest.fixture
def run(chatty, capsys):
    """(status, stdout, stderr) of a call on the pair that chats."""

    def called(*arguments):
        status = main(["generate", "--target", chatty, *FEW, *arguments])
        return status, *capsys.readouterr()

    return called


def report(run, *arguments):
    return json.loads(run("Who?", "--json", *arguments)[1])


@pytest.mark.parametrize(
    ("given", "changed"),
    [
        ([], {}),
        (["--temperature", "0"], {"temperature": 0}),
        (["--top-k", "0", "--min-p", "0.1"], {"top_k": 0, "min_p": 0.1}),
        (["--top-p", "1"], {"top_p": 1}),
        (["--repetition-penalty", "1"], {"repetition_penalty": 1}),
        (["--presence-penalty", "0.5"], {"presence_penalty": 0.5}),
    ],
)
def test_a_chat_is_sampled_as_the_model_asks_but_for_what_is_given(run, given, changed):
    assert report(run, "--chat", *given)["sampling"] == OWN | changed


def test_without_a_chat_all_is_as_it_was(run):
    plain = report(run)
    assert plain["sampling"] == PLAIN
    assert plain["prompt_tokens"] < report(run, "--chat")["prompt_tokens"]


def test_what_the_model_reads_and_how_it_is_sampled_is_said(run):
    _, out, err = run("Who?", "--chat", "--system", "Be brief.", "--no-thinking")
    assert out.startswith(
        "<|im_start|>system\nBe brief.<|im_end|>\n<|im_start|>user\nWho?<|im_end|>\n"
        "<|im_start|>assistant\n<think>\n\n</think>\n\n"
    )
    own = "temperature 0.6, top_k 20, top_p 0.95, repetition_penalty 1.05"
    ends = "an answer ends at #, <|endoftext|>\n"
    assert f"\nchat: {own}, the target's own; {ends}" in err
    assert "the target's makers also advise no_repeat_ngram_size = 3: not followed\n" in err
    given = ["--temperature", "0", "--top-p", "1", "--repetition-penalty", "1"]
    err = run("Who?", "--chat", *given)[2]
    assert f"\nchat: temperature 0, top_k 20, where the target's own are {own}; {ends}" in err
    alone = run("Who?")[2]
    assert "chat" not in alone
    assert "not followed" not in alone
