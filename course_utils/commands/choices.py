"""What several commands let one choose: a pair, a drafter, the number of threads."""

import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path

import torch

from course_utils.decoding.contracts import Drafter, LanguageModel
from course_utils.decoding.sampling import Sampling
from course_utils.drafters.lookup import PromptLookup
from course_utils.drafters.sampled import Sampled
from course_utils.models.pairs import PAIRS

DrafterFactory = Callable[[LanguageModel, Sampling], Drafter | None]

DRAFTERS: dict[str, DrafterFactory] = {
    "none": lambda model, sampling: None,
    "model": Sampled,
    "lookup": lambda model, sampling: PromptLookup(),
}


def pair_names(target: str | None, draft: str | None, drafter: str) -> tuple[str, str | None]:
    """Which models to load: (target or the trained pair's, draft or None).

    Raises:
        ValueError: a drafter that needs a draft model, and none is known.
    """
    default_target, default_draft = PAIRS.get(target or "tiny", (target, None))
    if drafter in ("none", "lookup"):
        return default_target, draft
    if not (draft or default_draft):
        raise ValueError(
            f"no draft model is known for {target}: name one with --draft, "
            "or choose --drafter lookup or none"
        )
    return default_target, draft or default_draft


def drafter_factory(name: str) -> DrafterFactory:
    """A drafter of the course, or yours: MODULE:NAME, called with (draft model, sampling).

    The module is looked for in the current folder first.

    Raises:
        ValueError: no such drafter, module or name.
    """
    if name in DRAFTERS:
        return DRAFTERS[name]
    module, colon, attribute = name.partition(":")
    if not colon:
        raise ValueError(
            f"drafter is {name!r}; choose {', '.join(DRAFTERS)}, or MODULE:NAME for your own"
        )
    if str(Path.cwd()) not in sys.path:
        sys.path.insert(0, str(Path.cwd()))
    try:
        return getattr(import_module(module), attribute)
    except (ImportError, AttributeError) as error:
        raise ValueError(f"there is no drafter {name}: {error}") from error


def set_threads(threads: int | None) -> None:
    """None leaves torch's own choice.

    Raises:
        ValueError: fewer than one.
    """
    if threads is None:
        return
    if threads < 1:
        raise ValueError(f"threads is {threads}; give at least 1")
    torch.set_num_threads(threads)
