/** A block that a tool, a prompt or a resource gives for a model to read. */
export type Content = TextContent | ResourceLinkContent | OtherContent;

/** For whom a block is, and how much it matters. */
export interface ContentAnnotations {
  /** Who reads it. */
  audience?: ('user' | 'assistant')[];
  /** From 0 to 1. */
  priority?: number;
  [name: string]: unknown;
}

/** Text. */
export interface TextContent {
  /** Kind of block. */
  type: 'text';
  /** The text. */
  text: string;
  /** For whom it is. */
  annotations?: ContentAnnotations;
}

/** The address of a resource that can be read. */
export interface ResourceLinkContent {
  /** Kind of block. */
  type: 'resource_link';
  /** Such as `tracking://container/<id>`. */
  uri: string;
  /** Its name. */
  name: string;
  /** Media type. */
  mimeType?: string;
  /** For whom it is. */
  annotations?: ContentAnnotations;
}

/** An image, audio or an embedded resource, as the protocol has them. */
export interface OtherContent {
  /** Kind of block. */
  type: 'image' | 'audio' | 'resource';
  /** For whom it is. */
  annotations?: ContentAnnotations;
  [name: string]: unknown;
}

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

/** The arguments of the prompts of the service. */
export interface Prompts {
  /** Asks for the state of a container. */
  'track-shipment': {
    /** Number of the container, where it is known. */
    container_number: string;
    /** SCAC of the carrier. */
    carrier?: string | undefined;
  };
  /** Asks for last free day, holds and fees. */
  'check-demurrage': {
    /** Id of the container. */
    container_id: string;
  };
  /** Asks for what has delayed a container. */
  'analyze-delays': {
    /** Id of the container. */
    container_id: string;
  };
}

/** The name of a prompt of the service. */
export type PromptName = keyof Prompts;
