"""Tables of a server's texts and counters, and a local server that gets the same questions."""

import pytest

from course_utils.decoding.loop import generate
from course_utils.decoding.metrics import emitted_tokens
from course_utils.decoding.sampling import GREEDY, Sampling
from course_utils.engines.client import Answer, NoEngine, Question
from course_utils.engines.sessions import Part, ServerRun
from course_utils.lessons.production_engines import tables as lesson
from course_utils.lessons.production_engines.checks import (
    TEXTS,
    check_deviations,
    deviations,
)
from course_utils.lessons.production_engines.tables import YOURS, own_run
from course_utils.proofs.likelihood import MartingaleTest, likelihood_along, rows_along
from course_utils.proofs.ties import BUG, SAME, TIE
from tests.engines.test_records import page

QUESTION = Question((0, 1, 2), 15, 0.0)


def raw(tokens, text=""):
    """Return an answer as the server would send it."""
    return {"choices": [{"token_ids": list(tokens), "text": text}]}


def part(answers, before="", after="", together=1):
    return Part(
        questions=[QUESTION] * len(answers), together=together, before=before, raw=answers,
        after=after, seconds=1.0,
    )  # fmt: skip


def run(**parts):
    return ServerRun(
        configuration="one", command="vllm serve x", engine="0", repaired=False, parts=parts
    )


def test_a_wrong_token_is_a_bug_and_a_near_one_a_tie_in_every_run(tables):
    target, _ = tables
    text = emitted_tokens(
        generate(target, QUESTION.prompt, max_new_tokens=QUESTION.max_tokens, sampling=GREEDY)
    )
    other = [*text[:4], (text[4] + 1) % 4, *text[5:]]
    runs = {
        "good": run(greedy=part([raw(text), raw(text)])),
        "bad": run(greedy=part([raw(text), raw(other)])),
        "short": run(greedy=part([raw(text), raw(text[:-1])])),
        "silent": run(sampled=part([raw(text)])),
    }
    for noise, of_bad in ((0.0, (1, 0, 1)), (1e9, (1, 1, 0))):
        lines = lesson.greedy_table(runs, [text, text], target, noise)
        verdicts = {line["configuration"]: (line[SAME], line[TIE], line[BUG]) for line in lines}
        assert verdicts == {"good": (2, 0, 0), "bad": of_bad, "short": (1, 0, 1)}


def test_a_servers_answers_are_escaped():
    bad = "<script>alert(1)</script>"
    block = lesson.same_question({bad: part([raw([1], text=bad)])}, 0, bad)
    assert "<script>" not in block.html
    assert block.html.count("&lt;script&gt;") == 3


def test_positions_that_no_draft_reached_have_a_dash():
    rounds = [(3, 1)] * 5 + [(3, 0)] * 5
    parts = {"a": part([raw([1])], page([], positions=3), page(rounds, positions=3))}
    (line,) = lesson.by_position(parts)
    assert line == {
        "configuration": "a", "α1": "0.50", "α2": "0.00", "α3": "–", "tokens per round": 1.5
    }  # fmt: skip


# --- both witnesses ---------------------------------------------------------------------


def test_the_students_test_equals_that_of_the_proofs(tables):
    target, _ = tables
    for sampling in (Sampling(), Sampling(0.6, top_k=3, top_p=0.95, min_p=0.01)):
        how = {"max_new_tokens": 30, "sampling": sampling}
        texts = [emitted_tokens(generate(target, (0, 1, 2), seed=i, **how)) for i in range(3)]
        answers = lesson.texts_of(part(list(map(raw, texts))))
        whole = MartingaleTest.total(
            likelihood_along(rows_along(target, (0, 1, 2), text, sampling), text) for text in texts
        )
        z, bands = lesson.witnesses({"a": answers}, target, deviations, sampling)
        assert z["a"] == pytest.approx(whole.z_scores)
        assert bands["a"] == pytest.approx(whole.z_bounds())
        assert whole.passed


def test_one_text_of_the_exercise_is_honest():
    rows = check_deviations.cases[1][0]
    z = {name: deviations(rows, text) for name, text in TEXTS.items()}
    detections = {name for name, text in TEXTS.items() if not likelihood_along(rows, text).passed}
    assert max(map(abs, z["drawn from the rows"])) < 2
    assert detections == TEXTS.keys() - {"drawn from the rows"}
    assert abs(z["always the token nearest the entropy"][0]) < 2


def encode(text):
    return [len(text) % 7, 1]


class Stub:
    """An engine that answers one token and records the questions."""

    def __init__(self, failing=None):
        self.log, self.failing = [], failing

    def check(self):
        return "0.1"

    def complete(self, question):
        if self.failing:
            raise self.failing
        self.log.append(question)
        return Answer(raw([1]))

    def metrics(self):
        return ""


def test_a_local_server_gets_the_recorded_questions():
    engine = Stub()
    run = own_run(encode, engine)[YOURS]
    greedy, sampled = (list(run.parts[name].questions) for name in ("greedy", "sampled"))
    assert [{each.temperature for each in part} for part in (greedy, sampled)] == [{0.0}, {1.0}]
    assert len({each.seed for each in sampled}) == 16
    assert engine.log == [greedy[0], *greedy, *sampled]  # one before the counters are read


@pytest.mark.parametrize("error", [NoEngine("it went away"), ValueError("it wants a key")])
def test_a_failing_server_is_reported_and_stops_nothing(error, capsys):
    assert own_run(encode, Stub(error)) == {}
    assert str(error) in capsys.readouterr().out
