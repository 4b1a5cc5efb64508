import { UploadError } from '../documents/document-errors.ts';
import {
  APIError,
  AuthenticationError,
  ConfigurationError,
  ConnectionError,
  NotFoundError,
  PermissionDeniedError,
  RateLimitError,
  ServerError,
  TimeoutError,
  TrackingError,
} from '../errors.ts';
import { printable } from '../printable.ts';
import { TrackingPendingError } from '../tracking/tracking-errors.ts';
import type { Access, Setting } from './access.ts';
import { CommandError, EXIT, type FailureDetails, wrongUsage } from './command.ts';
import { plainly } from './plainly.ts';

/**
 * Turns an error of the library into the error that ends a command. Other errors stay as they are, so that a bug is
 * shown with its stack.
 */
export function failureOf(error: unknown, access?: Partial<Access>): unknown {
  if (error instanceof CommandError || !(error instanceof TrackingError)) return error;
  if (error instanceof ConfigurationError) return wrongUsage(printable(withSource(error.message, access)));
  const exitCode = exitCodeOf(error);
  const lines = [plainly(error), ...remediesFor(error, access)];
  return new CommandError(lines.map(printable).join('\n'), exitCode, detailsOf(error, exitCode));
}

/** Replaces the name of a client option by the source of its value, such as `--base-url`. */
function withSource(message: string, access: Partial<Access> | undefined): string {
  const { baseUrl, apiKey } = access ?? {};
  const named = baseUrl === undefined ? message : message.replace(/^baseUrl\b/, printable(nameOf(baseUrl, 'address')));
  return apiKey === undefined
    ? named
    : named.replace(/^(?:apiKey|TRACKING_API_KEY)\b/, printable(nameOf(apiKey, 'key')));
}

/** The id of the document that has the same content as the file of a failed upload. */
function existingIdOf(error: TrackingError): string | undefined {
  return error instanceof UploadError ? error.existingDocumentId : undefined;
}

/** True if a program that is not the service has responded. */
function isFromOther({ message }: TrackingError): boolean {
  return message.includes('does not look like the service');
}

function isRedirect(error: TrackingError): boolean {
  return error instanceof APIError && error.status >= 300 && error.status < 400;
}

function originOf({ value, from, remedy }: Setting): string {
  return `The address ${value} comes from ${from}. ${remedy}`;
}

function nameOf({ from }: Setting, what: string): string {
  return from.startsWith('--') ? from : `The ${what} of ${from}`;
}

/** What the user can do, one line per remedy. */
function remediesFor(error: TrackingError, { apiKey, baseUrl }: Partial<Access> = {}): string[] {
  const lines: string[] = [];
  if (error instanceof AuthenticationError && apiKey) lines.push(`The key comes from ${apiKey.from}. ${apiKey.remedy}`);
  if (error instanceof AuthenticationError && error.path !== '/me') {
    lines.push('With a free plan, a key works only for the commands tracking-requests create and whoami.');
  }
  const existing = existingIdOf(error);
  if (existing !== undefined) {
    lines.push(
      `The document ${existing} has the same content: container-tracking documents get ${existing}. To print it in place of this error, upload with --on-duplicate return.`,
    );
  }
  if (error instanceof APIError && error.requestId !== undefined) lines.push(`Request id: ${error.requestId}`);
  if (error instanceof ServerError) {
    const attempts = error.attempts > 1 ? `${error.attempts} attempts have failed. ` : '';
    lines.push(`${attempts}Try again in a few minutes.`);
  }
  if (error instanceof RateLimitError && error.retryAfterMs !== undefined) {
    lines.push(`Try again in ${Math.ceil(error.retryAfterMs / 1000)} s.`);
  }
  if (isFromOther(error) || isRedirect(error)) {
    if (baseUrl) lines.push(originOf(baseUrl));
  } else if (error instanceof NotFoundError && error.path === '/me') {
    lines.push('This command needs a service of November 2026 or later.');
  }
  if (error instanceof TrackingPendingError) {
    lines.push(`To look again: container-tracking track ${wordOfShell(error.trackingRequest.request_number)}`);
  }
  if (error instanceof ConnectionError) lines.push(...connectionRemedies(error, baseUrl));
  return lines;
}

function connectionRemedies(error: ConnectionError, baseUrl: Setting | undefined): string[] {
  const lines: string[] = [];
  // If a response was cut off or a connection was closed, the address is right.
  const isUnreached = /\bno response\b/.test(error.message) && !error.message.includes('UND_ERR_SOCKET');
  if (baseUrl && isUnreached && !(error instanceof TimeoutError)) {
    const { host } = new URL(baseUrl.value);
    const isUnknown = /\bENOTFOUND\b/.test(error.message);
    const unknown = isUnknown ? `No host with the name ${host} was found. ` : '';
    lines.push(`${unknown}${originOf(baseUrl)}`);
  }
  const proxy = unusedProxy();
  if (proxy !== undefined) {
    lines.push(`${proxy} is set, but Node uses it only with NODE_USE_ENV_PROXY=1 (Node 22.21 or 24, and newer).`);
  }
  return lines;
}

/** An argument, with quotes if a shell needs them. */
export function wordOfShell(text: string): string {
  return /^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

const RETRYABLE: readonly number[] = [EXIT.rateLimited, EXIT.unavailable, EXIT.pending, EXIT.busy];

function detailsOf(error: TrackingError, exitCode: number): FailureDetails {
  // If an upload failed, the error of the service is the cause of this error.
  const { status, requestId, retryAfterMs, method, path } = (
    error instanceof APIError ? error : Object(error.cause)
  ) as Partial<APIError>;
  const request = method && path && `${method} ${path}`;
  return {
    code: isFromOther(error) ? 'wrong_address' : error.code,
    retryable: RETRYABLE.includes(exitCode),
    status,
    request,
    request_id: requestId,
    retry_after_ms: retryAfterMs,
    existing_document_id: existingIdOf(error),
  };
}

/** The variable that names a proxy, if Node does not use it. */
function unusedProxy({ env, execArgv } = process): string | undefined {
  if (env.NODE_USE_ENV_PROXY === '1' || [...execArgv, env.NODE_OPTIONS].join(' ').includes('--use-env-proxy')) return;
  return ['HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY', 'http_proxy'].find(name => env[name]);
}

function exitCodeOf(error: TrackingError): number {
  if (isFromOther(error)) return EXIT.wrongUsage;
  if (error instanceof AuthenticationError || error instanceof PermissionDeniedError) return EXIT.refused;
  if (error instanceof NotFoundError) return EXIT.notFound;
  if (error instanceof RateLimitError) return EXIT.rateLimited;
  if (error instanceof ServerError || error instanceof ConnectionError) return EXIT.unavailable;
  if (error instanceof TrackingPendingError) return EXIT.pending;
  if (error.code === 'store_busy') return EXIT.busy;
  // The error of an upload says which stage failed, and its cause says why.
  if (error.cause instanceof TrackingError) return exitCodeOf(error.cause);
  return EXIT.failed;
}
