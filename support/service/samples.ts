import { readdirSync, readFileSync } from 'node:fs';
import { isIdentifier, isRecord } from '../../src/jsonapi/document.ts';
import { operations } from './description.ts';

const FOLDER = new URL('../samples/', import.meta.url);

export interface SampleAnswer {
  file: string;
  /** An operation that returns such a response. */
  operation: string;
  body: unknown;
}

/** Every response in the sample files, with an operation that returns such a response. */
export function sampleAnswers(): SampleAnswer[] {
  return readdirSync(FOLDER).flatMap(file =>
    answersIn(JSON.parse(readFileSync(new URL(file, FOLDER), 'utf8'))).map(answer => ({ file, ...answer })),
  );
}

/**
 * A file is a response, or has several responses under descriptive keys. A response may also be a bare
 * resource, outside of a JSON:API document.
 */
function answersIn(value: unknown): Omit<SampleAnswer, 'file'>[] {
  if (!isRecord(value)) return [];
  const plain = PLAIN.find(({ key }) => key in value);
  if (plain) return [{ operation: plain.operation, body: value }];
  if (value.type === 'FeatureCollection') return [{ operation: 'containers.mapGeojson', body: value }];
  if (isRecord(value.document_type)) return [{ operation: 'documents.type', body: value }];
  if (isRecord(value.meta) && 'group_by' in value.meta) return [{ operation: 'containers.summary', body: value }];
  if ('data' in value && [value.data].flat().every(isIdentifier)) return recordAnswer(value);
  if (isIdentifier(value) && 'attributes' in value) return recordAnswer({ data: value });
  return Object.values(value).flatMap(answersIn);
}

/** Keys that identify one response in plain JSON. */
const PLAIN = [
  { key: 'webhook_notification_ips', operation: 'webhooks.ips' },
  { key: 'succeeded', operation: 'webhooks.trigger' },
  { key: 'direct_upload', operation: 'directUploads.create' },
  { key: 'document_types', operation: 'documents.types' },
];

/** Operations that return both forms: one record, or an array of one record. */
const EITHER = ['webhookNotifications.examples'];

function recordAnswer(body: Record<string, unknown>): Omit<SampleAnswer, 'file'>[] {
  const isList = Array.isArray(body.data);
  const [first] = [body.data].flat() as { type: string }[];
  const fitting = operations.filter(operation => {
    const { shape, type } = operation.answer;
    return (
      type === first?.type && isList === (shape === 'list' || shape === 'array') && !EITHER.includes(operation.name)
    );
  });
  const operation = fitting.find(({ method }) => method === 'GET') ?? fitting[0];
  // Records without an endpoint are only included in responses for other records.
  return operation ? [{ operation: operation.name, body }] : [];
}
