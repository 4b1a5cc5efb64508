import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

/**
 * A package of `bench/package.json`, with the part of its types that is used: the compiler must not need the packages, since
 * only `npm run bench` installs them.
 */
export function load<T>(name: string): Promise<T> {
  return import(name);
}

/** The address at which `import` finds such a package. */
export function urlOf(name: string): string {
  return import.meta.resolve(name);
}

/** An entry as it is published. */
export function ours<T>(entry = 'index'): Promise<T> {
  return import(pathToFileURL(resolve(import.meta.dirname, '../dist', `${entry}.js`)).href);
}
