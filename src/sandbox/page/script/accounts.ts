/** The accounts, and which of them the page shows. */
export const accounts = `
import { byId, el, show } from './dom.js';
import { words } from './format.js';

export function showAccounts({ accounts, account }, page) {
  const items = accounts.map(item => ({ ...item, isShown: item.name === account, isOnly: accounts.length === 1 }));
  show(byId('accounts'), items, item => item.name, (item, before) => card(item, before, page));
}

// The choice stays the same element at each change, so that it can be clicked and keeps the focus.
function card({ name, companyName, keys, features, counts, isShown, isOnly }, before, page) {
  const isSame = before && before.dataset.keys === keys.join();
  const card = isSame ? before : el('li', {}, heading(name, companyName, keys, isOnly, page));
  card.dataset.keys = keys.join();
  card.className = 'account' + (isShown ? ' shown' : '');
  if (!isOnly) card.querySelector('input').checked = isShown;
  while (card.childElementCount > 1) card.lastElementChild.remove();
  card.append(numbers(counts), featureList(features));
  return card;
}

function heading(name, companyName, keys, isOnly, page) {
  const company = el('strong', { textContent: companyName });
  const onchange = () => page.look({ account: name, open: '', shipments: 10 });
  const choice = isOnly ? null : el('input', { type: 'radio', name: 'account', value: name, onchange });
  const key = el('span', { className: 'muted' }, keys.length === 1 ? 'Key ' : 'Keys ');
  keys.forEach((text, index) => key.append(index > 0 ? ', ' : '', el('code', { textContent: text })));
  return el('div', { className: 'who' }, choice ? el('label', {}, choice, company) : company, key);
}

function numbers(counts) {
  const list = el('dl', { className: 'numbers' });
  for (const [name, count] of Object.entries(counts)) {
    const label = words(name.replace(/([A-Z])/g, ' $1').toLowerCase());
    list.append(el('div', {}, el('dt', { textContent: label }), el('dd', { textContent: count.toLocaleString('en') })));
  }
  return list;
}

function featureList(features) {
  const list = el('ul', { className: 'features', 'aria-label': 'Features' });
  for (const [name, isOn] of Object.entries(features)) {
    const text = words(name.replace(/([A-Z])/g, ' $1').toLowerCase()) + (isOn ? '' : ' off');
    list.append(el('li', { className: isOn ? 'on' : 'off', textContent: text }));
  }
  return list;
}
`;
