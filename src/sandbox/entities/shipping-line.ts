import type { Entity } from '../state/entity.ts';
import type { Carrier } from '../world/carriers.ts';

export function shippingLine(carrier: Carrier): Entity<'shipping_line'> {
  return {
    type: 'shipping_line',
    id: carrier.id,
    render: () => ({
      attributes: {
        scac: carrier.scac,
        name: carrier.name,
        provided_data: {
          ssl_lfd: false,
          seal_number: true,
          weight_in_lbs: true,
          equipment_type: true,
          pod_arrived_at: true,
          pod_full_out_at: true,
          equipment_height: true,
          equipment_length: true,
          pod_discharged_at: true,
          seal_number_notes: '',
          empty_terminated_at: true,
          weight_in_lbs_notes: '',
          equipment_type_notes: '',
          pod_arrived_at_notes: '',
          pod_full_out_at_notes: '',
          equipment_height_notes: '',
          equipment_length_notes: '',
          pod_discharged_at_notes: '',
          empty_terminated_at_notes: '',
          final_destination_full_out_at: true,
          final_destination_full_out_at_notes: '',
        },
        tracking_url: null,
        contact_url: null,
        alternative_scacs: carrier.alternatives,
        short_name: carrier.shortName,
        bill_of_lading_tracking_support: carrier.tracks.bill_of_lading,
        booking_number_tracking_support: carrier.tracks.booking_number,
        container_number_tracking_support: carrier.tracks.container,
        bol_prefix: carrier.bolPrefix,
      },
    }),
  };
}
