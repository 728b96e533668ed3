"""The figure of this elective, drawn from made-up data."""

from types import SimpleNamespace

from course_utils.lessons.numerical_ties import figures


def _divergence(alone, among, verdict):
    return SimpleNamespace(
        alone=SimpleNamespace(margin=alone), among=SimpleNamespace(margin=among), verdict=verdict
    )


PICTURES = {
    "leads": lambda: figures.leads(
        [_divergence(0.1, 0.0, "numerical tie")],
        [_divergence(1.2, 1.1, "bug"), _divergence(0.1, -0.1, "numerical tie")],
        0.3,
    ),
}
