import type { TrackingClient } from '../client.ts';
import { wallClock } from '../domain/wall-clock.ts';
import { ConfigurationError } from '../errors.ts';
import {
  describeValue,
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
  /**
   * Called with the error of a call that failed because of the service, the network or the credential. The model gets only
   * `message`.
   */
  onFailure?: ((error: unknown, failed: FailedCall) => void) | undefined;
  /**
   * IANA name of the time zone in which `yesterday` and other days of the argument `since` begin. A call may name another
   * time zone.
   * @default 'UTC'
   */
  timeZone?: string | undefined;
  /** Returns the present time, which is needed for the days until a deadline. @default () => new Date() */
  now?: (() => Date) | undefined;
}

/** A call of a tool that failed. */
export interface FailedCall {
  /** The name of the tool, or `resources/read`. */
  tool: string;
  /** The kind of the failure, as in the result: `unauthorized`, `forbidden`, `rate_limited` or `upstream`. */
  kind: string;
  /** The message that the model gets. It has no credential and no message of the service. */
  message: string;
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
  onFailure: (error: unknown, failed: FailedCall) => void;
  timeZone: string;
  now: () => Date;
}

export const TOOL_OPTION_NAMES = optionNames<ToolOptions>({
  readOnly: true,
  deadline: true,
  onError: true,
  onFailure: true,
  timeZone: true,
  now: true,
});

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

export function serverSettings({
  readOnly = false,
  deadline = 45_000,
  onError,
  onFailure,
  timeZone = 'UTC',
  now,
}: ToolOptions): ServerSettings {
  optionalFunction('onError', onError);
  optionalFunction('onFailure', onFailure);
  optionalFunction('now', now);
  if (wallClock(0, timeZone) === undefined)
    throw new ConfigurationError(
      `timeZone is ${describeValue(timeZone)}; it must be an IANA name, such as America/New_York.`,
    );
  return {
    readOnly,
    deadline: numberAtLeast(1, 'deadline', deadline),
    onError: onError ?? (error => console.error('[container-tracking-sdk]', error)),
    onFailure: onFailure ?? (() => {}),
    timeZone,
    now: now ?? (() => new Date()),
  };
}
