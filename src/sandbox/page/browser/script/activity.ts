import type { Data, Item, Page } from './api.ts';
import { byId, chip, dayTime, el, joined, plural, setText, show, span, within, words } from './dom.ts';

const SIGNS: Readonly<Record<string, string>> = { succeeded: '✓ ', failed: '✕ ', pending: '… ' };

/** The notifications of the account, with the results of their deliveries. */
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

type LoggedRequest = Omit<Item<'requests'>, 'agoMs'> & { several: boolean; mayOpen: boolean; opened: Data['opened'] };

/** The latest requests, the newest first. A request can be opened to see its bodies. */
export function showRequests({ requests, accounts, mayChange, opened }: Data, page: Page): void {
  const several = accounts.length > 1;
  const body = byId('requests');
  const items = requests.map(({ agoMs: _, ...request }) => ({
    ...request,
    several,
    mayOpen: mayChange,
    opened: opened?.number === request.number ? opened : null,
  }));
  show(
    body,
    items,
    ({ number }) => number,
    (item, before) => requestRow(item, before, page),
  );
  for (const [index, line] of body.querySelectorAll('tr').entries()) {
    const [count = '', unit = ''] = span(requests[index]?.agoMs ?? 0).split(' ');
    setText(within(line, '.age b'), count);
    setText(within(line, '.age span'), unit);
  }
}

function requestRow(item: LoggedRequest, before: HTMLElement | undefined, page: Page): HTMLElement {
  const { number, status, account, several, mayOpen, opened } = item;
  const row = before ?? el('tr', {}, el('td'), el('td', { className: 'target' }), el('td'), ageCell());
  const [result, target, who] = row.querySelectorAll('td');
  if (!result || !target || !who) return row;
  result.className = `status ${kindOf(status)}`;
  result.textContent = status === null ? '–' : String(status);
  who.className = 'muted who';
  who.textContent = account ?? 'no key';
  who.hidden = !several && account !== null;
  if (!mayOpen) {
    target.replaceChildren(pathOf(item));
    return row;
  }
  const button = target.querySelector('button') ?? el('button', { type: 'button' });
  button.ariaExpanded = String(opened !== null);
  button.onclick = () => page.look({ request: opened === null ? number : 0 });
  button.replaceChildren(pathOf(item));
  if (button.parentElement === null) target.replaceChildren(button);
  target.querySelector('.bodies')?.remove();
  if (opened !== null) target.append(bodiesOf(opened));
  return row;
}

const ageCell = () => el('td', { className: 'muted age' }, el('b'), ' ', el('span'));

function pathOf({ method, path, query }: LoggedRequest): HTMLElement {
  const target = el('span', { className: 'path' }, el('b', { textContent: method }), ` ${path}`);
  if (query !== '') target.append(el('span', { className: 'muted', textContent: `?${query}` }));
  return target;
}

function bodiesOf({ request, response }: NonNullable<Data['opened']>): HTMLElement {
  const part = (title: string, text: string | null) => [
    el('p', { className: 'small muted', textContent: text === null ? `${title}: no JSON` : title }),
    ...(text === null
      ? []
      : [el('pre', { tabIndex: 0, 'aria-label': title, role: 'region', textContent: indented(text) })]),
  ];
  return el(
    'div',
    { className: 'bodies' },
    ...part('Body of the request', request),
    ...part('Body of the response', response),
  );
}

/** Indents JSON. A body that was shortened is not valid JSON, so it is shown unchanged. */
function indented(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

function kindOf(status: number | null): string {
  if (status === null) return 'open';
  if (status < 300) return 'fine';
  return status < 500 ? 'refused' : 'failed';
}
