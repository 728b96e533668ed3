"""What users write has the target's distribution: every path of `Pair.write` and of a batch.

Every uniform that the text's address gives is enumerated where it is drawn, whoever draws it, so a
choice of gamma that saw one of them would be found.  On the tables a pass takes a fixed time of a
made-up clock, so that what "auto" and "adaptive" measure is the same on every path.
"""

from functools import cache
from itertools import product
from types import SimpleNamespace

import pytest

from course_utils.decoding import loop
from course_utils.decoding.batch import generate_batch
from course_utils.decoding.noise import PhiloxRound
from course_utils.decoding.rules import RULES, TREE_RULES, slug
from course_utils.decoding.sampling import Sampling
from course_utils.drafters.batch_drafters import BatchSampled, Each
from course_utils.drafters.registry import DRAFTERS
from course_utils.drafters.sampled import Sampled
from course_utils.measuring import costs
from course_utils.models.toys.n_grams import NGram
from course_utils.models.toys.tables import Separately
from course_utils.proofs.decoders import exam
from course_utils.proofs.enumeration import (
    distribution_distance,
    merge_paths,
    outcomes,
    target_distribution,
)
from course_utils.training import counted
from course_utils.writing import gamma, writing
from course_utils.writing.writing import Pair

SEED, LENGTH = 1000, 3  # of the text; what is measured takes other seeds
PASS, GUESS = 1.0, 0.3  # seconds of the made-up clock
LOSSLESS = {False: [r for r in RULES if r.lossless], True: [r for r in TREE_RULES if r.lossless]}
# those that guess with nothing but the models of the pair
ON_TABLES = [name for name, each in DRAFTERS.items() if each.of_the_pair]


def distribution(monkeypatch, write, rows=1):
    """Return the exact distribution of `write()`, a tuple, over the uniforms of SEED."""
    drawn_by_philox = PhiloxRound.uniforms

    def run(noise):
        def uniforms(self, purpose, count):
            address = self.noise.seed, self.noise.row, self.index
            if not (self.noise.seed == SEED and self.noise.row < rows):
                return drawn_by_philox(self, purpose, count)
            return noise.round(address).uniforms(purpose, count)

        monkeypatch.setattr(PhiloxRound, "uniforms", uniforms)
        return write()

    return merge_paths(outcomes(run))


@pytest.fixture
def clock(monkeypatch):
    """A clock that only passes of models advance; costs are measured once."""
    clock = SimpleNamespace(seconds=0.0)
    for module in (loop, costs, gamma):
        monkeypatch.setattr(module, "now", lambda: clock.seconds)
    monkeypatch.setattr(costs, "round_costs", cache(costs.round_costs))
    return clock


def timed(model, seconds, clock):
    """Let each pass of a model take `seconds`."""
    start = model.start

    def started(prompt):
        session = start(prompt)
        extend = session.extend

        def extended(*arguments):
            clock.seconds += seconds
            return extend(*arguments)

        session.extend = extended
        return session

    model.start = started
    return model


class Letters:
    """A tokenizer of three letters."""

    chat_template = bos_token_id = None

    def __call__(self, text, **options):
        return {"input_ids": ["abc".index(x) for x in text], "special_tokens_mask": [0] * len(text)}

    def decode(self, tokens, **options):
        return "".join("abc"[token] for token in tokens)


def on_tables(clock, agreement, context=24, stop_tokens=()):
    """Return a pair of table models that agree in this share of their probabilities."""
    paper = exam(3, agreement, target_context=context)
    paper.draft.context = context
    models = (timed(paper.target, PASS, clock), timed(paper.draft, GUESS, clock))
    return Pair(*models, Letters(), stop_tokens)


def lossless_runs():
    for name in ON_TABLES:
        trees = bool(DRAFTERS[name].nodes)
        gammas = (4,) if trees or name == "none" else (1, 2, 4, "auto", "adaptive")
        yield from product([name], LOSSLESS[trees], gammas)


@pytest.mark.parametrize(
    ("name", "rule", "gamma"), lossless_runs(), ids=lambda x: getattr(x, "name", str(x))
)
def test_each_text_has_the_targets_distribution(monkeypatch, clock, name, rule, gamma):
    context = len("abba") + LENGTH if gamma == "auto" else 24  # its trial ends where the text does
    for agreement in (0.3, 0.9):
        pair = on_tables(clock, agreement, context, stop_tokens=(2,))

        def write(pair=pair):
            run = pair.write(
                "abba", drafter=name, rule=slug(rule), gamma=gamma, max_new_tokens=LENGTH, seed=SEED
            ).finish()
            assert run.text == Letters().decode([x for x in run.tokens if x != 2])
            return tuple(run.tokens)

        truth = target_distribution(pair.target, pair.encode("abba"), LENGTH, stop_tokens=(2,))
        assert distribution_distance(distribution(monkeypatch, write), truth) < 1e-12


# --- drafters with models of their own, on the trained pair ---------------------------------


GUESSING = cache(writing.guessing_model)  # models have no state between runs


@pytest.mark.parametrize("rule", LOSSLESS[False], ids=slug)
@pytest.mark.parametrize("name", [name for name in DRAFTERS if name not in ON_TABLES])
def test_each_drafter_writes_the_trained_pairs_distribution(monkeypatch, fast, name, rule):
    few = NGram([fast.encode("def area(width, height):\n    return width * height\n")], 3, 4096)
    monkeypatch.setattr(counted, "counted_library", lambda *_: few)
    monkeypatch.setattr(writing, "guessing_model", GUESSING)
    prompt, sampling = "def area(width", Sampling(1.5, top_k=2)

    def write():
        settings = {"temperature": 1.5, "top_k": 2, "max_new_tokens": LENGTH, "seed": SEED}
        run = fast.write(prompt, drafter=name, rule=slug(rule), gamma=2, **settings)
        return tuple(run.finish().tokens)

    truth = target_distribution(fast.target, fast.encode(prompt), LENGTH, sampling)
    assert distribution_distance(distribution(monkeypatch, write), truth) < 1e-5  # float32


# --- a drafter object, and batches ------------------------------------------------------------


class Remembering(Sampled):
    """A drafter that counts the rounds for which it has guessed."""

    rounds = 0

    def propose(self, tokens, gamma, noise):
        self.rounds += 1
        return super().propose(tokens, gamma, noise)


def test_the_trial_of_auto_tries_a_copy_of_a_drafter_object(clock):
    pair = on_tables(clock, agreement=0.9)
    mine = Remembering(pair.draft)
    run = pair.write("abba", drafter=mine, gamma="auto", max_new_tokens=9, seed=SEED).finish()
    assert run.gamma > 0
    assert mine.rounds == sum(r.context < len("abba") + 8 for r in run.rounds)  # the run's only
    assert mine.model is pair.draft
    mine.rounds = (turn for turn in ())  # which cannot be copied
    with pytest.raises(ValueError, match="MODULE:NAME"):
        pair.write("abba", drafter=mine, gamma="auto")


@pytest.mark.parametrize(
    "together", [BatchSampled, lambda draft: Each(lambda: Sampled(draft.model))]
)
@pytest.mark.parametrize("rule", LOSSLESS[False], ids=slug)
def test_the_rows_of_a_batch_have_the_targets_distribution_and_are_independent(
    monkeypatch, rule, together
):
    paper, prompts = exam(2, agreement=0.5), ([0, 1], [1])

    def write():
        texts = [[], []]
        models = Separately(paper.target), together(Separately(paper.draft))
        how = {"gamma": 2, "rule": rule, "max_new_tokens": 2, "stop_tokens": (1,), "seed": SEED}
        for row, done in generate_batch(models[0], prompts, models[1], **how):
            texts[row] += done.emitted
        return tuple(map(tuple, texts))

    alone = [target_distribution(paper.target, prompt, 2, stop_tokens=(1,)) for prompt in prompts]
    truth = {(a, b): alone[0][a] * alone[1][b] for a, b in product(*alone)}
    assert distribution_distance(distribution(monkeypatch, write, rows=2), truth) < 1e-12
