"""Target and draft share their ids, and not how many: either may be the larger."""

import json
import shutil

import pytest
from transformers import AutoTokenizer

from course_utils.__main__ import main
from course_utils.decoding.rules import BLOCK, RECURSIVE_REJECTION, TOKEN_WISE
from course_utils.decoding.sampling import Sampling
from course_utils.drafters.tree import Tree
from course_utils.models.loading.vocabularies import fitted
from course_utils.models.qwen3.batched import Batched
from course_utils.models.toys.separately import Separately
from course_utils.models.toys.tables import TableModel
from course_utils.pairs import PAIRS, VocabularyMismatch, load_pair
from course_utils.proofs.decoders import Decoder, Exam
from tests.conftest import random_qwen3

DECODERS = {
    "chain": Decoder(TOKEN_WISE),
    "block": Decoder(BLOCK),
    "tree": Decoder(RECURSIVE_REJECTION, lambda model: Tree(model, (-1, -1, 0))),
}


@pytest.mark.parametrize("decoder", DECODERS.values(), ids=DECODERS)
@pytest.mark.parametrize("sampling", [Sampling(), Sampling(0.7, top_k=2)])
@pytest.mark.parametrize(("ours", "theirs"), [(3, 2), (2, 3)])
def test_the_distribution_is_exactly_the_targets(ours, theirs, sampling, decoder):
    """With a prompt, and texts, that hold a token which the smaller draft does not know."""
    target, draft = TableModel.random(ours, 1, seed=0), TableModel.random(theirs, 1, seed=1)
    exam = Exam(target, fitted(draft, ours), sampling, gamma=2, length=4, prompt=(1, ours - 1))
    assert exam.distance(decoder) < 1e-12


@pytest.fixture(scope="module")
def folders(tmp_path_factory):
    """Random Qwen3s over the trained pair's tokenizer: one with three tokens added and padding,
    one with padding alone."""
    places = {}
    for name, size, added in (("plain", 4104, 0), ("more", 4112, 3)):
        folder = places[name] = str(tmp_path_factory.mktemp(name))
        random_qwen3(vocabulary=size, hidden=32, context=512).save_pretrained(folder)
        tokenizer = AutoTokenizer.from_pretrained(PAIRS["tiny"][0])
        tokenizer.add_tokens([f"<|added {i}|>" for i in range(added)])
        tokenizer.save_pretrained(folder)
    return places


@pytest.mark.parametrize("names", [("plain", "more"), ("more", "plain")])
def test_such_a_pair_is_loaded_and_every_command_takes_it(folders, names, capsys):
    target, draft = (folders[name] for name in names)
    models = ["--target", target, "--draft", draft]
    for drafter in ("model", "quantised", "tree"):
        options = ["--drafter", drafter, "--gamma", "3", "--max-new-tokens", "24", "--json"]
        assert main(["generate", "a <|added 1|> b", *models, *options]) == 0
        report = json.loads(capsys.readouterr().out)
        assert (len(report["tokens"]), report["lossless"]) == (24, True)
    pair = load_pair(target, draft)
    prompt = pair.encode("a <|added 1|> b")
    session = Separately(pair.draft).start_batch(1).start(0, prompt)
    assert session.extend(prompt[:1]).shape == (1, pair.target.vocabulary_size)
    with pytest.raises(ValueError, match=r"this is a Fitted: take Separately\(model\)"):
        Batched(pair.draft)


@pytest.mark.slow
@pytest.mark.parametrize("names", [("plain", "more"), ("more", "plain")])
def test_such_a_pair_is_certified(folders, names, capsys):
    models = [folders[name] for name in names]
    assert main(["certify", "--target", models[0], "--draft", models[1]]) == 0
    assert "verdict: no defect found" in capsys.readouterr().out


def test_an_id_that_means_two_tokens_is_shown(folders, tmp_path):
    draft = str(shutil.copytree(folders["plain"], tmp_path / "draft"))
    path = tmp_path / "draft" / "tokenizer.json"
    path.write_text(path.read_text("utf-8").replace("<|endoftext|>", "<|end|>"), "utf-8")
    with pytest.raises(
        VocabularyMismatch, match=r"^token 0 is '<\|endoftext\|>' in .*/more.* and '<\|end\|>' in"
    ):
        load_pair(folders["more"], draft)
