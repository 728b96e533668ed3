"""Other libraries on files of any content: quiet, and every failure is one sentence of ours."""

import os.path
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import torch
from huggingface_hub import constants, get_session
from transformers.utils import logging

HUB_SECONDS = 3.0  # to answer in


@contextmanager
def failing_as(kind: type[Exception], words: str) -> Iterator[None]:
    """Whatever goes wrong inside becomes such an error: "WORDS (what the library said)".

    A lack of memory on a device stays what it is.
    """
    try:
        yield
    except torch.OutOfMemoryError:
        raise
    except Exception as error:  # of any kind: a damaged file fails in a thousand places
        raise kind(f"{words} ({cause(error)})") from error


def cause(error: Exception) -> str:
    """What a library said, on one line, and not more than two lines of it."""
    words = " ".join(f"{type(error).__name__}: {error}".split())
    return words if len(words) <= 200 else f"{words[:200]}..."


@contextmanager
def hub_tried_once(names: Sequence[str]) -> Iterator[None]:
    """Inside, only the local cache is asked for models if the hub does not answer now.

    huggingface_hub would try six times for each file, half a minute, and print every try.

    Args:
        names: folders, for which no hub is needed, and hub ids.
    """
    offline = constants.HF_HUB_OFFLINE
    try:
        if not (offline or all(map(os.path.isdir, names))):
            get_session().head(constants.ENDPOINT, timeout=HUB_SECONDS)
    except Exception:  # of the hub's HTTP library, whichever that is
        constants.HF_HUB_OFFLINE = True
    try:
        yield
    finally:
        constants.HF_HUB_OFFLINE = offline


@contextmanager
def quietly() -> Iterator[None]:
    """Without the libraries' warnings, reports and bars: what matters is raised."""
    logging.disable_progress_bar()  # type: ignore[no-untyped-call]
    level = logging.get_verbosity()
    logging.set_verbosity_error()  # type: ignore[no-untyped-call]
    try:
        with warnings.catch_warnings(action="ignore"):
            yield
    finally:
        logging.set_verbosity(level)
