"""What malloc keeps of what was freed: while models are loaded, as little as can be.

Loading frees nearly as much as it keeps: a matrix once it is fused or packed, and the text of a
tokenizer once it is read.  glibc gives back at once what lies in pages of its own, and takes such
pages for what is larger than a threshold, which grows to 32 MB by itself.  Smaller matrices are
cut from a heap, and what is freed between two that stay is kept: a Qwen3-0.6B in float32 leaves
1.2 GB of such holes.
"""

import ctypes
import platform
from collections.abc import Iterator
from contextlib import contextmanager

_TRIM_THRESHOLD, _MMAP_THRESHOLD = -1, -3  # what <malloc.h> calls M_TRIM_THRESHOLD, ...
_LOADING = 2**18  # bytes
_GROWN = 2**25  # where glibc's own threshold ends, on 64 bits


@contextmanager
def giving_back() -> Iterator[None]:
    """Inside, a tensor of some size is given back to the system when it goes; at the end, all that
    is free.  Where malloc is not glibc's, nothing is changed."""
    if platform.libc_ver()[0] != "glibc":
        yield
        return
    libc = ctypes.CDLL(None)
    libc.mallopt(_MMAP_THRESHOLD, _LOADING)
    try:
        yield
    finally:
        libc.mallopt(_MMAP_THRESHOLD, _GROWN)  # temporaries of a pass are used again and again
        libc.mallopt(_TRIM_THRESHOLD, 2 * _GROWN)
        libc.malloc_trim(0)
