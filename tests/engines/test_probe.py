"""`probe` asks the engine that runs it: here a stand-in for vllm with the same few names."""

import re
import sys
from pathlib import Path

import pytest

from course_utils.engines import probe
from course_utils.engines.probed import Check, EngineUnavailable, probed

FAKE = {
    "vllm/__init__.py": "__version__ = '9.9'\n",
    "vllm/old_module.py": "",
    "vllm/engine/arg_utils.py": """
        import importlib.util
        import logging
        from dataclasses import dataclass
        from functools import cache
        from types import SimpleNamespace as Made
        from vllm.utils.import_utils import _has_module

        class Invalid(ValueError):
            def errors(self):
                return [{"loc": ("colour",), "msg": "Unexpected keyword argument"}]

        @dataclass
        class EngineArgs:
            model: str
            speculative_config: dict = None
            tensor_parallel_size: int = 1

            def create_engine_config(self):
                split = Made(tensor_parallel_size=self.tensor_parallel_size,
                             pipeline_parallel_size=1, world_size=self.tensor_parallel_size)
                target = Made(architectures=["Qwen3ForCausalLM"])
                given, spec = self.speculative_config, None
                if given is not None:
                    if "colour" in given:
                        raise Invalid("1 validation error for SpeculativeConfig")
                    if given["method"] == "suffix" and not _has_module("json.tool"):
                        raise ImportError("json.tool is required\\nread the manual")
                    if given["method"] == "draft_model" and "model" not in given:
                        raise ValueError(f"no draft for {self.model}, see /etc/x/draft.yaml")
                    draft = Made(architectures=["Qwen3ForCausalLM"],
                                 uses_mrope=given.get("mrope", False), hf_config=Made(n_predict=2))
                    spec = Made(method=given["method"], num_speculative_tokens=5,
                                draft_model_config=draft,
                                draft_parallel_config=Made(
                                    tensor_parallel_size=given.get("draft", 1),
                                    pipeline_parallel_size=1),
                                target_parallel_config=split)
                    logging.getLogger("vllm.config").warning("speculation is on\\nsecond line")
                    logging.getLogger("vllm.config").warning("the weather is fine")
                return Made(model_config=target, parallel_config=split, speculative_config=spec)
    """,
    "vllm/utils/import_utils.py": """
        import importlib.util
        from functools import cache

        @cache
        def _has_module(name):
            return importlib.util.find_spec(name) is not None
    """,
    "vllm/utils/argparse_utils.py": """
        from argparse import ArgumentParser as FlexibleArgumentParser
    """,
    "vllm/entrypoints/launchers/cli_args.py": """
        import json
        def make_arg_parser(parser):
            parser.add_argument("model_tag", nargs="?")
            parser.add_argument("--spec-tokens", type=int)
            parser.add_argument("--speculative-config", type=json.loads)
            return parser
    """,
    "vllm/config/speculative.py": """
        from typing import Literal
        class SpeculativeConfig:
            method: Literal["ngram", "suffix"] | None = None
            num_speculative_tokens: int = 0
            target_model_config: object = None
    """,
    "vllm/v1/spec_decode/draft_model.py": """
        class DraftModelProposer:
            def _raise_if_draft_tp_mismatch(self):
                spec = self.speculative_config
                ours = spec.draft_parallel_config.tensor_parallel_size
                if ours != spec.target_parallel_config.tensor_parallel_size:
                    raise ValueError("must be the same")
            def _raise_if_mrope(self):
                if self.draft_model_config.uses_mrope:
                    raise NotImplementedError("no M-RoPE")
    """,
    "vllm/transformers_utils/config.py": """
        import json, pathlib
        def get_config(folder, trust_remote_code):
            return json.loads((pathlib.Path(folder) / "config.json").read_text())
        def uses_mrope(config):
            return "mrope_section" in config.get("rope_scaling", {})
    """,
}


def install(folder: Path, files=FAKE):
    """A package named vllm below `folder`."""
    from textwrap import dedent

    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(dedent(text).lstrip())
    return str(folder)


@pytest.fixture
def asked(tmp_path, monkeypatch):
    """Put (name, way, given) lines to the stand-in; the results by name."""
    monkeypatch.setenv("PYTHONPATH", install(tmp_path / "fake"))

    def ask(*lines):
        return probed(sys.executable, checks=[Check(*line) for line in lines])

    return ask


DRAFT = {"method": "draft_model", "model": "model:draft"}


def test_what_is_accepted_and_what_is_refused_with_its_first_line(asked):
    target = {"model": "model:target"}
    record = asked(
        ("gone", "import", "vllm.new_module"),
        ("there", "import", "vllm.old_module"),
        ("keyword", "keywords", {**target, "draft_model": "model:draft"}),
        ("plain", "configuration", target),
        ("key", "configuration", {**target, "speculative_config": {"colour": 1}}),
        ("no draft", "configuration", {**target, "speculative_config": {"method": "draft_model"}}),
        ("flag", "serve", ["model:target", "--draft-model-id", "model:draft"]),
        ("tokens", "serve", ["model:target", "--spec-tokens", "4"]),
    )
    assert {name: record[name].result for name in ("gone", "there", "plain", "tokens")} == {
        "gone": "refused", "there": "accepted", "plain": "accepted", "tokens": "accepted"
    }  # fmt: skip
    assert record["gone"].error == "ModuleNotFoundError: No module named 'vllm.new_module'"
    assert record["keyword"].error.endswith("got an unexpected keyword argument 'draft_model'")
    assert record["key"].error == "Invalid: colour: Unexpected keyword argument"
    assert record["flag"].error == "SystemExit: unrecognized arguments: --draft-model-id draft"
    assert record["no draft"].error == "ValueError: no draft for target, see draft.yaml"
    assert record["tokens"].became == {"spec_tokens": 4}
    assert record.engine["vllm"] == "9.9"
    with pytest.raises(KeyError, match="no check 'else' in the record; it has"):
        record["else"]
    assert record["plain"].became["architecture"] == "Qwen3ForCausalLM"
    assert "method" not in record["plain"].became


def test_a_configuration_says_what_became_of_it_and_which_warnings_were_about_speculation(asked):
    given = {"model": "model:target", "speculative_config": DRAFT, "tensor_parallel_size": 2}
    record = asked(("split", "configuration", given))
    assert record["split"].became == {
        "architecture": "Qwen3ForCausalLM",
        "tensor_parallel": 2,
        "pipeline_parallel": 1,
        "processes": 2,
        "method": "draft_model",
        "num_speculative_tokens": 5,
        "draft_architecture": "Qwen3ForCausalLM",
        "draft_n_predict": 2,
        "draft_tensor_parallel": 1,
        "draft_pipeline_parallel": 1,
    }
    assert record["split"].warnings == ("speculation is on",)


def test_what_the_configuration_takes_and_the_drafter_does_not(asked):
    split = {"model": "model:target", "speculative_config": DRAFT, "tensor_parallel_size": 2}
    pictures = {"model": "model:target", "speculative_config": {**DRAFT, "mrope": True}}
    record = asked(
        ("taken", "configuration", split),
        ("split", "started", split),
        ("mrope", "started", pictures),
        ("vision", "drafted by", "model:Qwen2.5-VL-3B"),
        ("text", "drafted by", "model:Qwen2.5-3B"),
    )
    assert record["taken"].accepted
    assert record["split"].error == "ValueError: must be the same"
    assert record["mrope"].error == record["vision"].error == "NotImplementedError: no M-RoPE"
    assert record["text"].became == {"uses_mrope": False}


def test_a_package_is_hidden_for_one_check_only(asked):
    given = {"model": "model:target", "speculative_config": {"method": "suffix"}}
    record = asked(
        ("before", "configuration", given),
        ("without", "without", {"package": "json.tool", **given}),
        ("after", "configuration", given),
    )
    assert record["before"].accepted
    assert record["after"].accepted
    assert record["without"].error == "ImportError: json.tool is required"


def test_the_keys_of_the_configuration_and_their_values(asked):
    became = asked(("keys", "keys", "method colour"))["keys"].became
    assert became == {
        "keys": ["method", "num_speculative_tokens"],
        "values": {"method": ["ngram", "suffix"]},
    }


def test_no_engine_answers(tmp_path, monkeypatch):
    check = [Check("there", "import", "vllm.old_module")]
    with pytest.raises(EngineUnavailable, match="make engine"):
        probed(tmp_path / "python", checks=check)
    broken = {"vllm/__init__.py": "raise ImportError('libengine.so is missing')"}
    monkeypatch.setenv("PYTHONPATH", install(tmp_path / "broken", broken))
    with pytest.raises(EngineUnavailable, match=r"libengine\.so is missing"):
        probed(sys.executable, checks=check)
    slow = {"vllm/__init__.py": "import time; time.sleep(60)"}
    monkeypatch.setenv("PYTHONPATH", install(tmp_path / "slow", slow))
    with pytest.raises(EngineUnavailable, match="said nothing for 1 s"):
        probed(sys.executable, checks=check, seconds=1)


def test_the_courses_own_modules_do_not_come_before_the_engines(asked):
    """`course_utils/engines` holds a `client.py`: an engine that imports its own must get that."""
    record = asked(("ours", "import", "counters"))
    assert record["ours"].error == "ModuleNotFoundError: No module named 'counters'"


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("see /usr/lib/python3/site/engine.py:7", "see engine.py:7"),
        ("'/home/me/models/target/config.json' is empty", "'target/config.json' is empty"),
        ("Qwen/Qwen3-8B or a/b/c", "Qwen/Qwen3-8B or a/b/c"),
        ("1 / 2", "1 / 2"),
    ],
)
def test_paths_lose_their_folders(text, left):
    assert probe.without_folders(text, {"target": "/home/me/models/target"}) == left


def test_the_probe_needs_the_standard_library_only():
    lines = Path(probe.__file__).read_text().splitlines()
    imports = [line.split()[1] for line in lines if re.match(r" *(import|from) [a-z]", line)]
    assert imports
    assert {name.split(".")[0] for name in imports} <= sys.stdlib_module_names
