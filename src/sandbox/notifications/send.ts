import { abortable, Scope } from '../../internal/signal.ts';
import type { TriggerResult } from '../../model/index.ts';
import type { Backend } from '../state/backend.ts';
import { sign } from './signature.ts';

export interface Delivery {
  url: string;
  body: string;
  /** Without a secret the delivery is not signed. */
  secret: string | undefined;
  /** Extra headers of the webhook. */
  headers?: { name: string; value: string }[];
}

const TIMEOUT_MS = 10_000;
const ACKNOWLEDGED = [200, 201, 202, 204];

/** Makes one attempt at a delivery, body of the answer included. Never rejects. @param ending Ends the attempt. */
export async function deliver(
  backend: Backend,
  { url, body, secret, headers = [] }: Delivery,
  ending?: AbortSignal,
): Promise<TriggerResult> {
  const requestHeaders: Record<string, string> = {
    'Content-Type': 'application/json',
    'User-Agent': 'Tracking Webhook Bot',
    ...(secret && { [backend.webhookHeader]: await sign(body, secret) }),
    ...Object.fromEntries(headers.map(({ name, value }) => [name, value])),
  };
  const sent = { url, request_headers: requestHeaders, request_body: body };
  // Unlike a timer of our own, it keeps no process alive, and a test that fakes timers does not move it.
  const scope = new Scope().follow(ending).follow(AbortSignal.timeout(TIMEOUT_MS));
  const { signal } = scope;

  async function exchange(): Promise<TriggerResult> {
    const request = { method: 'POST', headers: requestHeaders, body, signal, redirect: 'manual' } as const;
    const response = await backend.send(new Request(url, request));
    const succeeded = ACKNOWLEDGED.includes(response.status);
    return {
      ...sent,
      succeeded,
      error: succeeded ? null : `unexpected status ${response.status}`,
      status_code: response.status,
      response_headers: Object.fromEntries(response.headers),
      response_body: await response.text(),
    };
  }

  try {
    signal.throwIfAborted();
    // A function in place of `fetch` may ignore the signal.
    return await abortable(exchange(), signal);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return {
      ...sent,
      succeeded: false,
      error: message,
      status_code: null,
      response_headers: null,
      response_body: null,
    };
  } finally {
    scope.dispose();
  }
}
