/** What the program runs on, asked when it matters: importing this package asks nothing. */

interface Builtins {
  'node:crypto': typeof import('node:crypto');
  'node:fs': typeof import('node:fs');
  'node:http': typeof import('node:http');
  'node:https': typeof import('node:https');
  'node:path': typeof import('node:path');
  'node:sqlite': typeof import('node:sqlite');
}

/** A module that is built into Node; Bun and Deno have some of them. `undefined` elsewhere. */
export function builtin<Name extends keyof Builtins>(name: Name): Builtins[Name] | undefined {
  return globalThis.process?.getBuiltinModule?.(name) as Builtins[Name] | undefined;
}

/** An environment variable; `undefined` where it is empty, or there is no environment. */
export function environment(name: string): string | undefined {
  return globalThis.process?.env?.[name] || undefined;
}

export function inBrowser(): boolean {
  return 'window' in globalThis && 'document' in globalThis;
}

/** Whether a promise belongs to the request that made it, and so does a timer. */
export function inWorkers(): boolean {
  return globalThis.navigator?.userAgent === 'Cloudflare-Workers';
}
