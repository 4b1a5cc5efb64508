import { oneOf } from '../../internal/arguments.ts';
import type { EventName } from '../../model/index.ts';
import { defined } from '../base/checks.ts';
import { type Backend, runAgenda } from '../state/backend.ts';
import { makeShipment } from '../state/new-records.ts';
import { endOfTracking } from '../state/voyages.ts';
import { outcomeOf, SCENARIO_NAMES, type ScenarioName, scriptNamed, wordOf } from '../world/scripts.ts';
import { DOCUMENT_READ_AFTER, LINKING } from './document-processing.ts';
import { delayOf, EMAIL_AFTER, FLAKY_FOR, LATE_MANIFEST_AFTER, UNREACHABLE_FOR } from './tracking.ts';

/** A tracking number whose future events are known, see `sandbox.scenario`. */
export interface Scenario {
  /** The name of the scenario. */
  name: ScenarioName;
  /** The scenario in one sentence. */
  description: string;
  /** The number to track. The number always has this outcome. Each call returns a new number. */
  number: string;
  /** The SCAC with which the number is tracked. */
  scac: string;
  /** The type of the number. */
  requestType: 'bill_of_lading' | 'booking_number';
  /**
   * The events that follow the start of the tracking, if the number is tracked immediately. Events that the carrier has
   * reported before the start of the tracking are left out.
   */
  steps: ScenarioStep[];
}

/** Something that will happen in a scenario. */
export interface ScenarioStep {
  /** Time of the service's clock at which the event is reported. From this time on, the event is in the records. */
  at: Date;
  /** The name of the event, or `hold.placed` and `hold.released` for a hold at the terminal. */
  event: EventName | 'hold.placed' | 'hold.released';
  /** The name of the event's place, if the event has a place. */
  place: string | null;
}

/** @throws {ConfigurationError} for an unknown name. */
export function announce(backend: Backend, name: ScenarioName): Scenario {
  oneOf('scenario', name, SCENARIO_NAMES);
  runAgenda(backend);
  const { store, now } = backend;
  const { description, requestType } = scriptNamed(name);
  const number = `MAEU${wordOf(name)}${store.announced.size + 1}`;
  store.announced.add({ id: number, inPhaseAt: now });
  return { name, description, number, scac: 'MAEU', requestType, steps: stepsOf(backend, name, number) };
}

function stepsOf(backend: Backend, name: ScenarioName, number: string): ScenarioStep[] {
  const answeredAt = backend.now + delayOf(backend, number);
  const step = (event: ScenarioStep['event'], at: number, place: string | null = null): ScenarioStep => ({
    at: new Date(at),
    event,
    place,
  });
  switch (outcomeOf(number)) {
    case 'created':
      return [step('tracking_request.succeeded', answeredAt), ...afterSuccess(answeredAt)];
    case 'late_manifest': {
      const foundAt = answeredAt + LATE_MANIFEST_AFTER;
      const found = step('tracking_request.succeeded', foundAt);
      return [step('tracking_request.awaiting_manifest', answeredAt), found, ...afterSuccess(foundAt)];
    }
    case 'flaky': {
      const foundAt = answeredAt + FLAKY_FOR;
      return [step('tracking_request.succeeded', foundAt), ...afterSuccess(foundAt)];
    }
    case 'unreachable':
      return [step('tracking_request.failed', answeredAt + UNREACHABLE_FOR)];
    default:
      return [step('tracking_request.failed', answeredAt)];
  }

  function afterSuccess(since: number): ScenarioStep[] {
    const carrier = defined(backend.carriers.find(({ scac }) => scac === 'MAEU'));
    const shipment = makeShipment(backend, backend.ids.of('announced', number), {
      carrier,
      number,
      containerNumber: number,
      createdAt: since,
      inPhaseAt: defined(backend.store.announced.get(number)).inPhaseAt,
    });
    const voyage = backend.voyages.of(shipment);
    const { boxes, podTerminal, eta, pod } = voyage;
    const { events, holds } = defined(boxes[0]);
    const steps = [
      ...events.map(({ event, reportedAt, place }) => step(event, reportedAt, place.name)),
      ...holds.flatMap(({ from, to }) => [
        step('hold.placed', from, podTerminal.name),
        step('hold.released', to, podTerminal.name),
      ]),
      ...eta.map(({ reportedAt }) => step('shipment.estimated.arrival', reportedAt, pod.name)),
      step('tracking_request.tracking_stopped', endOfTracking(shipment, voyage)),
      ...(scriptNamed(name).hasEmail
        ? [
            step('document.extracted', since + EMAIL_AFTER + DOCUMENT_READ_AFTER),
            step('document.extraction_failed', since + EMAIL_AFTER + DOCUMENT_READ_AFTER),
            step('link.created', since + EMAIL_AFTER + DOCUMENT_READ_AFTER + LINKING),
          ]
        : []),
    ];
    return steps.filter(({ at }) => at.getTime() > since).sort((a, b) => a.at.getTime() - b.at.getTime());
  }
}
