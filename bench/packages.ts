import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

/**
 * Imports a package of `bench/package.json`. The type of the result describes the part that is used. The compiler must
 * not need the packages, since only `npm run bench` installs them.
 */
export function load<T>(name: string): Promise<T> {
  return import(name);
}

/** The address at which `import` finds a package of `bench/package.json`. */
export function urlOf(name: string): string {
  return import.meta.resolve(name);
}

/** Imports an entry of our package as it is published. */
export function ours<T>(entry = 'index'): Promise<T> {
  return import(pathToFileURL(resolve(import.meta.dirname, '../dist', `${entry}.js`)).href);
}
