const at = (options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', hourCycle: 'h23', ...options });
const dayOnly = at({ day: 'numeric', month: 'short' });
const dayAndTime = at({ day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' });
const everything = at({
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
});

export const day = (iso: string) => dayOnly.format(new Date(iso));
export const dayTime = (iso: string) => dayAndTime.format(new Date(iso));
export const fullTime = (iso: string) => everything.format(new Date(iso));

const UNITS: readonly [name: string, ms: number][] = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1000],
];

/** Writes a duration in its largest unit, or in its two largest units. */
export function span(ms: number, units = 1): string {
  const largest = UNITS.findIndex(([, length]) => ms >= length);
  if (largest === -1) return '0 s';
  let left = ms;
  const parts = UNITS.slice(largest, largest + units).map(([unit, length]) => {
    const count = Math.floor(left / length);
    left -= count * length;
    return count > 0 ? `${count} ${unit}` : '';
  });
  return parts.filter(Boolean).join(' ');
}

const SHORT: Readonly<Record<string, string>> = { lfd: 'last free day', eta: 'ETA', pod: 'POD', pol: 'POL' };

/** The name of an event or a status in words. */
export function words(name: string): string {
  const short = name.replace(/^container\.(transport\.|(?=pickup_))/, '');
  const text = short
    .split(/[._\s]+/)
    .map(word => SHORT[word] ?? word)
    .join(' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** A name such as `trackingRequests` in words. */
export const spaced = (name: string) => words(name.replace(/([A-Z])/g, ' $1').toLowerCase());

export const plural = (count: number, one: string) => `${count.toLocaleString('en')} ${one}${count === 1 ? '' : 's'}`;

/** Joins the texts that are not empty. */
export const joined = (...texts: (string | null)[]) => texts.filter(Boolean).join(' · ');

/**
 * The properties of the element. A name with a dash and the name `role` are attributes. `null` leaves a property as it
 * is.
 */
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

/** The first element inside `parent` that matches a selector. @throws {Error} if there is no such element. */
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

/** Enables or disables a form. */
export function enable(form: HTMLFormElement, isEnabled: boolean): void {
  for (const tag of ['input', 'select', 'button'] as const) {
    for (const field of form.querySelectorAll(tag)) field.disabled = !isEnabled;
  }
}

type Key = string | number;

/** An entry of a list, and the data from which it was made. */
interface Shown {
  data: string;
  element: HTMLElement;
}

const lists = new WeakMap<HTMLElement, Map<Key, Shown>>();

/** Shows a list. An item whose data has not changed keeps its elements, its focus and its selection. */
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
