/** Properties of the element; a name with a dash, and `role`, are attributes. `null` leaves a property as it is. */
type Properties<T> = { [Name in keyof T]?: T[Name] | null } & { [attribute: `${string}-${string}`]: string };

/** Nothing is added for `null`. */
type Child = Node | string | null;

/** Makes an element. Text is always set as text: nothing that comes from a record can become an element. */
export function el<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  properties: Properties<HTMLElementTagNameMap[Tag]> = {},
  ...children: Child[]
): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (value === null || value === undefined) continue;
    if (name.includes('-') || name === 'role') element.setAttribute(name, String(value));
    else Reflect.set(element, name, value);
  }
  element.append(...children.filter(child => child !== null));
  return element;
}

export const chip = (kind: string, text: string) => el('span', { className: `chip ${kind}`, textContent: text });

/** @throws {Error} if the page has no such element. */
export function byId(id: string): HTMLElement;
export function byId<T extends HTMLElement>(id: string, type: new () => T): T;
export function byId(id: string, type = HTMLElement): HTMLElement {
  return within(document, `#${id}`, type);
}

/** The first element within another that a selector leads to. @throws {Error} if there is none. */
export function within(parent: ParentNode, selector: string): HTMLElement;
export function within<T extends HTMLElement>(parent: ParentNode, selector: string, type: new () => T): T;
export function within(parent: ParentNode, selector: string, type = HTMLElement): HTMLElement {
  const found = parent.querySelector(selector);
  if (found instanceof type) return found;
  throw new Error(`The page has no ${type.name} at ${selector}.`);
}

export function setText(element: Element, text: string): void {
  if (element.textContent !== text) element.textContent = text;
}

/** Lets the reader fill in a form, or not. */
export function enable(form: HTMLFormElement, isEnabled: boolean): void {
  for (const tag of ['input', 'select', 'button'] as const) {
    for (const field of form.querySelectorAll(tag)) field.disabled = !isEnabled;
  }
}

type Key = string | number;

/** An entry of a list that is shown, and the data that it was made of. */
interface Shown {
  data: string;
  element: HTMLElement;
}

const lists = new WeakMap<HTMLElement, Map<Key, Shown>>();

/** Shows a list. An item whose data is the same keeps its elements, and with them the focus and the selection. */
export function show<Item>(
  parent: HTMLElement,
  items: readonly Item[],
  keyOf: (item: Item) => Key,
  make: (item: Item, before: HTMLElement | undefined) => HTMLElement,
): void {
  const known = lists.get(parent) ?? new Map<Key, Shown>();
  const shown = new Map<Key, Shown>();
  for (const item of items) {
    const key = keyOf(item);
    const data = JSON.stringify(item);
    const before = known.get(key);
    shown.set(key, before?.data === data ? before : { data, element: make(item, before?.element) });
  }
  for (const [key, { element }] of known) {
    if (shown.get(key)?.element !== element) element.remove();
  }
  let next = parent.firstElementChild;
  for (const { element } of shown.values()) {
    if (element === next) next = next.nextElementSibling;
    else parent.insertBefore(element, next);
  }
  lists.set(parent, shown);
  const empty = document.getElementById(`${parent.id}-empty`);
  if (empty !== null) empty.hidden = items.length > 0;
}
