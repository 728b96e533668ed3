"""ONNX Runtime GenAI as a competitor: the pair in float32, as its own model builder writes it.

In process, with its draft model or its n-grams.  Its sampling keeps all tokens here (its export
asks for the likeliest 50), so that it draws from the same distribution as the others.
"""

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory

from course_utils.measuring.contenders import Contender
from course_utils.measuring.passages import Passage
from course_utils.measuring.protocol import Continue, Told

# The engine stops at the end token and has no switch for that: so the end is said to be the byte
# FF of a byte-level vocabulary, which is in no UTF-8 text.
NEVER = "\u00ff"
WANTED = ("onnxruntime_genai", "onnx_ir")  # `pip install ".[engines]"`


def genai_is_here() -> bool:
    return all(find_spec(module) is not None for module in WANTED)


class Genai:
    """The pair as ONNX Runtime GenAI runs it on so many threads."""

    def __init__(self, target: str, draft: str, threads: int):
        self._folder = TemporaryDirectory()
        home = Path(self._folder.name)
        _export({"target": target, "draft": draft}, home)
        _join(home)
        self._alone = _loaded(home, "target", ("decoder",), threads)
        self._pair = _loaded(home, "pair", ("decoder", "draft"), threads)

    def continuing(self, contender: Contender, temperature: float) -> Continue:
        """Exactly as many tokens as the passage asks for."""
        import onnxruntime_genai

        model = self._pair if contender.kind == "model" else self._alone
        options = {} if contender.longest is None else {"ngram_size": contender.longest + 1}

        def go_on(number: int, passage: Passage) -> Told:
            params = onnxruntime_genai.GeneratorParams(model)
            params.set_search_options(
                # with room for guesses beyond the last token: else the last rounds guess less
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
            stats = generator.get_speculative_stats()
            passes = stats["target_forward_passes"] + stats["standard_fallback_steps"]
            return Told([int(token) for token in text], passes=passes if contender.gamma else None)

        return go_on


def _export(models: Mapping[str, str], home: Path) -> None:
    """Each model into a folder of its name, at once."""
    builder = [sys.executable, "-m", "onnxruntime_genai.models.builder", "-p", "fp32", "-e", "cpu"]
    running = {
        name: subprocess.Popen(
            [*builder, "-i", source, "-o", str(home / name), "-c", str(home / "cache" / name)],
            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
        )
        for name, source in models.items()
    }  # fmt: skip
    said = {name: process.communicate()[1] for name, process in running.items()}
    for name, process in running.items():
        if process.returncode:
            why = said[name][-500:]
            raise RuntimeError(f"onnxruntime-genai could not export {models[name]}: {why}")


def _join(home: Path) -> None:
    """A folder "pair" of both exports, which draft and verify."""
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
