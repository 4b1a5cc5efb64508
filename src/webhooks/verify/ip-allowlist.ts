import { report, type WebhookLogger } from '../log.ts';
import { within } from '../time-limit.ts';

/** Options of {@link ipAllowlist}. */
export interface IpAllowlistOptions {
  /** Reads the list: `() => client.webhooks.ips()`. IPv4 and IPv6 addresses, and ranges such as `192.0.2.0/24`. */
  ips: () => PromiseLike<{ webhook_notification_ips: readonly string[] }>;
  /** For how long a list is good, in ms. @default 86_400_000, a day */
  maxAgeMs?: number | undefined;
  /** Hears of a list that could not be renewed. @default console */
  logger?: false | Pick<WebhookLogger, 'warn'> | undefined;
}

/** Whether the service sends from this address. Rejects only if there has never been a list. */
export type IpAllowlist = (address: string | undefined) => Promise<boolean>;

/** Until a list that could not be had, or did not come, is asked for again. */
const RETRY_MS = 60_000;

/**
 * Tells deliveries from other traffic by where they come from, in addition to their signature. The list is read when it is
 * first needed. An old one is renewed without anyone waiting for it, and goes on to be used where that fails.
 *
 * Behind a proxy the address of the connection is the proxy's: pass the one that it reports, if you can trust it.
 *
 * @example
 * const isAllowed = ipAllowlist({ ips: () => client.webhooks.ips() });
 * http.createServer(async (request, response) => {
 *   if (!(await isAllowed(request.socket.remoteAddress))) return response.writeHead(403).end();
 *   await receiver.node(request, response);
 * });
 */
export function ipAllowlist({ ips, maxAgeMs = 86_400_000, logger = console }: IpAllowlistOptions): IpAllowlist {
  let includes: ((address: string) => boolean) | undefined;
  let renewal: Promise<void> | undefined;
  let renewAt = 0;

  return async address => {
    if (Date.now() >= renewAt) {
      renewAt = Date.now() + RETRY_MS;
      renewal = renew();
      renewal.catch(error => {
        if (includes) report(logger, 'warn', 'The list of webhook addresses could not be renewed', error);
        // Without any list the next caller tries again.
        else renewAt = 0;
      });
    }
    if (!includes) await renewal;
    return address !== undefined && includes?.(address) === true;
  };

  async function renew(): Promise<void> {
    const { createRanges } = await import('./ip-ranges.ts');
    const { webhook_notification_ips } = await within(RETRY_MS, ips);
    includes = createRanges(webhook_notification_ips);
    renewAt = Date.now() + maxAgeMs;
  }
}
