import type { Data, Item } from './data.ts';
import { byId, el, show, within } from './dom.ts';
import { spaced } from './format.ts';
import type { Page } from './page.ts';

type Account = Item<'accounts'> & { isShown: boolean; isOnly: boolean };

/** The accounts, and which of them the page shows. */
export function showAccounts({ accounts, account }: Data, page: Page): void {
  const items = accounts.map(item => ({ ...item, isShown: item.name === account, isOnly: accounts.length === 1 }));
  show(
    byId('accounts'),
    items,
    ({ name }) => name,
    (item, before) => card(item, before, page),
  );
}

/** The choice stays the same element at each change, so that it can be clicked and keeps the focus. */
function card(account: Account, before: HTMLElement | undefined, page: Page): HTMLElement {
  const keys = account.keys.join();
  const card = before?.dataset.keys === keys ? before : el('li', {}, heading(account, page));
  card.dataset.keys = keys;
  card.className = account.isShown ? 'account shown' : 'account';
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
  return el('div', { className: 'who' }, choice === null ? company : el('label', {}, choice, company), key);
}

function numbers(counts: Account['counts']): HTMLElement {
  const list = el('dl', { className: 'numbers' });
  for (const [name, count] of Object.entries(counts)) {
    const number = el('dd', { textContent: count.toLocaleString('en') });
    list.append(el('div', {}, el('dt', { textContent: spaced(name) }), number));
  }
  return list;
}

function featureList(features: Account['features']): HTMLElement {
  const list = el('ul', { className: 'features', 'aria-label': 'Features' });
  for (const [name, isOn] of Object.entries(features)) {
    list.append(el('li', { className: isOn ? 'on' : 'off', textContent: spaced(name) + (isOn ? '' : ' off') }));
  }
  return list;
}
