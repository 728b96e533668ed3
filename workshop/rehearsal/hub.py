"""A hub on a free loopback port, as deploy/jupyterhub_config.py makes it."""

import os
import signal
import socket
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path
from secrets import token_hex

import psutil
import requests

from workshop.rehearsal.authenticator import SECRET, password

ROOT = Path(__file__).parents[2]
CONFIG = ROOT / "deploy" / "jupyterhub_config.py"
PATIENCE = 90  # seconds for a hub to answer
LOG = "hub.log"


def free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


@dataclass
class Hub:
    """One hub and its folder; it may be killed and started again there.

    settings: variables beside those that a rehearsal needs, CLASS_... and others.
    """

    folder: Path
    students: list[str]
    settings: dict[str, str] = field(default_factory=dict)
    port: int = field(default_factory=free_port)
    inner: int = field(default_factory=free_port)  # where servers find the hub
    routes: int = field(default_factory=free_port)  # where the hub finds the proxy
    secret: str = field(default_factory=lambda: token_hex(16))
    process: subprocess.Popen | None = None
    started: list[psutil.Process] = field(default_factory=list)

    def __enter__(self) -> "Hub":
        self.folder.mkdir(parents=True, exist_ok=True)
        (self.folder / "students.txt").write_text("\n".join(self.students) + "\n")
        try:
            self.start()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        """Ends the hub and everything that it started."""
        self._remember()
        for process in reversed(self.started):
            try:
                process.kill()
            except psutil.NoSuchProcess:
                continue
        psutil.wait_procs(self.started, timeout=10)
        if self.process:
            self.process.wait()

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def password(self, name: str) -> str:
        return password(name, self.secret)

    def start(self) -> float:
        """Start it, anew after a kill; the seconds until it answered."""
        begun = time.perf_counter()
        with (self.folder / LOG).open("ab") as log:
            self.process = subprocess.Popen(
                [
                    *(sys.executable, "-m", "jupyterhub", "--config", str(CONFIG)),
                    f"--JupyterHub.hub_port={self.inner}",
                    f"--ConfigurableHTTPProxy.api_url=http://127.0.0.1:{self.routes}",
                ],
                cwd=self.folder,
                env=self._environment(),
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        while not self._answers():
            if self.process.poll() is not None or time.perf_counter() - begun > PATIENCE:
                raise RuntimeError(f"the hub did not start; its last words:\n{self.last_words()}")
            time.sleep(0.1)
        self._remember()
        return time.perf_counter() - begun

    def kill(self, how: int = signal.SIGKILL) -> None:
        """End the hub alone, as a crash (SIGKILL) or an administrator (SIGTERM) would."""
        self._remember()
        self.process.send_signal(how)
        self.process.wait(PATIENCE)

    def last_words(self, lines: int = 20) -> str:
        return "\n".join((self.folder / LOG).read_text("utf-8", "replace").splitlines()[-lines:])

    def servers(self) -> dict[str, psutil.Process]:
        """The process of each student's server, by the student's name."""
        found = {}
        for process in self.processes():
            try:
                if "jupyterhub.singleuser" in process.cmdline():
                    found[process.environ()["JUPYTERHUB_USER"]] = process
            except psutil.Error:
                continue
        return found

    def process_of(self, name: str) -> psutil.Process:
        """The server of one student.

        Raises:
            LookupError: there is none.
        """
        try:
            return self.servers()[name]
        except KeyError:
            raise LookupError(f"{name} has no server") from None

    def processes(self) -> list[psutil.Process]:
        """Whatever this hub started, its students' kernels included, and itself."""
        mine = {SECRET: self.secret, "JUPYTERHUB_API_URL": f"http://127.0.0.1:{self.inner}/hub/api"}
        found = []
        for process in psutil.process_iter():
            try:
                theirs = process.environ()
            except psutil.Error:
                continue
            if any(theirs.get(key) == value for key, value in mine.items()):
                found.append(process)
        return found

    def _environment(self) -> dict[str, str]:
        return os.environ | {
            "CLASS_STATE": str(self.folder / "state"),
            "CLASS_HOMES": str(self.folder / "homes"),
            "CLASS_STUDENTS": str(self.folder / "students.txt"),
            "CLASS_ADDRESS": self.address,
            "CLASS_AUTHENTICATOR": "workshop.rehearsal.authenticator.RehearsalAuthenticator",
            "PYTHONPATH": str(ROOT),
            SECRET: self.secret,
            **self.settings,
        }

    def _answers(self) -> bool:
        try:
            return requests.get(f"{self.address}/hub/api/", timeout=5).ok
        except requests.ConnectionError:
            return False

    def _remember(self) -> None:
        """What runs now and must not run on when the rehearsal is over, orphans included."""
        self.started = list({*self.started, *self.processes()})
