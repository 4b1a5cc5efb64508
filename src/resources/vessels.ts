import { atLeast } from '../arguments.ts';
import type { RequestOptions } from '../options.ts';
import type { DateTime } from '../records/model.ts';
import type { Vessel } from '../records/vessel.ts';
import type { APIPromise } from '../transport/api-promise.ts';
import { path } from '../transport/path.ts';
import { filled } from './filled.ts';
import { Resource } from './resource.ts';

export interface VesselGetOptions extends RequestOptions {
  /** Asks for `positions` since a time. A paid feature. */
  show_positions?:
    | {
        /** Positions after this time. */
        from_timestamp: DateTime | Date;
        /**
         * Positions before this time.
         * @default now
         */
        to_timestamp?: DateTime | Date | undefined;
      }
    | undefined;
}

export interface FuturePositionsOptions extends RequestOptions {
  /** Id of the port that the vessel goes to: `location_id` of a port on `containers.mapGeojson`. */
  port_id: string;
  /** Id of the port that it left. */
  previous_port_id: string;
}

/** Ships and where they are. */
export class Vessels extends Resource {
  /**
   * One vessel with its last known position.
   *
   * @param idOrImo id of the vessel, or its IMO number such as `9552135`.
   * @throws {NotFoundError} if there is no such vessel.
   * @throws {FeatureNotEnabledError} if positions are asked for and the account has not bought routing data.
   */
  get(idOrImo: string, options?: VesselGetOptions): APIPromise<Vessel> {
    return this.fetchOne({ operation: 'vessels.get', type: 'vessel', path: path`/vessels/${idOrImo}`, options });
  }

  /**
   * The predicted track between two ports: in `positions`, a minute apart.
   *
   * @throws {NotFoundError} if there is no such vessel.
   * @throws {FeatureNotEnabledError} if the account has not bought routing data.
   */
  futurePositions(id: string, options: FuturePositionsOptions): APIPromise<Vessel> {
    return this.fetchOne({
      operation: 'vessels.futurePositions',
      type: 'vessel',
      path: path`/vessels/${id}/future_positions`,
      query: () => portsOf(options),
      options,
    });
  }

  /**
   * The predicted track from a given point, in decimal degrees, to a port: in `positions`, a minute apart.
   *
   * @throws {NotFoundError} if there is no such vessel.
   * @throws {FeatureNotEnabledError} if the account has not bought routing data.
   */
  futurePositionsFromCoordinates(
    id: string,
    options: FuturePositionsOptions & { latitude: number; longitude: number },
  ): APIPromise<Vessel> {
    return this.fetchOne({
      operation: 'vessels.futurePositionsFromCoordinates',
      type: 'vessel',
      path: path`/vessels/${id}/future_positions_with_coordinates`,
      query: () => ({
        ...portsOf(options),
        latitude: atLeast(-90, 'latitude', options.latitude),
        longitude: atLeast(-180, 'longitude', options.longitude),
      }),
      options,
    });
  }
}

/** @throws {ConfigurationError} if one of them is missing. */
function portsOf(options: FuturePositionsOptions | undefined) {
  return {
    port_id: filled('port_id', options?.port_id),
    previous_port_id: filled('previous_port_id', options?.previous_port_id),
  };
}
