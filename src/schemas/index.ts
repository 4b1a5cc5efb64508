export type { ResourceIdentifier } from '../jsonapi/document.ts';
export * from '../model/generated/schemas.ts';
export { answers } from './answers.ts';
export { mapFeatureCollection } from './map-geojson.ts';
export type { SchemaMismatch } from './mismatch.ts';
export { notification } from './notification.ts';
