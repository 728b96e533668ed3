"""The stepper: any trace, told truly; its buttons, its form on paper."""

import pytest

from course_utils.classroom.round_html import round_html
from course_utils.classroom.round_view import round_view
from course_utils.classroom.stepper import PRINTED, stepper
from course_utils.decoding.loop import generate
from course_utils.decoding.rules import BLOCK, RECURSIVE_REJECTION, residual
from course_utils.drafters.candidates import Candidates, with_replacement
from course_utils.drafters.lookup import PromptLookup
from course_utils.drafters.sampled import Sampled
from course_utils.models.characters import CharacterModel
from course_utils.models.tables import TableModel


@pytest.fixture
def run():
    target, draft = CharacterModel(), CharacterModel(accuracy=0.7)
    rounds = list(generate(target, [0], Sampled(draft), gamma=3, max_new_tokens=18, seed=1))
    return rounds, target.alphabet.decode


def html(rounds, index, decode):
    return round_html(round_view(rounds, index, decode))


def test_a_round_shows_the_verdict_the_outcome_and_both_caches(run):
    rounds, decode = run
    for i, r in enumerate(rounds):
        shown = html(rounds, i, decode)
        assert f"Round {i + 1} of {len(rounds)}" in shown
        assert f"{r.accepted} of {len(r.drafted)} guesses accepted" in shown
        assert r.kinds[-1] in shown
        assert f"Target cache: {r.cache_before} → {r.cache_after}" in shown


def test_residual_and_caches_can_be_left_for_later(run):
    rounds, decode = run
    whole, short = (stepper(rounds, decode, details=d).still.html for d in (True, False))
    assert "residual" in whole
    assert "Target cache" in whole
    assert "residual" not in short
    assert "cache" not in short
    assert whole.count("guesses accepted") == short.count("guesses accepted") > 1


def test_each_guess_has_its_p_q_and_uniform(run):
    rounds, decode = run
    for i, r in enumerate(rounds):
        view = round_view(rounds, i, decode)
        assert view.uniforms
        for place, guess in enumerate(view.guesses):
            x = r.drafted[place]
            assert (guess.p, guess.q) == (r.p[place, x], r.q[place, x])
            kept = guess.uniform < guess.p / guess.q
            if guess.fate != "not examined":
                assert guess.fate == ("accepted" if kept else "rejected")


def test_the_distribution_of_the_last_token_is_the_residual_or_the_bonus_row():
    target, draft = TableModel.random(4, 1, seed=1), TableModel.random(4, 1, seed=2)
    rounds = list(generate(target, [0], Sampled(draft), gamma=2, max_new_tokens=40))
    assert {r.kinds[-1] for r in rounds} >= {"correction", "bonus"}
    for i, r in enumerate(rounds):
        corrected = r.kinds[-1] == "correction"
        distribution = residual(r.p[r.accepted], r.q[r.accepted]) if corrected else r.p[-1]
        for text, value in round_view(rounds, i, str).distribution:
            assert value == distribution[int(text.strip("[]"))] >= 0.005


def test_the_draft_cache_is_what_the_draft_model_really_read():
    lengths = []

    class Watched(CharacterModel):
        def start(self, prompt):
            self.session = super().start(prompt)
            return self.session

    model = Watched(accuracy=0.7)
    rounds = []
    for r in generate(CharacterModel(), [0], Sampled(model), gamma=3, max_new_tokens=18, seed=1):
        rounds.append(r)
        lengths.append(model.session.length)  # after drafting: Sampled rolls back when asked again
    assert [
        round_view(rounds, i, str).draft_cache[0] for i, r in enumerate(rounds) if r.drafted
    ] == [length for length, r in zip(lengths, rounds, strict=True) if r.drafted]


def test_another_rule_is_not_explained_by_p_over_q():
    target, draft = TableModel.random(4, 1, seed=1), TableModel.random(4, 1, seed=2)
    rounds = list(generate(target, [0], Sampled(draft), rule=BLOCK, gamma=3, max_new_tokens=60))
    view = round_view(rounds, 0, str)
    assert not view.uniforms
    assert "against p/q" not in round_html(view)
    assert "residual" not in round_html(view)


def test_a_lookup_draft_is_certain_and_has_no_cache():
    model = TableModel([[0.0, 1.0], [0.0, 1.0]])
    rounds = list(generate(model, [1, 1, 1], PromptLookup(), gamma=2, max_new_tokens=4))
    view = round_view(rounds, 0, str)
    assert view.draft_cache is None
    assert {guess.q for guess in view.guesses} == {1.0}


def test_a_tree_of_candidates_can_be_stepped_through():
    target, draft = TableModel.random(4, 1, seed=1), TableModel.random(4, 1, seed=2)
    drafter = Candidates(draft, draw=with_replacement)
    rounds = list(
        generate(target, [0], drafter, rule=RECURSIVE_REJECTION, gamma=3, max_new_tokens=12)
    )
    for i, r in enumerate(rounds):
        view = round_view(rounds, i, str)
        assert sum(guess.fate == "accepted" for guess in view.guesses) == r.verdict.accepted
        assert "Draft cache" not in round_html(view)


def test_what_a_model_says_is_escaped_and_blanks_are_seen():
    model = TableModel([[0.0, 1.0], [0.0, 1.0]])
    rounds = list(generate(model, [0], Sampled(model), gamma=2, max_new_tokens=4))
    shown = html(rounds, 1, lambda tokens: "<script>" * len(tokens))
    assert "<script>" not in shown
    assert "&lt;script&gt;" in shown
    assert "␣␣⏎</span>" in html(rounds, 0, lambda tokens: "  \n" * len(tokens))


def test_a_long_text_shows_its_end():
    model = TableModel([[0.0, 1.0], [0.0, 1.0]])
    rounds = list(generate(model, [0], max_new_tokens=30))
    shown = html(rounds, 29, lambda tokens: "".join(f"x{'#' * len(tokens)}\n" for _ in tokens))
    assert "…\n" in shown


def test_the_buttons_move_the_view_and_stop_at_the_ends(run):
    rounds, decode = run
    _, controls, view = stepper(rounds, decode).children
    previous, following, play, slider = controls.children
    previous.click()
    assert slider.value == 0
    for _ in range(len(rounds) + 3):
        following.click()
    assert slider.value == play.value == len(rounds) - 1
    assert view.value == html(rounds, len(rounds) - 1, decode)


def test_no_rounds_are_refused():
    with pytest.raises(ValueError, match="rounds of a run"):
        stepper([], str)


def test_on_paper_stand_the_first_rounds_as_the_buttons_show_them(run):
    rounds, decode = run
    bundle = stepper(rounds, decode)._repr_mimebundle_()
    for i in range(PRINTED):
        assert html(rounds, i, decode) in bundle["text/html"]
    assert bundle["text/html"].count("guesses accepted") == PRINTED < len(rounds)
    assert bundle["text/plain"].count("\n") == PRINTED - 1
    assert stepper(rounds[:1], decode).still.html.count("guesses accepted") == 1
