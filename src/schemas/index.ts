export type { ResourceIdentifier } from '../jsonapi/document.ts';
export * from '../model/generated/schemas.ts';
export { answers, mapFeatureCollection, notification } from './answers.ts';
export type { SchemaMismatch } from './mismatch.ts';
