"""The values for Kubernetes refuse as the hub on one machine does, and nothing runs as root."""

import re

import pytest
import yaml
from jupyterhub.auth import Authenticator
from traitlets.config import Config

from deploy import limits, safety
from workshop.rehearsal.accounts import ROOT

DEPLOY = ROOT / "deploy"
VALUES = yaml.safe_load((DEPLOY / "values.yaml").read_text("utf-8"))


def test_nobody_is_let_in_nothing_runs_as_root_and_a_student_has_the_same_limits():
    assert VALUES["proxy"]["service"]["type"] == "ClusterIP"
    assert VALUES["hub"]["config"]["JupyterHub"]["authenticator_class"] == "null"
    assert not re.search(r"(?i)(password|token|secret)\s*:", (DEPLOY / "values.yaml").read_text())
    student = VALUES["singleuser"]
    users = re.findall(r"^USER (\S+)", (DEPLOY / "Dockerfile").read_text("utf-8"), re.MULTILINE)
    assert users[-1] == str(student["uid"]) != "0"
    assert student["memory"]["limit"] == f"{limits.MEMORY / 2**30:g}G"
    assert limits.THREADING.items() <= student["extraEnv"].items()


@pytest.mark.parametrize(
    "chosen", ["null"] + [type(name, (Authenticator,), {}) for name in safety.OPEN_TO_ALL]
)
def test_the_hub_on_kubernetes_refuses_whoever_lets_anybody_in(chosen):
    (check,) = VALUES["hub"]["extraConfig"].values()
    c = Config()
    c.JupyterHub.authenticator_class = chosen
    with pytest.raises(SystemExit):
        exec(check, {"c": c})
    c.JupyterHub.authenticator_class = "pam"
    exec(check, {"c": c})
