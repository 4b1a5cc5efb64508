import { ConfigurationError } from '../errors.ts';
import { createAccount, type SandboxAccount } from './account.ts';
import { assemble } from './assemble.ts';
import { defined } from './base/checks.ts';
import type { Visitors } from './http/cors.ts';
import type { Fault } from './http/faults.ts';
import { answer } from './http/pipeline.ts';
import { type ListenOptions, listen, type SandboxServer } from './http/server.ts';
import { type KeyFill, rateLimitFill, readClock, type SandboxClock } from './inspection/inspection.ts';
import { checkOptions, type SandboxOptions } from './options.ts';
import { createPage } from './page/page.ts';
import { type SandboxState, save } from './saved.ts';
import { runAgendas } from './state/backend.ts';
import { type Change, createChanges, type LoggedRequest } from './state/changes.ts';
import { type Duration, toMs } from './state/clock.ts';
import type { ScenarioName } from './world/scripts.ts';

export type { ErrorName } from '../model/generated/named-errors.ts';
export type { SandboxAccount } from './account.ts';
export type { Fault, FaultFunction, FaultRequest } from './http/faults.ts';
export type { Latency, LatencyDistribution, LatencyName } from './http/latency.ts';
export type { BucketFill, RateLimitOptions } from './http/rate-limit.ts';
export type { ListenOptions, SandboxServer } from './http/server.ts';
export type {
  AccountCounts,
  ContainerSummary,
  ContainerTimeline,
  DeliverySummary,
  KeyFill,
  Range,
  SandboxClock,
  ShipmentSummary,
  TimelineEntry,
  TrackingRequestSummary,
} from './inspection/inspection.ts';
export type { McpEdition } from './mcp/editions.ts';
export type { DeliveryOptions } from './notifications/deliveries.ts';
export type { AccountOptions, SandboxOptions } from './options.ts';
export type { SandboxState } from './saved.ts';
export type { Email, EmailAttachment } from './service/document-processing.ts';
export type { Scenario, ScenarioStep } from './service/scenarios.ts';
export type { SeededContainer, SeededShipment, SeedOptions } from './service/seed.ts';
export type { Bucket, Change, LoggedRequest } from './state/changes.ts';
export type { Duration } from './state/clock.ts';
export type { Features, Settings } from './state/settings.ts';
export type { Phase, ScenarioName } from './world/scripts.ts';

/**
 * An emulation of the service, see {@link createSandbox}. It also has the methods of an account. These methods act on
 * the first account.
 */
export interface Sandbox
  extends Pick<
    SandboxAccount,
    'seedShipments' | 'seedContainers' | 'scenario' | 'receiveEmail' | 'refreshContainers' | 'removeShipment'
  > {
  /**
   * Responds to requests to the REST interface at `/v2` and to the MCP endpoint at `/mcp`. The host does not matter.
   * It has the same arguments as the global `fetch`, so a client can use this function instead of the global `fetch`.
   * The path `/` of `localhost` or of an IP address leads to a page that shows the sandbox.
   *
   * Rejects with the reason of the signal when the signal aborts. Rejects with a `TypeError` if a fault drops the
   * connection, and for a string that is not a URL.
   *
   * @example
   * const client = new TrackingClient({ baseUrl: 'https://host.example/v2', apiKey: 'sandbox', fetch: sandbox.fetch });
   */
  fetch(input: string | URL | Request, init?: RequestInit): Promise<Response>;
  /**
   * Serves the sandbox over HTTP, on the loopback interface by default. While the server is open, events happen as time
   * passes, even without requests. Web pages of this machine and of the origins in `cors` may use the server.
   *
   * @throws {ConfigurationError} for a wrong option.
   */
  listen(options?: ListenOptions): Promise<SandboxServer>;
  /**
   * Moves the clocks of the service and of the rate limit forward. The events in this time are sent to webhooks: await
   * {@link flush} to wait for these deliveries.
   *
   * @throws {ConfigurationError} for a negative duration, an unknown unit, and a time after the year 9999.
   */
  advance(duration: Duration): void;
  /** Resolves when all due deliveries have been tried, even if they were not acknowledged. */
  flush(): Promise<void>;
  /**
   * The token with which the page at `/` can change the sandbox. It is part of the page's address: `/#token=…`. Without
   * the token the page is read-only. Each sandbox has a different token. It is part of {@link SandboxServer.pageUrl}.
   */
  readonly pageToken: string;
  /** The time of the service's clock. */
  now(): Date;
  /**
   * Adds a fault. Earlier faults that still apply come before the new faults.
   *
   * @throws {ConfigurationError} for an unknown property, or a value that is out of range.
   */
  fail(fault: Fault): void;
  /**
   * The requests since the start or the last {@link reset}, the oldest first. The list has at most `keepRequests`
   * requests.
   */
  readonly requests: readonly LoggedRequest[];
  /** The accounts, in the order of the option `accounts`. */
  readonly accounts: readonly SandboxAccount[];
  /**
   * The account with this name. Without a name: the first account.
   *
   * @throws {ConfigurationError} for an unknown name.
   */
  account(name?: string): SandboxAccount;
  /** The service's clock. */
  readonly clock: SandboxClock;
  /** The use of the windows of the rate limit, for each key of each account. Empty if there is no rate limit. */
  rateLimits(): KeyFill[];
  /**
   * Calls a function at each change: a request, a delivery, an event in an account, a move of the clock.
   *
   * @returns A function that ends the subscription.
   * @throws {ConfigurationError} for a value that is not a function.
   */
  subscribe(listener: (change: Change) => void): () => void;
  /**
   * Returns the whole state as a JSON value. `createSandbox({ state })` continues from this state, also in another
   * process or in another version of Node. Await {@link flush} first. Otherwise a delivery that is in progress is made
   * again. The state does not include the log of requests. It includes the keys of the accounts and the secrets of the
   * webhooks.
   *
   * @throws {ConfigurationError} for a fault that cannot be written as JSON.
   * @example
   * await writeFile('sandbox.json', JSON.stringify(sandbox.save()));
   * const other = createSandbox({ state: JSON.parse(await readFile('sandbox.json', 'utf8')) });
   */
  save(): SandboxState;
  /**
   * Starts again with the same options. Drops the logged requests, the added faults and the counters of the rate limit,
   * and sets the clock back. Restores the records that existed at the start. With the option `state`, these are the
   * records of that state. If a client with {@link fetch} is created after the reset, this client has a new request
   * budget. An earlier 429 does not close this budget.
   */
  reset(): void;
}

/**
 * Clients with the `fetch` of this sandbox share a rate limit only with each other. After a reset, new clients have a
 * new rate limit.
 */
const SERVICE = Symbol.for('container-tracking-sdk.service');
const serviceName = () => `sandbox ${Math.random()} `;

/**
 * Creates an emulation of the service, for tests without an API key and without a network. The emulation stores the
 * records that requests create. With the same seed it always gives the same responses.
 *
 * A new account is empty, unless the option `shipments` fills it. For each tracked number the sandbox invents a voyage
 * between real ports and terminals. The voyage continues with the service's clock. A word in the number decides the
 * outcome of the tracking request and the phase of the voyage (example: the bill of lading `MAEU-ONHOLD-1`):
 * docs/guides/sandbox.md#words-in-a-number. Without such a word, the seed decides them. For a voyage whose events are
 * known in advance, see `scenario` and {@link ScenarioName}.
 *
 * A container is tracked by its ISO 6346 number. A number of another form fails with `invalid_number`. A number with a
 * wrong check digit fails with `not_found`. The number of a bill of lading or a booking needs at least five letters or
 * digits. The service's own test numbers work as well: with the `scac` `TEST`, the number `TEST-TR-SUCCEEDED` gives a
 * shipment that never changes. All other numbers fail.
 *
 * A webhook is notified of events that happen after its creation: events of tracking requests, voyages and documents.
 * Notifications are signed. A notification that is not acknowledged is sent again, up to 12 times. Each gap between two
 * attempts is twice as long as the gap before it, on the service's clock.
 *
 * A document is classified after 20 seconds, by a word in its name (`invoice`, `packing`, `lading`, `arrival`,
 * `delivery`). After 60 seconds, its data is extracted. The extraction fails for an empty file and for a name with
 * `UNREADABLE`. After 70 seconds, it is linked to the shipments and containers whose numbers are in its name, its email
 * or its text. The signed addresses of files are valid for 5 minutes. A browser saves such a file and does not display
 * it.
 *
 * The past positions of a vessel are an hour apart. `show_positions` returns the positions of the requested range, but
 * at most the positions of the latest 90 days of this range.
 *
 * The MCP endpoint is at `/mcp` of the same origin. The tools of the endpoint use the same records. The endpoint
 * accepts a key as `Token`. As `Bearer`, it accepts the access tokens of the sandbox's authorization server. To get
 * such a token, a program registers itself at `/oauth/register`, and a person allows the access on the page
 * `/oauth/authorize`. An access token is valid for one hour of the service's clock. A refresh token can be used once. A
 * second use revokes all tokens of the sign-in.
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
  // Subscriptions continue after a reset.
  const changes = createChanges();
  let pipeline = assemble(options, changes);

  async function handle(input: string | URL | Request, init?: RequestInit): Promise<Response> {
    const request = typeof input === 'object' && 'headers' in input ? input : undefined;
    const signal = init?.signal === undefined ? request?.signal : (init.signal ?? undefined);
    return answerTo(request && !init ? request : new Request(input, init), signal);
  }

  async function answerTo(request: Request, signal?: AbortSignal, from?: Visitors): Promise<Response> {
    if (!page.isAt(request.url)) return answer(pipeline, request, signal, from);
    signal?.throwIfAborted();
    return page.answer(request);
  }

  const accounts = pipeline.accounts.all.map((_, index) => createAccount(() => defined(pipeline.accounts.all[index])));
  const first = defined(accounts[0]);
  const page = createPage({
    accounts,
    clock: () => readClock(pipeline.clock),
    elapsed: () => pipeline.clock.elapsed(),
    requests: () => pipeline.log.entries,
    requestCount: () => pipeline.log.count,
    bodies: request => pipeline.log.bodies.of(request),
    faults: () => pipeline.faults.waiting,
    rateLimits: () => rateLimitFill(pipeline),
    advance: duration => sandbox.advance(duration),
    fail: fault => sandbox.fail(fault),
    send: handle,
  });

  const { seedShipments, seedContainers, scenario, receiveEmail, refreshContainers, removeShipment } = first;
  const sandbox: Sandbox = {
    ...{ seedShipments, seedContainers, scenario, receiveEmail, refreshContainers, removeShipment },
    fetch: Object.assign(handle, { [SERVICE]: serviceName() }),
    async listen(listenOptions) {
      const server = await listen((request, from) => answerTo(request, request.signal, from), listenOptions);
      const { origin, hostname } = new URL(server.baseUrl);
      page.hosts.add(hostname);
      // Events have to happen at their times, even without requests.
      const ticks = setInterval(() => runAgendas(pipeline.accounts), TICK_MS);
      return {
        baseUrl: server.baseUrl,
        mcpUrl: server.mcpUrl,
        pageUrl: `${origin}/#token=${page.token}`,
        close() {
          clearInterval(ticks);
          return server.close();
        },
      };
    },
    advance(duration) {
      pipeline.clock.advance(toMs(duration));
      runAgendas(pipeline.accounts);
      pipeline.changes.emit({ type: 'clock' });
    },
    async flush() {
      runAgendas(pipeline.accounts);
      await Promise.all(pipeline.accounts.all.map(({ deliveries }) => deliveries.idle()));
    },
    get pageToken() {
      return page.token;
    },
    now: () => new Date(pipeline.clock.now()),
    fail: fault => pipeline.faults.add(fault),
    get requests() {
      return pipeline.log.entries;
    },
    accounts,
    account(name) {
      const found = name === undefined ? first : accounts.find(account => account.name === name);
      if (found !== undefined) return found;
      const names = accounts.map(account => account.name).join(', ');
      throw new ConfigurationError(`There is no account ${name}; there are: ${names}.`);
    },
    get clock() {
      return readClock(pipeline.clock);
    },
    rateLimits: () => rateLimitFill(pipeline),
    subscribe(listener) {
      if (typeof listener !== 'function') throw new ConfigurationError('The listener must be a function.');
      return changes.subscribe(listener);
    },
    save() {
      runAgendas(pipeline.accounts);
      return save(pipeline);
    },
    reset() {
      for (const { deliveries } of pipeline.accounts.all) deliveries.stop();
      pipeline = assemble(options, changes);
      Object.assign(handle, { [SERVICE]: serviceName() });
      changes.emit({ type: 'clock' });
    },
  };
  return sandbox;
}

const TICK_MS = 50;
