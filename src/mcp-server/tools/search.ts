import * as z from 'zod/mini';
import { numberAsStored } from '../../domain/container-number.ts';
import { counted, included, joined, number, short, text, texts } from '../../domain/record-values.ts';
import { filledText, optionalTexts, textOrNull } from '../schema.ts';
import { defineTool, type ToolContext } from '../tool.ts';
import { markedText } from '../views/read.ts';
import { containerRow, shipmentRow, tableOf, withoutIds } from '../views/rows.ts';
import { shipmentStatus } from '../views/shipment.ts';

/** The tool that finds records by a number, a reference or a customer. */

const MAX_HITS =
  'At most 25 hits. If there are 25, search for a longer part of the number, or use the filters of list_containers.';

const NOTHING_FOUND = 'Nothing in the account fits. Check it with the user';

export const searchContainer = defineTool({
  name: 'search_container',
  title: 'Search',
  description:
    'Finds containers, shipments, and tracking requests without a shipment, by number, bill of lading, booking, reference or customer. Start here when it is not clear what a number is.',
  input: () => z.strictObject({ query: filledText('A part is enough.') }),
  output: () => {
    const hit = { id: z.string(), shipping_line: z.string(), ref_numbers: z.array(z.string()) };
    return z.object({
      containers: z.array(
        z.object({
          ...hit,
          container_number: textOrNull(),
          ...optionalTexts('status', 'pickup', 'last_free_day', ...COMMON, 'bill_of_lading', 'shipment_id'),
          duplicate_number: z.optional(z.boolean()),
        }),
      ),
      shipments: z.array(
        z.object({
          ...hit,
          ...optionalTexts('bill_of_lading', 'status', ...COMMON, 'port_of_lading', 'port_of_discharge'),
          ...optionalTexts('tracking_stopped_reason'),
          container_count: z.optional(z.number()),
        }),
      ),
      tracking_requests: z.array(
        z.object({ ...hit, request_number: textOrNull(), ...optionalTexts('status', 'failed_reason') }),
      ),
      total_results: z.number(),
      ...optionalTexts('cut', 'hint'),
    });
  },
  async run({ query }, context) {
    const { caller, limits } = context;
    const hits = (await caller.client.search(numberAsStored(query), limits())).map(hit => hit as unknown as Hit);
    const [containers, shipments, requests] = [['cargo', 'container'], ['shipment'], ['tracking_request']].map(types =>
      hits.filter(({ entity_type }) => types.includes(text(entity_type) ?? '')),
    ) as [Hit[], Hit[], Hit[]];
    const numbers = containers.map(container => text(container.number));
    const facts = await factsOf(containers, shipments, context);
    const result = {
      containers: containers.map(container => {
        const number = text(container.number);
        caller.saw({ id: text(container.id) ?? '', number });
        return {
          container_number: number,
          ...facts.get(text(container.id)),
          status: facts.get(text(container.id))?.status ?? text(container.status) ?? undefined,
          ...hitOf(container),
          shipment_id: text(container.shipment_id) ?? undefined,
          ...(numbers.filter(other => other === number).length > 1 && { duplicate_number: true }),
        };
      }),
      shipments: shipments.map(shipment => ({
        bill_of_lading: text(shipment.number) ?? undefined,
        ...facts.get(text(shipment.id)),
        ...hitOf(shipment),
        port_of_lading: text(shipment.port_of_lading_name) ?? undefined,
        port_of_discharge: text(shipment.port_of_discharge_name) ?? undefined,
        tracking_stopped_reason: shipment.tracking_stopped
          ? (text(shipment.tracking_stopped_reason) ?? 'unknown')
          : undefined,
        container_count: number(shipment.containers_count) ?? undefined,
      })),
      tracking_requests: requests.map(request => ({
        request_number: text(request.number),
        status: text(request.status) ?? undefined,
        failed_reason: text(request.failed_reason) ?? undefined,
        ...hitOf(request),
      })),
    };
    const total_results = containers.length + shipments.length + requests.length;
    const cut = hits.length >= 25 ? MAX_HITS : undefined;
    const next = context.readOnly ? '.' : '; track_container starts to track a number.';
    const hint = total_results === 0 ? NOTHING_FOUND + next : undefined;
    const tables = [
      ...tableUnder('containers', withoutIds(result.containers.map(withoutShipmentId), 'container_number')),
      ...tableUnder('shipments', withoutIds(result.shipments, 'bill_of_lading')),
      ...tableUnder('tracking_requests', withoutIds(result.tracking_requests, 'request_number')),
    ];
    return {
      text: markedText(joined([counted(total_results, 'hit'), cut, hint], '. '), tables),
      result: { ...result, total_results, cut, hint },
    };
  },
});

const tableUnder = (name: string, rows: readonly object[]) => (rows.length > 0 ? [`${name}:`, tableOf(rows)] : []);

/** Leaves out the id of a shipment that has a bill of lading, because the tools also accept the bill of lading. */
const withoutShipmentId = <Row extends { bill_of_lading?: string | undefined; shipment_id?: string | undefined }>(
  row: Row,
) => (row.bill_of_lading ? { ...row, shipment_id: undefined } : row);

type Hit = Record<string, unknown>;

const COMMON = ['pod_eta', 'pod_ata', 'customer_name'] as const;

type Facts = {
  [N in 'status' | 'pickup' | 'last_free_day' | 'bill_of_lading' | (typeof COMMON)[number]]?: string | undefined;
};

/**
 * The facts that the search does not have, by id. One request reads all containers, and another request reads all
 * shipments. If a request fails, the hits are returned without these facts.
 */
async function factsOf(
  containers: Hit[],
  shipments: Hit[],
  { caller, limits, now }: ToolContext,
): Promise<Map<string | null, Facts>> {
  const { client } = caller;
  const numbers = (hits: Hit[]) => [...new Set(hits.flatMap(({ number }) => text(number) ?? []))];
  const options = { pageSize: 100, ...limits() };
  const ofContainers = async (number: string[]) => {
    const { data } = await client.containers.list({ ...options, filter: { number }, include: ['shipment'] });
    return data.map(container => [text(container.id), containerFacts(container, now)] as const);
  };
  const ofShipments = async (number: string[]) => {
    // An older service has no filter `number`. An older service has a parameter `number` that takes one number.
    const wanted = number.length === 1 ? { number: number[0] } : { filter: { number } };
    const { data } = await client.shipments.list({ ...options, ...wanted });
    return data.map(shipment => [text(shipment.id), shipmentFacts(shipment)] as const);
  };
  const read = await Promise.allSettled([
    containers.length > 0 ? ofContainers(numbers(containers)) : [],
    shipments.length > 0 ? ofShipments(numbers(shipments)) : [],
  ]);
  return new Map(read.flatMap(result => (result.status === 'fulfilled' ? result.value : [])));
}

function containerFacts(container: object, now: Date): Facts {
  const { status, pickup, last_free_day, pod_eta, pod_ata, bill_of_lading } = containerRow(container, now);
  const customer_name = short(included((container as Hit).shipment)?.customer_name);
  return { status: status ?? undefined, pickup, last_free_day, pod_eta, pod_ata, customer_name, bill_of_lading };
}

function shipmentFacts(shipment: object): Facts {
  const { pod_eta, pod_ata, customer_name } = shipmentRow(shipment, false);
  return { status: shipmentStatus(shipment), pod_eta, pod_ata, customer_name };
}

const hitOf = (hit: Hit) => ({
  id: text(hit.id) ?? '',
  shipping_line: text(hit.scac) ?? 'Unknown',
  ref_numbers: texts(hit.ref_numbers),
});
