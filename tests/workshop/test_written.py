"""A head that learns from its target's text, on a tiny random Llama."""

import json
from dataclasses import replace

import pytest
import torch
from safetensors.torch import load_file
from transformers import AutoTokenizer

from course_utils.models.names import DATA
from course_utils.models.qwen3.readable import Qwen3
from course_utils.models.trained_heads import WEIGHTS, load_head
from tests.conftest import random_llama
from tests.workshop.test_training import Killed, dying
from workshop.training import manifest, written_text
from workshop.training.recipes import WRITTEN, TiedRecipe
from workshop.training.written_stage import train_on_written

TEMPLATE = "{% for m in messages %}<|endoftext|>{{ m.role }}\n{{ m.content }}\n{% endfor %}"
FEW = replace(WRITTEN, tokens=640, batch_tokens=64, length=32, written=128, texts=4)
TIED = TiedRecipe(2, 0.8, aux_layers=(1, 2), draft_vocabulary=64)


@pytest.fixture
def llama(tmp_path):
    model = random_llama(2, seed=0)
    model.lm_head.weight = model.model.embed_tokens.weight
    model.config.tie_word_embeddings = True
    model.save_pretrained(tmp_path / "llama")
    tokenizer = AutoTokenizer.from_pretrained(DATA / "target")
    tokenizer.chat_template = TEMPLATE
    tokenizer.save_pretrained(tmp_path / "llama")
    return model


def test_what_is_stored_of_a_text_is_what_transformers_has_of_it(llama):
    model = Qwen3.from_transformers(llama)
    written = written_text.write(model, [0, 5, 7], [[3], [4, 2]], FEW, (1, 2), 1)
    tokens = written["tokens"].long()
    assert (tokens[:, :3] == torch.tensor([0, 5, 7])).all()
    assert len(tokens.unique(dim=0)) == FEW.texts
    assert all(text[3] == 3 or text[3:5].tolist() == [4, 2] for text in tokens)
    with torch.no_grad():
        expected = llama(tokens, output_hidden_states=True)
    logits, first = expected.logits, expected.hidden_states[1]
    torch.testing.assert_close(written["log_sum_exp"], logits.logsumexp(-1), atol=1e-3, rtol=0)
    torch.testing.assert_close(written["states"][0].float(), first, atol=1e-3, rtol=2**-8)


@pytest.mark.filterwarnings("ignore")
def test_a_stage_that_is_killed_as_it_writes_ends_with_the_same_head(tmp_path, llama, monkeypatch):
    source, options = tmp_path / "llama", {"recipe": TIED, "checkpoint_seconds": 0.0}
    train_on_written(tmp_path / "whole", source, FEW, **options)
    with monkeypatch.context() as patch:
        patch.setattr(manifest, "make", dying(manifest.make, 1))
        with pytest.raises(Killed):
            train_on_written(tmp_path / "killed", source, FEW, **options)
    train_on_written(tmp_path / "killed", source, FEW, **options)
    heads = [load_head(tmp_path / name / "smollm2", llama) for name in ("whole", "killed")]
    expected, actual = (head.state_dict() for head in heads)
    assert all(torch.equal(expected[name], tensor) for name, tensor in actual.items())
    assert "lm_head.weight" not in load_file(tmp_path / "whole" / "smollm2" / WEIGHTS)
    *_, last = map(json.loads, (tmp_path / "killed" / "smollm2_log.jsonl").open())
    assert last["tokens"] == FEW.tokens
    assert 0 < last["smollm2_alpha_2"] < 1
