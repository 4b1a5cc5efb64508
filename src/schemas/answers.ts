import * as z from 'zod/mini';
import {
  accepted,
  containerCounts,
  directUpload,
  documentTypeDetail,
  documentTypes,
  downloadUrl,
  refreshResult,
  schemas,
  triggerResult,
  webhookIps,
  webhookNotification,
} from '../model/generated/schemas.ts';
import type { ResourceType } from '../model/index.ts';
import { dateTime, dateTimeOrNull, json, number, numberOrNull, text, textOrNull } from './fields.ts';

function feature<const Name extends string, P extends Record<string, z.ZodMiniType>, G extends z.ZodMiniType>(
  name: Name,
  properties: P,
  geometry: G,
) {
  return z.looseObject({
    properties: z.looseObject({ feature_type: z.literal(name), ...properties }),
    type: z.literal('Feature'),
    geometry,
  });
}

/** The features of a map by their `feature_type`. */
function mapFeatures() {
  const position = z.tuple([number, number]);
  const point = z.looseObject({ type: z.literal('Point'), coordinates: position });
  const lineString = z.looseObject({ type: z.literal('LineString'), coordinates: z.array(position) });
  const legOf = { ports_sequence: number, next_port_id: text, point_count: number };
  return {
    port: feature(
      'port',
      {
        ports_sequence: number,
        ports_total: number,
        location_id: text,
        location_type: text,
        name: text,
        state_abbr: textOrNull,
        state: textOrNull,
        country_code: text,
        country: text,
        time_zone: text,
        label: text,
        inbound_eta_at: dateTimeOrNull,
        inbound_ata_at: dateTimeOrNull,
        outbound_etd_at: dateTimeOrNull,
        outbound_atd_at: dateTimeOrNull,
        updated_at: dateTimeOrNull,
      },
      point,
    ),
    current_vessel: feature(
      'current_vessel',
      {
        ports_sequence: number,
        vessel_id: text,
        vessel_name: text,
        vessel_imo: text,
        voyage_number: textOrNull,
        vessel_location_timestamp: dateTime,
        vessel_location_heading: numberOrNull,
        vessel_location_speed: numberOrNull,
        departure_port_id: text,
        departure_port_name: text,
        departure_port_state_abbr: textOrNull,
        departure_port_state: textOrNull,
        departure_port_country_code: text,
        departure_port_country: text,
        departure_port_label: text,
        departure_port_time_zone: text,
        departure_port_atd: dateTimeOrNull,
        arrival_port_id: textOrNull,
        arrival_port_name: textOrNull,
        arrival_port_state_abbr: textOrNull,
        arrival_port_state: textOrNull,
        arrival_port_country_code: textOrNull,
        arrival_port_country: textOrNull,
        arrival_port_label: textOrNull,
        arrival_port_time_zone: textOrNull,
        arrival_port_eta: dateTimeOrNull,
      },
      point,
    ),
    past_vessel_locations: feature(
      'past_vessel_locations',
      {
        ports_sequence: number,
        vessel_id: text,
        start_time: dateTime,
        end_time: dateTime,
        point_count: number,
        outbound_atd_at: dateTimeOrNull,
        inbound_ata_at: dateTimeOrNull,
        inbound_eta_at: dateTimeOrNull,
      },
      lineString,
    ),
    estimated_full_legs: feature('estimated_full_legs', { ...legOf, previous_port_id: text }, lineString),
    estimated_partial_leg: feature('estimated_partial_leg', { ...legOf, current_port_id: text }, lineString),
  };
}

/** The response of `containers.mapGeojson`. Features of an unknown `feature_type` are valid, because the service may add types. */
export const mapFeatureCollection = z.lazy(() => {
  const features = mapFeatures();
  const isNew = (value: unknown) => typeof value === 'string' && !Object.hasOwn(features, value);
  const newFeature = z.looseObject({
    properties: z.looseObject({ feature_type: z.custom<string>(isNew, Object.keys(features).join(' or ')) }),
    type: text,
  });
  return z.looseObject({
    type: z.literal('FeatureCollection'),
    features: z.array(z.union([...Object.values(features), newFeature])),
  });
});

/** The schemas of all responses that are plain JSON and not a JSON:API document, by the name of the method. */
export const answers = {
  'containers.mapGeojson': mapFeatureCollection,
  'containers.refresh': refreshResult,
  'containers.summary': containerCounts,
  'directUploads.create': directUpload,
  'documents.downloadUrl': downloadUrl,
  'documents.reclassify': accepted,
  'documents.reextract': accepted,
  'documents.relink': accepted,
  'documents.rotate': accepted,
  'documents.type': documentTypeDetail,
  'documents.types': documentTypes,
  'webhooks.ips': webhookIps,
  'webhooks.trigger': triggerResult,
} satisfies Record<string, z.ZodMiniType>;

export type AnswerName = keyof typeof answers;

/** A resource of any type. It is checked with the schema of its type. A resource of an unknown type is valid. */
const anyResource = z.lazy(() =>
  z.looseObject({ id: text, type: text }).check(payload => {
    const { type } = payload.value;
    const schema = Object.hasOwn(schemas, type) ? schemas[type as ResourceType] : undefined;
    const issues = schema?.safeParse(payload.value).error?.issues ?? [];
    for (const issue of issues) payload.issues.push({ ...issue, input: payload.value } as z.core.$ZodRawIssue);
  }),
);

/** The whole body of a webhook delivery (docs/service/webhooks.md#deliveries). `included` may be missing. */
export const notification = z.lazy(() =>
  z.looseObject({
    data: webhookNotification,
    included: z.exactOptional(z.array(anyResource)),
    links: z.exactOptional(json),
    meta: z.exactOptional(json),
  }),
);
