"""What long runs of the shipped heads brought, beside what their training had promised."""

import numpy as np

from course_utils.measuring.recorded import recorded_heads, trained_heads

report = recorded_heads


def baseline(report: dict, name: str = "eagle") -> float:
    """The mean of sum min(p, q) over the guesses of a trained head, on its own states."""
    return float(np.mean(trained_heads(report)[name]["own"]))


def service(report: dict) -> list[dict[str, object]]:
    """A row for each head: tau as the end of its training knew it, and what long runs brought."""
    trained = {name: head["tau"] for name, head in trained_heads(report).items()}
    return [
        {
            "head": kept["name"],
            "chains of": kept["gamma"],
            "τ, training": trained[kept["name"]],
            "τ, logged rows": kept["predicted"],
            "tokens per round": kept["served"],
            "off training's": f"{kept['served'] / trained[kept['name']] - 1:+.1%}",
            "off the rows'": f"{kept['served'] / kept['predicted'] - 1:+.1%}",
            "two standard errors": f"{kept['error'] / kept['served']:.1%}",
            "rounds": kept["rounds"],
        }
        for kept in report["served"]
    ]
