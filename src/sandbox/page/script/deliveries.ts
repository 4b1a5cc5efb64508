/** The notifications of the account, and what came of their deliveries. */
export const deliveries = String.raw`
import { byId, chip, el, setText, show } from './dom.js';
import { dayTime, plural, words } from './format.js';

const SIGNS = { succeeded: '✓ ', failed: '✕ ', pending: '… ' };

export function showDeliveries({ deliveries, accounts, account }) {
  const total = accounts.find(({ name }) => name === account).counts.notifications;
  setText(byId('deliveries-count'), total === 0 ? '' : plural(total, 'notification'));
  show(byId('deliveries'), deliveries, ({ id }) => id, row);
  byId('deliveries').hidden = deliveries.length === 0;
}

function row({ event, url, status, attempts, createdAt, lastStatus, lastError }) {
  const answer = lastError ?? (lastStatus === null ? '' : 'HTTP ' + lastStatus);
  return el(
    'li',
    { className: status },
    chip(status, (SIGNS[status] ?? '') + words(status)),
    el('span', { className: 'what', textContent: words(event) }),
    el('time', { dateTime: createdAt, textContent: dayTime(createdAt) }),
    el('small', { textContent: [plural(attempts, 'attempt'), answer, url.replace(/^https?:\/\//, '')].filter(Boolean).join(' · ') }),
  );
}
`;
