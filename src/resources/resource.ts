import type { FeedGroup } from '../feed/groups.ts';
import { openFeed } from '../feed/open.ts';
import type { Feed } from '../feed/options.ts';
import { plainCopy } from '../internal/arguments.ts';
import type { Operations } from '../model/generated/operations.ts';
import type { DynamicInclude, IncludeList } from '../model/index.ts';
import type { RequestOptions } from '../options.ts';
import { List } from '../pagination/list.ts';
import { LIST_OPTION_NAMES, type ListOptions } from '../pagination/options.ts';
import type { APIPromise } from '../transport/api-promise.ts';
import { type Endpoint, type ParametersOf, type Path, resolveEndpoint } from '../transport/endpoint.ts';
import type { Decode, Transport } from '../transport/transport.ts';

/**
 * An endpoint lists each query parameter of its options. It does not list the options that every call has. The compiler
 * rejects other names.
 */
type Declared<Name extends OperationName, Options, Common> = Endpoint &
  Described<Name> & { options?: Options | undefined } & ([Exclude<keyof Options, keyof Common>] extends [never]
    ? { parameters?: undefined }
    : [Exclude<keyof Options, keyof Common>] extends [Operations[Name]['parameters']]
      ? { parameters: ParametersOf<Omit<Options, keyof Common>> }
      : { parameters: `not a parameter of ${Name}` });

type OperationName = keyof Operations;

/** The operations with a response of this form. */
type Answering<Shape> = {
  [Name in OperationName]: Operations[Name]['shape'] extends Shape ? Name : never;
}[OperationName];

/** An endpoint has the HTTP method of its operation. */
type Described<Name extends OperationName> = { operation: Name } & (Operations[Name]['method'] extends 'GET'
  ? { method?: 'GET' }
  : { method: Operations[Name]['method'] });

/** The parameters of a list, in addition to the options of every list. */
export type ListParameters<Options> = ParametersOf<Omit<Options, keyof ListOptions>>;

/**
 * If an endpoint responds with records, it names the type of the records. If the service sends records of several
 * types, the endpoint names all of these types.
 */
type OfRecords<Name extends OperationName> = { type: Operations[Name]['type'] | readonly string[] };

const decodeOne: Decode<unknown> = (exchange, decoder) => decoder.one(exchange);
const decodeArray: Decode<unknown> = async (exchange, decoder) => (await decoder.many(exchange)).records;
const decodeJson: Decode<unknown> = (exchange, decoder) => decoder.answer(exchange);
const decodeJsonIfAny: Decode<unknown> = (exchange, decoder) =>
  exchange.text.trim() === '' ? undefined : decoder.answer(exchange);
const ignoreBody: Decode<void> = () => {};

/**
 * The base class of all resource groups. It has methods for calls whose response contains a record, a list, JSON or
 * nothing.
 */
export abstract class Resource {
  readonly #transport: Transport;
  /** The state that all feeds of this group share. */
  readonly #feeds = {};

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  protected fetchOne<R, O extends object, N extends Answering<'one'>>(
    endpoint: OfRecords<N> & Declared<N, O, RequestOptions>,
  ): APIPromise<R> {
    return this.#transport.call(resolveEndpoint(endpoint), decodeOne as Decode<R>);
  }

  /** An array of records, without pages. */
  protected fetchArray<R, O extends object, N extends Answering<'array'>>(
    endpoint: OfRecords<N> & Declared<N, O, RequestOptions>,
  ): APIPromise<R[]> {
    return this.#transport.call(resolveEndpoint(endpoint), decodeArray as Decode<R[]>);
  }

  protected fetchList<R extends { id: string }, O extends ListOptions, N extends Answering<'list'>>(
    endpoint: OfRecords<N> & Declared<N, O, ListOptions>,
  ): List<R> {
    const source = { transport: this.#transport, endpoint: resolveEndpoint(endpoint, LIST_OPTION_NAMES) };
    // This is a copy, because pages are requested later.
    return new List<R>(source, { ...(endpoint.options && plainCopy(endpoint.options)) });
  }

  /** The changes of the records in a group. The group must have the methods `get` and `list`. */
  protected feed(type: string, options: object | undefined): Feed<never> {
    return openFeed(this.#transport, this as unknown as FeedGroup, type, this.#feeds, options);
  }

  /** The JSON body, unchanged. */
  protected fetchJson<R, O extends object, N extends Answering<'json'>>(
    endpoint: Declared<N, O, RequestOptions>,
  ): APIPromise<R> {
    return this.#transport.call(resolveEndpoint(endpoint), decodeJson as Decode<R>);
  }

  /** The JSON body, unchanged, or `undefined` if the body is empty. */
  protected fetchJsonIfAny<R, O extends object, N extends Answering<'json or nothing'>>(
    endpoint: Declared<N, O, RequestOptions>,
  ): APIPromise<R | undefined> {
    return this.#transport.call(resolveEndpoint(endpoint), decodeJsonIfAny as Decode<R | undefined>);
  }

  /** For a response without a value: the body is ignored. */
  protected send<O extends object, N extends Answering<'nothing'>>(
    endpoint: Declared<N, O, RequestOptions>,
  ): APIPromise<void> {
    return this.#transport.call(resolveEndpoint(endpoint), ignoreBody);
  }
}

/** The groups of records that have custom fields and parties. */
type Owners = 'shipments' | 'containers' | 'trackingRequests';

/** The base class of resources below one record, such as the custom fields of a shipment. */
export abstract class ResourceOf extends Resource {
  readonly #owners: Owners;
  readonly #collection: Path;

  /** @param owners name of the group of the records in the client. */
  constructor(transport: Transport, owners: Owners, collection: Path) {
    super(transport);
    this.#owners = owners;
    this.#collection = collection;
  }

  protected get owners(): Owners {
    return this.#owners;
  }

  protected get collection(): Path {
    return this.#collection;
  }
}

/** Include paths of an endpoint, as an array or a tuple. */
// With the mutable array, the compiler infers `["containers"]` instead of `readonly ["containers"]`.
export type IncludePaths<Path extends string> = Path[] | readonly Path[] | DynamicInclude;

/** Options of a call with an `include`. */
export interface WithInclude<Paths> {
  /**
   * The related records to read in the same request, up to three levels deep. The related records are linked into the
   * result. A related record that is not listed here is a `NotIncluded`, with only its type and id.
   *
   * @example ['containers', 'containers.pod_terminal']
   */
  include: Paths;
}

/** Options of a call whose `include` is missing or may be missing. */
export interface WithOptionalInclude<Paths> {
  /**
   * The related records to read in the same request, up to three levels deep. They are linked into the result. A
   * related record that is not listed here is a `NotIncluded`, with only its type and id.
   *
   * @example ['containers', 'containers.pod_terminal']
   */
  include?: Paths | undefined;
}

/** {@link WithOptionalInclude} for the implementation of a method. */
export interface AnyInclude extends WithOptionalInclude<readonly string[]> {}

/** The parameters of an endpoint whose only parameter is `include`. */
export const INCLUDE = { include: true } as const;

/**
 * The paths that a call includes if its `include` may be missing: the paths of the call, or the default paths of the
 * service.
 */
export type PossibleIncludes<Paths, Default extends IncludeList = []> = Paths extends IncludeList
  ? Paths | Default
  : Default;
