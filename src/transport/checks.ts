import { ConfigurationError } from '../errors.ts';
import { inWorkers } from '../internal/runtime.ts';
import type { WireDocument } from '../jsonapi/document.ts';
import type { Validation } from '../options.ts';
import type { SchemaMismatch } from '../schemas/mismatch.ts';
import type { Exchange } from './call.ts';
import { formatError } from './failure.ts';
import type { Observer } from './observer.ts';

type Schemas = typeof import('../schemas/check.ts');

/** A separate chunk, loaded when the first response is checked. */
let loadedSchemas: Schemas | undefined;

/** The promise is not kept, because in Workers a promise belongs to the request that made it. */
async function loadSchemas(): Promise<Schemas> {
  try {
    loadedSchemas = await import('../schemas/check.ts');
    return loadedSchemas;
  } catch (cause) {
    throw new ConfigurationError('The schemas could not be loaded.', { cause });
  }
}

/** Once the schemas are loaded, no more than this wait for their check: with another one, the first of them is checked at once. */
const MAX_WAITING = 8;

/** Number of reported mismatches that are remembered. The service has far fewer different ones. */
const MAX_REPORTED = 1000;

/** Compares responses with the schemas, and reports each kind of mismatch once for a client. */
export class Checks {
  readonly #validation: Validation;
  readonly #observer: Observer;
  readonly #reported = new Set<string>();
  /** The checks of responses whose value was given. Each takes itself out, and has no effect after that. */
  readonly #waiting = new Set<() => Promise<void>>();
  /**
   * Runs a function in the next turn of the event loop, before the process can end by itself. In Workers a turn belongs to a
   * request that may be over by then, and elsewhere a page or an isolate may be. There, values wait for their checks.
   */
  readonly #nextTurn = inWorkers() ? undefined : globalThis.setImmediate;

  constructor(validation: Validation, observer: Observer) {
    this.#validation = validation;
    this.#observer = observer;
  }

  /**
   * Checks a response: in `strict` before the value is given, in `warn` in the turn after it.
   *
   * @param sent gives what the service sent, although the consumer may have changed the value.
   * @returns in `strict` a promise, for which the value waits. It rejects with a `ResponseFormatError`.
   */
  check(exchange: Exchange, sent: () => unknown): Promise<void> | undefined {
    if (this.#validation === 'strict') return this.#checkFirst(exchange, sent());
    if (this.#validation === 'warn') this.#checkLater(exchange, sent);
    return undefined;
  }

  /** Resolves when every response is checked whose value was given. */
  async settled(): Promise<void> {
    await Promise.all([...this.#waiting].map(check => check()));
  }

  /** Reports the mismatches that were not reported before. */
  report(exchange: Exchange, mismatches: readonly SchemaMismatch[]): void {
    const { method, path } = exchange.call.endpoint;
    for (const mismatch of mismatches) {
      const shape = `${mismatch.resourceType} ${mismatch.path} ${mismatch.expected} ${mismatch.received}`;
      if (this.#reported.has(shape) || this.#reported.size >= MAX_REPORTED) continue;
      this.#reported.add(shape);
      this.#observer.emitOf('onSchemaMismatch', exchange.call, () => ({ path, mismatch }));
      this.#observer.log('warn', `${method} ${path}: ${mismatch.resourceType} ${mismatch.path}: ${mismatch.message}`);
    }
  }

  /** Reports the mismatches. @throws {ResponseFormatError} in `strict`. */
  refuse(exchange: Exchange, mismatches: readonly SchemaMismatch[]): void {
    this.report(exchange, mismatches);
    if (this.#validation === 'strict')
      for (const { resourceType, path, message } of mismatches)
        throw formatError(exchange, `${resourceType} ${path}: ${message}`, { mismatches });
  }

  async #checkFirst(exchange: Exchange, value: unknown): Promise<void> {
    this.refuse(exchange, mismatchesOf(exchange, value, await loadSchemas()));
  }

  #checkLater(exchange: Exchange, sent: () => unknown): void {
    const check = async () => {
      try {
        const schemas = loadedSchemas ?? (await loadSchemas());
        if (this.#waiting.delete(check)) this.report(exchange, mismatchesOf(exchange, sent(), schemas));
      } catch (error) {
        this.#waiting.delete(check);
        this.#observer.logOnce('warn', 'schemas', 'Responses are not checked.', { error });
      }
    };
    this.#waiting.add(check);
    // A timer, so that loading the schemas does not delay what the program does first.
    if (!loadedSchemas) return void setTimeout(check);
    const nextTurn = this.#nextTurn;
    nextTurn?.(check);
    for (const first of this.#waiting) if (!nextTurn || this.#waiting.size > MAX_WAITING) first();
  }
}

/** The places where the response does not match the schemas. */
function mismatchesOf(exchange: Exchange, value: unknown, { checkDocument, checkJson }: Schemas): SchemaMismatch[] {
  const { expected, operation } = exchange.call.endpoint;
  const isPlain = expected.types.length === 0;
  return exchange.redactor.value(
    isPlain ? checkJson(operation, value) : checkDocument(value as WireDocument, expected),
  );
}
