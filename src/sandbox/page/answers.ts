/** Nothing but the page's own files, no frame around it, no HTML from a string, and nothing that another origin may read. */
const HEADERS = {
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; '),
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'no-store',
};

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
