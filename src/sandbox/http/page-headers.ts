/**
 * The headers of a page and of its files. The page cannot be shown in a frame, and other origins cannot read the files.
 */
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
