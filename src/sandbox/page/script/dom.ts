/** Makes and keeps elements. Text is always set as text: nothing that comes from a record can become an element. */
export const dom = `
export const byId = id => /**@type {any} */ (document.getElementById(id));

// Properties of the element; a name with a dash, and role, are attributes.
export function el(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (value === null || value === undefined) continue;
    if (name.includes('-') || name === 'role') element.setAttribute(name, String(value));
    else element[name] = value;
  }
  element.append(...children.filter(child => child !== null && child !== undefined && child !== ''));
  return element;
}

export function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

// Shows a list. An item whose data is the same keeps its elements, and with them the focus and the selection.
export function show(parent, items, keyOf, make) {
  const known = parent.shown ?? new Map();
  const shown = new Map();
  for (const [index, item] of items.entries()) {
    const key = keyOf(item, index);
    const data = JSON.stringify(item);
    const before = known.get(key);
    const element = before && before.data === data ? before.element : make(item, before && before.element);
    shown.set(key, { data, element });
  }
  for (const [key, { element }] of known) {
    if (!shown.has(key) || shown.get(key).element !== element) element.remove();
  }
  let next = parent.firstElementChild;
  for (const { element } of shown.values()) {
    if (element === next) next = next.nextElementSibling;
    else parent.insertBefore(element, next);
  }
  parent.shown = shown;
  const empty = byId(parent.id + '-empty');
  if (empty) empty.hidden = items.length > 0;
}

export const chip = (kind, text) => el('span', { className: 'chip ' + kind, textContent: text });
`;
