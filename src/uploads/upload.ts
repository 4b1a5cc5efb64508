import { ConfigurationError, TimeoutError, TrackingError } from '../errors.ts';
import { milliseconds, objectArgument, oneOf } from '../internal/arguments.ts';
import { Scope } from '../internal/signal.ts';
import type { RequestOptions } from '../options.ts';
import type { DirectUpload, DirectUploadCreate } from '../records/bodies.ts';
import type { Document, DocumentCreate } from '../records/document.ts';
import type { Transport } from '../transport/transport.ts';
import { checkedPut, checkNames } from './checks.ts';
import { checksumOf } from './checksum/checksum.ts';
import { UploadError } from './errors.ts';
import type { UploadItem, UploadOptions } from './options.ts';
import { reporter } from './progress.ts';
import { sendFile } from './put/send-file.ts';
import { contentTypeOf } from './source/content-type.ts';
import { type Source, sourceOf } from './source/source.ts';
import { during } from './stage.ts';
import { checkedSlot } from './storage/storage.ts';

/** The calls that an upload is made of. */
export interface UploadCalls {
  slot(blob: DirectUploadCreate, options: RequestOptions): Promise<DirectUpload>;
  /** @param repeatable whether a second request does no more than the first. */
  create(attributes: DocumentCreate, call: { options: RequestOptions; repeatable: boolean }): Promise<Document>;
  get(id: string, options: RequestOptions): Promise<Document>;
}

const ON_DUPLICATE = ['throw', 'return'] as const;

/** Checksum, slot, bytes, document: each step's failure is an `UploadError` of its stage. */
export async function upload(options: UploadOptions, calls: UploadCalls, transport: Transport): Promise<Document> {
  objectArgument('The argument of upload()', options, "{ file: 'invoice.pdf' }");
  const { signal, onProgress, timeout, policy, fetch } = checkedPut(options, transport);
  checkNames(options);
  const onDuplicate = oneOf('onDuplicate', options.onDuplicate ?? 'throw', ON_DUPLICATE);
  const deadline = milliseconds('deadline', options.deadline ?? Number.POSITIVE_INFINITY);
  const report = (stage: 'hash' | 'put', size: number) => reporter(stage, size, onProgress, transport.observer);

  const scope = new Scope().follow(signal).limit(deadline, () => {
    const message = `The upload was not done within the deadline of ${deadline} ms`;
    return new TimeoutError(message, { code: 'deadline', limitMs: deadline });
  });
  const { retry, headers, priority } = options;
  const request: RequestOptions = { signal: scope.signal, timeout: options.timeout, retry, headers, priority };
  try {
    scope.signal.throwIfAborted();
    const source = await during('hash', signal, () => sourceOf(options.file));
    const { name, filename, contentType } = described(options, source);
    const checksum = await during('hash', signal, () => {
      return checksumOf(source, { signal: scope.signal, timeout, onLoaded: report('hash', source.size) });
    });

    const blob = { filename, content_type: contentType, byte_size: source.size, checksum };
    const renew = () => during('slot', signal, async () => checked(await calls.slot(blob, request)));
    const first = await renew();
    const { signed_id } = await during('put', signal, () =>
      sendFile(source, first, {
        checksum,
        policy,
        renew,
        signal: scope.signal,
        timeout,
        fetch,
        onLoaded: report('put', source.size),
      }),
    );

    const attributes = { name, attached_document: signed_id };
    // Where a duplicate is welcome, a creation whose answer was lost can be made again: it finds its own document.
    const repeatable = onDuplicate === 'return';
    try {
      return await during('create', signal, () => calls.create(attributes, { options: request, repeatable }));
    } catch (error) {
      const existing = error instanceof UploadError ? error.existingDocumentId : undefined;
      if (existing === undefined || onDuplicate === 'throw') throw error;
      return await during('create', signal, () => calls.get(existing, request));
    }
  } finally {
    scope.dispose();
  }
}

/** What the file and its document are called. */
function described(item: UploadItem, source: Source): { name: string; filename: string; contentType: string } {
  const own = source.name?.trim() === '' ? undefined : source.name;
  const filename = item.filename ?? own ?? item.name;
  if (!filename) throw new ConfigurationError('The file has no name of its own. Pass filename.');
  return {
    name: item.name ?? filename,
    filename,
    contentType: item.contentType || source.type || contentTypeOf(filename) || 'application/octet-stream',
  };
}

/** @throws {TrackingError} for an answer that does not say where to send the bytes. */
function checked(slot: DirectUpload): DirectUpload {
  if (checkedSlot(slot).signed_id) return slot;
  throw new TrackingError('the slot has no signed_id', { code: 'response_format' });
}
