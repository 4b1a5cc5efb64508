import { numberAtLeast, objectArgument, optionNames, refuseUnknownNames, requiredText } from '../internal/arguments.ts';
import type { Query } from '../jsonapi/query.ts';
import type { RequestOptions } from '../options.ts';
import type { DateTime } from '../records/model.ts';
import type { Vessel } from '../records/vessel.ts';
import type { APIPromise } from '../transport/api-promise.ts';
import { path } from '../transport/path.ts';
import { Resource } from './resource.ts';

/** A span of past positions. Either end may be left open. */
export interface PositionSpan {
  /**
   * Positions after this time.
   * @default 7 days ago
   */
  from_timestamp?: DateTime | Date | undefined;
  /**
   * Positions before this time.
   * @default now
   */
  to_timestamp?: DateTime | Date | undefined;
}

/** Options of `vessels.get`. */
export interface VesselGetOptions extends RequestOptions {
  /** Asks for `positions`: `true` for those of the last 7 days, or the times between which they are. A paid feature. */
  show_positions?: boolean | PositionSpan | undefined;
}

/** Options of `vessels.futurePositions`. */
export interface FuturePositionsOptions extends RequestOptions {
  /** Id of the port that the vessel goes to: `location_id` of a port on `containers.mapGeojson`. */
  port_id: string;
  /** Id of the port that it left. */
  previous_port_id: string;
}

const SPAN_NAMES = optionNames<PositionSpan>({ from_timestamp: true, to_timestamp: true });

const GET = { show_positions: true } as const;
const PORTS = { port_id: true, previous_port_id: true } as const;
const PORTS_AND_COORDINATES = { port_id: true, previous_port_id: true, latitude: true, longitude: true } as const;

/** Ships and where they are. */
export class Vessels extends Resource {
  /**
   * One vessel with its last known position.
   *
   * @param idOrImo id of the vessel, or its IMO number such as `9552135`.
   * @throws {NotFoundError} if there is no such vessel.
   * @throws {FeatureNotEnabledError} if positions are asked for and the account has not bought routing data.
   * @example
   * const { positions } = await client.vessels.get('9552135', { show_positions: true });
   */
  get(idOrImo: string, options?: VesselGetOptions): APIPromise<Vessel> {
    return this.fetchOne({
      operation: 'vessels.get',
      type: 'vessel',
      path: path`/vessels/${idOrImo}`,
      parameters: GET,
      query: () => ({ show_positions: positionsAsked(options?.show_positions) }),
      options,
    });
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
      parameters: PORTS,
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
      parameters: PORTS_AND_COORDINATES,
      query: () => ({
        ...portsOf(options),
        latitude: numberAtLeast(-90, 'latitude', options.latitude),
        longitude: numberAtLeast(-180, 'longitude', options.longitude),
      }),
      options,
    });
  }
}

/** Without a time the service is told by a switch that it takes for all positions. */
function positionsAsked(asked: boolean | PositionSpan | null | undefined): Query | true | undefined {
  if (asked === undefined || asked === null || asked === false) return undefined;
  if (asked === true) return true;
  refuseUnknownNames(
    'show_positions',
    objectArgument('show_positions', asked, '{ from_timestamp: … }, or true'),
    SPAN_NAMES,
  );
  const { from_timestamp, to_timestamp } = asked;
  return from_timestamp == null && to_timestamp == null ? true : { from_timestamp, to_timestamp };
}

/** @throws {ConfigurationError} if one of them is missing. */
function portsOf(options: FuturePositionsOptions | undefined) {
  return {
    port_id: requiredText('port_id', options?.port_id),
    previous_port_id: requiredText('previous_port_id', options?.previous_port_id),
  };
}
