// A finger drawn across: left for the next, right for the one before.

const FAR = 50; // CSS pixels

/** `left()` and `right()`, except where something is dragged or scrolled sideways; returns a stop. */
export function swiped(root, { left, right, when }) {
  let from = null;
  const begin = (event) => {
    const [touch, ...more] = event.touches;
    from = more.length || !when() || taken(event.target, root) ? null : touch;
  };
  const end = (event) => {
    if (!from) return;
    const [touch] = event.changedTouches;
    const across = touch.clientX - from.clientX;
    const down = touch.clientY - from.clientY;
    from = null;
    if (Math.abs(across) < FAR || Math.abs(across) < 2 * Math.abs(down)) return;
    if (across < 0) left();
    else right();
  };
  root.addEventListener("touchstart", begin, { passive: true });
  root.addEventListener("touchend", end, { passive: true });
  return () => {
    root.removeEventListener("touchstart", begin);
    root.removeEventListener("touchend", end);
  };
}

/** Does anything between `target` and `root` want the finger for itself? */
function taken(target, root) {
  for (let one = target; one && one !== root; one = one.parentElement) {
    if (one.matches("input, select, textarea, [role=slider]")) return true;
    const { touchAction, overflowX } = getComputedStyle(one);
    if (touchAction !== "auto" && touchAction !== "manipulation") return true;
    if (/auto|scroll/.test(overflowX) && one.scrollWidth > one.clientWidth + 1) return true;
  }
  return false;
}
