"""The memory that this process may still take, and one error for every way to run out of it."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil

# {kind of control group: (its folder, limit, use)}; in use, but given back when needed: _CACHES
_GROUPS = {
    "": ("", "memory.max", "memory.current"),  # version 2 has one group for all kinds
    "memory": ("memory", "memory.limit_in_bytes", "memory.usage_in_bytes"),
}
_CACHES = {"inactive_file", "active_file"}, {"total_inactive_file", "total_active_file"}
# C++, torch, maps of a file, threads: each library has its own words
_SIGNS = ("bad_alloc", "bad allocation", "allocate memory", "unable to mmap", "start new thread")


class MemoryShortage(MemoryError):
    """Something does not fit into memory; the message says what is free, and what would fit."""


def process_memory(root: Path = Path("/")) -> tuple[int, int]:
    """Return the bytes that this process may still take, and those that it may take at most.

    That is the machine's memory, or less if RLIMIT_DATA, RLIMIT_AS or a control group (version 1
    or 2, or one around it) allows less.  `root` is the folder that contains proc and sys.
    """
    machine = psutil.virtual_memory()  # type: ignore[no-untyped-call]
    limits = [(machine.total, machine.total - machine.available)]
    limits += [*_own_limits(), *_group_limits(root)]
    return max(0, min(most - used for most, used in limits)), min(most for most, _ in limits)


def _own_limits() -> Iterator[tuple[int, int]]:
    """Yield the limit and the use, in bytes, of each limit on this process alone."""
    try:
        import resource
    except ImportError:  # Windows has none
        return
    used = psutil.Process().memory_info()  # type: ignore[no-untyped-call]
    for limit, name in ((resource.RLIMIT_AS, "vms"), (resource.RLIMIT_DATA, "data")):
        if (most := resource.getrlimit(limit)[0]) != resource.RLIM_INFINITY:
            yield most, getattr(used, name, 0)  # macOS counts no data


def _group_limits(root: Path) -> Iterator[tuple[int, int]]:
    """Yield the limit and the use of this process's control group and of each around it."""
    lines = _text(root / "proc/self/cgroup").splitlines()
    for kinds, path in (line.split(":", 2)[1:] for line in lines):
        for kind, (folder, limit, use) in _GROUPS.items():
            top = root / "sys/fs/cgroup" / folder
            own = top / path.lstrip("/")  # in a container there may be no such folder, only `top`
            for group in {top, own, *own.parents} if kind in kinds.split(",") else ():
                most, used = _text(group / limit).strip(), _text(group / use).strip()
                if most.isdecimal() and used.isdecimal():  # not "max"
                    yield int(most), int(used) - _caches(_text(group / "memory.stat"))


def _caches(statistics: str) -> int:
    """Return the bytes of cached files, "total_" (version 1) including the groups below."""
    sizes = dict(line.split() for line in statistics.splitlines())
    return max(sum(int(sizes.get(name, 0)) for name in names) for names in _CACHES)


def _text(path: Path) -> str:
    try:
        return path.read_text()
    except OSError:  # another system, or no such group
        return ""


def out_of_memory(error: BaseException) -> str:
    """Return a sentence if a library's error means that memory ran out; else ""."""
    kind, words = type(error).__name__, " ".join(str(error).split())
    if not isinstance(error, MemoryError) and not any(sign in words for sign in _SIGNS):
        return ""
    free, most = (size / 1e9 for size in process_memory())
    return (
        f"out of memory ({kind}: {words or 'no details'}): {free:.1f} of {most:.1f} GB is free for "
        "this process. Close other programs and notebooks, or take a smaller model (the pair "
        '"tiny" needs 0.2 GB), the form readable, or a shorter context'
    )


@contextmanager
def naming_shortage() -> Iterator[None]:
    """Raise a MemoryShortage in place of each library's own error for memory that ran out."""
    try:
        yield
    except MemoryShortage:
        raise
    except Exception as error:
        if words := out_of_memory(error):
            raise MemoryShortage(words) from error
        raise


@contextmanager
def failing_as(kind: type[Exception], words: str) -> Iterator[None]:
    """Turn any error inside into one of `kind`: "WORDS (the library's message)".

    Running out of memory is not: it is a MemoryShortage, or torch's own error on a device.
    """
    try:
        with naming_shortage():
            yield
    except MemoryShortage:
        raise
    except Exception as error:  # any: a damaged file can fail in a thousand places
        if type(error).__name__ == "OutOfMemoryError":  # torch's, which is not imported here
            raise
        raise kind(f"{words} ({cause(error)})") from error


def cause(error: Exception) -> str:
    """Return a library's message on one line, from at most two of its lines."""
    words = " ".join(f"{type(error).__name__}: {error}".split())
    return words if len(words) <= 200 else f"{words[:200]}..."
