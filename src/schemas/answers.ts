import type * as z from 'zod/mini';
import {
  accepted,
  containerCounts,
  directUpload,
  documentTypeDetail,
  documentTypes,
  downloadUrl,
  refreshResult,
  triggerResult,
  webhookIps,
} from '../model/generated/schemas.ts';
import { mapFeatureCollection } from './map-geojson.ts';

/** The schema of every answer that is plain JSON and not a JSON:API document, by the name of the method. */
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
