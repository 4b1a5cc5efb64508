import type { TrackingClient } from '../client.ts';
import { ConfigurationError } from '../errors.ts';
import {
  numberAtLeast,
  objectArgument,
  optionalFunction,
  optionNames,
  refuseUnknownNames,
} from '../internal/arguments.ts';

/** The options of every server. */
export interface ToolOptions {
  /**
   * Leaves out `track_container`, the only tool that changes something.
   * @default false
   */
  readOnly?: boolean | undefined;
  /**
   * Time limit for one call of a tool, in ms. It includes all requests of the call, their retries, and the wait for the rate
   * limit.
   * @default 45_000
   */
  deadline?: number | undefined;
  /**
   * Called with errors that are mistakes of this program. The model only gets a general message.
   * @default console.error
   */
  onError?: ((error: unknown) => void) | undefined;
  /** Returns the present time, which is needed for the days until a deadline. @default () => new Date() */
  now?: (() => Date) | undefined;
}

/** Options of {@link createMcpServer}. */
export interface McpServerOptions extends ToolOptions {
  /** The client of the account whose data the server has. */
  client: TrackingClient;
}

export interface ServerSettings {
  readOnly: boolean;
  deadline: number;
  onError: (error: unknown) => void;
  now: () => Date;
}

export const TOOL_OPTION_NAMES = optionNames<ToolOptions>({ readOnly: true, deadline: true, onError: true, now: true });

const OPTION_NAMES = [...TOOL_OPTION_NAMES, 'client'];

/** @throws {ConfigurationError} for an unknown option, or a value that cannot work. */
export function checkServerOptions(options: McpServerOptions): ServerSettings {
  const example = '{ client: new TrackingClient() }';
  refuseUnknownNames(
    'createMcpServer',
    objectArgument('The argument of createMcpServer()', options, example),
    OPTION_NAMES,
  );
  if (typeof options.client?.search !== 'function') {
    throw new ConfigurationError('createMcpServer has no client: pass client, a TrackingClient.');
  }
  return serverSettings(options);
}

export function serverSettings({ readOnly = false, deadline = 45_000, onError, now }: ToolOptions): ServerSettings {
  optionalFunction('onError', onError);
  optionalFunction('now', now);
  return {
    readOnly,
    deadline: numberAtLeast(1, 'deadline', deadline),
    onError: onError ?? (error => console.error('[container-tracking-sdk]', error)),
    now: now ?? (() => new Date()),
  };
}
