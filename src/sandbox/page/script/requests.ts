/** The last requests, the newest first. */
export const requests = `
import { byId, el, setText, show } from './dom.js';
import { span } from './format.js';

export function showRequests({ requests, accounts }) {
  const several = accounts.length > 1;
  const items = requests.map(({ agoMs, ...request }) => ({ ...request, several }));
  const body = byId('requests');
  show(body, items, ({ number }) => number, row);
  requests.forEach(({ agoMs }, index) => setText(body.children[index].lastElementChild, span(agoMs)));
}

function row({ method, path, query, status, account, several }) {
  const kind = status === null ? 'open' : status < 300 ? 'fine' : status < 500 ? 'refused' : 'failed';
  const target = el('span', { className: 'path' }, el('b', { textContent: method }), ' ' + path);
  if (query !== '') target.append(el('span', { className: 'muted', textContent: '?' + query }));
  return el(
    'tr',
    {},
    el('td', { className: 'status ' + kind, textContent: status === null ? '–' : String(status) }),
    el('td', { className: 'target' }, target),
    el('td', { className: 'muted who', textContent: account ?? 'no key', hidden: !several && account !== null }),
    el('td', { className: 'muted age' }),
  );
}
`;
