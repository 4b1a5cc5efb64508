import type { Bucket } from '../state/changes.ts';
import {
  type ErrorObject,
  type HttpError,
  invalid,
  notFound,
  plainErrors,
  refreshNotEnabled,
  routingNotEnabled,
  unauthorized,
} from './errors.ts';

/** An answer with an error, as it goes over the wire. */
export interface ErrorAnswer {
  status: number;
  headers?: Record<string, string>;
  /** A string is sent unchanged, any other value as JSON. */
  body: unknown;
}

const html = (status: number, text: string): ErrorAnswer => ({
  status,
  headers: { 'content-type': 'text/html; charset=utf-8' },
  body: `<!DOCTYPE html>\n<html><head><title>${status}</title></head><body><h1>${text}</h1></body></html>\n`,
});

export const unknownPath = (): ErrorAnswer => html(404, 'Page not found');

/** The error of each rate limit: the service has different texts. */
const LIMITED: Record<Bucket, ErrorObject> = {
  default: {
    status: '429',
    title: 'Too Many Requests',
    detail: 'You have exceeded the rate limit. Please make fewer calls, or use webhooks.',
  },
  createTrackingRequest: {
    status: '429',
    title: 'Too Many Requests',
    detail: "You've hit the create tracking requests limit. Please try again in a minute.",
  },
  refreshContainer: {
    status: '429',
    title: 'Too Many Requests',
    detail: "You've hit the refresh limit. Please try again in a minute.",
  },
  inferNumber: { status: '429', detail: 'Rate limit exceeded' },
};

export function limited(bucket: Bucket, seconds: number): ErrorAnswer {
  return { status: 429, headers: { 'retry-after': String(seconds) }, body: { errors: [LIMITED[bucket]] } };
}

const listed = (status: number, ...errors: ErrorObject[]): ErrorAnswer => ({ status, body: { errors } });
const thrown = ({ status, errors }: HttpError): ErrorAnswer => listed(status, ...errors);
const titled = (title: string, detail: string) => listed(422, { status: '422', title, detail });
const refused = (field: string, detail: string, code?: string) => listed(422, invalid(field, detail, code));
const aboutRequest = 'attributes/request_number';

/** The errors of the service, as they go over the wire. */
const ERRORS = {
  'bad-include': listed(400, {
    ...plainErrors(400)[0],
    source: { parameter: 'include' },
    detail: 'wrong is not specified as a relationship on DocumentSerializer',
  }),
  'missing-event': listed(400, { ...plainErrors(400)[0], source: { parameter: 'event' }, detail: null }),
  'missing-query': listed(400, { detail: 'Query parameter is required' }),
  unauthorized: thrown(unauthorized()),
  'unverified-key': listed(401, { ...plainErrors(401)[0], detail: 'Sandbox API key could not be verified' }),
  'routing-not-enabled': thrown(routingNotEnabled()),
  'refresh-not-enabled': thrown(refreshNotEnabled()),
  'not-found': thrown(notFound()),
  'document-not-found': thrown(notFound("Couldn't find Document")),
  'email-submission-not-found': thrown(notFound("Couldn't find EmailSubmission")),
  'document-schema-not-found': thrown(notFound("Couldn't find DocumentSchema with 'id'=wrong@1")),
  'unknown-path': unknownPath(),
  'duplicate-document': listed(409, {
    status: '409',
    title: 'Duplicate document',
    detail: 'A document with the same content exists already.',
    code: 'duplicate_document',
    meta: { existing_document_id: '2f5cbb8e-0f5d-4a2b-9a3d-6d1a4c1f7e10', existing_document_name: 'invoice.pdf' },
  }),
  'blank-scac': refused('attributes/scac', "Scac can't be blank", 'blank'),
  'unknown-scac': refused('attributes/scac', "Scac 'ABCD' is not recognized", 'blank'),
  'unsupported-scac': refused(
    'attributes/scac',
    "Scac 'WDSB' is not supported. World Direct Shipping does not support tracking by bill_of_lading.",
    'blank',
  ),
  'blank-request-number': refused(aboutRequest, "Request number can't be blank", 'blank'),
  'duplicate-request': refused(
    aboutRequest,
    "Request number 'MAEU12345' with scac 'MAEU' already exists in a tracking_request with a pending or created status",
    'duplicate',
  ),
  'invalid-reference-number': listed(422, { status: '422', detail: 'This reference number is not valid.' }),
  'invalid-arrival-date-from': titled('Invalid arrival_date_from', dateRule('arrival_date_from')),
  'invalid-arrival-date-to': titled('Invalid arrival_date_to', dateRule('arrival_date_to')),
  'invalid-port-of-lading': titled('Invalid port_of_lading', portRule('port_of_lading')),
  'invalid-port-of-discharge': titled('Invalid port_of_discharge', portRule('port_of_discharge')),
  'missing-trigger-url': listed(422, { detail: 'url is required' }),
  'blank-company-name': refused('attributes/company_name', "Company name can't be blank"),
  'company-name-taken': refused('attributes/customer', "'Importer' already exists in Account"),
  'invalid-rotation': titled('Invalid rotation', 'degrees must be one of: 90, 180, 270'),
  'no-document-attached': listed(422, { status: '422', title: 'No document attached' }),
  'rate-limited': limited('default', 60),
  'create-rate-limited': limited('createTrackingRequest', 60),
  'refresh-rate-limited': limited('refreshContainer', 60),
  'infer-rate-limited': limited('inferNumber', 60),
  'rate-limited-without-retry-after': { status: 429, body: { errors: [LIMITED.default] } },
  'server-error': listed(500, { ...plainErrors(500)[0], detail: null, code: null }),
  'error-key-with-list': { status: 422, body: { error: plainErrors(422) } },
  'error-key-with-text': { status: 422, body: { error: 'The request is not valid.' } },
  'errors-key-with-text': { status: 422, body: { errors: 'The request is not valid.' } },
  'message-only': { status: 422, body: { message: 'The request is not valid.' } },
  'detail-only': { status: 422, body: { detail: 'The request is not valid.' } },
  'error-and-message': { status: 401, body: { error: 'Unauthorized', message: 'The credential is wrong.' } },
  'empty-body': { status: 500, body: '' },
  'gateway-page': html(502, 'Bad Gateway'),
} satisfies Record<string, ErrorAnswer>;

function dateRule(name: string): string {
  return `${name} must be valid and in the form YYYY-MM-DD`;
}
function portRule(name: string): string {
  return `${name} must be an array of 5-character UN/LOCODEs`;
}

/**
 * The name of an error of the service, with its status, texts and form. The last ones have the forms that gateways and older
 * parts of the service use: `error` in place of `errors`, only a text, no body, a page.
 */
export type ErrorName = keyof typeof ERRORS;

export const ERROR_NAMES = Object.keys(ERRORS) as ErrorName[];

export function errorNamed(name: ErrorName): ErrorAnswer {
  return ERRORS[name];
}
