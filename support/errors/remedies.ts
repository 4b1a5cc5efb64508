import type { EXIT } from '../../src/cli/command.ts';
import type { CustomFieldProblem, TrackingRequestFailedReason, UploadStage } from '../../src/index.ts';
import type { StoreErrorCode } from '../../src/internal/store-error.ts';
import type { AuthorizationFailure } from '../../src/mcp/errors.ts';
import type { Outcome } from '../../src/webhooks/receive/answer.ts';

/** The cause of an error, and its remedy. */
export interface Remedy {
  cause: string;
  remedy: string;
}

/** Remedies by class, then by code. */
export type Remedies = Readonly<Record<string, Readonly<Record<string, Remedy>>>>;

const NO_POST_TWICE = 'The service may have carried out a `POST` or `PATCH`: read the record before you repeat it.';

/** Every class and code that the sources construct, in the order of the page. A test compares the codes. */
export const REMEDIES: readonly { title: string; remedies: Remedies }[] = [
  {
    title: 'The program',
    remedies: {
      ConfigurationError: {
        configuration: {
          cause:
            'An option or argument is missing, unknown or out of range, a peer package is not installed, or the client was closed. Nothing was sent.',
          remedy:
            'Read the message: it names the argument and what is accepted. Change the program. Do not repeat the call.',
        },
      },
    },
  },
  {
    title: 'Responses of the service',
    remedies: {
      BadRequestError: {
        bad_request: {
          cause:
            'The service does not understand a parameter, such as an include that the type does not have, or a search without text.',
          remedy: 'Look at `errors[].parameter` and `errors[].detail`. Change the call.',
        },
      },
      AuthenticationError: {
        unauthorized: {
          cause:
            'The key or token is wrong or revoked, or belongs to another base URL. If you pass a token function, the client has also tried a new token.',
          remedy:
            'Check the key and `baseUrl`: see [authentication](../guides/authentication.md). If the key is right, the plan of the account does not have the operation, or the account is locked until an invoice is paid: `client.me()` shows which. Do not discard the key.',
        },
      },
      PermissionDeniedError: {
        forbidden: {
          cause: 'The account may not do this.',
          remedy: 'Use a key of an account that has the permission. Repeating the call does not help.',
        },
      },
      FeatureNotEnabledError: {
        feature_not_enabled: {
          cause: 'The account does not have the [feature](../service/errors.md#features), such as routing data.',
          remedy: 'Do not use the feature, or ask the support of the service to enable it for the account.',
        },
      },
      NotFoundError: {
        not_found: {
          cause: 'There is no such record in this account, or no such path.',
          remedy: 'Check the id, and check that the key belongs to the account of the record.',
        },
      },
      ConflictError: {
        conflict: {
          cause: 'The account already has a document with the same bytes.',
          remedy: "Use `existingDocumentId`, or upload with `onDuplicate: 'return'`.",
        },
      },
      ValidationError: {
        invalid: {
          cause: 'The service refuses a value. `errors[].pointer` names it.',
          remedy:
            'Correct the value. If `errors[].code` is `duplicate`, the number is tracked already: use `createOrFind` or `track`.',
        },
      },
      RateLimitError: {
        rate_limited: {
          cause:
            'The service responded with 429, and the wait is longer than `retry.maxRetryAfter`, or no attempts are left. If `attempts` is 0, nothing was sent, because an earlier 429 has closed the bucket.',
          remedy:
            'Try again after `retryAfterMs`. Find the other program that uses the key, or share the budget: [rate limits](../guides/rate-limits.md).',
        },
      },
      ServerError: {
        server_error: {
          cause:
            'The service responded with a status of 500 or more. If it was safe, the client has repeated the call.',
          remedy: `Try again later. Send the \`requestId\` to the support of the service. ${NO_POST_TWICE}`,
        },
      },
      APIError: {
        api_error: {
          cause: 'The service, or a gateway, responded with another status, such as a redirect, 405, 408 or 413.',
          remedy: 'Look at `status` and the message. The client does not follow redirects: correct `baseUrl`.',
        },
      },
      ResponseFormatError: {
        response_format: {
          cause:
            "The response cannot be read: it is empty, is not valid JSON, has no `data`, or is longer than `maxResponseBytes`. Or it does not match its schema, with `validation: 'strict'`.",
          remedy: `For a page in HTML, check that \`baseUrl\` leads to the service and not to a login page. JSON that is not valid was cut off on its way: repeat a read. ${NO_POST_TWICE} For a long response, use a smaller \`pageSize\` or a larger \`maxResponseBytes\`. Look at \`mismatches\`.`,
        },
      },
    },
  },
  {
    title: 'Connections, time and the end',
    remedies: {
      ConnectionError: {
        connection: {
          cause:
            'There was no response, or it could not be read to its end: the host name does not exist, the connection was refused or broke, the certificate is not valid, or the response cannot be decompressed.',
          remedy: `The end of the message and the \`cause\` have the reason. In a browser, the usual reason is CORS. ${NO_POST_TWICE}`,
        },
        rate_limit_store: {
          cause: "Redis failed, and `redisLimiter` has the option `onStoreFailure: 'reject'`. Nothing was sent.",
          remedy: "Repair Redis, or use `onStoreFailure: 'local'` with `processes`.",
        },
      },
      TimeoutError: {
        timeout: {
          cause: 'An attempt took longer than `timeout`, and no further attempt was allowed or succeeded.',
          remedy: `Try again, or pass a longer \`timeout\`. ${NO_POST_TWICE}`,
        },
        deadline: {
          cause:
            'The whole call took longer than `deadline`, or nothing could be read within `waitTimeout`. If the error has `estimatedWaitMs`, the rate limit has no free slot before the `deadline`.',
          remedy: 'Pass a longer `deadline`, or call later. If the rate limit is the reason, make fewer calls.',
        },
      },
      TrackingError: {
        closed: {
          cause: '`close()` was called while the call waited for a slot, or during a sign-in.',
          remedy: 'This is the normal end of a waiting call. For more calls, create a new client.',
        },
        access_token: {
          cause: 'Your `accessToken` function failed. The `cause` is the error of this function. Nothing was sent.',
          remedy: 'Repair the function, or the authorization server that it calls.',
        },
      },
    },
  },
  {
    title: 'The queue of the rate limit',
    remedies: {
      QueueError: {
        queue_full: {
          cause: 'More than `rateLimit.maxQueue` calls wait for a slot, or the Bottleneck instance refused the call.',
          remedy: 'Start fewer calls at the same time, for example with `concurrency`.',
        },
        queue_timeout: {
          cause: 'The wait for a slot is longer than the call allows.',
          remedy:
            'Calls of a client reject with a `TimeoutError` with the code `deadline`, whose `cause` is this error. Only callers of `limiter.acquire` get this error directly.',
        },
        bucket_closed: {
          cause: 'A 429 has closed the bucket for longer than `retry.maxRetryAfter`.',
          remedy:
            'Calls of a client reject with a `RateLimitError`. Only callers of `limiter.acquire` get this error directly: try again at `closedUntil`.',
        },
      },
    },
  },
  {
    title: 'Tracking',
    remedies: {
      TrackingFailedError: {
        tracking_failed: {
          cause: 'Tracking ended without a shipment. `failedReason` has the reason.',
          remedy: 'See [the reasons](#reasons-of-failed-tracking).',
        },
      },
      TrackingPendingError: {
        tracking_pending: {
          cause:
            '`waitTimeout` has passed, and the outcome is not known yet. The service continues to track the number.',
          remedy:
            'Wait again with `trackingRequests.waitFor(error.trackingRequest.id)`, or let a webhook report the outcome.',
        },
      },
      InferenceError: {
        number_unclear: {
          cause: '`scac` or `type` is missing, and the service cannot infer it with certainty.',
          remedy: 'Let a person choose among `candidates`, and pass `scac` and `type`.',
        },
      },
    },
  },
  {
    title: 'Documents',
    remedies: {
      UploadError: {
        upload_failed: {
          cause: 'An upload failed. `stage` is the step that failed, and the `cause` is the reason.',
          remedy: 'See [the stages](#stages-of-a-failed-upload).',
        },
      },
      TrackingError: {
        not_a_file: {
          cause: 'The path is a directory, a device or a pipe.',
          remedy: 'Pass the path of a file, or `{ size, open }`.',
        },
        unreadable: {
          cause: 'The file could not be read, or no bytes came within `timeout`.',
          remedy: 'Look at the `cause`. Upload again when the file can be read.',
        },
        bytes_changed: {
          cause:
            'The file was changed, replaced or deleted during the upload, or a stream had different bytes when it was read again.',
          remedy: 'Upload again when the file no longer changes. `open` must return the same bytes each time.',
        },
        response_format: {
          cause: 'The service sent an upload slot that cannot be used.',
          remedy: 'Upload again. If the error persists, report it to the support of the service.',
        },
        redirected: {
          cause:
            'The storage responded with a redirect. The client does not follow it, because the file might be sent to another server.',
          remedy: 'Check the proxy between this program and the storage.',
        },
        not_written: {
          cause: 'The file of a download cannot be written. The `cause` is the error of the file system.',
          remedy: 'Check the folder, its permissions and the free space. The file that was there before is unchanged.',
        },
      },
      ExtractionFailedError: {
        extraction_failed: {
          cause: 'The service could not read the document.',
          remedy: 'Upload a better scan, or call `documents.reextract`.',
        },
      },
      ExtractionPendingError: {
        extraction_pending: {
          cause:
            '`waitTimeout` has passed, and there is no outcome yet. Or the extraction failed, and no webhook of the account has `document.extraction_failed`: only this event shows a failed extraction.',
          remedy:
            'Wait again with `documents.waitFor(error.document)`. To see a failure, first subscribe a webhook to `document.extraction_failed`, and start the extraction again with `documents.reextract(error.document)`. In the sandbox, the data comes after one minute of the clock of the sandbox: use its option `speed`, or `advance`.',
        },
      },
      ExtractionMismatchError: {
        extraction_mismatch: {
          cause: 'The extracted data does not match your schema. `issues` lists the fields that do not match.',
          remedy: 'Read `error.document` without the schema, or correct the schema.',
        },
      },
    },
  },
  {
    title: 'Custom fields',
    remedies: {
      CustomFieldDefinitionError: {
        custom_field_definition: {
          cause: 'Your description and the definitions of the account differ. `problems` lists every difference.',
          remedy: 'See [the differences](#problems-of-custom-field-definitions).',
        },
      },
      CustomFieldValueError: {
        custom_field_value: {
          cause: 'A stored value does not have the type in your description.',
          remedy:
            'Correct the value in the account (see `field`, `value` and `recordId`), or correct your description. After `readAll`, `all.readable` has the values of the other records.',
        },
      },
      CustomFieldWriteError: {
        custom_field_write: {
          cause: 'Some values were not written. `failed` lists these values, and `written` lists the other values.',
          remedy: 'Write all values again: this is safe.',
        },
      },
      TrackingError: {
        custom_field_value: {
          cause: 'The response does not contain the record to which a custom field belongs.',
          remedy: 'Read the custom fields of the record: `shipments.customFields.list(id)`.',
        },
      },
    },
  },
  {
    title: 'Following changes',
    remedies: {
      TrackingError: {
        feed_ended: {
          cause: 'A notification was passed to a feed whose iteration has ended.',
          remedy:
            'Create a new feed with the last checkpoint as `from`, iterate over it, and pass the notification to it.',
        },
      },
    },
  },
  {
    title: 'Webhooks',
    remedies: {
      WebhookVerificationError: {
        webhook_verification: {
          cause: 'The signature of a delivery is not valid, or its body cannot be read. `reason` has the reason.',
          remedy:
            'See [the refusals](#refusals-of-the-receiver). A receiver responds to such a delivery by itself, and does not throw.',
        },
      },
    },
  },
  {
    title: 'Stores of `sync`',
    remedies: {
      StoreError: {
        store_newer: {
          cause: 'A newer version of the package has made or changed the tables.',
          remedy: 'Update the package in this program.',
        },
        store_outdated: {
          cause: 'The tables are missing, or belong to an earlier version of the package.',
          remedy: 'Call `migrate()`. `run()` calls it by itself.',
        },
        store_unavailable: {
          cause: 'There is no connection or no disk space, or another process holds a lock.',
          remedy: '`run()` tries again by itself. Otherwise try again later.',
        },
        store_busy: {
          cause: 'Another process is already filling the store, and `once()` does not wait for it. Nothing was read.',
          remedy:
            'You do not need to do anything: the other process does the work. `reconcile()` waits for the other process.',
        },
        store_closed: {
          cause: '`close()` of the store or the inbox was called, or its pool was ended.',
          remedy:
            'Create a new store or inbox. `run()` rejects with this error. Stop a worker before you close its inbox.',
        },
        store_failed: {
          cause: 'The store failed for another reason, such as a missing permission.',
          remedy: 'Look at the message and the `cause`. Repeating the call does not help.',
        },
      } satisfies Record<StoreErrorCode, Remedy>,
    },
  },
  {
    title: 'The MCP client',
    remedies: {
      ToolError: {
        tool_failed: {
          cause: 'The tool was called, and failed. `content` is the message of the server.',
          remedy: 'Pass `content` to the model or the person. Change the arguments.',
        },
      },
      McpProtocolError: {
        mcp_protocol: {
          cause:
            'The server refuses the request, because the tool does not exist or the arguments are not valid. `rpcCode` is the JSON-RPC code of the server.',
          remedy: 'List the tools and compare names and arguments.',
        },
      },
      AuthorizationError: {
        authorization: {
          cause: 'The sign-in failed. `reason` has the reason.',
          remedy: 'See [the reasons](#reasons-of-a-failed-sign-in).',
        },
      },
    },
  },
];

/** The known reasons of failed tracking. A reason that the service adds later is not in the type. */
type KnownFailedReason = Known<TrackingRequestFailedReason>;
type Known<Text extends string> = Text extends string ? (string extends Text ? never : Text) : never;

export const FAILED_REASONS = {
  not_found: { cause: 'The carrier does not know the number.', remedy: 'Check the number and the carrier.' },
  invalid_number: {
    cause: 'The carrier does not accept the format of the number.',
    remedy: 'Correct the number, or its `type`.',
  },
  duplicate: {
    cause: 'The shipment existed already.',
    remedy: '`track` finds it and does not throw. It throws only if the shipment cannot be found.',
  },
  expired: {
    cause: 'The carrier had no data within the time for which the service waits: 7 days, or longer on paid plans.',
    remedy: 'Track again when the carrier has data.',
  },
  retries_exhausted: { cause: '14 attempts have failed.', remedy: 'Track again later.' },
  booking_cancelled: { cause: 'The carrier has cancelled the booking.', remedy: 'Ask the carrier for the new number.' },
  data_unavailable: {
    cause: 'The number is right, but the carrier provides no data.',
    remedy: 'Track by another number of the shipment.',
  },
  scac_auto_detect_failed: { cause: 'No supported carrier was found.', remedy: 'Pass `scac`.' },
  unrecognized_response: {
    cause: 'The response of the carrier could not be read. Temporary.',
    remedy: 'Track again later.',
  },
  shipping_line_unreachable: { cause: 'The carrier did not respond. Temporary.', remedy: 'Track again later.' },
  internal_processing_error: {
    cause: 'The service has had an internal error. Temporary.',
    remedy: 'Track again later.',
  },
  awaiting_manifest: {
    cause: 'The carrier has no data yet. Temporary.',
    remedy: 'Wait: the service tries again daily, for 7 days, or longer on paid plans.',
  },
} satisfies Record<KnownFailedReason, Remedy>;

export const UPLOAD_STAGES = {
  hash: {
    cause: 'The file could not be read, so its checksum could not be computed.',
    remedy: 'See `not_a_file`, `unreadable` and `bytes_changed`. Nothing was sent.',
  },
  slot: { cause: 'The service did not create an upload slot.', remedy: 'See the error in `cause`. Nothing was sent.' },
  put: {
    cause: 'The storage did not accept the file in any attempt.',
    remedy: 'Upload again. No document was created.',
  },
  create: {
    cause: 'The file is stored, but the document was not created, or the response was lost.',
    remedy:
      "If `cause` is a `ConflictError`, use `existingDocumentId`. Otherwise upload again with `onDuplicate: 'return'`.",
  },
} satisfies Record<UploadStage, Remedy>;

export const CUSTOM_FIELD_PROBLEMS = {
  missing: { cause: 'No definition has this `api_slug`.', remedy: 'Create the definition, or correct `api_slug`.' },
  entity_type: {
    cause: 'The definition is for another type of record.',
    remedy: 'In your description, move the field to that type of record.',
  },
  data_type: {
    cause: 'The definition has another data type.',
    remedy: 'Use the data type of the account in your description.',
  },
  reference_type: {
    cause: 'The field refers to records of another type.',
    remedy: 'Use the type of the account in your description.',
  },
  options: {
    cause: 'The definition has other options.',
    remedy: 'Use the options of the account in your description.',
  },
} satisfies Record<CustomFieldProblem['reason'], Remedy>;

export const REFUSALS = {
  missing_signature: {
    cause: 'The delivery has no signature.',
    remedy: 'Register the webhook with a `secret`. Check that no proxy removes the header.',
  },
  several_signatures: {
    cause: 'Several headers have names that could be the name of the signature header.',
    remedy: 'Set the option `header`.',
  },
  malformed_signature: {
    cause: 'The value of the signature header is not one digest with the expected length and format.',
    remedy: 'Check the options `header`, `prefix`, `encoding` and `algorithm`.',
  },
  mismatch: {
    cause: 'The signature does not match the body for any of the secrets.',
    remedy: 'Check `secrets`. Check that no proxy between the service and the receiver changes the body.',
  },
  bad_payload: {
    cause: 'The signature is right, but the body is not a notification.',
    remedy: 'Report the delivery to the support of the service, because the service has signed it.',
  },
  not_raw: {
    cause: 'Other code has parsed the body before, so the signed bytes are lost.',
    remedy: 'Mount the receiver before the body parser, or configure the parser so that it keeps `rawBody`.',
  },
  incomplete: {
    cause: 'The connection was closed before the end of the body.',
    remedy: 'Nothing: the service sends the notification again.',
  },
  too_slow: {
    cause: 'The body took longer than `deadlineMs` to arrive.',
    remedy: 'Nothing: the service sends the notification again.',
  },
  too_large: {
    cause: 'The body is longer than `maxBodyBytes`.',
    remedy: 'If the delivery is from the service, increase `maxBodyBytes`.',
  },
  unavailable: {
    cause: 'The inbox could not store the delivery in time.',
    remedy: 'Repair the inbox. The service sends the notification again.',
  },
  not_post: { cause: 'The method is not `POST`.', remedy: 'Nothing: the request is not a delivery.' },
} satisfies Record<Exclude<Outcome, 'stored' | 'duplicate'>, Remedy>;

export const AUTHORIZATION_FAILURES = {
  no_metadata: {
    cause:
      'The MCP server has no metadata for the sign-in, the metadata cannot be read, or its addresses are not https.',
    remedy: 'Check the address of the MCP endpoint.',
  },
  resource_mismatch: { cause: 'The metadata is about another server.', remedy: 'Check the address. Do not sign in.' },
  issuer_mismatch: {
    cause: 'The response is not from the authorization server that got the request.',
    remedy: 'Sign in again. If the error persists, do not trust the server.',
  },
  state_mismatch: {
    cause: 'The response does not belong to the request.',
    remedy: 'Sign in again, in one browser window.',
  },
  registration_failed: {
    cause: 'The authorization server does not register this program.',
    remedy: 'Register the program with that server by hand, and pass `oauth.client`.',
  },
  denied: {
    cause: 'The person, or the authorization server, has refused the access.',
    remedy: 'Sign in again, and allow the access.',
  },
  token_refused: { cause: 'The authorization server issued no token.', remedy: 'Sign in again. Look at the `cause`.' },
  no_browser: {
    cause: 'A person has to sign in, but `openBrowser` is missing or has failed.',
    remedy: 'Pass `oauth.openBrowser`. If it failed, look at the `cause`.',
  },
  timeout: { cause: 'The person did not sign in before the time limit.', remedy: 'Sign in again.' },
} satisfies Record<AuthorizationFailure, Remedy>;

/** The failures that the tools of the MCP server report to a model, by the word in `error`. */
export const MODEL_FAILURES: Readonly<Record<string, Remedy>> = {
  not_found: {
    cause: 'The record or the route does not exist, or the service found nothing to track for the number.',
    remedy: 'The model searches for the id, or asks the person.',
  },
  unauthorized: { cause: 'The service refuses the key or token.', remedy: 'Check the credential of the server.' },
  feature_not_enabled: {
    cause: 'The account does not have the feature.',
    remedy: 'The model uses other tools.',
  },
  forbidden: { cause: 'The account may not do this.', remedy: 'Use another account.' },
  rate_limited: { cause: 'The request budget is used up.', remedy: 'The model waits `retry_after_seconds`.' },
  invalid_request: {
    cause: 'An argument cannot be used.',
    remedy: 'The model corrects the argument that the message names.',
  },
  invalid_number: {
    cause: 'The number is not a container, bill of lading or booking number.',
    remedy: 'The model asks the person.',
  },
  ambiguous: {
    cause: 'Several records have the number, or several customers or carriers have the name.',
    remedy: 'The model takes one of the values in the message, or asks the person.',
  },
  carrier_unclear: {
    cause: 'The carrier or the kind of the number is not certain.',
    remedy: 'The model asks the person.',
  },
  unknown_carrier: {
    cause: 'The service cannot track this kind of number with this carrier.',
    remedy: 'The model finds the carrier, or asks the person.',
  },
  declined: {
    cause: 'The user did not agree to start tracking.',
    remedy: 'Nothing was changed. The model does not ask again.',
  },
  not_asked: {
    cause: 'The AI client failed to ask its user.',
    remedy: 'Nothing was requested. The model asks the person, and calls again.',
  },
  upstream: {
    cause: 'The service failed, could not be reached, or took too long.',
    remedy: 'The model calls the tool once more.',
  },
  internal: { cause: 'The MCP server has a defect.', remedy: 'Report the defect, with the log of the server.' },
};

/** The exit codes of `container-tracking`. */
export const EXITS = {
  failed: 'The command failed. It has printed the reason on stderr.',
  wrongUsage: 'The command line is wrong. The command has also printed its help.',
  refused: 'The key is wrong or revoked, or does not have the necessary rights.',
  notFound: 'The record does not exist.',
  rateLimited: 'The request budget is used up.',
  unavailable: 'The service did not respond, or failed.',
  pending: 'The time for waiting has passed, and the outcome is not known yet.',
  busy: 'Another process is already doing this work. This process has not done anything.',
  interrupted: 'The command was interrupted.',
} satisfies Record<keyof typeof EXIT, string>;
