export type Child = Node | string | undefined | false;
type Attributes = Record<string, string | undefined>;

/** An HTML element. Texts become text nodes, so that data is never read as markup. */
export function h<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag);
  fill(element, attributes, children);
  return element;
}

/** An SVG element. */
export function svg<Tag extends keyof SVGElementTagNameMap>(
  tag: Tag,
  attributes: Attributes = {},
  ...children: Child[]
): SVGElementTagNameMap[Tag] {
  const element = document.createElementNS('http://www.w3.org/2000/svg', tag);
  fill(element, attributes, children);
  return element;
}

function fill(element: Element, attributes: Attributes, children: Child[]): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== undefined) element.setAttribute(name, value);
  }
  element.append(...given(children));
}

/** The children that exist. */
export function given(children: Child[]): (Node | string)[] {
  return children.filter(child => child !== undefined && child !== false);
}

/** The element of the page that a selector finds. */
export function element<E extends Element>(selector: string, type: new () => E): E {
  const found = document.querySelector(selector);
  if (found instanceof type) return found;
  throw new Error(`The page has no ${selector}.`);
}

/** Calls a function once for many changes that come one after the other. */
export function batched(task: () => void): () => void {
  let isWaiting = false;
  return () => {
    if (isWaiting) return;
    isWaiting = true;
    setTimeout(() => {
      isWaiting = false;
      task();
    }, 30);
  };
}

/**
 * Changes the children of a list to the given elements. Only elements in a wrong position are moved, so the focus
 * stays.
 */
export function arrange(list: Element, elements: Element[]): void {
  for (const child of [...list.children]) if (!elements.includes(child)) child.remove();
  for (const [index, each] of elements.entries()) {
    if (list.children[index] !== each) list.insertBefore(each, list.children[index] ?? null);
  }
}
