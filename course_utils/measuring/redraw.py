"""How long a widget takes to answer a moved slider.

In the kernel: from the new value to the finished markup.  In a browser: from the
key press to the frame in which the new view stands, with the messages between
page and kernel.
"""

from collections.abc import Iterator
from random import Random
from time import perf_counter
from typing import TYPE_CHECKING

import ipywidgets as widgets
import numpy as np

if TYPE_CHECKING:
    from playwright.sync_api import Locator

SLIDERS = (widgets.IntSlider, widgets.FloatSlider)
CHOICES = (widgets.Dropdown, widgets.ToggleButtons, widgets.RadioButtons)
LIMIT = 0.1  # seconds, for 95 moves in 100

# Press a key on one slider after the other and wait until the card's views have changed,
# however long that takes.  Where the kernel is idle again and nothing has changed, there was
# nothing to redraw: the slider is at its end, or the new value gives the same picture.
PRESS = """async ([card, moves]) => {
  const handles = [...card.querySelectorAll('.noUi-handle')];
  const views = card.querySelectorAll('.widget-html-content');
  const seconds = [];
  for (let move = 0; move < moves; move++) {
    const handle = handles[move % handles.length];
    const key = Math.floor(move / handles.length) % 4 < 2 ? 'ArrowRight' : 'ArrowLeft';
    const start = performance.now();
    const changed = new Promise(resolve => {
      const watch = new MutationObserver(() => { watch.disconnect(); resolve(true); });
      views.forEach(view => watch.observe(view, {childList: true, subtree: true}));
      const idle = () => !document.querySelector(
        '.jp-Notebook-ExecutionIndicator:not([data-status="idle"])');
      const poll = setInterval(() => {
        if (performance.now() - start > 400 && idle()) { clearInterval(poll); resolve(false); }
      }, 50);
    });
    handle.dispatchEvent(new KeyboardEvent('keydown', {key, bubbles: true}));
    const redrawn = await changed;
    await new Promise(requestAnimationFrame);
    if (redrawn) seconds.push((performance.now() - start) / 1000);
  }
  return seconds;
}"""


def in_the_kernel(card: widgets.Widget, moves: int = 200, seed: int = 0) -> list[float]:
    """Seconds a move: sliders and choices are set at random; their observers draw at once."""
    random = Random(seed)
    controls = [w for w in parts(card) if isinstance(w, SLIDERS + CHOICES)]
    seconds = []
    for _ in range(moves if controls else 0):
        control = random.choice(controls)
        value = _another(control, random)
        start = perf_counter()
        control.value = value
        seconds.append(perf_counter() - start)
    return seconds


def in_a_browser(card: "Locator", moves: int = 100) -> list[float]:
    """Seconds a move of the card's sliders, one after the other."""
    card.scroll_into_view_if_needed()
    return card.page.evaluate(PRESS, [card.element_handle(), moves])


def quantiles(seconds: list[float]) -> tuple[float, float]:
    """Median and 95th percentile.

    Raises:
        ValueError: nothing was timed.
    """
    if not seconds:
        raise ValueError("no move was answered: is the kernel busy, or has the card no slider?")
    return float(np.median(seconds)), float(np.quantile(seconds, 0.95))


def as_text(rows: list[dict[str, object]]) -> str:
    """Milliseconds as a table; what is over the limit is said."""
    lines = [f"{'':<22}{'in the kernel':>22}{'in the browser':>22}", f"{'':<22}" + _HEAD * 2]
    for row in rows:
        cells = [
            f"{row[place][0] * 1000:9.1f}{row[place][1] * 1000:7.1f}{row[f'{place}_moves']:6d}"
            if row[place]
            else f"{'–':>22}"
            for place in ("kernel", "browser")
        ]
        slow = any(row[place] and row[place][1] > LIMIT for place in ("kernel", "browser"))
        lines.append(f"{row['widget']:<22}{''.join(cells)}" + "  over 100 ms" * slow)
    return "\n".join(lines)


_HEAD = f"{'median':>9}{'p95':>7}{'moves':>6}"


def parts(widget: widgets.Widget) -> Iterator[widgets.Widget]:
    """The widget and all that stands in it."""
    yield widget
    for child in getattr(widget, "children", ()):
        yield from parts(child)


def _another(control: widgets.Widget, random: Random) -> object:
    """A value other than the present one, or there would be nothing to redraw."""
    if isinstance(control, CHOICES):
        values = [value for _, value in control._options_full]
    else:
        count = round((control.max - control.min) / control.step)
        values = [control.min + control.step * i for i in range(count + 1)]
    return random.choice([value for value in values if value != control.value])
