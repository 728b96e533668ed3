"""A hub starts only where it is settled who may come in, and says what is missing."""

import os
import subprocess
import sys

import pytest
from jupyterhub.auth import DummyAuthenticator, PAMAuthenticator

from deploy import safety
from deploy.rehearsal.hub import CONFIG, ROOT

OPEN = {"bind_url": "http://0.0.0.0:8000", "authenticator_class": "pam"}
TLS = {"ssl_cert": "hub.crt", "ssl_key": "hub.key"}


def refused(isolated=True, tls_elsewhere=False, **hub):
    with pytest.raises(ValueError, match=r"\.$") as error:
        safety.check(hub, isolated, tls_elsewhere)
    return str(error.value)


@pytest.mark.parametrize(
    "where",
    [
        {"bind_url": "http://0.0.0.0:8000"}, {"bind_url": "http://:8000"}, {"bind_url": "http://*:80"},
        {"bind_url": "https://hub.example.org"}, {"bind_url": "http://[::]:8000"}, {"ip": ""}, {},
        {"bind_url": "http://127.0.0.1:8000", "ip": "192.0.2.7"},
    ],
)  # fmt: skip
def test_an_open_port_needs_an_authenticator_that_was_chosen(where):
    assert "no authenticator is chosen" in refused(**where, **TLS)
    safety.check(where | TLS | {"authenticator_class": "pam"}, True, False)


@pytest.mark.parametrize(
    "where",
    [
        "http://127.0.0.1:8000", "http://localhost", "http://[::1]:9", "http://127.8.8.8:8",
        "http+unix://%2Frun%2Fhub.sock",
    ],
)  # fmt: skip
def test_on_loopback_the_accounts_of_the_machine_will_do(where):
    safety.check({"bind_url": where}, isolated=False, tls_elsewhere=False)


@pytest.mark.parametrize(
    "chosen",
    ["dummy", "shared-password", "null", "jupyterhub.auth.DummyAuthenticator", DummyAuthenticator],
)
def test_who_lets_anybody_in_is_refused_even_on_loopback(chosen):
    said = refused(bind_url="http://127.0.0.1:8000", authenticator_class=chosen)
    assert "CLASS_AUTHENTICATOR" in said


def test_an_open_port_needs_tls_and_students_kept_apart():
    assert "unencrypted" in refused(**OPEN)
    assert "read each other's homes" in refused(isolated=False, **OPEN, **TLS)
    rehearsals = "deploy.rehearsal.authenticator.RehearsalAuthenticator"
    assert "rehearsals" in refused(**OPEN | TLS | {"authenticator_class": rehearsals})
    safety.check(OPEN | TLS, True, False)
    safety.check(OPEN | {"authenticator_class": PAMAuthenticator}, True, True)


def test_somebody_must_be_let_in():
    for nobody in ({}, {"Authenticator": {"allowed_users": set(), "admin_users": set()}}):
        with pytest.raises(ValueError, match="CLASS_STUDENTS"):
            safety.somebody_may_log_in(nobody)
    safety.somebody_may_log_in({"Authenticator": {"allowed_users": {"ann"}}})
    safety.somebody_may_log_in({"GitHubOAuthenticator": {"allowed_organizations": {"school"}}})


def test_a_list_of_names():
    assert safety.names("ann\n\n  bob # late\n# eve\n") == {"ann", "bob"}
    assert safety.students(None) == set()


def started(tmp_path, *arguments, **settings):
    """What jupyterhub says that is given our configuration and refuses."""
    environment = {k: v for k, v in os.environ.items() if not k.startswith("CLASS_")}
    environment |= {"CLASS_STATE": str(tmp_path / "state"), "PYTHONPATH": str(ROOT)} | settings
    run = subprocess.run(
        [sys.executable, "-m", "jupyterhub", "--config", str(CONFIG), *arguments],
        cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=60,
    )  # fmt: skip
    assert run.returncode == 1
    assert "Traceback" not in run.stderr
    return run.stderr


def test_the_hub_itself_refuses_in_one_line_whatever_way_the_port_is_opened(tmp_path):
    said = started(tmp_path, "--ip", "0.0.0.0")
    assert said.startswith("error: the hub would listen on 0.0.0.0")
    assert "no authenticator is chosen" in said
    (tmp_path / "mine.py").write_text("c.JupyterHub.authenticator_class = 'dummy'\n")
    said = started(tmp_path, CLASS_CONFIG=str(tmp_path / "mine.py"))
    assert "lets in whoever types a name" in said
    assert list((tmp_path / "state").iterdir()) == []  # it stopped before it made anything
