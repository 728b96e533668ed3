"""Calls that cannot be: each is refused in one line, before anything is done."""

import pytest

from course_utils.__main__ import main

TREE = "generate x --drafter tree"
CALLS = {
    # generate
    "generate x --gamma 1.5": "'1.5' is neither a whole number nor auto",
    f"generate x --gamma {'9' * 5000}": "is neither a whole number nor auto",
    "generate x --temperature -1": "temperature is -1",
    "generate x --temperature nan": "temperature is nan",
    "generate x --top-p 0": "top_p is 0",
    "generate x --top-p 1.5": "top_p is 1.5",
    "generate x --top-k -3": "top_k is -3",
    "generate x --max-new-tokens 0": "max_new_tokens is 0",
    "generate x --threads 0": "threads is 0",
    "generate x --threads 100000": "give a whole number, at least 1 and at most",
    "generate x --dtype half": "float16",
    "generate x --rule rejection": "no rule is called 'rejection'",
    "generate x --seed -1": "seed is -1",
    f"generate x --seed {2**64}": "seed is 18446744073709551616",
    "generate x --drafter oracle": "drafter is 'oracle'; choose none",
    "generate -x": "unrecognized arguments: -x",
    "generate": "the prompt is empty",
    "generate x --target nobody/nothing": "name one with --draft",
    "generate x --target nobody/nothing --drafter none": "neither a folder",
    # trees
    f"{TREE} --rule token-wise": "leave --rule out, or choose recursive-",
    f"{TREE} --tree 2x": "'2x' is no tree",
    "generate x --drafter expanded --gamma adaptive": "leave --gamma out",
    "generate x --drafter expanded --tree 2x2": "add --drafter tree",
    "generate x --tree 2x2": "add --drafter tree",
    # chats
    "generate x --chat --target tiny": "has no chat template",
    "generate x --thinking": "--thinking belongs to --chat",
    "generate x --no-thinking": "--thinking belongs to --chat",
    "generate x --system y": "--system belongs to --chat",
    "generate x --chat --min-p 2": "min_p is 2",
    "generate x --repetition-penalty 0": "repetition_penalty is 0",
    "generate x --stop=": "a stop string is empty",
    "generate x --stop y --trace z": "leave --stop or --trace out",
    # certify
    "certify --drafter math:atan2": "must be callable as math:atan2(draft model)",
    "certify --gamma 0": "gamma is 0",
    "certify --seed -1": "seed is -1",
    "certify --top-p 2": "top_p is 2",
    "certify --seconds 0": "seconds is 0",
    "certify --drafter oracle": "MODULE:NAME",
    "certify --drafter no_such_module:X": "no_such_module",
    "certify --drafter json:Oracle": "Oracle",
    "certify --rule fair": "token-wise",
    "certify --bug mosquito": "no bug is called",
    "certify --drafter tree --rule block": "judges chains",
    "certify --threads 0": "at least 1",
    "certify --target nowhere": "no draft model is known",
    # others
    "present --port -1": "--port is -1; a port is a number from 1 to 65535",
    "present --port 0": "--port is 0; a port is a number from 1 to 65535",
    "present --port 99999": "--port is 99999; a port is a number from 1 to 65535",
    "course 99": "no lesson begins with '99'",
    "course present": "no lesson begins with 'present'",
}
# what is no word of a shell
ODD = [
    (["generate", ""], "prompt is empty"),
    (["generate", "def \udcff"], "no text from character 5 on"),
    (["generate", "\ud800", "--json"], "no text from character 1 on"),
    (["generate", "x = 1\n" * 800], "shorten the prompt"),
    (["generate", "x", "--target", ""], "--target is empty"),
    (["generate", "x", "--draft", ""], "--draft is empty"),
    (["course", ""], "no lesson begins with ''"),
]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [*((call.split(), said) for call, said in CALLS.items()), *ODD],
    ids=lambda x: ascii(" ".join(x))[:60] if isinstance(x, list) else "",
)
def test_a_call_that_cannot_be_is_one_clear_line(quickly, capsys, arguments, message):
    assert main(arguments) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("error: ")
    assert message in err
    assert err.count("\n") == 1
