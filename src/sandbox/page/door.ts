import { hostOf, isOwnName } from '../http/cors.ts';
import type { PageSource } from './source.ts';

/**
 * Who may use the page. A page of another site must neither read it nor change anything through it. Browsers tell where a
 * request comes from, and a site whose name leads to this machine (DNS rebinding) still names itself as the host.
 */

/** The header that carries the token. No page of another origin can send it: the preflight gets no answer that allows it. */
export const TOKEN_HEADER = 'x-sandbox-token';

/** @returns Why a request is refused; `null` if it is not. */
export function refusalOf({ headers }: Request, url: URL, { hosts }: PageSource): string | null {
  if (!isOwnName(url.hostname) && !hosts.has(url.hostname)) {
    return `The page is not shown as ${url.hostname}. Open it by the address of the machine, such as http://127.0.0.1:${url.port || 80}/.`;
  }
  const origin = headers.get('origin');
  if (origin !== null && hostOf(origin) !== url.host) return `The page takes nothing from the origin ${origin}.`;
  // A link on another site may lead to the page itself.
  const site = headers.get('sec-fetch-site') ?? 'none';
  if (url.pathname !== '/' && site !== 'none' && site !== 'same-origin')
    return 'The page takes nothing from other sites.';
  return null;
}

/** Whether a request has brought the token; `null` if it has brought none. */
export function hasToken({ headers }: Request, { token }: PageSource): boolean | null {
  const given = headers.get(TOKEN_HEADER);
  return given === null ? null : isSame(given, token);
}

/** Takes as long for every wrong token of this length. */
function isSame(given: string, token: string): boolean {
  let difference = given.length ^ token.length;
  for (let index = 0; index < token.length; index += 1) difference |= given.charCodeAt(index) ^ token.charCodeAt(index);
  return difference === 0;
}
