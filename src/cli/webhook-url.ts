import { isLoopback } from '../transport/settings.ts';
import type { Access } from './access.ts';
import { wrongUsage } from './command.ts';

/** Hosts of a private network: RFC 1918, RFC 6598, link-local and unique local addresses, and names that no public server has. */
const PRIVATE =
  /^(?:0\.0\.0\.0|10(?:\.\d+){3}|172\.(?:1[6-9]|2\d|3[01])(?:\.\d+){2}|192\.168(?:\.\d+){2}|169\.254(?:\.\d+){2}|100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7])(?:\.\d+){2}|\[(?:::|f[cd][\da-f]{2}:.*|fe[89ab][\da-f]:.*)\]|[^.:]+|.*\.(?:local|internal|lan|home\.arpa))$/;

/**
 * Rejects an address that the service cannot reach. A sandbox on this machine can reach every address that this machine
 * can reach.
 *
 * @throws {CommandError}
 */
export function checkReachable(url: string | undefined, { baseUrl }: Access): void {
  if (url === undefined || !URL.canParse(url) || isLoopback(new URL(baseUrl.value).hostname)) return;
  const { hostname } = new URL(url);
  if (!isLoopback(hostname) && !PRIVATE.test(hostname)) return;
  throw wrongUsage(
    `The service cannot reach ${hostname}, which is an address of your own network. To receive deliveries here, run a tunnel and: container-tracking webhooks listen --url https://….`,
  );
}
