// Elements built in one expression; text is always text, never markup.

const SVG = "http://www.w3.org/2000/svg";

/**
 * h("p.legend", {title: "..."}, children): <p class="legend" title="...">children</p>.
 *
 * Attributes are optional; a function is a listener ("onclick"); null and false are skipped.  A child may be a control, {element}.
 */
export const h = (name, ...rest) => build(tag => document.createElement(tag), name, rest);

/** `h` for SVG elements. */
export const s = (name, ...rest) => build(tag => document.createElementNS(SVG, tag), name, rest);

function build(create, name, rest) {
  const [tag, ...classes] = name.split(".");
  const element = create(tag);
  if (classes.length) element.setAttribute("class", classes.join(" "));
  const hasAttributes = Object.getPrototypeOf(rest[0] ?? "") === Object.prototype && !rest[0].element;
  put(element, hasAttributes ? rest[0] : {});
  const children = rest.slice(Number(hasAttributes)).flat(Infinity);
  element.append(...children.filter(child => child != null && child !== false).map(child => child.element ?? child));
  return element;
}

/** Set attributes; add a listener where the value is a function. */
export function put(element, attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name.replace(/^on/, ""), value);
    else if (value !== false && value != null) element.setAttribute(name, value === true ? "" : value);
  }
  return element;
}
