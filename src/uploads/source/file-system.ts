import { ConfigurationError } from '../../errors.ts';
import { builtin } from '../../internal/runtime.ts';

/** @throws {ConfigurationError} in a runtime without a file system. */
export function fileSystem() {
  const fs = builtin('node:fs');
  if (fs) return fs;
  throw new ConfigurationError(
    'Only Node.js (20.16, 22.3 or later), Bun and Deno can read and write files by their path.',
  );
}
