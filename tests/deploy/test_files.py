"""The values for Kubernetes refuse as the hub on one machine does."""

import pytest
import yaml
from jupyterhub.auth import Authenticator
from traitlets.config import Config

from deploy import safety
from workshop.rehearsal.accounts import ROOT

VALUES = yaml.safe_load((ROOT / "deploy/values.yaml").read_text("utf-8"))


@pytest.mark.parametrize(
    "chosen", ["null"] + [type(name, (Authenticator,), {}) for name in safety.OPEN_TO_ALL]
)
def test_the_hub_on_kubernetes_refuses_whoever_lets_anybody_in(chosen):
    assert VALUES["hub"]["config"]["JupyterHub"]["authenticator_class"] == "null"
    (check,) = VALUES["hub"]["extraConfig"].values()
    c = Config()
    c.JupyterHub.authenticator_class = chosen
    with pytest.raises(SystemExit):
        exec(check, {"c": c})
    c.JupyterHub.authenticator_class = "pam"
    exec(check, {"c": c})
