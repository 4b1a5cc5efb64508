import type { Fault } from '../../../http/faults.ts';
import type { Data, Item } from './data.ts';
import { byId, el, enable, show, within } from './dom.ts';
import { plural } from './format.ts';
import type { Page } from './page.ts';

const CHOICES: readonly [text: string, fault: Fault][] = [
  ['503 Service Unavailable', { status: 503 }],
  ['500 Internal Server Error', { status: 500 }],
  ['429, retry after 5 s', { retryAfter: 5 }],
  ['401 Unauthorized', { status: 401 }],
  ['Three seconds late', { delayMs: 3000 }],
  ['Connection dropped at once', { drop: 'before' }],
  ['Connection dropped in the body', { drop: 'mid-body' }],
];

/** Failures on purpose: those that apply, and a form that adds one. */
export function showFaults({ faults, mayChange }: Data, page: Page): void {
  const form = byId('fault', HTMLFormElement);
  const what = within(form, '[name=what]', HTMLSelectElement);
  if (what.length === 0) {
    for (const [index, [text]] of CHOICES.entries()) {
      what.append(el('option', { value: String(index), textContent: text }));
    }
  }
  form.onsubmit = async event => {
    event.preventDefault();
    const route = within(form, '[name=route]', HTMLInputElement).value.trim();
    const times = within(form, '[name=times]', HTMLSelectElement).value;
    const often = times === '' ? { probability: 1 } : { times: Number(times) };
    await page.change('add-fault', { ...CHOICES[Number(what.value)]?.[1], ...often, ...(route !== '' && { route }) });
  };
  enable(form, mayChange);
  const items = faults.map(fault => ({ ...fault, mayChange }));
  show(
    byId('faults'),
    items,
    ({ index }) => index,
    (item, before) => row(item, before, page),
  );
}

type InForce = Item<'faults'> & { mayChange: boolean };

function row({ index, where, what, left, mayChange }: InForce, before: HTMLElement | undefined, page: Page) {
  const row = before ?? makeRow();
  within(row, 'span').textContent = what;
  within(row, 'small').textContent = `${where} · ${left === null ? 'until it is ended' : plural(left, 'more time')}`;
  const button = within(row, 'button', HTMLButtonElement);
  button.setAttribute('aria-label', `End the fault ${what}`);
  button.disabled = !mayChange;
  button.onclick = async () => {
    await page.change('end-fault', { index });
    within(byId('fault'), '[name=what]').focus();
  };
  return row;
}

function makeRow(): HTMLElement {
  const button = el('button', { type: 'button', className: 'quiet', textContent: 'End' });
  return el('li', {}, el('span', { className: 'what' }), el('small'), button);
}
