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

const NO_POST_TWICE = 'A `POST` may have been carried out: read before you repeat it.';

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
            'The service does not understand a parameter: an include that the type does not have, a search without text.',
          remedy: 'Look at `errors[].parameter` and `errors[].detail`. Change the call.',
        },
      },
      AuthenticationError: {
        unauthorized: {
          cause:
            'The key or token is wrong, revoked, or belongs to another address. With a token function, a new token was tried too.',
          remedy: 'Check the key and `baseUrl`. See [authentication](../guides/authentication.md).',
        },
      },
      PermissionDeniedError: {
        forbidden: {
          cause: 'The account may not do this.',
          remedy: 'Use a key of an account with the permission. Repeating the call does not help.',
        },
      },
      FeatureNotEnabledError: {
        feature_not_enabled: {
          cause: 'The account does not have the [feature](../service/errors.md#features), such as routing data.',
          remedy: 'Do without it, or have the service enable it for the account.',
        },
      },
      NotFoundError: {
        not_found: {
          cause: 'There is no such record in this account, or no such path.',
          remedy: 'Check the id, and that the key belongs to the account of the record.',
        },
      },
      ConflictError: {
        conflict: {
          cause: 'The account has a document with the same bytes.',
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
            'The service responded 429, and the wait is longer than `retry.maxRetryAfter` or the attempts are used up. With `attempts: 0` nothing was sent: an earlier 429 has closed the bucket.',
          remedy:
            'Try again after `retryAfterMs`. Find the other program that uses the key, or share the budget: [rate limits](../guides/rate-limits.md).',
        },
      },
      ServerError: {
        server_error: {
          cause:
            'The service responded with a status of 500 or more. The client has repeated the call if this is safe.',
          remedy: `Try again later. Send the \`requestId\` to the support of the service. ${NO_POST_TWICE}`,
        },
      },
      APIError: {
        api_error: {
          cause: 'The service, or a gateway, responded with another status: a redirect, 405, 408, 413.',
          remedy: 'Look at `status` and the message. A redirect is not followed: correct `baseUrl`.',
        },
      },
      ResponseFormatError: {
        response_format: {
          cause:
            "The response cannot be read: it is empty, not JSON, without `data`, or longer than `maxResponseBytes`. With `validation: 'strict'`: it does not match its schema.",
          remedy:
            'Check that `baseUrl` leads to the service and not to a login page. For a long response, use a smaller `pageSize` or a larger `maxResponseBytes`. Look at `mismatches`.',
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
            'No response: the name does not resolve, the connection was refused or broke, the certificate is not valid.',
          remedy: `The end of the message and the \`cause\` state the reason. In a browser, the usual cause is CORS. ${NO_POST_TWICE}`,
        },
        rate_limit_store: {
          cause: "The Redis of `redisLimiter` failed, with `onStoreFailure: 'reject'`. Nothing was sent.",
          remedy: "Repair Redis, or use `onStoreFailure: 'local'` with `processes`.",
        },
      },
      TimeoutError: {
        timeout: {
          cause: 'One attempt took longer than `timeout`, and no other attempt was allowed or successful.',
          remedy: `Try again, or pass a longer \`timeout\`. ${NO_POST_TWICE}`,
        },
        deadline: {
          cause:
            'The whole call took longer than `deadline`, or nothing could be read within `waitTimeout`. With `estimatedWaitMs`, the queue of the rate limit alone takes longer.',
          remedy: 'Pass a longer `deadline`, or call later. If the queue is the reason, send fewer calls.',
        },
      },
      TrackingError: {
        closed: {
          cause: '`close()` was called while the call waited for a slot, or during a sign-in.',
          remedy: 'This is the normal end of a waiting call. For more calls make a new client.',
        },
        access_token: {
          cause: 'Your `accessToken` function failed. The `cause` is its error. Nothing was sent.',
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
          remedy: 'Start fewer calls at once, for example with `concurrency`.',
        },
        queue_timeout: {
          cause: 'The wait for a slot is longer than the call allows.',
          remedy:
            'A client rejects with a `TimeoutError` with the code `deadline`, whose `cause` is this error. Only callers of `limiter.acquire` get this error directly.',
        },
        bucket_closed: {
          cause: 'A 429 has closed the bucket for longer than `retry.maxRetryAfter`.',
          remedy:
            'A client rejects with a `RateLimitError`. Only callers of `limiter.acquire` get this error directly: try again at `closedUntil`.',
        },
      },
    },
  },
  {
    title: 'Tracking',
    remedies: {
      TrackingFailedError: {
        tracking_failed: {
          cause: 'Tracking ended without a shipment. `failedReason` states the reason.',
          remedy: 'See [the reasons](#reasons-of-failed-tracking).',
        },
      },
      TrackingPendingError: {
        tracking_pending: {
          cause: '`waitTimeout` has passed without an outcome. The service continues to track.',
          remedy:
            'Wait again with `trackingRequests.waitFor(error.trackingRequest.id)`, or have a webhook report the outcome.',
        },
      },
      InferenceError: {
        number_unclear: {
          cause: '`scac` or `type` is missing, and the service is not certain about it.',
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
          cause: 'An upload failed. `stage` names the step, and the `cause` is the reason.',
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
            'The file was changed, replaced or deleted during the upload, or a stream had other bytes at the second reading.',
          remedy: 'Upload again when the file no longer changes. `open` must return the same bytes each time.',
        },
        response_format: {
          cause: 'The upload slot that the service sent cannot be used.',
          remedy: 'Upload again. If the error persists, report it to the support of the service.',
        },
        redirected: {
          cause:
            'The storage responded with a redirect, which is not followed: the file might be sent to another server.',
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
          cause: '`waitTimeout` has passed, and the document is not read yet.',
          remedy: 'Wait again with `documents.waitFor(error.document.id)`.',
        },
      },
      ExtractionMismatchError: {
        extraction_mismatch: {
          cause: 'The extracted data does not match your schema. `issues` names the places.',
          remedy: 'Read `error.document` by other means, or correct the schema.',
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
          cause: 'A stored value is not of the described type.',
          remedy:
            'Correct the value in the account (`field`, `value`, `recordId`), or the description. After `readAll`, `all.readable` has the values of the other records.',
        },
      },
      CustomFieldWriteError: {
        custom_field_write: {
          cause: 'Some values were not written. `written` and `failed` name them.',
          remedy: 'Write all values again, which is safe.',
        },
      },
      TrackingError: {
        custom_field_value: {
          cause: 'The service did not name the record that a custom field belongs to.',
          remedy: 'Read it through its record: `shipments.customFields.list(id)`.',
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
          remedy: 'Iterate over a new feed, `from` the last checkpoint, and pass the notification to it.',
        },
      },
    },
  },
  {
    title: 'Webhooks',
    remedies: {
      WebhookVerificationError: {
        webhook_verification: {
          cause: 'A delivery cannot be trusted or read. `reason` states why.',
          remedy: 'See [the refusals](#refusals-of-the-receiver). A receiver responds by itself, and throws nothing.',
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
          cause: 'The tables are missing, or of an earlier version.',
          remedy: 'Call `migrate()`. `run()` does so by itself.',
        },
        store_unavailable: {
          cause: 'There is no connection or no disk space, or another process holds a lock.',
          remedy: '`run()` tries again by itself. Otherwise try again later.',
        },
        store_busy: {
          cause: 'Another process reads into the store, and `once()` does not wait for it. Nothing was read.',
          remedy: 'Nothing is wrong: the other process does the work. `reconcile()` waits for it.',
        },
        store_closed: {
          cause: '`close()` of the store or the inbox was called, or its pool was ended.',
          remedy:
            'Create a new store or inbox. `run()` ends with this error. Stop a worker before you close its inbox.',
        },
        store_failed: {
          cause: 'Anything else, such as a missing permission.',
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
            'The server refuses the request: the tool does not exist, or the arguments are not valid. `rpcCode` is its JSON-RPC code.',
          remedy: 'List the tools and compare names and arguments.',
        },
      },
      AuthorizationError: {
        authorization: {
          cause: 'No person could be signed in. `reason` states why.',
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
  invalid_number: { cause: 'The carrier refuses the format.', remedy: 'Correct the number, or its `type`.' },
  duplicate: {
    cause: 'The shipment existed already.',
    remedy: '`track` finds it and does not throw. It throws only if the shipment cannot be found.',
  },
  expired: {
    cause: 'No success within the time for which the service waits: 7 days, longer on paid plans.',
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
  internal_processing_error: { cause: 'The service made a mistake. Temporary.', remedy: 'Track again later.' },
  awaiting_manifest: {
    cause: 'The carrier has no data yet. Temporary.',
    remedy: 'Wait: the service tries daily, for 7 days, longer on paid plans.',
  },
} satisfies Record<KnownFailedReason, Remedy>;

export const UPLOAD_STAGES = {
  hash: {
    cause: 'The checksum could not be computed: the file cannot be read.',
    remedy: 'See `not_a_file`, `unreadable` and `bytes_changed`. Nothing was sent.',
  },
  slot: { cause: 'The service did not create an upload slot.', remedy: 'See the error in `cause`. Nothing was sent.' },
  put: {
    cause: 'The storage did not accept the file, after all attempts.',
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
    remedy: 'Describe the field below that type.',
  },
  data_type: { cause: 'The definition has another data type.', remedy: 'Describe the data type that the account has.' },
  reference_type: {
    cause: 'The field refers to records of another type.',
    remedy: 'Describe the type that the account has.',
  },
  options: { cause: 'The options differ.', remedy: 'Describe the options that the account has.' },
} satisfies Record<CustomFieldProblem['reason'], Remedy>;

export const REFUSALS = {
  missing_signature: {
    cause: 'The delivery has no signature.',
    remedy: 'Register the webhook with a `secret`. Check that no proxy removes the header.',
  },
  several_signatures: {
    cause: 'Several headers have names like the signature header.',
    remedy: 'Set the option `header`.',
  },
  malformed_signature: {
    cause: 'The signature is not one digest of the right length and spelling.',
    remedy: 'Check the options `header`, `prefix`, `encoding` and `algorithm`.',
  },
  mismatch: {
    cause: 'No secret results in this signature for these bytes.',
    remedy: 'Check `secrets`. Check that nothing between the service and the receiver changes the body.',
  },
  bad_payload: {
    cause: 'The signature is right, but the body is not a notification.',
    remedy: 'Report it: the service has signed it.',
  },
  not_raw: {
    cause: 'Other code has parsed the body before, so the signed bytes are lost.',
    remedy: 'Mount the receiver before the body parser, or have the parser keep `rawBody`.',
  },
  incomplete: { cause: 'The body ended too early.', remedy: 'Nothing: the service delivers again.' },
  too_slow: {
    cause: 'The body took longer than `deadlineMs` to arrive.',
    remedy: 'Nothing: the service delivers again.',
  },
  too_large: {
    cause: 'The body is longer than `maxBodyBytes`.',
    remedy: 'Raise `maxBodyBytes` if the delivery is genuine.',
  },
  unavailable: {
    cause: 'The inbox could not store the delivery in time.',
    remedy: 'Repair the inbox: the service delivers again.',
  },
  not_post: { cause: 'The method is not `POST`.', remedy: 'Nothing: the request is not a delivery.' },
} satisfies Record<Exclude<Outcome, 'stored' | 'duplicate'>, Remedy>;

export const AUTHORIZATION_FAILURES = {
  no_metadata: {
    cause:
      'The server does not describe the sign-in, or its description cannot be read or has addresses without https.',
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
    remedy: 'Register it there by hand, and pass `oauth.client`.',
  },
  denied: { cause: 'The person, or the authorization server, has refused.', remedy: 'Sign in again, and allow it.' },
  token_refused: { cause: 'The authorization server issued no token.', remedy: 'Sign in again. Look at the `cause`.' },
  no_browser: {
    cause: 'A person has to sign in, and nothing can show the page, or `openBrowser` has failed.',
    remedy: 'Pass `oauth.openBrowser`. If it failed, look at the `cause`.',
  },
  timeout: { cause: 'No person signed in before the time limit.', remedy: 'Sign in again.' },
} satisfies Record<AuthorizationFailure, Remedy>;

/** The failures that the tools of the MCP server report to a model, by the word in `error`. */
export const MODEL_FAILURES: Readonly<Record<string, Remedy>> = {
  not_found: {
    cause: 'There is no such record, no route, or nothing to track for a number.',
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
    cause: 'The number is not a container, bill or booking number.',
    remedy: 'The model asks the person.',
  },
  ambiguous: {
    cause: 'Several records have the number, or several customers the name.',
    remedy: 'The model takes one of the ids in the result, or asks the person.',
  },
  carrier_unclear: {
    cause: 'The carrier of the number, or its kind, is not certain.',
    remedy: 'The model asks the person.',
  },
  unknown_carrier: {
    cause: 'The service does not track such a number with the carrier.',
    remedy: 'The model finds the carrier, or asks the person.',
  },
  declined: {
    cause: 'The user did not agree to start tracking.',
    remedy: 'Nothing was changed. The model does not ask again.',
  },
  upstream: {
    cause: 'The service failed, could not be reached, or took too long.',
    remedy: 'The model tries once more.',
  },
  internal: { cause: 'The server made a mistake.', remedy: 'Report it, with the log of the server.' },
};

/** The exit codes of `container-tracking`. */
export const EXITS = {
  failed: 'The command failed. stderr has the reason.',
  wrongUsage: 'The command line is wrong. The help is printed too.',
  refused: 'The key is missing rights, wrong or revoked.',
  notFound: 'There is no such record.',
  rateLimited: 'The budget is used up.',
  unavailable: 'No response, or a failure of the service.',
  pending: 'The time for waiting is over, without an outcome.',
  busy: 'Another process does the same work. This process has done nothing.',
  interrupted: 'The command was interrupted.',
} satisfies Record<keyof typeof EXIT, string>;
