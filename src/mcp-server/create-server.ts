import { VERSION } from '../version.ts';
import { Caller } from './caller.ts';
import { complete } from './completion.ts';
import { failureOf, reportFailure } from './failure.ts';
import { checkServerOptions, type McpServerOptions, type ServerSettings } from './options.ts';
import { instructionsFor, PROMPTS } from './prompts.ts';
import {
  type InputRequiredResult,
  McpServer,
  ResourceNotFoundError,
  ResourceTemplate,
  type ServerContext,
  type StandardSchemaWithJSON,
} from './protocol.ts';
import { CONTAINER_TEMPLATE, DOCUMENTS } from './resources.ts';
import { argumentsSchema, outcomeOf, resultSchema } from './schema.ts';
import { type AnyTool, type Call, type Checked, NOT_ASKED, QUESTION, runTool } from './tool.ts';
import { containerDetails } from './tools/containers.ts';
import { idOf } from './tools/find.ts';
import { TOOLS } from './tools/index.ts';
import { containerPage } from './views/container-page.ts';

/**
 * Creates an MCP server with the tracking tools. The server uses your client. Connect the server to any transport of
 * the official package of the protocol.
 *
 * This entry point needs the package `@modelcontextprotocol/server`. Without the package, the import fails.
 *
 * @throws {ConfigurationError} for an unknown option, or a value that cannot work.
 * @example
 * import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';
 *
 * const server = createMcpServer({ client: new TrackingClient(), readOnly: true });
 * await server.connect(new StdioServerTransport());
 */
export function createMcpServer(options: McpServerOptions): McpServer {
  return serverFor(new Caller(options.client), surfaceOf(checkServerOptions(options)));
}

/** The tools and prompts of a server. All servers of a handler share them, so the schemas are made once. */
export interface Surface {
  settings: ServerSettings;
  tools: { tool: AnyTool; schemas: { inputSchema: StandardSchemaWithJSON; outputSchema: StandardSchemaWithJSON } }[];
  prompts: { prompt: (typeof PROMPTS)[number]; argsSchema: StandardSchemaWithJSON }[];
}

export function surfaceOf(settings: ServerSettings): Surface {
  const tools = TOOLS.filter(({ writes }) => !(writes && settings.readOnly));
  return {
    settings,
    tools: tools.map(tool => ({
      tool,
      schemas: {
        inputSchema: outcomeOf(argumentsSchema(tool.name, tool.input)),
        outputSchema: resultSchema(tool.output),
      },
    })),
    prompts: PROMPTS.map(prompt => ({ prompt, argsSchema: argumentsSchema(prompt.name, prompt.input) })),
  };
}

/** The lists do not change while a server runs. */
const CAPABILITIES = {
  tools: { listChanged: false },
  prompts: { listChanged: false },
  resources: { listChanged: false },
  completions: {},
};

/** Some servers serve only one request. The caller therefore keeps the state that its requests share. */
export function serverFor(caller: Caller, surface: Surface, hangUp?: AbortSignal): McpServer {
  const server = new McpServer(
    { name: 'container-tracking', title: 'Container tracking', version: VERSION },
    { instructions: instructionsFor(surface.settings.readOnly), capabilities: CAPABILITIES },
  );
  addTools(server, caller, surface, hangUp);
  addPrompts(server, surface);
  addResources(server, caller, surface, hangUp);
  server.server.setRequestHandler('completion/complete', ({ params }, context) =>
    complete(params, caller, signalOf(context, hangUp)),
  );
  return server;
}

function addTools(server: McpServer, caller: Caller, { tools, settings }: Surface, hangUp?: AbortSignal): void {
  for (const { tool, schemas } of tools) {
    const { name, title, description, writes = false } = tool;
    const annotations = writes
      ? { readOnlyHint: false, destructiveHint: false, openWorldHint: false }
      : { readOnlyHint: true, openWorldHint: false };
    server.registerTool(name, { title, description, annotations, ...schemas }, async (checked, context) => {
      const signal = signalOf(context, hangUp);
      const call = { caller, signal, ...settings, ...hostOf(server, context) };
      const run = (response: unknown) =>
        runTool(tool, checked as Checked, { ...call, response: response as Call['response'] });
      const { inputResponses, envelope } = context.mcpReq;
      const result = await run(inputResponses?.[QUESTION]);
      const question = 'inputRequests' in result && (result as InputRequiredResult).inputRequests?.[QUESTION];
      // A host with the newest revision calls again with the response. Requests of older revisions have no envelope.
      return !question || envelope ? result : run(await replyTo(question, context, signal));
    });
  }
}

/** Time in ms for the response of a user to a question. */
const REPLY_MS = 600_000;

/** Asks the user of an older host. The official package would report a failed question as plain text. */
function replyTo(
  { params }: { params?: object | undefined },
  { mcpReq }: ServerContext,
  signal: AbortSignal,
): Promise<unknown> {
  const question = { method: 'elicitation/create' as const, params: { ...params } };
  return mcpReq.send(question, { signal, timeout: REPLY_MS }).catch(() => NOT_ASKED);
}

/** The abilities of the host while a tool runs. */
function hostOf(server: McpServer, { mcpReq }: ServerContext): Pick<Call, 'canAsk' | 'report'> {
  const forms = server.server.getClientCapabilities()?.elicitation;
  const progressToken = mcpReq._meta?.progressToken;
  const report = (progress: number, total: number) => {
    const params = { progressToken, progress, total, message: 'Waiting for the tracking service.' };
    // If the client has disconnected, the progress is not needed.
    mcpReq.notify({ method: 'notifications/progress', params }).catch(() => {});
  };
  return {
    canAsk: forms !== undefined && (forms.form !== undefined || forms.url === undefined),
    report: progressToken === undefined ? undefined : report,
  };
}

function addPrompts(server: McpServer, { prompts, settings: { readOnly } }: Surface): void {
  for (const { prompt, argsSchema } of prompts) {
    const { name, title, description, text } = prompt;
    server.registerPrompt(name, { title, description, argsSchema }, given => {
      const words = text(given as Record<string, string | undefined>, readOnly);
      return { description, messages: [{ role: 'user', content: { type: 'text', text: words } }] };
    });
  }
}

function addResources(server: McpServer, caller: Caller, { settings }: Surface, hangUp?: AbortSignal): void {
  for (const { name, uri, text, ...metadata } of DOCUMENTS) {
    const { mimeType } = metadata;
    server.registerResource(name, uri, metadata, () => ({
      contents: [{ uri, mimeType, text: text(settings.readOnly) }],
    }));
  }
  const mimeType = 'text/markdown';
  server.registerResource(
    'container',
    new ResourceTemplate(CONTAINER_TEMPLATE, { list: undefined }),
    { title: 'A container', description: 'One page about a container, with its deadlines in local days.', mimeType },
    async ({ href }, { id }, context) => {
      const text = await readContainer(href, String(id), caller, settings, signalOf(context, hangUp));
      return { contents: [{ uri: href, mimeType, text }] };
    },
  );
}

async function readContainer(
  uri: string,
  id: string,
  caller: Caller,
  { deadline, now, onFailure }: ServerSettings,
  signal: AbortSignal,
) {
  try {
    const limits = () => ({ signal, deadline });
    const context = { caller, limits, now: now() };
    return containerPage(await containerDetails(await idOf('container', id, context), context));
  } catch (error) {
    signal.throwIfAborted();
    const failure = failureOf(error, { notFound: 'Check the id.' });
    if (failure?.error === 'not_found') throw new ResourceNotFoundError(uri);
    if (failure) reportFailure({ onFailure }, 'resources/read', error, failure);
    // For a resource, a failure can be reported only as an error of the protocol.
    throw new Error(failure?.message ?? 'The server has made a mistake.');
  }
}

/** The signal of the call. Over HTTP, it also aborts if the client disconnects. */
function signalOf({ mcpReq }: ServerContext, hangUp: AbortSignal | undefined): AbortSignal {
  return hangUp ? AbortSignal.any([mcpReq.signal, hangUp]) : mcpReq.signal;
}
