import type { Channel } from 'node:diagnostics_channel';
import type { Hooks, Logger } from '../hooks.ts';
import { builtin } from '../internal/runtime.ts';
import { printable } from '../printable.ts';
import { type CallIdentity, eventFields } from './call.ts';

type HookName = keyof Hooks;
type CallFields = ReturnType<typeof eventFields>;
type Others<Name extends HookName> = Omit<EventOf<Name>, keyof CallFields> & Partial<CallFields>;
type EventOf<Name extends HookName> = Parameters<NonNullable<Hooks[Name]>>[0];

/**
 * Calls the hooks, the channels of `node:diagnostics_channel` and the logger. An error in them does not affect a request. The
 * channel of `onSettled` is `container-tracking-sdk:onSettled`.
 */
export class Observer {
  readonly #hooks: Hooks;
  readonly #logger: Partial<Logger> | undefined;
  readonly #logged = new Set<string>();
  readonly #channels: Partial<Record<HookName, Channel>> = {};
  readonly #diagnostics = builtin('node:diagnostics_channel');

  constructor(hooks: Hooks, logger: Partial<Logger> | undefined) {
    this.#hooks = hooks;
    this.#logger = logger;
  }

  /** True if a hook or the logger needs the duration of an attempt. */
  get isTiming(): boolean {
    return this.hasHook('onResponse') || this.#logger?.debug !== undefined;
  }

  /** True if there is a listener. Otherwise the event does not have to be created. */
  hasHook(name: HookName): boolean {
    return this.#hooks[name] !== undefined || this.#channel(name)?.hasSubscribers === true;
  }

  /**
   * Calls a hook with the fields that all events of a call have, and with the fields that `others` returns. `others`
   * runs only if there is a listener.
   */
  emitOf<Name extends HookName>(name: Name, call: CallIdentity, others: () => Others<Name>): void {
    if (this.hasHook(name)) this.emit(name, { ...eventFields(call), ...others() } as EventOf<Name>);
  }

  emit<Name extends HookName>(name: Name, event: EventOf<Name>): void {
    this.#channel(name)?.publish(event);
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
      this.#logger?.[level]?.(printable(message), ...(details ? [details] : []));
    } catch {
      // An error of the logger cannot be logged.
    }
  }

  #channel(name: HookName): Channel | undefined {
    const known = this.#channels[name] ?? this.#diagnostics?.channel(`container-tracking-sdk:${name}`);
    if (known) this.#channels[name] = known;
    return known;
  }

  #hookFailed(name: HookName, error: unknown): void {
    this.log('error', `The hook ${name} failed.`, { error });
  }
}
