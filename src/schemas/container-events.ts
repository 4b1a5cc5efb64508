import * as z from 'zod/mini';
import { terminalFees, terminalHolds } from './container.ts';
import { dateTime, dateTimeOrNull, flagOrNull, text, textOrNull, unknown } from './fields.ts';
import { one, resource } from './resource.ts';

const change = <Value extends z.ZodMiniType>(value: Value) => z.exactOptional(z.tuple([value, value]));

/** A container updated event, as it is on the wire. */
export const containerUpdatedEvent = z.lazy(() =>
  resource(
    'container_updated_event',
    {
      changeset: z.catchall(
        z.object({
          available_for_pickup: change(flagOrNull),
          pickup_lfd: change(dateTimeOrNull),
          pickup_lfd_line: change(dateTimeOrNull),
          pickup_lfd_rail: change(dateTimeOrNull),
          fees_at_pod_terminal: change(terminalFees),
          holds_at_pod_terminal: change(terminalHolds),
          pickup_appointment_at: change(dateTimeOrNull),
          pod_terminal: change(textOrNull),
        }),
        z.tuple([unknown, unknown]),
      ),
      timestamp: dateTime,
      timezone: text,
      data_source: text,
    },
    { container: one('container'), terminal: one('terminal'), shipment: one('shipment') },
  ),
);

/** A container created event, as it is on the wire. */
export const containerCreatedEvent = z.lazy(() =>
  resource(
    'container_created_event',
    { timestamp: dateTime, timezone: text },
    { container: one('container'), shipment: one('shipment') },
  ),
);

/** A container pod terminal changed event, as it is on the wire. */
export const containerPodTerminalChangedEvent = z.lazy(() =>
  resource(
    'container_pod_terminal_changed_event',
    { timestamp: dateTime, data_source: text },
    { container: one('container'), shipment: one('shipment'), terminal: one('terminal') },
  ),
);
