/** Explains why a request got no response. This module is loaded at the first failure. */

import { CERTIFICATE, REFUSED } from './connection-failure.ts';

/** Messages of browsers for a failed request. Browsers do not report the reason to the page. */
const HIDDEN =
  /^(?:Failed to fetch|Load failed|NetworkError when attempting to fetch resource|The browser does not say)/;
const NOT_TLS = /WRONG_VERSION_NUMBER|wrong version number|packet length too long/;
/** Codes and messages of Node, Bun and Deno. */
const BROKEN = /Z_DATA|zlib|deflate|gzip/i;
const NOT_FOUND = /ENOTFOUND/;
const NO_NAMES = /EAI_AGAIN/;

const MAX_DEPTH = 5;

/** Explanation of a failed connection. */
export interface Explained {
  /** The innermost reason, with a remedy. */
  reason: string;
  /** The `cause` of the error. If the request was forbidden, `isPermanent` recognises this cause. */
  cause: Error;
}

/**
 * @param server the name of the server in the hint, such as `service`.
 * @param isCut true if the server has begun to respond.
 * @param mayBeDone true if a repetition may do harm. The hint then warns about this, unless it is certain that the
 *   request did not arrive.
 */
export async function explain(
  error: Error,
  server: string,
  url: string,
  isCut = false,
  mayBeDone = false,
): Promise<Explained> {
  const reason = innermost(error) || error.name;
  const withHint = (hint: string): Explained => ({ reason: `${reason} (${hint})`, cause: error });
  if (isCut || !HIDDEN.test(reason)) {
    const doubt = mayBeDone && `the ${server} may have done it: check before you repeat it`;
    const hint = hintFor(reason, new URL(url).host) ?? doubt;
    return hint ? withHint(hint) : { reason, cause: error };
  }
  if (globalThis.navigator?.onLine === false) return withHint('this device is offline');
  const forbidden = await isForbidden(url);
  if (!forbidden) return withHint(`the likely cause is CORS: the ${server} does not allow this page to call it`);
  const { origin } = new URL(url);
  const policy = `the Content Security Policy of this page forbids it: add ${origin} to connect-src`;
  return { ...withHint(policy), cause: new Error(policy, { cause: error }) };
}

/** The meaning of a code of a failed connection, with a remedy; `undefined` if the code has several meanings. */
export function hintFor(reason: string, host: string): string | undefined {
  if (BROKEN.test(reason)) return 'the body cannot be decompressed';
  if (CERTIFICATE.test(reason))
    return `the certificate of ${host} is not valid here: check the address; in Node, NODE_EXTRA_CA_CERTS adds your own authority`;
  if (NOT_TLS.test(reason)) return `${host} does not use TLS: check the address, which may need http:`;
  if (NO_NAMES.test(reason)) return `the name of ${host} could not be looked up: check the network and its DNS`;
  if (NOT_FOUND.test(reason)) return `there is no host ${host}: check the address`;
  if (REFUSED.test(reason)) return `nothing listens at ${host}: check the address and the server`;
  return undefined;
}

/** The innermost code of an error, such as `ENOTFOUND`, or the innermost message if there is no code. */
export function innermost(error: unknown, depth = 0): string {
  const { cause, errors, code, message } = Object(error) as {
    cause?: unknown;
    errors?: unknown;
    code?: unknown;
    message?: unknown;
  };
  const inner = cause ?? (Array.isArray(errors) ? errors[0] : undefined);
  const below = inner !== undefined && depth < MAX_DEPTH ? innermost(inner, depth + 1) : '';
  if (below !== '') return below;
  return typeof code === 'string' && code !== '' ? code : typeof message === 'string' ? message : '';
}

interface PolicyViolation {
  blockedURI?: string;
  effectiveDirective?: string;
}

/** Upper bound in ms for the time in which a browser reports a violation of the policy. */
const REPORT_MS = 50;

/**
 * True if the Content Security Policy forbids requests to an address. Nothing is sent: in the mode `same-origin`, a browser
 * checks the policy first and then refuses a request to another origin.
 */
async function isForbidden(url: string): Promise<boolean> {
  const page = globalThis as {
    document?: EventTarget;
    location?: { origin?: string };
  } & Partial<EventTarget>;
  const target = page.document ?? page;
  const { origin } = new URL(url);
  if (!page.location?.origin || page.location.origin === origin || !target.addEventListener) return false;
  return new Promise(resolve => {
    const end = (found: boolean) => {
      clearTimeout(timer);
      target.removeEventListener?.('securitypolicyviolation', listener);
      resolve(found);
    };
    const listener = (event: Event) => {
      const { blockedURI = '', effectiveDirective } = event as PolicyViolation;
      if (effectiveDirective === 'connect-src' && blockedURI.startsWith(origin)) end(true);
    };
    const timer = setTimeout(end, REPORT_MS, false);
    target.addEventListener?.('securitypolicyviolation', listener);
    fetch(url, { mode: 'same-origin', credentials: 'omit' }).catch(() => {});
  });
}
