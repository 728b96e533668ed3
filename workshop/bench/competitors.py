"""The engines that the course is compared with: transformers' modes, ONNX Runtime GenAI.

transformers reads the settings of its draft model from that model's generation config, not from
the arguments of `generate`.  With scikit-learn installed, which the course does not require, it
would adapt the confidence threshold while it decodes.  Left out: static caches and torch.compile;
MTP and DFlash, which need special models.
"""

import json
import os
import sys
from collections.abc import Mapping
from contextlib import redirect_stderr, redirect_stdout
from importlib.util import find_spec
from io import StringIO
from pathlib import Path
from runpy import run_module
from tempfile import TemporaryDirectory

import torch
from transformers import AutoModelForCausalLM, GenerationConfig
from transformers.utils import logging

from workshop.bench.contenders import Contender
from workshop.bench.passages import Passage
from workshop.bench.runs import Continue, Run


class Transformers:
    """The pair as transformers runs it, in one dtype."""

    def __init__(self, target: str, draft: str, dtype: torch.dtype):
        logging.set_verbosity_error()
        self.target = AutoModelForCausalLM.from_pretrained(target, dtype=dtype).eval()
        self.draft = AutoModelForCausalLM.from_pretrained(draft, dtype=dtype).eval()

    def continuing(self, contender: Contender, temperature: float) -> Continue:
        """Write exactly the passage's number of tokens; ignore stop tokens."""
        sampling = {"do_sample": True, "temperature": temperature, "top_k": 0, "top_p": 1.0}
        mode = sampling if temperature else {"do_sample": False}
        if contender.kind == "lookup":
            mode |= {
                "prompt_lookup_num_tokens": contender.gamma,
                "max_matching_ngram_size": contender.longest,
            }
        draft = self.draft if contender.kind == "model" else None

        def go_on(number: int, passage: Passage) -> Run:
            torch.manual_seed(number)
            if draft:  # set each time, because other contenders have changed it
                settings = draft.generation_config
                settings.num_assistant_tokens = contender.gamma
                settings.num_assistant_tokens_schedule = contender.schedule
                settings.assistant_confidence_threshold = contender.threshold
            ids = torch.tensor([passage.prompt])
            output = self.target.generate(
                ids,
                attention_mask=torch.ones_like(ids),
                generation_config=GenerationConfig(
                    max_new_tokens=passage.new_tokens, pad_token_id=0, **mode
                ),
                assistant_model=draft,
            )
            return Run(passage, output[0, len(passage.prompt) :].tolist())

        return go_on


# --- ONNX Runtime GenAI: the pair in float32, exported by its model builder ----------------

# In process, with its draft model or its n-grams.  Its sampling keeps all tokens here (its export
# would keep the likeliest 50), so that it draws from the same distribution as the others.

# The engine always stops at the end token, so that is set to the byte FF of the byte-level
# vocabulary, which never occurs in UTF-8.
NEVER = "\u00ff"


def genai_is_here() -> bool:
    """Return whether the packages of `pip install ".[engines]"` are installed."""
    return all(find_spec(module) is not None for module in ("onnxruntime_genai", "onnx_ir"))


class Genai:
    """The pair as ONNX Runtime GenAI runs it on `threads` threads."""

    def __init__(self, target: str, draft: str, threads: int):
        self._folder = TemporaryDirectory()
        home = Path(self._folder.name)
        _export({"target": target, "draft": draft}, home)
        _join(home)
        self._alone = _loaded(home, "target", ("decoder",), threads)
        self._pair = _loaded(home, "pair", ("decoder", "draft"), threads)

    def continuing(self, contender: Contender, temperature: float) -> Continue:
        """Write exactly the passage's number of tokens."""
        import onnxruntime_genai

        model = self._pair if contender.kind == "model" else self._alone
        options = {} if contender.longest is None else {"ngram_size": contender.longest + 1}

        def go_on(number: int, passage: Passage) -> Run:
            params = onnxruntime_genai.GeneratorParams(model)
            params.set_search_options(
                # with room for guesses beyond the last token; else the last rounds guess less
                max_length=len(passage.prompt) + passage.new_tokens + (contender.gamma or 0) + 1,
                min_length=0, do_sample=temperature > 0, temperature=temperature or 1.0,
                top_k=0, top_p=1.0, repetition_penalty=1.0, random_seed=number + 1,
            )  # fmt: skip
            if contender.gamma:
                params.set_speculative_options(max_draft_tokens=contender.gamma, **options)
            generator = onnxruntime_genai.Generator(model, params)
            generator.append_tokens(list(passage.prompt))
            for _ in range(passage.new_tokens):
                generator.generate_next_token()
            text = generator.get_sequence(0)[len(passage.prompt) :]
            if len(text) != passage.new_tokens:
                raise RuntimeError(f"it wrote {len(text)} tokens instead of {passage.new_tokens}")
            return Run(passage, [int(token) for token in text])

        return go_on


def _export(models: Mapping[str, str], home: Path) -> None:
    """Export each model into a folder of its name, as the builder's command line does, but in
    this process, which has already loaded torch."""
    arguments = sys.argv
    for name, source in models.items():
        output = StringIO()
        try:
            sys.argv = [
                "builder", "-p", "fp32", "-e", "cpu", "-i", source,
                "-o", str(home / name), "-c", str(home / "cache" / name),
            ]  # fmt: skip
            with redirect_stdout(output), redirect_stderr(output):
                run_module("onnxruntime_genai.models.builder", run_name="__main__")
        except (Exception, SystemExit) as error:
            why = f"{output.getvalue()} {error}"[-500:]
            raise RuntimeError(f"onnxruntime-genai could not export {source}: {why}") from error
        finally:
            sys.argv = arguments


def _join(home: Path) -> None:
    """Create the folder "pair" from both exports."""
    target, draft = (
        json.loads((home / name / "genai_config.json").read_text("utf-8"))
        for name in ("target", "draft")
    )
    target["model"]["draft"] = draft["model"]["decoder"]
    (home / "pair").mkdir()
    for name, key in (("target", "decoder"), ("draft", "draft")):
        target["model"][key]["filename"] = f"{name}/model.onnx"
        os.symlink(home / name, home / "pair" / name)
    (home / "pair" / "genai_config.json").write_text(json.dumps(target), "utf-8")


def _loaded(home: Path, name: str, parts: tuple[str, ...], threads: int):
    import onnxruntime_genai

    vocabulary = json.loads((home / "target" / "tokenizer.json").read_text("utf-8"))["model"]
    settings = {"session_options": {"intra_op_num_threads": threads}}
    config = onnxruntime_genai.Config(str(home / name))
    end = {"eos_token_id": vocabulary["vocab"][NEVER]}
    config.overlay(json.dumps({"model": end | dict.fromkeys(parts, settings)}))
    return onnxruntime_genai.Model(config)
