import type { ShipmentAttributes } from '../model/index.ts';
import { readInstant } from './instant.ts';
import { type PartialOrUndefined, recordArgument } from './record-argument.ts';

/** A time of a voyage, compared with its first estimate. */
export interface Delay {
  /** The first estimate, as the service sent it. */
  first: string;
  /** The actual time if it is known, else the latest estimate, as the service sent it. */
  latest: string;
  /** True if `latest` is the actual time. */
  isActual: boolean;
  /** IANA time zone of the place; `null` if the service sent none. */
  timezone: string | null;
  /**
   * Delay compared with the first estimate, in days of 24 hours, with one decimal. Negative if `latest` is earlier than
   * `first`.
   */
  days: number;
  /**
   * True if `latest` is later than `first`, even if it is only a minute later and `days` is 0. To leave out short
   * delays, compare `days`.
   */
  isLate: boolean;
}

/** The times of a voyage, compared with their first estimates. */
export interface Delays {
  /** The departure at the port of lading; `null` if the first estimate or a later time is missing. */
  departure: Delay | null;
  /** The arrival at the port of discharge; `null` if the first estimate or a later time is missing. */
  arrival: Delay | null;
  /** The arrival at the destination, as the carrier reports it; `null` if the first estimate or a later time is missing. */
  destination: Delay | null;
}

type Facts = PartialOrUndefined<
  Pick<
    ShipmentAttributes,
    | 'pol_original_etd_at'
    | 'pol_etd_at'
    | 'pol_atd_at'
    | 'pol_timezone'
    | 'pod_original_eta_at'
    | 'pod_eta_at'
    | 'pod_ata_at'
    | 'pod_timezone'
    | 'destination_original_eta_at'
    | 'destination_eta_at'
    | 'destination_ata_at'
    | 'destination_timezone'
  >
> & {
  /**
   * A container also has `pod_timezone`, so it would fit this type. With this line, the compiler rejects a container.
   */
  readonly holds_at_pod_terminal?: undefined;
};

/**
 * The delays of a shipment: its departure and arrivals compared with their first estimates. The view `delays` of `sync`
 * and the list `late` of `client.worklist` use the same rule. For the arrival inland, `late` prefers the times that the
 * railway reports for the container.
 *
 * @throws {ConfigurationError} if `shipment` is missing, is a record of another type, or is a reference to a shipment
 * that was not included.
 * @example
 * const { arrival } = delays(shipment);
 * if (arrival && arrival.days >= 1) console.log(`${arrival.days} days later than ${arrival.first}`);
 */
export function delays(shipment: Facts): Delays {
  const facts = recordArgument('shipment', shipment);
  return {
    departure: delayOf(facts.pol_original_etd_at, facts.pol_atd_at, facts.pol_etd_at, facts.pol_timezone),
    arrival: delayOf(facts.pod_original_eta_at, facts.pod_ata_at, facts.pod_eta_at, facts.pod_timezone),
    destination: delayOf(
      facts.destination_original_eta_at,
      facts.destination_ata_at,
      facts.destination_eta_at,
      facts.destination_timezone,
    ),
  };
}

type Time = string | null | undefined;

function delayOf(first: Time, actual: Time, estimate: Time, timezone: Time): Delay | null {
  const latest = actual || estimate;
  const [from, to] = [readInstant(first), readInstant(latest)];
  if (!first || !latest || from === undefined || to === undefined) return null;
  const tenths = Math.round((to.epochMs - from.epochMs) / TENTH_OF_A_DAY_MS);
  const isLate = to.epochMs > from.epochMs;
  // Without `+ 0`, a slightly early time would be -0 days.
  return { first, latest, isActual: Boolean(actual), timezone: timezone || null, days: tenths / 10 + 0, isLate };
}

const TENTH_OF_A_DAY_MS = 8_640_000;
