import type { MetroArea, Port, Terminal } from '../model/index.ts';
import type { RequestOptions } from '../options.ts';
import type { APIPromise } from '../transport/api-promise.ts';
import { path } from '../transport/endpoint.ts';
import { Resource } from './resource.ts';

/** Sea ports. */
export class Ports extends Resource {
  /**
   * One port.
   *
   * @param idOrLocode id of the port, or its UN/LOCODE such as `DEHAM`.
   * @throws {NotFoundError} if the port does not exist.
   */
  get(idOrLocode: string, options?: RequestOptions): APIPromise<Port> {
    return this.fetchOne({ operation: 'ports.get', type: 'port', path: path`/ports/${idOrLocode}`, options });
  }
}

/** Inland places. */
export class MetroAreas extends Resource {
  /**
   * One inland place.
   *
   * @param idOrLocode id of the place, or its UN/LOCODE.
   * @throws {NotFoundError} if the place does not exist.
   */
  get(idOrLocode: string, options?: RequestOptions): APIPromise<MetroArea> {
    return this.fetchOne({
      operation: 'metroAreas.get',
      type: 'metro_area',
      path: path`/metro_areas/${idOrLocode}`,
      options,
    });
  }
}

/** Ocean terminals and rail facilities. */
export class Terminals extends Resource {
  /**
   * One terminal.
   *
   * @throws {NotFoundError} if the terminal does not exist.
   */
  get(id: string, options?: RequestOptions): APIPromise<Terminal> {
    return this.fetchOne({ operation: 'terminals.get', type: 'terminal', path: path`/terminals/${id}`, options });
  }
}
