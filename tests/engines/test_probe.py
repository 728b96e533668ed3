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

            def create_engine_config(self):
                target = Made(architectures=["Qwen3ForCausalLM"])
                given, spec = self.speculative_config, None
                if given is not None:
                    if "colour" in given:
                        raise Invalid("1 validation error for SpeculativeConfig")
                    if given["method"] == "suffix" and not _has_module("json.tool"):
                        raise ImportError("json.tool is required\\nread the manual")
                    if given["method"] == "draft_model" and "model" not in given:
                        raise ValueError(f"no draft for {self.model}, see /etc/x/draft.yaml")
                    spec = Made(method=given["method"], num_speculative_tokens=5)
                    logging.getLogger("vllm.config").warning("speculation is on\\nsecond line")
                    logging.getLogger("vllm.config").warning("the weather is fine")
                return Made(model_config=target, speculative_config=spec)
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


TARGET = {"model": "model:target"}
DRAFT = {"method": "draft_model", "model": "model:draft"}
SUFFIX = TARGET | {"speculative_config": {"method": "suffix"}}
# name: way, what is given, and what is said: an error, or parts of what became of it
LINES = {
    "gone": ("import", "vllm.new_module",
             "ModuleNotFoundError: No module named 'vllm.new_module'"),
    "there": ("import", "vllm.old_module", {}),
    # `course_utils/engines` holds a counters.py: an engine that imports its own must get that
    "ours": ("import", "counters", "ModuleNotFoundError: No module named 'counters'"),
    "keyword": ("keywords", TARGET | {"draft_model": "model:draft"},
                "got an unexpected keyword argument 'draft_model'"),
    "plain": ("configuration", TARGET, {"architecture": "Qwen3ForCausalLM"}),
    "key": ("configuration", TARGET | {"speculative_config": {"colour": 1}},
            "Invalid: colour: Unexpected keyword argument"),
    "no draft": ("configuration", TARGET | {"speculative_config": {"method": "draft_model"}},
                 "ValueError: no draft for target, see draft.yaml"),
    "flag": ("serve", ["model:target", "--draft-model-id", "model:draft"],
             "SystemExit: unrecognized arguments: --draft-model-id draft"),
    "tokens": ("serve", ["model:target", "--spec-tokens", "4"], {"spec_tokens": 4}),
    "pair": ("configuration", TARGET | {"speculative_config": DRAFT}, {
        "method": "draft_model", "num_speculative_tokens": 5, "architecture": "Qwen3ForCausalLM",
    }),
    "vision": ("drafted by", "model:Qwen2.5-VL-3B", "NotImplementedError: no M-RoPE"),
    "text": ("drafted by", "model:Qwen2.5-3B", {"uses_mrope": False}),
    # a package is hidden for one check only
    "before": ("configuration", SUFFIX, {"method": "suffix"}),
    "without": ("without", SUFFIX | {"package": "json.tool"},
                "ImportError: json.tool is required"),
    "after": ("configuration", SUFFIX, {"method": "suffix"}),
    "keys": ("keys", "method colour", {
        "keys": ["method", "num_speculative_tokens"], "values": {"method": ["ngram", "suffix"]},
    }),
}  # fmt: skip


@pytest.fixture(scope="module")
def record(tmp_path_factory):
    """What the stand-in says to all lines."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", install(tmp_path_factory.mktemp("fake")))
        checks = [Check(name, way, given) for name, (way, given, _) in LINES.items()]
        return probed(sys.executable, checks=checks)


@pytest.mark.parametrize("name", LINES)
def test_what_is_accepted_and_what_is_refused_with_its_first_line(record, name):
    said = LINES[name][2]
    if isinstance(said, str):
        assert not record[name].accepted
        assert record[name].error.endswith(said)
    else:
        assert record[name].accepted
        assert said.items() <= record[name].became.items()


def test_a_record_holds_the_version_the_warnings_about_speculation_and_no_more(record):
    assert record.engine["vllm"] == "9.9"
    assert record["pair"].warnings == ("speculation is on",)
    assert "method" not in record["plain"].became
    with pytest.raises(KeyError, match="no check 'else' in the record; it has"):
        record["else"]


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
