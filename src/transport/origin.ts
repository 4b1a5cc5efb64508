import { ConfigurationError } from '../errors.ts';

const EXAMPLE = 'for example https://host.example/v2';

/**
 * The base URL in its normal form, without a slash at its end.
 *
 * @throws {ConfigurationError} if it is not a URL, is not https (plain http is allowed for loopback addresses), has a query,
 * a fragment or credentials, or does not end in a version segment.
 */
export function parseBaseUrl(input: string): string {
  // The cause is left out: it contains the input, which may contain a password.
  if (typeof input !== 'string' || !URL.canParse(input)) {
    throw new ConfigurationError(`baseUrl is not an absolute URL. Pass the address of the service, ${EXAMPLE}.`);
  }
  const url = new URL(input);
  if (url.username || url.password) {
    throw new ConfigurationError('baseUrl holds a user name or password. Remove them and pass apiKey or accessToken.');
  }
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLoopback(url.hostname))) {
    throw new ConfigurationError(
      `baseUrl uses ${url.protocol}//, which would send the credential in the clear. Use https; http is accepted for loopback addresses only.`,
    );
  }
  if (/[?#]/.test(input)) {
    throw new ConfigurationError(`baseUrl has a query or a fragment. Remove what follows the path, ${EXAMPLE}.`);
  }
  const pathname = url.pathname.replace(/\/+$/, '');
  if (!/\/v\d+$/.test(pathname)) {
    throw new ConfigurationError(`baseUrl does not end in a version segment such as /v2, ${EXAMPLE}.`);
  }
  return url.origin + pathname;
}

export function isLoopback(hostname: string): boolean {
  return /^(?:(?:.*\.)?localhost|\[::1\]|127(?:\.\d+){3})$/.test(hostname);
}
