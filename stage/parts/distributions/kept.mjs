// Keyed SVG elements of which only what has changed is written: a browser lays out no more than that.

import { s } from "../../lib/dom.mjs";

/**
 * The children of `layer` become one `tag` for each of `things`, {key, text, ...attributes}.
 *
 * An attribute that is null is left out; elements of keys that are gone are removed.
 */
export function kept(layer, tag, things) {
  const known = (layer.known ??= new Map());
  const gone = new Set(known.keys());
  let before = null;
  for (const { key, text, ...attributes } of things) {
    let one = known.get(key);
    if (!one) known.set(key, (one = { element: s(tag), wrote: {} }));
    gone.delete(key);
    for (const [name, value] of Object.entries(attributes)) {
      if (one.wrote[name] === value) continue;
      one.wrote[name] = value;
      if (value == null) one.element.removeAttribute(name);
      else one.element.setAttribute(name, value);
    }
    if (text !== undefined && one.wrote.text !== text) one.element.textContent = one.wrote.text = text;
    const place = before ? before.nextSibling : layer.firstChild;
    if (place !== one.element) layer.insertBefore(one.element, place);
    before = one.element;
  }
  for (const key of gone) {
    known.get(key).element.remove();
    known.delete(key);
  }
}
