/** The accounts, and which of them the page shows. */
export const accounts = `
import { byId, el, show } from './dom.js';
import { words } from './format.js';

export function showAccounts({ accounts, account }, page) {
  const items = accounts.map(item => ({ ...item, isShown: item.name === account, isOnly: accounts.length === 1 }));
  show(byId('accounts'), items, item => item.name, (item, before) => card(item, before, page));
}

function card({ name, companyName, keys, features, counts, isShown, isOnly }, before, page) {
  const title = isOnly ? el('strong', { textContent: companyName }) : choice(name, companyName, isShown, before, page);
  const key = el('span', { className: 'muted' }, keys.length === 1 ? 'Key ' : 'Keys ');
  keys.forEach((text, index) => key.append(index > 0 ? ', ' : '', el('code', { textContent: text })));
  const card = before ?? el('li');
  card.className = 'account' + (isShown ? ' shown' : '');
  card.replaceChildren(el('div', { className: 'who' }, title, key), numbers(counts), featureList(features));
  if (before && title.dataset.focused) title.querySelector('input').focus();
  return card;
}

function choice(name, companyName, isShown, before, page) {
  const onchange = () => page.look({ account: name, open: '', shipments: 10 });
  const input = el('input', { type: 'radio', name: 'account', value: name, checked: isShown, onchange });
  const label = el('label', {}, input, el('strong', { textContent: companyName }));
  if (before && before.contains(document.activeElement)) label.dataset.focused = 'yes';
  return label;
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
