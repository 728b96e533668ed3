"""A student who uses the hub's pages and JupyterLab's interfaces."""

import json
import re
import time
from dataclasses import dataclass, field
from uuid import uuid4

import requests
import websocket

LONGEST = 600  # seconds for a server to start, and for a cell to end
LESSONS = "my_lessons"


@dataclass
class Student:
    """A student at a hub, with the state of one browser."""

    hub: str  # its address
    name: str
    session: requests.Session = field(default_factory=requests.Session)

    def log_in(self, password: str) -> "Student":
        """Fill in the form, then use a token of the student.

        Raises:
            PermissionError: the hub refused the login.
        """
        page = self.session.get(f"{self.hub}/hub/login").text
        hidden = re.search(r'name="_xsrf" value="([^"]+)"', page)[1]
        form = {"username": self.name, "password": password, "_xsrf": hidden}
        self.session.post(f"{self.hub}/hub/login", data=form, allow_redirects=False)
        tokens = [c.value for c in self.session.cookies if c.name == "_xsrf"]
        self.session.headers["X-XSRFToken"] = tokens[-1]
        answer = self.ask_hub(f"users/{self.name}/tokens", "POST")
        if not answer.ok:
            raise PermissionError(f"the hub refused the login of {self.name}")
        self.session = requests.Session()
        self.session.headers["Authorization"] = f"token {answer.json()['token']}"
        return self

    def start_server(self) -> None:
        """Request the server, and wait until it answers."""
        end = time.monotonic() + LONGEST
        while time.monotonic() < end:
            server = self.ask_hub(f"users/{self.name}").json()["servers"].get("")
            # a server that was just killed is "ready" until it is requested
            if server and server["ready"] and self.session.get(f"{self.at}/lab").ok:
                return
            if not server or server["ready"]:
                self.ask_hub(f"users/{self.name}/server", "POST")
            time.sleep(0.2)
        raise TimeoutError(f"the server of {self.name} did not start in {LONGEST} s")

    @property
    def at(self) -> str:
        return f"{self.hub}/user/{self.name}"

    def ask_hub(self, path: str, method: str = "GET") -> requests.Response:
        return self.session.request(method, f"{self.hub}/hub/api/{path}")

    def ask(self, path: str, method: str = "GET", **more) -> requests.Response:
        """Send a request to the student's server, .../user/NAME/api/`path`."""
        return self.session.request(method, f"{self.at}/api/{path}", **more)

    def read(self, path: str) -> dict:
        """Open a file in the student's home, as JupyterLab does."""
        answer = self.ask(f"contents/{path}")
        answer.raise_for_status()
        return answer.json()

    def save(self, path: str, content: object, kind: str = "notebook") -> None:
        body = {"type": kind, "content": content} | ({"format": "text"} if kind == "file" else {})
        self.ask(f"contents/{path}", "PUT", json=body).raise_for_status()

    def start_kernel(self, path: str) -> str:
        """Start the kernel of the notebook at `path`; return its id."""
        body = {"path": path, "name": path, "type": "notebook", "kernel": {"name": "python3"}}
        answer = self.ask("sessions", "POST", json=body)
        answer.raise_for_status()
        return answer.json()["kernel"]["id"]

    def stop_kernels(self) -> None:
        for kernel in self.ask("kernels").json():
            self.ask(f"kernels/{kernel['id']}", "DELETE").raise_for_status()

    def execute(self, kernel: str, sources: list[str]) -> list[list[dict]]:
        """Run these cells in order, also after an error; return the outputs of each."""
        wire = websocket.create_connection(
            f"{self.at.replace('http', 'ws', 1)}/api/kernels/{kernel}/channels",
            header=dict(self.session.headers), timeout=LONGEST,
        )  # fmt: skip
        try:
            return [_run(wire, source) for source in sources]
        finally:
            wire.close()

    def run_lesson(self, lesson: str, cells: int | None = None) -> list[str]:
        """Open a lesson, run its (first) code cells, save it; return the errors."""
        names = [entry["name"] for entry in self.read(LESSONS)["content"]]
        (name,) = [name for name in names if name.startswith(lesson) and name.endswith(".ipynb")]
        path = f"{LESSONS}/{name}"
        notebook = self.read(path)["content"]
        kernel = self.start_kernel(path)
        code = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"][:cells]
        done = self.execute(kernel, [cell["source"] for cell in code])
        for number, (cell, outputs) in enumerate(zip(code, done, strict=True), 1):
            cell["outputs"], cell["execution_count"] = outputs, number
        self.save(path, notebook)
        saved = [o for cell in self.read(path)["content"]["cells"] for o in cell.get("outputs", [])]
        return [f"{o['ename']}: {o['evalue']}" for o in saved if o["output_type"] == "error"]


def _run(wire: websocket.WebSocket, source: str) -> list[dict]:
    """Send one cell, and collect its outputs until the kernel is idle again."""
    request = uuid4().hex
    header = {"msg_id": request, "msg_type": "execute_request", "session": "", "username": ""}
    content = {"code": source, "silent": False, "store_history": True, "allow_stdin": False}
    content["stop_on_error"] = False
    message = {"header": header | {"version": "5.3"}, "parent_header": {}, "metadata": {}}
    wire.send(json.dumps(message | {"content": content, "channel": "shell", "buffers": []}))
    outputs = []
    while True:
        text = wire.recv()
        if not isinstance(text, str):
            continue  # a widget's bytes
        answer = json.loads(text)
        if answer["parent_header"].get("msg_id") != request:
            continue
        kind, content = answer["msg_type"], answer["content"]
        if kind == "status" and content["execution_state"] == "idle":
            return outputs
        if kind in ("stream", "display_data", "execute_result", "error"):
            content.pop("transient", None)
            outputs.append({"output_type": kind, **content})
