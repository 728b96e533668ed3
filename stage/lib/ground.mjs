// Is the page around a scene light or dark?  JupyterLab, Voila, Sphinx and the presenter's page
// each mark it differently, so the painted background decides.

/** Keep `root.dataset.ground` at "light" or "dark"; returns a function that stops. */
export function followGround(root) {
  const look = () => {
    root.dataset.ground = luminance(getComputedStyle(root).backgroundColor) < 0.4 ? "dark" : "light";
  };
  const later = () => [0, 100, 400].forEach(ms => setTimeout(look, ms)); // a theme takes time to load
  const watch = new MutationObserver(later);
  for (const element of [document.documentElement, document.body]) {
    watch.observe(element, { attributes: true });
  }
  const preferred = matchMedia("(prefers-color-scheme: dark)");
  preferred.addEventListener("change", later);
  look();
  later(); // `root` may not be in the page yet
  return () => {
    watch.disconnect();
    preferred.removeEventListener("change", later);
  };
}

function luminance(colour) {
  const [r, g, b, a = 1] = (colour.match(/[\d.]+/g) ?? ["255", "255", "255"]).map(Number);
  if (a === 0) return 1;
  return (0.2126 * r + 0.7152 * g + 0.0722 * b) / 255;
}
