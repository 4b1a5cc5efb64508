import type { ShippingLineMatch } from '../domain/find-shipping-line.ts';
import type { ShippingLine } from '../model/index.ts';
import type { RequestOptions } from '../options.ts';
import type { List } from '../pagination/list.ts';
import type { ListOptions } from '../pagination/options.ts';
import type { APIPromise } from '../transport/api-promise.ts';
import { path } from '../transport/endpoint.ts';
import { Resource } from './resource.ts';
import type { ShippingLineDirectory } from './shipping-line-directory.ts';

/** Options of `shippingLines.list`. */
export interface ShippingLineListOptions extends ListOptions {
  /** Part of a name or a code. The service does not document the exact rule. */
  search?: string | undefined;
}

const LIST = { search: true } as const;

/** Carriers that can be tracked. */
export class ShippingLines extends Resource {
  #directory: ShippingLineDirectory | undefined;

  /** All carriers. Each page is one request. They rarely change: `find` and `byScac` cache them. */
  list(options?: ShippingLineListOptions): List<ShippingLine> {
    return this.fetchList({
      operation: 'shippingLines.list',
      type: 'shipping_line',
      path: path`/shipping_lines`,
      parameters: LIST,
      options,
    });
  }

  /**
   * One carrier.
   *
   * @param id id of the carrier, not its SCAC.
   * @throws {NotFoundError} if the carrier does not exist.
   */
  get(id: string, options?: RequestOptions): APIPromise<ShippingLine> {
    return this.fetchOne({
      operation: 'shippingLines.get',
      type: 'shipping_line',
      path: path`/shipping_lines/${id}`,
      options,
    });
  }

  /**
   * Finds a carrier by its SCAC (main or alternative) or its name (full or short). Case, accents, spaces and
   * punctuation do not matter. A part of a name never selects a carrier. It only finds candidates.
   *
   * The carriers are read with the first look-up and again after an hour. Simultaneous look-ups share the request.
   *
   * @throws {ConfigurationError} if the text is blank.
   * @example
   * const { line, candidates } = await client.shippingLines.find('hapag lloyd');
   * if (line) console.log(line.scac); // 'HLCU'
   * else console.log('Did you mean', candidates.map(({ name }) => name));
   */
  async find(text: string, options?: { signal?: AbortSignal | undefined }): Promise<ShippingLineMatch<ShippingLine>> {
    return (await this.#lookUp()).find(text, options);
  }

  /**
   * The carrier with a main or alternative SCAC, in upper or lower case; `undefined` if no carrier has it. The carriers
   * are read in the same way as for `find`.
   *
   * @throws {ConfigurationError} if the code is blank.
   * @example
   * const line = await client.shippingLines.byScac('MAEU');
   */
  async byScac(scac: string, options?: { signal?: AbortSignal | undefined }): Promise<ShippingLine | undefined> {
    return (await this.#lookUp()).byScac(scac, options);
  }

  async #lookUp(): Promise<ShippingLineDirectory> {
    const chunk = await import('./shipping-line-directory.ts');
    this.#directory ??= new chunk.ShippingLineDirectory(this);
    return this.#directory;
  }
}
