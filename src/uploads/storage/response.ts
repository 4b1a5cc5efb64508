import { abortable } from '../../internal/signal.ts';
import { responseError, type StorageRequest } from './errors.ts';

/**
 * Waits for a 2xx response of a `fetch` that may ignore its signal. When the signal aborts, the body of the response is
 * cancelled, even if nobody reads it or it arrives later.
 *
 * @throws {APIError} for another status.
 */
export async function okResponse(pending: Promise<Response>, request: StorageRequest): Promise<Response> {
  const { signal } = request;
  pending
    .then(({ body }) => {
      const cancel = () => body?.cancel().catch(() => {});
      if (signal.aborted) cancel();
      else signal.addEventListener('abort', cancel, { once: true });
    })
    .catch(() => {});
  const response = await abortable(pending, signal);
  if (!response.ok) throw await responseError(response, request);
  return response;
}
