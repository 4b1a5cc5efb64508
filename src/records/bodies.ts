import type { CalendarDate, DateTime } from './scalars.ts';

/** Where notifications come from. Read it again from time to time, for example daily. */
export interface WebhookIps {
  /** IPv4 addresses. */
  webhook_notification_ips: string[];
  /** When the addresses were last changed. */
  last_updated: DateTime | CalendarDate;
}

/** How the delivery of a sample notification went. The call itself succeeds also when the delivery did not. */
export interface TriggerResult {
  /** Where the sample was sent. */
  url: string;
  /** `true` for an answer of 200, 201, 202 or 204. */
  succeeded: boolean;
  /** Why it failed; `null` where it did not. */
  error: string | null;
  /** HTTP status of the answer; `null` when nothing answered. */
  status_code: number | null;
  /** Headers of the delivery, its signature among them. */
  request_headers: Record<string, unknown>;
  /** Body of the delivery, as it was signed. */
  request_body: string;
  /** Headers of the answer; `null` when nothing answered. */
  response_headers: Record<string, unknown> | null;
  /** Body of the answer; `null` when nothing answered. */
  response_body: string | null;
}

/** What came of a request to refresh a container. */
export interface RefreshResult {
  /** Says which sources are asked: shipping line, terminal, rail. */
  message: string;
}

/** The types of documents that the account can have. */
export interface DocumentTypes {
  /** Each with its code, for `document_type`, and its label, for people. */
  document_types: {
    /** The value of `document_type`. */
    code: string;
    /** Its name for people. */
    label: string;
  }[];
}

/** Where the file of a document is. */
export interface DownloadUrl {
  /** Signed: send no credentials to it. Expires soon. */
  download_url: string;
}

/** The service has queued the work. */
export interface Accepted {
  /** The result comes later. */
  status: 'accepted';
}

/** What a direct upload announces about the file. */
export interface DirectUploadCreate {
  /** Name of the file. */
  filename: string;
  /** MIME type of the file. */
  content_type: string;
  /** Size of the file in bytes. */
  byte_size: number;
  /** Base64 of the binary MD5 of the file. */
  checksum: string;
}

/** The place in the storage that a file can be sent to. */
export interface DirectUpload {
  /** Id of the place. */
  id: string;
  /** Name of the file in the storage. */
  key: string;
  /** Name of the file, as it was announced. */
  filename: string;
  /** MIME type of the file, as it was announced. */
  content_type: string;
  /** What the storage notes about the file. */
  metadata: Record<string, unknown>;
  /** Name of the storage. */
  service_name: string;
  /** Size of the file in bytes, as it was announced. */
  byte_size: number;
  /** Base64 of the binary MD5 of the file. */
  checksum: string;
  /** When the place was made. */
  created_at: DateTime;
  /** What `documents.create` takes as `attached_document`. */
  signed_id: string;
  /** How to send the file: `directUploads.put` does it. */
  direct_upload: {
    /** Where to. Signed: send no credentials to it. */
    url: string;
    /** To be sent exactly as they are. */
    headers: Record<string, string>;
  };
}
