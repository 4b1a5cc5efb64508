import { ResponseFormatError } from '../errors.ts';
import type { Validation } from '../options.ts';
import type { SchemaMismatch } from '../schemas/mismatch.ts';
import type { Observer } from '../transport/observer.ts';
import type { McpCall } from './call.ts';
import type { Destination } from './translate.ts';

/** More shapes than these are not remembered as reported; the tools have far fewer. */
const MAX_REPORTED = 1000;

/** Checks the results of tools against their schemas, as the answers of the REST interface are checked. */
export class ResultCheck {
  readonly #validation: Validation;
  readonly #observer: Observer;
  readonly #destination: Destination;
  readonly #reported = new Set<string>();
  #calls = 0;

  constructor(validation: Validation, observer: Observer, destination: Destination) {
    this.#validation = validation;
    this.#observer = observer;
    this.#destination = destination;
  }

  /** Reports what does not fit, each shape once. @throws {ResponseFormatError} in `strict`. */
  async result(tool: string, result: Record<string, unknown>, about: McpCall['about']): Promise<void> {
    if (this.#validation === 'off') return;
    const { method, path, redactor } = this.#destination;
    this.#calls += 1;
    const event = about ?? { callId: `${tool}-${this.#calls}`, operation: `mcp.${tool}`, route: path, method, path };
    const mismatches = redactor.value(await this.#mismatches(tool, result));
    for (const mismatch of mismatches) {
      const message = `${tool}: ${mismatch.path}: ${mismatch.message}`;
      if (this.#reported.has(message) || this.#reported.size >= MAX_REPORTED) continue;
      this.#reported.add(message);
      this.#observer.log('warn', message);
      if (this.#observer.hasHook('onSchemaMismatch'))
        this.#observer.emit('onSchemaMismatch', { ...event, path, mismatch });
    }
    const [first] = mismatches;
    if (this.#validation !== 'strict' || !first) return;
    throw new ResponseFormatError(`${tool}: ${first.path}: ${first.message}`, {
      status: 200,
      method,
      path,
      requestId: undefined,
      mismatches,
    });
  }

  /** The schemas are loaded with the first result. Without them results are not checked, unless they have to be. */
  async #mismatches(tool: string, result: unknown): Promise<SchemaMismatch[]> {
    try {
      const { checkToolResult } = await import('../schemas/tool-results.ts');
      return checkToolResult(tool, result);
    } catch (error) {
      if (this.#validation === 'strict') throw error;
      this.#observer.logOnce('warn', 'schemas', 'The schemas could not be loaded: results are not checked.');
      return [];
    }
  }
}
