import { ConfigurationError } from '../errors.ts';
import { describeValue, objectArgument, refuseUnknownNames } from '../internal/arguments.ts';
import { loadWithPeer } from '../internal/peer-package.ts';
import { isRecord, parseJson } from '../jsonapi/document.ts';
import { isTool, TOOLS } from '../model/generated/mcp-tool-arguments.ts';
import type { ToolArguments, ToolName, ToolResultOf } from '../model/generated/mcp-tools.ts';
import type { SchemaMismatch } from '../schemas/mismatch.ts';
import type { Connection, Destination, Send } from './connection.ts';
import { ToolError, unreadable } from './errors.ts';
import type { McpCall } from './http.ts';
import { type ConnectMcpOptions, checkCallOptions, type McpCallOptions } from './options.ts';
import type {
  Content,
  PromptMessage,
  PromptName,
  PromptSummary,
  Prompts,
  ResourceContents,
  ResourceSummary,
  ToolSummary,
} from './protocol.ts';

/** The result of a tool call, as data and as blocks for a model. */
export interface ToolAnswer<Result = Record<string, unknown>> {
  /** The result as data. `undefined` for a tool that returns no data. */
  result: Result;
  /** The same result in a form that a model can read, with links to resources and with hints. */
  content: Content[];
}

const PEER = '@modelcontextprotocol/client';

/**
 * Connects to the MCP endpoint of the service, or to a program that serves MCP.
 *
 * Requests over HTTP observe the rate limit, and are repeated if that is safe. They fail with the same errors as the
 * requests of a `TrackingClient`. If a `TrackingClient` for the same host has the same API key, both clients share one
 * request budget.
 *
 * Needs the package `@modelcontextprotocol/client`.
 *
 * @throws {ConfigurationError} for options that cannot work, and if that package is missing.
 * @example
 * const mcp = await connectMcp({ url: 'https://host.example/mcp', auth: { apiKey } });
 * const { containers } = await mcp.searchContainer({ query: 'MSCU1234565' });
 * await mcp.close();
 */
export function connectMcp(options: ConnectMcpOptions): Promise<McpClient> {
  return McpClient.connect(options);
}

/**
 * A connection to an MCP server of the service: its ten tools, its prompts and its resources. Create it with `connectMcp`.
 *
 * If a call fails, its method rejects with one of these errors:
 *
 * - an `APIError` that belongs to the status of the response (`AuthenticationError`, `RateLimitError`, …)
 * - a `ConnectionError`
 * - a `ResponseFormatError` if the response cannot be read
 * - an {@link McpProtocolError} if the server refuses the request
 * - a {@link ToolError} if the tool fails
 * - the reason of the signal if the signal aborts
 */
export class McpClient {
  readonly #connection: Connection;
  readonly #check: ResultCheck;
  #tools: ToolSummary[] | undefined;
  #containerTemplate: string | undefined;

  private constructor(connection: Connection) {
    this.#connection = connection;
    this.#check = new ResultCheck(connection.destination);
  }

  /** The same as `connectMcp`. */
  static async connect(options: ConnectMcpOptions): Promise<McpClient> {
    // `Connection` is loaded only now. If this module imported it, the error for a missing package would be unclear.
    const { Connection } = await loadWithPeer(PEER, 'connectMcp()', () => import('./connection.ts'));
    return new McpClient(await Connection.open(options));
  }

  /** The agreed revision of the protocol, such as `2026-07-28`. */
  get protocolVersion(): string {
    return this.#connection.peer?.getNegotiatedProtocolVersion() ?? '';
  }

  /** The name and version of the server, if the server sends them. */
  get serverInfo(): { name: string; version: string } | undefined {
    return this.#connection.peer?.getServerVersion();
  }

  /** The instructions of the server for its tools, written for a model. */
  get instructions(): string | undefined {
    return this.#connection.peer?.getInstructions();
  }

  /** Finds containers and shipments by container number, bill of lading, booking number or reference. */
  searchContainer(args: ToolArguments<'search_container'>, options?: McpCallOptions) {
    return this.#result('search_container', args, options);
  }

  /** Starts tracking, or returns the container if it is already tracked. This is the only tool that changes data. */
  trackContainer(args: ToolArguments<'track_container'>, options?: McpCallOptions) {
    return this.#result('track_container', args, options);
  }

  /** Returns the state of a container: place, availability, deadlines, fees and holds. */
  getContainer(args: ToolArguments<'get_container'>, options?: McpCallOptions) {
    return this.#result('get_container', args, options);
  }

  /** Returns a shipment with its route, its dates and its containers. */
  getShipmentDetails(args: ToolArguments<'get_shipment_details'>, options?: McpCallOptions) {
    return this.#result('get_shipment_details', args, options);
  }

  /** Returns the events of a container, the oldest first. */
  getContainerTransportEvents(args: ToolArguments<'get_container_transport_events'>, options?: McpCallOptions) {
    return this.#result('get_container_transport_events', args, options);
  }

  /** Returns the carriers that the service can track. */
  getSupportedShippingLines(args: ToolArguments<'get_supported_shipping_lines'> = {}, options?: McpCallOptions) {
    return this.#result('get_supported_shipping_lines', args, options);
  }

  /**
   * Returns the places and ships of a journey. This is a paid feature: an account without the feature gets a result
   * with `error`.
   */
  getContainerRoute(args: ToolArguments<'get_container_route'>, options?: McpCallOptions) {
    return this.#result('get_container_route', args, options);
  }

  /** Returns one page of shipments. */
  listShipments(args: ToolArguments<'list_shipments'> = {}, options?: McpCallOptions) {
    return this.#result('list_shipments', args, options);
  }

  /** Returns one page of containers. */
  listContainers(args: ToolArguments<'list_containers'> = {}, options?: McpCallOptions) {
    return this.#result('list_containers', args, options);
  }

  /** Returns one page of tracking requests. */
  listTrackingRequests(args: ToolArguments<'list_tracking_requests'> = {}, options?: McpCallOptions) {
    return this.#result('list_tracking_requests', args, options);
  }

  /**
   * Calls any tool, and returns all blocks of its result.
   *
   * @throws {ConfigurationError} for an argument that is neither in the description of the service nor in the tool list
   * of the server.
   * @throws {ToolError} if the tool fails.
   * @example
   * const { result, content } = await mcp.call('get_container', { id });
   */
  call<Name extends ToolName>(
    name: Name,
    args: ToolArguments<Name>,
    options?: McpCallOptions,
  ): Promise<ToolAnswer<ToolResultOf<Name>>>;
  call(name: string, args?: Record<string, unknown>, options?: McpCallOptions): Promise<ToolAnswer>;
  async call(name: string, args: object = {}, options: McpCallOptions = {}): Promise<ToolAnswer<unknown>> {
    checkToolArguments(name, args);
    if (isTool(name) && hasNewArguments(name, args)) await this.#refuseUnknownArguments(name, args, options);
    const repeatable = isTool(name) && TOOLS[name].repeatable;
    const params = { name, arguments: { ...args } };
    const send: Send<Record<string, unknown>> = (peer, bounds) => peer.callTool(params, bounds);
    const { result, about } = await this.#request(`mcp.${name}`, options, send, repeatable);
    const { redactor } = this.#connection.destination;
    const content = Array.isArray(result.content) ? (result.content as Content[]) : [];
    if (result.isError === true) {
      const said = redactor.value(content);
      throw new ToolError(name, said, `${name} failed: ${textOf(said) || 'the server gave no reason'}`);
    }
    if (!isTool(name)) return { result: result.structuredContent, content };
    const data = result.structuredContent ?? dataIn(content);
    // If a tool may have written data, the call must not fail because of its result. Otherwise, the caller would call
    // the tool again.
    if (!isRecord(data) && repeatable) {
      throw unreadable(this.#connection.destination, `${name} returned no data`);
    }
    const known = isRecord(data) ? data : {};
    await this.#check.result(name, known, about, repeatable);
    return { result: known, content };
  }

  /** The tools of the server, with their arguments. */
  listTools(options?: McpCallOptions): Promise<ToolSummary[]> {
    return this.#list('tools', 'mcp.tools/list', options, (peer, bounds) =>
      peer.listTools(undefined, bounds).then(({ tools }) => tools as ToolSummary[]),
    );
  }

  /** The prompts of the server, with their arguments. */
  listPrompts(options?: McpCallOptions): Promise<PromptSummary[]> {
    return this.#list('prompts', 'mcp.prompts/list', options, (peer, bounds) =>
      peer.listPrompts(undefined, bounds).then(({ prompts }) => prompts as PromptSummary[]),
    );
  }

  /**
   * The messages of a prompt, for the start of a conversation with a model.
   *
   * @example
   * const { messages } = await mcp.getPrompt('check-demurrage', { container_id: id });
   */
  getPrompt<Name extends PromptName>(
    name: Name,
    args: Prompts[Name],
    options?: McpCallOptions,
  ): Promise<{ description?: string; messages: PromptMessage[] }>;
  getPrompt(
    name: string,
    args?: Readonly<Record<string, string>>,
    options?: McpCallOptions,
  ): Promise<{ description?: string; messages: PromptMessage[] }>;
  async getPrompt(name: string, args: object = {}, options: McpCallOptions = {}) {
    const params = { name, arguments: promptArguments(name, args) };
    const { result } = await this.#request(`mcp.${name}`, options, (peer, bounds) => peer.getPrompt(params, bounds));
    return result as { description?: string; messages: PromptMessage[] };
  }

  /** The values of a prompt argument that begin with `text`, for example SCACs for `carrier`. */
  async complete(prompt: string, argument: string, text: string, options: McpCallOptions = {}): Promise<string[]> {
    const params = { ref: { type: 'ref/prompt' as const, name: prompt }, argument: { name: argument, value: text } };
    const { result } = await this.#request('mcp.complete', options, (peer, bounds) => peer.complete(params, bounds));
    return result.completion.values;
  }

  /** The resources that always exist, which are guides for a model. */
  listResources(options?: McpCallOptions): Promise<ResourceSummary[]> {
    return this.#list('resources', 'mcp.resources/list', options, (peer, bounds) =>
      peer.listResources(undefined, bounds).then(({ resources }) => resources as ResourceSummary[]),
    );
  }

  /** The address patterns of resources that need an id, such as `tracking://container/{id}`. */
  listResourceTemplates(options?: McpCallOptions): Promise<ResourceSummary[]> {
    return this.#list('resources', 'mcp.resources/templates/list', options, (peer, bounds) =>
      peer
        .listResourceTemplates(undefined, bounds)
        .then(({ resourceTemplates }) => resourceTemplates as ResourceSummary[]),
    );
  }

  /**
   * Reads a resource. `listResources` returns the addresses: their scheme is specific to the server.
   *
   * @example
   * const [{ uri = '' } = {}] = await mcp.listResources();
   * const [glossary] = await mcp.readResource(uri);
   */
  async readResource(uri: string, options: McpCallOptions = {}): Promise<ResourceContents[]> {
    const send: Send<{ contents: unknown }> = (peer, bounds) => peer.readResource({ uri }, bounds);
    const { result } = await this.#request('mcp.resources/read', options, send);
    return result.contents as ResourceContents[];
  }

  /** One page about a container, in Markdown. The first call also reads the address pattern of the server. */
  async containerSummary(id: string, options: McpCallOptions = {}): Promise<string> {
    if (typeof id !== 'string' || id.trim() === '') throw new ConfigurationError(`The id is ${describeValue(id)}.`);
    this.#containerTemplate ??= await this.#findContainerTemplate(options);
    const uri = this.#containerTemplate.replace('{id}', encodeURIComponent(id));
    const [page] = await this.readResource(uri, options);
    if (typeof page?.text === 'string') return page.text;
    throw unreadable(this.#connection.destination, 'the resource has no text');
  }

  /**
   * Ends the connection and its session, and rejects running calls. If a program was started for the connection, the
   * program ends too.
   */
  close(): Promise<void> {
    return this.#connection.close();
  }

  async #result<Name extends ToolName>(
    name: Name,
    args: ToolArguments<Name>,
    options?: McpCallOptions,
  ): Promise<ToolResultOf<Name>> {
    const { result } = await this.call(name, args, options);
    return result;
  }

  /** The service ignores unknown arguments without an error, so a misspelt argument would have no effect. */
  async #refuseUnknownArguments(tool: ToolName, args: object, options: McpCallOptions): Promise<void> {
    this.#tools ??= await this.listTools(options);
    const served = this.#tools.find(({ name }) => name === tool)?.inputSchema.properties;
    refuseUnknownNames(tool, args, [...new Set([...TOOLS[tool].names, ...Object.keys(Object(served))])]);
  }

  async #findContainerTemplate(options: McpCallOptions): Promise<string> {
    for (const { uriTemplate = '' } of await this.listResourceTemplates(options)) {
      if (uriTemplate.endsWith('container/{id}')) return uriTemplate;
    }
    const problem = 'the server has no resource template that ends with container/{id}';
    throw unreadable(this.#connection.destination, problem);
  }

  /** All items of all pages of a list; empty if the server does not support the list. */
  async #list<T>(
    capability: 'tools' | 'prompts' | 'resources',
    operation: string,
    options: McpCallOptions = {},
    send: Send<T[]>,
  ): Promise<T[]> {
    const { result } = await this.#request(operation, options, async (peer, bounds) => {
      return peer.getServerCapabilities()?.[capability] ? send(peer, bounds) : [];
    });
    return result;
  }

  #request<T>(operation: string, options: McpCallOptions, send: Send<T>, repeatable = true) {
    checkCallOptions(operation, options);
    return this.#connection.request(operation, options, send, repeatable);
  }
}

/** @throws {ConfigurationError} if a required argument is missing. */
function checkToolArguments(tool: string, args: object): void {
  checkName('tool', tool);
  objectArgument(`The argument of ${tool}`, args, '{ id }');
  if (!isTool(tool)) return;
  const { required } = TOOLS[tool];
  const value = required === undefined ? 'none' : (args as Record<string, unknown>)[required];
  if (typeof value === 'string' && value.trim() !== '') return;
  throw new ConfigurationError(
    `${required} of ${tool} is ${describeValue(value)}; it must be a text that is not blank.`,
  );
}

/** True if an argument is not in the description of the service. A newer service may have this argument. */
function hasNewArguments(tool: ToolName, args: object): boolean {
  return !Object.keys(args).every(name => TOOLS[tool].names.includes(name));
}

/** The arguments of a prompt, without arguments that are `undefined`. */
function promptArguments(prompt: string, args: object | null): Record<string, string> {
  checkName('prompt', prompt);
  const checked = objectArgument(`The argument of ${prompt}`, args ?? {}, '{ container_id: id }');
  return Object.fromEntries(Object.entries(checked).filter(([, value]) => value !== undefined));
}

function checkName(of: string, name: unknown): void {
  if (typeof name === 'string' && name !== '') return;
  throw new ConfigurationError(`The name of the ${of} is ${describeValue(name)}; it must be a text.`);
}

/** The joined text of the blocks that are for the user. */
function textOf(content: readonly Content[]): string {
  return content.flatMap(block => (block.type === 'text' ? [block.text] : [])).join('\n');
}

/**
 * The result of a tool, from its first block of text. Servers with an early revision of the protocol send the result
 * only in this block.
 */
function dataIn([first]: readonly Content[]): unknown {
  try {
    return first?.type === 'text' ? parseJson(first.text) : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Upper bound for the number of reported mismatches that are remembered. The tools can cause far fewer mismatches than
 * this.
 */
const MAX_REPORTED = 1000;

/** Checks the results of tools against their schemas, in the same way as responses of the REST interface. */
class ResultCheck {
  readonly #destination: Destination;
  readonly #reported = new Set<string>();

  constructor(destination: Destination) {
    this.#destination = destination;
  }

  /**
   * Reports results that do not match. Each mismatch is reported once.
   *
   * @param mayRefuse `false` after a tool that may have written data: the call then returns the result in any shape.
   * @throws {ResponseFormatError} if `validation` is `strict`.
   */
  async result(tool: string, result: object, about: McpCall['about'], mayRefuse: boolean): Promise<void> {
    const { method, path, redactor, observer, settings } = this.#destination;
    if (settings.validation === 'off') return;
    const isStrict = settings.validation === 'strict' && mayRefuse;
    const event = about ?? { callId: crypto.randomUUID(), operation: `mcp.${tool}`, route: path, method, path };
    const mismatches = redactor.value(await this.#mismatches(tool, result, isStrict));
    for (const mismatch of mismatches) {
      const message = `${tool}: ${mismatch.path}: ${mismatch.message}`;
      if (this.#reported.has(message) || this.#reported.size >= MAX_REPORTED) continue;
      this.#reported.add(message);
      observer.log('warn', message);
      if (observer.hasHook('onSchemaMismatch')) observer.emit('onSchemaMismatch', { ...event, path, mismatch });
    }
    const [first] = mismatches;
    if (isStrict && first)
      throw unreadable(this.#destination, `${tool}: ${first.path}: ${first.message}`, { mismatches });
  }

  /**
   * The schemas are loaded with the first result. If they cannot be loaded, results are not checked. With `strict`, the
   * call rejects instead.
   */
  async #mismatches(tool: string, result: unknown, isStrict: boolean): Promise<SchemaMismatch[]> {
    try {
      const { checkToolResult } = await import('../schemas/tool-results.ts');
      return checkToolResult(tool, result);
    } catch (error) {
      if (isStrict) throw error;
      const { observer } = this.#destination;
      observer.logOnce('warn', 'schemas', 'The schemas could not be loaded: results are not checked.');
      return [];
    }
  }
}
