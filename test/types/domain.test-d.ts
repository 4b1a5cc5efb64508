import { expectTypeOf, test } from 'vitest';
import { findShippingLine } from '../../src/domain/find-shipping-line.ts';
import {
  type Alert,
  attribute,
  type ContainerStage,
  type ContainerState,
  type Coordinates,
  changesBetween,
  changesOf,
  containerState,
  coordinates,
  correlate,
  correlationKeys,
  type DcsaEvent,
  type DetentionDays,
  delays,
  demurrageDays,
  detentionDays,
  type HoldsAndFees,
  isReadyForPickup,
  type LabelledMilestone,
  labelledMilestones,
  lastFreeDay,
  lastFreeDays,
  type Milestone,
  milestones,
  onlyNew,
  type PickupReason,
  parseContainerNumber,
  rollUpHoldsAndFees,
  statusHistory,
  toDcsa,
} from '../../src/domain/index.ts';
import type { Change } from '../../src/index.ts';
import type {
  Container,
  ContainerAttributes,
  ContainerStatus,
  DynamicInclude,
  MetroArea,
  Port,
  RawEvent,
  Shipment,
  ShipmentAttributes,
  TrackingRequest,
  TransportEvent,
  Vessel,
  WebhookNotification,
} from '../../src/model/index.ts';
import type { Notification } from '../../src/webhooks/index.ts';

declare const plain: Container;
declare const withEvents: Container<['transport_events']>;
declare const withPlaces: Container<['transport_events.location', 'shipment']>;
declare const dynamic: Container<DynamicInclude>;
declare const perhaps: Container<('transport_events' | 'shipment')[]>;
declare const reduced: Pick<ContainerAttributes, 'number' | 'pickup_lfd' | 'pod_timezone' | 'available_for_pickup'>;
declare const partial: Partial<ContainerAttributes>;

test('every variant of a container is accepted', () => {
  for (const container of [plain, withEvents, withPlaces, dynamic, perhaps, reduced, partial]) {
    expectTypeOf(isReadyForPickup(container)).toEqualTypeOf<boolean>();
    expectTypeOf(containerState(container)).toEqualTypeOf<ContainerState>();
    lastFreeDay(container, { now: new Date() });
  }
  milestones(plain);
  milestones(withEvents);
  milestones(withPlaces);
  milestones(dynamic);
  milestones(perhaps);
  milestones(reduced);
  milestones(partial);
});

test('the state of a container has only known values', () => {
  const { stage, pickup, reasons, gateOut } = containerState(plain);
  expectTypeOf(pickup).toEqualTypeOf<'yes' | 'no' | 'unknown'>();
  expectTypeOf(stage).toEqualTypeOf<ContainerStage>();
  expectTypeOf(reasons).toEqualTypeOf<PickupReason[]>();
  expectTypeOf(gateOut?.place).toEqualTypeOf<'port' | 'inland' | undefined>();
});

test('records that are not containers are refused', () => {
  const port = { id: '1', type: 'port', name: 'Ningbo' } as const;
  // @ts-expect-error: nothing in common with a container.
  isReadyForPickup(port);
  for (const bill of [{} as Shipment, {} as Shipment<['containers']>]) {
    // @ts-expect-error: a shipment is not a container.
    isReadyForPickup(bill);
    // @ts-expect-error: a shipment is not a container.
    containerState(bill);
    // @ts-expect-error: a shipment is not a container.
    lastFreeDay(bill);
    // @ts-expect-error: a shipment is not a container.
    lastFreeDays(bill);
    // @ts-expect-error: a shipment is not a container.
    demurrageDays(bill);
    // @ts-expect-error: a shipment is not a container.
    detentionDays(bill, { freeDays: 5 });
    // @ts-expect-error: a shipment is not a container.
    milestones(bill);
    // @ts-expect-error: a shipment is not a container.
    labelledMilestones(bill);
  }
  // @ts-expect-error: a container is not a shipment.
  delays(plain);
  delays({} as Shipment);
  delays({} as Partial<ShipmentAttributes>);
  // @ts-expect-error: nothing in common with a container.
  containerState(port);
  // @ts-expect-error: nothing in common with a container.
  lastFreeDay(port);
  // @ts-expect-error: nothing in common with a container.
  milestones(port);
  // @ts-expect-error: raw events have names of their own and are not vetted.
  milestones([] as RawEvent[]);
});

test('the source of a milestone has the same type as the events that the caller passes', () => {
  expectTypeOf(milestones([] as TransportEvent[])).toEqualTypeOf<Milestone<TransportEvent>[]>();
  expectTypeOf(milestones(withEvents)).toEqualTypeOf<Milestone<TransportEvent>[]>();
  expectTypeOf(milestones(plain)).toEqualTypeOf<Milestone<never>[]>();
  expectTypeOf(milestones([])).toEqualTypeOf<Milestone<never>[]>();
  milestones(perhaps.transport_events ?? []);
  // @ts-expect-error references have no milestones
  milestones(plain.transport_events ?? []);
  // @ts-expect-error references have no milestones
  labelledMilestones(plain.transport_events ?? []);

  const [milestone] = milestones(withPlaces);
  expectTypeOf(milestone?.source?.location).toEqualTypeOf<Port | MetroArea | null | undefined>();
  expectTypeOf(milestones(perhaps)[0]?.source).toEqualTypeOf<TransportEvent | null | undefined>();
});

test('the name of a milestone has known values, and new names are accepted', () => {
  const [milestone] = milestones([] as TransportEvent[]);
  if (milestone?.name === 'vessel_arrived' || milestone?.name === 'barge_arrived') return;
});

test('places have coordinates, and references do not', () => {
  expectTypeOf(coordinates({} as Port)).toEqualTypeOf<Coordinates | undefined>();
  coordinates({} as MetroArea | null);
  coordinates({} as Vessel);
  coordinates(({} as Shipment<['port_of_lading', 'destination']>).port_of_lading);
  coordinates(({} as Shipment<['port_of_lading', 'destination']>).destination);
  // @ts-expect-error: port_of_lading was not included, so it is a reference.
  coordinates(({} as Shipment).port_of_lading);
});

test('a container number is a discriminated union', () => {
  const number = parseContainerNumber('CSQU3054383');
  if (number.valid) {
    expectTypeOf(number.checkDigit).toEqualTypeOf<number>();
    expectTypeOf(number.category).toEqualTypeOf<'U' | 'J' | 'Z'>();
  } else if (number.reason === 'format') {
    // @ts-expect-error: a number that is not valid has no parts.
    number.serial;
  } else {
    expectTypeOf(number.checkDigit).toEqualTypeOf<number | null>();
    expectTypeOf(number.expectedCheckDigit).toEqualTypeOf<number>();
  }
});

test('an unknown attribute has the type unknown', () => {
  expectTypeOf(attribute(plain, 'risk_score')).toEqualTypeOf<unknown>();
});

declare const shipment: Shipment;
declare const withContainers: Shipment<['containers']>;
declare const notification: Notification;
declare const request: TrackingRequest;

test('holds and fees are collected from a shipment, its containers, or references to them', () => {
  expectTypeOf(rollUpHoldsAndFees(withContainers)).toEqualTypeOf<HoldsAndFees>();
  rollUpHoldsAndFees(shipment);
  rollUpHoldsAndFees([plain, withEvents]);
  // @ts-expect-error: a container has no containers.
  rollUpHoldsAndFees(plain);
});

test('the free days for detention are required, because the service does not know them', () => {
  demurrageDays(plain);
  detentionDays(reduced, { freeDays: 5, now: new Date() });
  expectTypeOf(detentionDays(plain, { freeDays: 5 })).toEqualTypeOf<DetentionDays | null>();
  // @ts-expect-error: the service does not know them.
  detentionDays(plain);
  // @ts-expect-error: demurrage does not depend on the number of free days.
  demurrageDays(plain, { freeDays: 5 });
});

test('a match has a carrier only if the carrier is clear', () => {
  const match = findShippingLine([{ scac: 'MAEU', mine: 1 }], 'MAEU');
  expectTypeOf(match.line?.mine).toEqualTypeOf<number | undefined>();
  if (match.line) expectTypeOf(match.candidates).toEqualTypeOf<[]>();
  // @ts-expect-error: there may be none.
  match.line.mine;
});

test('a correlation returns the type that its lookup function returns', () => {
  const found = correlate(notification, ({ kind, value }) => (kind === 'ref_number' ? value.length : undefined));
  expectTypeOf(found.match).toEqualTypeOf<number | undefined>();
  if (found.match === undefined) expectTypeOf(found.candidates).toEqualTypeOf<number[]>();
  correlate(plain, () => null);
  correlationKeys(request);
  // @ts-expect-error: an id is not a subject.
  correlationKeys('id');
});

test('labelled milestones keep the type of their events, and only known milestones can get a label', () => {
  expectTypeOf(labelledMilestones([] as TransportEvent[])).toEqualTypeOf<LabelledMilestone<TransportEvent>[]>();
  const [milestone] = labelledMilestones(withPlaces, { labels: { vessel_arrived: 'Angekommen' } });
  expectTypeOf(milestone?.source?.location).toEqualTypeOf<Port | MetroArea | null | undefined>();
  labelledMilestones(plain, { labels: { 'estimated.vessel_arrived': 'Erwartet' } });
  // @ts-expect-error: the milestone does not exist.
  labelledMilestones(plain, { labels: { vessel_landed: 'Gelandet' } });
});

test('a status history has the statuses of its record type', () => {
  const [period] = statusHistory('container', [
    ...withEvents.transport_events,
    { status: plain.current_status, at: '' },
  ]);
  expectTypeOf(period?.status).toEqualTypeOf<ContainerStatus | null | undefined>();
  statusHistory('tracking_request', [{ status: request.status, at: new Date() }]);
  // @ts-expect-error: a shipment has no status.
  statusHistory('shipment', []);
});

test('the source of a deadline determines its place and its field', () => {
  const { earliest, terminal } = lastFreeDays(plain);
  if (earliest?.source === 'railway') expectTypeOf(earliest.place).toEqualTypeOf<'inland'>();
  if (earliest?.source === 'line') expectTypeOf(earliest.field).toEqualTypeOf<'pickup_lfd_line' | 'pod.line'>();
  expectTypeOf(terminal?.place).toEqualTypeOf<'port' | undefined>();
  demurrageDays(plain, { by: 'line' });
  demurrageDays(plain, { by: lastFreeDay(plain)?.source });
  demurrageDays(plain, { by: earliest?.source });
  // @ts-expect-error It is not a source.
  demurrageDays(plain, { by: 'earliest' });
});

declare const loaded: TransportEvent;
declare const boxChange: Change<Container>;
declare const billChange: Change<Shipment, 'pod_eta_at'>;
declare const ownFields: Change<Pick<Container, 'id' | 'type' | 'number'>>;
declare const kept: WebhookNotification;

test('alerts are made from notifications, items of feeds, and two states of one record', () => {
  for (const change of [notification, boxChange, billChange, ownFields, kept]) {
    expectTypeOf(changesOf(change)).toEqualTypeOf<Alert[]>();
  }
  expectTypeOf(changesBetween(plain, withPlaces, { at: '2026-03-09T03:05:00Z' })).toEqualTypeOf<Alert[]>();
  changesBetween(JSON.parse('{}'), JSON.parse('{}'), { at: '2026-03-09T03:05:00Z' });
  // @ts-expect-error the time of the change is missing
  changesBetween(plain, plain);
  // @ts-expect-error a record is not a change
  changesOf(plain);
  expectTypeOf([] as Alert[]).toEqualTypeOf(changesOf(notification).filter(onlyNew(new Set())));
});

test('an alert is narrowed by its kind', () => {
  const [alert] = changesOf(notification);
  switch (alert?.kind) {
    case 'estimate_moved':
      expectTypeOf(alert.days).toEqualTypeOf<number | null>();
      expectTypeOf(alert.type).toEqualTypeOf<'container' | 'shipment'>();
      break;
    case 'last_free_day_moved':
      expectTypeOf(alert.source).toEqualTypeOf<'line' | 'terminal' | 'railway' | 'unknown'>();
      expectTypeOf(alert.type).toEqualTypeOf<'container'>();
      break;
    case 'fee_changed':
      expectTypeOf(alert.from).toEqualTypeOf<number>();
      break;
    case 'unavailable':
      expectTypeOf(alert.reasons).toEqualTypeOf<PickupReason[]>();
      break;
    // @ts-expect-error a misspelt kind
    case 'hold_removed':
      break;
    default:
      // @ts-expect-error only some kinds of alerts have `days`
      alert?.days;
  }
});

test('the codes of DCSA are exact, and are narrowed by their type', () => {
  const codes = toDcsa(loaded);
  expectTypeOf(codes).toEqualTypeOf<DcsaEvent | undefined>();
  if (codes?.type === 'TRANSPORT') {
    expectTypeOf(codes.code).toEqualTypeOf<'ARRI' | 'DEPA'>();
    expectTypeOf(codes.emptyIndicator).toEqualTypeOf<null>();
  }
  if (codes?.type === 'EQUIPMENT') expectTypeOf(codes.emptyIndicator).toEqualTypeOf<'EMPTY' | 'LADEN'>();
  // @ts-expect-error no event of the service is about a booking
  if (codes?.type === 'SHIPMENT') return;
  toDcsa(notification);
  toDcsa({ event: 'container.transport.event_of_tomorrow' });
  // @ts-expect-error a container is not an event
  toDcsa(plain);
});
