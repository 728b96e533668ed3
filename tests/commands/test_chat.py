"""generate --chat: the template, the model's own settings and what was given beside them."""

import json

import pytest

from course_utils.__main__ import main

OWN = {"temperature": 0.6, "top_k": 20, "top_p": 0.95, "min_p": 0.0}
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
    ],
)
def test_a_chat_is_sampled_as_the_model_asks_but_for_what_is_given(run, given, changed):
    assert report(run, "--chat", *given)["sampling"] == OWN | changed


def test_without_a_chat_all_is_as_it_was(run):
    plain = report(run)
    assert plain["sampling"] == {"temperature": 1, "top_k": 0, "top_p": 1, "min_p": 0}
    assert plain["prompt_tokens"] < report(run, "--chat")["prompt_tokens"]


def test_what_the_model_reads_and_how_it_is_sampled_is_said(run):
    _, out, err = run("Who?", "--chat", "--system", "Be brief.", "--no-thinking")
    assert out.startswith(
        "<|im_start|>system\nBe brief.<|im_end|>\n<|im_start|>user\nWho?<|im_end|>\n"
        "<|im_start|>assistant\n<think>\n\n</think>\n\n"
    )
    own = "temperature 0.6, top_k 20, top_p 0.95"
    ends = "an answer ends at #, <|endoftext|>\n"
    assert f"\nchat: {own}, the target's own; {ends}" in err
    err = run("Who?", "--chat", "--temperature", "0", "--top-p", "1")[2]
    assert f"\nchat: temperature 0, top_k 20, where the target's own are {own}; {ends}" in err
    assert "chat" not in run("Who?")[2]
