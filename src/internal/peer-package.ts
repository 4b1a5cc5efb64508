import { ConfigurationError } from '../errors.ts';

/** True if the error reports that a package is not installed. Each runtime reports this in other words. */
export function isMissingPackage(error: unknown, name: string): boolean {
  const { code = '', message = '' } = Object(error) as { code?: unknown; message?: unknown };
  const isMissing =
    /MODULE_NOT_FOUND/.test(String(code)) || /cannot find|could not (find|resolve)/i.test(String(message));
  return isMissing && String(message).includes(name);
}

/**
 * Loads code that needs an optional peer dependency.
 *
 * @throws {ConfigurationError} that names the package to install.
 */
export async function loadWithPeer<T>(name: string, user: string, load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (cause) {
    if (!isMissingPackage(cause, name)) throw cause;
    throw new ConfigurationError(
      `${user} needs the package ${name}, which is not installed. Run: npm install ${name}`,
      {
        cause,
      },
    );
  }
}
