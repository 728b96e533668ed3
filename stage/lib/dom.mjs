// Elements, made in one expression; text is always text, never markup.

const SVG = "http://www.w3.org/2000/svg";

/**
 * h("p.legend", {title: "..."}, children): <p class="legend" title="...">children</p>.
 *
 * Attributes may be left out; a function as attribute is a listener ("onclick"); null and false are left out.  A child may be a control, {element}.
 */
export const h = (name, ...rest) => made(tag => document.createElement(tag), name, rest);

/** The same for SVG. */
export const s = (name, ...rest) => made(tag => document.createElementNS(SVG, tag), name, rest);

function made(create, name, rest) {
  const [tag, ...classes] = name.split(".");
  const element = create(tag);
  if (classes.length) element.setAttribute("class", classes.join(" "));
  const given = Object.getPrototypeOf(rest[0] ?? "") === Object.prototype && !rest[0].element;
  put(element, given ? rest[0] : {});
  const children = rest.slice(Number(given)).flat(Infinity);
  element.append(...children.filter(child => child != null && child !== false).map(child => child.element ?? child));
  return element;
}

/** Sets attributes, or listens where one is a function. */
export function put(element, attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name.replace(/^on/, ""), value);
    else if (value !== false && value != null) element.setAttribute(name, value === true ? "" : value);
  }
  return element;
}
