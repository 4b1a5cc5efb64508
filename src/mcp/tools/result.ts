/** What the results of all tools have in common. */

/** How to read a result. It is guidance for a model, not content. */
export interface ResponseContract {
  /** What the result is for. */
  purpose: string;
  /** Questions that it answers. */
  can_answer: string[];
  /** Questions that need another call. */
  requires_more_data: string[];
  /** The fields that matter most. */
  relevant_fields: string[];
  /** How to present it. */
  presentation_guidance: string;
  /** What a person is likely to ask next. */
  suggested_follow_ups: string[];
  /** The tools for that. */
  suggested_tools: string[];
  /** How to show a list. Of the list tools only. */
  display?: Record<string, unknown>;
  /** Arguments that had no effect. Of the list tools, where there were some. */
  dropped_filters?: string[];
  /** Whether `meta.total` is exact. Of the list tools, where it is known. */
  total_is_reliable?: boolean;
}

/** Every result of a tool. */
export interface ToolResult {
  /** How to read the result. */
  _response_contract?: ResponseContract;
}

/** Beside the data: what kind of data it is, and how to present it. */
export interface ResultMetadata {
  /** How to present the result. */
  presentation_guidance?: string;
  [name: string]: unknown;
}

/** A result that says why there is no data. It is not an error of the call. */
export interface Unavailable<Reason extends string> extends ToolResult {
  /** Why. */
  error: Reason;
  /** The same for people. */
  message: string;
  /** What to do instead. */
  alternative?: string;
  /** Beside the data. */
  _metadata?: ResultMetadata;
}

/** A terminal. */
export interface TerminalSummary {
  /** Id of the terminal. */
  id: string;
  /** Its name. */
  name: string | null;
  /** Its FIRMS code. */
  firms_code: string | null;
}
