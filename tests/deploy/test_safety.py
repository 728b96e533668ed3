"""A hub starts only if it is decided who may log in, and names a missing setting."""

import os

import pytest
import yaml
from jupyterhub.auth import Authenticator, DummyAuthenticator, PAMAuthenticator
from jupyterhub.spawner import SimpleLocalProcessSpawner
from traitlets.config import Config, PyFileConfigLoader

from deploy import safety
from workshop.rehearsal.accounts import ROOT
from workshop.rehearsal.hub import CONFIG

OPEN = {"bind_url": "http://0.0.0.0:8000", "authenticator_class": "pam"}
TLS = {"ssl_cert": "hub.crt", "ssl_key": "hub.key"}
VALUES = yaml.safe_load((ROOT / "deploy/values.yaml").read_text("utf-8"))  # of Kubernetes


def derived(base):
    """A subclass without changes."""
    return type("Mine", (base,), {})


class FirstUseAuthenticator(Authenticator):
    """A class with the name of one in a missing package."""


def refused(**hub):
    with pytest.raises(ValueError) as error:  # noqa: PT011 (each caller looks at the message)
        safety.check(hub, tls_elsewhere=False)
    return str(error.value)


@pytest.mark.parametrize(
    "where",
    [
        {"bind_url": "http://[::]:8000"}, {}, {"bind_url": "http://127.0.0.1", "ip": "192.0.2.7"},
    ],
)  # fmt: skip
def test_an_open_port_needs_an_authenticator_that_was_chosen(where):
    assert "authenticator" in refused(**where, **TLS)
    safety.check(where | TLS | {"authenticator_class": "pam"}, tls_elsewhere=False)
    safety.check({"bind_url": "http://localhost", "spawner_class": "simple"}, tls_elsewhere=False)


@pytest.mark.parametrize(
    "chosen",
    [
        "DUMMY", "NULL", "jupyterhub.auth.DummyAuthenticator", derived(DummyAuthenticator),
        derived(FirstUseAuthenticator),
    ],
)  # fmt: skip
def test_an_authenticator_that_lets_anybody_in_is_refused_even_on_loopback(chosen):
    message = refused(bind_url="http://127.0.0.1:8000", authenticator_class=chosen)
    assert "CLASS_AUTHENTICATOR" in message


def test_an_open_port_needs_tls_and_students_kept_apart():
    for half in ({}, {"ssl_cert": "hub.crt"}, {"ssl_key": "hub.key"}):
        assert "unencrypted" in refused(**OPEN, **half)
    for one in ("Simple", derived(SimpleLocalProcessSpawner)):
        assert "homes" in refused(spawner_class=one, **OPEN, **TLS)
    safety.check(OPEN | TLS, tls_elsewhere=False)
    safety.check(OPEN | {"authenticator_class": PAMAuthenticator}, tls_elsewhere=True)


def loaded(monkeypatch, tmp_path, **settings):
    """Load the configuration as JupyterHub does."""
    for name in [name for name in os.environ if name.startswith("CLASS_")]:
        monkeypatch.delenv(name)
    for name, value in ({"CLASS_STATE": tmp_path / "state"} | settings).items():
        monkeypatch.setenv(name, str(value))
    monkeypatch.setattr(os, "umask", lambda mask: 0)  # it would stay for all tests
    return PyFileConfigLoader(CONFIG.name, str(CONFIG.parent)).load_config()


def test_the_settings_of_the_instructors_own_file_are_checked_too(monkeypatch, tmp_path):
    mine = tmp_path / "mine.py"
    for setting in (
        "c.JupyterHub.authenticator_class = 'dummy'", "c.JupyterHub.ip = '0.0.0.0'", "",
    ):  # fmt: skip
        mine.write_text(setting)
        with pytest.raises(SystemExit, match="error: "):
            loaded(monkeypatch, tmp_path, CLASS_CONFIG=mine)
    mine.write_text("c.GitHubOAuthenticator.allowed_organizations = {'school'}")
    assert loaded(monkeypatch, tmp_path, CLASS_CONFIG=mine)


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
