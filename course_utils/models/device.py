"""Devices by name: is there such a one here, and does it calculate?  And how it is waited for."""

from functools import partial

import torch

from course_utils.decoding.clock import wait_for

SPREADS = ("auto", "balanced", "balanced_low_0", "sequential")  # what accelerate works out itself


def existing_device(name: str) -> torch.device:
    """ "auto" (a CUDA device if there is one, else the CPU), "cpu", "cuda:1" -> a torch device.

    Raises:
        ValueError: there is no such device here.
    """
    if name == "auto":
        return torch.device("cuda" if torch.cuda.is_available() else "cpu")
    if not _calculates(name):
        raise ValueError(f"device is {name!r}, and torch has none here: choose auto or cpu")
    return torch.device(name)


def check_device_map(device_map: str | dict | None) -> None:
    """Do nothing if transformers can place a model by `device_map`.

    Raises:
        ValueError: it is no way to spread a model, and no device that is here.
    """
    if device_map is None or device_map in SPREADS:
        return
    parts = isinstance(device_map, dict)
    for place in device_map.values() if parts else [device_map]:
        if not _calculates(place) and not (parts and place == "disk"):
            raise ValueError(
                f"device_map says {place!r}, and torch has no such device here: choose "
                f"{', '.join(SPREADS)} or cpu"
            )


def timed_on(*devices: torch.device) -> None:
    """Let the clock wait for those of `devices` that work on their own."""
    for device in devices:
        if device.type not in ("cpu", "meta"):
            wait_for(device, partial(torch.accelerator.synchronize, device))


def _calculates(name: object) -> bool:
    try:
        torch.ones(1, device=torch.device(name)).item()  # a meta device holds no numbers
    except Exception:  # each kind of device is missing in its own way
        return False
    return True
