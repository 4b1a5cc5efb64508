/** How full the windows of the rate limit are: one bar for each key and bucket. */
export const limits = `
import { byId, el, setText, show } from './dom.js';
import { words } from './format.js';

export function showLimits({ limits, accounts }) {
  const several = accounts.length > 1;
  const parent = byId('limits');
  const items = limits.map(({ account, apiKey }) => ({ title: several ? account + ' · ' + apiKey : apiKey }));
  show(parent, items, (_, index) => index, makeKey);
  const keys = [...parent.children];
  limits.forEach(({ buckets }, index) => show(keys[index].querySelector('ul'), buckets, ({ bucket }) => bucket, bar));
  setText(byId('limits-none') ?? makeNone(parent), limits.length > 0 ? '' : 'No limit.');
}

function makeNone(parent) {
  const none = el('p', { id: 'limits-none', className: 'empty' });
  parent.after(none);
  return none;
}

function makeKey({ title }) {
  return el('div', { className: 'key' }, el('h3', {}, 'Key ', el('code', { textContent: title })), el('ul'));
}

// The same element at each change, so that the bar moves rather than jumps.
function bar({ bucket, used, limit, freesInMs }, before) {
  const item = before ?? make();
  const share = limit === null ? 0 : Math.min(1, used / limit);
  const name = words(bucket.replace(/([A-Z])/g, ' $1').toLowerCase());
  const [label, meter, text] = item.children;
  item.className = share >= 1 ? 'full' : share >= 0.8 ? 'nearly' : '';
  setText(label, name);
  setText(text, used + ' / ' + (limit ?? '∞') + (share >= 1 && freesInMs !== null ? ', free in ' + Math.ceil(freesInMs / 1000) + ' s' : ''));
  meter.setAttribute('aria-label', name);
  meter.setAttribute('aria-valuemax', String(limit ?? Math.max(used, 1)));
  meter.setAttribute('aria-valuenow', String(used));
  meter.firstElementChild.style.width = share * 100 + '%';
  return item;
}

function make() {
  const meter = el('span', { className: 'meter', role: 'meter', 'aria-valuemin': '0' }, el('span'));
  return el('li', {}, el('span', { className: 'name' }), meter, el('span', { className: 'count' }));
}
`;
