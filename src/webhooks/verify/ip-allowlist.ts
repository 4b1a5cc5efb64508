import { refuseUnknownNames } from '../../internal/arguments.ts';
import { consoleLogger } from '../../internal/console-logger.ts';
import { ignoreErrors, report, type WebhookLogger } from '../log.ts';
import { withTimeLimit } from '../time-limit.ts';

/** Options of {@link ipAllowlist}. */
export interface IpAllowlistOptions {
  /** Reads the list: `() => client.webhooks.ips()`. IPv4 and IPv6 addresses, and ranges such as `192.0.2.0/24`. */
  ips: () => PromiseLike<{ webhook_notification_ips: readonly string[] }>;
  /** Age in ms after which the list is read again. @default 86_400_000, a day */
  maxAgeMs?: number | undefined;
  /** Receives a warning when the list could not be read. @default console */
  logger?: false | Pick<WebhookLogger, 'warn'> | undefined;
}

/**
 * True if the address is in the list of the service. Never rejects. No address is allowed before the list was read for
 * the first time. If the list cannot be read, the logger receives a warning.
 */
export type IpAllowlist = (address: string | undefined) => Promise<boolean>;

/**
 * Two times in ms: the time limit for the reading of the list, and the wait before the next reading after a failure.
 */
const RETRY_MS = 60_000;
/**
 * Two times in ms. The first is the wait before the list is read again, if no list has been read yet. The second is the
 * upper bound for the wait of a caller.
 */
const FIRST_RETRY_MS = 10_000;

/**
 * Checks the sender's address of a delivery, in addition to its signature. The list of addresses is read at the first
 * check. When the list is too old, it is read again in the background. The old list is used until the new list was
 * read. If the list cannot be read at the first check, no address is allowed, and the first check after 10 s tries to
 * read it again. The service repeats refused deliveries.
 *
 * Behind a proxy, the address of the connection is the address of the proxy. Pass the sender's address that the proxy
 * reports, if you can trust it.
 *
 * @throws {ConfigurationError} for an unknown option.
 * @example
 * const isAllowed = ipAllowlist({ ips: () => client.webhooks.ips() });
 * http.createServer(async (request, response) => {
 *   if (!(await isAllowed(request.socket.remoteAddress))) return response.writeHead(403).end();
 *   await receiver.node(request, response);
 * });
 */
export function ipAllowlist(options: IpAllowlistOptions): IpAllowlist {
  refuseUnknownNames('ipAllowlist()', options, ['ips', 'maxAgeMs', 'logger'] satisfies (keyof IpAllowlistOptions)[]);
  const { ips, maxAgeMs = 86_400_000, logger = consoleLogger } = options;
  let includes: ((address: string) => boolean) | undefined;
  let renewal: Promise<void> | undefined;
  let renewAt = 0;

  return async address => {
    if (performance.now() >= renewAt) {
      renewAt = performance.now() + (includes ? RETRY_MS : FIRST_RETRY_MS);
      renewal = renew().catch(error => {
        if (!includes) renewAt = performance.now() + FIRST_RETRY_MS;
        const effect = includes ? 'renewed' : 'read, so all deliveries are refused';
        report(logger, 'warn', `The list of webhook addresses could not be ${effect}`, error);
      });
    }
    // In Workers, the reading of the list never ends after the cancellation of the request in which the reading began.
    if (!includes) await ignoreErrors(() => withTimeLimit(FIRST_RETRY_MS, () => renewal));
    return address !== undefined && includes?.(address) === true;
  };

  async function renew(): Promise<void> {
    const { createRanges } = await import('./ip-ranges.ts');
    const { webhook_notification_ips } = await withTimeLimit(RETRY_MS, ips);
    includes = createRanges(webhook_notification_ips);
    renewAt = performance.now() + maxAgeMs;
  }
}
