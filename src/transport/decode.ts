import { ConfigurationError } from '../errors.ts';
import { isIdentifier, type WireDocument, type WireResource } from '../jsonapi/document.ts';
import { type LinkedObject, Linker, type LinkProblem } from '../jsonapi/link.ts';
import type { Validation } from '../options.ts';
import type { SchemaMismatch } from '../schemas/mismatch.ts';
import { documentOf, dropUnidentified, jsonOf } from './answer.ts';
import { type Exchange, eventFields } from './call.ts';
import { formatError } from './format-error.ts';
import type { Observer } from './observer.ts';
import { loadedSchemas, loadSchemas, type Schemas } from './schemas-chunk.ts';

/** How many reported mismatches are remembered. The service has far fewer different ones. */
const MAX_REPORTED = 1000;

/** Turns an answer into its value: checks it with the schemas, and links the records along the include tree. */
export class Decoder {
  readonly #validation: Validation;
  readonly #observer: Observer;
  readonly #reported = new Set<string>();
  #hasWarned = false;

  constructor(validation: Validation, observer: Observer) {
    this.#validation = validation;
    this.#observer = observer;
  }

  /** The JSON value, checked with the schemas. @throws {ResponseFormatError} if the body is empty or not JSON. */
  answer(exchange: Exchange): unknown {
    const value = jsonOf(exchange);
    return this.#check(exchange, value)?.then(() => value) ?? value;
  }

  one(exchange: Exchange): LinkedObject | Promise<LinkedObject> {
    const document = this.#document(exchange);
    const { data } = document;
    if (!isIdentifier(data)) throw formatError(exchange, 'the document holds no record in `data`');
    const checking = this.#check(exchange, document);
    if (checking) return checking.then(() => this.#link(exchange, document, [data])[0] as LinkedObject);
    return this.#link(exchange, document, [data])[0] as LinkedObject;
  }

  many(exchange: Exchange): DecodedList | Promise<DecodedList> {
    const document = this.#document(exchange);
    const { data } = document;
    if (data === null) throw formatError(exchange, 'the document holds no list in `data`');
    const checking = this.#check(exchange, document);
    // Some endpoints answer with a single record instead of a list of one.
    const resources = Array.isArray(data) ? data : [data];
    if (checking) return checking.then(() => ({ document, records: this.#link(exchange, document, resources) }));
    return { document, records: this.#link(exchange, document, resources) };
  }

  #document(exchange: Exchange): WireDocument {
    const document = documentOf(exchange);
    if (dropUnidentified(document)) this.#handleMismatches(exchange, [UNIDENTIFIED_RECORD]);
    return document;
  }

  /** Checks now. In `warn`, if the schemas are not loaded yet, checks later: the value does not wait for them. */
  #check(exchange: Exchange, value: unknown): Promise<void> | undefined {
    if (this.#validation === 'off') return undefined;
    const schemas = loadedSchemas();
    if (schemas) {
      this.#handleMismatches(exchange, schemas.mismatchesOf(exchange, value));
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
    this.#handleMismatches(exchange, schemas.mismatchesOf(exchange, value));
  }

  async #checkLater(exchange: Exchange): Promise<void> {
    try {
      const schemas = await loadSchemas();
      this.#handleMismatches(exchange, schemas.mismatchesOfText(exchange));
    } catch (error) {
      if (this.#hasWarned) return;
      this.#hasWarned = true;
      this.#observer.log('warn', 'The schemas could not be loaded: responses are not checked.', { error });
    }
  }

  #link(exchange: Exchange, document: WireDocument, resources: WireResource[]): LinkedObject[] {
    const { tree, asked } = exchange.call.endpoint.expected;
    const linker = new Linker(document, { asked });
    const records = resources.map(resource => linker.record(resource, tree));
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
    if (this.#observer.hasHook('onSchemaMismatch')) {
      this.#observer.emit('onSchemaMismatch', { ...eventFields(exchange.call), path, mismatch });
    }
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
  const referenced = problem === 'record_not_sent';
  return {
    resourceType: redactor.text(resourceType),
    path: `relationships.${relationship}`,
    expected: referenced ? 'the included record' : 'a relationship',
    received: referenced ? 'a reference only' : 'nothing',
    message: referenced ? 'the record was asked for and not sent' : 'the relationship was asked for and not sent',
  };
}
