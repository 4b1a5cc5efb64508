import type { TrackingClient } from '../client.ts';
import { parseContainerNumber } from '../domain/container-number.ts';
import type { Shipment } from '../model/index.ts';
import type { RequestOptions } from '../options.ts';
import { digitProblem as wrongDigit } from '../tracking/check-digit.ts';
import { ofCarrier } from '../tracking/track.ts';

/** Returns the same text for all spellings that the service treats as the same number. */
export function spelt(number: string): string {
  return parseContainerNumber(number).number;
}

/** A number, with the carrier and the kind if they are known. */
export interface Wanted {
  number: string;
  scac?: string | undefined;
  type?: string | undefined;
}

/**
 * A sentence about a container number with a wrong check digit; `undefined` if the number is right, or is of another
 * kind.
 */
export function digitProblem({ number, type }: Wanted): string | undefined {
  const problem = wrongDigit({ number, type }).replace('. ', '');
  const other = type === undefined ? ' If it is a bill of lading or a booking, use --type.' : '';
  return problem === '' ? undefined : problem + other;
}

/** As many numbers as fit into the URL of a request. */
const MOST_AT_ONCE = 50;

/**
 * The shipments that the account already has for some numbers, by the number as it was given. One request finds several
 * of them.
 */
export async function trackedBefore(
  { shipments, containers }: TrackingClient,
  wanted: readonly Wanted[],
  options: RequestOptions,
): Promise<Map<string, Shipment>> {
  const found = new Map<string, Shipment>();
  const isContainer = ({ number, type }: Wanted) =>
    type === 'container' || (type === undefined && parseContainerNumber(number).valid);
  const take = (some: readonly Wanted[], records: readonly (readonly [number: string, shipment: Shipment])[]) => {
    for (const { number, scac } of some) {
      // An older service ignores the number in a request for a list of shipments, and sends other shipments. Therefore
      // shipments with another number are left out.
      const own = records.flatMap(([of, shipment]) => (spelt(of) === spelt(number) ? [shipment] : []));
      const shipment = ofCarrier(own, scac, ({ shipping_line_scac }) => shipping_line_scac);
      if (shipment) found.set(number, shipment);
    }
  };
  for (const some of chunks(wanted.filter(isContainer))) {
    const number = some.map(each => spelt(each.number));
    const list = containers.list({ filter: { number }, sort: '-created_at', include: ['shipment'], ...options });
    take(
      some,
      (await list.toArray()).flatMap(each => (each.number && each.shipment ? [[each.number, each.shipment]] : [])),
    );
  }
  for (const some of chunks(wanted.filter(each => !isContainer(each)))) {
    const number = some.map(each => each.number);
    const { data } = await shipments.list({ filter: { number }, pageSize: 100, ...options });
    take(
      some,
      data.map(shipment => [shipment.bill_of_lading_number, shipment] as const),
    );
  }
  return found;
}

function chunks<T>(items: readonly T[]): T[][] {
  const count = Math.ceil(items.length / MOST_AT_ONCE);
  return Array.from({ length: count }, (_, index) => items.slice(index * MOST_AT_ONCE, (index + 1) * MOST_AT_ONCE));
}
