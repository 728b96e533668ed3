"""One student, through the hub's pages and the interfaces that JupyterLab itself uses."""

import json
import re
import time
from dataclasses import dataclass, field
from uuid import uuid4

import requests
import websocket

PATIENCE = 600  # seconds for a server to start, and for a cell to end
TRIES = 3
LESSONS = "my_lessons"


@dataclass
class Student:
    """Logged in at a hub; what one browser knows."""

    hub: str  # its address
    name: str
    session: requests.Session = field(default_factory=requests.Session)

    def log_in(self, password: str) -> "Student":
        """Fill in the form.

        Raises:
            PermissionError: the hub did not let the student in.
        """
        page = self.session.get(f"{self.hub}/hub/login").text
        form = {"username": self.name, "password": password, "_xsrf": _hidden(page)}
        self.session.post(f"{self.hub}/hub/login", data=form, allow_redirects=False)
        if "jupyterhub-session-id" not in self.session.cookies or not self.ask_hub("user").ok:
            raise PermissionError(f"{self.name} was not let in")
        return self

    def start_server(self) -> float:
        """Ask for the server and wait; the seconds until it answered as this student's."""
        begun, asked = time.perf_counter(), 0
        while time.perf_counter() - begun < PATIENCE:
            state = self.ask_hub(f"users/{self.name}").json()
            server = state["servers"].get("")
            # one that was just killed is "ready" until it is asked for
            if server and server["ready"] and self.session.get(f"{self.at}/lab").ok:
                return time.perf_counter() - begun
            if not server and asked == TRIES:
                raise RuntimeError(f"the server of {self.name} did not start")
            if not server or server["ready"]:
                asked += self.ask_hub(f"users/{self.name}/server", "POST").ok
            time.sleep(0.2)
        raise TimeoutError(f"the server of {self.name} did not start in {PATIENCE} s")

    @property
    def at(self) -> str:
        return f"{self.hub}/user/{self.name}"

    def ask_hub(self, path: str, method: str = "GET") -> requests.Response:
        """The hub, .../hub/api/`path`."""
        return self.session.request(
            method, f"{self.hub}/hub/api/{path}", headers=self._xsrf("/hub/")
        )

    def token(self) -> str:
        """A token of the student's own, for programs."""
        return self.ask_hub(f"users/{self.name}/tokens", "POST").json()["token"]

    def ask(self, path: str, method: str = "GET", **more) -> requests.Response:
        """The student's own server, .../user/NAME/api/`path`."""
        return self.session.request(
            method, f"{self.at}/api/{path}", headers=self._xsrf(f"/user/{self.name}/"), **more
        )

    def read(self, path: str) -> dict:
        """A file in the student's home, as JupyterLab opens it."""
        answer = self.ask(f"contents/{path}")
        answer.raise_for_status()
        return answer.json()

    def save(self, path: str, content: object, kind: str = "notebook") -> None:
        """A file in the student's home, as JupyterLab saves it."""
        body = {"type": kind, "content": content}
        if kind == "file":
            body["format"] = "text"
        self.ask(f"contents/{path}", "PUT", json=body).raise_for_status()

    def start_kernel(self, path: str) -> str:
        """The kernel of the notebook at `path`, as JupyterLab starts it."""
        body = {"path": path, "name": path, "type": "notebook", "kernel": {"name": "python3"}}
        answer = self.ask("sessions", "POST", json=body)
        answer.raise_for_status()
        return answer.json()["kernel"]["id"]

    def kernels(self) -> list[dict]:
        return self.ask("kernels").json()

    def stop_kernel(self, kernel: str) -> None:
        self.ask(f"kernels/{kernel}", "DELETE").raise_for_status()

    def execute(self, kernel: str, sources: list[str]) -> list[list[dict]]:
        """The outputs of each of these cells, run in turn; it goes on after an error.

        Raises:
            TimeoutError: a cell did not end.
        """
        wire = websocket.create_connection(
            f"{self.at.replace('http', 'ws', 1)}/api/kernels/{kernel}/channels",
            cookie="; ".join(f"{c.name}={c.value}" for c in self._cookies(f"/user/{self.name}/")),
            origin=self.hub,
            timeout=PATIENCE,
        )
        try:
            return [_run(wire, source) for source in sources]
        except websocket.WebSocketTimeoutException:
            raise TimeoutError(f"a cell of {self.name} did not end in {PATIENCE} s") from None
        finally:
            wire.close()

    def run_lesson(self, lesson: str, cells: int | None = None) -> dict:
        """Open a lesson, run its code cells (the first so many), save it; the notebook as saved."""
        names = [entry["name"] for entry in self.read(LESSONS)["content"]]
        (found,) = [name for name in names if name.startswith(lesson) and name.endswith(".ipynb")]
        path = f"{LESSONS}/{found}"
        notebook = self.read(path)["content"]
        kernel = self.start_kernel(path)
        code = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"][:cells]
        done = self.execute(kernel, [cell["source"] for cell in code])
        for number, (cell, outputs) in enumerate(zip(code, done, strict=True), 1):
            cell["outputs"], cell["execution_count"] = outputs, number
        self.save(path, notebook)
        return self.read(path)["content"]

    def _xsrf(self, path: str) -> dict[str, str]:
        tokens = [c.value for c in self._cookies(path) if c.name == "_xsrf"]
        return {"X-XSRFToken": tokens[-1]} if tokens else {}

    def _cookies(self, path: str) -> list:
        """Those that a browser sends to `path`, the more special last."""
        return sorted(
            (cookie for cookie in self.session.cookies if path.startswith(cookie.path)),
            key=lambda cookie: len(cookie.path),
        )


def errors(notebook: dict) -> list[str]:
    """What went wrong in the cells of a notebook that was run."""
    return [
        f"{output['ename']}: {output['evalue']}"
        for cell in notebook["cells"]
        for output in cell.get("outputs", [])
        if output["output_type"] == "error"
    ]


def _hidden(page: str) -> str:
    return re.search(r'name="_xsrf" value="([^"]+)"', page)[1]


def _run(wire: websocket.WebSocket, source: str) -> list[dict]:
    """Send one cell, and collect what it says until the kernel is idle again."""
    asked = uuid4().hex
    header = {"msg_id": asked, "msg_type": "execute_request", "session": "", "username": ""}
    content = {"code": source, "silent": False, "store_history": True, "allow_stdin": False}
    content["stop_on_error"] = False
    message = {"header": header | {"version": "5.3"}, "parent_header": {}, "metadata": {}}
    wire.send(json.dumps(message | {"content": content, "channel": "shell", "buffers": []}))
    outputs = []
    while True:
        text = wire.recv()
        if not isinstance(text, str):
            continue  # a widget's bytes
        said = json.loads(text)
        if said["parent_header"].get("msg_id") != asked:
            continue
        kind, content = said["msg_type"], said["content"]
        if kind == "status" and content["execution_state"] == "idle":
            return outputs
        if kind in ("stream", "display_data", "execute_result", "error"):
            content.pop("transient", None)
            outputs.append({"output_type": kind, **content})
