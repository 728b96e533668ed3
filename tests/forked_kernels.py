"""Kernels with torch and transformers already imported: forked from a process that has them.

A kernel started anew spends four seconds on that, which thirty lessons need not.  Only what is
others' is read before, nothing of the course and nothing that asks for its backend when read
(matplotlib): a lesson still has to import what it uses, and the course's imports run in it.

As a plugin of pytest, `-p tests.forked_kernels`, all kernels of a run are such; on Linux, where a
process that has read torch may be forked, and elsewhere none.
"""

import multiprocessing
import os
import runpy
import sys

import pytest
from jupyter_client.provisioning import local_provisioner

READ_BEFORE = [  # also in the process's command line: a search for ipykernel must not find it
    "scipy.optimize",
    "scipy.stats",
    "IPython.core.interactiveshell",
    "transformers.modeling_utils",
    "transformers.models.auto.modeling_auto",
    "transformers.models.qwen3.modeling_qwen3",
]
FORKS = multiprocessing.get_context("forkserver" if sys.platform == "linux" else None)


class Forked:
    """The part of `Popen` that jupyter_client uses."""

    stdin = stdout = stderr = None

    def __init__(self, command, env, cwd):
        FORKS.set_forkserver_preload(READ_BEFORE)
        ready, mine = FORKS.Pipe(duplex=False)
        self._process = FORKS.Process(target=_kernel, args=(command, env, cwd, mine))
        self._process.start()
        mine.close()
        ready.recv()  # it leads its own process group, which receives signals
        self.pid = self._process.pid
        self.kill, self.terminate = self._process.kill, self._process.terminate

    def poll(self):
        return self._process.exitcode

    def wait(self):
        self._process.join()
        return self.poll()

    def send_signal(self, number):
        os.kill(self.pid, number)


def launch(command, env=None, cwd=None, **_):
    """A replacement for `jupyter_client.launcher.launch_kernel`."""
    python, dash_m, module, *arguments = command
    assert (os.path.samefile(python, sys.executable), dash_m) == (True, "-m"), command
    return Forked([module, *arguments], dict(env or os.environ), cwd)


def _kernel(command, env, cwd, ready):
    os.setsid()
    os.environ.clear()
    os.environ.update(env)
    os.chdir(cwd or ".")
    ready.send(None)
    ready.close()
    # it ends with the process that it was forked from, and that with the tests
    sys.argv = [*command, f"--IPKernelApp.parent_handle={os.getppid()}"]
    runpy.run_module(command[0], run_name="__main__", alter_sys=True)


def pytest_configure(config):
    """Install the replacement here, because nbval's cells use no fixtures."""
    if sys.platform == "linux":
        patch = pytest.MonkeyPatch()
        patch.setattr(local_provisioner, "launch_kernel", launch)
        config.add_cleanup(patch.undo)
