import type { Data, Item } from './api.ts';
import { byId, chip, dayTime, el, joined, plural, setText, show, span, within, words } from './dom.ts';

const SIGNS: Readonly<Record<string, string>> = { succeeded: '✓ ', failed: '✕ ', pending: '… ' };

/** The notifications of the account, and what came of their deliveries. */
export function showDeliveries({ deliveries, accounts, account }: Data): void {
  const total = accounts.find(({ name }) => name === account)?.counts.notifications ?? 0;
  setText(byId('deliveries-count'), total === 0 ? '' : plural(total, 'notification'));
  show(byId('deliveries'), deliveries, ({ id }) => id, deliveryRow);
  byId('deliveries').hidden = deliveries.length === 0;
}

function deliveryRow({
  event,
  url,
  status,
  attempts,
  createdAt,
  lastStatus,
  lastError,
}: Item<'deliveries'>): HTMLElement {
  const answer = lastError ?? (lastStatus === null ? '' : `HTTP ${lastStatus}`);
  const about = joined(plural(attempts, 'attempt'), answer, url.replace(/^https?:\/\//, ''));
  return el(
    'li',
    { className: status },
    chip(status, (SIGNS[status] ?? '') + words(status)),
    el('span', { className: 'what', textContent: words(event) }),
    el('time', { className: 'small muted', dateTime: createdAt, textContent: dayTime(createdAt) }),
    el('small', { textContent: about }),
  );
}

type LoggedRequest = Omit<Item<'requests'>, 'agoMs'> & { several: boolean };

/** The last requests, the newest first. */
export function showRequests({ requests, accounts }: Data): void {
  const several = accounts.length > 1;
  const body = byId('requests');
  const items = requests.map(({ agoMs: _, ...request }) => ({ ...request, several }));
  show(body, items, ({ number }) => number, requestRow);
  for (const [index, line] of body.querySelectorAll('tr').entries()) {
    setText(within(line, '.age'), span(requests[index]?.agoMs ?? 0));
  }
}

function requestRow({ method, path, query, status, account, several }: LoggedRequest): HTMLElement {
  const target = el('span', { className: 'path' }, el('b', { textContent: method }), ` ${path}`);
  if (query !== '') target.append(el('span', { className: 'muted', textContent: `?${query}` }));
  return el(
    'tr',
    {},
    el('td', { className: `status ${kindOf(status)}`, textContent: status === null ? '–' : String(status) }),
    el('td', { className: 'target' }, target),
    el('td', { className: 'muted who', textContent: account ?? 'no key', hidden: !several && account !== null }),
    el('td', { className: 'muted age' }),
  );
}

function kindOf(status: number | null): string {
  if (status === null) return 'open';
  if (status < 300) return 'fine';
  return status < 500 ? 'refused' : 'failed';
}
