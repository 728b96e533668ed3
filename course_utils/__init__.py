"""Speculative decoding: one loop, its rules, drafters and models, and a course that runs them::

    from course_utils import load_pair

    pair = load_pair("tiny")  # or two folders or hub ids: load_pair("path/target", "path/draft")
    for piece in pair.write("class Stack:"):
        print(piece, end="")

`Pair.write` maps text to text.  One level below, `generate` maps tokens to rounds, with any model
and any drafter, your own included; `decoding/contracts.py` defines what they must provide::

 notebooks, commands                  combine a model, a drafter and a rule; import all below
     |
 lessons                              one folder per lesson: checks, figures, questions, scenes
     |
 classroom                            tools of all lessons: exercises, questions, pictures,
     |                                tables, scenes (drawn by `stage/`)
 proofs                               enumeration, bugs, certificates, audits
     |
 writing                              from a prompt to a text; a pair of models by its name
     |
 measuring, training, engines         timing; losses and recipes; published and live servers
     |
 drafters --> theory --> models       guesses | speedup, estimators | characters, n-grams, Qwen3
     v           v         v
 ------------  decoding  ---------    the loop, the rules, sampling: NumPy only

Arrows point down only, no lesson imports another, and the classroom imports no model;
import-linter enforces this.  The sampling settings are passed once, to `generate(sampling=...)`.
Rounds carry p and q at their own tokens only; `generate(..., rows=True)` yields whole rows.
The names below are imported on first use, so that a toy model does not load torch.
"""

import os
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from course_utils.decoding.batch import generate_batch
    from course_utils.decoding.contracts import NO_DRAFT, Draft, Drafter, LanguageModel, Round
    from course_utils.decoding.loop import generate
    from course_utils.decoding.metrics import emitted_tokens, summarise
    from course_utils.decoding.rules import BLOCK, RULES, TOKEN_WISE, TREE_RULES
    from course_utils.decoding.sampling import GREEDY, Sampling
    from course_utils.drafters.lookup import PromptLookup
    from course_utils.drafters.registry import DRAFTERS
    from course_utils.drafters.sampled import Sampled
    from course_utils.drafters.suffix import SuffixLookup
    from course_utils.writing.writing import Pair, Writing, load_pair

__version__ = "0.1.0"

# ONNX Runtime and the hub's client read these when they are imported, always after this package.
for _name in ("ORT_DISABLE_TELEMETRY", "HF_HUB_DISABLE_TELEMETRY"):
    os.environ.setdefault(_name, "1")

_MODULES = {
    "decoding.batch": ("generate_batch",),
    "decoding.contracts": ("NO_DRAFT", "Draft", "Drafter", "LanguageModel", "Round"),
    "decoding.loop": ("generate",),
    "decoding.metrics": ("emitted_tokens", "summarise"),
    "decoding.rules": ("BLOCK", "RULES", "TOKEN_WISE", "TREE_RULES"),
    "decoding.sampling": ("GREEDY", "Sampling"),
    "drafters.lookup": ("PromptLookup",),
    "drafters.registry": ("DRAFTERS",),
    "drafters.sampled": ("Sampled",),
    "drafters.suffix": ("SuffixLookup",),
    "writing.writing": ("Pair", "Writing", "load_pair"),
}

__all__ = sorted(name for names in _MODULES.values() for name in names)


def __getattr__(name: str) -> object:
    for module, names in _MODULES.items():
        if name in names:
            return getattr(import_module(f"{__name__}.{module}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
