import type { Fault, Faults } from '../http/faults.ts';
import type { AccountCounts, DeliverySummary } from '../inspection/deliveries.ts';
import type { KeyFill, SandboxClock } from '../inspection/gauges.ts';
import type { Range } from '../inspection/range.ts';
import type { ContainerTimeline, ShipmentSummary } from '../inspection/shipments.ts';
import type { TrackingRequestSummary } from '../inspection/tracking-requests.ts';
import type { Scenario } from '../service/scenarios.ts';
import type { LoggedRequest } from '../state/changes.ts';
import type { Duration } from '../state/clock.ts';
import type { Features } from '../state/features.ts';
import type { ScenarioName } from '../world/scripts.ts';

/** What the page sees of a sandbox, and can do to it. */
export interface PageSource {
  /** What a request has to bring to change something. */
  readonly token: string;
  /** The names under which the page may be opened, besides addresses and `localhost`. */
  readonly hosts: ReadonlySet<string>;
  readonly accounts: readonly PageAccount[];
  readonly scenarios: readonly { name: ScenarioName; description: string }[];
  clock(): SandboxClock;
  requests(): readonly LoggedRequest[];
  faults(): Faults['waiting'];
  /** The time of the log, in ms. */
  elapsed(): number;
  rateLimits(): KeyFill[];
  advance(duration: Duration): void;
  fail(fault: Fault): void;
  /** Sends a request to the emulated service. */
  send(request: Request): Promise<Response>;
}

/** What the page sees of an account, and can do to it. */
export interface PageAccount {
  readonly name: string;
  readonly companyName: string;
  readonly apiKeys: readonly string[];
  readonly features: Features;
  counts(): AccountCounts;
  shipments(range: Range): ShipmentSummary[];
  timelines(shipmentId: string): ContainerTimeline[] | undefined;
  trackingRequests(range: Range): TrackingRequestSummary[];
  deliveries(range: Range): DeliverySummary[];
  scenario(name: ScenarioName): Scenario;
}
