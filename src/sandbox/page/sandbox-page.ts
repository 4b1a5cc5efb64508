import { ConfigurationError } from '../../errors.ts';
import { isRecord } from '../../jsonapi/document.ts';
import { hostOf, isOwnName } from '../http/cors.ts';
import type { Fault } from '../http/faults.ts';
import { pageHeaders } from '../http/page-headers.ts';
import type { Duration } from '../state/clock.ts';
import type { ScenarioName } from '../world/scripts.ts';
import { DOCUMENT, ICON, SCRIPT, STYLE } from './generated/texts.ts';
import type { PageAccount, PageSource } from './snapshot.ts';
import { snapshot } from './snapshot.ts';

/** Allows only the page's own files, and no HTML that is made from a string. */
const HEADERS = pageHeaders([
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "form-action 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
]);

export function fileAnswer(type: string, body: string): Response {
  return new Response(body, { headers: { ...HEADERS, 'content-type': `${type}; charset=utf-8` } });
}

export function jsonAnswer(status: number, body: unknown): Response {
  return new Response(JSON.stringify(body), { status, headers: { ...HEADERS, 'content-type': 'application/json' } });
}

/** @param more Further headers. */
export function refused(status: number, problem: string, more: Record<string, string> = {}): Response {
  return new Response(JSON.stringify({ error: problem }), {
    status,
    headers: { ...HEADERS, 'content-type': 'application/json', ...more },
  });
}

/**
 * Access to the page. A page of another site must not read this page, and must not change anything through it. Browsers
 * send the origin of a request. If the name of a site resolves to this machine (DNS rebinding), `Host` still has the
 * name of that site.
 */

/**
 * The header that carries the token. A page of another origin cannot send this header, because the response to the
 * preflight does not allow it.
 */
export const TOKEN_HEADER = 'x-sandbox-token';

/** @returns The reason why a request gets a 403. `null` if the request is allowed. */
export function refusalOf({ headers }: Request, url: URL, { hosts }: PageSource): string | null {
  if (!isOwnName(url.hostname) && !hosts.has(url.hostname)) {
    return `The page is not available under the name ${url.hostname}. Open the page at the address of the machine, such as http://127.0.0.1:${url.port || 80}/.`;
  }
  const origin = headers.get('origin');
  if (origin !== null && hostOf(origin) !== url.host) return `The page accepts no requests from the origin ${origin}.`;
  // A link on another site may open the page itself.
  const site = headers.get('sec-fetch-site') ?? 'none';
  if (url.pathname !== '/' && site !== 'none' && site !== 'same-origin')
    return 'The page accepts no requests from other sites.';
  return null;
}

/** True if a request has the right token, false if it has a wrong token; `null` if it has no token. */
export function hasToken({ headers }: Request, { token }: PageSource): boolean | null {
  const given = headers.get(TOKEN_HEADER);
  return given === null ? null : isSame(given, token);
}

/** Compares in constant time, so that its duration says nothing about the token. */
function isSame(given: string, token: string): boolean {
  let difference = given.length ^ token.length;
  for (let index = 0; index < token.length; index += 1) difference |= given.charCodeAt(index) ^ token.charCodeAt(index);
  return difference === 0;
}

/** The files of the page by their paths. */
export const FILES: ReadonlyMap<string, [type: string, text: string]> = new Map([
  ['/', ['text/html', DOCUMENT]],
  ['/page/icon.svg', ['image/svg+xml', ICON]],
  ['/page/style.css', ['text/css', STYLE]],
  ['/page/main.js', ['text/javascript', SCRIPT]],
]);

type Body = Record<string, unknown>;

/** @returns The result in one sentence. */
type Action = (source: PageSource, body: Body) => string | Promise<string>;

/** The changes that the page can make. */
const ACTIONS = {
  advance(source, body) {
    source.advance(body as Duration);
    return `The clock shows ${source.clock().now.toISOString().slice(0, 16).replace('T', ' ')} UTC.`;
  },
  'add-fault'(source, body) {
    source.fail(body as Fault);
    return 'The fault applies from the next request on.';
  },
  'end-fault'({ faults }, { index }) {
    const fault = faults()[Number(index)];
    // The ended fault stays in the list, because the random decisions of the other faults depend on their positions.
    if (fault !== undefined) fault.left = 0;
    return 'The fault has ended.';
  },
  track: (source, { account, ...body }) => track(source, accountNamed(source, account), body),
  async scenario(source, body) {
    const account = accountNamed(source, body.account);
    const { number, scac, requestType } = account.scenario(body.name as ScenarioName);
    return track(source, account, { number, scac, type: requestType });
  },
} satisfies Record<string, Action>;

export type ActionName = keyof typeof ACTIONS;

export function actionNamed(name: string): Action | undefined {
  return isAction(name) ? ACTIONS[name] : undefined;
}

function isAction(name: string): name is ActionName {
  return Object.hasOwn(ACTIONS, name);
}

/** Runs an action, and responds with its result. */
export async function act(action: Action, source: PageSource, request: Request): Promise<Response> {
  try {
    const body: unknown = JSON.parse(await request.text());
    if (!isRecord(body)) return refused(400, 'The body must be a JSON object.');
    return jsonAnswer(200, { done: await action(source, body) });
  } catch (error) {
    if (error instanceof ConfigurationError || error instanceof Refusal) return refused(422, error.message);
    if (error instanceof SyntaxError) return refused(400, 'The body must be JSON.');
    throw error;
  }
}

class Refusal extends Error {}

function accountNamed({ accounts }: PageSource, name: unknown): PageAccount {
  const found = accounts.find(account => account.name === name);
  if (found === undefined) throw new Refusal(`There is no account ${String(name)}.`);
  return found;
}

/**
 * Tracks a number in the same way as a program: the request has a key, counts in the rate limit, and is subject to the
 * faults.
 */
async function track(source: PageSource, account: PageAccount, { number, scac, type }: Body): Promise<string> {
  const attributes = { request_number: number, request_type: type, ...(scac !== '' && { scac }) };
  const request = new Request('http://localhost/v2/tracking_requests', {
    method: 'POST',
    headers: { authorization: `Token ${account.apiKeys[0]}`, 'content-type': 'application/vnd.api+json' },
    body: JSON.stringify({ data: { type: 'tracking_request', attributes } }),
  });
  const [status, text] = await source.send(request).then(
    async response => [response.status, await response.text()] as const,
    () => [0, ''] as const,
  );
  if (status === 201) return `${String(number)} is being tracked.`;
  throw new Refusal(status === 0 ? 'The connection was dropped by a fault.' : problemIn(status, text));
}

function problemIn(status: number, text: string): string {
  try {
    const { title, detail } = JSON.parse(text).errors[0];
    return `The service responded ${status}: ${detail ?? title}`;
  } catch {
    return `The service responded ${status}.`;
  }
}

/** Responds to a request of the page: for its files, for its data, or for a change. */
export async function answerPage(source: PageSource, request: Request): Promise<Response> {
  const url = new URL(request.url);
  const refusal = refusalOf(request, url, source);
  if (refusal !== null) return refused(403, refusal);

  const action = actionNamed(url.pathname.replace('/page/actions/', ''));
  if (action !== undefined) {
    if (request.method !== 'POST') return refused(405, 'Send a POST.', { allow: 'POST' });
    return hasToken(request, source) ? act(action, source, request) : refused(403, WITHOUT_TOKEN);
  }
  if (request.method !== 'GET' && request.method !== 'HEAD') return refused(405, 'Send a GET.', { allow: 'GET, HEAD' });
  const answer = answerFor(url, source, hasToken(request, source));
  return request.method === 'HEAD' ? new Response(null, answer) : answer;
}

function answerFor(url: URL, source: PageSource, isTrusted: boolean | null): Response {
  if (url.pathname === '/page/data') {
    if (isTrusted === false) return refused(403, WITHOUT_TOKEN);
    return jsonAnswer(200, snapshot(source, url.searchParams, isTrusted === true));
  }
  const file = FILES.get(url.pathname);
  return file === undefined ? refused(404, 'The page has no such file.') : fileAnswer(...file);
}

const WITHOUT_TOKEN =
  'This needs the token of this sandbox. The token is part of the address that was printed at the start.';
