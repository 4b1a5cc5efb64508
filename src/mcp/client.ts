import { ConfigurationError, ResponseFormatError } from '../errors.ts';
import { describeValue } from '../internal/arguments.ts';
import { loadWithPeer } from '../internal/peer-package.ts';
import { isRecord } from '../jsonapi/document.ts';
import { isTool, TOOLS } from '../model/generated/mcp-tool-arguments.ts';
import type { ToolArguments, ToolName, ToolResultOf } from '../model/generated/mcp-tools.ts';
import { checkCallOptions, checkToolArguments, promptArguments } from './check-call.ts';
import type { Connection } from './connection.ts';
import { type Content, textOf } from './content.ts';
import { ToolError } from './errors.ts';
import type { OpenConnection } from './open.ts';
import type { ConnectMcpOptions, McpCallOptions } from './options.ts';
import type { PromptName, Prompts } from './prompts.ts';
import type { PromptMessage, PromptSummary, ResourceContents, ResourceSummary, ToolSummary } from './protocol.ts';
import type { ResultCheck } from './result-check.ts';

/** What a tool gave, block by block. */
export interface ToolAnswer<Result = Record<string, unknown>> {
  /** The result as data. `undefined` for a tool that gives none. */
  result: Result;
  /** The same for a model to read, with links to resources and hints. */
  content: Content[];
}

const PEER = '@modelcontextprotocol/client';

/** A page that lists things has no more of them than this: a server that repeats itself ends too. */
const MAX_PAGES = 100;

/**
 * A connection to an MCP server of the service: its ten tools, its prompts and its resources. Made by `connectMcp`.
 *
 * Every method rejects with an `APIError` of its status (`AuthenticationError`, `RateLimitError`, …), a `ConnectionError`, a
 * `ResponseFormatError` for an answer that cannot be read, an {@link McpProtocolError} for what the server refuses, and the
 * reason of the signal. Tools that fail reject with a {@link ToolError}.
 */
export class McpClient {
  readonly #connection: Connection;
  readonly #check: ResultCheck;

  private constructor({ connection, check }: OpenConnection) {
    this.#connection = connection;
    this.#check = check;
  }

  /** The same as `connectMcp`. */
  static async connect(options: ConnectMcpOptions): Promise<McpClient> {
    // Here and not with the import of this package, whose message would be the runtime's.
    const { openConnection } = await loadWithPeer(PEER, 'connectMcp()', () => import('./open.ts'));
    return new McpClient(await openConnection(options));
  }

  /** The revision of the protocol that was agreed on, such as `2026-07-28`. */
  get protocolVersion(): string {
    return this.#connection.peer.getNegotiatedProtocolVersion() ?? '';
  }

  /** How the server introduces itself, where it does. */
  get serverInfo(): { name: string; version: string } | undefined {
    return this.#connection.peer.getServerVersion();
  }

  /** What the server says about how to use its tools, for a model to read. */
  get instructions(): string | undefined {
    return this.#connection.peer.getInstructions();
  }

  /** Finds containers and shipments by container number, bill of lading, booking number or reference. */
  searchContainer(args: ToolArguments<'search_container'>, options?: McpCallOptions) {
    return this.#result('search_container', args, options);
  }

  /** Starts tracking, or gives the container that is tracked already. The only tool that changes something. */
  trackContainer(args: ToolArguments<'track_container'>, options?: McpCallOptions) {
    return this.#result('track_container', args, options);
  }

  /** Gives the state of a container: place, availability, deadlines, fees and holds. */
  getContainer(args: ToolArguments<'get_container'>, options?: McpCallOptions) {
    return this.#result('get_container', args, options);
  }

  /** Gives a shipment with its route, its dates and its containers. */
  getShipmentDetails(args: ToolArguments<'get_shipment_details'>, options?: McpCallOptions) {
    return this.#result('get_shipment_details', args, options);
  }

  /** Gives what has happened to a container, the oldest first. */
  getContainerTransportEvents(args: ToolArguments<'get_container_transport_events'>, options?: McpCallOptions) {
    return this.#result('get_container_transport_events', args, options);
  }

  /** Gives the carriers that the service can track. */
  getSupportedShippingLines(args: ToolArguments<'get_supported_shipping_lines'> = {}, options?: McpCallOptions) {
    return this.#result('get_supported_shipping_lines', args, options);
  }

  /** Gives the places and ships of a journey. A paid feature: without it the result has `error`. */
  getContainerRoute(args: ToolArguments<'get_container_route'>, options?: McpCallOptions) {
    return this.#result('get_container_route', args, options);
  }

  /** Gives one page of shipments. */
  listShipments(args: ToolArguments<'list_shipments'> = {}, options?: McpCallOptions) {
    return this.#result('list_shipments', args, options);
  }

  /** Gives one page of containers. */
  listContainers(args: ToolArguments<'list_containers'> = {}, options?: McpCallOptions) {
    return this.#result('list_containers', args, options);
  }

  /** Gives one page of tracking requests. */
  listTrackingRequests(args: ToolArguments<'list_tracking_requests'> = {}, options?: McpCallOptions) {
    return this.#result('list_tracking_requests', args, options);
  }

  /**
   * Calls any tool, and gives everything that it said.
   *
   * @throws {ConfigurationError} for an argument that a tool of the service does not have.
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
    const repeatable = isTool(name) && TOOLS[name].repeatable;
    const params = { name, arguments: args };
    const { result, about } = await this.#request('tools/call', params, `mcp.${name}`, options, repeatable);
    const { redactor } = this.#connection.destination;
    const content = Array.isArray(result.content) ? (result.content as Content[]) : [];
    if (result.isError === true) {
      const said = redactor.value(content);
      throw new ToolError(name, said, `${name} failed: ${textOf(said) || 'the server does not say why'}`);
    }
    const { structuredContent } = result;
    if (isTool(name)) {
      if (!isRecord(structuredContent)) throw this.#formatError(`${name} gave no result as data`);
      await this.#check.result(name, structuredContent, about);
    }
    return { result: structuredContent, content };
  }

  /** The tools that the server has, with what they take. */
  listTools(options?: McpCallOptions): Promise<ToolSummary[]> {
    return this.#all<ToolSummary>('tools/list', 'tools', options);
  }

  /** The prompts that the server has, with what they take. */
  listPrompts(options?: McpCallOptions): Promise<PromptSummary[]> {
    return this.#all<PromptSummary>('prompts/list', 'prompts', options);
  }

  /**
   * The messages of a prompt, to begin a conversation of a model with.
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
    const given = promptArguments(name, args);
    const { result } = await this.#request('prompts/get', { name, arguments: given }, `mcp.${name}`, options);
    return result as { description?: string; messages: PromptMessage[] };
  }

  /** What may be meant by the beginning of an argument of a prompt: the SCACs for `carrier`. */
  async complete(prompt: string, argument: string, text: string, options: McpCallOptions = {}): Promise<string[]> {
    const params = { ref: { type: 'ref/prompt', name: prompt }, argument: { name: argument, value: text } };
    const { result } = await this.#request('completion/complete', params, 'mcp.complete', options);
    return isRecord(result.completion) ? (result.completion.values as string[]) : [];
  }

  /** The resources that always exist: guides for a model. */
  listResources(options?: McpCallOptions): Promise<ResourceSummary[]> {
    return this.#all<ResourceSummary>('resources/list', 'resources', options);
  }

  /** The addresses of resources that take an id, such as `tracking://container/{id}`. */
  listResourceTemplates(options?: McpCallOptions): Promise<ResourceSummary[]> {
    return this.#all<ResourceSummary>('resources/templates/list', 'resourceTemplates', options);
  }

  /**
   * Reads a resource.
   *
   * @example
   * const [glossary] = await mcp.readResource('tracking://docs/milestone-glossary');
   */
  async readResource(uri: string, options: McpCallOptions = {}): Promise<ResourceContents[]> {
    const { result } = await this.#request('resources/read', { uri }, 'mcp.resources/read', options);
    return result.contents as ResourceContents[];
  }

  /** One page about a container, in Markdown. */
  async containerSummary(id: string, options: McpCallOptions = {}): Promise<string> {
    if (typeof id !== 'string' || id.trim() === '') throw new ConfigurationError(`The id is ${describeValue(id)}.`);
    const [page] = await this.readResource(`tracking://container/${encodeURIComponent(id)}`, options);
    if (typeof page?.text !== 'string') throw this.#formatError('the resource has no text');
    return page.text;
  }

  /** Ends the connection, and rejects what is under way. A program that was started for it ends too. */
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

  /** Every page of a list. */
  async #all<T>(method: string, key: string, options: McpCallOptions = {}): Promise<T[]> {
    const items: T[] = [];
    let cursor: unknown;
    for (let page = 0; page < MAX_PAGES; page += 1) {
      const params = cursor === undefined ? {} : { cursor };
      const { result } = await this.#request(method, params, `mcp.${method}`, options);
      items.push(...(result[key] as T[]));
      cursor = result.nextCursor;
      // Some servers say the one, some the other.
      if (cursor === undefined || cursor === '') return items;
    }
    throw this.#formatError(`${method} has more than ${MAX_PAGES} pages`);
  }

  #request(
    method: string,
    params: Record<string, unknown>,
    operation: string,
    options: McpCallOptions,
    repeatable = true,
  ) {
    checkCallOptions(operation, options);
    return this.#connection.request({ method, params, operation, repeatable }, options);
  }

  #formatError(problem: string): ResponseFormatError {
    const { method, path } = this.#connection.destination;
    return new ResponseFormatError(`${method} ${path}: ${problem}`, {
      status: 200,
      method,
      path,
      requestId: undefined,
    });
  }
}
