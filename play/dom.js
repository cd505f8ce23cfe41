/**
 * Elements without markup: text goes in as text only, so a name can't become anything else.
 *
 *     h("button.button.main", { onclick: start, disabled: !ready }, strings.start)
 *     h("li", {}, named(seat.name), " ", h("span.chip", {}, strings.away))
 */

const SVG = "http://www.w3.org/2000/svg";

/** An element: `tag.class.class`, its properties or attributes, its children (null and false are left out). */
export function h(what, properties = {}, ...children) {
  return fill(document.createElement(what.split(".")[0]), what, properties, children);
}

/** The same for drawings. */
export function svg(what, properties = {}, ...children) {
  return fill(document.createElementNS(SVG, what.split(".")[0]), what, properties, children);
}

function fill(element, what, properties, children) {
  const classes = what.split(".").slice(1);
  if (classes.length) element.classList.add(...classes);
  for (const [key, value] of Object.entries(properties)) set(element, key, value);
  element.append(...kept(children));
  return element;
}

function set(element, key, value) {
  if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
  else if (key === "dataset") Object.assign(element.dataset, value);
  else if (key === "vars")
    for (const [name, to] of Object.entries(value)) element.style.setProperty(name, to);
  else if (value === true) element.setAttribute(key, "");
  else if (value !== false && value !== null && value !== undefined) element.setAttribute(key, String(value));
}

function kept(children) {
  return children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false);
}

/** What somebody else wrote: kept apart from the direction of the text around it. */
export function named(text) {
  return h("bdi", {}, text);
}

const OPEN = "\u2068";
const CLOSE = "\u2069";

/** A name for use within a text, between marks that keep its direction its own; its own marks are left out. */
export function isolated(name) {
  return `${OPEN}${name.replace(/[\u202a-\u202e\u2066-\u2069]/g, "")}${CLOSE}`;
}

/** A text with isolated names as nodes: each name in a <bdi>. */
export function spoken(text) {
  return text
    .split(/(\u2068[^\u2069]*\u2069)/)
    .map((part) => (part.startsWith(OPEN) ? named(part.slice(1, -1)) : part));
}

/** Put these children in the place of all that was there. */
export function replace(element, ...children) {
  element.replaceChildren(...kept(children));
  return element;
}

/** Say this to a screen reader when it has time; the region must already be in the page. */
export function say(region, text) {
  region.textContent = "";
  // A change in the same task as the clearing would be none.
  setTimeout(() => replace(region, spoken(text)), 30);
}
