"""A hub on a free loopback port, configured by deploy/jupyterhub_config.py."""

import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext, suppress
from dataclasses import dataclass, field
from pathlib import Path
from secrets import token_hex
from tempfile import mkdtemp

import psutil
import requests

from workshop.rehearsal.accounts import ROOT, accounts, readable_by_all
from workshop.rehearsal.authenticator import SECRET, password

CONFIG = ROOT / "deploy" / "jupyterhub_config.py"
SECONDS_TO_START = 90


def free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


@contextmanager
def opened(number: int, **settings: str) -> Iterator["Hub"]:
    """Open a hub for `number` students, each with an account of this machine if run by root."""
    folder = Path(mkdtemp(prefix="class-"))
    folder.chmod(0o755)  # the students' Python may be below it
    as_root = os.getuid() == 0
    names = [f"student-{place:02}" for place in range(number)]
    hub = None
    try:
        with accounts(number) if as_root else nullcontext(names) as students:
            readable = readable_by_all(folder) if as_root else {}
            hub = Hub(folder / "hub", students, readable | settings)
            try:
                hub.start()
                yield hub
            finally:
                hub.close()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@dataclass
class Hub:
    """A hub and its folder, where it can be killed and restarted."""

    folder: Path
    students: list[str]
    settings: dict[str, str] = field(default_factory=dict)  # further variables, CLASS_...
    port: int = field(default_factory=free_port)
    inner: int = field(default_factory=free_port)  # where servers find the hub
    routes: int = field(default_factory=free_port)  # where the hub finds the proxy
    secret: str = field(default_factory=lambda: token_hex(16))
    process: subprocess.Popen | None = None

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def password(self, name: str) -> str:
        return password(name, self.secret)

    def start(self) -> None:
        """Start the hub, also after a kill, and wait until it answers."""
        self.folder.mkdir(parents=True, exist_ok=True)
        (self.folder / "students.txt").write_text("\n".join(self.students) + "\n")
        command = [sys.executable, "-m", "jupyterhub", "--config", str(CONFIG)]
        command += [f"--JupyterHub.hub_port={self.inner}"]
        command += [f"--ConfigurableHTTPProxy.api_url=http://127.0.0.1:{self.routes}"]
        environment = os.environ | {
            "CLASS_STATE": str(self.folder / "state"),
            "CLASS_HOMES": str(self.folder / "homes"),
            "CLASS_STUDENTS": str(self.folder / "students.txt"),
            "CLASS_ADDRESS": self.address,
            "CLASS_AUTHENTICATOR": "workshop.rehearsal.authenticator.RehearsalAuthenticator",
            "PYTHONPATH": str(ROOT),
            SECRET: self.secret,
            **self.settings,
        }
        with (self.folder / "log").open("ab") as log:
            self.process = subprocess.Popen(
                command, cwd=self.folder, env=environment, stdout=log, stderr=log,
                start_new_session=True,
            )  # fmt: skip
        end = time.monotonic() + SECONDS_TO_START
        while not self._answers():
            if self.process.poll() is not None or time.monotonic() > end:
                raise RuntimeError(f"the hub did not start:\n{self.last_words(20)}")
            time.sleep(0.1)

    def kill(self, how: int = signal.SIGKILL) -> None:
        """End only the hub, as a crash (SIGKILL) or an administrator (SIGTERM) would."""
        self.process.send_signal(how)
        self.process.wait(SECONDS_TO_START)

    def close(self) -> None:
        """End the hub and everything that it started, orphans included."""
        started = self.processes()
        for process in started:
            with suppress(psutil.NoSuchProcess):
                process.kill()
        psutil.wait_procs(started, timeout=10)
        if self.process:
            self.process.wait()

    def last_words(self, lines: int) -> str:
        return "\n".join((self.folder / "log").read_text("utf-8", "replace").splitlines()[-lines:])

    def server_of(self, name: str) -> psutil.Process:
        """Return the process of one student's server."""
        for process in self.processes():
            with suppress(psutil.Error):
                server = "jupyterhub.singleuser" in process.cmdline()
                if server and process.environ()["JUPYTERHUB_USER"] == name:
                    return process
        raise LookupError(f"{name} has no server")

    def processes(self) -> list[psutil.Process]:
        """Return the hub and its children, students' kernels included."""
        ours = {SECRET: self.secret, "JUPYTERHUB_API_URL": f"http://127.0.0.1:{self.inner}/hub/api"}
        family = []
        for process in psutil.process_iter():
            with suppress(psutil.Error):
                if ours.items() & process.environ().items():
                    family.append(process)
        return family

    def _answers(self) -> bool:
        try:
            return requests.get(f"{self.address}/hub/api/", timeout=5).ok
        except requests.ConnectionError:
            return False
