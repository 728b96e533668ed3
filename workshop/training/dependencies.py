"""More training text: sources of the packages that the course depends on.

They are read where pip installed them, in the versions of constraints.txt, and never
copied into the repository.  One package is excluded from training, so that the loss on
other people's code is measured on unseen code.

Left out: the packages' tests, vendored code, and everything beyond a first share of
each, so that no package's style dominates.
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

# Chosen by hand, before the first training run on packages.  Never change the list.
HELD_OUT_PACKAGE = "matplotlib"
HELD_OUT = (
    "matplotlib/_afm.py", "matplotlib/bezier.py", "matplotlib/category.py",
    "matplotlib/container.py", "matplotlib/gridspec.py", "matplotlib/hatch.py",
    "matplotlib/layout_engine.py", "matplotlib/lines.py", "matplotlib/scale.py",
    "matplotlib/spines.py", "matplotlib/table.py", "matplotlib/units.py",
    "mpl_toolkits/axes_grid1/axes_size.py",
)  # fmt: skip

SHARE = 5_000_000  # the most characters of one package
_SKIPPED_FOLDERS = {"tests", "test", "testing", "_vendor", "_vendored_packages", "externals"}


def training_sources() -> Iterator[tuple[str, str]]:
    """Yield (name, text) of each training source, in a fixed order.

    A package's files are taken in the order of a hash of their names, until its share is full.

    Raises:
        FileNotFoundError: a package is not installed.
    """
    for package in LEARNED:
        total = 0
        distribution = _installed(package)
        names = [f.as_posix() for f in distribution.files or () if f.suffix == ".py"]
        for name in sorted(names, key=lambda name: sha256(name.encode()).digest()):
            text = "" if set(Path(name).parts) & _SKIPPED_FOLDERS else _read(distribution, name)
            if text and total + len(text) <= SHARE:
                total += len(text)
                yield name, text


def held_out_sources() -> Iterator[tuple[str, str]]:
    """Yield (name, text) of each held-out file.

    Raises:
        FileNotFoundError: the package is not installed.
    """
    package = _installed(HELD_OUT_PACKAGE)
    for name in HELD_OUT:
        text = _read(package, name)
        if text:
            yield name, text


def fingerprint() -> str:
    """Return a text that identifies the sources: packages' names, versions and share."""
    versions = [f"{package}=={_installed(package).version}" for package in LEARNED]
    return sha256(" ".join([*versions, str(SHARE)]).encode()).hexdigest()[:16]


def _installed(package: str) -> Distribution:
    try:
        return distribution(package)
    except PackageNotFoundError:
        raise FileNotFoundError(
            f"the package {package} is not installed: run `make install`"
        ) from None


def _read(package: Distribution, name: str) -> str | None:
    """Return the file's text, or None if it is missing or not UTF-8."""
    try:
        return Path(str(package.locate_file(name))).read_text("utf-8")
    except (FileNotFoundError, UnicodeDecodeError):
        return None
