/** Failures on purpose: those that apply, and a form that adds one. */
export const faults = `
import { byId, el, show } from './dom.js';
import { plural } from './format.js';

/**@type {[string, object][]} */
const CHOICES = [
  ['503 Service Unavailable', { status: 503 }],
  ['500 Internal Server Error', { status: 500 }],
  ['429, retry after 5 s', { retryAfter: 5 }],
  ['401 Unauthorized', { status: 401 }],
  ['Three seconds late', { delayMs: 3000 }],
  ['Connection dropped at once', { drop: 'before' }],
  ['Connection dropped in the body', { drop: 'mid-body' }],
];

export function showFaults({ faults, mayChange }, page) {
  const form = byId('fault');
  const { what, route, times } = form.elements;
  if (what.length === 0) CHOICES.forEach(([text], index) => what.append(el('option', { value: index, textContent: text })));
  form.onsubmit = async event => {
    event.preventDefault();
    const where = route.value.trim();
    const often = times.value === '' ? { probability: 1 } : { times: Number(times.value) };
    await page.change('add-fault', { ...CHOICES[what.value][1], ...often, ...(where !== '' && { route: where }) });
  };
  for (const field of form.elements) field.disabled = !mayChange;
  const items = faults.map(fault => ({ ...fault, mayChange }));
  show(byId('faults'), items, ({ index }) => index, (item, before) => row(item, before, page));
}

function row({ index, where, what, left, mayChange }, before, page) {
  const row = before ?? el('li', {}, el('span', { className: 'what' }), el('small'), el('button', { type: 'button', className: 'quiet' }));
  const [title, detail, button] = row.children;
  title.textContent = what;
  detail.textContent = where + ' · ' + (left === null ? 'until it is ended' : plural(left, 'more time'));
  button.textContent = 'End';
  button.setAttribute('aria-label', 'End the fault ' + what);
  button.disabled = !mayChange;
  button.onclick = async () => {
    await page.change('end-fault', { index });
    byId('fault').elements.what.focus();
  };
  return row;
}
`;
