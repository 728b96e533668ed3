"""A home that cannot be written to is said to its student before their server starts in vain."""

import os
import subprocess

LEAST = 20 * 2**20  # bytes that must be free: a fresh set of lessons takes a few million


class HomeError(RuntimeError):
    """What the hub shows the student is its `jupyterhub_message`."""

    def __init__(self, message: str):
        super().__init__(message)
        self.jupyterhub_message = message


def check_home(spawner) -> None:
    """JupyterHub's pre_spawn_hook, for servers that are processes of this machine.

    Raises:
        HomeError: the student could save nothing.
    """
    account = spawner.user_env({})
    home = account["HOME"]
    if not os.path.lexists(home) and os.getuid() != 0:
        return  # one account for all: the spawner will make it
    whose = {"user": account["USER"]} if os.getuid() == 0 else {}
    if subprocess.run(["test", "-d", home, "-a", "-w", home, "-a", "-x", home], **whose).returncode:
        raise HomeError(
            "Your home cannot be written to, so nothing could be saved. Tell your instructor."
        )
    disk = os.statvfs(home)
    if disk.f_bavail * disk.f_frsize < LEAST:
        raise HomeError("The disk of your home is full. Delete something, or tell your instructor.")
