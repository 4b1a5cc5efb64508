import { describe, expectTypeOf, test } from 'vitest';
import type {
  ContainerDeadline,
  DemurrageRow,
  HeldRow,
  LastFreeDayRow,
  LateRow,
  Money,
  NotIncluded,
  Port,
  ReadyRow,
  Shipment,
  SilentRow,
  Terminal,
  TerminalHold,
  Tracked,
  TrackingClient,
  Worklist,
  WorklistOptions,
  WorklistRow,
} from '../../src/index.ts';
import { dynamicInclude } from '../../src/index.ts';

declare const client: TrackingClient;
declare const flag: boolean;

describe('a worklist', () => {
  test('has the rows of the lists that its options name', () => {
    expectTypeOf(client.worklist({ ready: true })).toEqualTypeOf<Worklist<ReadyRow>>();
    expectTypeOf(client.worklist({ held: true, late: { days: 2 } })).toEqualTypeOf<Worklist<HeldRow | LateRow>>();
    expectTypeOf(client.worklist({ ready: false, held: true })).toEqualTypeOf<Worklist<HeldRow>>();
    expectTypeOf(client.worklist({ ready: undefined, demurrage: true })).toEqualTypeOf<Worklist<DemurrageRow>>();
    expectTypeOf(client.worklist({ silent: { days: 5 }, now: new Date(), signal: AbortSignal.abort() })).toEqualTypeOf<
      Worklist<SilentRow>
    >();
    expectTypeOf(client.worklist({ lastFreeDay: { within: 7 } }).toArray()).resolves.toEqualTypeOf<LastFreeDayRow[]>();
  });

  test('also has the rows of a list that its options may name at run time', () => {
    expectTypeOf(client.worklist({ ready: flag, held: true })).toEqualTypeOf<Worklist<ReadyRow | HeldRow>>();
    const late = flag ? { days: 3 } : undefined;
    expectTypeOf(client.worklist({ late })).toEqualTypeOf<Worklist<LateRow>>();
    const options: WorklistOptions = { ready: true };
    expectTypeOf(client.worklist(options)).toEqualTypeOf<Worklist<WorklistRow>>();
    const named = { ready: true, lastFreeDay: { within: 7 } };
    expectTypeOf(client.worklist(named)).toEqualTypeOf<Worklist<ReadyRow | LastFreeDayRow>>();
  });

  test('has rows that can be distinguished by their list', () => {
    const row = {} as WorklistRow;
    expectTypeOf(row.deadline).toEqualTypeOf<ContainerDeadline | null>();
    if (row.list === 'demurrage') {
      expectTypeOf(row).toEqualTypeOf<DemurrageRow>();
      expectTypeOf(row.days).toEqualTypeOf<number>();
      expectTypeOf(row.demurrage).toEqualTypeOf<Money[]>();
    }
    if (row.list === 'lastFreeDay') expectTypeOf(row.deadline).toEqualTypeOf<ContainerDeadline>();
    if (row.list === 'held') expectTypeOf(row.by).toEqualTypeOf<TerminalHold['name'][]>();
    // @ts-expect-error only a held container has holders
    row.by;
    // @ts-expect-error a list that is not there
    if (row.list === 'hold') return;
    expectTypeOf(row.container.pod_terminal).toEqualTypeOf<Terminal | null>();
    expectTypeOf(row.container.shipment?.port_of_discharge).toEqualTypeOf<NotIncluded<'port'> | null | undefined>();
  });

  test('refuses invalid options', () => {
    // @ts-expect-error the list is called held
    client.worklist({ ready: true, hold: true });
    // @ts-expect-error the list needs the days
    client.worklist({ late: true });
    // @ts-expect-error the option for the days is called `within`
    client.worklist({ lastFreeDay: { days: 7 } });
    // @ts-expect-error no list is named
    client.worklist();
    // @ts-expect-error no list is named
    client.worklist({});
    // @ts-expect-error no list is named
    client.worklist({ now: new Date() });
    // @ts-expect-error the only list is switched off
    client.worklist({ held: false });
    // @ts-expect-error no such options
    client.worklist({ within: 7, typo: 1 });
  });
});

describe('track() with an include', () => {
  test('returns a shipment of the same type as shipments.get', async () => {
    const { shipment } = await client.track({ number: 'X', include: ['port_of_discharge', 'containers.pod_terminal'] });
    expectTypeOf(shipment).toEqualTypeOf<Shipment<readonly ['port_of_discharge', 'containers.pod_terminal']>>();
    expectTypeOf(shipment.port_of_discharge).toEqualTypeOf<Port | null>();
    const got = await client.shipments.get('1', { include: ['port_of_discharge', 'containers.pod_terminal'] });
    expectTypeOf(shipment).toEqualTypeOf(got);

    const { shipment: alone } = await client.track({ number: 'X' });
    expectTypeOf(alone).toEqualTypeOf<Shipment>();
    expectTypeOf(alone.port_of_discharge).toEqualTypeOf<NotIncluded<'port'> | null>();
    expectTypeOf<Tracked>().toEqualTypeOf<Awaited<ReturnType<typeof trackAlone>>>();
  });
  const trackAlone = () => client.track({ number: 'X' });

  test('returns a record or a reference for paths that are known only at run time', async () => {
    const include = flag ? (['containers'] as const) : undefined;
    const { shipment } = await client.track({ number: 'X', include });
    // @ts-expect-error it may be a reference
    shipment.containers[0]?.number;
    const { shipment: dynamic } = await client.track({ number: 'X', include: dynamicInclude(['port_of_lading']) });
    // @ts-expect-error it may be a reference
    dynamic.port_of_lading?.name;
    const array: ('containers' | 'port_of_lading')[] = [];
    const { shipment: some } = await client.track({ number: 'X', include: array });
    // @ts-expect-error it may be a reference
    some.port_of_lading?.name;
  });

  test('refuses a path that a shipment does not have', () => {
    // @ts-expect-error a shipment has containers
    client.track({ number: 'X', include: ['container'] });
    // @ts-expect-error a container has two terminals, with other names
    client.trackMany([{ number: 'X' }], { include: ['containers.terminal'] });
  });

  test('for many numbers (trackMany) returns each shipment with this type', async () => {
    const items = ['X'].map(number => ({ number, scac: 'MAEU', type: 'bill_of_lading' }));
    for await (const result of client.trackMany(items, { include: ['containers'], concurrency: 5 })) {
      if (result.ok) expectTypeOf(result.shipment).toEqualTypeOf<Shipment<readonly ['containers']>>();
      // @ts-expect-error a failure has no shipment
      result.shipment;
    }
    for await (const result of client.trackMany(items)) {
      if (result.ok) expectTypeOf(result.shipment).toEqualTypeOf<Shipment>();
    }
  });
});
