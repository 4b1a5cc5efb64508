import { ConfigurationError } from '../errors.ts';
import { abortable } from '../internal/signal.ts';
import { isIdentifier, isRecord, parseJson, type WireDocument, type WireResource } from '../jsonapi/document.ts';
import { type LinkedObject, Linker, type LinkProblem } from '../jsonapi/link.ts';
import type { Validation } from '../options.ts';
import type { SchemaMismatch } from '../schemas/mismatch.ts';
import type { Credential } from './auth.ts';
import type { Call, Exchange } from './call.ts';
import { doubtfulAddress, formatError } from './failure.ts';
import type { Observer } from './observer.ts';

/** Upper bound for the bytes that are read from the body of an error: 1 MiB. */
const MAX_ERROR_BYTES = 1_048_576;

/** True if the body cannot be longer than `maxBytes`: it is not compressed, and the runtime enforces its `content-length`. */
export function isHarmless({ headers, type }: Response, maxBytes: number): boolean {
  const length = headers.get('content-length');
  // With a chunked encoding, the length is ignored. For a response of another origin, a browser shows the length and
  // may hide the compression.
  const isWhole = !headers.has('transfer-encoding') && !headers.has('content-encoding') && type !== 'cors';
  return isWhole && length !== null && Number(length) <= maxBytes;
}

/**
 * The body as text.
 *
 * @param signal ends the reading. The signal of `fetch` is not enough: in Node 20 some compressed bodies never settle.
 * @throws {ResponseFormatError} if the text is longer than `maxBytes` after decompression.
 */
export function readText(
  call: Call,
  response: Response,
  { redactor }: Credential,
  maxBytes: number,
  signal: AbortSignal,
): Promise<string> {
  return readUpTo(response, maxBytes, signal, () => {
    const exchange = { call, response, text: '', redactor };
    throw formatError(exchange, `the response is longer than maxResponseBytes, which is ${maxBytes} bytes`);
  });
}

/**
 * The body of an error, up to 1 MiB. If the body is read to the end, its connection can be used again. A longer body is
 * cancelled, which closes the connection.
 *
 * @param signal ends the reading.
 */
export function readErrorText(response: Response, signal?: AbortSignal): Promise<string> {
  return readUpTo(response, MAX_ERROR_BYTES, signal, text => text);
}

async function readUpTo(
  response: Response,
  maxBytes: number,
  signal: AbortSignal | undefined,
  onLonger: (text: string) => string,
): Promise<string> {
  const pieces = piecesOf(response);
  if (!pieces) return '';
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  let isComplete = false;
  try {
    for (;;) {
      const { done, value } = await (signal ? abortable(pieces.next(), signal) : pieces.next());
      isComplete = done;
      if (done) return text + decoder.decode();
      bytes += value.byteLength;
      text += decoder.decode(value, { stream: true });
      if (bytes > maxBytes) return onLonger(text);
    }
  } finally {
    // A body that is not read to the end is cancelled. Otherwise the sender would continue, and the connection would
    // stay open.
    if (!isComplete) pieces.end();
  }
}

/** Cancels a body that will not be read. */
export function discard(response: Response): void {
  piecesOf(response)?.end();
}

interface Pieces {
  next(): Promise<{ done: false; value: Uint8Array } | { done: true; value?: undefined }>;
  end(): void;
}

/** The response of a `fetch` from a package for Node may have a Node stream as its body. */
export function piecesOf({ body }: { body: unknown }): Pieces | undefined {
  if (body === null || body === undefined) return undefined;
  const stream = Object(body) as Partial<ReadableStream<Uint8Array> & AsyncIterable<Uint8Array> & { destroy(): void }>;
  if (stream.getReader) {
    const reader = stream.getReader() as ReadableStreamDefaultReader<Uint8Array>;
    return { next: () => reader.read() as ReturnType<Pieces['next']>, end: () => void reader.cancel().catch(() => {}) };
  }
  const iterator = stream[Symbol.asyncIterator]?.();
  if (!iterator) throw new TypeError('the body of the Response is not a stream');
  return { next: () => iterator.next() as ReturnType<Pieces['next']>, end: () => stream.destroy?.() };
}

const FOREIGN = { isForeign: true };

/** Parses the body of a response as JSON. @throws {ResponseFormatError} if the body is empty or not JSON. */
function jsonOf(exchange: Exchange): unknown {
  try {
    return parseJson(exchange.text);
  } catch {
    if (exchange.text.trim() === '') throw formatError(exchange, 'the body is empty', FOREIGN);
    // The cause is left out, because its message quotes the body.
    const type = exchange.response.headers.get('content-type') ?? 'no content type';
    const { redactor, call, text } = exchange;
    // If the body should be JSON, the address is right, and the body was probably cut off.
    const hint = /json/i.test(type) ? '' : doubtfulAddress(call.url);
    throw formatError(
      exchange,
      redactor.text(`the body is not valid JSON (${type}, ${text.length} characters)`) + hint,
      FOREIGN,
    );
  }
}

/** The JSON:API document of a response. @throws {ResponseFormatError} if the body is not a JSON:API document. */
function documentOf(exchange: Exchange): WireDocument {
  const { types, anonymous } = exchange.call.endpoint.expected;
  const document = jsonOf(exchange);
  if (!isRecord(document) || document.data === undefined) {
    throw formatError(exchange, 'the body is not a JSON:API document: it has no `data`', FOREIGN);
  }
  if (anonymous && isRecord(document.data)) document.data = { id: '', type: types[0], ...document.data };
  const { data, included } = document;
  if (!(Array.isArray(data) ? data.every(isIdentifier) : data === null || isIdentifier(data))) {
    throw formatError(exchange, 'the document has a record without `type` and `id`');
  }
  if (included !== undefined && !Array.isArray(included)) {
    throw formatError(exchange, 'the document has an `included` that is not a list');
  }
  return document as unknown as WireDocument;
}

/**
 * Drops the included records that have no identity, because nothing can refer to them. Returns true if there were such
 * records.
 */
function dropUnidentified(document: WireDocument): boolean {
  const included: unknown[] = document.included ?? [];
  if (included.every(isIdentifier)) return false;
  document.included = included.filter(isIdentifier) as WireResource[];
  return true;
}

type Schemas = typeof import('../schemas/check.ts');

/** A separate chunk. It is loaded when the first response is checked. */
let loadedSchemas: Schemas | undefined;

/** The promise is not stored, because in Workers a promise belongs to the request that made it. */
async function loadSchemas(): Promise<Schemas> {
  loadedSchemas = await import('../schemas/check.ts');
  return loadedSchemas;
}

/** The places where a value does not match the schemas. A document must not be linked yet. */
function mismatchesOf(exchange: Exchange, value: unknown, { checkDocument, checkJson }: Schemas): SchemaMismatch[] {
  const { expected, operation } = exchange.call.endpoint;
  return isPlain(exchange) ? checkJson(operation, value) : checkDocument(value as WireDocument, expected);
}

function isPlain({ call }: Exchange): boolean {
  return call.endpoint.expected.types.length === 0;
}

/** Upper bound for the reported mismatches that are remembered. The service causes far fewer different mismatches. */
const MAX_REPORTED = 1000;

/** Turns a response into its value: checks it with the schemas, and links the records along the include tree. */
export class Decoder {
  readonly #validation: Validation;
  readonly #observer: Observer;
  readonly #reported = new Set<string>();
  #hasWarned = false;

  constructor(validation: Validation, observer: Observer) {
    this.#validation = validation;
    this.#observer = observer;
  }

  /** The JSON value. @throws {ResponseFormatError} if the body is empty or not JSON. */
  json(exchange: Exchange): unknown {
    return jsonOf(exchange);
  }

  /** The JSON value, checked with the schemas. */
  answer(exchange: Exchange): unknown {
    const value = jsonOf(exchange);
    return this.#check(exchange, value)?.then(() => value) ?? value;
  }

  one(exchange: Exchange): LinkedObject | Promise<LinkedObject> {
    const document = this.#document(exchange);
    const { data } = document;
    if (!isIdentifier(data)) throw formatError(exchange, 'the document has no record in `data`');
    const checking = this.#check(exchange, document);
    const link = () => this.#link(exchange, document, [data])[0] as LinkedObject;
    return checking?.then(link) ?? link();
  }

  many(exchange: Exchange): DecodedList | Promise<DecodedList> {
    const document = this.#document(exchange);
    const { data } = document;
    if (data === null) throw formatError(exchange, 'the document has no list in `data`');
    const checking = this.#check(exchange, document);
    // Some endpoints respond with a single record instead of a list with one record.
    const resources = Array.isArray(data) ? data : [data];
    const link = () => ({ document, records: this.#link(exchange, document, resources) });
    return checking?.then(link) ?? link();
  }

  #document(exchange: Exchange): WireDocument {
    const document = documentOf(exchange);
    if (dropUnidentified(document)) this.#handleMismatches(exchange, [UNIDENTIFIED_RECORD]);
    return document;
  }

  /**
   * Checks the value immediately. With `warn`, it is checked later if the schemas are not loaded yet, because the
   * caller does not wait for the schemas.
   */
  #check(exchange: Exchange, value: unknown): Promise<void> | undefined {
    if (this.#validation === 'off') return undefined;
    if (loadedSchemas) {
      this.#handleMismatches(exchange, mismatchesOf(exchange, value, loadedSchemas));
    } else if (this.#validation === 'strict') {
      return this.#checkFirst(exchange, value);
    } else {
      setTimeout(() => this.#checkLater(exchange));
    }
    return undefined;
  }

  async #checkFirst(exchange: Exchange, value: unknown): Promise<void> {
    let schemas: Schemas;
    try {
      schemas = await loadSchemas();
    } catch (cause) {
      throw new ConfigurationError('The schemas could not be loaded.', { cause });
    }
    this.#handleMismatches(exchange, mismatchesOf(exchange, value, schemas));
  }

  async #checkLater(exchange: Exchange): Promise<void> {
    try {
      const schemas = await loadSchemas();
      // Linking has changed the parsed document, so the text is parsed again.
      const value = isPlain(exchange) ? jsonOf(exchange) : this.#document(exchange);
      this.#handleMismatches(exchange, mismatchesOf(exchange, value, schemas));
    } catch (error) {
      if (this.#hasWarned) return;
      this.#hasWarned = true;
      this.#observer.log('warn', 'The schemas could not be loaded: responses are not checked.', { error });
    }
  }

  #link(exchange: Exchange, document: WireDocument, resources: WireResource[]): LinkedObject[] {
    const { tree, asked } = exchange.call.endpoint.expected;
    const linker = new Linker(document, { asked });
    const records: LinkedObject[] = [];
    for (const resource of resources) records.push(linker.record(resource, tree));
    for (const problem of linker.problems) this.#report(exchange, mismatchOf(problem, exchange));
    return records;
  }

  /** @throws {ResponseFormatError} in `strict`. */
  #handleMismatches(exchange: Exchange, found: readonly SchemaMismatch[]): void {
    if (found.length === 0) return;
    const mismatches = exchange.redactor.value(found);
    for (const mismatch of mismatches) this.#report(exchange, mismatch);
    if (this.#validation !== 'strict') return;
    const { resourceType, path, message } = mismatches[0] as SchemaMismatch;
    throw formatError(exchange, `${resourceType} ${path}: ${message}`, { mismatches });
  }

  #report(exchange: Exchange, mismatch: SchemaMismatch): void {
    const shape = `${mismatch.resourceType} ${mismatch.path} ${mismatch.expected} ${mismatch.received}`;
    if (this.#reported.has(shape) || this.#reported.size >= MAX_REPORTED) return;
    this.#reported.add(shape);
    const { method, path } = exchange.call.endpoint;
    this.#observer.emitOf('onSchemaMismatch', exchange.call, () => ({ path, mismatch }));
    this.#observer.log('warn', `${method} ${path}: ${mismatch.resourceType} ${mismatch.path}: ${mismatch.message}`);
  }
}

interface DecodedList {
  document: WireDocument;
  records: LinkedObject[];
}

const UNIDENTIFIED_RECORD: SchemaMismatch = {
  resourceType: 'document',
  path: 'included.*',
  expected: 'a record with type and id',
  received: 'another value',
  message: 'expected a record with type and id, received another value',
};

function mismatchOf({ resourceType, relationship, problem }: LinkProblem, { redactor }: Exchange): SchemaMismatch {
  const [expected, received, missing] =
    problem === 'record_not_sent'
      ? ['the included record', 'a reference only', 'record']
      : ['a relationship', 'nothing', 'relationship'];
  return {
    resourceType: redactor.text(resourceType),
    path: `relationships.${relationship}`,
    expected,
    received,
    message: `the ${missing} was requested but not sent`,
  };
}
