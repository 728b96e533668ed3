"""How fast scenes are in a browser: moved sliders, moving pictures, the first sight of a page.

All times come from the browser's own clock.  Nothing here judges them: `make bench` with
--scenes prints them, beside a machine's name.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import numpy as np

from course_utils.classroom.scene import bundle, scene_page
from course_utils.measuring.browser import visiting

if TYPE_CHECKING:
    from playwright.sync_api import Locator

FRAME = 1000 / 60  # milliseconds
# Each control is moved at the start of a frame; what counts is the time until that frame is
# painted: all the work of the scene, the layout and the paint.
MOVES = """async (scene, moves) => {
  const frame = () => new Promise(requestAnimationFrame);
  const painted = () => new Promise((resolve) => {
    const channel = new MessageChannel();
    channel.port1.onmessage = resolve;
    channel.port2.postMessage(0);
  });
  const seen = (one) => one.getClientRects().length;
  const sliders = [...scene.querySelectorAll('input[type=range]')].filter(seen);
  const handles = [...scene.querySelectorAll('[role=slider]')].filter(seen);
  const controls = [...sliders, ...handles];
  const milliseconds = [];
  for (let move = 0; controls.length && move < moves; move++) {
    const control = controls[move % controls.length];
    const there = Math.floor(move / controls.length) % 8 < 4;
    await frame();
    const start = performance.now();
    if (control.tagName === 'INPUT') {
      there ? control.stepUp(1 + move % 3) : control.stepDown(1 + move % 3);
      control.dispatchEvent(new Event('input', {bubbles: true}));
    } else {
      const key = there ? 'ArrowRight' : 'ArrowLeft';
      control.dispatchEvent(new KeyboardEvent('keydown', {key, bubbles: true, cancelable: true}));
    }
    await painted();  // queued in this frame: it comes when the frame is on the screen
    milliseconds.push(performance.now() - start);
  }
  return milliseconds;
}"""
# The whole story, a step as soon as the last one stands still for a moment.
STORY = """async (scene, pause) => {
  const steps = scene.steps;
  if (!steps) return {frames: [], steps: 0};
  const gaps = [];
  let last = 0, on = true, count = 0;
  const frame = (now) => {
    if (last) gaps.push(now - last);
    last = now;
    if (on) requestAnimationFrame(frame);
  };
  steps.go(0);
  requestAnimationFrame(frame);
  while (count < 24 && steps.next()) {
    count++;
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
  on = false;
  return {frames: gaps.slice(2), steps: count};
}"""


def measured(scenes: Mapping[str, Mapping[str, Any]], moves: int = 120) -> list[dict[str, Any]]:
    """A row for each {name: `Scene.stored`}: times in milliseconds, sizes in bytes.

    Raises:
        FileNotFoundError: no Chromium on this machine.
    """
    rows = []
    with TemporaryDirectory() as folder, visiting(1280, 720) as visit:
        for name, stored in scenes.items():
            path = Path(folder) / "scene.html"
            path.write_text(page := scene_page([stored]), encoding="utf-8")
            visit.page.goto(path.as_uri())
            scene = visit.page.locator(".course-scene")
            scene.wait_for()
            first = visit.page.evaluate("performance.now()")
            story = scene.evaluate(STORY, 700)
            answers = answered(scene, moves)
            rows.append(
                {
                    "scene": name,
                    "bundle_bytes": len(bundle(stored["scene"]).encode()),
                    "page_bytes": len(page.encode()),
                    "first_ms": first,
                    "answers": quantiles(answers),
                    "moves": len(answers),
                    "frames": quantiles(story["frames"]),
                    "late_frames": float(np.mean(np.array(story["frames"]) > 1.5 * FRAME))
                    if story["frames"]
                    else None,
                    "steps": story["steps"],
                }
            )
    return rows


def answered(scene: "Locator", moves: int = 120) -> list[float]:
    """Milliseconds a move of each slider and handle on the screen, one after the other."""
    return scene.evaluate(MOVES, moves)


def quantiles(times: Sequence[float]) -> tuple[float, float] | None:
    """Median and 95th percentile; None if nothing was timed."""
    if not len(times):
        return None
    return float(np.median(times)), float(np.quantile(times, 0.95))
