import { TrackingError } from '../../errors.ts';
import type { DirectUpload } from '../../model/index.ts';

/** Where to send a file, and the only headers that the storage accepts. */
export type Slot = Pick<DirectUpload, 'direct_upload'>;

/** @throws {TrackingError} unless the slot can be used. */
export function checkSlot<S extends Slot>(slot: S): S {
  const { url, headers } = slot?.direct_upload ?? {};
  checkUrl(url);
  try {
    if (headers && new Headers(headers)) return slot;
  } catch {
    // For example a line break in a value: it can never be sent.
  }
  throw new TrackingError('the slot has no headers, or headers that cannot be sent', { code: 'response_format' });
}

/** @throws {TrackingError} unless it is a URL of a storage. The message does not contain the URL. */
export function checkUrl(url: unknown): asserts url is string {
  if (typeof url === 'string' && URL.canParse(url)) {
    const { protocol, username, password } = new URL(url);
    // Node.js would send a user name as a credential, and browsers refuse one.
    if (/^https?:$/.test(protocol) && username + password === '') return;
  }
  throw new TrackingError('the URL of the storage is missing or cannot be used', { code: 'response_format' });
}
