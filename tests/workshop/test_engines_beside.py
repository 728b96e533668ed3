"""The other engines of the bench run the very pair: their greedy texts are the target's."""

import pytest

from course_utils.decoding.loop import generate
from course_utils.decoding.metrics import emitted_tokens
from course_utils.decoding.sampling import GREEDY
from course_utils.pairs import PAIRS
from workshop.bench.competitors import Genai, LlamaCpp, genai_is_here, llama_server
from workshop.bench.contenders import GENAI, LLAMA, PLAIN, Contender
from workshop.bench.passages import Passage

WAYS = {
    GENAI: [PLAIN[GENAI], Contender(GENAI, "model", 3), Contender(GENAI, "lookup", 4, 2)],
    LLAMA: [
        PLAIN[LLAMA],
        Contender(LLAMA, "model", 3, guesses="greedy"),
        Contender(LLAMA, "model", 3, guesses="probabilistic"),
        Contender(LLAMA, "lookup", 4, 2),
    ],
}


@pytest.fixture(scope="module", params=WAYS)
def engine(request):
    if request.param == GENAI:
        if not genai_is_here():
            pytest.skip('onnxruntime-genai is not installed: pip install ".[engines]"')
        return GENAI, Genai(*PAIRS["tiny"], 1)
    if not (program := llama_server()):
        pytest.skip("no llama-server here")
    return LLAMA, LlamaCpp(*PAIRS["tiny"], 1, program)


@pytest.fixture(scope="module")
def passage(fast):
    return Passage(tuple(fast.encode("def read(self, size):\n    ")), 32)


def test_greedy_texts_are_the_targets(engine, fast, passage):
    who, side = engine
    expected = emitted_tokens(
        generate(fast.target, passage.prompt, sampling=GREEDY, max_new_tokens=passage.new_tokens)
    )
    for way in WAYS[who]:
        told = side.continuing(way, 0.0)(0, passage)
        assert list(told.text) == expected, way.name
        if way.gamma is None:
            assert told.passes in (None, passage.new_tokens)
        else:  # each brings a token, and at most one for each guess besides
            assert passage.new_tokens / (way.gamma + 1) <= told.passes <= passage.new_tokens


def test_sampled_texts_have_their_length_and_another_seed_draws_another(engine, passage):
    who, side = engine
    for way in WAYS[who]:
        go_on = side.continuing(way, 1.0)
        first, second = (list(go_on(number, passage).text) for number in (0, 1))
        assert len(first) == len(second) == passage.new_tokens
        assert first != second
