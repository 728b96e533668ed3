"""The rounds of the word pair show what the lesson and the talk say of them."""

from course_utils.lessons.start_here.figures import greedy_rounds, word_rounds
from course_utils.models.toys.word_pair import encode


def test_the_rounds_of_the_word_pair_have_every_kind_of_event():
    """An accepted guess with p < q, a rejected and an unexamined guess, a bonus, a stop token."""
    first, second, third = word_rounds()
    assert 0 < first.accepted < len(first.drafted) - 1
    assert first.p[0, first.drafted[0]] < first.q[0, first.drafted[0]]
    assert (first.kinds[-1], second.kinds[-1]) == ("correction", "bonus")
    assert list(third.emitted[-1:]) == encode(".")
    greedy = greedy_rounds().data["rounds"]
    assert [one["kinds"][-1] for one in greedy] == ["bonus", "correction", "correction"]
