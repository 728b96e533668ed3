"""Speculative decoding: one loop, its rules, drafters and models, and a course that runs them::

    from course_utils import load_pair

    pair = load_pair("tiny")  # or two folders or hub ids: load_pair("path/target", "path/draft")
    for piece in pair.write("class Stack:"):
        print(piece, end="")

`Pair.write` goes from text to text.  Below it, from tokens to rounds, is `generate`, with any
model and any drafter of yours: `decoding/contracts.py` says what they promise, on a page::

 notebooks, commands                   compose a model + a drafter + a rule; import all below
     |
 lessons                               a room a lesson: its checks, figures, quiz, own scenes
     |
 writing                               from a prompt to a text; everything by its name
     |
 proofs, measuring,                    exactness and bugs; seconds; how data/ was made;
 training, engines                     losses and recipes; what servers say
     |
 classroom                             the kit of every lesson and of none: pictures, tables,
     |             |                   exercises, questions, scenes (drawn by `stage/`)
     |         drafters --> models     guesses | character toy, n-grams, Qwen3
     v             v           v
 ---------------  decoding  ----------   the loop, the rules, the theory: NumPy only

Arrows point down only, no lesson imports another, and the classroom knows no model:
import-linter holds that.  The settings of a run are given once, to `generate(sampling=...)`; whole
rows of p and q are yielded with `generate(..., rows=True)`, else only their numbers at a round's
own tokens.  The names below are imported when they are first used, so that a toy loads no torch.
"""

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
    from course_utils.drafters.named import DRAFTERS
    from course_utils.drafters.sampled import Sampled
    from course_utils.drafters.suffix import SuffixLookup
    from course_utils.pairs import Pair, load_pair
    from course_utils.writing import Writing

_MODULES = {
    "decoding.batch": ("generate_batch",),
    "decoding.contracts": ("NO_DRAFT", "Draft", "Drafter", "LanguageModel", "Round"),
    "decoding.loop": ("generate",),
    "decoding.metrics": ("emitted_tokens", "summarise"),
    "decoding.rules": ("BLOCK", "RULES", "TOKEN_WISE", "TREE_RULES"),
    "decoding.sampling": ("GREEDY", "Sampling"),
    "drafters.lookup": ("PromptLookup",),
    "drafters.named": ("DRAFTERS",),
    "drafters.sampled": ("Sampled",),
    "drafters.suffix": ("SuffixLookup",),
    "pairs": ("Pair", "load_pair"),
    "writing": ("Writing",),
}

__all__ = [
    "BLOCK",
    "DRAFTERS",
    "GREEDY",
    "NO_DRAFT",
    "RULES",
    "TOKEN_WISE",
    "TREE_RULES",
    "Draft",
    "Drafter",
    "LanguageModel",
    "Pair",
    "PromptLookup",
    "Round",
    "Sampled",
    "Sampling",
    "SuffixLookup",
    "Writing",
    "emitted_tokens",
    "generate",
    "generate_batch",
    "load_pair",
    "summarise",
]


def __getattr__(name: str) -> object:
    for module, names in _MODULES.items():
        if name in names:
            return getattr(import_module(f"{__name__}.{module}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
