"""Any setting of the speedup explorer, for hypothesis."""

from hypothesis import strategies as st

from course_utils.lessons.speedup_theory.explorer import LONGEST, SLIDERS, Preset


def on_slider(name: str) -> st.SearchStrategy[float]:
    """A step of that slider."""
    low, high, step, _ = SLIDERS[name]
    return st.integers(0, round((high - low) / step)).map(lambda i: round(low + step * i, 3))


PRESETS = st.builds(
    Preset,
    alpha=on_slider("alpha"),
    c=on_slider("c"),
    slope=on_slider("slope"),
    o=on_slider("o"),
    plain_o=st.sampled_from([0.0, 0.04, 0.4, 1.0]),
    gamma=on_slider("gamma"),
    measured=st.dictionaries(st.integers(1, LONGEST), st.floats(0.05, 30), max_size=6).map(
        lambda found: tuple(found.items())
    ),
)
