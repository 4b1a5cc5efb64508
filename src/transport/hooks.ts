import type { SchemaMismatch } from '../schemas/mismatch.ts';
import type { BucketName } from './limiter.ts';

/** Takes what the client has to say. `console` fits. */
export interface Logger {
  debug(message: string, details?: Record<string, unknown>): void;
  info(message: string, details?: Record<string, unknown>): void;
  warn(message: string, details?: Record<string, unknown>): void;
  error(message: string, details?: Record<string, unknown>): void;
}

interface AttemptEvent {
  method: string;
  /** Path below the base URL, with the query. */
  path: string;
  /** 1 for the first attempt of a call. */
  attempt: number;
}

export interface RequestEvent extends AttemptEvent {
  /** What is about to be sent, the credential excepted. Headers may be added or changed here. */
  headers: Headers;
}

export interface ResponseEvent extends AttemptEvent {
  status: number;
  /** A copy, with the credential masked should the service repeat it. */
  headers: Headers;
  requestId: string | undefined;
  /** From sending to the headers of the answer, in ms. */
  durationMs: number;
}

export interface RetryEvent extends AttemptEvent {
  /** Wait before the next attempt, in ms. */
  delayMs: number;
  /** Why the attempt failed. */
  error: unknown;
}

export interface RateLimitedEvent extends AttemptEvent {
  bucket: BucketName;
  /** From `Retry-After`, in ms; `undefined` where the service did not say. */
  retryAfterMs: number | undefined;
}

export interface SchemaMismatchEvent {
  method: string;
  /** Path below the base URL. */
  path: string;
  mismatch: SchemaMismatch;
}

/** Called as things happen. What a hook throws is logged and never fails a call. */
export interface Hooks {
  /** Before each attempt. */
  onRequest?: ((event: RequestEvent) => void) | undefined;
  /** At the headers of each answer, whatever its status. */
  onResponse?: ((event: ResponseEvent) => void) | undefined;
  /** Before the wait that precedes another attempt. */
  onRetry?: ((event: RetryEvent) => void) | undefined;
  /** When the service answers 429. */
  onRateLimited?: ((event: RateLimitedEvent) => void) | undefined;
  /** When an answer does not fit its schema, or lacks a record that was asked for: once for each shape. */
  onSchemaMismatch?: ((event: SchemaMismatchEvent) => void) | undefined;
}

type HookName = keyof Hooks;
type EventOf<Name extends HookName> = Parameters<NonNullable<Hooks[Name]>>[0];

/** Calls hooks and the logger in such a way that neither can break a request. Events are made only where a hook listens. */
export class Observer {
  readonly #hooks: Hooks;
  readonly #logger: Logger | undefined;

  constructor(hooks: Hooks, logger: Logger | undefined) {
    this.#hooks = hooks;
    this.#logger = logger;
  }

  emit<Name extends HookName>(name: Name, event: () => EventOf<Name>): void {
    const hook = this.#hooks[name] as ((event: EventOf<Name>) => unknown) | undefined;
    if (!hook) return;
    try {
      const result = hook.call(this.#hooks, event());
      if (result instanceof Promise) result.catch(error => this.#hookFailed(name, error));
    } catch (error) {
      this.#hookFailed(name, error);
    }
  }

  log(level: keyof Logger, message: string, details?: Record<string, unknown>): void {
    try {
      // The console prints an argument that is undefined.
      if (details) this.#logger?.[level](message, details);
      else this.#logger?.[level](message);
    } catch {
      // A logger that fails has nowhere to say so.
    }
  }

  #hookFailed(name: HookName, error: unknown): void {
    this.log('error', `The hook ${name} failed.`, { error });
  }
}
