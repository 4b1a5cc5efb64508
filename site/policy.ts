import { createHash } from 'node:crypto';

/**
 * The permissions of every file of the site, including the worker of a run. A host that can send headers may send this
 * policy with all files.
 */
export const POLICY = {
  'default-src': "'self'",
  'script-src': "'self'",
  'worker-src': "'self'",
  // The colours of the snippets are in style attributes.
  'style-src': "'self' 'unsafe-inline'",
  'img-src': "'self' data:",
  'object-src': "'none'",
  'base-uri': "'self'",
} as const;

export function headerOf(policy: Readonly<Record<string, string>>): string {
  return Object.entries(policy)
    .map(([directive, sources]) => `${directive} ${sources}`)
    .join('; ');
}

/** The page with its policy. The policy has the hashes of the scripts in the page itself. */
export function withPolicy(html: string): string {
  const scripts = Array.from(
    html.matchAll(/<script(?![^>]*\ssrc=)[^>]*>([\s\S]*?)<\/script>/g),
    ([, text = '']) => text,
  );
  const hashes = scripts.map(text => `'sha256-${createHash('sha256').update(text).digest('base64')}'`);
  const policy = headerOf({ ...POLICY, 'script-src': [POLICY['script-src'], ...hashes].join(' ') });
  const meta = `<meta http-equiv="Content-Security-Policy" content="${policy}">`;
  return html.replace(/<meta charset=[^>]*>/, charset => `${charset}\n    ${meta}`);
}
