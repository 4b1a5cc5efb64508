// Written by `npm run generate` from description/. Do not edit.

/** An error response, as it goes over the wire. */
export interface ErrorAnswer {
  status: number;
  headers?: Record<string, string>;
  /** A string is sent unchanged, any other value as JSON. */
  body: unknown;
}

/**
 * The name of an error of the service, with its status, texts and form. The last errors in the list have the forms that
 * gateways and older parts of the service use: `error` in place of `errors`, only a text, no body, an HTML page.
 */
export type ErrorName =
  | 'bad-include'
  | 'missing-event'
  | 'missing-query'
  | 'blank-search'
  | 'unauthorized'
  | 'unverified-key'
  | 'routing-not-enabled'
  | 'refresh-not-enabled'
  | 'custom-fields-for-users'
  | 'free-plan'
  | 'foreign-party'
  | 'billing-locked'
  | 'not-found'
  | 'document-not-found'
  | 'email-submission-not-found'
  | 'document-schema-not-found'
  | 'unknown-path'
  | 'duplicate-document'
  | 'blank-scac'
  | 'unknown-scac'
  | 'unsupported-scac'
  | 'blank-request-number'
  | 'duplicate-request'
  | 'party-of-another-account'
  | 'party-role-taken'
  | 'unknown-party-role'
  | 'role-not-for-container'
  | 'invalid-reference-number'
  | 'invalid-arrival-date-from'
  | 'invalid-arrival-date-to'
  | 'invalid-port-of-lading'
  | 'invalid-port-of-discharge'
  | 'missing-trigger-url'
  | 'blank-company-name'
  | 'company-name-taken'
  | 'invalid-rotation'
  | 'no-document-attached'
  | 'rate-limited'
  | 'create-rate-limited'
  | 'refresh-rate-limited'
  | 'infer-rate-limited'
  | 'rate-limited-without-retry-after'
  | 'server-error'
  | 'error-key-with-list'
  | 'error-key-with-text'
  | 'errors-key-with-text'
  | 'message-only'
  | 'detail-only'
  | 'error-and-message'
  | 'empty-body'
  | 'gateway-page';

export const NAMED_ERRORS: Readonly<Record<ErrorName, ErrorAnswer>> = {
  'bad-include': {
    status: 400,
    body: {
      errors: [
        {
          status: '400',
          title: 'Bad Request',
          source: { parameter: 'include' },
          detail: 'wrong is not specified as a relationship on DocumentSerializer',
        },
      ],
    },
  },
  'missing-event': {
    status: 400,
    body: { errors: [{ status: '400', title: 'Bad Request', source: { parameter: 'event' }, detail: null }] },
  },
  'missing-query': { status: 400, body: { errors: [{ detail: 'Query parameter is required' }] } },
  'blank-search': {
    status: 400,
    body: {
      errors: [{ status: '400', title: 'Bad Request', source: { parameter: 'q' }, detail: 'q must not be blank' }],
    },
  },
  unauthorized: {
    status: 401,
    body: { errors: [{ status: '401', title: 'Unauthorized', detail: 'Invalid or missing API token.' }] },
  },
  'unverified-key': {
    status: 401,
    body: { errors: [{ status: '401', title: 'Unauthorized', detail: 'Sandbox API key could not be verified' }] },
  },
  'routing-not-enabled': {
    status: 403,
    body: {
      errors: [{ status: '403', title: 'Forbidden', detail: 'Routing data feature is not enabled for this account' }],
    },
  },
  'refresh-not-enabled': {
    status: 403,
    body: {
      errors: [
        {
          status: '403',
          title: 'API access not enabled',
          detail: 'This API endpoint is not enabled for your account. Please contact support@sandbox.example',
        },
      ],
    },
  },
  'custom-fields-for-users': {
    status: 403,
    body: { errors: [{ status: '403', title: 'Forbidden', detail: 'Values of custom fields need a signed-in user.' }] },
  },
  'free-plan': {
    status: 401,
    body: {
      errors: [
        {
          status: '401',
          title: 'Unauthorized',
          detail: 'Your plan has no permission except creating tracking requests. Everything else needs a paid plan.',
        },
      ],
    },
  },
  'foreign-party': {
    status: 401,
    body: {
      errors: [{ status: '401', title: 'Unauthorized', detail: 'You are not authorized to use this party or record.' }],
    },
  },
  'billing-locked': {
    status: 401,
    body: {
      errors: [{ status: '401', title: 'Unauthorized', detail: 'The account is locked until an invoice is paid.' }],
    },
  },
  'not-found': { status: 404, body: { errors: [{ status: '404', title: 'Not Found' }] } },
  'document-not-found': {
    status: 404,
    body: { errors: [{ status: '404', title: 'Not Found', detail: "Couldn't find Document" }] },
  },
  'email-submission-not-found': {
    status: 404,
    body: { errors: [{ status: '404', title: 'Not Found', detail: "Couldn't find EmailSubmission" }] },
  },
  'document-schema-not-found': {
    status: 404,
    body: { errors: [{ status: '404', title: 'Not Found', detail: "Couldn't find DocumentSchema with 'id'=wrong@1" }] },
  },
  'unknown-path': {
    status: 404,
    headers: { 'content-type': 'text/html; charset=utf-8' },
    body: '<!DOCTYPE html>\n<html><head><title>404</title></head><body><h1>Page not found</h1></body></html>\n',
  },
  'duplicate-document': {
    status: 409,
    body: {
      errors: [
        {
          status: '409',
          title: 'Duplicate document',
          detail: 'A document with the same content exists already.',
          code: 'duplicate_document',
          meta: { existing_document_id: '2f5cbb8e-0f5d-4a2b-9a3d-6d1a4c1f7e10', existing_document_name: 'invoice.pdf' },
        },
      ],
    },
  },
  'blank-scac': {
    status: 422,
    body: {
      errors: [
        {
          status: '422',
          source: { pointer: '/data/attributes/scac' },
          title: 'Unprocessable Entity',
          detail: "Scac can't be blank",
          code: 'blank',
        },
      ],
    },
  },
  'unknown-scac': {
    status: 422,
    body: {
      errors: [
        {
          status: '422',
          source: { pointer: '/data/attributes/scac' },
          title: 'Unprocessable Entity',
          detail: "Scac 'ABCD' is not recognized",
          code: 'blank',
        },
      ],
    },
  },
  'unsupported-scac': {
    status: 422,
    body: {
      errors: [
        {
          status: '422',
          source: { pointer: '/data/attributes/scac' },
          title: 'Unprocessable Entity',
          detail: "Scac 'WDSB' is not supported. World Direct Shipping does not support tracking by bill_of_lading.",
          code: 'blank',
        },
      ],
    },
  },
  'blank-request-number': {
    status: 422,
    body: {
      errors: [
        {
          status: '422',
          source: { pointer: '/data/attributes/request_number' },
          title: 'Unprocessable Entity',
          detail: "Request number can't be blank",
          code: 'blank',
        },
      ],
    },
  },
  'duplicate-request': {
    status: 422,
    body: {
      errors: [
        {
          status: '422',
          source: { pointer: '/data/attributes/request_number' },
          title: 'Unprocessable Entity',
          detail:
            "Request number 'MAEU12345' with scac 'MAEU' already exists in a tracking_request with a pending or created status",
          code: 'duplicate',
        },
      ],
    },
  },
  'party-of-another-account': {
    status: 422,
    body: {
      errors: [
        {
          status: '422',
          source: { pointer: '/data/relationships/shipper' },
          title: 'Unprocessable Entity',
          detail: 'Party must belong to your account',
        },
      ],
    },
  },
  'party-role-taken': {
    status: 422,
    body: { errors: [{ status: '422', title: 'Unprocessable Entity', detail: 'Party has already been taken' }] },
  },
  'unknown-party-role': {
    status: 422,
    body: { errors: [{ status: '422', title: 'Unprocessable Entity', detail: "'owner' is not a valid role" }] },
  },
  'role-not-for-container': {
    status: 422,
    body: { errors: [{ status: '422', title: 'Unprocessable Entity', detail: 'Role is not allowed for Cargo' }] },
  },
  'invalid-reference-number': {
    status: 422,
    body: { errors: [{ status: '422', detail: 'This reference number is not valid.' }] },
  },
  'invalid-arrival-date-from': {
    status: 422,
    body: {
      errors: [
        {
          status: '422',
          title: 'Invalid arrival_date_from',
          detail: 'arrival_date_from must be valid and in the form YYYY-MM-DD',
        },
      ],
    },
  },
  'invalid-arrival-date-to': {
    status: 422,
    body: {
      errors: [
        {
          status: '422',
          title: 'Invalid arrival_date_to',
          detail: 'arrival_date_to must be valid and in the form YYYY-MM-DD',
        },
      ],
    },
  },
  'invalid-port-of-lading': {
    status: 422,
    body: {
      errors: [
        {
          status: '422',
          title: 'Invalid port_of_lading',
          detail: 'port_of_lading must be an array of 5-character UN/LOCODEs',
        },
      ],
    },
  },
  'invalid-port-of-discharge': {
    status: 422,
    body: {
      errors: [
        {
          status: '422',
          title: 'Invalid port_of_discharge',
          detail: 'port_of_discharge must be an array of 5-character UN/LOCODEs',
        },
      ],
    },
  },
  'missing-trigger-url': { status: 422, body: { errors: [{ detail: 'url is required' }] } },
  'blank-company-name': {
    status: 422,
    body: {
      errors: [
        {
          status: '422',
          source: { pointer: '/data/attributes/company_name' },
          title: 'Unprocessable Entity',
          detail: "Company name can't be blank",
        },
      ],
    },
  },
  'company-name-taken': {
    status: 422,
    body: {
      errors: [
        {
          status: '422',
          source: { pointer: '/data/attributes/customer' },
          title: 'Unprocessable Entity',
          detail: "'Importer' already exists in Account",
        },
      ],
    },
  },
  'invalid-rotation': {
    status: 422,
    body: { errors: [{ status: '422', title: 'Invalid rotation', detail: 'degrees must be one of: 90, 180, 270' }] },
  },
  'no-document-attached': { status: 422, body: { errors: [{ status: '422', title: 'No document attached' }] } },
  'rate-limited': {
    status: 429,
    headers: { 'retry-after': '60' },
    body: {
      errors: [
        {
          status: '429',
          title: 'Too Many Requests',
          detail: 'You have exceeded the rate limit. Please make fewer calls, or use webhooks.',
        },
      ],
    },
  },
  'create-rate-limited': {
    status: 429,
    headers: { 'retry-after': '60' },
    body: {
      errors: [
        {
          status: '429',
          title: 'Too Many Requests',
          detail: "You've hit the create tracking requests limit. Please try again in a minute.",
        },
      ],
    },
  },
  'refresh-rate-limited': {
    status: 429,
    headers: { 'retry-after': '60' },
    body: {
      errors: [
        {
          status: '429',
          title: 'Too Many Requests',
          detail: "You've hit the refresh limit. Please try again in a minute.",
        },
      ],
    },
  },
  'infer-rate-limited': {
    status: 429,
    headers: { 'retry-after': '60' },
    body: { errors: [{ status: '429', detail: 'Rate limit exceeded' }] },
  },
  'rate-limited-without-retry-after': {
    status: 429,
    body: {
      errors: [
        {
          status: '429',
          title: 'Too Many Requests',
          detail: 'You have exceeded the rate limit. Please make fewer calls, or use webhooks.',
        },
      ],
    },
  },
  'server-error': {
    status: 500,
    body: { errors: [{ status: '500', title: 'Internal Server Error', detail: null, code: null }] },
  },
  'error-key-with-list': { status: 422, body: { error: [{ status: '422', title: 'Unprocessable Entity' }] } },
  'error-key-with-text': { status: 422, body: { error: 'The request is not valid.' } },
  'errors-key-with-text': { status: 422, body: { errors: 'The request is not valid.' } },
  'message-only': { status: 422, body: { message: 'The request is not valid.' } },
  'detail-only': { status: 422, body: { detail: 'The request is not valid.' } },
  'error-and-message': { status: 401, body: { error: 'Unauthorized', message: 'The credential is wrong.' } },
  'empty-body': { status: 500, body: '' },
  'gateway-page': {
    status: 502,
    headers: { 'content-type': 'text/html; charset=utf-8' },
    body: '<!DOCTYPE html>\n<html><head><title>502</title></head><body><h1>Bad Gateway</h1></body></html>\n',
  },
};
