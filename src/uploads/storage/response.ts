import { abortable } from '../../internal/signal.ts';
import { responseError, type StorageRequest } from './errors.ts';

/** A web stream, or a stream of Node, as the `fetch` of a package for Node may give it. */
type Body = Partial<Pick<ReadableStream, 'cancel'> & Pick<NodeJS.ReadableStream, 'on'> & { destroy(): void }> | null;

/**
 * Waits for a 2xx response of a `fetch` that may ignore its signal. When the signal aborts, the body of the response is
 * cancelled, even if nobody reads it or it arrives later.
 *
 * @throws {APIError} for another status.
 */
export async function okResponse(pending: Promise<Response>, request: StorageRequest): Promise<Response> {
  const { signal } = request;
  pending
    .then(response => {
      const body = response.body as Body;
      // An error of a stream of Node that nobody reads yet would end the process. It is kept for the reader.
      body?.on?.('error', () => {});
      // This must not throw: an error in a listener of a signal ends the process too.
      const cancel = () => void (async () => (body?.cancel ? body.cancel() : body?.destroy?.()))().catch(() => {});
      if (signal.aborted) cancel();
      else signal.addEventListener('abort', cancel, { once: true });
    })
    .catch(() => {});
  const response = await abortable(pending, signal);
  if (!response.ok) throw await responseError(response, request);
  return response;
}
