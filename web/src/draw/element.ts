// Elements of SVG and HTML in one call. Styles go through the style object, not the attribute: a strict content policy
// forbids the latter.
import "./draw.css";

type Value = string | number | boolean | null | undefined | ((event: never) => void) | Record<string, string | number>;
export type Attributes = Record<string, Value>;
type Child = Node | string | null | undefined | false;

const SVG = "http://www.w3.org/2000/svg";

/** Sets attributes: `on…` listens, `style` takes an object, null and false take the attribute away. */
export function set<E extends Element>(element: E, attributes: Attributes): E {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name.slice(2), value as EventListener);
    else if (value !== null && typeof value === "object") {
      const { style } = element as unknown as HTMLElement;
      for (const [property, one] of Object.entries(value)) style.setProperty(property, String(one));
    } else if (value === null || value === undefined || value === false) element.removeAttribute(name);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  return element;
}

function filled<E extends Element>(element: E, attributes: Attributes, children: Child[]): E {
  element.append(...children.filter((child): child is Node | string => Boolean(child)));
  return set(element, attributes);
}

export function svg<Tag extends keyof SVGElementTagNameMap>(
  tag: Tag,
  attributes: Attributes = {},
  ...children: Child[]
): SVGElementTagNameMap[Tag] {
  return filled(document.createElementNS(SVG, tag), attributes, children);
}

export function html<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[Tag] {
  return filled(document.createElement(tag), attributes, children);
}

/** A path or text that only decorates: screen readers pass over it, and so does the mouse. */
export function decoration(...children: Child[]): SVGGElement {
  return svg("g", { "aria-hidden": "true", "pointer-events": "none" }, ...children);
}
