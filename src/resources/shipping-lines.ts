import type { RequestOptions } from '../options.ts';
import type { List } from '../pagination/list.ts';
import type { ListOptions } from '../pagination/options.ts';
import type { ShippingLine } from '../records/shipping-line.ts';
import type { APIPromise } from '../transport/api-promise.ts';
import { path } from '../transport/path.ts';
import { Resource } from './resource.ts';

/** Options of `shippingLines.list`. */
export interface ShippingLineListOptions extends ListOptions {
  /** Part of a name or a code. The service does not document what exactly it matches. */
  search?: string | undefined;
}

const LIST = { search: true } as const;

/** Carriers that can be tracked. */
export class ShippingLines extends Resource {
  /** All carriers. Each page is one request. They rarely change, so you can cache them. */
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
   * @throws {NotFoundError} if there is no such carrier.
   */
  get(id: string, options?: RequestOptions): APIPromise<ShippingLine> {
    return this.fetchOne({
      operation: 'shippingLines.get',
      type: 'shipping_line',
      path: path`/shipping_lines/${id}`,
      options,
    });
  }
}
