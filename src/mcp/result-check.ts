import { ResponseFormatError } from '../errors.ts';
import type { SchemaMismatch } from '../schemas/mismatch.ts';
import type { Destination } from './connection.ts';
import type { McpCall } from './http.ts';

/** More shapes than these are not remembered as reported; the tools have far fewer. */
const MAX_REPORTED = 1000;

/** Checks the results of tools against their schemas, as the responses of the REST interface are checked. */
export class ResultCheck {
  readonly #destination: Destination;
  readonly #reported = new Set<string>();
  #calls = 0;

  constructor(destination: Destination) {
    this.#destination = destination;
  }

  /**
   * Reports what does not fit, each shape once.
   *
   * @param mayRefuse `false` after a tool that may have written something: its result is given in any shape.
   * @throws {ResponseFormatError} in `strict`.
   */
  async result(
    tool: string,
    result: Record<string, unknown>,
    about: McpCall['about'],
    mayRefuse: boolean,
  ): Promise<void> {
    const { method, path, redactor, observer, validation } = this.#destination;
    if (validation === 'off') return;
    const isStrict = validation === 'strict' && mayRefuse;
    this.#calls += 1;
    const event = about ?? { callId: `${tool}-${this.#calls}`, operation: `mcp.${tool}`, route: path, method, path };
    const mismatches = redactor.value(await this.#mismatches(tool, result, isStrict));
    for (const mismatch of mismatches) {
      const message = `${tool}: ${mismatch.path}: ${mismatch.message}`;
      if (this.#reported.has(message) || this.#reported.size >= MAX_REPORTED) continue;
      this.#reported.add(message);
      observer.log('warn', message);
      if (observer.hasHook('onSchemaMismatch')) observer.emit('onSchemaMismatch', { ...event, path, mismatch });
    }
    const [first] = mismatches;
    if (!isStrict || !first) return;
    throw new ResponseFormatError(`${tool}: ${first.path}: ${first.message}`, {
      status: 200,
      method,
      path,
      requestId: undefined,
      mismatches,
    });
  }

  /** The schemas are loaded with the first result. Without them results are not checked, unless they have to be. */
  async #mismatches(tool: string, result: unknown, isStrict: boolean): Promise<SchemaMismatch[]> {
    try {
      const { checkToolResult } = await import('../schemas/tool-results.ts');
      return checkToolResult(tool, result);
    } catch (error) {
      if (isStrict) throw error;
      this.#destination.observer.logOnce(
        'warn',
        'schemas',
        'The schemas could not be loaded: results are not checked.',
      );
      return [];
    }
  }
}
