"""Answers that the exercises of this room do not hold themselves, right ones and wrong ones."""

import numpy as np

from course_utils.decoding.loop import generate
from course_utils.decoding.metrics import emitted_tokens
from course_utils.decoding.sampling import GREEDY
from course_utils.drafters.sampled import Sampled
from course_utils.lessons.qwen3_speculative_decoder.checks import (
    audited,
    check_audited,
    check_fair_speedup,
    check_stream,
    draws_of,
    stream,
    token_wise,
)
from course_utils.lessons.qwen3_speculative_decoder.program import program_rounds
from course_utils.models.names import held_out_prompts
from course_utils.models.toys.tables import TableModel
from course_utils.proofs.bugs import bug
from course_utils.proofs.decoders import CORRECT
from course_utils.proofs.programs import as_program


def dropping_the_first_pair(standard, speculative, clock, repeats):
    """Warm by timing one pair more; the other program first."""
    ratios = []
    for _ in range(repeats + 1):
        times = [clock()]
        for run in (speculative, standard):
            run()
            times.append(clock())
        ratios.append((times[2] - times[1]) / (times[1] - times[0]))
    return float(np.median(ratios[1:]))


def token_by_token(rounds, decode, show, stop_tokens, clock):
    """Every token is pushed by itself; several pieces a round."""
    began, waiting, count, tokens = clock(), [], 0, 0
    for new in rounds:
        count += 1
        for token in new:
            tokens += 1
            if token in stop_tokens:
                if waiting:
                    show(decode(waiting))
                return {"rounds": count, "tokens": tokens, "seconds": clock() - began}
            waiting.append(token)
            text = decode(waiting)
            if not text.endswith("\ufffd"):
                show(text)
                waiting = []
            elif len(text) > 1:  # the last byte begins a character, those before it are none
                show(text[:-1])
                waiting = waiting[-1:]
    if waiting:
        show(decode(waiting))
    return {"rounds": count, "tokens": tokens, "seconds": clock() - began}


RIGHT_ANSWERS = [
    (check_stream, token_by_token),
    (check_fair_speedup, dropping_the_first_pair),
]


def each_round_alone(rounds, decode, show, stop_tokens, clock):
    """As a student writes it first; of a round with a stop token it shows nothing."""
    start, count, tokens = clock(), 0, 0
    for new in rounds:
        count, tokens = count + 1, tokens + len(new)
        if any(token in stop_tokens for token in new):
            break
        show(decode(new))
    return {"rounds": count, "tokens": tokens, "seconds": clock() - start}


def unfinished_shown(rounds, decode, show, stop_tokens, clock):
    return stream(rounds, lambda tokens: decode(tokens) + " ", show, stop_tokens, clock)


WRONG_ANSWERS = [
    (check_stream, lambda *_: "Hi", "a dict with rounds, tokens and seconds"),
    (check_stream, each_round_alone, "decode ALL tokens so far"),
    (check_stream, unfinished_shown, "shown: For rounds of the bytes [72, 105]"),
    (check_stream, lambda *given: stream(*given) | {"tokens": 1}, "tokens: For rounds"),
    (check_audited, lambda r, draws, rule: "both", "the answer is "),
    (check_fair_speedup, lambda *_: 1.5, "slow in its first runs, the answer is 2, not 1.5"),
]


def test_a_program_runs_on_the_pair_and_its_greedy_text_is_the_targets(pair):
    ids = pair.encode(held_out_prompts("code")[0])
    rounds = program_rounds(as_program(CORRECT), pair, ids, 3, GREEDY, 12, pair.stop_tokens, 0)
    alone = generate(pair.target, ids, sampling=GREEDY, max_new_tokens=12)
    assert [token for new in rounds for token in new] == emitted_tokens(alone)


def test_what_is_streamed_from_the_pair_is_its_text(pair):
    ids, shown = pair.encode("人工智能"), []
    rounds = (ids[i : i + 2] for i in range(0, len(ids), 2))
    counts = stream(rounds, pair.decode, shown.append, pair.stop_tokens, lambda: 0.0)
    assert [piece for piece in shown if piece] == ["人", "工", "智", "能"]
    assert counts == {"rounds": 6, "tokens": 12, "seconds": 0.0}


MODELS = TableModel.random(6, 2, seed=1), TableModel.random(6, 2, seed=2)


def recorded(seed, **options):
    target, draft = MODELS
    options = dict(gamma=3, max_new_tokens=40, seed=seed, rows=True) | options
    return list(generate(target, [0], Sampled(draft), **options))


def audits(rounds, seed):
    return [audited(r, draws_of(r, seed), token_wise) for r in rounds]


def test_a_run_that_follows_is_told_from_one_that_does_not():
    rounds = recorded(3)
    assert len(rounds) > 5
    assert set(audits(rounds, 3)) == {""}
    assert "guess" in audits(rounds, 4)  # the guesses of another seed
    wrong = recorded(3, rule=bug("resample from p").decoder.rule)
    assert "verdict" in audits(wrong, 3)
    assert "guess" not in audits(wrong, 3)
