import { assemble } from './assemble.ts';
import type { Fault } from './http/faults.ts';
import { answer, type LoggedRequest } from './http/pipeline.ts';
import { type ListenOptions, listen, type SandboxServer } from './http/server.ts';
import { checkOptions, type SandboxOptions } from './options.ts';
import { type Email, receiveEmail } from './service/email.ts';
import { type SeededContainer, type SeededShipment, type SeedOptions, seedShipments } from './service/seed.ts';
import { removeShipment } from './service/shipments.ts';
import { runAgenda } from './state/backend.ts';
import { type Duration, toMs } from './state/clock.ts';

export type { Fault, FaultFunction, FaultRequest } from './http/faults.ts';
export type { LoggedRequest } from './http/pipeline.ts';
export type { Bucket, RateLimitOptions } from './http/rate-limit.ts';
export type { ListenOptions, SandboxServer } from './http/server.ts';
export type { DeliveryOptions } from './notifications/deliveries.ts';
export type { SandboxOptions } from './options.ts';
export type { Email, EmailAttachment } from './service/email.ts';
export type { SeededContainer, SeededShipment, SeedOptions } from './service/seed.ts';
export type { Duration } from './state/clock.ts';
export type { Features } from './state/features.ts';
export type { Phase } from './world/scenario.ts';

/** An emulation of the service, see {@link createSandbox}. */
export interface Sandbox {
  /**
   * Answers a request whose path begins with `/v2`, and the MCP endpoint at `/mcp`; the host does not matter. Takes the same arguments as the global `fetch`,
   * so that a client can use it instead.
   *
   * Rejects with the reason of the signal when the signal aborts, and with a `TypeError` for a fault that drops the connection
   * and for a string that is not a URL.
   *
   * @example
   * const client = new TrackingClient({ baseUrl: 'https://host.example/v2', apiKey: 'sandbox', fetch: sandbox.fetch });
   */
  fetch(input: string | URL | Request, init?: RequestInit): Promise<Response>;
  /**
   * Serves the sandbox over HTTP, on the loopback interface by default. While the server is open, events happen in time.
   *
   * @throws {ConfigurationError} for a wrong option.
   */
  listen(options?: ListenOptions): Promise<SandboxServer>;
  /**
   * Moves the clocks of the service and of the rate limit forward. What happens in this time is sent to webhooks: await
   * {@link flush} to wait for these deliveries.
   *
   * @throws {ConfigurationError} for a negative duration, an unknown unit, and a time after the year 9999.
   */
  advance(duration: Duration): void;
  /** Resolves when all deliveries that are due have been tried, whether or not they were acknowledged. */
  flush(): Promise<void>;
  /** The time of the service's clock. */
  now(): Date;
  /**
   * Adds a fault. Faults that were added before and still apply come first.
   *
   * @throws {ConfigurationError} for an unknown property, or a value that is out of range.
   */
  fail(fault: Fault): void;
  /** All requests since the start or the last {@link reset}, the oldest first. */
  readonly requests: readonly LoggedRequest[];
  /**
   * Adds shipments to the account, without tracking requests. They come first in all lists.
   *
   * @throws {ConfigurationError} for a wrong count or option.
   */
  seedShipments(count: number, options?: SeedOptions): SeededShipment[];
  /** Adds containers, each of them with its own shipment. See {@link seedShipments}. */
  seedContainers(count: number, options?: Omit<SeedOptions, 'containers'>): SeededContainer[];
  /** Sends an email to the account. Its attachments become documents. */
  receiveEmail(email: Email): { id: string; documentIds: string[] };
  /** Removes a shipment with its containers, tracking requests and custom fields. Does nothing for an unknown id. */
  removeShipment(id: string): void;
  /** Starts again with the same options: without records, logged requests, added faults, rate limit counters and advanced time. */
  reset(): void;
}

/**
 * Creates an emulation of the service, for tests without an API key and without a network. It keeps what is written to it, and
 * with the same seed it always gives the same answers.
 *
 * A new account is empty, unless the option `shipments` fills it. For each number that is tracked the sandbox invents a voyage between real ports and terminals. The
 * voyage goes on with the service's clock. A word in the number decides the outcome of the tracking request and the phase of
 * the voyage (example: the bill of lading `MAEU-ONHOLD-1`). Without such a word, the seed decides.
 *
 * | Word in the number | Tracking request |
 * |---|---|
 * | `NOTFOUND` | container: `failed`, `not_found`; bill or booking: `awaiting_manifest`, after 7 days `failed`, `expired` |
 * | `MANIFEST` | `awaiting_manifest`, after 2 days `created` |
 * | `FLAKY` | three attempts with `is_retrying`, after 7 minutes `created` |
 * | `UNREACHABLE` | 14 attempts in 24 hours, then `failed`, `retries_exhausted` |
 * | `INVALID`, `CANCELLED`, `WITHHELD`, `DUPLICATE` | `failed`: `invalid_number`, `booking_cancelled`, `data_unavailable`, `duplicate` |
 *
 * | Word in the number | First container when the tracking begins |
 * |---|---|
 * | `BOOKED`, `ATORIGIN` | not yet on board |
 * | `ATSEA` | on board |
 * | `ONHOLD` | discharged, held by customs |
 * | `AVAILABLE` | ready for pickup |
 * | `ONRAIL` | on a train to the inland destination |
 * | `PICKEDUP` | picked up |
 * | `RETURNED` | returned empty, so that tracking has stopped |
 *
 * A container is tracked by its number of ISO 6346. A number of another form fails with `invalid_number`, a wrong check digit
 * with `not_found`. The number of a bill of lading or a booking needs at least five letters or digits. The service's own test
 * numbers work as well: with the `scac` `TEST`, the number `TEST-TR-SUCCEEDED` gives a shipment that never changes, and all
 * other numbers fail.
 *
 * A webhook is notified of the events after its creation: those of tracking requests, voyages and documents. Notifications
 * are signed. A notification that is not acknowledged is sent again, up to 12 times; the gaps double and are measured by the
 * service's clock.
 *
 * A document is classified after 20 seconds, by a word in its name (`invoice`, `packing`, `lading`, `arrival`, `delivery`).
 * After 60 seconds its data is extracted; this fails for an empty file and for a name with `UNREADABLE`. After 70 seconds it
 * is linked to the shipments and containers whose numbers are in its name, its email or its text. The signed addresses of
 * files are valid for 5 minutes.
 *
 * The MCP endpoint is at `/mcp` of the same origin, with the ten tools over the same records. It takes a key as `Token` and,
 * as `Bearer`, the access tokens of an authorization server of its own: a program registers itself at `/oauth/register`, a
 * person clicks on the page `/oauth/authorize`. An access token is valid for one hour of the service's clock. A refresh token
 * can be used once; a second use revokes the whole sign-in.
 *
 * @throws {ConfigurationError} for an unknown option, or a value that is out of range.
 * @example
 * const sandbox = createSandbox();
 * const server = await sandbox.listen();
 * const client = new TrackingClient({ baseUrl: server.baseUrl, apiKey: 'sandbox' });
 * sandbox.advance({ days: 3 });
 * await server.close();
 */
export function createSandbox(options: SandboxOptions = {}): Sandbox {
  checkOptions(options);
  let pipeline = assemble(options);

  async function handle(input: string | URL | Request, init?: RequestInit): Promise<Response> {
    const request = typeof input === 'object' && 'headers' in input ? input : undefined;
    const signal = init?.signal === undefined ? request?.signal : (init.signal ?? undefined);
    return answer(pipeline, request && !init ? request : new Request(input, init), signal);
  }

  return {
    fetch: handle,
    async listen(listenOptions) {
      const server = await listen(handle, listenOptions);
      // Events have to happen in time, even without requests.
      const ticks = setInterval(() => runAgenda(pipeline.backend), TICK_MS);
      return {
        baseUrl: server.baseUrl,
        mcpUrl: server.mcpUrl,
        close() {
          clearInterval(ticks);
          return server.close();
        },
      };
    },
    advance(duration) {
      pipeline.backend.clock.advance(toMs(duration));
      runAgenda(pipeline.backend);
    },
    flush() {
      runAgenda(pipeline.backend);
      return pipeline.backend.deliveries.idle();
    },
    now: () => new Date(pipeline.backend.clock.now()),
    fail: fault => pipeline.faults.add(fault),
    get requests() {
      return pipeline.requests;
    },
    seedShipments: (count, seedOptions) => seedShipments(pipeline.backend, count, seedOptions),
    seedContainers: (count, seedOptions) =>
      seedShipments(pipeline.backend, count, { ...seedOptions, containers: 1 }).flatMap(({ containers }) => containers),
    receiveEmail(email) {
      runAgenda(pipeline.backend);
      return receiveEmail(pipeline.backend, email);
    },
    removeShipment(id) {
      const shipment = pipeline.backend.store.shipments.get(id);
      if (shipment !== undefined) removeShipment(pipeline.backend, shipment);
    },
    reset() {
      pipeline.backend.deliveries.stop();
      pipeline = assemble(options);
    },
  };
}

const TICK_MS = 50;
