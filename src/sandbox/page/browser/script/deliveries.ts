import type { Data, Item } from './data.ts';
import { byId, chip, el, setText, show } from './dom.ts';
import { dayTime, joined, plural, words } from './format.ts';

const SIGNS: Readonly<Record<string, string>> = { succeeded: '✓ ', failed: '✕ ', pending: '… ' };

/** The notifications of the account, and what came of their deliveries. */
export function showDeliveries({ deliveries, accounts, account }: Data): void {
  const total = accounts.find(({ name }) => name === account)?.counts.notifications ?? 0;
  setText(byId('deliveries-count'), total === 0 ? '' : plural(total, 'notification'));
  show(byId('deliveries'), deliveries, ({ id }) => id, row);
  byId('deliveries').hidden = deliveries.length === 0;
}

function row({ event, url, status, attempts, createdAt, lastStatus, lastError }: Item<'deliveries'>): HTMLElement {
  const answer = lastError ?? (lastStatus === null ? '' : `HTTP ${lastStatus}`);
  const about = joined(plural(attempts, 'attempt'), answer, url.replace(/^https?:\/\//, ''));
  return el(
    'li',
    { className: status },
    chip(status, (SIGNS[status] ?? '') + words(status)),
    el('span', { className: 'what', textContent: words(event) }),
    el('time', { dateTime: createdAt, textContent: dayTime(createdAt) }),
    el('small', { textContent: about }),
  );
}
