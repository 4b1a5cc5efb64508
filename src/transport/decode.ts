import { ConfigurationError, ResponseFormatError } from '../errors.ts';
import { isIdentifier, isRecord, parseJson, type WireDocument, type WireResource } from '../jsonapi/document.ts';
import { type LinkedObject, Linker } from '../jsonapi/link.ts';
import type { IncludeTree } from '../jsonapi/tree.ts';
import type { Validation } from '../options.ts';
import type { SchemaMismatch } from '../schemas/mismatch.ts';
import type { Exchange } from './api-promise.ts';
import type { Observer } from './hooks.ts';

type CheckDocument = typeof import('../schemas/check.ts').checkDocument;

export interface Expected {
  /** The types that the primary data may have. */
  types: readonly string[];
  tree: IncludeTree;
  /** Whether the caller asked for this tree, or the service includes by its own choice. */
  asked: boolean;
  /** Whether the record may come without `type` and `id`. */
  anonymous: boolean;
}

/** More shapes than these are not remembered as reported; the service has far fewer. */
const MAX_REPORTED = 1000;

/** From the text of an answer to its value: JSON, JSON:API document, schema, include tree. */
export class Decoder {
  readonly #validation: Validation;
  readonly #observer: Observer;
  readonly #masked: <Value>(value: Value) => Value;
  readonly #reported = new Set<string>();
  #check: Promise<CheckDocument | undefined> | undefined;

  /** @param masked hides the credentials in what the service sent. */
  constructor(validation: Validation, observer: Observer, masked: <Value>(value: Value) => Value) {
    this.#validation = validation;
    this.#observer = observer;
    this.#masked = masked;
  }

  /** The JSON value. @throws {ResponseFormatError} if there is none. */
  json(exchange: Exchange): unknown {
    if (exchange.text.trim() === '') throw formatError(exchange, 'the body is empty');
    try {
      return parseJson(exchange.text);
    } catch {
      // Without the cause: its message quotes the body.
      const type = exchange.response.headers.get('content-type') ?? 'no content type';
      throw formatError(exchange, `the body is not JSON (${this.#masked(type)})`);
    }
  }

  async one(exchange: Exchange, expected: Expected): Promise<LinkedObject> {
    const document = this.#document(exchange, expected);
    const { data } = document;
    if (!isIdentifier(data)) throw formatError(exchange, 'the document holds no record in `data`');
    const [record] = await this.#records(exchange, document, [data], expected);
    return record as LinkedObject;
  }

  async many(exchange: Exchange, expected: Expected): Promise<{ document: WireDocument; records: LinkedObject[] }> {
    const document = this.#document(exchange, expected);
    const { data } = document;
    if (data === null) throw formatError(exchange, 'the document holds no list in `data`');
    // Some endpoints answer with the record itself where there is one only (api/README.md, D-62).
    return { document, records: await this.#records(exchange, document, [data].flat(), expected) };
  }

  #document(exchange: Exchange, { types, anonymous }: Expected): WireDocument {
    const document = this.json(exchange);
    if (!isRecord(document) || document.data === undefined) {
      throw formatError(exchange, 'the body is not a JSON:API document: it has no `data`');
    }
    if (anonymous && isRecord(document.data)) document.data = { id: '', type: types[0], ...document.data };
    const included = document.included ?? [];
    if (!Array.isArray(included)) throw formatError(exchange, 'the document has an `included` that is no list');
    const resources = [document.data, included].flat();
    if (document.data !== null && !resources.every(isIdentifier)) {
      throw formatError(exchange, 'the document holds a record without `type` and `id`');
    }
    return document as unknown as WireDocument;
  }

  async #records(
    exchange: Exchange,
    document: WireDocument,
    resources: WireResource[],
    { types, tree, asked }: Expected,
  ): Promise<LinkedObject[]> {
    await this.#validate(exchange, document, types);
    const linker = new Linker(document, { asked });
    const records = resources.map(resource => linker.record(resource, tree));
    for (const { resourceType, relationship, problem } of linker.problems) {
      const referenced = problem === 'record_not_sent';
      this.#report(exchange, {
        resourceType: this.#masked(resourceType),
        path: `relationships.${relationship}`,
        expected: referenced ? 'the included record' : 'a relationship',
        received: referenced ? 'a reference only' : 'nothing',
        message: referenced ? 'the record was asked for and not sent' : 'the relationship was asked for and not sent',
      });
    }
    return records;
  }

  async #validate(exchange: Exchange, document: WireDocument, types: readonly string[]): Promise<void> {
    if (this.#validation === 'off') return;
    const check = await this.#loadSchemas();
    const mismatches = this.#masked(check?.(document, types) ?? []);
    for (const mismatch of mismatches) this.#report(exchange, mismatch);
    if (this.#validation === 'strict' && mismatches.length > 0) {
      const { resourceType, path, message } = mismatches[0] as SchemaMismatch;
      throw formatError(exchange, `${resourceType} ${path}: ${message}`, { mismatches });
    }
  }

  /** The schemas are a chunk of their own, loaded with the first answer that is checked. */
  async #loadSchemas(): Promise<CheckDocument | undefined> {
    this.#check ??= import('../schemas/check.ts').then(module => module.checkDocument);
    try {
      return await this.#check;
    } catch (cause) {
      if (this.#validation === 'strict') throw new ConfigurationError('The schemas could not be loaded.', { cause });
      this.#observer.log('warn', 'The schemas could not be loaded: responses are not checked.', { error: cause });
      this.#check = Promise.resolve(undefined);
      return undefined;
    }
  }

  #report({ method, path }: Exchange, mismatch: SchemaMismatch): void {
    const shape = `${mismatch.resourceType} ${mismatch.path} ${mismatch.expected} ${mismatch.received}`;
    if (this.#reported.has(shape)) return;
    if (this.#reported.size < MAX_REPORTED) this.#reported.add(shape);
    this.#observer.emit('onSchemaMismatch', () => ({ method, path, mismatch }));
    this.#observer.log('warn', `${method} ${path}: ${mismatch.resourceType} ${mismatch.path}: ${mismatch.message}`);
  }
}

/** The error for an answer that was received and cannot be used. */
export function formatError(
  { method, path, response, requestId }: Exchange,
  message: string,
  details: { mismatches?: readonly SchemaMismatch[] } = {},
): ResponseFormatError {
  return new ResponseFormatError(`${method} ${path}: ${message}`, {
    status: response.status,
    method,
    path,
    requestId,
    ...details,
  });
}
