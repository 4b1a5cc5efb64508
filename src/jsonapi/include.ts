import { ConfigurationError } from '../errors.ts';
import { shown } from '../internal/arguments.ts';
import type { DynamicInclude } from '../records/relationship.ts';

/**
 * Include paths that are only strings to the compiler, from a configuration file for example. The result is typed as
 * "included or not" for every relationship, so that nothing is read that may not be there.
 *
 * @throws {ConfigurationError} for anything but an array of paths.
 * @example
 * const shipment = await client.shipments.get(id, { include: dynamicInclude(config.include) });
 * const terminal = shipment.pod_terminal;
 * if (terminal && 'name' in terminal) console.log(terminal.name);
 */
export function dynamicInclude(paths: readonly string[]): DynamicInclude {
  return [...checkedPaths(paths)] as unknown as DynamicInclude;
}

/** @throws {ConfigurationError} for anything but an array of paths. */
export function checkedPaths(paths: unknown): readonly string[] {
  if (Array.isArray(paths) && paths.every(isPath)) return paths;
  throw new ConfigurationError(
    `include is ${shown(paths)}; it must be an array of paths, such as ['shipment', 'shipment.port_of_lading'].`,
  );
}

function isPath(value: unknown): value is string {
  return typeof value === 'string' && /^[^.,*\s]+(\.[^.,*\s]+)*$/.test(value);
}
