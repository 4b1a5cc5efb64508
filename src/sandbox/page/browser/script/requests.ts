import type { Data, Item } from './data.ts';
import { byId, el, setText, show, within } from './dom.ts';
import { span } from './format.ts';

type LoggedRequest = Omit<Item<'requests'>, 'agoMs'> & { several: boolean };

/** The last requests, the newest first. */
export function showRequests({ requests, accounts }: Data): void {
  const several = accounts.length > 1;
  const body = byId('requests');
  const items = requests.map(({ agoMs: _, ...request }) => ({ ...request, several }));
  show(body, items, ({ number }) => number, row);
  for (const [index, line] of body.querySelectorAll('tr').entries()) {
    setText(within(line, '.age'), span(requests[index]?.agoMs ?? 0));
  }
}

function row({ method, path, query, status, account, several }: LoggedRequest): HTMLElement {
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
