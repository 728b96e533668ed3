"""The hub on one machine, the image and the values for Kubernetes agree."""

import re

import pytest
import yaml
from jupyterhub.auth import Authenticator
from traitlets.config import Config

from course_utils.commands.course import MAX_MEMORY
from deploy import limits, safety
from workshop.rehearsal.accounts import ROOT

DEPLOY = ROOT / "deploy"
VALUES = yaml.safe_load((DEPLOY / "values.yaml").read_text("utf-8"))
GUIDE = (DEPLOY / "README.md").read_text("utf-8")
IMAGE = (DEPLOY / "Dockerfile").read_text("utf-8")
UNITS = {"M": 2**20, "G": 2**30}


def size(text):
    return int(text[:-1]) * UNITS[text[-1]]


def test_a_student_may_take_as_much_on_kubernetes():
    student = VALUES["singleuser"]
    assert size(student["memory"]["limit"]) == limits.MEMORY > MAX_MEMORY
    assert student["cpu"]["limit"] == limits.THREADS
    assert limits.THREADING.items() <= student["extraEnv"].items()
    assert student["cmd"][2:] == list(limits.SERVER)
    assert VALUES["cull"]["timeout"] == limits.SERVER_IDLE
    assert VALUES["cull"]["every"] == limits.CULL_EVERY


def test_no_port_is_open_and_nobody_let_in_by_the_values():
    assert VALUES["proxy"]["service"]["type"] == "ClusterIP"
    assert VALUES["hub"]["config"]["JupyterHub"]["authenticator_class"] == "null"
    assert not re.search(r"(?i)(password|token|secret)\s*:", (DEPLOY / "values.yaml").read_text())


@pytest.mark.parametrize(
    "chosen",
    ["null", "jupyterhub.auth.DummyAuthenticator"]
    + [type("Mine", (type(name, (Authenticator,), {}),), {}) for name in safety.OPEN_TO_ALL],
)
def test_the_hub_on_kubernetes_refuses_too(chosen):
    (check,) = VALUES["hub"]["extraConfig"].values()
    c = Config()
    c.JupyterHub.authenticator_class = chosen
    with pytest.raises(SystemExit, match="no authenticator is chosen"):
        exec(check, {"c": c})
    c.JupyterHub.authenticator_class = "pam"
    exec(check, {"c": c})


def test_the_image_has_what_the_values_start_and_another_user_than_root():
    python, script, *_ = VALUES["singleuser"]["cmd"]
    assert script == "/opt/course/deploy/student_server.py"
    assert (DEPLOY / script.rpartition("/")[2]).exists()
    assert python.removesuffix("/bin/python") in IMAGE
    users = re.findall(r"^USER (\S+)", IMAGE, re.MULTILINE)
    assert users[-1] == str(VALUES["singleuser"]["uid"]) != "0"
    for copied in re.findall(r"^COPY (?!--)(.+) \S+$", IMAGE, re.MULTILINE):
        assert all(list(ROOT.glob(name)) for name in copied.split()), copied


def test_every_setting_is_in_the_guide_and_every_one_of_the_guide_exists():
    config = (DEPLOY / "jupyterhub_config.py").read_text()
    read = set(re.findall(r"\bC(?:LASS|OURSE)_[A-Z_]+\b", config))
    assert {name for name in read if name != "CLASS_"} == set(
        re.findall(r"\bC(?:LASS|OURSE)_[A-Z_]+\b", GUIDE)
    )
