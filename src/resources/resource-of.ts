import type { Path } from '../transport/path.ts';
import type { Transport } from '../transport/transport.ts';
import { Resource } from './resource.ts';

/** The groups of records that have custom fields and parties. */
type Owners = 'shipments' | 'containers' | 'trackingRequests';

/** The base class of resources below one record, such as the custom fields of a shipment. */
export abstract class ResourceOf extends Resource {
  readonly #owners: Owners;
  readonly #collection: Path;

  /** @param owners the group of the records, as the client names it. */
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
