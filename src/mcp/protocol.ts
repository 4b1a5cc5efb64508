import type { Content } from './content.ts';

/** What the protocol has beside the results of tools. */

/** A tool that a server has. */
export interface ToolSummary {
  /** Its name, by which it is called. */
  name: string;
  /** The same for people. */
  title?: string;
  /** What it does, for a model to read. */
  description?: string;
  /** What it takes, as a JSON schema. */
  inputSchema: Record<string, unknown>;
  /** What it gives, as a JSON schema. */
  outputSchema?: Record<string, unknown>;
  /** Whether it only reads, and other hints. */
  annotations?: {
    /** It changes nothing. */
    readOnlyHint?: boolean;
    /** It may destroy something. */
    destructiveHint?: boolean;
    /** A second call does no more. */
    idempotentHint?: boolean;
    /** It reaches beyond the service. */
    openWorldHint?: boolean;
  };
}

/** A prompt that a server has. */
export interface PromptSummary {
  /** Its name. */
  name: string;
  /** The same for people. */
  title?: string;
  /** What it asks for. */
  description?: string;
  /** What it takes. */
  arguments?: {
    /** Its name. */
    name: string;
    /** What it says. */
    description?: string;
    /** Whether it has to be there. */
    required?: boolean;
  }[];
}

/** A message of a prompt. */
export interface PromptMessage {
  /** Who says it. */
  role: 'user' | 'assistant';
  /** What is said. */
  content: Content;
}

/** A resource that a server has, or the pattern of the addresses of many. */
export interface ResourceSummary {
  /** Its address. Of a pattern, `uriTemplate` has it. */
  uri?: string;
  /** The pattern, with names in braces. */
  uriTemplate?: string;
  /** Its name. */
  name: string;
  /** What it holds. */
  description?: string;
  /** Media type. */
  mimeType?: string;
}

/** What a resource holds: text, or bytes in base64. */
export interface ResourceContents {
  /** Its address. */
  uri: string;
  /** Media type. */
  mimeType?: string;
  /** The text. */
  text?: string;
  /** The bytes, in base64. */
  blob?: string;
}
