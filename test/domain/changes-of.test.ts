import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Alert, ConfigurationError, changesBetween, changesOf, onlyNew } from '../../src/index.ts';
import type { ContainerChangeset, EventName, TerminalFee, TerminalHold } from '../../src/model/index.ts';
import {
  fakeNotification,
  type Notification,
  parseNotification,
  type SubjectNotification,
} from '../../src/webhooks/index.ts';

const AT = '2026-03-09T03:05:00Z';
const hold = (name: string, status = 'hold', description = ''): TerminalHold => ({ name, status, description });
const fee = (type: string, amount: number): TerminalFee => ({ type, amount, currency_code: 'USD' });

/** A container at the port, before any report of the terminal. */
const BOX = {
  type: 'container',
  id: 'c1',
  number: 'CSQU3054383',
  current_status: 'not_available',
  availability_known: true,
  available_for_pickup: false,
  pod_discharged_at: '2026-03-05T14:24:00Z',
  pod_timezone: 'America/New_York',
  holds_at_pod_terminal: [] as TerminalHold[],
  fees_at_pod_terminal: [] as TerminalFee[],
};
const BILL = {
  type: 'shipment',
  id: 's1',
  bill_of_lading_number: 'TESTSMP260200117',
  pol_atd_at: null as string | null,
  pod_timezone: 'America/New_York',
  pod_eta_at: '2026-03-05T11:00:00Z',
  pod_original_eta_at: '2026-03-02T11:00:00Z',
  pod_vessel_name: 'SAMPLE HORIZON',
  pod_vessel_imo: '9551014',
  pod_voyage_number: '604E',
};

const updated = (changeset: ContainerChangeset, container: object = {}) => {
  const notification = fakeNotification('container.updated', { container });
  return { ...notification, reference_object: { ...notification.reference_object, changeset } } as Notification;
};
const shortly = (alerts: readonly Alert[]) =>
  alerts.map(({ key: _key, at: _at, type: _type, id: _id, ...rest }) => rest);
const between = (before: object, after: object, record: object = BOX) =>
  shortly(changesBetween({ ...record, ...before } as typeof BOX, { ...record, ...after } as typeof BOX, { at: AT }));

describe('a changeset', () => {
  test('reports that its container became available, and that it is no longer available, with the reason', () => {
    const notification = updated({ available_for_pickup: [false, true] });
    expect(changesOf(notification)).toEqual([
      {
        kind: 'available',
        key: `available/${notification.container?.id}/${AT}`,
        at: AT,
        type: 'container',
        id: notification.container?.id,
        number: 'CSQU3054383',
      },
    ]);
    const back = updated({ available_for_pickup: [true, false] }, { available_for_pickup: false });
    expect(shortly(changesOf(back))).toEqual([
      { kind: 'unavailable', number: 'CSQU3054383', reasons: ['not_available'] },
    ]);
  });

  test('reports the release of a container under a hold only when the hold is cleared', () => {
    const customs = [hold('customs', 'hold', 'CBP HOLD')];
    const held = updated({ available_for_pickup: [false, true] }, { holds_at_pod_terminal: customs });
    expect(changesOf(held)).toEqual([]);
    expect(shortly(changesOf(updated({ holds_at_pod_terminal: [customs, []] })))).toEqual([
      { kind: 'available', number: 'CSQU3054383' },
      { kind: 'hold_cleared', number: 'CSQU3054383', hold: 'customs', description: 'CBP HOLD' },
    ]);
  });

  test('is read too if it has an older form, or if its container is only a reference', () => {
    const notification = fakeNotification('container.updated');
    const { container, ...others } = notification;
    const reference_object = {
      ...notification.reference_object,
      container: { type: 'container', id: 'c9' },
      changeset: { pod_terminal_holds: [[], [hold('TMF')]], available_for_pickup: 'odd' },
    };
    expect(changesOf({ ...others, reference_object } as never)).toMatchObject([
      { kind: 'hold_added', hold: 'TMF', id: 'c9', number: null },
    ]);
    expect(container).toBeDefined();
  });

  const [EARLIER, LATER] = ['2026-03-12T04:00:00Z', '2026-03-14T04:00:00Z'];
  const withLine = (day: string) => ({
    import_deadlines: {
      pickup_lfd_line: day,
      pickup_lfd_terminal: null,
      pickup_lfd_rail: null,
      pod: { line: { original: null, current: day, calculated: null, manual: false } },
    },
  });

  test('reports one alert with the earlier day if two fields have a last free day of the same source', () => {
    const moved = (before: string | null) =>
      shortly(
        changesOf(
          updated({ pickup_lfd_line: [before, LATER], pickup_lfd: [before, LATER] }, withLine(LATER) as object),
        ),
      );
    const line = { kind: 'last_free_day_moved', number: 'CSQU3054383', source: 'line', timezone: 'America/New_York' };
    expect(moved(EARLIER)).toEqual([{ ...line, from: '2026-03-12', to: '2026-03-14' }]);
    expect(moved(null)).toEqual([{ ...line, from: null, to: '2026-03-14' }]);
    const alone = updated({ pickup_lfd_line: [EARLIER, LATER] }, withLine(LATER) as object);
    expect(changesOf(alone)).toMatchObject([{ from: '2026-03-12' }]);
    const first = updated({ pickup_lfd_line: [null, LATER] }, withLine(LATER) as object);
    expect(changesOf(first)).toMatchObject([{ from: null, to: '2026-03-14' }]);
  });

  test('does not report a last free day if only its time of day has changed', () => {
    const changeset: ContainerChangeset = { pickup_lfd: ['2026-03-14T05:00:00Z', LATER] };
    expect(changesOf(updated(changeset, withLine(LATER) as object))).toEqual([]);
  });

  test('has the source `unknown` for a last free day that no source has reported', () => {
    expect(shortly(changesOf(updated({ pickup_lfd: ['2026-03-10T04:00:00Z', '2026-03-12T04:00:00Z'] })))).toMatchObject(
      [{ kind: 'last_free_day_moved', source: 'unknown', from: '2026-03-10', to: '2026-03-12' }],
    );
  });

  test('of a container that has left has no alerts of the terminal except fees', () => {
    const changeset: ContainerChangeset = {
      available_for_pickup: [false, true],
      fees_at_pod_terminal: [[], [fee('demurrage', 185)]],
      pickup_lfd: [null, '2026-03-12T04:00:00Z'],
    };
    expect(changesOf(updated(changeset, { pod_full_out_at: '2026-03-08T15:00:00Z' }))).toMatchObject([
      { kind: 'fee_added', fee: 'demurrage', amount: 185, currency: 'USD' },
    ]);
  });
});

describe('one last free day', () => {
  const deadlines = { pickup_lfd_terminal: '2026-03-12T04:00:00Z', pickup_lfd_rail: null, pickup_lfd_line: null };
  const container = { import_deadlines: deadlines } as object;
  const named = (event: EventName) => {
    const notification = fakeNotification(event as 'container.pickup_lfd.changed', { container } as object);
    return {
      ...notification,
      container: { ...fakeNotification('container.updated').container, ...container },
    } as never;
  };

  test('is reported once, by any of its three notifications', () => {
    const three = [
      named('container.pickup_lfd.changed'),
      named('container.pickup_lfd_terminal.changed'),
      updated({ pickup_lfd: [null, '2026-03-12T04:00:00Z'] }, container),
    ];
    for (const [second, notification] of three.entries()) {
      const { reference_object } = notification as SubjectNotification<'container.updated'>;
      Object.assign(reference_object, {
        created_at: `2026-03-09T03:05:0${second}Z`,
        timestamp: `2026-03-09T03:05:0${second}Z`,
      });
    }
    const alerts = three.flatMap(changesOf);
    expect(alerts).toHaveLength(3);
    expect(alerts.filter(onlyNew(new Set()))).toMatchObject([
      { kind: 'last_free_day_moved', source: 'terminal', to: '2026-03-12' },
    ]);
  });

  test('is the day in the time zone of the event if the notification has only a reference to the container', () => {
    const notification = fakeNotification('container.pickup_lfd_rail.changed', {
      reference_object: { value: '2026-03-11T16:00:00Z', timezone: 'Asia/Shanghai' },
    });
    Object.assign(notification.reference_object, { container: { type: 'container', id: 'c9' } });
    expect(changesOf(notification)).toMatchObject([{ source: 'railway', to: '2026-03-12', id: 'c9', number: null }]);
  });

  test('is not reported by a notification that does not name its container', () => {
    for (const event of ['container.pickup_lfd_terminal.changed', 'container.transport.available'] as const) {
      expect(changesOf(fakeNotification(event))).toEqual([]);
    }
  });
});

describe('an estimate', () => {
  test('in a notification is compared with the first estimate, by the local days of the place', () => {
    const late = { reference_object: { estimated_timestamp: '2026-03-07T03:00:00Z' } };
    const notification = fakeNotification('shipment.estimated.arrival', late);
    Object.assign(notification.shipment ?? {}, { pod_original_eta_at: '2026-03-05T11:00:00Z' });
    expect(shortly(changesOf(notification))).toEqual([
      {
        kind: 'estimate_moved',
        number: 'TESTSMP260200117',
        estimate: 'arrival',
        from: null,
        to: '2026-03-07T03:00:00Z',
        timezone: 'America/New_York',
        days: null,
        first: '2026-03-05T11:00:00Z',
        daysLate: 1,
      },
    ]);
  });

  test('of a container and of its shipment is reported once', () => {
    const shipment = { pod_original_eta_at: '2026-03-02T11:00:00Z' };
    const ofShipment = fakeNotification('shipment.estimated.arrival', { shipment });
    Object.assign(ofShipment.shipment ?? {}, shipment);
    const ofContainer = {
      ...fakeNotification('container.transport.estimated.vessel_arrived', {
        reference_object: { timestamp: '2026-03-05T12:00:00Z' },
      }),
      shipment: ofShipment.shipment,
    };
    const keys = [...changesOf(ofShipment), ...changesOf(ofContainer as never)].map(({ key }) => key);
    expect(keys).toHaveLength(2);
    expect(new Set(keys).size).toBe(1);
  });

  test('has moved between two states only if its day is later or earlier', () => {
    const arrival = (from: string | null, to: string | null) =>
      between({ pod_eta_at: from }, { pod_eta_at: to }, BILL).map(alert =>
        alert.kind === 'estimate_moved' ? [alert.days, alert.daysLate] : alert,
      );
    expect(arrival('2026-03-05T11:00:00Z', '2026-03-08T11:00:00Z')).toEqual([[3, 6]]);
    expect(arrival('2026-03-05T11:00:00Z', '2026-03-04T11:00:00Z')).toEqual([[-1, 2]]);
    expect(arrival('2026-03-05T11:00:00Z', '2026-03-05T22:00:00Z')).toEqual([]);
    expect(arrival(null, '2026-03-08T11:00:00Z')).toEqual([]);
    expect(arrival('2026-03-08T11:00:00Z', null)).toEqual([]);
  });
});

describe('a vessel', () => {
  const other = { pod_vessel_name: 'SAMPLE DAWN', pod_vessel_imo: '9123453', pod_voyage_number: '1W' };
  const onWay = { pol_atd_at: '2026-02-01T00:00:00Z' };

  test('that changes before the departure means that the container was rolled, with the delay in days', () => {
    expect(between({}, { ...other, pod_eta_at: '2026-03-12T11:00:00Z' }, BILL)).toMatchObject([
      { kind: 'estimate_moved', days: 7 },
      {
        kind: 'rolled',
        from: { name: 'SAMPLE HORIZON', imo: '9551014', voyage: '604E' },
        to: { name: 'SAMPLE DAWN', imo: '9123453', voyage: '1W' },
        days: 7,
      },
    ]);
  });

  test('that changes on the way means a missed transshipment only if the arrival is later', () => {
    const later = { ...other, ...onWay, pod_eta_at: '2026-03-09T11:00:00Z' };
    expect(between(onWay, later, BILL)).toMatchObject([
      { kind: 'estimate_moved' },
      { kind: 'transshipment_missed', days: 4 },
    ]);
    expect(between(onWay, { ...other, ...onWay }, BILL)).toEqual([]);
    expect(between(onWay, { ...later, pod_ata_at: '2026-03-09T10:00:00Z' }, BILL)).not.toContainEqual(
      expect.objectContaining({ kind: 'transshipment_missed' }),
    );
  });

  test('that is first reported, or spelled differently, is not a change', () => {
    expect(between({ pod_vessel_imo: null, pod_vessel_name: null }, {}, BILL)).toEqual([]);
    expect(between({ pod_vessel_name: 'Sample Horizon' }, {}, BILL)).toEqual([]);
    expect(between({ pod_vessel_name: 'Sample Horizon', pod_vessel_imo: null }, {}, BILL)).toEqual([]);
    expect(between({ pod_vessel_name: 'NAME BEFORE ITS SALE' }, {}, BILL)).toEqual([]);
    expect(between({ pod_vessel_imo: '9123453' }, {}, BILL)).toMatchObject([{ kind: 'rolled' }]);
  });
});

describe('holds and fees', () => {
  test('count if they are active, and only `other` holds are distinguished by their description', () => {
    const holds = (...held: TerminalHold[]) => ({ holds_at_pod_terminal: held });
    expect(between(holds(), holds(hold('customs', 'pending')))).toEqual([]);
    expect(between(holds(hold('customs', 'pending')), holds(hold('customs')))).toMatchObject([{ kind: 'hold_added' }]);
    expect(between(holds(hold('customs', 'hold', 'X')), holds(hold('customs', 'hold', 'Y')))).toEqual([]);
    expect(between(holds(hold('other', 'hold', 'X')), holds(hold('other', 'hold', 'Y')))).toMatchObject([
      { kind: 'hold_added', description: 'Y' },
      { kind: 'hold_cleared', description: 'X' },
    ]);
  });

  test('include each fee that is new, has received a price or has increased, but not the total', () => {
    const fees = (...due: TerminalFee[]) => ({ fees_at_pod_terminal: due });
    expect(between(fees(), fees(fee('exam', 0), fee('total', 0)))).toMatchObject([
      { kind: 'fee_added', fee: 'exam', amount: 0, currency: 'USD' },
    ]);
    expect(between(fees(fee('exam', 0)), fees(fee('exam', 450), fee('total', 450)))).toMatchObject([
      { kind: 'fee_changed', fee: 'exam', from: 0, amount: 450 },
    ]);
    expect(between(fees(fee('exam', 450)), fees(fee('exam', 450)))).toEqual([]);
  });

  test('include the final fee at the gate-out or later, because that sum is invoiced', () => {
    const fees = (...due: TerminalFee[]) => ({ fees_at_pod_terminal: due });
    const gone = { pod_full_out_at: '2026-03-14T16:00:00Z', current_status: 'picked_up' };
    const ready = { available_for_pickup: true, current_status: 'available' };
    const number = BOX.number;
    const added = { kind: 'fee_added', number, fee: 'demurrage', amount: 185, currency: 'USD' };
    const changed = { kind: 'fee_changed', number, fee: 'demurrage', from: 185, amount: 555, currency: 'USD' };
    expect(between(ready, { ...gone, ...fees(fee('demurrage', 185)) })).toEqual([added]);
    const owing = fees(fee('demurrage', 185));
    const final = fees(fee('demurrage', 555));
    expect(between({ ...ready, ...owing }, { ...gone, ...final })).toEqual([changed]);
    expect(between({ ...gone, ...owing }, { ...gone, ...final })).toEqual([changed]);
    expect(between({ ...ready, ...owing }, { ...gone, ...owing })).toEqual([]);
  });
});

describe('an attribute that one of two states lacks', () => {
  const [DAY, LATER] = ['2026-03-12T04:00:00Z', '2026-03-14T04:00:00Z'];
  const deadlines = (day: string) => ({
    pickup_lfd: day,
    import_deadlines: { pickup_lfd_terminal: day, pickup_lfd_rail: null, pickup_lfd_line: null },
    ind_facility_lfd_on: null,
  });
  const FULL = {
    ...BOX,
    ...deadlines(DAY),
    current_status: 'available',
    available_for_pickup: true,
    holds_at_pod_terminal: [hold('freight', 'pending'), hold('other', 'hold', 'X')],
    fees_at_pod_terminal: [fee('demurrage', 185)],
    final_destination_timezone: 'America/Chicago',
  };
  const { import_deadlines: _, ind_facility_lfd_on: __, current_status: ___, ...SHORT } = FULL;
  const alertsOf = (before: object, after: object) =>
    shortly(changesBetween(before as typeof BOX, after as typeof BOX, { at: AT }));

  test('counts as unchanged, whichever state lacks it', () => {
    for (const name of Object.keys(FULL).filter(key => key !== 'type' && key !== 'id')) {
      const lacking = { ...FULL, [name]: undefined };
      expect(alertsOf(lacking, FULL), name).toEqual([]);
      expect(alertsOf(FULL, lacking), name).toEqual([]);
    }
    expect(alertsOf(SHORT, FULL)).toEqual([]);
    expect(alertsOf(FULL, SHORT)).toEqual([]);
    const { type, id } = BOX;
    expect(alertsOf({ type, id }, FULL)).toEqual([]);
    expect(alertsOf(FULL, { type, id })).toEqual([]);
  });

  test('does not hide a change of another attribute, and differs from null', () => {
    const moved = { kind: 'last_free_day_moved', number: BOX.number, timezone: BOX.pod_timezone, to: '2026-03-14' };
    const unnamed = { ...moved, source: 'unknown', from: '2026-03-12' };
    expect(alertsOf(SHORT, { ...FULL, ...deadlines(LATER) })).toEqual([unnamed]);
    expect(alertsOf(FULL, { ...SHORT, pickup_lfd: LATER })).toEqual([unnamed]);
    expect(alertsOf({ ...SHORT, pickup_lfd: null }, { ...SHORT, pickup_lfd: LATER })).toEqual([
      { ...unnamed, from: null },
    ]);
    const older = { ...SHORT, ind_facility_lfd_on: '2026-03-20' };
    expect(alertsOf(older, { ...older, ind_facility_lfd_on: '2026-03-21' })).toMatchObject([
      { source: 'railway', from: '2026-03-20', to: '2026-03-21' },
    ]);
    const inFull = { ...FULL, ...deadlines(LATER) };
    expect(alertsOf(FULL, inFull)).toEqual([{ ...moved, source: 'terminal', from: '2026-03-12' }]);
    expect(alertsOf({ ...FULL, pickup_lfd: null, import_deadlines: null }, inFull)).toEqual([
      { ...moved, source: 'terminal', from: null },
    ]);
  });

  test('does not hide a change of the vessel, and a missing departure is taken from the other state', () => {
    const { pod_vessel_imo: _imo, ...nameOnly } = BILL;
    const other = { ...BILL, pod_vessel_name: 'SAMPLE DAWN', pod_vessel_imo: '9123453' };
    expect(alertsOf(nameOnly, other)).toMatchObject([
      { kind: 'rolled', from: { name: 'SAMPLE HORIZON', imo: null }, to: { name: 'SAMPLE DAWN', imo: '9123453' } },
    ]);
    expect(alertsOf(nameOnly, BILL)).toEqual([]);
    const { pol_atd_at: _atd, ...onWay } = other;
    expect(alertsOf({ ...BILL, pol_atd_at: '2026-02-01T00:00:00Z' }, onWay)).toEqual([]);
  });
});

test('a container that leaves has no alert about its deadlines, and no alert that it is unavailable', () => {
  const ready = {
    available_for_pickup: true,
    current_status: 'available',
    import_deadlines: { pickup_lfd_terminal: '2026-03-12T04:00:00Z', pickup_lfd_rail: null, pickup_lfd_line: null },
    final_destination_timezone: 'America/Chicago',
    pickup_lfd: '2026-03-20T05:00:00Z',
  };
  expect(between(ready, { ...ready, current_status: 'picked_up' })).toEqual([]);
  // On the train, the inland day becomes the next deadline. It was known before, so it has not moved.
  expect(between(ready, { ...ready, current_status: 'on_rail' })).toEqual([
    { kind: 'unavailable', number: 'CSQU3054383', reasons: ['not_unloaded'] },
  ]);
});

test('a last free day has not moved if only its time zone becomes known', () => {
  const days = { pickup_lfd_terminal: '2026-03-12T02:00:00Z', pickup_lfd_rail: null, pickup_lfd_line: null };
  expect(between({ import_deadlines: days, pod_timezone: null }, { import_deadlines: days })).toEqual([]);
});

test('the event reports that a container inland is available, because no changeset reports it', () => {
  const inland = { ...BOX, ind_rail_unloaded_at: '2026-03-08T10:00:00Z', current_status: 'available' };
  const at = (event: EventName, container: object) => {
    const notification = fakeNotification('container.transport.full_out');
    return changesOf({ ...notification, event, container } as never).map(({ kind }) => kind);
  };
  expect(at('container.transport.available', inland)).toEqual(['available']);
  expect(at('container.transport.not_available', inland)).toEqual(['unavailable']);
  // The terminal at the port reports it in a changeset.
  expect(at('container.transport.available', BOX)).toEqual([]);
});

describe('an item of a feed', () => {
  const item = (field: string, before: unknown, previous: object, record: object) => ({
    kind: 'changed',
    id: 'c1',
    field,
    before,
    previous,
    record: { ...BOX, ...record },
    since: '2026-03-09T03:00:00Z',
    at: AT,
  });

  test('has the alerts of its whole reading, like every other item of that reading', () => {
    const previous = { available_for_pickup: true, holds_at_pod_terminal: [] };
    const record = { available_for_pickup: false, holds_at_pod_terminal: [hold('customs')] };
    const items = [
      item('available_for_pickup', true, previous, record),
      item('holds_at_pod_terminal', [], previous, record),
    ];
    const alerts = items.flatMap(changesOf);
    expect(alerts).toHaveLength(4);
    expect(shortly(alerts.filter(onlyNew(new Set())))).toMatchObject([
      { kind: 'unavailable', reasons: ['hold', 'not_available'] },
      { kind: 'hold_added' },
    ]);
  });

  test('has alerts for a field that was absent before, and has no alerts for unwatched fields', () => {
    const record = { available_for_pickup: true };
    expect(changesOf(item('available_for_pickup', undefined, {}, record))).toMatchObject([{ kind: 'available' }]);
    expect(changesOf(item('seal_number', null, { seal_number: null }, record))).toEqual([]);
  });

  test.each([
    [undefined, 'The change is undefined; it must be a notification, or an item of a feed.'],
    [null, 'The change is null; it must be a notification, or an item of a feed.'],
    ['container.updated', 'The change is "container.updated"; it must be a notification, or an item of a feed.'],
    [[], 'The change is an array; it must be a notification, or an item of a feed.'],
    [BOX, 'The change is a record of the type container; it must be a notification, or an item of a feed.'],
  ])('cannot be replaced by %j', (change, message) => {
    expect(() => changesOf(change as never)).toThrow(new ConfigurationError(message));
  });

  test('that is not a change has no alerts', () => {
    expect(changesOf({ kind: 'appeared', at: AT })).toEqual([]);
    expect(changesOf({ kind: 'gone', at: AT })).toEqual([]);
  });
});

test('two states must be of the same record, and have a time', () => {
  const withTime = (at: unknown) => () => changesBetween(BOX, BOX, { at } as { at: string });
  expect(withTime(new Date())).toThrow(
    new ConfigurationError('at is a Date; it must be an ISO 8601 text such as 2026-03-09T03:05:00Z.'),
  );
  for (const at of [undefined, null, '', 'yesterday', '2026-02-30T00:00:00Z', Date.now()]) {
    expect(withTime(at), String(at)).toThrow(/^at is .*; it must be an ISO 8601 text/);
  }
  for (const at of [AT, '2026-03-09T03:05:00.123+02:00', new Date().toISOString()]) expect(withTime(at)()).toEqual([]);
  expect(() => changesBetween(null as never, null as never, { at: AT })).toThrow('they must be the same record');
  expect(() => changesBetween(BOX, { ...BOX, id: 'c2' }, { at: AT })).toThrow(ConfigurationError);
  expect(() => changesBetween(BOX, undefined as never, { at: AT })).toThrow('they must be the same record');
  expect(() => changesBetween(BOX, BOX, {} as never)).toThrow(ConfigurationError);
  expect(changesBetween({ type: 'vessel', id: 'v' }, { type: 'vessel', id: 'v' }, { at: AT })).toEqual([]);
});

test('the option for keys that were seen must be a set', () => {
  for (const seen of [undefined, null, [], { has: () => false }]) {
    expect(() => onlyNew(seen as never)).toThrow(ConfigurationError);
  }
  expect(() => onlyNew(undefined as never)).toThrow(
    'seen is undefined; it must be a Set, or an object with the methods has and add.',
  );
});

test('unknown events and arbitrary payloads cause no alerts and no errors', () => {
  const payload = JSON.stringify({
    data: { id: '1', type: 'webhook_notification', attributes: { event: 'container.brand_new_event' } },
  });
  expect(changesOf(parseNotification(payload))).toEqual([]);
  const name = fc.constantFrom<EventName>(
    'container.updated',
    'container.pickup_lfd.changed',
    'container.pickup_lfd_line.changed',
    'shipment.estimated.arrival',
    'container.transport.available',
  );
  const key = fc.constantFrom('holds_at_pod_terminal', 'fees_at_pod_terminal', 'pickup_lfd', 'pickup_lfd_line', 'odd');
  const oddly = <T extends object>(record: T, ...names: string[]) =>
    fc.dictionary(fc.constantFrom(...Object.keys(record), ...names), fc.jsonValue({ maxDepth: 3 })).map(values => ({
      ...record,
      ...values,
    }));
  const odd = fc.record({
    event: name,
    reference_object: fc.oneof(
      fc.jsonValue(),
      fc.record({
        changeset: fc.dictionary(
          key,
          fc.oneof(fc.jsonValue(), fc.array(fc.jsonValue({ maxDepth: 3 }), { minLength: 2, maxLength: 2 })),
        ),
        estimated_timestamp: fc.jsonValue(),
        timezone: fc.jsonValue(),
        value: fc.jsonValue(),
      }),
    ),
    container: fc.oneof(fc.jsonValue(), oddly(BOX, 'import_deadlines', 'pickup_lfd', 'final_destination_timezone')),
    shipment: fc.oneof(fc.jsonValue(), oddly(BILL)),
  });
  fc.assert(
    fc.property(odd, notification => Array.isArray(changesOf(notification as never))),
    { numRuns: 500 },
  );
  const notification = (value: unknown) => ({ ...Object(value), event: 'container.updated', reference_object: value });
  fc.assert(fc.property(fc.jsonValue(), value => changesOf(notification(value)).length >= 0));
  const at = { at: AT };
  // This value cannot be converted to text.
  const unreadable = { toString: {} };
  expect(
    changesBetween(BILL, { ...BILL, pod_eta_at: unreadable, pod_timezone: unreadable } as object as typeof BILL, at),
  ).toEqual([]);
  expect(
    changesBetween(BOX, { ...BOX, pickup_lfd: unreadable, number: unreadable } as object as typeof BOX, at),
  ).toEqual([]);
  fc.assert(
    fc.property(oddly(BOX), after => Array.isArray(changesBetween(BOX, { ...after, id: 'c1', type: 'container' }, at))),
  );
  fc.assert(
    fc.property(oddly(BILL), after =>
      Array.isArray(changesBetween(BILL, { ...after, id: 's1', type: 'shipment' }, at)),
    ),
  );
});
