import type { CalendarDate, DateTime } from './model.ts';

/** Where notifications come from. Read it again from time to time, for example daily (SPEC.md, Authentication). */
export interface WebhookIps {
  /** IPv4 addresses. */
  webhook_notification_ips: string[];
  last_updated: DateTime | CalendarDate;
}

/** How the delivery of a sample notification went. The call itself succeeds also when the delivery did not. */
export interface TriggerResult {
  url: string;
  /** True for an answer of 200, 201, 202 or 204. */
  succeeded: boolean;
  error: string | null;
  /** `null` when nothing answered. */
  status_code: number | null;
  request_headers: Record<string, unknown>;
  request_body: string;
  response_headers: Record<string, unknown> | null;
  response_body: string | null;
}

export interface RefreshResult {
  /** Says which sources are asked: shipping line, terminal, rail. */
  message: string;
}

/** The types of documents that the account can have. */
export interface DocumentTypes {
  document_types: { code: string; label: string }[];
}

export interface DownloadUrl {
  /** Signed and short-lived. */
  download_url: string;
}

/** The service has queued the work. */
export interface Accepted {
  status: 'accepted';
}

/** What a direct upload announces about the file. */
export interface DirectUploadCreate {
  filename: string;
  /** MIME type. */
  content_type: string;
  byte_size: number;
  /** Base64 of the binary MD5 of the file. */
  checksum: string;
}

/** The slot of a direct upload (SPEC.md, Direct upload blob). */
export interface DirectUpload {
  id: string;
  key: string;
  filename: string;
  content_type: string;
  metadata: Record<string, unknown>;
  service_name: string;
  byte_size: number;
  /** Base64 of the binary MD5 of the file. */
  checksum: string;
  created_at: DateTime;
  /** What `documents.create` takes as `attached_document`. */
  signed_id: string;
  direct_upload: {
    /** Signed: send no credentials to it. */
    url: string;
    /** To be sent exactly as they are. */
    headers: Record<string, string>;
  };
}
