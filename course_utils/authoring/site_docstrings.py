"""Docstrings as reStructuredText: what is drawn or indented in them stays as it is written.

The docstrings of the course are plain text for `help()`: paragraphs, lists, code, drawings, and
Google's sections.  Lines in, lines out.
"""

import re
from collections.abc import Iterator, Sequence

_SECTIONS = {"Args:": "Arguments", "Raises:": "Raises"}
_ITEM = re.compile(r"([*-]|\d+\.) ")
_NAMED = re.compile(r"(\w+(?:, \w+)*): (.*)")
_CODE = re.compile(r"(`[^`]*`)")


def as_rest(docstring: Sequence[str]) -> list[str]:
    """
    >>> as_rest(["Half the sum of |p - q|."])
    ['Half the sum of \\\\|p - q\\\\|.', '']
    >>> as_rest(["Raises:", "    ValueError: no such module."])
    [':Raises:', '    * **ValueError**: no such module.', '']
    """
    lines: list[str] = []
    section = ""
    for block in _blocks(docstring):
        if block[0] in _SECTIONS:
            section, block = _SECTIONS[block[0]], _dedented(block[1:])
        elif not block[0].startswith(" "):
            section = ""
        lines += [*(_field(section, block) if section else _block(block)), ""]
    return lines


def _blocks(lines: Sequence[str]) -> Iterator[list[str]]:
    block: list[str] = []
    for line in [*lines, ""]:
        if line.strip():
            block.append(line)
        elif block:
            yield block
            block = []


def _block(block: list[str]) -> list[str]:
    """One paragraph, list or drawing."""
    first, rest = block[0], block[1:]
    if first.lstrip().startswith(">>>"):
        return _dedented(block)
    outer = [line for line in block if not line.startswith(" ")]
    if len(outer) > 1 and all(map(_NAMED.match, outer)):
        return [_named(line) if line in outer else f"  {_safe(line.strip())}" for line in block]
    if _ITEM.match(first):
        return [_safe_item(line) for line in block]
    if first.startswith(" ") or any(line.startswith(" ") for line in rest):
        if _listed(block):
            at = next(i for i, line in enumerate(block) if _ITEM.match(line.lstrip()))
            return [*map(_safe, block[:at]), "", *map(_safe_item, _dedented(block[at:]))]
        return [".. code-block:: text", "", *(f"    {line}" for line in block)]
    return [_safe(line) for line in block]


def _listed(block: list[str]) -> bool:
    return any(_ITEM.match(line) for line in block[1:])


def _named(line: str) -> str:
    name, text = _NAMED.match(line).groups()
    return f"* **{name}**: {_safe(text)}"


def _field(title: str, block: list[str]) -> list[str]:
    """A section of Google's, as a field with a list of its entries."""
    lines = [f":{title}:"]
    for line in _dedented(block):
        name, colon, text = line.partition(": ")
        if line.startswith(" "):
            lines.append(f"      {_safe(line.strip())}")
        else:
            lines.append(f"    * **{_safe(name)}**{colon}{_safe(text)}")
    return lines


def _dedented(block: list[str]) -> list[str]:
    margin = min((len(line) - len(line.lstrip()) for line in block), default=0)
    return [line[margin:] for line in block]


def _safe_item(line: str) -> str:
    marker = _ITEM.match(line)
    return marker[0] + _safe(line[marker.end() :]) if marker else _safe(line)


def _safe(line: str) -> str:
    """Without what reStructuredText would take for its own; code in backticks stays code."""
    parts = _CODE.split(line)
    parts[::2] = [re.sub(r"([|*_\\])(?!\w*`)", r"\\\1", part) for part in parts[::2]]
    return "".join(parts)


def setup(app) -> dict[str, bool]:
    """What Sphinx calls."""
    app.connect("autodoc-process-docstring", _rewrite)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def _rewrite(app, what, name, thing, options, lines: list[str]) -> None:
    lines[:] = as_rest(lines)
