import { ConfigurationError, TimeoutError, TrackingError } from '../errors.ts';
import {
  describeValue,
  iterable,
  milliseconds,
  objectArgument,
  oneOf,
  optionalFunction,
  optionalSignal,
  optionNames,
  refuseUnknownNames,
  wholeNumber,
} from '../internal/arguments.ts';
import { concurrentMap } from '../internal/concurrent-map.ts';
import { Scope } from '../internal/signal.ts';
import type { DirectUpload, DirectUploadCreate, Document, DocumentCreate } from '../model/index.ts';
import type { RequestOptions } from '../options.ts';
import type { Observer } from '../transport/observer.ts';
import type { Secret } from '../transport/redact.ts';
import type { Transport } from '../transport/transport.ts';
import { checksumOf } from './checksum.ts';
import { UploadError, type UploadStage } from './document-errors.ts';
import { sendFile } from './send-file.ts';
import { openSource, type Source } from './source.ts';
import { checkSlot, secretsOf, transferSettings } from './storage.ts';
import type {
  PutOptions,
  UploadFile,
  UploadItem,
  UploadManyOptions,
  UploadOptions,
  UploadProgress,
  UploadResult,
} from './upload-options.ts';

/** The requests to the service that an upload makes. */
export interface UploadRequests {
  createSlot(blob: DirectUploadCreate, options: RequestOptions): Promise<DirectUpload>;
  /**
   * @param repeatable true if the request may be sent again after a lost response.
   * @param secrets texts that errors of the request must not show.
   */
  createDocument(
    attributes: DocumentCreate,
    call: { options: RequestOptions; repeatable: boolean; secrets: readonly Secret[] },
  ): Promise<Document>;
  getDocument(id: string, options: RequestOptions): Promise<Document>;
}

/** The options that `upload` and `uploadMany` have in common. */
const SHARED = {
  onProgress: true,
  onDuplicate: true,
  signal: true,
  timeout: true,
  deadline: true,
  retry: true,
  headers: true,
  priority: true,
} as const;

const NAMES = optionNames<UploadOptions>({
  file: true,
  name: true,
  filename: true,
  contentType: true,
  ...SHARED,
});

const FILE_EXAMPLE = "{ file: 'invoice.pdf' }";
const ON_DUPLICATE = ['throw', 'return'] as const;

/** Computes the checksum, creates the slot, sends the file, creates the document. An error of a stage is an `UploadError`. */
export async function upload(
  options: UploadOptions,
  requests: UploadRequests,
  transport: Transport,
): Promise<Document> {
  refuseUnknownNames('upload()', objectArgument('The argument of upload()', options, FILE_EXAMPLE), NAMES);
  const { signal, onProgress, timeout, policy, fetch } = transferSettings(options, transport);
  checkNames(options);
  const onDuplicate = oneOf('onDuplicate', options.onDuplicate ?? 'throw', ON_DUPLICATE);
  const deadline = milliseconds('deadline', options.deadline ?? Infinity);

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
    // With 'return', the request may be sent again after a lost response: if the first request created the document, the
    // second request finds it as the duplicate.
    const call = { options: request, repeatable: onDuplicate === 'return', secrets };
    try {
      return await runStage('create', signal, () => requests.createDocument(attributes, call));
    } catch (error) {
      const existing = (Object(error) as Partial<UploadError>).existingDocumentId;
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
  objectArgument('The slot', slot, 'the result of directUploads.create()');
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
 * Runs one stage of an upload. An error becomes an `UploadError` of this stage. Two errors are not changed: the abort
 * reason of the caller's signal, and a `ConfigurationError`.
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
 * Reports the progress of one stage to `onProgress`. A new attempt starts from the first byte, but it reports progress
 * only after it has sent more bytes than the earlier attempts. Errors of `onProgress` are logged. If it returns a
 * promise, the promise is not awaited.
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

const MANY_NAMES = optionNames<UploadManyOptions>({
  concurrency: true,
  ...SHARED,
});

/**
 * Yields results in the order in which uploads finish. Every upload that was started has a result, even after an abort
 * and after an error of `items`. When the consumer stops, all uploads are aborted.
 */
export async function* uploadMany(
  items: Iterable<UploadItem> | AsyncIterable<UploadItem>,
  given: UploadManyOptions,
  uploadOne: (options: UploadOptions) => Promise<Document>,
): AsyncGenerator<UploadResult> {
  refuseUnknownNames(
    'uploadMany()',
    objectArgument('The second argument of uploadMany()', given, '{ concurrency: 4 }'),
    MANY_NAMES,
  );
  const { concurrency = 4, signal, onProgress, ...options } = given;
  wholeNumber('concurrency', concurrency);
  iterable('The first argument of uploadMany()', items);
  optionalFunction('onProgress', onProgress);
  const mapping = { concurrency, startNext: 'on-demand', signal: optionalSignal(signal) } as const;
  yield* concurrentMap(items, mapping, async (item, index, signal) => {
    // The item may have other properties, which only the caller uses.
    const { file, name, filename, contentType } = objectArgument('The item', item, FILE_EXAMPLE);
    const document = await uploadOne({
      priority: 'bulk',
      ...options,
      file,
      name,
      filename,
      contentType,
      signal,
      onProgress: progress => onProgress?.({ ...progress, item, index }),
    });
    return { document };
  });
}

const OPEN_DOCUMENT = 'application/vnd.oasis.opendocument';
const OPEN_XML = 'application/vnd.openxmlformats-officedocument';

/** The types of common documents, by the extension of the file name. */
const TYPES: Readonly<Record<string, string>> = {
  '7z': 'application/x-7z-compressed',
  avif: 'image/avif',
  bmp: 'image/bmp',
  csv: 'text/csv',
  doc: 'application/msword',
  docx: `${OPEN_XML}.wordprocessingml.document`,
  eml: 'message/rfc822',
  gif: 'image/gif',
  gz: 'application/gzip',
  heic: 'image/heic',
  heif: 'image/heif',
  htm: 'text/html',
  html: 'text/html',
  ics: 'text/calendar',
  jp2: 'image/jp2',
  jpeg: 'image/jpeg',
  jpg: 'image/jpeg',
  json: 'application/json',
  log: 'text/plain',
  md: 'text/markdown',
  mov: 'video/quicktime',
  mp4: 'video/mp4',
  msg: 'application/vnd.ms-outlook',
  odp: `${OPEN_DOCUMENT}.presentation`,
  ods: `${OPEN_DOCUMENT}.spreadsheet`,
  odt: `${OPEN_DOCUMENT}.text`,
  p7m: 'application/pkcs7-mime',
  p7s: 'application/pkcs7-signature',
  pdf: 'application/pdf',
  png: 'image/png',
  ppt: 'application/vnd.ms-powerpoint',
  pptx: `${OPEN_XML}.presentationml.presentation`,
  ps: 'application/postscript',
  rar: 'application/vnd.rar',
  rtf: 'text/rtf',
  svg: 'image/svg+xml',
  tar: 'application/x-tar',
  tif: 'image/tiff',
  tiff: 'image/tiff',
  tsv: 'text/tab-separated-values',
  txt: 'text/plain',
  webp: 'image/webp',
  xls: 'application/vnd.ms-excel',
  xlsm: 'application/vnd.ms-excel.sheet.macroenabled.12',
  xlsx: `${OPEN_XML}.spreadsheetml.sheet`,
  xml: 'text/xml',
  zip: 'application/zip',
};

/** The MIME type for the extension of a file name; `undefined` for an unknown extension. */
export function contentTypeOf(filename: string): string | undefined {
  const extension = /\.([^.]+)$/.exec(filename.trim())?.[1]?.toLowerCase() ?? '';
  return Object.hasOwn(TYPES, extension) ? TYPES[extension] : undefined;
}

/** @throws {ConfigurationError} for a name or type that cannot be sent. */
function checkNames({ name, filename, contentType }: UploadItem): void {
  for (const [option, value] of Object.entries({ name, filename, contentType })) {
    if (value !== undefined && typeof value !== 'string') {
      throw new ConfigurationError(`${option} is ${describeValue(value)}; it must be a string.`);
    }
  }
  for (const [option, value] of Object.entries({ name, filename })) {
    if (value?.trim() !== '') continue;
    throw new ConfigurationError(`${option} is blank. Pass a name, or omit it to use the name of the file.`);
  }
  // The type becomes a header of the PUT. It may be empty, like the `type` of a Blob of an unknown type.
  if (!contentType || /^[!-~][ -~]*$/.test(contentType)) return;
  throw new ConfigurationError(
    `contentType is ${describeValue(contentType)}; it must be a MIME type such as application/pdf.`,
  );
}
