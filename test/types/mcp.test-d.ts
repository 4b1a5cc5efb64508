import {
  type ConnectMcpOptions,
  type ContainerDetails,
  type ContainerRow,
  type ContainerTimeline,
  connectMcp,
  type Demurrage,
  fileTokenStore,
  type ListResult,
  type McpClient,
  type SearchContainerResult,
  type ShipmentDetails,
  type ShipmentRow,
  type ShippingLines,
  type ToolAnswer,
  type TrackContainerResult,
  type TrackedAlready,
  type TrackingRequestRow,
} from 'container-tracking-sdk/mcp';
import { expectTypeOf } from 'vitest';

declare const mcp: McpClient;
const id = '11111111-1111-4111-8111-111111111111';
const { signal } = new AbortController();

// Every tool has its own arguments and its own result.
expectTypeOf(mcp.searchContainer({ query: 'MSCU1234565' })).resolves.toEqualTypeOf<SearchContainerResult>();
expectTypeOf(
  mcp.trackContainer({ number: 'MSCU1234565', numberType: 'container', scac: 'MSCU', refNumbers: ['a'] }),
).resolves.toEqualTypeOf<TrackContainerResult>();
expectTypeOf(mcp.getContainer({ id, include: ['shipment'] }, { signal })).resolves.toEqualTypeOf<ContainerDetails>();
expectTypeOf(mcp.getShipmentDetails({ id, include_containers: false })).resolves.toEqualTypeOf<ShipmentDetails>();
expectTypeOf(mcp.getContainerTransportEvents({ id })).resolves.toEqualTypeOf<ContainerTimeline>();
expectTypeOf(mcp.getSupportedShippingLines()).resolves.toEqualTypeOf<ShippingLines>();
expectTypeOf(
  mcp.listShipments({ status: 'x', port: 'x', carrier: 'x', updated_after: 'x', page: 1, page_size: 5 }),
).resolves.toEqualTypeOf<ListResult<ShipmentRow>>();
expectTypeOf(mcp.listContainers({ include: 'shipment' })).resolves.toEqualTypeOf<ListResult<ContainerRow>>();
expectTypeOf(mcp.listTrackingRequests({ filters: { q: 'a' }, request_type: 'container' })).resolves.toEqualTypeOf<
  ListResult<TrackingRequestRow>
>();

// @ts-expect-error the query is missing
mcp.searchContainer({});
// @ts-expect-error a tool does not have the arguments of another
mcp.searchContainer({ id });
// @ts-expect-error not one of the relationships
mcp.getContainer({ id, include: ['vessel'] });
// @ts-expect-error the names are those of the protocol
mcp.listContainers({ pageSize: 5 });

// The cases of a result can be distinguished.
const route = await mcp.getContainerRoute({ id });
if (route.error === undefined) expectTypeOf(route.total_legs).toEqualTypeOf<number>();
else expectTypeOf(route.error).toEqualTypeOf<'FeatureNotEnabled' | 'NotFound'>();

const tracked = await mcp.trackContainer({ number: 'MSCU1234565' });
if (tracked.error === 'ContainerUnavailable') expectTypeOf(tracked.container.id).toEqualTypeOf<string>();
else if (tracked.error === 'NotFound') expectTypeOf(tracked.tracking_request_created).toEqualTypeOf<false>();
else if (tracked.tracking_request) expectTypeOf(tracked.tracking_request.request_number).toEqualTypeOf<string>();
else if (tracked.containers) expectTypeOf(tracked.shipment.id).toEqualTypeOf<string>();
else if (tracked.container_number !== undefined) expectTypeOf(tracked.demurrage).toEqualTypeOf<Demurrage>();
else expectTypeOf(tracked).toEqualTypeOf<TrackedAlready>();

const { events } = await mcp.getContainer({ id });
if (typeof events === 'object') expectTypeOf(events.count).toEqualTypeOf<number>();

// `call` has the types of known tools, but also accepts the name of any other tool.
expectTypeOf(mcp.call('list_containers', { page: 1 })).resolves.toEqualTypeOf<ToolAnswer<ListResult<ContainerRow>>>();
expectTypeOf(mcp.call('another_tool', { any: 'thing' })).resolves.toEqualTypeOf<ToolAnswer>();

mcp.getPrompt('track-shipment', { container_number: 'MSCU1234565', carrier: 'MSCU' });
mcp.getPrompt('another-prompt', { any: 'text' });

// The options are either an endpoint with exactly one kind of credential, or a program.
const url = 'https://host.example/mcp';
connectMcp({ url, auth: { apiKey: 'k' }, timeout: 1000, retry: { limit: 1 }, rateLimit: false });
connectMcp({ url: new URL(url), auth: { oauth: { store: fileTokenStore({ path: 'x' }), openBrowser: () => {} } } });
connectMcp({ stdio: { command: 'container-tracking', args: ['mcp'], env: { TRACKING_API_KEY: 'k' } } });
// @ts-expect-error both kinds of credential
connectMcp({ url, auth: { apiKey: 'k', oauth: {} } });
// @ts-expect-error no credential
connectMcp({ url });
// @ts-expect-error an endpoint and a program
connectMcp({ url, auth: { apiKey: 'k' }, stdio: { command: 'x' } });
// @ts-expect-error a program has no budget
connectMcp({ stdio: { command: 'x' }, rateLimit: false });
expectTypeOf<Parameters<typeof connectMcp>[0]>().toEqualTypeOf<ConnectMcpOptions>();
