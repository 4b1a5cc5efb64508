import { isRecord } from '../../jsonapi/document.ts';
import { HttpError } from '../http/errors.ts';
import { isFrom, type McpEdition } from './editions.ts';
import { INSTRUCTIONS, prompts } from './guides.ts';
import { INVALID_PARAMS, LEGACY, METHOD_NOT_FOUND, RpcError, SERVER_INFO, SUPPORTED } from './protocol.ts';
import { readResource, resourceList, resourceTemplates } from './resources.ts';
import type { Rest } from './rest.ts';
import { describe, envelope, failed, type LaterTool, readArguments, type Tool, ToolFailure } from './tool.ts';
import { getContainer, getContainerRoute, getContainerTransportEvents } from './tools/containers.ts';
import { laterTools } from './tools/later.ts';
import { listContainers, listShipments, listTrackingRequests } from './tools/lists.ts';
import { getSupportedShippingLines, searchContainer } from './tools/search.ts';
import { getShipmentDetails } from './tools/shipments.ts';
import { trackContainer } from './tools/track-container.ts';

type Params = Record<string, unknown>;
type Method = (params: Params, rest: Rest, edition: McpEdition) => object | Promise<object>;

const CAPABILITIES = { tools: {}, prompts: {}, resources: {}, completions: {} };

const methods: Record<string, Method> = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion: LEGACY.includes(String(protocolVersion)) ? protocolVersion : LEGACY[0],
    capabilities: CAPABILITIES,
    serverInfo: SERVER_INFO,
    instructions: INSTRUCTIONS,
  }),
  'server/discover': () => ({ supportedVersions: SUPPORTED, capabilities: CAPABILITIES, instructions: INSTRUCTIONS }),
  ping: () => ({}),
  'tools/list': (_params, _rest, edition) => ({ tools: toolsOf(edition).map(tool => describe(tool, edition)) }),
  'tools/call': callTool,
  'prompts/list': () => ({ prompts: prompts.map(({ text: _, ...prompt }) => prompt) }),
  'prompts/get': getPrompt,
  'resources/list': () => ({ resources: resourceList }),
  'resources/templates/list': () => ({ resourceTemplates }),
  'resources/read': read,
  'completion/complete': complete,
};

/** @throws {RpcError} for a method that does not exist, and for invalid parameters. */
export async function run(
  method: string,
  params: Params,
  rest: Rest,
  edition: McpEdition,
): Promise<Record<string, unknown>> {
  const handle = Object.hasOwn(methods, method) ? methods[method] : undefined;
  if (handle === undefined) throw new RpcError(METHOD_NOT_FOUND, 'Method not found');
  return (await handle(params, rest, edition)) as Record<string, unknown>;
}

async function callTool({ name, arguments: sent }: Params, rest: Rest, edition: McpEdition): Promise<object> {
  const tool = toolsOf(edition).find(candidate => candidate.name === name);
  if (tool === undefined) throw new RpcError(INVALID_PARAMS, `Tool ${String(name)} not found`);
  const [args, problem] = readArguments(tool, edition, sent);
  if (problem !== undefined) throw new RpcError(INVALID_PARAMS, `Invalid arguments for tool ${tool.name}: ${problem}`);
  try {
    return envelope(tool, edition, await tool.run(args, rest, edition));
  } catch (error) {
    if (!(error instanceof HttpError || error instanceof ToolFailure)) throw error;
    const isUnknown = error instanceof HttpError && error.status === 404 && args.id !== undefined;
    if (isFrom(edition, '2026-10')) {
      if (isUnknown) return failed(`Nothing was found for the id ${args.id}.`);
      if (error instanceof ToolFailure) return failed(error.message);
    }
    return failed(`The tool ${tool.name} has failed. Try again later.`);
  }
}

function getPrompt({ name, arguments: sent }: Params): object {
  const prompt = prompts.find(candidate => candidate.name === name);
  if (prompt === undefined) throw new RpcError(INVALID_PARAMS, `Prompt ${String(name)} not found`);
  const args = isRecord(sent) ? sent : {};
  for (const { name: argument, required } of prompt.arguments) {
    const value = args[argument];
    if ((value === undefined && !required) || (typeof value === 'string' && value !== '')) continue;
    throw new RpcError(INVALID_PARAMS, `Invalid arguments for prompt ${prompt.name}: ${argument} must be a string`);
  }
  const text = prompt.text(args as Record<string, string>);
  return { description: prompt.description, messages: [{ role: 'user', content: { type: 'text', text } }] };
}

async function read({ uri }: Params, rest: Rest): Promise<object> {
  try {
    return { contents: [await readResource(String(uri), rest)] };
  } catch (error) {
    if (error instanceof HttpError) throw new RpcError(INVALID_PARAMS, `Resource ${String(uri)} not found`);
    throw error;
  }
}

/** Completes the value of an argument. Only the argument `carrier` has known values. */
async function complete({ ref, argument }: Params, rest: Rest): Promise<object> {
  const { name = '', value = '' } = isRecord(argument) ? argument : {};
  const isCarrier = isRecord(ref) && ref.name === 'track-shipment' && name === 'carrier';
  const wanted = String(value).toLowerCase();
  const { rows } = isCarrier ? await rest.get('/shipping_lines') : { rows: [] };
  const values = rows
    .filter(({ attributes: { scac, name } }) => `${scac} ${name}`.toLowerCase().includes(wanted))
    .map(({ attributes }) => String(attributes.scac));
  return { completion: { values: values.slice(0, 100), total: values.length, hasMore: values.length > 100 } };
}

/** The tools of every edition. */
export const tools: Tool[] = [
  searchContainer,
  trackContainer,
  getContainer,
  getShipmentDetails,
  getContainerTransportEvents,
  getSupportedShippingLines,
  getContainerRoute,
  listShipments,
  listContainers,
  listTrackingRequests,
];

/** The tools of an edition. */
function toolsOf(edition: McpEdition): (Tool | LaterTool)[] {
  return [...tools, ...laterTools.filter(tool => tool.editions.includes(edition))];
}
