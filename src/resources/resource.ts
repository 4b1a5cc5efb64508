import { objectArgument } from '../arguments.ts';
import { ConfigurationError } from '../errors.ts';
import { checkedPaths } from '../jsonapi/include.ts';
import { type Query, queryString } from '../jsonapi/query.ts';
import { type IncludeTree, includePaths, includeTree, NOTHING_INCLUDED } from '../jsonapi/tree.ts';
import { REQUEST_OPTION_NAMES } from '../options.ts';
import { List, type ListOptions } from '../pagination/list.ts';
import type { APIPromise } from '../transport/api-promise.ts';
import type { Expected } from '../transport/decode.ts';
import type { Path } from '../transport/path.ts';
import type { CallRequest, Method } from '../transport/request.ts';
import type { Transport } from '../transport/transport.ts';

interface Endpoint {
  /** @default 'GET' */
  method?: Method;
  path: Path;
  /** The options of the call: query parameters of the endpoint and `RequestOptions` in one object. */
  options?: object | undefined;
  /** Query parameters that the endpoint always gets. */
  query?: () => Query;
  body?: CallRequest['body'];
  contentType?: CallRequest['contentType'];
  repeatable?: boolean;
}

interface RecordEndpoint extends Endpoint {
  /** The types that the primary data may have. */
  type: string | readonly string[];
  /** What the service includes when the call does not ask for anything. */
  defaultTree?: IncludeTree | undefined;
  /** The answer may lack `type` and `id`. */
  anonymous?: boolean;
}

/** What all resource groups are made of: one call each for a record, a list, a JSON body and no body. */
export abstract class Resource {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  protected fetchOne<R>(endpoint: RecordEndpoint): APIPromise<R> {
    return this.#transport.call(request(endpoint), async (exchange, decoder) => {
      return (await decoder.one(exchange, expected(endpoint))) as R;
    });
  }

  /** Records without pages. */
  protected fetchArray<R>(endpoint: RecordEndpoint): APIPromise<R[]> {
    return this.#transport.call(request(endpoint), async (exchange, decoder) => {
      return (await decoder.many(exchange, expected(endpoint))).records as R[];
    });
  }

  protected fetchList<R extends { id: string }>(endpoint: RecordEndpoint): List<R> {
    const transport = this.#transport;
    const call = request(endpoint);
    return new List<R>(
      {
        baseUrl: transport.baseUrl,
        list: () => endpoint.path() + queryString({ ...call.query?.(), include: undefined }),
        request: (page, options, decode) =>
          transport.call(
            { ...call, options, query: () => ({ ...call.query?.(), page: { ...page() } }) },
            async (exchange, decoder) => {
              const { records, document } = await decoder.many(exchange, expected(endpoint));
              return decode({ records: records as R[], document, exchange });
            },
          ),
      },
      (endpoint.options ?? {}) as ListOptions,
    );
  }

  /** The JSON body as it is. */
  protected fetchJson<R>(endpoint: Endpoint): APIPromise<R> {
    return this.#transport.call(request(endpoint), (exchange, decoder) => decoder.json(exchange) as R);
  }

  /** No value: whatever the body holds is ignored. */
  protected send(endpoint: Endpoint): APIPromise<void> {
    return this.#transport.call(request(endpoint), () => {});
  }
}

function request({ method = 'GET', path, options, query, body, contentType, repeatable }: Endpoint): CallRequest {
  const { signal, timeout, deadline, headers, retry, priority, ...others } = (options ?? {}) as ListOptions & Query;
  const { include, pageNumber, pageSize, concurrency, from, ...parameters } = others;
  return {
    method,
    path,
    query: () => {
      objectArgument('The argument for options', options ?? {}, '{ timeout: 10_000 }');
      checkNames(parameters);
      if (parameters.filter != null) objectArgument('filter', parameters.filter, "{ number: 'MSCU1234565' }");
      return { include: includePaths(askedTree(options) ?? NOTHING_INCLUDED), ...parameters, ...query?.() };
    },
    body,
    contentType,
    repeatable,
    options: { signal, timeout, deadline, headers, retry, priority },
  };
}

function expected({ type, options, defaultTree = NOTHING_INCLUDED, anonymous = false }: RecordEndpoint): Expected {
  const asked = askedTree(options);
  const types = typeof type === 'string' ? [type] : type;
  return { types, tree: asked ?? defaultTree, asked: asked !== undefined, anonymous };
}

const OPTION_NAMES = [...REQUEST_OPTION_NAMES, 'include', 'pageNumber', 'pageSize', 'concurrency', 'from'];

/** Unknown names go to the service, which may have new filters, but not those that are a slip of the pen. */
function checkNames(parameters: Query): void {
  for (const [name, value] of Object.entries(parameters)) {
    const meant = value === undefined ? undefined : OPTION_NAMES.find(option => sound(option) === sound(name));
    if (meant) throw new ConfigurationError(`There is no option ${name}; did you mean ${meant}?`);
  }
}

function sound(name: string): string {
  return name.replaceAll('_', '').toLowerCase();
}

/** @throws {ConfigurationError} if `include` is not an array of paths. */
function askedTree(options: object | undefined): IncludeTree | undefined {
  const { include } = (options ?? {}) as { include?: unknown };
  return include === undefined ? undefined : includeTree(checkedPaths(include));
}
