"""vLLM's own environment: it pins its own torch and transformers, so it never shares ours."""

import platform
import shutil
import subprocess
import sys
from pathlib import Path

FOLDER = Path(__file__).parents[2] / ".engine"
VERSION = "0.32.0"  # that the recorded session was made with
SUFFIX = "arctic-inference"  # what vLLM's suffix decoding imports
ROOM = 8e9  # bytes: a CPU build takes 4, one for CUDA more
RELEASES = "https://github.com/vllm-project/vllm/releases/download"
CPU_TORCH = "https://download.pytorch.org/whl/cpu"
WHEELS = {"x86_64": "manylinux_2_34_x86_64", "aarch64": "manylinux_2_34_aarch64"}


def package_here(gpu: bool, system: str | None = None, machine: str | None = None) -> list[str]:
    """What pip is to install on such a machine, as vLLM's installation page has it.

    Args:
        gpu: it has an NVIDIA card.
        system, machine: `platform`'s words; by default this machine's.

    Raises:
        ValueError: vLLM has no wheel for it.
    """
    system, machine = system or platform.system(), machine or platform.machine()
    if system != "Linux" or machine not in WHEELS:
        raise ValueError(
            f"vLLM has no ready wheel for {system} on {machine}: run its image in Docker "
            "(docs.vllm.ai, installation) and say where it is in COURSE_ENGINE, or stay with the "
            "recorded session, which lesson 12 shows where no server answers"
        )
    if gpu:
        return [f"vllm=={VERSION}"]
    wheel = f"{RELEASES}/v{VERSION}/vllm-{VERSION}+cpu-cp38-abi3-{WHEELS[machine]}.whl"
    return [wheel, "--extra-index-url", CPU_TORCH]


def create(packages: list[str], folder: Path = FOLDER) -> None:
    """Make the environment, unless these packages are in it already.

    What an interrupted run left behind is thrown away: an environment is whole, which its
    file `packages` says, or it is made again.

    Raises:
        OSError: no room, or the folder cannot be written to.
        RuntimeError: pip could not install them; its last words are on the screen.
    """
    stamp, wanted = folder / "packages", " ".join(packages)
    if stamp.is_file() and stamp.read_text() == wanted:
        return
    if folder.exists() and not (folder / "pyvenv.cfg").exists():
        raise FileExistsError(f"{folder} is there and is no environment: move it away")
    folder.parent.mkdir(parents=True, exist_ok=True)
    free = shutil.disk_usage(folder.parent).free
    if free < ROOM:
        raise OSError(f"{free / 1e9:.1f} GB are free; the engine wants about {ROOM / 1e9:.0f}")
    shutil.rmtree(folder, ignore_errors=True)
    subprocess.run([sys.executable, "-m", "venv", str(folder)], check=True)
    for what in (packages, [SUFFIX]):
        if subprocess.run([str(python(folder)), "-m", "pip", "install", *what]).returncode:
            raise RuntimeError(
                f"pip could not install {what[0]} (its words are above); another build of vLLM: "
                'make engine PACKAGE="..."'
            )
    stamp.write_text(wanted)


def python(folder: Path = FOLDER) -> Path:
    """The environment's interpreter."""
    return folder / "bin" / "python"


def preloaded(folder: Path = FOLDER) -> str | None:
    """Intel's OpenMP, which vLLM's CPU wheels want in LD_PRELOAD, if it came with them."""
    found = sorted(folder.glob("lib/**/libiomp5.so"))
    return str(found[0]) if found else None
