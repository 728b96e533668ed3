"""Options shared by several commands: a pair and its loading, a rule, the sampling, a seed."""

import os
from argparse import ArgumentParser, Namespace, _ActionsContainer
from dataclasses import replace

from course_utils.decoding.sampling import Sampling
from course_utils.decoding.whole_numbers import whole_number
from course_utils.drafters.registry import DRAFT, DRAFTERS, INT8
from course_utils.models.causes import check_loadable
from course_utils.models.names import AUTO, DTYPES, FOUR_BIT, ONNX, PAIRS, READABLE, model_names
from course_utils.plugins import is_plugin


def add_pair(parser: ArgumentParser) -> None:
    """Add the options that name a pair and a drafter, then those of `add_loading`."""
    parser.add_argument("--target", help=f"folder, hub id, or {' or '.join(PAIRS)} (default tiny)")
    parser.add_argument("--draft", help="folder or hub id of the draft model")
    parser.add_argument(
        "--drafter",
        help=f"{', '.join(DRAFTERS)}, or MODULE:NAME, called with (draft model) (default: model; "
        "lookup for a named pair without a draft)",
    )
    add_loading(parser)


def add_loading(parser: ArgumentParser) -> None:
    """Add the options for loading a pair: format, device and number of threads."""
    parser.add_argument(
        "--form",
        choices=(AUTO, READABLE, ONNX, FOUR_BIT),
        default=AUTO,
        help="form of a Qwen3: lesson 07's readable one, or ONNX Runtime's on a CPU, in float32 or "
        "with four-bit weights",
    )
    parser.add_argument("--dtype", default=AUTO, choices=(AUTO, *DTYPES))
    parser.add_argument(
        "--device-map", help="auto, balanced, sequential or a device: accelerate places the models"
    )
    parser.add_argument(
        "--threads",
        type=int,
        help="CPU threads (default: one for the trained pair, else all available cores)",
    )


def add_rule(parser: _ActionsContainer) -> None:
    """Add the option `--rule`; without it, the drafter decides: see `request.rule_for`."""
    parser.add_argument(
        "--rule",
        help="verification rule: token-wise (default), block, ...; for trees recursive-rejection "
        "(default) or multi-path-match; a wrong name lists them all",
    )


def add_settings(parser: ArgumentParser, default: str) -> None:
    """Add the sampling options, by default None; `default` describes that in the help."""
    parser.add_argument("--temperature", type=float, help=f"0 is greedy, 1 is off {default}")
    parser.add_argument("--top-k", type=int, help=f"0 keeps all {default}")
    parser.add_argument("--top-p", type=float, help=f"1 keeps all {default}")
    parser.add_argument("--min-p", type=float, help=f"0 keeps all {default}")


def sampling_of(options: Namespace) -> Sampling:
    """Return the chosen settings; by default temperature 1 and no filters."""
    settings = {name: getattr(options, name) for name in vars(Sampling())}
    return replace(Sampling(), **{name: x for name, x in settings.items() if x is not None})


def pair_names(
    target: str | None, draft: str | None, drafter: str | None
) -> tuple[str, str | None]:
    """Return the models to load: (target or the trained pair's, draft or None).

    Raises:
        ValueError, OSError: a name that cannot be loaded, or a drafter without its draft model.
    """
    for option, name in (("--target", target), ("--draft", draft)):
        if name == "":
            raise ValueError(f"{option} is empty: give a folder or a hub id, or leave it out")
    if target and target not in PAIRS and not is_plugin(target):
        check_loadable(os.path.expanduser(target))
    if drafter in DRAFTERS and DRAFTERS[drafter].guesses_with not in (DRAFT, INT8):
        return model_names(target or "tiny")[0], draft
    names = model_names(target or "tiny", draft)
    if names[1] is None and (drafter or target not in PAIRS):
        raise ValueError(
            f"there is no known draft model for {target}: name one with --draft, "
            "or choose --drafter suffix, lookup or none"
        )
    return names


def set_threads(threads: int | None, pair: str | None = None) -> None:
    """Set torch's threads; None: `threads_for(pair)` or, without a pair, all available cores.

    Raises:
        ValueError: fewer than one, or more than four per core: torch fails with
            thousands, and far fewer slow it down.
    """
    import torch

    from course_utils.models.cores import threads_for

    if threads is not None:
        whole_number("threads", threads, 1, 4 * (os.cpu_count() or 1))
        torch.set_num_threads(threads)
    elif pair is not None:
        torch.set_num_threads(threads_for(pair))
