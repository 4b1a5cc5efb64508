import { ConfigurationError } from '../errors.ts';
import { describeValue, objectArgument } from '../internal/arguments.ts';
import { parseJson } from '../jsonapi/document.ts';
import { isTool, TOOLS } from '../model/generated/mcp-tool-arguments.ts';
import type { ToolName } from '../model/generated/mcp-tools.ts';
import type { SchemaMismatch } from '../schemas/mismatch.ts';
import type { Destination } from './connection.ts';
import { unreadable } from './errors.ts';
import type { McpCall } from './http.ts';
import type { Content } from './protocol.ts';

/** @throws {ConfigurationError} if there is nothing that the tool could do with the arguments. */
export function checkToolArguments(tool: string, args: object): void {
  checkName('tool', tool);
  objectArgument(`The argument of ${tool}`, args, '{ id }');
  if (!isTool(tool)) return;
  const { required } = TOOLS[tool];
  const value = required === undefined ? 'none' : (args as Record<string, unknown>)[required];
  if (typeof value === 'string' && value.trim() !== '') return;
  throw new ConfigurationError(
    `${required} of ${tool} is ${describeValue(value)}; it must be a text that is not blank.`,
  );
}

/** Whether an argument is not in the description of the service. A newer service may have it. */
export function hasNewArguments(tool: ToolName, args: object): boolean {
  return !Object.keys(args).every(name => TOOLS[tool].names.includes(name));
}

/** The arguments of a prompt, without those that are left out. */
export function promptArguments(prompt: string, args: object | null): Record<string, string> {
  checkName('prompt', prompt);
  const checked = objectArgument(`The argument of ${prompt}`, args ?? {}, '{ container_id: id }');
  return Object.fromEntries(Object.entries(checked).filter(([, value]) => value !== undefined));
}

function checkName(of: string, name: unknown): void {
  if (typeof name === 'string' && name !== '') return;
  throw new ConfigurationError(`The name of the ${of} is ${describeValue(name)}; it must be a text.`);
}

/** The text of blocks that are for the user, joined. */
export function textOf(content: readonly Content[]): string {
  return content.flatMap(block => (block.type === 'text' ? [block.text] : [])).join('\n');
}

/** The result of a tool as its first text has it. Servers of the first revisions send it nowhere else. */
export function dataIn([first]: readonly Content[]): unknown {
  try {
    return first?.type === 'text' ? parseJson(first.text) : undefined;
  } catch {
    return undefined;
  }
}

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
  async result(tool: string, result: object, about: McpCall['about'], mayRefuse: boolean): Promise<void> {
    const { method, path, redactor, observer, settings } = this.#destination;
    if (settings.validation === 'off') return;
    const isStrict = settings.validation === 'strict' && mayRefuse;
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
    if (isStrict && first)
      throw unreadable(this.#destination, `${tool}: ${first.path}: ${first.message}`, { mismatches });
  }

  /** The schemas are loaded with the first result. Without them results are not checked, unless they have to be. */
  async #mismatches(tool: string, result: unknown, isStrict: boolean): Promise<SchemaMismatch[]> {
    try {
      const { checkToolResult } = await import('../schemas/tool-results.ts');
      return checkToolResult(tool, result);
    } catch (error) {
      if (isStrict) throw error;
      const { observer } = this.#destination;
      observer.logOnce('warn', 'schemas', 'The schemas could not be loaded: results are not checked.');
      return [];
    }
  }
}
