"""The engines that are compared with, and what transformers offers: its own modes of generation.

The settings of its draft model are read from that model's generation config, not from
the arguments of `generate`.  With scikit-learn installed, which the course does not ask
for, transformers would move the confidence threshold while it decodes.  Left out: static
caches and torch.compile.
"""

import http.client
import json
import os
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Mapping
from contextlib import closing, redirect_stderr, redirect_stdout
from importlib.util import find_spec
from io import StringIO
from pathlib import Path
from runpy import run_module
from tempfile import TemporaryDirectory
from weakref import finalize

import numpy as np
import torch
from safetensors.torch import load_file
from transformers import AutoModelForCausalLM, GenerationConfig
from transformers.utils import logging

from workshop.bench.contenders import GENAI, LLAMA, PLAIN, Contender
from workshop.bench.passages import Passage
from workshop.bench.protocol import Continue, Side, Told

UNTRAINED = {
    "transformers' MTP": "it needs a model with layers for it, and the pair's target has none",
    "transformers' DFlash": "it needs a draft made for it, and the pair has none",
}
INSTALLED = 'pip install --constraint constraints.txt --editable ".[engines]"'


def others(target: str, draft: str, threads: int) -> tuple[dict[str, Side], dict[str, str]]:
    """The other engines that are here, ready to run the pair in float32; and why some are not."""
    found: dict[str, Side] = {}
    absent: dict[str, str] = {}
    program = llama_server()
    if not genai_is_here():
        absent[GENAI] = f"{INSTALLED} gets it"
    if program is None:
        absent[LLAMA] = f"no llama-server on the path or in {SERVER}; CONTRIBUTING.md builds one"
    elif not gguf_is_here():
        absent[LLAMA] = f"{INSTALLED} gets what writes its files"
    makers = {
        GENAI: lambda: Genai(target, draft, threads),
        LLAMA: lambda: LlamaCpp(target, draft, threads, program),
    }
    for who in (name for name in makers if name not in absent):
        try:
            found[who] = makers[who]()
        except (RuntimeError, OSError) as error:  # one that is broken leaves the rest their bench
            absent[who] = f"it does not run: {error}"
    return found, absent


class Competitors:
    """The pair as transformers runs it, in one dtype."""

    def __init__(self, target: str, draft: str, dtype: torch.dtype):
        logging.set_verbosity_error()
        self.target = AutoModelForCausalLM.from_pretrained(target, dtype=dtype).eval()
        self.draft = AutoModelForCausalLM.from_pretrained(draft, dtype=dtype).eval()

    def continuing(self, contender: Contender, temperature: float) -> Continue:
        """Exactly as many tokens as the passage asks for; stop tokens are ignored."""
        sampling = {"do_sample": True, "temperature": temperature, "top_k": 0, "top_p": 1.0}
        mode = sampling if temperature else {"do_sample": False}
        if contender.kind == "lookup":
            mode |= {
                "prompt_lookup_num_tokens": contender.gamma,
                "max_matching_ngram_size": contender.longest,
            }
        draft = self.draft if contender.kind == "model" else None

        def go_on(number: int, passage: Passage) -> Told:
            torch.manual_seed(number)
            if draft:  # set anew each time: others were set since
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
            return Told(output[0, len(passage.prompt) :].tolist())

        return go_on


# --- ONNX Runtime GenAI: the pair in float32, as its own model builder writes it ----------

# In process, with its draft model or its n-grams.  Its sampling keeps all tokens here (its export
# asks for the likeliest 50), so that it draws from the same distribution as the others.

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
    """Each model into a folder of its name, as the builder's command line does: in this process,
    which has read torch, and need not for each model again."""
    given = sys.argv
    for name, source in models.items():
        said = StringIO()
        try:
            sys.argv = [
                "builder", "-p", "fp32", "-e", "cpu", "-i", source,
                "-o", str(home / name), "-c", str(home / "cache" / name),
            ]  # fmt: skip
            with redirect_stdout(said), redirect_stderr(said):
                run_module("onnxruntime_genai.models.builder", run_name="__main__")
        except (Exception, SystemExit) as error:
            why = f"{said.getvalue()} {error}"[-500:]
            raise RuntimeError(f"onnxruntime-genai could not export {source}: {why}") from error
        finally:
            sys.argv = given


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


# --- llama.cpp's server: the pair in float32, a server for each setting -------------------

# It takes how to speculate when it starts and not with a request, so servers stand beside one
# another, and all but one of them wait.  Its keys and values stay float32, its samplers are off.
# Its draft guesses the likeliest token unless it is told to draw ("probabilistic").

SERVER = "LLAMA_SERVER"  # names the program, if it is not on the path
SECONDS = 60  # until a server answers


def llama_server() -> str | None:
    """The program, if it is here; see CONTRIBUTING.md."""
    return shutil.which(os.environ.get(SERVER) or "llama-server")


def gguf_is_here() -> bool:
    """What writes its files."""
    return find_spec("gguf") is not None


class LlamaCpp:
    """The pair as llama.cpp runs it on so many threads."""

    def __init__(self, target: str, draft: str, threads: int, program: str):
        self._folder = TemporaryDirectory()
        self._files = [Path(self._folder.name) / f"{name}.gguf" for name in ("target", "draft")]
        for source, file in zip((target, draft), self._files, strict=True):
            write_gguf(Path(source), file)
        self._program, self._threads = program, threads
        self._servers: dict[tuple, Server] = {}
        self._server(PLAIN[LLAMA])  # does it run?

    def continuing(self, contender: Contender, temperature: float) -> Continue:
        """Exactly as many tokens as the passage asks for."""
        server = self._server(contender)
        return lambda number, passage: server.go_on(number, passage, temperature)

    def _server(self, contender: Contender) -> "Server":
        key = (contender.kind, contender.gamma, contender.longest, contender.guesses)
        if key not in self._servers:
            self._servers[key] = Server(self._command(contender))
        return self._servers[key]

    def _command(self, contender: Contender) -> list[str]:
        target, draft = map(str, self._files)
        n = str(self._threads)
        command = [self._program, "-m", target, "-c", "1024", "-np", "1", "-t", n, "-tb", n]
        command += ["-ctk", "f32", "-ctv", "f32", "-fa", "off", "--no-webui"]
        if contender.kind == "model":  # the type must be named, or the draft is loaded and idle
            command += ["-md", draft, "--spec-type", "draft-simple"]
            command += ["--spec-draft-n-max", str(contender.gamma)]
            command += ["--spec-draft-threads", n, "--spec-draft-threads-batch", n]
            command += ["--spec-draft-type-k", "f32", "--spec-draft-type-v", "f32"]
            command += ["--spec-draft-sampling", contender.guesses]
        elif contender.kind == "lookup":
            command += ["--spec-type", "ngram-simple"]
            command += ["--spec-ngram-simple-size-n", str(contender.longest)]
            command += ["--spec-ngram-simple-size-m", str(contender.gamma)]
        return command


class Server:
    """A running server, on a port of its own.

    Raises:
        RuntimeError: it ended, or does not answer.
    """

    def __init__(self, command: list[str]):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        self._process = subprocess.Popen(
            [*command, "--host", "127.0.0.1", "--port", str(port)],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        self._stop = finalize(self, _ended, self._process)  # at the latest when Python ends
        self._port = port
        end = time.monotonic() + SECONDS
        while not self._answers():
            if self._process.poll() is not None or time.monotonic() > end:
                self._stop()
                raise RuntimeError(f"{command[0]} gave no answer: does it run by itself?")
            time.sleep(0.05)

    def go_on(self, number: int, passage: Passage, temperature: float) -> Told:
        asked = {
            "prompt": list(passage.prompt), "n_predict": passage.new_tokens, "seed": number,
            "temperature": temperature, "samplers": ["temperature"], "top_k": 0, "top_p": 1.0,
            "min_p": 0.0, "repeat_penalty": 1.0, "cache_prompt": False, "return_tokens": True,
        }  # fmt: skip
        told = json.loads(self._said("POST", "/completion", json.dumps(asked)))
        if len(told.get("tokens", ())) != passage.new_tokens:
            raise RuntimeError(f"llama-server did not write {passage.new_tokens} tokens: {told}")
        accepted = told["timings"].get("draft_n_accepted", 0)  # left out where nothing was drafted
        return Told(told["tokens"], passes=passage.new_tokens - accepted)

    def _answers(self) -> bool:
        try:
            return json.loads(self._said("GET", "/health", timeout=5)) == {"status": "ok"}
        except (OSError, http.client.HTTPException, ValueError):
            return False

    def _said(self, method: str, path: str, body: str | None = None, timeout: int = 600) -> bytes:
        """On a line of its own: the server hangs up where nothing is asked for five seconds."""
        line = http.client.HTTPConnection("127.0.0.1", self._port, timeout=timeout)
        with closing(line):
            line.request(method, path, body, {"Content-Type": "application/json"})
            return line.getresponse().read()


def _ended(process: subprocess.Popen) -> None:
    process.terminate()
    try:
        process.wait(SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


_NAMES = {
    "self_attn.q_proj": "attn_q", "self_attn.k_proj": "attn_k", "self_attn.v_proj": "attn_v",
    "self_attn.o_proj": "attn_output", "self_attn.q_norm": "attn_q_norm",
    "self_attn.k_norm": "attn_k_norm", "input_layernorm": "attn_norm",
    "post_attention_layernorm": "ffn_norm", "mlp.gate_proj": "ffn_gate",
    "mlp.up_proj": "ffn_up", "mlp.down_proj": "ffn_down",
    "embed_tokens": "token_embd", "norm": "output_norm", "lm_head": "output",
}  # fmt: skip


def write_gguf(source: Path, file: Path) -> None:
    """Write config.json, model.safetensors and tokenizer.json of `source` as one GGUF file.

    The end token gets another text and kind: llama.cpp knows it by its text and would stop there.
    """
    import gguf

    config = json.loads((source / "config.json").read_text("utf-8"))
    tokenizer = json.loads((source / "tokenizer.json").read_text("utf-8"))["model"]
    size, end = config["vocab_size"], config["eos_token_id"]
    texts = {i: f"[unused {i}]" for i in range(size)}
    texts |= {i: text for text, i in tokenizer["vocab"].items()} | {end: "[end of a text]"}
    writer = gguf.GGUFWriter(file, "qwen3")
    writer.add_context_length(config["max_position_embeddings"])
    writer.add_embedding_length(config["hidden_size"])
    writer.add_block_count(config["num_hidden_layers"])
    writer.add_feed_forward_length(config["intermediate_size"])
    writer.add_head_count(config["num_attention_heads"])
    writer.add_head_count_kv(config["num_key_value_heads"])
    writer.add_key_length(config["head_dim"])
    writer.add_value_length(config["head_dim"])
    writer.add_rope_freq_base(config["rope_parameters"]["rope_theta"])
    writer.add_layer_norm_rms_eps(config["rms_norm_eps"])
    writer.add_vocab_size(size)
    writer.add_tokenizer_model("gpt2")
    writer.add_tokenizer_pre("qwen2")
    writer.add_token_list([texts[i] for i in range(size)])
    writer.add_token_types([gguf.TokenType.NORMAL] * size)
    writer.add_token_merges([" ".join(pair) for pair in tokenizer["merges"]])
    writer.add_eos_token_id(tokenizer["vocab"][NEVER])
    writer.add_pad_token_id(tokenizer["vocab"][NEVER])
    writer.add_add_bos_token(False)
    for name, weight in load_file(source / "model.safetensors").items():
        writer.add_tensor(_name(name), weight.float().numpy().astype(np.float32))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def _name(name: str) -> str:
    """ "model.layers.3.mlp.up_proj.weight" -> "blk.3.ffn_up.weight" """
    inside = name.removeprefix("model.").removesuffix(".weight")
    if not inside.startswith("layers."):
        return f"{_NAMES[inside]}.weight"
    _, layer, part = inside.split(".", 2)
    return f"blk.{layer}.{_NAMES[part]}.weight"
