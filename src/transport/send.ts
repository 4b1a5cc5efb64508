import type { KyInstance } from 'ky';

export type Fetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

export interface OutgoingRequest {
  method: string;
  url: string;
  headers: Headers;
  body: string | undefined;
  signal: AbortSignal;
  fetch: Fetch | undefined;
}

let ky: KyInstance | undefined;

/**
 * Sends one request and resolves at its headers, whatever the status.
 *
 * ky is loaded with the first request: importing it makes Node load its whole HTTP stack. Its retries, timeout, hooks and
 * status errors stay off: each has one owner in this folder, and its errors print the Authorization header.
 */
export async function send({ method, url, headers, body, signal, fetch }: OutgoingRequest): Promise<Response> {
  ky ??= (await import('ky')).default;
  try {
    const response = await ky(url, {
      method,
      headers,
      signal,
      redirect: 'manual',
      retry: 0,
      timeout: false,
      throwHttpErrors: false,
      ...(body !== undefined && { body }),
      ...(fetch && { fetch: fetch as typeof globalThis.fetch }),
    });
    // A `fetch` that ignores its signal answers after the abort too, and nobody will read that body.
    if (signal.aborted) response.body?.cancel().catch(() => {});
    return response;
  } catch (error) {
    // ky wraps a network failure in an error that holds the request, headers and all.
    throw error instanceof Error && error.name === 'NetworkError' && error.cause ? error.cause : error;
  }
}
