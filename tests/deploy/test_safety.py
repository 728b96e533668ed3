"""A hub starts only if it is decided who may log in, and names a missing setting."""

import os
import subprocess
import sys

import pytest
from jupyterhub.auth import Authenticator, DummyAuthenticator, PAMAuthenticator
from jupyterhub.spawner import SimpleLocalProcessSpawner
from traitlets.config import PyFileConfigLoader

from deploy import safety
from workshop.rehearsal.accounts import ROOT
from workshop.rehearsal.hub import CONFIG

OPEN = {"bind_url": "http://0.0.0.0:8000", "authenticator_class": "pam"}
TLS = {"ssl_cert": "hub.crt", "ssl_key": "hub.key"}


def derived(base):
    """A subclass without changes."""
    return type("Mine", (base,), {})


class FirstUseAuthenticator(Authenticator):
    """A class with the name of one in a missing package."""


def refused(**hub):
    with pytest.raises(ValueError, match=r"[.?]$") as error:
        safety.check(hub, tls_elsewhere=False)
    return str(error.value)


OPENED = [
    {"bind_url": "http://:8000"}, {"bind_url": "http://*:80"}, {"bind_url": "http://[::]:8000"},
    {"bind_url": "https://hub.example.org"}, {"ip": ""}, {},
    {"bind_url": "http://127.0.0.1:8000", "ip": "192.0.2.7"},
]  # fmt: skip


@pytest.mark.parametrize("where", OPENED)
def test_an_open_port_needs_an_authenticator_that_was_chosen(where):
    assert "no authenticator is chosen" in refused(**where, **TLS)
    safety.check(where | TLS | {"authenticator_class": "pam"}, tls_elsewhere=False)


@pytest.mark.parametrize("where", ["http://127.8.8.8:8000", "http://localhost", "http://[::1]:9",
                                   "http+unix://%2Frun%2Fhub.sock"])  # fmt: skip
def test_on_loopback_the_accounts_of_the_machine_will_do(where):
    safety.check({"bind_url": where, "spawner_class": "simple"}, tls_elsewhere=False)


@pytest.mark.parametrize(
    "chosen",
    [
        "DUMMY", "NULL", "Shared-Password", "jupyterhub.auth.DummyAuthenticator",
        derived(DummyAuthenticator), derived(FirstUseAuthenticator),
    ],
)  # fmt: skip
def test_who_lets_anybody_in_is_refused_even_on_loopback(chosen):
    message = refused(bind_url="http://127.0.0.1:8000", authenticator_class=chosen)
    assert "CLASS_AUTHENTICATOR" in message


def test_an_open_port_needs_tls_and_students_kept_apart():
    for half in ({}, {"ssl_cert": "hub.crt"}, {"ssl_key": "hub.key"}):
        assert "unencrypted" in refused(**OPEN, **half)
    for one in ("simple", "Simple", derived(SimpleLocalProcessSpawner)):
        assert "read each other's homes" in refused(spawner_class=one, **OPEN, **TLS)
    rehearsals = "workshop.rehearsal.authenticator.RehearsalAuthenticator"
    assert "rehearsals" in refused(**OPEN | TLS | {"authenticator_class": rehearsals})
    safety.check(OPEN | TLS, tls_elsewhere=False)
    safety.check(OPEN | {"authenticator_class": PAMAuthenticator}, tls_elsewhere=True)


def started(folder, *options, **settings):
    """Run a real hub that ends at once (it has no proxy); return its exit status and output."""
    environment = {k: v for k, v in os.environ.items() if not k.startswith("CLASS_")}
    environment |= {"CLASS_STATE": str(folder / "state"), "PYTHONPATH": str(ROOT)} | settings
    run = subprocess.run(
        [sys.executable, "-m", "jupyterhub", "--config", str(CONFIG), *options,
         "--ConfigurableHTTPProxy.command=false"],
        cwd=folder, env=environment, capture_output=True, text=True, timeout=300,
    )  # fmt: skip
    return run.returncode, run.stderr


@pytest.mark.slow
def test_the_hub_itself_refuses_in_one_line_whatever_way_the_port_is_opened(tmp_path):
    code, output = started(tmp_path, "--ip", "0.0.0.0")
    assert code == 1
    assert output.startswith("error: the hub would listen on 0.0.0.0")
    assert "no authenticator is chosen" in output
    assert output.count("\n") == 1
    assert list((tmp_path / "state").iterdir()) == []  # it stopped before it made anything


def loaded(monkeypatch, tmp_path, **settings):
    """Load the configuration as JupyterHub does."""
    for name in [name for name in os.environ if name.startswith("CLASS_")]:
        monkeypatch.delenv(name)
    for name, value in ({"CLASS_STATE": tmp_path / "state"} | settings).items():
        monkeypatch.setenv(name, str(value))
    mask = os.umask(0o022)
    try:
        return PyFileConfigLoader(CONFIG.name, str(CONFIG.parent)).load_config()
    finally:
        os.umask(mask)


def test_what_a_file_of_ones_own_sets_is_looked_at_too(monkeypatch, tmp_path):
    mine = tmp_path / "mine.py"
    for setting, message in (
        ("c.JupyterHub.authenticator_class = 'dummy'", "lets in whoever types a name"),
        ("c.JupyterHub.ip = '0.0.0.0'", "no authenticator is chosen"),
        ("", "nobody may log in"),
    ):
        mine.write_text(setting)
        with pytest.raises(SystemExit, match=f"^error: .*{message}"):
            loaded(monkeypatch, tmp_path, CLASS_CONFIG=mine)
    mine.write_text("c.GitHubOAuthenticator.allowed_organizations = {'school'}")
    assert loaded(monkeypatch, tmp_path, CLASS_CONFIG=mine)


def test_a_list_of_students_and_the_engine_reach_the_hub(monkeypatch, tmp_path):
    (tmp_path / "students.txt").write_text("ann\nbob\n")
    settings = {"CLASS_STUDENTS": tmp_path / "students.txt", "CLASS_INSTRUCTORS": "eve,zoe"}
    c = loaded(monkeypatch, tmp_path, COURSE_ENGINE="http://127.0.0.1:9", **settings)
    assert c.Authenticator.allowed_users == {"ann", "bob"}
    assert c.Authenticator.admin_users == {"eve", "zoe"}
    assert c.Spawner.environment["COURSE_ENGINE"] == "http://127.0.0.1:9"
    assert (c.JupyterHub.spawner_class == "simple") == (os.getuid() != 0)
