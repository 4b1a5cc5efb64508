import type { Hooks, Logger } from '../hooks.ts';

type HookName = keyof Hooks;
type EventOf<Name extends HookName> = Parameters<NonNullable<Hooks[Name]>>[0];

/** Calls hooks and the logger in such a way that neither can break a request. */
export class Observer {
  readonly #hooks: Hooks;
  readonly #logger: Partial<Logger> | undefined;
  readonly #logged = new Set<string>();

  constructor(hooks: Hooks, logger: Partial<Logger> | undefined) {
    this.#hooks = hooks;
    this.#logger = logger;
  }

  /** Whether anybody wants to know how long an answer took. */
  get isTiming(): boolean {
    return this.#hooks.onResponse !== undefined || this.#logger?.debug !== undefined;
  }

  /** Whether a hook is set: nothing needs to be made for one that is not. */
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

  /** A line that the same client does not repeat. */
  logOnce(level: keyof Logger, key: string, message: string): void {
    if (this.#logged.has(key)) return;
    this.#logged.add(key);
    this.log(level, message);
  }

  log(level: keyof Logger, message: string, details?: Record<string, unknown>): void {
    try {
      // The console prints an argument that is undefined.
      if (details) this.#logger?.[level]?.(message, details);
      else this.#logger?.[level]?.(message);
    } catch {
      // A logger that fails has nowhere to say so.
    }
  }

  #hookFailed(name: HookName, error: unknown): void {
    this.log('error', `The hook ${name} failed.`, { error });
  }
}
