import { mapOf, route } from '../entities/routing-entities.ts';
import { container, rawEventsOf, transportEvent } from '../entities/tracking-entities.ts';
import { containersInOrder } from '../filters/container-lists.ts';
import { selectContainers, sortOf } from '../filters/select.ts';
import { type Call, stringsOr } from '../http/call.ts';
import { badRequest, named, orNotFound } from '../http/errors.ts';
import { includeOf, list, ok, one, parseInclude, type Reply, serialize, wholeList } from '../http/replies.ts';
import { routesFrom } from '../http/router.ts';
import { editReferences, refresh } from '../state/refresh.ts';
import type { Container } from '../state/store.ts';
import { type ContainerView, statusOf, viewContainer } from '../state/view.ts';

const byId = (call: Call, id: string) => orNotFound(call.backend.store.containers.get(id));
const requestedContainer = (call: Call) => byId(call, call.param('id'));

export const containerRoutes = routesFrom({
  'GET /containers'(call) {
    const tree = includeOf(call, 'container');
    const records = containersInOrder(
      call.backend,
      selectContainers(call.backend, call.query),
      sortOf(call.backend, call.query),
    );
    return list(call, records, record => container(call.backend, record), { tree, meta: 'total', mostSize: 50 });
  },
  // The service also accepts the id in the body instead of the path.
  'PATCH /containers': call => update(call),
  'GET /containers/summary': summary,
  'GET /containers/:id': call =>
    one(call, container(call.backend, requestedContainer(call)), includeOf(call, 'container')),
  'PATCH /containers/:id': call => update(call),
  'GET /containers/:id/transport_events'(call) {
    const record = requestedContainer(call);
    const tree = includeOf(call, 'transport_event');
    const newestFirst = viewContainer(call.backend, record).events.toReversed();
    return wholeList(
      call,
      newestFirst.map(event => transportEvent(call.backend, record, event)),
      tree,
    );
  },
  'GET /containers/:id/raw_events'(call) {
    // This endpoint has no `include`. It always includes places and vessels, and has no links and no meta.
    const tree = parseInclude('raw_event', 'vessel,location,terminal');
    return ok(serialize(rawEventsOf(call.backend, requestedContainer(call)), tree));
  },
  'PATCH /containers/:id/refresh': {
    bucket: 'refreshContainer',
    handle(call) {
      if (!call.backend.features.refresh) throw named('refresh-not-enabled');
      const record = requestedContainer(call);
      refresh(call.backend, record);
      const sources = ['Shipping line', 'Terminal'];
      if (call.backend.voyages.of(record.shipment).inland !== null) sources.push('Rail');
      return ok({ message: `Started refresh for ${sources.join(', ')}` });
    },
  },
  'GET /containers/:id/map_geojson': call => ok(mapOf(call.backend, routedContainer(call))),
  'GET /containers/:id/route'(call) {
    // `include` has no effect: the response always includes the same records.
    const paths = ['location', 'inbound_vessel', 'outbound_vessel'].map(name => `route_locations.${name}`);
    const { data, included } = serialize(
      [route(call.backend, routedContainer(call))],
      parseInclude('route', paths.join()),
    );
    return ok({ data: data[0], included });
  },
});

const MOST_GROUPS = 200;

/**
 * For each column: a function that returns the value of a container, with its label. `undefined` while the value is not
 * known.
 */
const COLUMNS: Record<string, (view: ContainerView, record: Container) => [key: string, label: string] | undefined> = {
  current_status: view => [statusOf(view), statusOf(view)],
  pod_terminal: ({ voyage: { podTerminal }, last }) =>
    last('container.transport.vessel_departed') && [podTerminal.id, podTerminal.name],
  shipping_line: (_, { shipment: { carrier } }) => [carrier.scac, carrier.name],
  port_of_discharge: ({ voyage: { pod, knownFrom }, at }) => (at >= knownFrom ? [pod.code, pod.name] : undefined),
};

function summary(call: Call): Reply {
  const column = call.query.get('group_by') ?? '';
  const valueIn = COLUMNS[column];
  if (!valueIn) throw badRequest('group_by', `group_by must be one of ${Object.keys(COLUMNS).join(', ')}`);
  const records = selectContainers(call.backend, call.query);
  const groups = new Map<string | null, { key: string | null; label: string | null; count: number }>();
  for (const record of records) {
    const [key, label] = valueIn(viewContainer(call.backend, record), record) ?? [null, null];
    const group = groups.get(key) ?? { key, label, count: 0 };
    group.count += 1;
    groups.set(key, group);
  }
  const data = [...groups.values()].sort((a, b) => b.count - a.count).slice(0, MOST_GROUPS);
  const meta = { total: records.length, group_by: column, truncated: groups.size > MOST_GROUPS };
  return ok({ data, meta });
}

async function update(call: Call): Promise<Reply> {
  const { id, attributes } = await call.input();
  const record = byId(call, call.param('id') || (id ?? ''));
  // `tree` is read before the change: if `include` is wrong, the request must change nothing.
  const tree = includeOf(call, 'container');
  if ('ref_numbers' in attributes) {
    editReferences(call.backend, record, stringsOr(record.refNumbers, attributes, 'ref_numbers'));
  }
  return one(call, container(call.backend, record), tree);
}

function routedContainer({ backend, param }: Call): Container {
  if (!backend.features.routing) throw named('routing-not-enabled');
  return orNotFound(backend.store.containers.get(param('id')));
}
