"""A server's words, counters and texts beside ours: verdicts, definitions, load, both witnesses."""

import numpy as np
import pytest

from course_utils.decoding.loop import generate
from course_utils.decoding.metrics import emitted_tokens
from course_utils.decoding.sampling import GREEDY, Sampling
from course_utils.drafters.sampled import Sampled
from course_utils.engines.client import Question
from course_utils.engines.decisions import Decision, Evidence, Losing
from course_utils.engines.facts import facts
from course_utils.engines.sessions import Part, Run
from course_utils.lessons.production_engines import tables as lesson
from course_utils.lessons.production_engines.as_served import as_served, our_rounds, steps
from course_utils.lessons.production_engines.checks import (
    LIARS,
    check_deviations,
    deviations,
    made_rows,
    page,
)
from course_utils.proofs.surprise import surprise, surprise_along
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


def part(answers, before="", after="", together=1):
    return Part(
        questions=[QUESTION] * len(answers), together=together, before=before, raw=answers,
        after=after, seconds=1.0,
    )  # fmt: skip


def run(**parts):
    return Run(configuration="one", command="vllm serve x", engine="0", repaired=False, parts=parts)


def test_a_wrong_token_is_a_bug_and_a_near_one_a_tie_in_every_run(tables):
    target, _ = tables
    (text,) = lesson.emitted_texts([our_rounds(target, QUESTION, None)])
    other = [*text[:4], (text[4] + 1) % 4, *text[5:]]
    runs = {
        "good": run(greedy=part([raw(text), raw(text)])),
        "bad": run(greedy=part([raw(text), raw(other)])),
        "short": run(greedy=part([raw(text), raw(text[:-1])])),
        "silent": run(sampled=part([raw(text)])),
    }
    for noise, of_bad in ((0.0, (1, 0, 1)), (1e9, (1, 1, 0))):
        lines = lesson.greedy_table(runs, [text, text], target, noise)
        found = {line["configuration"]: (line[SAME], line[TIE], line[BUG]) for line in lines}
        assert found == {"good": (2, 0, 0), "bad": of_bad, "short": (1, 0, 1)}


def test_three_columns_agree_where_the_habits_do(tables):
    target, draft = tables
    rounds = as_served(target, QUESTION, Sampled(draft, GREEDY))
    counts = [sum(r.accepted > i for r in rounds) for i in range(4)]
    served = part([raw([])], page(0, (0,) * 4), page(len(rounds), counts))
    lines = lesson.definitions(served, our_rounds(target, QUESTION, None) + rounds, rounds, 4)
    assert len(lines) == 2 + 2 * 4
    for line in lines:
        assert line["page"] == pytest.approx(line["ours, its way"])


def test_a_text_is_counted_as_equal_only_if_every_round_is(tables):
    target, draft = tables
    rounds = as_served(target, QUESTION, Sampled(draft, GREEDY))
    same, other = steps(rounds), [*steps(rounds)[:-1], (4, (steps(rounds)[-1][1] + 1) % 5)]
    served = part([raw([], told_steps=same), raw([], told_steps=other)])
    assert lesson.equal_rounds(served, [rounds, rounds]) == 1


def test_parts_under_load_are_told_by_their_open_requests():
    loaded = {f"load {n}": part([raw([1, 2])], together=n) for n in (1, 16)}
    found = lesson.loads({"a": run(**loaded), "b": run(greedy=part([raw([1])]))})
    assert {name: list(parts) for name, parts in found.items()} == {"a": [1, 16]}


def test_a_position_that_nobody_reached_has_a_dash():
    shown = lesson.by_position(part([raw([1])], page(0, (0, 0, 0)), page(10, (5, 0, 0))))
    assert shown == {"α1": "0.50", "α2": "0.00", "α3": "–"}


def test_what_a_server_or_a_table_says_is_escaped():
    bad = "<script>alert(1)</script>"
    shown = lesson.same_question({bad: part([raw([1], text=bad)])}, 0, bad)
    assert "<script>" not in shown.html
    assert shown.html.count("&lt;script&gt;") == 3
    decision = Decision(bad, bad, bad, (Evidence("REFERENCES.md#vllm", bad),))
    assert "<script>" not in lesson.decisions_table([decision]).html
    losing = lesson.losing_table().html
    assert all(file in losing for one in facts("losing", Losing) for file in one.where)


def test_a_page_is_shown_by_its_counters_alone():
    more = "python_gc_total 5\nvllm:spec_decode_num_drafts_created 1.7e9\n"
    lines = lesson.counter_lines(page(7, (3, 1)) + more).splitlines()
    assert len(lines) == 5
    assert lines[0] == "vllm:spec_decode_num_drafts_total 7.0"
    assert lines[-1].endswith('{position="1"} 1.0')


# --- both witnesses ---------------------------------------------------------------------


def test_the_students_test_is_that_of_the_proofs(tables):
    target, _ = tables
    for sampling in (Sampling(), Sampling(0.6, top_k=3, top_p=0.95, min_p=0.01)):
        asked = {"max_new_tokens": 30, "sampling": sampling}
        texts = [emitted_tokens(generate(target, (0, 1, 2), seed=i, **asked)) for i in range(3)]
        served = lesson.texts_of(part(list(map(raw, texts))))
        whole = surprise(target, [((0, 1, 2), text) for text in texts], sampling)
        found, bands = lesson.judged({"a": served}, target, deviations, sampling)
        assert found["a"] == pytest.approx((whole.deviations, whole.second_deviations))
        assert bands["a"] == pytest.approx(whole.bands)
        assert whole.drawn


def test_of_the_texts_of_the_exercise_one_is_honest():
    rows = check_deviations.cases[0][0]
    off = {name: deviations(rows, text) for name, text in LIARS.items()}
    seen = {name for name, text in LIARS.items() if not surprise_along(rows, text).drawn}
    assert max(map(abs, off["drawn as it should be"])) < 2
    assert seen == LIARS.keys() - {"drawn as it should be", "at temperature 0.8"}  # 60 tokens
    assert abs(off["always the token nearest the entropy"][0]) < 2


def test_alarms_are_counted_for_each_length_that_the_rows_hold():
    table = lesson.alarms({"made": made_rows(3, 130)}, (60, 120, 240), 1000)
    assert [line["tokens"] for line in table] == [60, 120]
    for line in table:
        assert max(line["first"], line["second"]) <= line["either"] < 5
        assert line["called wrong"] == 0


def test_each_way_to_guess_is_accepted_as_often_as_its_rule_says():
    p, q = np.array([[0.5, 0.2, 0.3]]), np.array([[0.3, 0.6, 0.1]])
    ways = lesson.by_rule(p, q, gamma=1, kept=2)
    assert [way["α"] for way in ways] == pytest.approx([0.6, 1 / 3 + 0.2, 0.2])  # q2 is 1/3, 2/3
    assert [way["tokens per round"] for way in ways] == pytest.approx([1.6, 1 + 8 / 15, 1.2])
