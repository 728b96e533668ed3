"""Rounds beside rounds, load by open requests; what a table says is escaped."""

from course_utils.decoding.sampling import GREEDY
from course_utils.drafters.sampled import Sampled
from course_utils.engines.decisions import Decision, Evidence, Losing
from course_utils.engines.facts import facts
from course_utils.lessons.engines_compared import tables as lesson
from course_utils.lessons.engines_compared.as_served import as_served, steps
from tests.lessons.production_engines.test_tables import QUESTION, part, raw, run


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


def test_what_a_table_says_is_escaped():
    bad = "<script>alert(1)</script>"
    decision = Decision(bad, bad, bad, (Evidence("REFERENCES.md#vllm", bad),))
    assert "<script>" not in lesson.decisions_table([decision]).html
    losing = lesson.losing_table().html
    assert all(file in losing for one in facts("losing", Losing) for file in one.where)
