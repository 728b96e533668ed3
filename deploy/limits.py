"""What one student may take of the machine; values.yaml says the same, and a test compares them.

The figures follow from the rehearsal that is stored in data/class/ (its table is in README.md
in this folder): a lesson's kernel holds at most 1.5 GB (`commands/course.py`), a server 0.2 GB.
"""

MEMORY = 2 * 2**30  # bytes: what a student's pod may hold; of data, what each process may
THREADS = 1  # a second one saves the trained pair little, and stands in a neighbour's way
KERNEL_IDLE = 60 * 60  # seconds without work before a kernel is stopped; its file stays
SERVER_IDLE = 2 * 60 * 60  # the same for a whole server, whose homes stay
CULL_EVERY = 5 * 60  # seconds between two looks at who is idle

THREADING = {
    "OMP_NUM_THREADS": str(THREADS),
    "OMP_WAIT_POLICY": "PASSIVE",  # threads that spin while they wait starve the neighbours
    "TOKENIZERS_PARALLELISM": "false",
    "HF_HUB_OFFLINE": "1",  # the models of the course lie beside it
    "HF_HUB_DISABLE_TELEMETRY": "1",
    "ORT_DISABLE_TELEMETRY": "1",
}

SERVER = (  # options of a student's server
    f"--MappingKernelManager.cull_idle_timeout={KERNEL_IDLE}",
    f"--MappingKernelManager.cull_interval={CULL_EVERY}",
    "--MappingKernelManager.cull_connected=True",  # a forgotten tab holds no memory
    "--LabApp.news_url=None",  # nothing is asked of other machines
    "--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate",
)

MAY_CULL = ["list:users", "read:users:activity", "read:servers", "delete:servers"]


def culler(python: str) -> list[str]:
    """The command of the service that stops idle servers."""
    idle = [f"--timeout={SERVER_IDLE}", f"--cull-every={CULL_EVERY}"]
    return [python, "-m", "jupyterhub_idle_culler", *idle]
