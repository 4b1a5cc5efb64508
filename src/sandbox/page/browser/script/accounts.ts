import type { Data, Item, Page } from './api.ts';
import { byId, el, fullTime, setText, show, spaced, span, within } from './dom.ts';

type Account = Item<'accounts'> & { isShown: boolean; isOnly: boolean };

/** The accounts. The account that the page shows is marked. */
export function showAccounts({ accounts, account }: Data, page: Page): void {
  const items = accounts.map(item => ({ ...item, isShown: item.name === account, isOnly: accounts.length === 1 }));
  show(
    byId('accounts'),
    items,
    ({ name }) => name,
    (item, before) => card(item, before, page),
  );
}

/** Reuses the heading: its radio button can be clicked, and keeps the focus while the data changes. */
function card(account: Account, before: HTMLElement | undefined, page: Page): HTMLElement {
  const keys = account.keys.join();
  const card = before?.dataset.keys === keys ? before : el('li', {}, heading(account, page));
  card.dataset.keys = keys;
  card.className = `account panel row${account.isShown ? ' shown' : ''}`;
  if (!account.isOnly) within(card, 'input', HTMLInputElement).checked = account.isShown;
  while (card.childElementCount > 1) card.lastElementChild?.remove();
  card.append(numbers(account.counts), featureList(account.features));
  return card;
}

function heading({ name, companyName, keys, isOnly }: Account, page: Page): HTMLElement {
  const company = el('strong', { textContent: companyName });
  const onchange = () => page.look({ account: name, open: '', shipments: 10 });
  const choice = isOnly ? null : el('input', { type: 'radio', name: 'account', value: name, onchange });
  const key = el('span', { className: 'muted' }, keys.length === 1 ? 'Key ' : 'Keys ');
  for (const [index, text] of keys.entries()) key.append(index > 0 ? ', ' : '', el('code', { textContent: text }));
  return el(
    'div',
    { className: 'who' },
    choice === null ? company : el('label', { className: 'row' }, choice, company),
    key,
  );
}

function numbers(counts: Account['counts']): HTMLElement {
  const list = el('dl', { className: 'numbers row' });
  for (const [name, count] of Object.entries(counts)) {
    const number = el('dd', { textContent: count.toLocaleString('en') });
    list.append(el('div', {}, el('dt', { className: 'small muted', textContent: spaced(name) }), number));
  }
  return list;
}

function featureList(features: Account['features']): HTMLElement {
  const list = el('ul', { className: 'features row', 'aria-label': 'Features' });
  for (const [name, isOn] of Object.entries(features)) {
    list.append(
      el('li', { className: `chip muted ${isOn ? 'on' : 'off'}`, textContent: spaced(name) + (isOn ? '' : ' off') }),
    );
  }
  return list;
}

const STEPS = [
  ['+1 hour', { hours: 1 }],
  ['+6 hours', { hours: 6 }],
  ['+1 day', { days: 1 }],
  ['+1 week', { days: 7 }],
] as const;

/** The service's clock, and the buttons that move it forward. */
export function showClock({ clock, mayChange }: Data, page: Page): void {
  const now = byId('now', HTMLTimeElement);
  now.dateTime = clock.now;
  setText(now, fullTime(clock.now));
  const since = Date.parse(clock.now) - Date.parse(clock.startedAt);
  const speed = clock.speed === 0 ? 'stands still' : `runs ${clock.speed}×`;
  setText(byId('since'), `${span(since, 2)} since the start, ${speed}`);

  const buttons = byId('advance');
  if (buttons.childElementCount === 0) {
    for (const [text, duration] of STEPS) {
      const onclick = () => page.change('advance', duration);
      buttons.append(el('button', { type: 'button', textContent: text, onclick }));
    }
  }
  for (const button of buttons.querySelectorAll('button')) button.disabled = !mayChange;
}

type Bucket = Item<'limits'>['buckets'][number];

/** The use of the rate limit: one bar for each key and bucket. */
export function showLimits({ limits, accounts }: Data): void {
  const several = accounts.length > 1;
  const parent = byId('limits');
  const items = limits.map(({ account, apiKey }, index) => ({
    index,
    title: several ? `${account} · ${apiKey}` : apiKey,
  }));
  show(parent, items, ({ index }) => index, makeKey);
  for (const [index, list] of parent.querySelectorAll('ul').entries()) {
    show(list, limits[index]?.buckets ?? [], ({ bucket }) => bucket, bar);
  }
}

function makeKey({ title }: { title: string }): HTMLElement {
  return el(
    'div',
    { className: 'key' },
    el('h3', { className: 'small muted' }, 'Key ', el('code', { textContent: title })),
    el('ul'),
  );
}

/** Reuses the element, so that the bar moves instead of jumping. */
function bar({ bucket, used, limit, freesInMs }: Bucket, before: HTMLElement | undefined): HTMLElement {
  const item = before ?? makeBar();
  const share = limit === null ? 0 : Math.min(1, used / limit);
  const free = share >= 1 && freesInMs !== null ? `, free in ${Math.ceil(freesInMs / 1000)} s` : '';
  const meter = within(item, '.meter');
  item.className = share >= 1 ? 'full' : share >= 0.8 ? 'nearly' : '';
  setText(within(item, '.name'), spaced(bucket));
  setText(within(item, '.count'), `${used} / ${limit ?? '∞'}${free}`);
  meter.setAttribute('aria-label', spaced(bucket));
  meter.setAttribute('aria-valuemax', String(limit ?? Math.max(used, 1)));
  meter.setAttribute('aria-valuenow', String(used));
  within(meter, 'span').style.width = `${share * 100}%`;
  return item;
}

function makeBar(): HTMLElement {
  const meter = el('span', { className: 'meter', role: 'meter', 'aria-valuemin': '0' }, el('span'));
  return el('li', {}, el('span', { className: 'name' }), meter, el('span', { className: 'count small muted' }));
}
