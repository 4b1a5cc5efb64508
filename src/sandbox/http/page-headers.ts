/** The headers of a page, and of its files: no frame around it, and nothing that another origin may read. */
export function pageHeaders(policy: readonly string[]): Record<string, string> {
  return {
    'content-security-policy': ["default-src 'none'", "base-uri 'none'", "frame-ancestors 'none'", ...policy].join(
      '; ',
    ),
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': 'no-referrer',
    'cross-origin-resource-policy': 'same-origin',
    'cache-control': 'no-store',
  };
}
