import { pageHeaders } from '../http/page-headers.ts';

/** Nothing but the page's own files, and no HTML from a string. */
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
