import type { WireResource } from '../src/jsonapi/document.ts';
import { pageOf, type Received } from './paged-server.ts';
import type { Answer } from './server.ts';

interface State {
  status: string;
  failed_reason?: string | null;
  retry_count?: number | null;
  /** The id of the shipment. */
  shipment?: string;
  created_at?: string;
  request_number?: string;
  request_type?: string;
  scac?: string | null;
}

/** A tracking request as the service sends it. */
export function trackingRequest(id: string, { shipment, ...state }: State): WireResource {
  return {
    type: 'tracking_request',
    id,
    attributes: {
      request_number: `BL-${id}`,
      request_type: 'bill_of_lading',
      scac: 'MAEU',
      ref_numbers: [],
      failed_reason: null,
      created_at: '2026-03-09T03:04:40Z',
      updated_at: '2026-03-09T03:04:40Z',
      ...state,
    },
    relationships: { tracked_object: { data: shipment ? { type: 'shipment', id: shipment } : null } },
  };
}

export function created(id: string): WireResource {
  return trackingRequest(id, { status: 'created', shipment: `s-${id}` });
}

export function pending(id: string): WireResource {
  return trackingRequest(id, { status: 'pending' });
}

/** Responds to `GET /tracking_requests/{id}`, and to `GET /tracking_requests` and its filters for number and time. */
export function readTrackingRequests(records: readonly WireResource[], { url }: Pick<Received, 'url'>): Answer {
  const id = /\/tracking_requests\/([^/]+)$/.exec(url.pathname)?.[1];
  if (id !== undefined) {
    const data = records.find(record => record.id === id);
    return data ? { body: { data } } : notFound();
  }
  const number = url.searchParams.get('filter[request_number]');
  const start = Date.parse(url.searchParams.get('filter[created_at][start]') ?? '') || Number.NEGATIVE_INFINITY;
  const end = Date.parse(url.searchParams.get('filter[created_at][end]') ?? '') || Number.POSITIVE_INFINITY;
  const found = records.filter(({ attributes }) => {
    const time = Date.parse(String(attributes?.created_at));
    return time > start && time < end && (number === null || attributes?.request_number === number);
  });
  return { body: pageOf(found, url) };
}

export function notFound(): Answer {
  return { status: 404, body: { errors: [{ title: 'Not Found' }] } };
}
