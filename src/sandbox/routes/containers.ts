import { container, rawEventsOf, transportEvent } from '../entities/tracked.ts';
import { containersInOrder } from '../filters/container-order.ts';
import { selectContainers, sortOf } from '../filters/select.ts';
import { stringsOr } from '../http/attributes.ts';
import type { Call } from '../http/call.ts';
import { badRequest, named, orNotFound } from '../http/errors.ts';
import { parseInclude, serialize } from '../http/jsonapi.ts';
import { includeOf, list, one, type Reply, wholeList } from '../http/replies.ts';
import type { Route } from '../http/router.ts';
import { editReferences, refresh } from '../state/refresh.ts';
import type { Container } from '../state/store.ts';
import { type ContainerView, statusOf, viewContainer } from '../state/view.ts';

const byId = (call: Call, id: string) => orNotFound(call.backend.store.containers.get(id));
const requestedContainer = (call: Call) => byId(call, call.param('id'));

export const containerRoutes: Route[] = [
  {
    method: 'GET',
    path: '/containers',
    handle(call) {
      const tree = includeOf(call, 'container');
      const records = containersInOrder(
        call.backend,
        selectContainers(call.backend, call.query),
        sortOf(call.backend, call.query),
      );
      return list(call, records, record => container(call.backend, record), { tree, meta: 'total', mostSize: 50 });
    },
  },
  // The service also takes the id in the body instead of the path.
  { method: 'PATCH', path: '/containers', handle: call => update(call) },
  { method: 'GET', path: '/containers/summary', handle: summary },
  {
    method: 'GET',
    path: '/containers/:id',
    handle: call => one(call, container(call.backend, requestedContainer(call)), includeOf(call, 'container')),
  },
  { method: 'PATCH', path: '/containers/:id', handle: call => update(call) },
  {
    method: 'GET',
    path: '/containers/:id/transport_events',
    handle(call) {
      const record = requestedContainer(call);
      const tree = includeOf(call, 'transport_event');
      const newestFirst = viewContainer(call.backend, record).events.toReversed();
      return wholeList(
        call,
        newestFirst.map(event => transportEvent(call.backend, record, event)),
        tree,
      );
    },
  },
  {
    method: 'GET',
    path: '/containers/:id/raw_events',
    handle(call) {
      // This endpoint has no `include`. It always includes places and vessels, and has no links and no meta.
      const tree = parseInclude('raw_event', 'vessel,location,terminal');
      return { status: 200, body: serialize(rawEventsOf(call.backend, requestedContainer(call)), tree) };
    },
  },
  {
    method: 'PATCH',
    path: '/containers/:id/refresh',
    bucket: 'refreshContainer',
    handle(call) {
      if (!call.backend.features.refresh) throw named('refresh-not-enabled');
      const record = requestedContainer(call);
      refresh(call.backend, record);
      const sources = ['Shipping line', 'Terminal'];
      if (call.backend.voyages.of(record.shipment).inland !== null) sources.push('Rail');
      return { status: 200, body: { message: `Started refresh for ${sources.join(', ')}` } };
    },
  },
];

const MOST_GROUPS = 200;

/** The value of each column and its name for people; no value while it is not known. */
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
  return { status: 200, body: { data, meta } };
}

async function update(call: Call): Promise<Reply> {
  const { id, attributes } = await call.input();
  const record = byId(call, call.param('id') || (id ?? ''));
  // Before the change: a wrong `include` must change nothing.
  const tree = includeOf(call, 'container');
  if ('ref_numbers' in attributes) {
    editReferences(call.backend, record, stringsOr(record.refNumbers, attributes, 'ref_numbers'));
  }
  return one(call, container(call.backend, record), tree);
}
