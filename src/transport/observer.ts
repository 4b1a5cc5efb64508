import type { Hooks, Logger } from '../hooks.ts';

type HookName = keyof Hooks;
type EventOf<Name extends HookName> = Parameters<NonNullable<Hooks[Name]>>[0];

/** Calls the hooks and the logger. An error in them does not affect a request. */
export class Observer {
  readonly #hooks: Hooks;
  readonly #logger: Partial<Logger> | undefined;
  readonly #logged = new Set<string>();

  constructor(hooks: Hooks, logger: Partial<Logger> | undefined) {
    this.#hooks = hooks;
    this.#logger = logger;
  }

  /** Whether a hook or the logger needs the duration of an attempt. */
  get isTiming(): boolean {
    return this.#hooks.onResponse !== undefined || this.#logger?.debug !== undefined;
  }

  /** Whether a hook is set. If not, its event need not be made. */
  hasHook(name: HookName): boolean {
    return this.#hooks[name] !== undefined;
  }

  emit<Name extends HookName>(name: Name, event: EventOf<Name>): void {
    try {
      const hook = this.#hooks[name] as ((event: EventOf<Name>) => unknown) | undefined;
      const result = hook?.call(this.#hooks, event);
      if (result instanceof Promise) result.catch(error => this.#hookFailed(name, error));
    } catch (error) {
      this.#hookFailed(name, error);
    }
  }

  /** Logs a message once for each key. */
  logOnce(level: keyof Logger, key: string, message: string): void {
    if (this.#logged.has(key)) return;
    this.#logged.add(key);
    this.log(level, message);
  }

  log(level: keyof Logger, message: string, details?: Record<string, unknown>): void {
    try {
      // The console would print `undefined` for an argument that is undefined.
      if (details) this.#logger?.[level]?.(message, details);
      else this.#logger?.[level]?.(message);
    } catch {
      // An error of the logger cannot be logged.
    }
  }

  #hookFailed(name: HookName, error: unknown): void {
    this.log('error', `The hook ${name} failed.`, { error });
  }
}
