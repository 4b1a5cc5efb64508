import { ConfigurationError, TimeoutError, TrackingError } from '../errors.ts';
import { milliseconds, objectArgument, oneOf, optionNames, refuseUnknownNames } from '../internal/arguments.ts';
import { Scope } from '../internal/signal.ts';
import type { DirectUpload, DirectUploadCreate, Document, DocumentCreate } from '../model/index.ts';
import type { RequestOptions } from '../options.ts';
import type { Observer } from '../transport/observer.ts';
import type { Secret } from '../transport/spellings.ts';
import type { Transport } from '../transport/transport.ts';
import { checksumOf } from './checksum.ts';
import { contentTypeOf } from './content-type.ts';
import { UploadError, type UploadStage } from './errors.ts';
import { sendFile } from './send-file.ts';
import { checkNames, transferSettings } from './settings.ts';
import { openSource, type Source } from './source.ts';
import { checkSlot, secretsOf } from './storage.ts';
import type { PutOptions, UploadFile, UploadItem, UploadOptions, UploadProgress } from './upload-options.ts';

/** The requests to the service that an upload makes. */
export interface UploadRequests {
  createSlot(blob: DirectUploadCreate, options: RequestOptions): Promise<DirectUpload>;
  /**
   * @param repeatable whether the request may be sent again when it is unknown whether the first one succeeded.
   * @param secrets what its errors must not show.
   */
  createDocument(
    attributes: DocumentCreate,
    call: { options: RequestOptions; repeatable: boolean; secrets: readonly Secret[] },
  ): Promise<Document>;
  getDocument(id: string, options: RequestOptions): Promise<Document>;
}

const NAMES = optionNames<UploadOptions>({
  file: true,
  name: true,
  filename: true,
  contentType: true,
  onProgress: true,
  onDuplicate: true,
  signal: true,
  timeout: true,
  deadline: true,
  retry: true,
  headers: true,
  priority: true,
});

const ON_DUPLICATE = ['throw', 'return'] as const;

/** Checksum, slot, PUT, document. An error of a stage is an `UploadError`. */
export async function upload(
  options: UploadOptions,
  requests: UploadRequests,
  transport: Transport,
): Promise<Document> {
  refuseUnknownNames('upload()', objectArgument('The argument of upload()', options, "{ file: 'invoice.pdf' }"), NAMES);
  const { signal, onProgress, timeout, policy, fetch } = transferSettings(options, transport);
  checkNames(options);
  const onDuplicate = oneOf('onDuplicate', options.onDuplicate ?? 'throw', ON_DUPLICATE);
  const deadline = milliseconds('deadline', options.deadline ?? Number.POSITIVE_INFINITY);

  const scope = new Scope().follow(signal).limit(deadline, () => {
    const message = `The upload did not finish within the deadline of ${deadline} ms`;
    return new TimeoutError(message, { code: 'deadline', limitMs: deadline });
  });
  const { retry, headers, priority } = options;
  const request: RequestOptions = { signal: scope.signal, timeout: options.timeout, retry, headers, priority };
  try {
    scope.signal.throwIfAborted();
    const source = await runStage('hash', signal, () => openSource(options.file));
    const { name, filename, contentType } = documentNames(options, source);
    const report = (stage: 'hash' | 'put') => progressReporter(stage, source.size, onProgress, transport.observer);
    const hashing = { signal: scope.signal, timeout, onProgress: report('hash') };
    const checksum = await runStage('hash', signal, () => checksumOf(source, hashing));

    const blob = { filename, content_type: contentType, byte_size: source.size, checksum };
    const renewSlot = () => {
      return runStage('slot', signal, async () => checkSignedId(await requests.createSlot(blob, request)));
    };
    const slot = await renewSlot();
    const sending = { checksum, policy, renewSlot, signal: scope.signal, timeout, fetch, onProgress: report('put') };
    const { signed_id, direct_upload } = await runStage('put', signal, () => sendFile(source, slot, sending));

    const attributes = { name, attached_document: signed_id };
    const secrets = secretsOf(direct_upload.url);
    // With 'return', a request whose response was lost may be sent again: it returns the document of the first one.
    const call = { options: request, repeatable: onDuplicate === 'return', secrets };
    try {
      return await runStage('create', signal, () => requests.createDocument(attributes, call));
    } catch (error) {
      const existing = error instanceof UploadError ? error.existingDocumentId : undefined;
      if (existing === undefined || onDuplicate === 'throw') throw error;
      return await runStage('create', signal, () => requests.getDocument(existing, request));
    }
  } finally {
    scope.dispose();
  }
}

/** The name of the document, and the name and type of its file. */
function documentNames(item: UploadItem, source: Source): { name: string; filename: string; contentType: string } {
  const ownName = source.name?.trim() === '' ? undefined : source.name;
  const filename = item.filename ?? ownName ?? item.name;
  if (!filename) throw new ConfigurationError('The file has no name. Pass filename.');
  return {
    name: item.name ?? filename,
    filename,
    contentType: item.contentType || source.type || contentTypeOf(filename) || 'application/octet-stream',
  };
}

/** @throws {TrackingError} for a slot that cannot be used. */
function checkSignedId(slot: DirectUpload): DirectUpload {
  if (checkSlot(slot).signed_id) return slot;
  throw new TrackingError('the slot has no signed_id', { code: 'response_format' });
}

/** Sends a file to a slot that the caller has created. */
export async function putFile(
  slot: DirectUpload,
  file: UploadFile,
  options: PutOptions,
  transport: Transport,
): Promise<void> {
  objectArgument('The slot', slot, 'the answer to directUploads.create()');
  const { signal, onProgress, timeout, policy, fetch } = transferSettings(options, transport);
  const scope = new Scope().follow(signal);
  try {
    scope.signal.throwIfAborted();
    await runStage('put', signal, async () => {
      const source = await openSource(file);
      const { checksum, byte_size } = checkSlot(slot);
      if (source.size !== byte_size) {
        throw new ConfigurationError(`The slot is for ${byte_size} bytes, but the file has ${source.size} bytes.`);
      }
      const report = progressReporter('put', source.size, onProgress, transport.observer);
      await sendFile(source, slot, { checksum, policy, signal: scope.signal, timeout, fetch, onProgress: report });
    });
  } finally {
    scope.dispose();
  }
}

const MESSAGES: Record<UploadStage, string> = {
  hash: 'The checksum of the file could not be computed',
  slot: 'The service did not create an upload slot',
  put: 'The file could not be sent',
  create: 'The document could not be created',
};

/**
 * Runs one stage of an upload. An error becomes an `UploadError` of this stage, except for the reason of the caller's
 * signal and for a `ConfigurationError`.
 */
async function runStage<T>(stage: UploadStage, signal: AbortSignal | undefined, run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (signal?.aborted) throw signal.reason;
    if (error instanceof ConfigurationError || error instanceof UploadError) throw error;
    const detail = error instanceof Error ? `: ${error.message}` : '';
    throw new UploadError(stage, `${MESSAGES[stage]}${detail}`, { cause: error });
  }
}

/**
 * Reports the progress of one stage to `onProgress`. A new attempt starts from the first byte, but reports nothing before
 * it has sent more than the attempts before it. Errors of `onProgress` are logged, and a promise
 * that it returns is not awaited.
 */
function progressReporter(
  stage: UploadProgress['stage'],
  total: number,
  onProgress: ((progress: UploadProgress) => void) | undefined,
  observer: Observer,
): (bytes: number) => void {
  let reported = -1;
  return bytes => {
    if (bytes <= reported) return;
    reported = bytes;
    const tell = async () => onProgress?.({ stage, loaded: bytes, total });
    tell().catch(error => observer.log('error', 'onProgress failed.', { error }));
  };
}
