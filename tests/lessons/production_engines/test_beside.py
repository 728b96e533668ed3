"""Tables of an engine beside ours: verdicts, definitions, load; and words that are escaped."""

import pytest

from course_utils.decoding.sampling import GREEDY
from course_utils.drafters.sampled import Sampled
from course_utils.engines.client import Question
from course_utils.engines.decisions import Decision, Evidence
from course_utils.engines.sessions import Part, Run
from course_utils.lessons.production_engines import beside, told
from course_utils.lessons.production_engines.as_served import as_served, our_rounds, steps
from course_utils.lessons.production_engines.checks import page
from course_utils.proofs.ties import BUG, SAME, TIE

QUESTION = Question((0, 1, 2), 15, 0.0)


def raw(tokens, text="", told_steps=()):
    """An answer as the server would send it."""
    return {
        "choices": [{"token_ids": list(tokens), "text": text}],
        "metrics": {
            "speculative_decoding": {
                "per_step_drafted": [drafted for drafted, _ in told_steps],
                "per_step_accepted": [accepted for _, accepted in told_steps],
            }
        },
    }


def part(answers, before="", after="", together=1, seconds=1.0):
    return Part(
        questions=[QUESTION] * len(answers), together=together, before=before, raw=answers,
        after=after, seconds=seconds,
    )  # fmt: skip


def run(**parts):
    return Run(configuration="one", command="vllm serve x", engine="0", repaired=False, parts=parts)


def greedy(target):
    return beside.texts_of([our_rounds(target, QUESTION, None)])[0]


def test_a_wrong_token_is_a_bug_and_a_near_one_a_tie(tables):
    target, _ = tables
    text = greedy(target)
    other = [*text[:4], (text[4] + 1) % 4, *text[5:]]
    judged = beside.verdict
    assert judged(target, QUESTION.prompt, text, text, 0.0) == SAME
    assert judged(target, QUESTION.prompt, text, other, 0.0) == BUG
    assert judged(target, QUESTION.prompt, text, other, 1e9) == TIE
    assert judged(target, QUESTION.prompt, text, text[:-1], 1e9) == BUG


def test_each_run_is_counted_by_verdict(tables):
    target, _ = tables
    text = greedy(target)
    other = [*text[:4], (text[4] + 1) % 4, *text[5:]]
    runs = {
        "good": run(greedy=part([raw(text), raw(text)])),
        "bad": run(greedy=part([raw(text), raw(other)])),
        "silent": run(sampled=part([raw(text)])),
    }
    lines = beside.greedy_table(runs, [text, text], target, 0.0)
    assert [(line["configuration"], line[SAME], line[TIE], line[BUG]) for line in lines] == [
        ("good", 2, 0, 0),
        ("bad", 1, 0, 1),
    ]


def test_three_columns_agree_where_the_habits_do(tables):
    target, draft = tables
    rounds = as_served(target, QUESTION, Sampled(draft, GREEDY))
    counts = [sum(r.accepted > i for r in rounds) for i in range(4)]
    served = part([raw([])], page(0, (0,) * 4), page(len(rounds), counts))
    lines = beside.definitions(served, our_rounds(target, QUESTION, None) + rounds, rounds, 4)
    assert len(lines) == 2 + 2 * 4
    for line in lines:
        assert line["page"] == pytest.approx(line["ours, its way"])


def test_a_text_is_counted_as_equal_only_if_every_round_is(tables):
    target, draft = tables
    rounds = as_served(target, QUESTION, Sampled(draft, GREEDY))
    same, other = steps(rounds), [*steps(rounds)[:-1], (4, (steps(rounds)[-1][1] + 1) % 5)]
    served = part([raw([], told_steps=same), raw([], told_steps=other)])
    assert beside.equal_rounds(served, [rounds, rounds]) == 1


def test_parts_under_load_are_told_by_their_open_requests():
    loaded = {f"load {n}": part([raw([1, 2])], together=n) for n in (1, 16)}
    found = beside.loads({"a": run(**loaded), "b": run(greedy=part([raw([1])]))})
    assert {name: list(parts) for name, parts in found.items()} == {"a": [1, 16]}


def test_a_position_that_nobody_reached_has_a_dash():
    shown = beside.by_position(part([raw([1])], page(0, (0, 0, 0)), page(10, (5, 0, 0))))
    assert shown == {"α1": "0.50", "α2": "0.00", "α3": "–"}


def test_what_a_server_wrote_is_escaped():
    bad = "<script>alert(1)</script>"
    shown = told.same_question({bad: part([raw([1], text=bad)])}, 0, bad)
    assert "<script>" not in shown.html
    assert shown.html.count("&lt;script&gt;") == 3
    decision = Decision(bad, bad, bad, (Evidence("REFERENCES.md#vllm", bad),))
    assert "<script>" not in told.decisions_table([decision]).html


def test_a_page_is_shown_by_its_counters_alone():
    more = "python_gc_total 5\nvllm:spec_decode_num_drafts_created 1.7e9\n"
    lines = told.counter_lines(page(7, (3, 1)) + more).splitlines()
    assert len(lines) == 5
    assert lines[0] == "vllm:spec_decode_num_drafts_total 7.0"
    assert lines[-1].endswith('{position="1"} 1.0')
    assert max(map(len, told.command(run()).splitlines())) <= told.WIDTH
