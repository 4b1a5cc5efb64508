/** The runtime that the program runs on. It is detected when it is needed, not when the package is imported. */

interface Builtins {
  'node:crypto': typeof import('node:crypto');
  'node:diagnostics_channel': typeof import('node:diagnostics_channel');
  'node:fs': typeof import('node:fs');
  'node:fs/promises': typeof import('node:fs/promises');
  'node:http': typeof import('node:http');
  'node:https': typeof import('node:https');
  'node:os': typeof import('node:os');
  'node:path': typeof import('node:path');
  'node:sqlite': typeof import('node:sqlite');
}

/** A module that is built into Node. Bun and Deno have some of these modules. `undefined` in a runtime without the module. */
export function builtin<Name extends keyof Builtins>(name: Name): Builtins[Name] | undefined {
  return globalThis.process?.getBuiltinModule?.(name) as Builtins[Name] | undefined;
}

/** An environment variable. `undefined` if the variable is empty, or if the runtime has no environment. */
export function environment(name: string): string | undefined {
  return globalThis.process?.env?.[name] || undefined;
}

export function inBrowser(): boolean {
  return 'window' in globalThis && 'document' in globalThis;
}

/** True in Cloudflare Workers, where a promise and a timer belong to the request that made them. */
export function inWorkers(): boolean {
  return globalThis.navigator?.userAgent === 'Cloudflare-Workers';
}
