"""JupyterHub for a class on one machine: jupyterhub --config deploy/jupyterhub_config.py

Started by root, each student's server runs as that student's own unix account.  Started by
anybody else, all of them run as one account, and only this machine can reach the hub.
README.md in this folder says what each of the variables CLASS_... is.
"""

import os
import sys
from pathlib import Path

from traitlets.config import Application, Config

COURSE = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(COURSE))

from deploy import limits, safety  # noqa: E402
from deploy.home_check import check_home  # noqa: E402

c = get_config()  # noqa: F821
own_accounts = os.getuid() == 0
given = os.environ.get
python = given("CLASS_PYTHON", sys.executable)  # which every student can run
course = given("CLASS_COURSE", str(COURSE))  # which every student can read

# Where the hub keeps its database and the secret that signs its cookies: for its eyes only.
os.umask(0o077)
state = Path(given("CLASS_STATE", Path.home() / ".speculative-decoding-class"))
state.mkdir(parents=True, exist_ok=True)
state.chmod(0o700)
c.JupyterHub.cookie_secret_file = str(state / "cookie_secret")
c.JupyterHub.db_url = f"sqlite:///{state}/hub.sqlite"
c.ConfigurableHTTPProxy.pid_file = str(state / "proxy.pid")

# Who may log in, and where.  Nothing here lets anybody in by default.
c.JupyterHub.bind_url = given("CLASS_ADDRESS", "http://127.0.0.1:8000")
if chosen := given("CLASS_AUTHENTICATOR"):
    c.JupyterHub.authenticator_class = chosen
for setting, variable in (("ssl_cert", "CLASS_CERT"), ("ssl_key", "CLASS_KEY")):
    if given(variable):
        c.JupyterHub[setting] = given(variable)
c.Authenticator.allowed_users = safety.students(given("CLASS_STUDENTS"))
c.Authenticator.admin_users = safety.names(given("CLASS_INSTRUCTORS", "").replace(",", "\n"))

# Servers and the proxy outlive the hub: to restart it interrupts nobody's work.
c.JupyterHub.cleanup_servers = False
c.ConfigurableHTTPProxy.command = [str(COURSE / "deploy/node_modules/.bin/configurable-http-proxy")]

# A student's server: the account, the folder, the course, and what it may take.
c.JupyterHub.spawner_class = "localprocess" if own_accounts else "simple"
homes = given("CLASS_HOMES", str(state / "homes"))  # of "simple" only
c.SimpleLocalProcessSpawner.home_dir_template = f"{homes}/{{username}}"
c.Spawner.cmd = [python, f"{course}/deploy/student_server.py"]
c.LocalProcessSpawner.pre_spawn_hook = check_home
c.Spawner.args = list(limits.SERVER)
c.Spawner.notebook_dir = "~"
c.Spawner.default_url = "/lab/tree/my_lessons/00_start_here.ipynb"
c.Spawner.mem_limit = limits.MEMORY
c.Spawner.environment = limits.THREADING | {"JUPYTER_PLATFORM_DIRS": "1", "PYTHONPATH": course}
c.Spawner.start_timeout = 300  # when all students of a class come at once
c.Spawner.http_timeout = 300
if given("COURSE_ENGINE"):  # the vLLM that all of them share in lesson 12
    c.Spawner.environment["COURSE_ENGINE"] = given("COURSE_ENGINE")

# Who has been idle is stopped; files stay.
c.JupyterHub.services = [{"name": "culler", "command": limits.culler(sys.executable)}]
c.JupyterHub.load_roles = [{"name": "culler", "services": ["culler"], "scopes": limits.MAY_CULL}]

# Settings of an authenticator (its client id and secret) are in a file of your own.
if given("CLASS_CONFIG"):
    load_subconfig(given("CLASS_CONFIG"))  # noqa: F821

final = Config(c.copy())
final.merge(Application.instance().cli_config if Application.initialized() else {})
try:
    safety.check(final.JupyterHub, tls_elsewhere=given("CLASS_BEHIND_TLS") == "1")
    safety.somebody_may_log_in(final)
except ValueError as refused:
    sys.exit(f"error: {refused}")
