import { attribute } from '../../domain/attribute.ts';
import { rollUpHoldsAndFees } from '../../domain/holds-and-fees.ts';
import { isRecord } from '../../jsonapi/document.ts';
import type { Container, DynamicInclude, Shipment } from '../../model/index.ts';
import type { Cell } from './cell.ts';
import { timeThere } from './times.ts';

/**
 * Texts about records, from the record and its included records. A text about a related record exists only if this
 * record was included.
 */

/** The text of an attribute; `undefined` if the record or the text is missing. */
export function textIn(record: unknown, name: string): string | undefined {
  const value = isRecord(record) ? attribute(record, name) : undefined;
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** `Houston (USHOU)`: a place of a shipment, from its own attributes or from the included record. */
export function placeOf(shipment: unknown, role: 'port_of_lading' | 'port_of_discharge' | 'destination') {
  const related = isRecord(shipment) ? shipment[role] : undefined;
  const name = textIn(shipment, `${role}_name`) ?? textIn(related, 'name');
  const locode = textIn(shipment, `${role}_locode`) ?? textIn(related, 'code') ?? textIn(related, 'locode');
  return withCode(name, locode);
}

export function carrierOf(shipment: unknown): string | undefined {
  return withCode(textIn(shipment, 'shipping_line_short_name'), textIn(shipment, 'shipping_line_scac'));
}

/** `EVER GIVEN 124E`: the vessel and the voyage of the arrival. */
export function vesselOf(shipment: unknown): string {
  return [textIn(shipment, 'pod_vessel_name'), textIn(shipment, 'pod_voyage_number')].filter(Boolean).join(' ');
}

const withCode = (name: string | undefined, code: string | undefined) =>
  name && code ? `${name} (${code})` : (name ?? code);

/** The estimated arrival at the port of discharge; `undefined` after the arrival. */
export function etaOf(shipment: unknown): Cell | undefined {
  if (textIn(shipment, 'pod_ata_at')) return undefined;
  return timeThere(textIn(shipment, 'pod_eta_at'), textIn(shipment, 'pod_timezone'));
}

type Held = Parameters<typeof rollUpHoldsAndFees>[0];

/** `customs (on 2 of 3)`; an expected hold is `customs (expected)`. */
export function holdsOf(held: Held): string[] {
  const { holds, containers } = rollUpHoldsAndFees(held);
  return holds.map(({ name, status, containers: on }) => {
    const words = [
      status === 'pending' && 'expected',
      containers.length > 1 && `on ${on.length} of ${containers.length}`,
    ];
    const more = words.filter(Boolean).join(', ');
    return more ? `${name} (${more})` : name;
  });
}

/** `demurrage 250 USD`. */
export function feesOf(held: Held): string[] {
  return rollUpHoldsAndFees(held).fees.map(({ type, amount, currency }) =>
    [type.replaceAll('_', ' '), amount, currency].filter(Boolean).join(' '),
  );
}

/** The containers of a shipment that were included with it. */
export function containersOf({ containers }: Shipment<DynamicInclude>): Container<DynamicInclude>[] {
  return (containers as readonly (Container<DynamicInclude> | object)[]).filter(
    (each): each is Container<DynamicInclude> => 'number' in each,
  );
}
