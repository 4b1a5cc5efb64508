import { describe, expectTypeOf, test } from 'vitest';
import { dynamicInclude } from '../../src/jsonapi/include.ts';
import type {
  CalendarDate,
  Container,
  ContainerInclude,
  CustomField,
  DateTime,
  Document,
  DynamicInclude,
  EventName,
  MapFeature,
  MetroArea,
  NotIncluded,
  Party,
  Port,
  RailTerminal,
  Shipment,
  ShipmentInclude,
  Terminal,
  TrackingRequest,
  TrackingRequestCreate,
  TransportEvent,
  TransportEventName,
  User,
  WebhookCreate,
  WebhookNotification,
  WebhookTrigger,
} from '../../src/model/index.ts';
import type { IncludePaths, PossibleIncludes, WithInclude, WithOptionalInclude } from '../../src/resources/resource.ts';

interface Options {
  signal?: AbortSignal | undefined;
}
type Paths = IncludePaths<ShipmentInclude>;
declare function get<const P extends Paths>(options: Options & WithInclude<P>): Shipment<P>;
declare function get<const P extends Paths | undefined = undefined>(
  options?: Options & WithOptionalInclude<P>,
): Shipment<PossibleIncludes<P>>;
declare const flag: boolean;

/** Each type must be assignable to the other. `toEqualTypeOf` is too strict for intersections of a different form. */
type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false;
type ContainerOf<S extends { containers: readonly unknown[] }> = S['containers'][number];
type Perhaps = Container | NotIncluded<'container'>;

describe('a record that is not included', () => {
  test('is a reference, as in the response', () => {
    const shipment = get();
    expectTypeOf(shipment.type).toEqualTypeOf<'shipment'>();
    expectTypeOf(shipment.containers).toEqualTypeOf<NotIncluded<'container'>[]>();
    expectTypeOf(shipment.pod_terminal).toEqualTypeOf<NotIncluded<'terminal'> | null>();
    expectTypeOf(shipment.destination_terminal).toEqualTypeOf<
      NotIncluded<'terminal' | 'rail_terminal'> | null | undefined
    >();
    // @ts-expect-error the attributes of a record that was not included
    shipment.containers[0]?.number;
  });

  test('is the same for missing options, a missing include and an empty include', () => {
    expectTypeOf(get()).toEqualTypeOf<Shipment>();
    expectTypeOf(get({}).containers).toEqualTypeOf<NotIncluded<'container'>[]>();
    expectTypeOf(get({ include: undefined }).containers).toEqualTypeOf<NotIncluded<'container'>[]>();
    expectTypeOf(get({ include: [] }).containers).toEqualTypeOf<NotIncluded<'container'>[]>();
    expectTypeOf(get({ signal: new AbortController().signal }).containers).toEqualTypeOf<NotIncluded<'container'>[]>();
  });
});

describe('an included record', () => {
  test('is the full record only at the path of the include', () => {
    const shipment = get({ include: ['containers', 'port_of_lading'] });
    expectTypeOf<Same<ContainerOf<typeof shipment>, Container>>().toEqualTypeOf<true>();
    expectTypeOf(shipment.containers[0]?.number).toEqualTypeOf<string | undefined>();
    expectTypeOf<Same<typeof shipment.port_of_lading, Port | null>>().toEqualTypeOf<true>();
    expectTypeOf(shipment.port_of_discharge).toEqualTypeOf<NotIncluded<'port'> | null>();
    expectTypeOf<ContainerOf<typeof shipment>['shipment']>().toEqualTypeOf<
      NotIncluded<'shipment'> | null | undefined
    >();
  });

  test('may be three levels deep, and the records above it are also included', () => {
    const shipment = get({ include: ['containers.transport_events.location'] });
    const event = shipment.containers[0]?.transport_events[0];
    expectTypeOf(event?.event).toExtend<string | undefined>();
    expectTypeOf<Same<NonNullable<typeof event>['location'], Port | MetroArea | null>>().toEqualTypeOf<true>();
    expectTypeOf<NonNullable<typeof event>['vessel']>().toEqualTypeOf<NotIncluded<'vessel'> | null | undefined>();
  });

  test('may have other included records below the same parent', () => {
    type Both = Shipment<['containers.pod_terminal', 'containers.pickup_facility.port']>['containers'][number];
    expectTypeOf<Same<Both['pod_terminal'], Terminal | null>>().toEqualTypeOf<true>();
    expectTypeOf<Same<Both['pickup_facility'], Terminal<['port']> | null>>().toEqualTypeOf<true>();
  });

  test('is never undefined, and may be null if it may be missing', () => {
    type Asked = Shipment<['line_tracking_stopped_by_user', 'destination_terminal']>;
    expectTypeOf<Same<Asked['line_tracking_stopped_by_user'], User | null>>().toEqualTypeOf<true>();
    expectTypeOf<Same<Asked['destination_terminal'], Terminal | RailTerminal | null>>().toEqualTypeOf<true>();
  });

  test('may be null if the relationship may be missing', () => {
    expectTypeOf<Same<TransportEvent<['shipment']>['shipment'], Shipment | null>>().toEqualTypeOf<true>();
  });

  test('is an array, never null or undefined, for a to-many relationship', () => {
    expectTypeOf<Same<Container<['transport_events']>['transport_events'], TransportEvent[]>>().toEqualTypeOf<true>();
    expectTypeOf<Same<Port<['terminals']>['terminals'], Terminal[]>>().toEqualTypeOf<true>();
    expectTypeOf<Port['terminals']>().toEqualTypeOf<NotIncluded<'terminal'>[] | undefined>();
  });

  test('is discriminated by `type` if several types are possible', () => {
    const { destination } = get({ include: ['destination'] });
    if (destination?.type === 'port') expectTypeOf(destination.city).toEqualTypeOf<string | null>();
    if (destination?.type === 'metro_area') {
      // @ts-expect-error a metro area has no city
      destination.city;
    }
    type Entity = CustomField<['entity']>['entity'];
    expectTypeOf<Entity['type']>().toEqualTypeOf<'shipment' | 'container' | 'tracking_request'>();
  });

  test('may be below a relationship of several types if one type has the path', () => {
    type Destination = NonNullable<Shipment<['destination.terminals']>['destination']>;
    expectTypeOf<Same<Extract<Destination, { type: 'port' }>['terminals'], Terminal[]>>().toEqualTypeOf<true>();
    expectTypeOf<Same<Extract<Destination, { type: 'metro_area' }>, MetroArea>>().toEqualTypeOf<true>();
  });

  test('includes no records beyond its paths, even if a record points back', () => {
    type Back = Shipment<['containers.shipment.containers']>['containers'][number]['shipment'];
    expectTypeOf<NonNullable<Back>['containers'][number]['shipment']>().toEqualTypeOf<
      NotIncluded<'shipment'> | null | undefined
    >();
  });

  test('does not change a relationship of unknown types', () => {
    type Logs = { type: string; id: string }[] | undefined;
    expectTypeOf<WebhookNotification['webhook_notification_logs']>().toEqualTypeOf<Logs>();
    expectTypeOf<WebhookNotification<DynamicInclude>['webhook_notification_logs']>().toEqualTypeOf<Logs>();
  });

  test('can only be selected by a list of paths', () => {
    // @ts-expect-error a union of paths could mean one of them or all
    type Both = Shipment<'containers' | 'pod_terminal'>;
    // @ts-expect-error the type for a call that includes nothing is not a list
    type Nothing = Shipment<undefined>;
    expectTypeOf<[Both, Nothing]>().not.toBeAny();
  });

  test('passes on the paths below it in their order, and passes on the information whether these paths are certain', () => {
    type Below<S extends { containers: readonly unknown[] }> = S['containers'][number];
    type Paths = ['pod_terminal', 'containers.shipment', 'containers.pod_terminal.port', 'containers'];
    expectTypeOf<Below<Shipment<Paths>>>().toEqualTypeOf<Container<['shipment', 'pod_terminal.port']>>();
    expectTypeOf<Below<Shipment<readonly ['containers', ...'containers.shipment'[]]>>>().toEqualTypeOf<
      Container<'shipment'[]>
    >();
    // If the container exists, the first list has included it and its shipment.
    expectTypeOf<Below<Shipment<['containers.shipment'] | ['pod_terminal']>>>().toEqualTypeOf<
      Container<['shipment']> | NotIncluded<'container'>
    >();
  });

  test('may have an alias as its path, as for documents', () => {
    type Extraction = NonNullable<Document<['current_extraction']>['current_extraction']>;
    expectTypeOf<Extraction['payload']>().toEqualTypeOf<Record<string, unknown>>();
  });
});

describe('a record is typed as a full record or a reference', () => {
  test('if the include may be either a list with its path or an empty list', () => {
    const shipment = get({ include: flag ? ['containers'] : [] });
    expectTypeOf<Same<ContainerOf<typeof shipment>, Perhaps>>().toEqualTypeOf<true>();
    // @ts-expect-error it may be a reference
    shipment.containers[0]?.number;
  });

  test('if the include may be either a list with its path or undefined', () => {
    const shipment = get({ include: flag ? ['containers'] : undefined });
    expectTypeOf<Same<ContainerOf<typeof shipment>, Perhaps>>().toEqualTypeOf<true>();
  });

  test('if the paths are known only at run time', () => {
    const include: ('containers' | 'pod_terminal')[] = [];
    const shipment = get({ include });
    expectTypeOf<Same<ContainerOf<typeof shipment>, Perhaps>>().toEqualTypeOf<true>();
    expectTypeOf<Same<typeof shipment.pod_terminal, Terminal | NotIncluded<'terminal'> | null>>().toEqualTypeOf<true>();
    expectTypeOf(shipment.port_of_lading).toEqualTypeOf<NotIncluded<'port'> | null>();
  });

  test('if an item of the include is one of two paths', () => {
    const shipment = get({ include: ['port_of_lading', flag ? 'containers' : 'pod_terminal'] });
    expectTypeOf<Same<typeof shipment.port_of_lading, Port | null>>().toEqualTypeOf<true>();
    expectTypeOf<Same<ContainerOf<typeof shipment>, Perhaps>>().toEqualTypeOf<true>();
  });

  test('if its path is only in a part of the include that may be empty', () => {
    const more: 'pod_terminal'[] = [];
    const shipment = get({ include: ['containers', ...more] });
    expectTypeOf<Same<ContainerOf<typeof shipment>, Container>>().toEqualTypeOf<true>();
    expectTypeOf<Same<typeof shipment.pod_terminal, Terminal | NotIncluded<'terminal'> | null>>().toEqualTypeOf<true>();
  });

  test('if only some of the possible includes have its path', () => {
    type Either = Shipment<['containers'] | []>;
    expectTypeOf<Same<Either['containers'][number], Perhaps>>().toEqualTypeOf<true>();
    type More = Shipment<['containers'] | ['containers', 'pod_terminal'] | ['pod_terminal', 'containers']>;
    expectTypeOf<Same<More['containers'][number], Container>>().toEqualTypeOf<true>();
    expectTypeOf<Same<More['pod_terminal'], Terminal | NotIncluded<'terminal'> | null>>().toEqualTypeOf<true>();
  });

  test('if its path may be absent, even below a path that is certain', () => {
    type Below = Shipment<readonly ['containers', ...'containers.pod_terminal'[]]>['containers'][number];
    expectTypeOf<Below['number']>().toEqualTypeOf<string>();
    expectTypeOf<
      Same<Below['pod_terminal'], Terminal | NotIncluded<'terminal'> | null | undefined>
    >().toEqualTypeOf<true>();
  });

  test('if the include may be a DynamicInclude', () => {
    type Either = Shipment<DynamicInclude | []>;
    expectTypeOf<Same<Either, Shipment<DynamicInclude>>>().toEqualTypeOf<true>();
  });

  test('if the paths are strings that went through dynamicInclude', () => {
    const shipment = get({ include: dynamicInclude(['containers.pod_terminal']) });
    const container = shipment.containers[0];
    // @ts-expect-error it may be a reference
    container?.number;
    // The checks below also work after an optional chain, where the compiler may reduce the union.
    container?.id;
    if (container && 'number' in container) {
      const terminal = container.pod_terminal;
      if (terminal && 'name' in terminal) expectTypeOf(terminal.name).toEqualTypeOf<string>();
    }
  });
});

describe('paths', () => {
  test('that do not exist do not compile', () => {
    // @ts-expect-error misspelt
    get({ include: ['container'] });
    // @ts-expect-error not a relationship
    get({ include: ['shipping_line'] });
    // @ts-expect-error a relationship that the endpoint does not include
    get({ include: ['line_tracking_stopped_by_user'] });
    // @ts-expect-error misspelt at the second level
    get({ include: ['containers.terminal'] });
    // @ts-expect-error a fourth segment
    get({ include: ['containers.shipment.containers.shipment'] });
    // @ts-expect-error any string
    get({ include: ['containers' as string] });
  });

  test('together with misspelt options do not compile', () => {
    // @ts-expect-error misspelt
    get({ inclde: ['containers'] });
  });

  test('begin with a path of the endpoint, and continue with paths of the target', () => {
    expectTypeOf<'shipment.line_tracking_stopped_by_user'>().toExtend<ContainerInclude>();
    expectTypeOf<'shipment.destination.terminals'>().toExtend<ContainerInclude>();
    expectTypeOf<'raw_events'>().not.toExtend<ContainerInclude>();
  });
});

describe('records', () => {
  test('are plain objects, and a copy is accepted like any object', () => {
    const shipment = get({ include: ['containers'] });
    const save = (row: Record<string, unknown>) => row;
    const saveAny = (row: object) => row;
    save({ ...shipment });
    saveAny(shipment);
    expectTypeOf({ ...shipment }.containers).toEqualTypeOf<Container[]>();
    expectTypeOf(structuredClone(shipment)).toEqualTypeOf<Shipment<['containers']>>();
    // @ts-expect-error an interface has no index signature
    save(shipment);
  });

  test('that include more than a parameter requires can be passed', () => {
    expectTypeOf<Shipment<['containers', 'pod_terminal.port']>>().toExtend<Shipment<['containers', 'pod_terminal']>>();
    expectTypeOf<Shipment<['containers']>>().toExtend<Pick<Shipment, 'containers'>>();
    expectTypeOf<Shipment<['containers', 'pod_terminal']>>().toExtend<Shipment>();
    expectTypeOf<Shipment<['containers']>>().toExtend<Shipment<readonly ['containers']>>();
    expectTypeOf<Shipment<['containers']>>().toExtend<Shipment<'containers'[]>>();
    expectTypeOf<Shipment<['containers']>>().toExtend<Shipment<DynamicInclude>>();
  });

  test('that include less than a parameter requires cannot be passed', () => {
    expectTypeOf<Shipment>().not.toExtend<Shipment<['containers']>>();
    expectTypeOf<Shipment<'containers'[]>>().not.toExtend<Shipment<['containers']>>();
    expectTypeOf<Shipment<['containers'] | []>>().not.toExtend<Shipment<['containers']>>();
    expectTypeOf<Shipment<DynamicInclude>>().not.toExtend<Shipment<['containers']>>();
    expectTypeOf<Shipment<['containers']>>().not.toExtend<Shipment<['containers.shipment']>>();
    expectTypeOf<Port>().not.toExtend<Port<['terminals']>>();
    expectTypeOf<CustomField>().not.toExtend<CustomField<['entity']>>();
  });

  test('are distinguished from references in a union', () => {
    const both = [get({ include: ['containers'] }).containers[0], get().containers[0]];
    const [either] = both;
    if (either && 'number' in either) expectTypeOf(either.number).toEqualTypeOf<string>();
    const place = flag ? get({ include: ['pod_terminal'] }).pod_terminal : get().pod_terminal;
    if (place && 'nickname' in place) expectTypeOf(place.nickname).toEqualTypeOf<string>();
  });

  test('have named types for times and days, and these types are strings', () => {
    const text: string = {} as DateTime;
    const time: DateTime = '2026-03-09T03:04:40Z';
    const day: CalendarDate = text;
    expectTypeOf({} as Container['pickup_lfd']).toEqualTypeOf<DateTime | null>();
    void [new Date(time), time.slice(0, 10), day];
  });

  test('can be written by hand, with undefined for missing attributes', () => {
    const port: Port = {
      id: '1',
      type: 'port',
      name: 'Ningbo',
      code: 'CNNBG',
      state_abbr: null,
      city: null,
      country_code: 'CN',
      time_zone: 'Asia/Shanghai',
      terminals: undefined,
    };
    void port;
  });

  test('accept unknown values of an enum, and refuse values of a wrong type', () => {
    expectTypeOf<'a_new_reason'>().toExtend<NonNullable<Shipment['line_tracking_stopped_reason']>>();
    expectTypeOf<number>().not.toExtend<NonNullable<Shipment['line_tracking_stopped_reason']>>();
  });

  test('may be of a type without relationships or without documented attributes', () => {
    expectTypeOf<Party['company_name']>().toEqualTypeOf<string>();
    expectTypeOf<User['id']>().toEqualTypeOf<string>();
  });

  test('of a tracking request may include its customer', () => {
    type Included = TrackingRequest<['tracked_object.containers', 'customer']>;
    expectTypeOf<NonNullable<Included['customer']>['company_name']>().toEqualTypeOf<string>();
    expectTypeOf<NonNullable<Included['tracked_object']>['containers'][number]['number']>().toEqualTypeOf<string>();
  });

  test('of the map are distinguished by their feature type', () => {
    const properties = {} as MapFeature['properties'];
    if (properties.feature_type === 'port') expectTypeOf(properties.label).toEqualTypeOf<string>();
  });
});

describe('requests', () => {
  const number = { request_type: 'bill_of_lading', request_number: 'MEDUFR030802' } as const;

  test('for tracking name a carrier, or let the service infer the carrier', () => {
    const known: TrackingRequestCreate = { ...number, scac: 'MSCU', ref_numbers: undefined };
    const detected: TrackingRequestCreate = { ...number, auto_detect_vocc_scac: true };
    // @ts-expect-error neither a carrier nor the detection of a carrier
    const neither: TrackingRequestCreate = number;
    // @ts-expect-error the detection of the carrier is switched off
    const off: TrackingRequestCreate = { ...number, auto_detect_vocc_scac: false };
    // @ts-expect-error the name that inferNumber uses
    const booking: TrackingRequestCreate = { ...number, request_type: 'booking', scac: 'MSCU' };
    void [known, detected, neither, off, booking];
  });

  test('name only events of the catalogue', () => {
    const webhook: WebhookCreate = { url: 'https://a.example', active: true, events: ['container.updated'] };
    // @ts-expect-error misspelt
    const trigger: WebhookTrigger = { url: 'https://a.example', event: 'container.update' };
    void [webhook, trigger];
    expectTypeOf<'container.pickup_lfd_rail.changed'>().toExtend<TransportEventName>();
    expectTypeOf<'shipment.estimated.arrival'>().not.toExtend<TransportEventName>();
    expectTypeOf<TransportEventName>().toExtend<EventName>();
  });
});
