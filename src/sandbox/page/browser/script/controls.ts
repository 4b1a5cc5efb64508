import type { Fault } from '../../../http/faults.ts';
import type { Data, Item, Page } from './api.ts';
import { byId, chip, dayTime, el, enable, joined, plural, setText, show, within, words } from './dom.ts';

/** Starts the tracking of numbers and scenarios, and shows the latest tracking requests. */
export function showTracking({ trackingRequests, scenarios, mayChange, account }: Data, page: Page): void {
  const track = byId('track', HTMLFormElement);
  const scenario = byId('scenario', HTMLFormElement);
  const choice = within(scenario, 'select', HTMLSelectElement);
  if (choice.length === 0) {
    for (const { name } of scenarios) {
      choice.append(el('option', { value: name, textContent: words(name.replaceAll('-', ' ')) }));
    }
    const describe = () => {
      const chosen = scenarios.find(({ name }) => name === choice.value);
      setText(byId('scenario-says'), chosen?.description ?? '');
    };
    choice.onchange = describe;
    describe();
  }
  track.onsubmit = async event => {
    event.preventDefault();
    await page.change('track', { account, ...Object.fromEntries(new FormData(track)) });
  };
  scenario.onsubmit = async event => {
    event.preventDefault();
    await page.change('scenario', { account, name: choice.value });
  };
  enable(track, mayChange);
  enable(scenario, mayChange);
  show(byId('tracked'), trackingRequests, ({ id }) => id, requestRow);
}

function requestRow({ number, scac, status, failedReason, createdAt }: Item<'trackingRequests'>): HTMLElement {
  return el(
    'li',
    {},
    chip(status, words(status)),
    el('b', { textContent: number }),
    el('time', { className: 'small muted', dateTime: createdAt, textContent: dayTime(createdAt) }),
    el('small', { textContent: joined(scac, failedReason === null ? '' : words(failedReason)) }),
  );
}

const CHOICES: readonly [text: string, fault: Fault][] = [
  ['503 Service Unavailable', { status: 503 }],
  ['500 Internal Server Error', { status: 500 }],
  ['429, retry after 5 s', { retryAfter: 5 }],
  ['401 Unauthorized', { status: 401 }],
  ['Three seconds late', { delayMs: 3000 }],
  ['Connection dropped before the response', { drop: 'before' }],
  ['Connection dropped in the middle of the body', { drop: 'mid-body' }],
];

/** Failures on purpose: a list of the faults that apply, and a form that adds a fault. */
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
    (item, before) => faultRow(item, before, page),
  );
}

type InForce = Item<'faults'> & { mayChange: boolean };

function faultRow({ index, where, what, left, mayChange }: InForce, before: HTMLElement | undefined, page: Page) {
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
