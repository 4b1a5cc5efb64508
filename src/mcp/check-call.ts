import { ConfigurationError } from '../errors.ts';
import {
  describeValue,
  milliseconds,
  objectArgument,
  optionalSignal,
  refuseUnknownNames,
} from '../internal/arguments.ts';
import { isTool, TOOLS } from '../model/generated/mcp-tool-arguments.ts';
import type { McpCallOptions } from './options.ts';

/** Checks of calls, before they cost a request. */

const OPTION_NAMES = ['signal', 'timeout', 'deadline', 'retry', 'priority'];

export function checkCallOptions(operation: string, options: McpCallOptions): void {
  refuseUnknownNames(operation, objectArgument('The argument for options', options, '{ signal }'), OPTION_NAMES);
  const { signal, timeout, deadline } = options;
  optionalSignal(signal);
  if (timeout !== undefined) milliseconds('timeout', timeout);
  if (deadline !== undefined) milliseconds('deadline', deadline);
}

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
export function hasNewArguments(tool: string, args: object): boolean {
  return isTool(tool) && !Object.keys(args).every(name => TOOLS[tool].names.includes(name));
}

/** The arguments of a prompt, without those that are left out. */
export function promptArguments(prompt: string, args: object | null): Record<string, string> {
  checkName('prompt', prompt);
  const given = objectArgument(`The argument of ${prompt}`, args ?? {}, '{ container_id: id }');
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}

function checkName(of: string, name: unknown): void {
  if (typeof name !== 'string' || name === '') {
    throw new ConfigurationError(`The name of the ${of} is ${describeValue(name)}; it must be a text.`);
  }
}
