import { NotFoundError } from '../../errors.ts';
import type { ToolContext } from '../tool.ts';
import { text } from '../views/read.ts';
import { containerDetails } from './get-container.ts';

/** What a number stands for, if the account tracks it already. Only an exact match counts: another box must not be shown. */
export async function findTracked(number: string, context: ToolContext) {
  const hits = await context.caller.client.search(number, context.limits());
  const exact = hits.filter(hit => text(hit.number)?.toUpperCase() === number);
  const box = exact.find(({ entity_type }) => entity_type === 'cargo' || (entity_type as string) === 'container');
  if (box) return boxDetails(box.id, context);
  const shipment = exact.find(({ entity_type }) => entity_type === 'shipment');
  return shipment && shipmentBoxes(shipment.id, context);
}

async function boxDetails(id: string, context: ToolContext) {
  try {
    return { ...(await containerDetails(id, false, context)), tracking_request_created: false };
  } catch (error) {
    if (!(error instanceof NotFoundError)) throw error;
    return {
      error: 'ContainerUnavailable' as const,
      message: 'The container is tracked, and cannot be read yet. Try again in a minute.',
      tracking_request_created: false,
      container: { id },
      _metadata: { presentation_guidance: 'Say that the container is tracked and that its facts are on the way.' },
    };
  }
}

async function shipmentBoxes(id: string, context: ToolContext) {
  const { caller, limits } = context;
  const shipment = await caller.client.shipments.get(id, { include: ['containers'], ...limits() });
  const boxes = shipment.containers ?? [];
  for (const box of boxes) caller.saw(box);
  const [only] = boxes;
  if (only && boxes.length === 1) return boxDetails(only.id, context);
  return {
    tracking_request_created: false,
    shipment: { id, bill_of_lading: text(shipment.bill_of_lading_number), line: text(shipment.shipping_line_scac) },
    containers: boxes.map(box => ({ id: text(box.id) ?? '', number: text(box.number) })),
    _metadata: {
      presentation_guidance:
        'The shipment is tracked already. Read it with get_shipment_details, or one of its containers.',
    },
  };
}
