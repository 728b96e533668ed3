"""vLLM's own environment: it pins its own torch and transformers, so it never shares ours."""

import os
import platform
import shutil
import subprocess
import sys
from pathlib import Path

from course_utils.classroom.files import alone, write_whole

FOLDER = Path(__file__).parents[2] / ".engine"
VERSION = "0.32.0"  # that the recorded session was made with
SUFFIX = "arctic-inference"  # what vLLM's suffix decoding imports
MEDIA = ("torchvision", "torchaudio", "torchcodec")
ROOM = 8e9  # bytes: a CPU build takes 4, one for CUDA more
RELEASES = "https://github.com/vllm-project/vllm/releases/download"
CPU_TORCH = "https://download.pytorch.org/whl/cpu"
WHEELS = {"x86_64": "manylinux_2_34_x86_64", "aarch64": "manylinux_2_34_aarch64"}
STAMP, MARK = "packages", "pyvenv.cfg"  # files of a whole environment; of any


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
        OSError: no room, the folder cannot be written to, or somebody else is making it.
        RuntimeError: pip could not install them; its last words are on the screen.
    """
    if _made(packages, folder):
        return
    folder.parent.mkdir(parents=True, exist_ok=True)
    with alone(folder):
        if _made(packages, folder):  # by whoever had it meanwhile
            return
        _clear(folder)
        free = shutil.disk_usage(folder.parent).free
        if free < ROOM:
            raise OSError(f"{free / 1e9:.1f} GB are free; the engine wants about {ROOM / 1e9:.0f}")
        _install(packages, folder)
        _without_broken_media(folder)
        write_whole(folder / STAMP, " ".join(packages))


def python(folder: Path = FOLDER) -> Path:
    """The environment's interpreter."""
    return folder / "bin" / "python"


def preloaded(folder: Path = FOLDER) -> str | None:
    """Intel's OpenMP, which vLLM's CPU wheels want in LD_PRELOAD, if it came with them."""
    found = sorted(folder.glob("lib/**/libiomp5.so"))
    return str(found[0]) if found else None


def inherited() -> dict[str, str]:
    """Our variables, without those that would mix our packages with an environment's own."""
    mixing = ("PYTHONPATH", "PYTHONHOME", "PIP_USER", "PIP_TARGET", "PIP_PREFIX")
    return {name: value for name, value in os.environ.items() if name not in mixing}


def _made(packages: list[str], folder: Path) -> bool:
    stamp = folder / STAMP
    return stamp.is_file() and stamp.read_text("utf-8", "replace") == " ".join(packages)


def _clear(folder: Path) -> None:
    """Interrupted at any moment, this leaves what the next call clears: not the stamp, and
    the mark as long as there is anything else."""
    if not os.path.lexists(folder):
        return
    if folder.is_symlink() or not folder.is_dir():
        raise FileExistsError(f"{folder} is there and is no folder: move it away")
    inside = {path.name for path in folder.iterdir()}
    if inside and MARK not in inside:
        raise FileExistsError(f"{folder} is there and is no environment: move it away")
    for name in sorted(inside - {MARK}, key=lambda name: name != STAMP):
        path = folder / name
        shutil.rmtree(path) if path.is_dir() and not path.is_symlink() else path.unlink()
    shutil.rmtree(folder)


def _install(packages: list[str], folder: Path) -> None:
    steps = {
        "venv could not make an environment (on Debian: apt install python3-venv)": [
            sys.executable, "-m", "venv", str(folder),
        ],
        f"pip could not install {packages[0]}": _pip(folder, packages),
        f"pip could not install {SUFFIX}": _pip(folder, [SUFFIX]),
    }  # fmt: skip
    for failure, step in steps.items():
        if subprocess.run(step, env=inherited()).returncode:
            raise RuntimeError(
                f'{failure} (its words are above); another build of vLLM: make engine PACKAGE="..."'
            )


def _without_broken_media(folder: Path) -> None:
    """Pictures and sound go where their packages and torch are of different builds: a text model
    needs neither, but transformers imports what it finds.

    Raises:
        RuntimeError: they cannot be removed.
    """
    imports = [str(python(folder)), "-c", f"import {', '.join(MEDIA)}"]
    if subprocess.run(imports, env=inherited(), stderr=subprocess.DEVNULL).returncode:
        removal = [str(python(folder)), "-m", "pip", "uninstall", "--yes", *MEDIA]
        if subprocess.run(removal, env=inherited()).returncode:
            raise RuntimeError(f"pip could not remove {', '.join(MEDIA)}: delete {folder.name}")


def _pip(folder: Path, what: list[str]) -> list[str]:
    return [str(python(folder)), "-m", "pip", "install", *what]
