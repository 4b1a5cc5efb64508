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

/** An emulated service with an account: see {@link createSandbox}. */
export interface Sandbox {
  /**
   * Answers a request of any origin below `/v2`. Takes what the global `fetch` takes, so that it can stand in for it.
   * Rejects with the reason of the signal when that aborts, with a `TypeError` for a fault that drops the connection and
   * for what is no address.
   *
   * @example
   * const client = new TrackingClient({ baseUrl: 'https://host.example/v2', apiKey: 'sandbox', fetch: sandbox.fetch });
   */
  fetch(input: string | URL | Request, init?: RequestInit): Promise<Response>;
  /** Serves the sandbox over HTTP, on the loopback interface unless told otherwise. */
  listen(options?: ListenOptions): Promise<SandboxServer>;
  /** Moves the service's clock, and the rate limit's. What happens meanwhile is told to the webhooks: see {@link flush}. */
  advance(duration: Duration): void;
  /** Resolves when every delivery to a webhook that is due has been made, acknowledged or not. */
  flush(): Promise<void>;
  /** What the service's clock shows. */
  now(): Date;
  /** Adds a fault, behind those that wait. */
  fail(fault: Fault): void;
  /** Every request so far, the oldest first. */
  readonly requests: readonly LoggedRequest[];
  /** Adds shipments to the account without tracking requests, as the dashboard does. They are the newest of all lists. */
  seedShipments(count: number, options?: SeedOptions): SeededShipment[];
  /** Adds containers, each with a shipment of its own. */
  seedContainers(count: number, options?: Omit<SeedOptions, 'containers'>): SeededContainer[];
  /** Has a mail reach the account; its attachments become documents. */
  receiveEmail(email: Email): { id: string; documentIds: string[] };
  /** Removes a shipment with its containers and tracking requests. */
  removeShipment(id: string): void;
  /** Forgets everything: records, requests, added faults, counters and the time that has passed. */
  reset(): void;
}

/**
 * The service, emulated: stateful, and deterministic for a seed. For tests without a key and without a network.
 *
 * A new account is empty. What is tracked is invented from its number: a voyage of real ports and terminals that moves
 * on with the service's clock. How a request ends, and how far the voyage has come, follows from a word in the number
 * (`MAEU-ONHOLD-1`, say, tracked as a bill of lading), else from chance that the seed decides:
 *
 * | Word in the number | Tracking request |
 * |---|---|
 * | `NOTFOUND` | container: `failed`, `not_found`; bill or booking: `awaiting_manifest`, after 7 days `failed`, `expired` |
 * | `MANIFEST` | `awaiting_manifest`, after 2 days `created` |
 * | `FLAKY` | three attempts with `is_retrying`, after 7 minutes `created` |
 * | `UNREACHABLE` | 14 attempts in 24 hours, then `failed`, `retries_exhausted` |
 * | `INVALID`, `CANCELLED`, `WITHHELD`, `DUPLICATE` | `failed`: `invalid_number`, `booking_cancelled`, `data_unavailable`, `duplicate` |
 *
 * | Word in the number | First container at that time |
 * |---|---|
 * | `BOOKED`, `ATORIGIN` | before its voyage |
 * | `ATSEA` | on board |
 * | `ONHOLD` | discharged, held by customs |
 * | `AVAILABLE` | ready for pickup |
 * | `ONRAIL` | on its way inland |
 * | `PICKEDUP`, `RETURNED` | gone out; back empty, so that tracking has stopped |
 *
 * A container is tracked by a number of ISO 6346: another form ends in `invalid_number`, a wrong check digit in
 * `not_found`. A bill or booking needs five letters or digits at least. The service's own test numbers work too
 * (api/errors-and-limits.md section 7): with `scac` `TEST`, `TEST-TR-SUCCEEDED` gives a shipment that never changes,
 * everything else fails.
 *
 * A webhook is told of everything that happens from its creation on: of requests, voyages and documents. Its notifications
 * are signed, and repeated with doubling gaps of the service's clock until they are acknowledged, 12 times at most.
 *
 * A document is classified by words in its name (`invoice`, `packing`, `lading`, `arrival`, `delivery`), then read, unless
 * it is empty or called `UNREADABLE`, and linked to the shipments and containers whose numbers stand in its name, its mail
 * or its text: after 20, 60 and 70 seconds. A signed address of the storage is good for 5 minutes.
 *
 * @throws {ConfigurationError} for options that it cannot keep to.
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
    const given = typeof input === 'object' && 'headers' in input ? input : undefined;
    const signal = init?.signal === undefined ? given?.signal : (init.signal ?? undefined);
    return answer(pipeline, given && !init ? given : new Request(input, init), signal);
  }

  return {
    fetch: handle,
    async listen(listenOptions) {
      const server = await listen(handle, listenOptions);
      // Events happen in time also while nobody asks for anything.
      const ticks = setInterval(() => runAgenda(pipeline.backend), TICK_MS);
      return {
        baseUrl: server.baseUrl,
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
