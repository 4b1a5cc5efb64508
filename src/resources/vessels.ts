import { ConfigurationError } from '../errors.ts';
import { numberAtLeast, objectArgument, optionNames, refuseUnknownNames, requiredText } from '../internal/arguments.ts';
import type { Query } from '../jsonapi/query.ts';
import type { DateTime, Vessel } from '../model/index.ts';
import type { RequestOptions } from '../options.ts';
import type { APIPromise } from '../transport/api-promise.ts';
import { path } from '../transport/endpoint.ts';
import { Resource } from './resource.ts';

/** A time range of past positions. Each end is optional. */
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
  /**
   * Requests `positions`: the value `true` requests the positions of the last 7 days, and a time range requests the
   * positions of this range. This is a paid feature.
   */
  show_positions?: boolean | PositionSpan | undefined;
}

/** Options of `vessels.futurePositions`. */
export interface FuturePositionsOptions extends RequestOptions {
  /** Id of the destination port: the `location_id` of a port in `containers.mapGeojson`. */
  port_id: string;
  /** Id of the departure port. */
  previous_port_id: string;
}

const SPAN_NAMES = optionNames<PositionSpan>({ from_timestamp: true, to_timestamp: true });

const GET = { show_positions: true } as const;
const PORTS = { port_id: true, previous_port_id: true } as const;
const PORTS_AND_COORDINATES = { port_id: true, previous_port_id: true, latitude: true, longitude: true } as const;

/** Vessels and their positions. */
export class Vessels extends Resource {
  /**
   * One vessel with its last known position.
   *
   * @param idOrImo id of the vessel, or its IMO number such as `9552135`.
   * @throws {NotFoundError} if the vessel does not exist.
   * @throws {FeatureNotEnabledError} if positions are requested and the account has not bought routing data.
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
   * The predicted track between two ports. `positions` has one position for each minute.
   *
   * @throws {NotFoundError} if the vessel does not exist.
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
   * The predicted track from a point, in decimal degrees, to a port. `positions` has one position for each minute.
   *
   * @throws {NotFoundError} if the vessel does not exist.
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
        latitude: degrees('latitude', options.latitude, 90),
        longitude: degrees('longitude', options.longitude, 180),
      }),
      options,
    });
  }
}

/**
 * @throws {ConfigurationError} if the value is out of range, for example because latitude and longitude are confused.
 */
function degrees(name: string, value: number, limit: number): number {
  if (numberAtLeast(-limit, name, value) <= limit) return value;
  throw new ConfigurationError(`${name} is ${value}; it must be at most ${limit}.`);
}

/** The value of the query parameter. A range without times is sent as `true`. */
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

/** @throws {ConfigurationError} if one of the ports is missing. */
function portsOf(options: FuturePositionsOptions | undefined) {
  return {
    port_id: requiredText('port_id', options?.port_id),
    previous_port_id: requiredText('previous_port_id', options?.previous_port_id),
  };
}
