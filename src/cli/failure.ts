import {
  APIError,
  AuthenticationError,
  ConfigurationError,
  ConnectionError,
  NotFoundError,
  PermissionDeniedError,
  RateLimitError,
  ServerError,
  TrackingError,
} from '../errors.ts';
import { printable } from '../printable.ts';
import { TrackingPendingError } from '../tracking/tracking-errors.ts';
import type { Access } from './access.ts';
import { CommandError, EXIT, type FailureDetails, wrongUsage } from './command.ts';

/** The end of a command after an error. A mistake of the program itself stays as it is, with its stack. */
export function failureOf(error: unknown, access?: Access): unknown {
  if (error instanceof CommandError || !(error instanceof TrackingError)) return error;
  if (error instanceof ConfigurationError) return wrongUsage(printable(error.message));
  const lines = [error.message];
  if (error instanceof AuthenticationError && access) lines.push(`The key is that of ${access.apiKey.from}.`);
  if (error instanceof APIError && error.requestId !== undefined) lines.push(`Request id: ${error.requestId}`);
  if (error instanceof RateLimitError && error.retryAfterMs !== undefined) {
    lines.push(`Try again in ${Math.ceil(error.retryAfterMs / 1000)} s.`);
  }
  if (error instanceof NotFoundError && error.path === '/me') {
    lines.push('A service of before November 2026 does not have this operation.');
  }
  const proxy = unusedProxy();
  if (error instanceof ConnectionError && proxy !== undefined) {
    lines.push(`${proxy} is set, but Node uses it only with NODE_USE_ENV_PROXY=1 (Node 22.21 or 24, and newer).`);
  }
  const exitCode = exitCodeOf(error);
  return new CommandError(lines.map(printable).join('\n'), exitCode, detailsOf(error, exitCode));
}

const RETRYABLE: readonly number[] = [EXIT.rateLimited, EXIT.unavailable, EXIT.pending, EXIT.busy];

function detailsOf(error: TrackingError, exitCode: number): FailureDetails {
  // The failure of an upload has that of the service as its cause.
  const { status, requestId, retryAfterMs } = (
    error instanceof APIError ? error : Object(error.cause)
  ) as Partial<APIError>;
  return { code: error.code, retryable: RETRYABLE.includes(exitCode), status, requestId, retryAfterMs };
}

/** The variable that names a proxy, if Node does not use it. */
function unusedProxy({ env, execArgv } = process): string | undefined {
  if (env.NODE_USE_ENV_PROXY === '1' || [...execArgv, env.NODE_OPTIONS].join(' ').includes('--use-env-proxy')) return;
  return ['HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY', 'http_proxy'].find(name => env[name]);
}

function exitCodeOf(error: TrackingError): number {
  if (error instanceof AuthenticationError || error instanceof PermissionDeniedError) return EXIT.refused;
  if (error instanceof NotFoundError) return EXIT.notFound;
  if (error instanceof RateLimitError) return EXIT.rateLimited;
  if (error instanceof ServerError || error instanceof ConnectionError) return EXIT.unavailable;
  if (error instanceof TrackingPendingError) return EXIT.pending;
  if (error.code === 'store_busy') return EXIT.busy;
  // An upload that failed says at which stage; its cause says why.
  if (error.cause instanceof TrackingError) return exitCodeOf(error.cause);
  return EXIT.failed;
}
