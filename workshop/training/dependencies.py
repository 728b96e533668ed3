"""More text for the trained pair: sources of the packages that the course depends on.

They are read where pip put them, in the versions that constraints.txt pins, and
never copied into the repository.  One package is kept out of training whole, so that
a model's loss on other people's code is measured on code it has not seen.

Left out on purpose: the packages' tests, what they vendor, and all beyond a first
share of each, so that no package's manner becomes the model's.
"""

from collections.abc import Iterator
from hashlib import sha256
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path

LEARNED = (
    "accelerate", "anyio", "babel", "beautifulsoup4", "click", "colour-science", "coverage",
    "fonttools", "fsspec", "httpx", "huggingface-hub", "idna", "ipykernel", "ipython",
    "ipywidgets", "jedi", "jinja2", "joblib", "jsonschema", "jupyter-client", "jupyter-server",
    "mpmath", "nbconvert", "networkx", "numpy", "packaging", "pillow", "playwright",
    "prompt-toolkit", "psutil", "pydantic", "pygments", "pyparsing", "pytest",
    "python-dateutil", "pyzmq", "rich", "scipy", "sqlalchemy", "sympy", "torch", "tornado",
    "traitlets", "transformers", "typer", "urllib3", "websockets",
)  # fmt: skip

# Chosen by hand, before the first run that learned from packages.  Never change the list.
HELD_OUT_PACKAGE = "matplotlib"
HELD_OUT = (
    "matplotlib/_afm.py", "matplotlib/bezier.py", "matplotlib/category.py",
    "matplotlib/container.py", "matplotlib/gridspec.py", "matplotlib/hatch.py",
    "matplotlib/layout_engine.py", "matplotlib/lines.py", "matplotlib/scale.py",
    "matplotlib/spines.py", "matplotlib/table.py", "matplotlib/units.py",
    "mpl_toolkits/axes_grid1/axes_size.py",
)  # fmt: skip

SHARE = 5_000_000  # characters of one package at most
_SKIPPED_FOLDERS = {"tests", "test", "testing", "_vendor", "_vendored_packages", "externals"}


def training_sources() -> Iterator[tuple[str, str]]:
    """Yield (name, text) of what is learned from, in a fixed order.

    A package's files are taken in the order of a hash of their names, until its share is full.

    Raises:
        FileNotFoundError: a package is not installed.
    """
    for package in LEARNED:
        taken = 0
        found = _installed(package)
        names = [f.as_posix() for f in found.files or () if f.suffix == ".py"]
        for name in sorted(names, key=lambda name: sha256(name.encode()).digest()):
            text = "" if set(Path(name).parts) & _SKIPPED_FOLDERS else _read(found, name)
            if text and taken + len(text) <= SHARE:
                taken += len(text)
                yield name, text


def held_out_sources() -> Iterator[tuple[str, str]]:
    """Yield (name, text) of each held-out file.

    Raises:
        FileNotFoundError: the package is not installed.
    """
    found = _installed(HELD_OUT_PACKAGE)
    for name in HELD_OUT:
        text = _read(found, name)
        if text:
            yield name, text


def fingerprint() -> str:
    """What tells these packages from others: their names, their versions and the share of each."""
    versions = [f"{package}=={_installed(package).version}" for package in LEARNED]
    return sha256(" ".join([*versions, str(SHARE)]).encode()).hexdigest()[:16]


def _installed(package: str) -> Distribution:
    try:
        return distribution(package)
    except PackageNotFoundError:
        raise FileNotFoundError(
            f"the package {package} is not installed: make the environment with `make install`"
        ) from None


def _read(found: Distribution, name: str) -> str | None:
    """The file's text, or None when it is missing or not UTF-8."""
    try:
        return Path(str(found.locate_file(name))).read_text("utf-8")
    except (FileNotFoundError, UnicodeDecodeError):
        return None
