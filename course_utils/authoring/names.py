"""Which names a cell binds, and who reads them later."""

import ast
from collections.abc import Sequence


def read_later(stub: str, later: Sequence[tuple[int, str]]) -> list[tuple[int, str]]:
    """(index, name) of each cell that reads what the stub binds, and does not bind it itself.

    Args:
        later: (index, source) of the code cells that follow, in order.

    >>> read_later("def f(x): ...", [(7, "g(1)"), (8, "f(2)")])
    [(8, 'f')]
    """
    found, open_names = [], bound(stub)
    for at, source in later:
        open_names -= bound(source)  # from here on it is the lesson's own
        found += [(at, name) for name in sorted(open_names & _read(source))]
    return found


def bound(source: str) -> set[str]:
    """Names of the functions, classes, imports and variables that a cell makes."""
    names = set()
    for node in _statements(source):
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            names.add(node.name)
        elif isinstance(node, ast.Import | ast.ImportFrom):
            names |= {(alias.asname or alias.name).split(".")[0] for alias in node.names}
        elif not isinstance(node, ast.Expr):
            names |= _names(node, ast.Store)
    return names


def _read(source: str) -> set[str]:
    return set().union(*(_names(node, ast.Load) for node in _statements(source)))


def _names(node: ast.AST, context: type[ast.expr_context]) -> set[str]:
    return {n.id for n in ast.walk(node) if isinstance(n, ast.Name) and isinstance(n.ctx, context)}


def _statements(source: str) -> list[ast.stmt]:
    try:
        return ast.parse(source).body
    except SyntaxError:  # IPython's own, such as %time
        return []
