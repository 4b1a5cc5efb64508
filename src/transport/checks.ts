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
  loadedSchemas = await import('../schemas/check.ts');
  return loadedSchemas;
}

/** Once the schemas are loaded, no more than this wait for their check: with another one, the first of them is checked at once. */
const MAX_WAITING = 8;

/** How many reported mismatches are remembered. The service has far fewer different ones. */
const MAX_REPORTED = 1000;

/** A response that is checked after its value was given. */
interface Unchecked {
  readonly exchange: Exchange;
  /** What the service sent, although the consumer may have changed the value. */
  readonly sent: () => unknown;
}

/** Compares responses with the schemas, and reports each kind of mismatch once for a client. */
export class Checks {
  readonly #validation: Validation;
  readonly #observer: Observer;
  readonly #reported = new Set<string>();
  readonly #waiting = new Set<Unchecked>();
  /**
   * Runs a function in the next turn of the event loop, before the process can end by itself. In Workers a turn belongs to a
   * request that may be over by then, and elsewhere a page or an isolate may be. There, values wait for their checks.
   */
  readonly #nextTurn = inWorkers() ? undefined : globalThis.setImmediate;
  #hasWarned = false;

  constructor(validation: Validation, observer: Observer) {
    this.#validation = validation;
    this.#observer = observer;
  }

  /**
   * Checks what a response has sent: in `strict` before the value is given, in `warn` in the turn after it.
   *
   * @returns a promise if the value has to wait for it.
   * @throws {ResponseFormatError} in `strict`.
   */
  check(exchange: Exchange, sent: () => unknown): Promise<void> | undefined {
    if (this.#validation === 'warn') this.#checkLater({ exchange, sent });
    else if (this.#validation === 'strict') return this.#checkFirst(exchange, sent());
    return undefined;
  }

  /** Resolves when every response is checked whose value was given. */
  async settled(): Promise<void> {
    await Promise.all([...this.#waiting].map(each => this.#checkNow(each)));
  }

  /** Reports the mismatches. @throws {ResponseFormatError} in `strict`. */
  refuse(exchange: Exchange, mismatches: readonly SchemaMismatch[]): void {
    const [first] = mismatches;
    this.report(exchange, mismatches);
    if (!first || this.#validation !== 'strict') return;
    throw formatError(exchange, `${first.resourceType} ${first.path}: ${first.message}`, { mismatches });
  }

  /** Reports the mismatches that were not reported before. */
  report(exchange: Exchange, mismatches: readonly SchemaMismatch[]): void {
    for (const mismatch of mismatches) this.#report(exchange, mismatch);
  }

  #checkFirst(exchange: Exchange, value: unknown): Promise<void> | undefined {
    if (!loadedSchemas) return this.#loadFirst(exchange, value);
    this.refuse(exchange, mismatchesOf(exchange, value, loadedSchemas));
    return undefined;
  }

  async #loadFirst(exchange: Exchange, value: unknown): Promise<void> {
    try {
      await loadSchemas();
    } catch (cause) {
      throw new ConfigurationError('The schemas could not be loaded.', { cause });
    }
    return this.#checkFirst(exchange, value);
  }

  #checkLater(unchecked: Unchecked): void {
    this.#waiting.add(unchecked);
    const nextTurn = this.#nextTurn;
    // A timer, so that loading the schemas does not delay what the program does first.
    if (!loadedSchemas) setTimeout(() => this.#checkNow(unchecked));
    else if (nextTurn) nextTurn(() => this.#checkNow(unchecked));
    const [first] = this.#waiting;
    if (loadedSchemas && first && (!nextTurn || this.#waiting.size > MAX_WAITING)) this.#checkNow(first);
  }

  /** Has no effect on a response that is checked already. */
  async #checkNow(unchecked: Unchecked): Promise<void> {
    const { exchange, sent } = unchecked;
    try {
      const schemas = loadedSchemas ?? (await loadSchemas());
      if (this.#waiting.delete(unchecked)) this.report(exchange, mismatchesOf(exchange, sent(), schemas));
    } catch (error) {
      this.#waiting.delete(unchecked);
      if (this.#hasWarned) return;
      this.#hasWarned = true;
      this.#observer.log('warn', 'The schemas could not be loaded: responses are not checked.', { error });
    }
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

/** Where what was sent does not match the schemas. */
function mismatchesOf(exchange: Exchange, value: unknown, { checkDocument, checkJson }: Schemas): SchemaMismatch[] {
  const { expected, operation } = exchange.call.endpoint;
  const isPlain = expected.types.length === 0;
  const found = isPlain ? checkJson(operation, value) : checkDocument(value as WireDocument, expected);
  return found.length === 0 ? found : exchange.redactor.value(found);
}
